import json, pytest
from pathlib import Path
from accounts import isolation
from memories import embedding, indexing, search
from memories.memory_candidates import Scope
from memories.models import EndUser, Memory
from memories.end_users import remember
from memories.end_users.statements import Statement, Origin
D=Path(__file__).resolve().parents[3]/"benchmarks/data"
def test_try(alice):
    mem=[json.loads(l) for l in (D/"recall_memories.jsonl").read_text().splitlines()]
    people={}
    keys={}
    with isolation.account(alice.account.pk):
        for m in mem:
            if m["state"]!="live": continue
            if m["user"] not in people: people[m["user"]]=EndUser.objects.create(account=alice.account,external_id=m["user"])
            (row,)=remember.write(alice.account,people[m["user"]],[Statement(m["content"],m["category"],m["importance"])],Origin()).memories
            keys[row.pk]=m["key"]
        rows=list(Memory.objects.all())
        for row,v in zip(rows,embedding.documents([indexing.input_of(r) for r in rows])):
            row.vector=v; row.vector_model=embedding.model_name(); row.save(update_fields=["vector","vector_model"])
    import os
    tp=ret=0; rec=[]; prec=[]; rels=0
    for f in os.environ.get("QS","recall_questions.jsonl").split(","):
      for q in map(json.loads,(D/f).read_text().splitlines()):
        with isolation.account(alice.account.pk):
            found=search.memories(alice.account,search.prepare_about(q["question"]),Scope(people[q["user"]].pk),count=10)
        got=[keys[f.memory.memory_id] for f in found]; want=set(q["relevant"])
        ok=len(want&set(got)); tp+=ok; ret+=len(got); rels+=len(want)
        if want: rec.append(ok/len(want))
        if got: prec.append(ok/len(got))
        print("##",q["question"],"P %d/%d R %d/%d"%(ok,len(got),ok,len(want)))
        for f in found: print("    ","*" if keys[f.memory.memory_id] in want else " ",round(f.relevance,2),f.memory.content)
    import numpy as np
    print("pooled P %.2f R %.2f mean P %.2f R %.2f"%(tp/ret,tp/rels,np.mean(prec),np.mean(rec)))
