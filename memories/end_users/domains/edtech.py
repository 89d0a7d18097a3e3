"""The domain of tutoring: what a student is at, what goes well and badly, and what is about to be forgotten.

Gathered by rules over statements in the third person (sayings); the block is told at a given time, because stages of
forgetting and the days to an exam depend on it. Source: contract end_users, "Domain schemas".
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from memories import words
from memories.end_users.domains.base import Ask, Domain, Profile, Said
from memories.end_users.domains.sayings import (
    clauses,
    dates,
    exams,
    forgetting,
    languages,
    learning,
    schooling,
    styles,
    things,
)
from memories.end_users.domains.sayings.clauses import Clause

MOST_TOPICS = 60
MOST_STYLES = 3
_IN_A_LINE = 6
RESTATING = (
    "Sentences of these forms, with the statement's own names, numbers and dates in the place of the dots: "
    "`User is in grade ….` `User's board is ….` `User studies ….` (a school subject) `User struggles with ….` "
    "`User does not understand ….` (an idea) `User is good at ….` `User practised ….` `User prefers … explanations.` "
    "`User prefers explanations in ….` (a language) `User speaks ….` `User has a … exam on 2027-03-02.`"
)
_WITHOUT_DATE = "9999"
_CURVE = {learning.WEAK: forgetting.WEAK, learning.GAP: forgetting.WEAK, learning.STRONG: forgetting.STRONG}


@dataclass
class _Sheet:
    """What has been gathered so far; later statements write over earlier ones."""

    grade: str | None = None
    board: str | None = None
    subjects: dict[str, str] = field(default_factory=dict)
    topics: dict[str, dict[str, Any]] = field(default_factory=dict)
    styles: dict[str, str] = field(default_factory=dict)
    languages: dict[str, list[str]] = field(default_factory=dict)
    exams: dict[str, dict[str, Any]] = field(default_factory=dict)


def _take_grade(sheet: _Sheet, clause: Clause, at: datetime) -> None:
    grade = schooling.grade(clause)
    if grade and not clause.is_negated:
        sheet.grade = grade
    elif grade and grade == sheet.grade:
        sheet.grade = None


def _take_board(sheet: _Sheet, clause: Clause, at: datetime) -> None:
    board = schooling.board(clause)
    if board and not clause.is_negated:
        sheet.board = board
    elif board and board == sheet.board:
        sheet.board = None


def _take_subjects(sheet: _Sheet, clause: Clause, at: datetime) -> None:
    for subject in schooling.subjects(clause):
        if clause.is_negated or clause.text.startswith("dropped"):
            sheet.subjects.pop(things.key(subject), None)
        else:
            sheet.subjects[things.key(subject)] = subject


def _take_topics(sheet: _Sheet, clause: Clause, at: datetime) -> None:
    for standing in learning.standings(clause):
        subject = schooling.subject_of(standing.topic)
        if subject:
            sheet.subjects.setdefault(things.key(subject), subject)
            if standing.state == learning.STUDIED and not clause.is_negated:
                continue
        _put_topic(sheet.topics, standing, at.date(), is_denial=clause.is_negated)


def _put_topic(topics: dict[str, dict[str, Any]], standing: learning.Standing, day: date, *, is_denial: bool) -> None:
    """Work on a topic leaves it as weak or strong as it was, unless the statement denied just that."""
    key = things.key(standing.topic)
    topic = topics.pop(key, None) or {"name": standing.topic, "state": learning.STUDIED, "told": []}
    if standing.state != learning.STUDIED or is_denial:
        topic["state"] = standing.state
    topic["told"].append([day.isoformat(), _CURVE.get(standing.state, forgetting.STUDIED)])
    topics[key] = topic


def _take_language(sheet: _Sheet, clause: Clause, at: datetime) -> None:
    for kind, language in languages.told(clause):
        kept = [name for name in sheet.languages.get(kind, []) if name != language]
        if clause.is_negated:
            sheet.languages[kind] = kept
        else:
            sheet.languages[kind] = [*kept, language] if kind == languages.SPEAKS else [language]


def _take_style(sheet: _Sheet, clause: Clause, at: datetime) -> None:
    style = styles.told(clause)
    if style:
        sheet.styles.pop(things.key(style), None)
        if not clause.is_negated:
            sheet.styles[things.key(style)] = style


def _take_exam(sheet: _Sheet, clause: Clause, at: datetime) -> None:
    exam = exams.told(clause, at.date())
    if exam is None:
        return
    key = _exam_key(exam.name)
    before = sheet.exams.pop(key, {})
    if not exam.is_over:
        sheet.exams[key] = {"name": exam.name or before.get("name", ""), "date": exam.on or before.get("date")}


def _exam_key(name: str) -> str:
    """ "JEE", "JEE exam" and "the JEE exams" are one."""
    return " ".join(term for term in things.key(name).split() if term not in {"exam", "test", "examin"}) if name else ""


_TAKERS: tuple[Callable[[_Sheet, Clause, datetime], None], ...] = (
    _take_grade,
    _take_board,
    _take_subjects,
    _take_topics,
    _take_language,
    _take_style,
    _take_exam,
)


class Edtech:
    """See base.Domain."""

    name = "edtech"
    schema_version = 1
    heading = "Tutoring context for this student:"
    fields: tuple[str, ...] = (
        "grade_level",
        "board_or_curriculum",
        "subjects",
        "strong_topics",
        "weak_topics",
        "concept_gaps",
        "explanation_style",
        "language_profile",
        "exam_name",
        "exam_date",
        "forgetting_stages",
    )
    trait = ""
    restating = RESTATING

    def reads(self, said: Said) -> bool:
        return bool(self.gather([said]))

    def gather(self, said: Sequence[Said]) -> Profile:
        sheet = _Sheet()
        for statement in said:
            for clause in clauses.split(statement.content, is_negated=statement.is_negated):
                for take in _TAKERS:
                    take(sheet, clause, statement.at)
        return _kept(sheet)

    def shown(self, profile: Profile, ask: Ask) -> Profile:
        exam = _exam(profile, ask.now.date())
        spoken = profile.get("languages", {})
        return {
            "grade_level": profile.get("grade"),
            "board_or_curriculum": profile.get("board"),
            "subjects": profile.get("subjects", []),
            "strong_topics": _named(profile, learning.STRONG),
            "weak_topics": _named(profile, learning.WEAK),
            "concept_gaps": _named(profile, learning.GAP),
            "explanation_style": "; ".join(profile.get("styles", [])) or None,
            "language_profile": _languages(spoken) if any(spoken.values()) else None,
            "exam_name": exam["name"] or None if exam else None,
            "exam_date": exam["date"] if exam else None,
            "forgetting_stages": {topic["name"]: _shown(stage) for topic, stage in _stages(profile, ask.now)},
        }

    def gist(self, profile: Profile, ask: Ask) -> Profile:
        shown = self.shown(profile, ask)
        due = sum(stage["review_due"] for stage in shown["forgetting_stages"].values())
        names = ("grade_level", "board_or_curriculum", "subjects", "weak_topics", "exam_name", "exam_date")
        return {name: shown[name] for name in names} | {"reviews_due": due}

    def lines(self, profile: Profile, ask: Ask) -> list[str]:
        asked = frozenset(words.content_terms(ask.query))
        return [line for line in _told(self.shown(profile, ask), ask, asked) if line]


def _kept(sheet: _Sheet) -> Profile:
    kept = {
        "grade": sheet.grade,
        "board": sheet.board,
        "subjects": list(sheet.subjects.values()),
        "topics": list(reversed(sheet.topics.values()))[:MOST_TOPICS],
        "styles": list(reversed(sheet.styles.values()))[:MOST_STYLES],
        "languages": {kind: named for kind, named in sheet.languages.items() if named},
        "exams": list(reversed(sheet.exams.values())),
    }
    return {name: value for name, value in kept.items() if value}


def _named(profile: Profile, state: str) -> list[str]:
    """The topics in that state, the last told first."""
    return [topic["name"] for topic in profile.get("topics", []) if topic["state"] == state]


def _languages(spoken: dict[str, list[str]]) -> dict[str, Any]:
    single = (languages.PREFERRED, languages.NATIVE, languages.MEDIUM)
    return {
        **{kind: next(iter(spoken.get(kind, [])), None) for kind in single},
        languages.SPEAKS: spoken.get(languages.SPEAKS, []),
    }


def _exam(profile: Profile, today: date) -> dict[str, Any] | None:
    """The next exam; of those without a date the last told; else the last one that is past."""
    told: list[dict[str, Any]] = profile.get("exams", [])
    ahead = [exam for exam in told if not (exam["date"] and dates.is_past(exam["date"], today))]
    if ahead:
        return min(ahead, key=lambda exam: exam["date"] or _WITHOUT_DATE)
    return max(told, key=lambda exam: exam["date"], default=None)


def _stages(profile: Profile, now: datetime) -> list[tuple[dict[str, Any], forgetting.Stage]]:
    """Each topic with its stage, what is most forgotten first."""
    staged = [
        (topic, forgetting.stage([(date.fromisoformat(day), how) for day, how in topic["told"]], now))
        for topic in profile.get("topics", [])
    ]
    return sorted(staged, key=lambda one: one[1].retention)


def _shown(stage: forgetting.Stage) -> dict[str, Any]:
    return {"stage": stage.stage, "days_since": stage.days_since, "review_due": stage.review_due}


def _told(shown: Profile, ask: Ask, asked: frozenset[str]) -> Iterator[str]:
    """The block's sentences: what bears on the answer at hand first, what hardly changes it last."""
    at_school = [part for part in (shown["grade_level"], shown["board_or_curriculum"]) if part]
    yield f"Grade and curriculum: {', '.join(at_school)}." if at_school else ""
    yield _listed("Explain in this style", [shown["explanation_style"] or ""], asked)
    yield _language_line(shown["language_profile"])
    yield _listed("Weak topics, go slowly and check understanding", shown["weak_topics"], asked)
    yield _listed("Ideas not understood yet, clear these up first", shown["concept_gaps"], asked)
    yield _exam_line(shown, ask.now.date())
    yield _listed("Due for review, the most forgotten first", _due(shown["forgetting_stages"]), asked)
    yield _listed("Strong topics, build on them", shown["strong_topics"], asked)
    yield _listed("Subjects", shown["subjects"], asked)


