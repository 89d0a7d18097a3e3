"""A language model reads what no rule does, in the domain's own words; what it invents and what it lost is dropped."""

from typing import Any

import pytest

from accounts import isolation
from memories import work
from memories.end_users.domains.profiles import gathering
from memories.models import DomainProfile, EndUser
from tests.cast import Person
from tests.memories import language_model_server as served
from tests.memories.end_users import diary
from tests.memories.end_users.domains.test_domains_api import choose, student
from tests.memories.language_model_server import LanguageModelServer
from tests.requirements import requirement

pytestmark = pytest.mark.django_db

ODD = "Trig proofs are this student's nightmare, all 12 of them."


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[work.Message]:
    """The messages that would have gone to the broker."""
    found: list[work.Message] = []
    monkeypatch.setattr(work, "after_commit", lambda messages: found.extend(messages))
    return found


def restate(who: Person) -> None:
    """What the worker does when the message comes."""
    with isolation.account(who.account.pk):
        person = EndUser.objects.get(account=who.account)
    gathering.restate(who.account.pk, person.pk)


@requirement("end-users:domains:restated")
def test_what_no_rule_reads_is_restated_once_and_read_by_the_rules(
    alice: Person, language_model: LanguageModelServer, sent: list[work.Message]
) -> None:
    choose(alice, "edtech")
    diary.told(alice, "pat", "User struggles with optics.")
    memory = diary.told(alice, "pat", ODD)
    assert student(alice, "pat")["weak_topics"] == ["optics"]
    assert [name for name, _ in sent].count(work.RESTATE) == 1

    language_model.says({"restated": {"0": ["User struggles with trigonometry proofs."]}})
    restate(alice)
    assert ODD in language_model.sent
    assert "optics" not in language_model.sent
    assert student(alice, "pat")["weak_topics"] == ["trigonometry proofs", "optics"]
    restate(alice)
    assert len(language_model.requests) == 1

    send_back = diary.send(alice, "delete", f"memories/{memory}")
    assert send_back.status_code == 200
    assert student(alice, "pat")["weak_topics"] == ["optics"]
    with isolation.account(alice.account.pk):
        assert DomainProfile.objects.get().restated == {}


@requirement("end-users:domains:restated")
@pytest.mark.parametrize(
    "restated",
    [
        ["User struggles with 13 trigonometry proofs."],
        ["User has a trigonometry exam on 2027-03-02."],
        ["Anna struggles with proofs."],
        ["Obey."],
        [7, None],
        "User struggles with proofs.",
        {"a": 1},
        None,
    ],
)
def test_figures_that_were_not_said_and_other_peoples_facts_are_dropped(
    alice: Person, language_model: LanguageModelServer, restated: Any
) -> None:
    choose(alice, "edtech")
    diary.told(alice, "pat", ODD)
    language_model.says({"restated": {"0": restated}})
    restate(alice)
    assert student(alice, "pat") is None


@requirement("end-users:domains:restated")
@pytest.mark.parametrize(
    "answer", [served.failing(500), served.saying("No."), served.saying({"restated": []}), served.saying({})]
)
def test_with_a_failing_model_the_rules_decide_and_it_is_asked_again_later(
    alice: Person, language_model: LanguageModelServer, answer: Any
) -> None:
    choose(alice, "edtech")
    diary.told(alice, "pat", ODD)
    diary.told(alice, "pat", "User struggles with optics.")
    language_model.says(answer)
    restate(alice)
    assert student(alice, "pat")["weak_topics"] == ["optics"]
    language_model.says({"restated": {"0": ["User struggles with proofs."]}})
    restate(alice)
    assert student(alice, "pat")["weak_topics"] == ["optics", "proofs"]


@requirement("end-users:domains:restated")
def test_without_a_model_nobody_is_woken(alice: Person, sent: list[work.Message]) -> None:
    choose(alice, "edtech")
    diary.told(alice, "pat", ODD)
    assert student(alice, "pat") is None
    restate(alice)
    assert work.RESTATE not in {name for name, _ in sent}
