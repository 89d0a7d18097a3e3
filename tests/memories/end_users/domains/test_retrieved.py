"""What a product retrieves under a domain: the block first, in each format, within the budget that it asked for."""

import json
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import pytest

from memories import tokens
from memories.end_users.domains import registry
from tests.cast import Person
from tests.memories.end_users import diary
from tests.memories.end_users.domains.test_domains_api import choose
from tests.requirements import requirement

pytestmark = pytest.mark.django_db

QUERY = "teach this student trigonometry identities"
WEAK = "Weak topics, go slowly and check understanding: trigonometry identities."


def retrieve(who: Person, **more: Any) -> dict[str, Any]:
    answer = diary.send(who, "post", "memories/retrieve", {"external_user_id": "pat", "query": QUERY, **more})
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    assert body["context_token_count"] == tokens.count(body["system_prompt_addition"])
    return body


@pytest.fixture
def student(alice: Person) -> Person:
    """Alice's account, with somebody who struggles."""
    diary.told(alice, "pat", "User struggles with trigonometry identities.")
    choose(alice, "edtech")
    return alice


@requirement("end-users:domains:retrieved")
def test_the_block_comes_first_in_every_format(student: Person) -> None:
    plain = retrieve(student)["system_prompt_addition"]
    assert plain.startswith(f"Tutoring context for this student:\n- {WEAK}\n")
    assert plain.endswith("What you know about this user:\n- User struggles with trigonometry identities.")
    told = json.loads(retrieve(student, format="json")["system_prompt_addition"])
    assert next(iter(told)) == "domain_context"
    assert told["domain_context"][0] == WEAK
    xml = retrieve(student, format="xml")["system_prompt_addition"]
    element = ElementTree.fromstring(xml.split("What you know")[0])
    assert (element.tag, element[0].text) == ("domain_context", WEAK)


@requirement("end-users:domains:retrieved")
@pytest.mark.parametrize("form", ["bullets", "json", "xml"])
@pytest.mark.parametrize("most", [50, 60, 90, 150, 4000])
def test_block_and_memories_keep_within_the_budget_together(student: Person, form: str, most: int) -> None:
    assert retrieve(student, format=form, context_max_tokens=most)["context_token_count"] <= most


@requirement("end-users:domains:retrieved")
def test_a_domain_chosen_a_moment_ago_is_told_at_once(student: Person) -> None:
    assert WEAK in retrieve(student)["system_prompt_addition"]
    choose(student, None)
    assert WEAK not in retrieve(student)["system_prompt_addition"]
    choose(student, "support")
    assert retrieve(student)["system_prompt_addition"].startswith("Support context for this customer:\n- Say so when")


@requirement("end-users:domains:retrieved")
def test_an_answer_as_of_an_earlier_day_has_no_block(student: Person) -> None:
    now = datetime.now(UTC).isoformat()
    assert WEAK not in retrieve(student, as_of=now)["system_prompt_addition"]


@requirement("end-users:domains:never-fails")
def test_a_retrieval_goes_on_without_the_block_of_a_failing_domain(
    student: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise KeyError

    monkeypatch.setattr(registry.named("edtech"), "lines", fail)
    answer = retrieve(student)
    assert len(answer["data"]) == 1
    assert answer["system_prompt_addition"].startswith("What you know about this user:")
