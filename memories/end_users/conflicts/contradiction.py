"""How a new statement stands to an old one about the same person. Pure: texts and a cosine in, a relation out.

The slot decides where both fill one; else the matter, which must be the same with one of the two denied. What is only
near in meaning is at most doubtful. A cosine of None (no vectors yet) leaves what needs meaning for later.
"""

import re
from enum import StrEnum
from typing import NamedTuple

from memories import sameness, words
from memories.end_users import slot_names
from memories.end_users.conflicts import kin, matter, slot_rules
from memories.end_users.conflicts.matter import Matter

#: From which cosine on two statements of one shape are held to be about one matter. Set on
#: benchmarks/data/contradictions.jsonl.
NEAR = 0.60
#: So many words at least must two statements share to be about one matter where their numbers differ.
ENOUGH_SHARED = 3
#: From which on one of two of which only one is denied is held to be about the other's matter in other words. Sentences
#: about two things of a kind (cats and dogs) come up to 0.70.
NEAR_THOUGH_DENIED = 0.74


class Relation(StrEnum):
    """Of the new statement to the old one."""

    SAME = "same"  # says nothing else: the old one is seen again
    NARROWS = "narrows"  # says more exactly what the old one says: takes its place
    WIDENS = "widens"  # says less than the old one, which stays
    CONTRADICTS = "contradicts"  # surely: the old one holds no longer
    DOUBTFUL = "doubtful"  # perhaps: somebody has to say
    BESIDE = "beside"  # of one matter, and both can hold
    APART = "apart"  # of different matters


class Judged(NamedTuple):
    """A relation, and why, as a sentence for people; empty for APART."""

    relation: Relation
    reason: str


_GOING_ON = re.compile(
    r",? (?:in|on|at|with|without|named|called|from|for|near|since|because|who|which|where|when|while|during|by"
    r"|as|every|each"
    r"|after|before|around|to|whose|that)\b"
)
_APART = Judged(Relation.APART, "")
_DENIED = Judged(Relation.CONTRADICTS, "One says that it is so, the other that it is not.")


def judge(new: str, old: str, cosine: float | None = None) -> Judged:
    """How `new` stands to `old`."""
    if sameness.text_hash(new) == sameness.text_hash(old):
        return Judged(Relation.SAME, "It says the same.")
    one, other = matter.of(new), matter.of(old)
    if found := _by_slots(one, other, (new, old)):
        return found
    if one.subject != other.subject or one.is_past != other.is_past:
        return _APART
    return _by_denial(one, other) or _by_meaning(one, other, cosine) or _by_shape(one, other, cosine) or _APART


def _by_slots(one: Matter, other: Matter, texts: tuple[str, str]) -> Judged | None:
    told = [
        found
        for mine in one.slots
        for theirs in other.slots
        if (found := slot_rules.judge(mine, theirs, changes=one.changes, texts=texts))
    ]
    told += slot_rules.implied(one, other)
    if not told:
        return None
    name, reason = min(told, key=lambda each: slot_rules.GRAVEST.index(each[0]))
    return Judged(_as_wholes(one, other, Relation(name)), reason)


def _as_wholes(one: Matter, other: Matter, relation: Relation) -> Relation:
    """A statement of several things takes another's place only with all that the other says."""
    mine, theirs = {slot.name for slot in one.slots}, {slot.name for slot in other.slots}
    if relation is Relation.NARROWS and theirs - mine:
        return Relation.BESIDE
    if relation is Relation.WIDENS and mine - theirs:
        return Relation.BESIDE
    if relation is not Relation.SAME:
        return relation
    if mine != theirs:
        return _subset(mine, theirs)
    tails = _tail(one), _tail(other)
    return _subset(set(tails[:1]) - {""}, set(tails[1:]) - {""}) if tails[0] != tails[1] else Relation.SAME


def _subset(mine: set[str], theirs: set[str]) -> Relation:
    if mine > theirs:
        return Relation.NARROWS
    return Relation.WIDENS if mine < theirs else Relation.BESIDE


def _tail(told: Matter) -> str:
    """What a statement goes on to say behind its slots: "with two cats"."""
    ends = (
        told.text.rfind(last) + len(last) for slot in told.slots if (last := slot.value.split(" ")[-1]) in told.text
    )
    tail = told.text[max(ends, default=len(told.text)) :]
    return tail if _GOING_ON.match(tail) else ""


def _by_denial(one: Matter, other: Matter) -> Judged | None:
    """One says what the other denies. A denial holds against what is the same or narrower, not against what is wider:
    who dislikes coffee with sugar may like coffee."""
    if one.is_negated == other.is_negated or not matter.same_kind(one, other) or _numbers_differ(one, other):
        return None
    if not one.objects or not other.objects:
        return _DENIED if one.verb and not one.objects and not other.objects else None
    denied, said = (one, other) if one.is_negated else (other, one)
    if kin.takes_in(denied.objects, said.objects) and denied.links <= said.links:
        # Who dislikes coffee may drink it all the same; who eats no meat has no use for a steak.
        is_surely = denied.verb == said.verb or not denied.is_liking or said.is_liking
        return _DENIED if is_surely else Judged(Relation.DOUBTFUL, _DENIED.reason)
    if said.objects < denied.objects:
        return Judged(Relation.BESIDE, "What is denied is a special case.")
    return None


