"""A chat with memory, against `make up`:   python clients/python/examples/chat.py [YOUR NAME]

Say who you are and what you like, leave with Ctrl-D, start it again: it knows. /forget erases you, wholly.
With OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL a language model answers; without, you see what it would be told.
"""

import json
import os
import sys
from pathlib import Path

from pam_memory import Memory

demo = json.loads((Path(os.environ.get("PAM_HOME", ".pam")) / "demo.json").read_text())
user = sys.argv[1] if len(sys.argv) > 1 else "me"


def reply(system: str, history: list[dict[str, str]]) -> str:
    if "OPENAI_MODEL" not in os.environ:
        return system or "I know nothing about you that bears on this yet."
    from openai import OpenAI

    told = [{"role": "system", "content": system or "You know nothing about this user yet."}, *history]
    return OpenAI().chat.completions.create(model=os.environ["OPENAI_MODEL"], messages=told).choices[0].message.content


with Memory(demo["url"], demo["api_key"]) as memory:
    history: list[dict[str, str]] = []
    for line in iter(lambda: input("you> ") if sys.stdin.isatty() else sys.stdin.readline().strip(), ""):
        if line == "/forget":
            print(f"Forgotten: {memory.erase(user)} memories.")
            continue
        known = memory.retrieve(user, line, context_max_tokens=400)
        answer = reply(known.system_prompt_addition, [*history, {"role": "user", "content": line}])
        if known.clarification_question:
            print(f"bot> {known.clarification_question} [a/b/both/neither]")
            memory.clarify(known.clarification_id, input().strip())
        print(f"bot> {answer}")
        turn = [{"role": "user", "content": line}, {"role": "assistant", "content": answer}]
        memory.wait(memory.add(user, turn))
        history += turn
