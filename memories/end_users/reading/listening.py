"""A chat read by rules, turn by turn: what the user says of themselves, answers, agrees to and takes back. Pure.

Everything is kept as clauses in the user's own person until the end, so that a correction can still change them.
"""

import re
from dataclasses import dataclass, replace

from memories import redaction
from memories.end_users import slots
from memories.end_users.reading import (
    answers,
    claims,
    clauses,
    compounds,
    confidence,
    contractions,
    corrections,
    languages,
    others,
    person,
    persons,
    sentences,
    straight,
    wishes,
    worth,
)

_TAKEN_BACK = re.compile(
    r"^(?:just kidding|only kidding|i am (?:just |only )?(?:kidding|joking)|kidding|jk|just joking"
    r"|scratch that|forget (?:that|it|i said that)|never mind(?: that)?|ignore that)\b",
    re.IGNORECASE,
)


# An answer of so few words is a name or a thing, in whatever language.
_SHORT = 4


@dataclass(frozen=True)
class Said:
    """clause: in the user's person, or in the third where `is_told`; sentence: which one of the chat it came from."""

    clause: str
    confidence: float
    sentence: int
    is_told: bool = False
    is_insisted: bool = False


class Listener:
    """Hears the turns of a chat in order; `said` is what is to be remembered so far."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self.company = others.Company()
        self._asked = ""
        self._at = 0
        self._is_playing = False

    def hear_assistant(self, content: str) -> None:
        self._asked = redaction.cut(content[-4_000:]).text
        for sentence in claims.questions(self._asked):
            self.company.meet(persons.own(sentence))

    def hear_user(self, content: str) -> None:
        asked, self._asked = self._asked, ""
        for place, sentence in enumerate(sentences.of(redaction.cut(content[: sentences.MOST_CHARACTERS]).text)):
            self._at += 1
            is_short = bool(asked) and place == 0 and len(sentence.split()) <= _SHORT
            if not languages.is_english(sentence) and not (is_short and not languages.read(sentence)):
                self._tell(languages.read(sentence))
            else:
                self._hear(contractions.expanded(sentence), asked if place == 0 else "")

    def _hear(self, sentence: str, asked: str) -> None:
        self._is_playing = worth.is_game(sentence) or (self._is_playing and not worth.is_over(sentence))
        if self._is_playing:
            return
        if _TAKEN_BACK.match(sentence):
            self.said = [one for one in self.said if one.sentence != self._at - 1]
            return
        if worth.is_unserious(sentence):
            return
        if self._is_correction(sentence, asked) or (asked and self._is_answer(sentence, asked)):
            return
        self._state(corrections.repaired(sentence))

    def _tell(self, told: list[str]) -> None:
        self.said += [Said(one, confidence.AGREED, self._at, is_told=True) for one in told]

    def _is_correction(self, sentence: str, asked: str) -> bool:
        """Whether the sentence takes back an earlier one; then it is done."""
        found = corrections.parsed(sentence)
        if found is None:
            return False
        new, old = found
        claimed = claims.claim(asked) if asked else ""
        corrected = (
            corrections.applied(claimed, new, old if old.casefold() in claimed.casefold() else "") if claimed else ""
        )
        if corrected:
            self._replace_slot(corrected)
            self._add(corrected, confidence.FROM_ANSWER)
            return True
        at = corrections.target([one.clause for one in self.said], new, old)
        if at is None:
            return False
        meant = self.said.pop(at)
        self.said.append(replace(meant, clause=corrections.applied(meant.clause, new, old), sentence=self._at))
        return True

    def _is_answer(self, sentence: str, asked: str) -> bool:
        """Whether the sentence is only an answer to what the assistant said; then it is done."""
        claimed = claims.claim(asked)
        rest = claims.after(sentence)
        if claims.is_agreement(sentence) and claimed and not claims.yes_no(claims.questions(asked)[-1])[0]:
            is_added = bool(re.match(r"(?:in|at|for|since|with|near|as|from|on) ", rest))
            self._add(f"{claimed}, {rest}" if is_added else claimed, confidence.AGREED)
            if rest and not is_added:
                self._state(rest)
            return True
        if claims.is_denial(sentence) and claimed and not rest:
            self._add(claims.denied(claimed), confidence.AGREED)
            return True
        short, more = answers.and_more(sentence)
        clause, is_hedged = answers.answered(asked, short)
        if not clause:
            return False
        self._add(clause, confidence.UNSURE if is_hedged else confidence.FROM_ANSWER)
        if more:
            self._state(more)
            return True
        if re.match(r"(?:(?:but|and|because|since|so) )?(?:I|my|we)\b", rest) and rest != sentence:
            self._state(rest)
        return True

    def _state(self, sentence: str) -> None:
        """A sentence that says something of its own."""
        is_insisted, is_marked = clauses.insists(sentence), corrections.is_marked(sentence)
        sentence = corrections.unmarked(sentence) if is_marked else sentence
        if worth.is_fiction(clauses.opened(sentence)):
            return
        for clause in (part for whole in clauses.of(sentence) for part in compounds.apart(whole)):
            self._clause(clause, is_insisted=is_insisted, is_marked=is_marked)

    def _clause(self, clause: str, *, is_insisted: bool = False, is_marked: bool = False) -> None:
        clause = self.company.resolved(clause)
        self.company.meet(clause)
        is_wish = bool(wishes.of(clause)[0])
        if not is_wish and (worth.is_question(clause) or worth.is_command(clause)):
            clause = clauses.reason(clause)
        elif not is_wish and worth.is_chat(straight.put(clause)):
            return
        if is_marked:
            self._replace_slot(clause)
        self._add(clause, confidence.of(clause), is_insisted=is_insisted)
        if why := clauses.why(clause):
            self._add(why, confidence.of(clause), is_insisted=is_insisted)

    def _add(self, clause: str, sure: float, *, is_insisted: bool = False) -> None:
        wish, sure_of_wish = wishes.of(clause)
        if wish:
            self.said.append(Said(wish, sure_of_wish, self._at, is_told=True, is_insisted=is_insisted))
            return
        clause = straight.put(clause)
        if person.is_first(clause) and not worth.is_passing(clause) and sure >= confidence.LEAST:
            self.company.meet(clause)
            self.said.append(Said(clause, sure, self._at, is_insisted=is_insisted))

    def _replace_slot(self, clause: str) -> None:
        """What was said of the same matter is not so: "Actually, I live in Lisbon"."""
        name = slots.of(person.third(clause)).name
        if name:
            self.said = [one for one in self.said if slots.of(person.third(one.clause)).name != name]
