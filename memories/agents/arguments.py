"""What may be recorded and asked: bounds in characters and counts, each refused by name. Pure.

Source: contract knowledge ("Things", "Reading"); seed `memory_record_summary` and its neighbours.
"""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from accounts.errors import InvalidArguments
from memories import redaction, storable
from memories.models import Record, Summary

MOST_ITEMS = 50
LONGEST_SUMMARY = 8_000
LONGEST_RECORD = 2_000
LONGEST_LABEL = 200
LONGEST_QUERY = 200
MOST_TOPICS = 20
MOST_LINKS = 20
LONGEST_LINK = 2_000

# A turn of a conversation as tools print it: "User: …", "[12:01] Alice: …", "**assistant**: …", "Human> …".
_SPOKEN = re.compile(r"^\s*(?:\[[^\]\n]{1,30}\]\s*)?[*_#>\s]*([A-Za-z][\w .'-]{0,30}?)[*_\s]*[:>]\s+\S", re.MULTILINE)
_FEWEST_TURNS = 6
_MOSTLY = 0.6


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a recorded session, within its bounds; `supersedes` is an id, or empty."""

    kind: str
    text: str
    decided_by: str = ""
    topics: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    supersedes: str = ""

    def without_secrets(self) -> tuple["Item", int]:
        """The same with every secret cut out of its texts, and how many there were."""
        text, decided_by = redaction.cut(self.text), redaction.cut(self.decided_by)
        topics, links = list(map(redaction.cut, self.topics)), list(map(redaction.cut, self.links))
        made = replace(
            self,
            text=text.text,
            decided_by=decided_by.text,
            topics=tuple(topic.text for topic in topics),
            links=tuple(link.text for link in links),
        )
        return made, sum(cut.count for cut in (text, decided_by, *topics, *links))


def item(given: Mapping[str, Any], name: str) -> Item:
    """An item as it came in, checked. `name` is how errors call it, e.g. `items[3]`."""
    return Item(
        kind=choice(given.get("kind", ""), f"{name}.kind", Record.Kind.values),
        text=record_text(given.get("text", ""), f"{name}.text"),
        decided_by=label(given.get("decided_by", ""), f"{name}.decided_by"),
        topics=topics(given.get("topics") or (), f"{name}.topics"),
        links=links(given.get("links") or (), f"{name}.links"),
        supersedes=label(given.get("supersedes", ""), f"{name}.supersedes"),
    )


def items(given: Sequence[Mapping[str, Any]]) -> list[Item]:
    if len(given) > MOST_ITEMS:
        raise _wrong("items", f"holds {len(given):,} items; at most {MOST_ITEMS} go into one call")
    return [item(each, f"items[{at}]") for at, each in enumerate(given)]


def summary_text(value: str) -> str:
    text = _bounded("text", value, LONGEST_SUMMARY)
    return no_transcript(text, "text")


def record_text(value: str, name: str) -> str:
    text = _bounded(name, value, LONGEST_RECORD)
    if not text:
        raise _wrong(name, "is empty: say in a sentence what is to be remembered")
    return no_transcript(text, name)


def no_transcript(text: str, name: str) -> str:
    """Raises InvalidArguments for a text that is mostly lines of speakers who take turns."""
    lines = [line for line in text.splitlines() if line.strip()]
    spoken = [match[1].casefold() for match in _SPOKEN.finditer(text)]
    turns = 1 + sum(one != other for one, other in itertools.pairwise(spoken)) if spoken else 0
    if turns >= _FEWEST_TURNS and turns >= _MOSTLY * len(spoken) and len(spoken) >= _MOSTLY * len(lines):
        raise _wrong(name, "reads like a transcript; say in prose what was decided, asked and left open")
    return text


def label(value: str, name: str) -> str:
    return _bounded(name, value, LONGEST_LABEL)


def query(value: str, name: str = "query") -> str:
    text = _bounded(name, value, LONGEST_QUERY)
    if not text:
        raise _wrong(name, f"is empty: give 1 to {LONGEST_QUERY} characters")
    return text


def topics(given: Iterable[str], name: str) -> tuple[str, ...]:
    """Each once, in the order given."""
    kept = tuple(dict.fromkeys(_bounded(f"{name}[{at}]", value, LONGEST_LABEL) for at, value in enumerate(given)))
    if "" in kept:
        raise _wrong(name, "holds an empty topic")
    if len(kept) > MOST_TOPICS:
        raise _wrong(name, f"holds {len(kept):,} topics; at most {MOST_TOPICS} are kept")
    return kept


def links(given: Iterable[str], name: str) -> tuple[str, ...]:
    kept = tuple(dict.fromkeys(_link(f"{name}[{at}]", value) for at, value in enumerate(given)))
    if len(kept) > MOST_LINKS:
        raise _wrong(name, f"holds {len(kept):,} links; at most {MOST_LINKS} are kept")
    return kept


def _link(name: str, value: str) -> str:
    text = _bounded(name, value, LONGEST_LINK)
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or re.search(r"[\s<>\"]", text):
        raise _wrong(name, "is no http or https address")
    return text


def choice(value: str, name: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        shown = f"{value[:40]!r} is none of" if value else "is missing; it is one of"
        raise _wrong(name, f"{shown} {', '.join(allowed)}")
    return value


def trigger(value: str) -> str:
    return choice(value or Summary.Trigger.MANUAL, "trigger", Summary.Trigger.values)


def optional_choice(value: str, name: str, allowed: Sequence[str]) -> str:
    return choice(value, name, allowed) if value else ""


def page_size(value: int, *, usual: int, most: int) -> int:
    """0 is the usual size. Raises InvalidArguments below 0 and above `most`."""
    if not 0 <= value <= most:
        raise _wrong("page_size", f"is {value}; it must be 0 (which means {usual}) to {most}")
    return value or usual


def _bounded(name: str, value: str, most: int) -> str:
    text = storable.check(name, value).strip()
    if len(text) > most:
        raise _wrong(name, f"has {len(text):,} characters; at most {most:,} are allowed")
    return text


def _wrong(name: str, reason: str) -> InvalidArguments:
    return InvalidArguments(f"{name} {reason}.", argument=name)
