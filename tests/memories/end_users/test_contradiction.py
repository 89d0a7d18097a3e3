"""How two statements of one person stand to each other, and how the person is asked."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import contradiction as benchmark
from memories.end_users.conflicts import contradiction, wording
from memories.end_users.conflicts.contradiction import Relation
from tests.requirements import requirement

PAIRS = [
    (row["is"], row["old"], row["new"])
    for path in benchmark.SETS.values()
    for row in map(json.loads, path.read_text().splitlines())
]
#: Nearness at its highest: even then nothing that can both hold may be settled.
NEAREST = 1.0


@requirement("end-users:conflicts:both-hold")
@pytest.mark.parametrize("cosine", [None, NEAREST])
def test_no_pair_that_can_both_hold_is_settled_by_itself(cosine: float | None) -> None:
    harmless = [(old, new) for truth, old, new in PAIRS if truth in ("both", "unrelated")]
    assert len(harmless) > 50

    settled = [
        (old, new)
        for old, new in harmless
        if contradiction.judge(new, old, cosine).relation not in (Relation.APART, Relation.BESIDE, Relation.DOUBTFUL)
    ]
    assert settled == []


@requirement("end-users:conflicts:update")
def test_most_contradictions_are_settled_before_there_are_vectors() -> None:
    true = [(old, new) for truth, old, new in PAIRS if truth == benchmark.CONTRADICTS]

    settled = [pair for pair in true if contradiction.judge(pair[1], pair[0]).relation is Relation.CONTRADICTS]
    assert len(settled) >= 0.9 * len(true)


@requirement("end-users:conflicts:merge")
def test_what_says_the_same_contradicts_nothing() -> None:
    same = [(old, new) for truth, old, new in PAIRS if truth in ("same", "refines")]

    told = {contradiction.judge(new, old, 0.9).relation for old, new in same}
    assert told <= {Relation.SAME, Relation.NARROWS, Relation.WIDENS}


@requirement("end-users:conflicts:both-hold")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User likes dogs.", "User has no dogs."),
        ("User flies to Rome on Fridays.", "User does not fly from Rome."),
        ("User has a dog.", "User has a dog walker."),
        ("User likes apples.", "User eats apples."),
        ("User's son likes tea.", "User does not like tea."),
        ("User lives in Berlin.", "User used to live in Hamburg."),
    ],
)
def test_what_only_looks_alike_is_left_alone(old: str, new: str) -> None:
    assert contradiction.judge(new, old, 0.7).relation in (Relation.APART, Relation.BESIDE)


@requirement("end-users:conflicts:doubt")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User lives in Lisbon.", "User lives in Portugal."),
        ("User's dog is called Rex.", "User's dog is called Bello."),
        ("User drinks coffee.", "User does not like coffee."),
        ("User wants a refund.", "User no longer wants the money back."),
        ("User trains late in the evening.", "User trains in the early morning before work."),
        ("User wants to score 85 percent in the exam.", "User wants to score 95 percent in the exam in March."),
        ("User prefers telephone calls.", "User prefers e-mail to telephone calls."),
    ],
)
def test_what_may_contradict_is_doubtful(old: str, new: str) -> None:
    assert contradiction.judge(new, old, 0.8).relation is Relation.DOUBTFUL


@requirement("end-users:conflicts:update")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User's manager is Olga Brandt.", "User's manager is Tomas Reyes."),
        ("User drinks three cups of coffee a day.", "User drinks green tea instead of coffee."),
        ("User is in the time zone of London.", "User is in the time zone of Helsinki."),
        ("User prefers window seats.", "User always books an aisle seat."),
        ("User is a nurse living in Berlin.", "User moved to Lisbon last week."),
    ],
)
def test_what_surely_contradicts_is_told_without_vectors(old: str, new: str) -> None:
    assert contradiction.judge(new, old).relation is Relation.CONTRADICTS


@given(st.text(max_size=500), st.text(max_size=500), st.none() | st.floats(-1, 1))
def test_any_two_texts_have_a_relation(one: str, other: str, cosine: float | None) -> None:
    for new, old in ((one, other), (f"User {one}", f"User {other}"), (f"User's {one}", f"User's {other}")):
        judged = contradiction.judge(new, old, cosine)
        assert (judged.relation is Relation.APART) is (not judged.reason)
        assert contradiction.judge(new, new).relation is Relation.SAME


@requirement("end-users:conflicts:question")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("User lives in Berlin.", "you live in Berlin"),
        ("User's dog is called Rex.", "your dog is called Rex"),
        ("User studies law.", "you study law"),
        ("User watches films with his wife.", "you watch films with your wife"),
        ("User has two cats.", "you have two cats"),
        ("User is vegan.", "you are vegan"),
        ("User does not eat meat.", "you do not eat meat"),
        ("User no longer eats meat.", "you no longer eat meat"),
        ("User still works at Acme.", "you still work at Acme"),
        ("User can swim.", "you can swim"),
        ("User isn't vegan.", "you aren't vegan"),
        ("User never", "you never"),
    ],
)
def test_a_statement_is_put_to_the_person_themselves(content: str, said: str) -> None:
    assert wording.second_person(content) == said


@requirement("end-users:conflicts:question")
def test_statements_of_another_form_are_quoted() -> None:
    asked = wording.question("Lives in Berlin.", "User lives in Rome.")

    assert "“Lives in Berlin.”" in asked
    assert "“User lives in Rome.”" in asked


@given(st.text(max_size=500), st.text(max_size=500))
def test_any_two_statements_can_be_asked_about(one: str, other: str) -> None:
    for old, new in ((one, other), (f"User {one}", f"User {other}"), (f"User no {one}", f"User's {other}")):
        assert wording.question(old, new)
