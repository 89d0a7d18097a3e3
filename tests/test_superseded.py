"""A record that was superseded comes back from no read path; of a chain A -> B -> C only C does.

The read paths are those of test_every_route.py, which knows every route and tool. A new one is asked here by itself;
one that tells the past by contract is entered in TELLING_THE_PAST, and must then mark it.
"""

import pytest

from tests.cast import Person
from tests.mcp_gateway.library import shelve
from tests.memories.agents.notebook import noted
from tests.requirements import requirement
from tests.test_every_route import READS

#: Lists with every status (contract knowledge: `status` empty = all), and the export.
TELLING_THE_PAST = {"memory_list_records", "records by key", "export by key"}
#: Pages for people, where every record shows with its status until one is asked for.
SHOWING_THE_PAST = {"memories page", "memories page search"}
#: What is asked about the codeword must find the one in force.
FINDING = {
    "memory_search_records",
    "record search by console",
    "brief_me",
    "brief by console",
    "retrieve_memory",
    "rest retrieve",
}


@pytest.fixture
def chain(alice: Person) -> list[str]:
    """Three records of Alice's account, each replaced by the next."""
    shelve(alice.account)
    first = noted(alice.agent, "The secret codeword of the week is aubergine")
    second = noted(alice.agent, "The secret codeword of the week is borage", supersedes=first)
    third = noted(alice.agent, "The secret codeword of the week is chicory", supersedes=second)
    return [first, second, third]


@requirement("knowledge:superseded:nowhere")
@pytest.mark.parametrize("read", sorted(set(READS) - TELLING_THE_PAST - SHOWING_THE_PAST))
def test_what_was_superseded_comes_back_from_no_read_path(alice: Person, chain: list[str], read: str) -> None:
    kind, ask_it = READS[read]

    seen = ask_it(alice, kind)

    assert "aubergine" not in seen
    assert "borage" not in seen
    assert ("chicory" in seen) or read not in FINDING


@requirement("knowledge:superseded:nowhere")
@pytest.mark.parametrize("read", sorted(TELLING_THE_PAST))
def test_what_tells_the_past_marks_it(alice: Person, chain: list[str], read: str) -> None:
    kind, ask_it = READS[read]

    assert ask_it(alice, kind).replace(" ", "").replace("\\", "").count('"status":"superseded"') == 2


@requirement("knowledge:superseded:nowhere")
@pytest.mark.parametrize("read", sorted(SHOWING_THE_PAST))
def test_what_shows_the_past_to_people_marks_it(alice: Person, chain: list[str], read: str) -> None:
    kind, ask_it = READS[read]

    assert ask_it(alice, kind).count('<span class="badge">Superseded</span>') == 2
