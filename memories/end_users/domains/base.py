"""What a domain is: how statements about a person become a profile, and how that profile is told to a model.

Pure: a domain knows texts and dates, no database, no request and no settings of an account beyond what `Ask` carries.
A domain is one module beside this one with a `DOMAIN` of this Protocol in it (registry.py finds it).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

Profile = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A live memory, as far as a domain needs it: `content` in the third person ("User is in grade 10."), when it was
    said, and whether the memory as a whole says that something is not so."""

    content: str
    at: datetime
    is_negated: bool = False


@dataclass(frozen=True)
class Ask:
    """For whom a profile is told: at what time, for which query, and what the account chose for the domain."""

    now: datetime
    query: str = ""
    choices: Mapping[str, Any] | None = None


class Domain(Protocol):
    """One domain.

    name            as it stands in `domain_schema`
    schema_version  goes up whenever `gather` would give another profile for the same statements: kept ones of an older
                    version are gathered anew
    heading         the line above the block
    fields          the names of a profile, in the order in which they are shown
    trait           a name in a gathered profile whose commonest values in the account are told in `Ask.choices` as
                    `traits` {value: people}, where a profile has none; empty where the domain needs no such thing
    restating       what a language model is told, to put a statement that no rule reads into words that one does;
                    empty where it is not to be asked
    """

    name: str
    schema_version: int
    heading: str
    fields: tuple[str, ...]
    trait: str
    restating: str

    def reads(self, said: Said) -> bool:
        """Whether any rule takes something from the statement."""

    def gather(self, said: Sequence[Said]) -> Profile:
        """What the statements (oldest first) say, as JSON that does not depend on the day it is read; {} for nothing.

        A later statement wins over an earlier one about the same thing; one that says no takes an earlier one away.
        """

    def shown(self, profile: Profile, ask: Ask) -> Profile:
        """The profile as the API shows it at `ask.now`: exactly `fields`."""

    def gist(self, profile: Profile, ask: Ask) -> Profile:
        """The few fields of it that a list shows."""

    def lines(self, profile: Profile, ask: Ask) -> list[str]:
        """Whole sentences for the block, what matters most first; [] where there is nothing to tell."""