def _listed(lead: str, named: list[str], asked: frozenset[str]) -> str:
    """A sentence that lists at most six things, those that the query names first."""
    of_query = sorted(filter(None, named), key=lambda name: asked.isdisjoint(words.content_terms(name)))
    return f"{lead}: {'; '.join(of_query[:_IN_A_LINE])}." if of_query else ""


def _due(stages: dict[str, dict[str, Any]]) -> list[str]:
    return [
        f"{topic} ({stage['stage'].replace('_', ' ')}, last told {_ago(stage['days_since'])})"
        for topic, stage in stages.items()
        if stage["review_due"]
    ]


def _ago(days: int) -> str:
    return "1 day ago" if days == 1 else f"{days} days ago"


def _language_line(spoken: dict[str, Any] | None) -> str:
    if not spoken:
        return ""
    preferred, others = spoken["preferred"], spoken["speaks"] or [spoken["native"] or spoken["medium"]]
    return f"Answer in {preferred}." if preferred else f"Languages: {', '.join(filter(None, others))}."


def _exam_line(shown: Profile, today: date) -> str:
    name, on = shown["exam_name"] or "exam", shown["exam_date"]
    if not (shown["exam_name"] or on) or (on and dates.is_past(on, today)):
        return ""
    if not on:
        return f"Preparing for: {name}."
    left = (date.fromisoformat(on) - today).days if len(on) == len("2027-03-02") else None
    return f"Preparing for: {name} on {on} ({_in(left)})." if left is not None else f"Preparing for: {name} in {on}."


def _in(days: int) -> str:
    return "today" if days == 0 else "tomorrow" if days == 1 else f"in {days} days"


DOMAIN: Domain = Edtech()
