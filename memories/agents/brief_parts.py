"""What a briefing is made of: frozen shapes and their JSON. Pure. Source: contract knowledge, "Reading"."""

from dataclasses import dataclass
from typing import Any

from memories.agents.decided import DecisionDocument
from memories.agents.mentions import Mention


@dataclass(frozen=True, slots=True)
class NotCovered:
    """`left_out`: items that found no room."""

    documents_processing: int = 0
    spaces_not_readable: int = 0
    left_out: int = 0

    def structured(self) -> dict[str, int]:
        return {
            "documents_processing": self.documents_processing,
            "spaces_not_readable": self.spaces_not_readable,
            "left_out": self.left_out,
        }


@dataclass(frozen=True, slots=True)
class Link:
    """An address, and the record that carries it."""

    url: str
    record_id: str

    def structured(self) -> dict[str, str]:
        return {"url": self.url, "record_id": self.record_id}


@dataclass(frozen=True, slots=True)
class Briefing:
    """`degraded` says why the search was weaker than usual, else it is empty; `text` is all of it in Markdown."""

    about: str
    documents: tuple[DecisionDocument, ...] = ()
    questions: tuple[Mention, ...] = ()
    rules: tuple[Mention, ...] = ()
    memories: tuple[Mention, ...] = ()
    links: tuple[Link, ...] = ()
    not_covered: NotCovered = NotCovered()
    degraded: str = ""
    text: str = ""

    def structured(self) -> dict[str, Any]:
        lists = ("documents", "questions", "rules", "memories", "links")
        degraded = {"degraded": self.degraded} if self.degraded else {}
        return {
            "about": self.about,
            **{name: [each.structured() for each in getattr(self, name)] for name in lists},
            "not_covered": self.not_covered.structured(),
            "text": self.text,
            **degraded,
        }
