"""Which documents of company memory record a decision on what an agent asks about, and what shows that they do.

A document need not be called a decision: its name or a heading may say so, a status line, or a sentence that says what
was decided. Source: contract knowledge, "Reading" (`brief_me`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accounts.models import Account
from memories import search, words
from memories.company.answering import quoting
from memories.models import Section
from memories.passages import FoundSection
from memories.search import Prepared

MOST = 8
_LOOKED_AT = 24
_LONGEST_QUOTE = 160

_NAMED = re.compile(
    r"\b(?:adrs?|rfcs?|decisions?|decision[-_ ]?(?:records?|logs?)|minutes|resolutions?|postmortem)\b"
    r"|(?:^|[/_-])adr[-_]?\d",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"\bstatus\b\W{0,12}(?:accepted|approved|adopted|agreed|decided|final|superseded|rejected|deprecated|in force)\b",
    re.IGNORECASE,
)
_VERBS = "decided|approved|agreed|adopted|rejected|chosen|chose|ratified|resolved|settled on"
_SAID = re.compile(
    rf"\b(?:was|were|is|are|been)\s+(?:\w+ly\s+)?(?:{_VERBS}|signed off)\b"
    rf"|\b(?:we|they|board|committee|team|council|management|meeting|group)\s+(?:\w+\s+){{0,2}}(?:{_VERBS})\b"
    r"|\bdecided\s+(?:to|that|on|by|against|in favou?r)\b|\b(?:approved|agreed|adopted|signed off)\s+(?:by|on)\b"
    r"|\b(?:decision|decided|approved|approval)\b\s*(?:date\s*)?[:|]|\bwe\s+will\s+(?:use|keep|move|adopt|drop|not)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


@dataclass(frozen=True, slots=True)
class DecisionDocument:
    """`tree_path` leads to the section that mentions it; `why` says what shows that something was decided."""

    path: str
    title: str
    tree_path: str
    why: str

    def structured(self) -> dict[str, Any]:
        return {"path": self.path, "title": self.title, "tree_path": self.tree_path, "why": self.why}


def about(account: Account, prepared: Prepared) -> list[DecisionDocument]:
    """At most MOST documents, the best first. Runs inside `isolation.account`."""
    found = search.find(account, prepared, sections=_LOOKED_AT)
    mentioning: dict[int, FoundSection] = {}
    wanted = {words.number(term) for term in words.content_terms(prepared.texts[0])}
    for section in found.sections:
        if wanted & section.terms:
            mentioning.setdefault(section.document_id, section)
    headings = _headings(account, list(mentioning))
    decided = [_decided(section, headings.get(key, ())) for key, section in mentioning.items()]
    return [document for document in decided if document is not None][:MOST]


def _headings(account: Account, documents: Sequence[int]) -> Mapping[int, Sequence[str]]:
    found: dict[int, list[str]] = {}
    rows = Section.objects.filter(account=account, document_id__in=documents).order_by("document_id", "position")
    for document_id, tree_path in rows.values_list("document_id", "tree_path"):
        found.setdefault(document_id, []).append(tree_path.rsplit(" > ", 1)[-1])
    return found


def _decided(section: FoundSection, headings: Sequence[str]) -> DecisionDocument | None:
    why = _why(section, headings)
    return DecisionDocument(section.path, section.title, section.tree_path, why) if why else None


def _why(section: FoundSection, headings: Sequence[str]) -> str:
    """What the section says was decided; else what the document is called, or a heading of it. Empty for neither."""
    text = words.readable(section.text)
    if said := next((line for line in _SENTENCE.split(text) if _SAID.search(line) or _STATUS.search(line)), ""):
        return f"says “{quoting.shortened(quoting.folded(said), _LONGEST_QUOTE)}”"
    for name, kind in ((section.title, "title"), (section.path, "path")):
        if _NAMED.search(name):
            return f"is a record of decisions by its {kind}, and mentions it"
    if heading := next((heading for heading in headings if _NAMED.search(heading)), ""):
        return f"mentions it, and decides under the heading “{quoting.shortened(heading, 80)}”"
    return ""