def _by_meaning(one: Matter, other: Matter, cosine: float | None) -> Judged | None:
    """ "wants a refund", "no longer wants the money back": near, and one of them denied."""
    if cosine is None or cosine < NEAR_THOUGH_DENIED or one.is_negated == other.is_negated:
        return None
    if _numbers_differ(one, other) or slot_names.are_opposites(one.objects, other.objects):
        return None
    return Judged(Relation.DOUBTFUL, "One seems to say what the other denies.")


def _numbers_differ(one: Matter, other: Matter) -> bool:
    return bool(one.numbers) and bool(other.numbers) and one.numbers != other.numbers


def _by_shape(one: Matter, other: Matter, cosine: float | None) -> Judged | None:
    """The same in other words, or more exactly; or another thing in the same place."""
    if one.is_negated != other.is_negated or not matter.same_kind(one, other):
        return None
    if (one.slots and other.slots) or not (one.verb or one.objects):
        return None
    if one.objects == other.objects and one.links == other.links:
        return _equal_but_for_numbers(one, other)
    if _numbers_differ(one, other):
        return _other_number(one, other)
    if _at_other_times(one, other):
        relation = Relation.CONTRADICTS if one.changes else Relation.DOUBTFUL
        return Judged(relation, "They name different times for one matter.")
    if _goes_on(one, other):
        return Judged(Relation.NARROWS, "It says the same more exactly.")
    if _goes_on(other, one):
        return Judged(Relation.WIDENS, "The older one says the same more exactly.")
    return _another_thing(one, other) if cosine is not None and cosine >= NEAR else None


def _other_number(one: Matter, other: Matter) -> Judged | None:
    """ "wants to score 85 percent in the exam", "wants to score 95 percent in the exam in March"."""
    shared = one.objects & other.objects
    if one.is_past or one.verb != other.verb or len(shared) < ENOUGH_SHARED or one.numbers[0] == other.numbers[0]:
        return None
    is_part = shared in (one.objects, other.objects)
    return Judged(Relation.DOUBTFUL, "They name different numbers for one matter.") if is_part else None


def _at_other_times(one: Matter, other: Matter) -> bool:
    """ "trains in the evening", "trains in the morning": one habit at times that have nothing in common."""
    (mine, rest), (theirs, others) = matter.when(one), matter.when(other)
    is_habit = one.verb == other.verb and not one.is_past and not one.is_negated
    return is_habit and bool(mine) and bool(theirs) and mine.isdisjoint(theirs) and rest == others


def _goes_on(longer: Matter, shorter: Matter) -> bool:
    """Whether one says what the other says, and then where, when, with whom: "has a dog named Rex", no "dog walker"."""
    rest = longer.text.removeprefix(shorter.text)
    return not longer.is_negated and rest != longer.text and bool(_GOING_ON.match(rest))


def _equal_but_for_numbers(one: Matter, other: Matter) -> Judged | None:
    if one.numbers == other.numbers:
        if one.verb != other.verb and not (one.is_liking and other.is_liking):
            return None
        return Judged(Relation.SAME, "It says the same in other words.")
    if not _numbers_differ(one, other) or one.is_past:
        return None
    if one.holds_many:
        return _other_number(one, other)
    return Judged(Relation.DOUBTFUL, "Only the number differs.")


def _another_thing(one: Matter, other: Matter) -> Judged | None:
    """ "commutes by bike", "commutes by train": a verb that usually has one object."""
    if one.objects == other.objects or one.holds_many or one.verb != other.verb or one.is_negated or one.is_past:
        return None
    if len(one.objects ^ other.objects) > 2 * len(one.objects & other.objects) + 2:
        return None
    relation = Relation.CONTRADICTS if one.changes else Relation.DOUBTFUL
    return Judged(relation, "They name different things for one matter.")


def terms_to_look_for(content: str) -> list[int]:
    """The numbers of the words by which an old statement on the same matter is found: its own, and their kin."""
    told = matter.of(content)
    stems = set(told.objects) | ({told.verb} if told.verb and (told.slots or not told.objects) else set())
    for stem in told.objects:
        stems |= kin.members(stem) | kin.kinds(stem)
    for slot in told.slots:
        stems |= kin.shut_out(slot.value)
    return sorted(words.number(stem) for stem in stems)


def slots_to_look_in(content: str) -> list[str]:
    """The slots in which an old statement may stand that the new one ends."""
    return sorted(slot_rules.touched(matter.of(content)))
