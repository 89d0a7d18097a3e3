"""What says itself that something took its place: found, told as such, and below the present."""

import pytest

from accounts import isolation
from memories.company.answering import summary
from memories.company.answering.findings import Fact, Origin
from memories.models import Section
from tests.cast import Person
from tests.memories.company.shelf import asked, shelve
from tests.requirements import requirement

RADIO = """# D-003: Take the time from the radio signal

- Status: superseded by D-007
- Date: 2 September 2019

## Decision

Every box takes the time from the radio signal of the national transmitter.

## Reasons

The radio signal was received in four towers on every night, so the boxes take the time from the radio.
"""
SATELLITE = """# D-007: Take the time from satellites

- Status: in force
- Supersedes: D-003

## Decision

All boxes take the time from navigation satellites.

## Reasons

Of the towers with a box, 31 lost the radio signal for more than a week, because their roofs are made of lead.
"""


@pytest.fixture
def decided(alice: Person) -> Person:
    shelve(alice.agent, {"decisions/D-003.md": RADIO, "decisions/D-007.md": SATELLITE})
    return alice


@requirement("retrieve:superseded")
def test_the_present_leads_and_what_it_replaced_says_so(decided: Person) -> None:
    found = asked(decided, "Where do the boxes take the time from, the radio signal?")

    facts = found.findings.facts
    assert facts[0].origins[0].source_path == "decisions/D-007.md"
    old = [fact for fact in facts if fact.origins[0].source_path == "decisions/D-003.md"]
    assert old
    assert {fact.superseded for fact in old} == {"superseded by D-007"}
    assert "; superseded by D-007)" in found.content_text
    told = found.structured()["retrieval"]
    assert {fact["superseded"] for fact in told["facts"]} == {None, "superseded by D-007"}
    assert {excerpt["superseded"] for excerpt in told["documents"]} == {None, "superseded by D-007"}


@requirement("retrieve:superseded")
def test_a_statement_that_stands_in_the_present_too_is_not_superseded(alice: Person) -> None:
    same = "\n\nThe antenna lies flat behind the north louvre of every tower.\n"
    shelve(alice.agent, {"old.md": RADIO + same, "new.md": SATELLITE + same})

    found = asked(alice, "Where does the antenna lie?")

    fact = next(fact for fact in found.findings.facts if "antenna lies flat" in fact.statement)
    assert {origin.source_path for origin in fact.origins} == {"old.md", "new.md"}
    assert fact.superseded == ""


@requirement("retrieve:superseded")
def test_a_document_that_was_replaced_later_is_marked_without_being_made_anew(alice: Person) -> None:
    reasons = " ".join(["The radio signal was received in four towers on every night of the test."] * 5)
    page = f"# Radio time\n\nStatus: in force\n\n## Decision\n\n{reasons}\n\n## Reasons\n\nNight {reasons}\n"
    shelve(alice.agent, {"D-003.md": page})
    with isolation.account(alice.account.pk):
        before = dict(Section.objects.values_list("heading", "pk"))
    shelve(alice.agent, {"D-003.md": page.replace("in force", "superseded by D-007")})

    with isolation.account(alice.account.pk):
        rows = {heading: (pk, mark) for heading, pk, mark in Section.objects.values_list("heading", "pk", "superseded")}

    assert {mark for _, mark in rows.values()} == {"superseded by D-007"}
    assert [pk for heading, (pk, _) in rows.items() if before.get(heading) == pk]


@requirement("retrieve:superseded")
def test_a_summary_leaves_out_what_was_replaced_or_says_that_it_was() -> None:
    place = (Origin("D-003", "D-003.md", "D-003"),)
    old = Fact("Boxes take the time from radio.", 0.9, place, superseded="superseded by D-007")
    new = Fact("Boxes take the time from satellites.", 0.5, (Origin("D-007", "D-007.md", "D-007"),))

    both = summary.by_rule("Where do boxes take the time from?", [old, new], "comprehensive")
    alone = summary.by_rule("Where do boxes take the time from?", [old], "comprehensive")

    assert both == "Boxes take the time from satellites. (D-007)"
    assert alone == "Superseded by D-007, no longer the present: Boxes take the time from radio. (D-003)"
