"""Which records mention what an agent asks about, each with the reason it was taken.

    topic      it carries the topic asked for, to the letter (`file:…`, free words)
    service    it carries the topic of the service asked for
    folder     its topic is a file inside the folder asked for, or the folder of the file asked for
    words      it says words of the question, or of its topics
    meaning    it says nearly the same in other words

Source: contract knowledge, "Topics" and "Reading".
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField, Func, Q, QuerySet, Value

from accounts.models import Account
from memories import search
from memories.agents import searching, shown
from memories.agents.shown import RecordShown
from memories.models import Record
from memories.record_candidates import Scope
from memories.search import Prepared

FILE, SERVICE = "file:", "service:"
MOST = 40
#: Records found by meaning alone are taken when they come so near to the best one: a briefing holds no padding.
NEAR_THE_BEST = 0.6


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked about: a file or folder by its path, a service by its name, or words; the others are empty."""

    asked: str
    path: str = ""
    service: str = ""

    @property
    def words(self) -> str:
        """What documents and records would call it."""
        return self.path or self.service or self.asked

    @property
    def name(self) -> str:
        """How texts call a file, by the last part of its path, or a service; empty for words."""
        return (self.path.rsplit("/", 1)[-1] or self.service).casefold()

    @property
    def topics(self) -> list[str]:
        """The topics that name it to the letter."""
        if self.path:
            return list(
                dict.fromkeys([self.asked, f"{FILE}{self.path}", f"{FILE}{self.path}/", f"{FILE}./{self.path}"])
            )
        if self.service:
            return list(dict.fromkeys([self.asked, f"{SERVICE}{self.service}"]))
        return [self.asked, f"{SERVICE}{self.asked}", f"{FILE}{self.asked}"]

    @property
    def folders(self) -> list[str]:
        """The topics of the folders around a file, the nearest first."""
        parts = self.path.split("/")[:-1]
        paths = ["/".join(parts[:end]) for end in range(len(parts), 0, -1)]
        return [topic for path in paths for topic in (f"{FILE}{path}", f"{FILE}{path}/")]


@dataclass(frozen=True, slots=True)
class Mention:
    """A record and the reason it was taken, as a word and as a half-sentence."""

    record: RecordShown
    reason: str
    why: str

    def structured(self) -> dict[str, Any]:
        return {**self.record.structured(), "reason": self.reason, "why": self.why}


def subject(about: str) -> Subject:
    """`about` as it was given, read: `file:<path>`, `service:<name>`, or words."""
    if about.startswith(FILE) and (path := about.removeprefix(FILE).strip().removeprefix("./").strip("/")):
        return Subject(about, path=path)
    if about.startswith(SERVICE) and (name := about.removeprefix(SERVICE).strip()):
        return Subject(about, service=name)
    return Subject(about)


def of(account: Account, asked: Subject, prepared: Prepared, scope: Scope) -> list[Mention]:
    """Active records in scope that mention it: by topic, newest first, then as search ranks them. Three queries."""
    named = [_named(row, asked) for row in _carrying(account, asked, scope)]
    known = {mention.record.id for mention in named}
    hits = searching.read(account, search.records(account, prepared, scope, count=MOST))
    best = max((hit.score for hit in hits), default=0.0)
    found = [hit for hit in hits if _is_about(hit, asked, NEAR_THE_BEST * best)]
    return named + [Mention(hit.record, *_found(hit)) for hit in found if hit.record.id not in known]


def _is_about(hit: searching.Hit, asked: Subject, near: float) -> bool:
    """A file or service is a name: who mentions it says it, and a path's parts alone (`py`) tell nothing."""
    if asked.name:
        return asked.name in " ".join([hit.record.text, *hit.record.topics]).casefold()
    return hit.match != "meaning" or hit.score >= near


def _carrying(account: Account, asked: Subject, scope: Scope) -> list[Record]:
    rows = in_scope(account, scope)
    is_named = Q(topics__overlap=[*asked.topics, *asked.folders])
    if asked.path:
        is_named |= Q(_Inside("topics", Value(f"{FILE}{asked.path}/")))
    return list(rows.filter(is_named).order_by("-created_at", "-id")[:MOST])


def in_scope(account: Account, scope: Scope) -> QuerySet[Record]:
    """Active records of the spaces in scope, and, where that is in it, of the account as a whole."""
    spaces = Q(space__in=scope.spaces) | (Q(space=None) if scope.whole else Q(pk=None))
    rows = Record.objects.filter(spaces, account=account, status=Record.Status.ACTIVE, hidden_at=None)
    return rows.select_related(*shown.RECORD_RELATED).defer(*shown.UNREAD)


class _Inside(Func):
    """Whether one of an array of topics begins with a prefix."""

    template = "EXISTS (SELECT FROM unnest(%(expressions)s))"
    # Stands between the two expressions.
    arg_joiner = ") AS carried (topic) WHERE starts_with(topic, "
    output_field = BooleanField()


def _named(row: Record, asked: Subject) -> Mention:
    record = shown.record(row)
    exact = next((topic for topic in row.topics if topic in asked.topics), None)
    if exact is not None:
        reason = "service" if exact.startswith(SERVICE) else "topic"
        return Mention(record, reason, f"carries the topic {exact}")
    around = next((topic for topic in row.topics if topic in asked.folders), None)
    if around is not None:
        return Mention(record, "folder", f"is about the folder {around.removeprefix(FILE)} that holds it")
    inside = next((topic for topic in row.topics if topic.startswith(f"{FILE}{asked.path}/")), "")
    return Mention(record, "folder", f"is about {inside.removeprefix(FILE)}, which lies in it")


def _found(hit: searching.Hit) -> tuple[str, str]:
    if hit.match == "meaning":
        return "meaning", f"is about that in other words (score {hit.score:.2f} of 1)"
    return "words", f"shares words with what was asked (score {hit.score:.2f} of 1)"
