"""Domains over HTTP: chosen by whoever may, profiles that follow every write, lists, figures, and what is refused."""

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import api_keys, isolation
from memories.end_users.domains.profiles import gathering, stats
from memories.models import DomainProfile, EndUser, Memory
from tests.cast import Person
from tests.memories.end_users import diary
from tests.memories.end_users.diary import send
from tests.requirements import requirement

pytestmark = pytest.mark.django_db


def choose(who: Person, name: str | None) -> None:
    answer = send(who, "patch", "tenant/domain-schema", {"domain_schema": name})
    assert answer.status_code == 200, answer.content
    assert answer.json()["data"] == {"domain_schema": name}


def student(who: Person, user: str) -> Any:
    answer = send(who, "get", f"memories/edtech-profile?external_user_id={user}")
    assert answer.status_code == 200, answer.content
    return answer.json()["data"]


def customers(who: Person, more: str = "") -> list[dict[str, Any]]:
    answer = send(who, "get", f"tenant/customers{more}")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


def reader(who: Person) -> dict[str, str]:
    """The header of a key that may only read."""
    key = api_keys.issue(who.account, name="reader", created_by=who.user, permissions=["read"])
    return {"Authorization": f"ApiKey {key.secret}"}


@requirement("end-users:domains:choice")
def test_a_domain_is_chosen_shown_and_ended(alice: Person, charlie: Person) -> None:
    assert send(alice, "get", "tenant/domain-schema").json()["data"] == {"domain_schema": None}
    choose(alice, "edtech")
    assert send(alice, "get", "tenant/domain-schema").json()["data"] == {"domain_schema": "edtech"}
    assert send(charlie, "get", "tenant/domain-schema").json()["data"] == {"domain_schema": None}
    choose(alice, None)
    assert send(alice, "get", "tenant/domain-schema").json()["data"] == {"domain_schema": None}


@requirement("end-users:domains:refusals")
@pytest.mark.parametrize("name", ["gym", "", "EDTECH", "edtech ", "base", "registry", "x" * 300])
def test_a_domain_that_there_is_not_is_a_bad_setting(alice: Person, name: str) -> None:
    answer = send(alice, "patch", "tenant/domain-schema", {"domain_schema": name})
    assert (answer.status_code, answer.json()["code"]) == (400, "TEN_400")
    assert "edtech, support" in answer.json()["details"][0]["reason"]


@requirement("end-users:domains:refusals")
@pytest.mark.parametrize(
    "body", [{}, {"domain_schema": 7}, {"domain_schema": ["edtech"]}, {"domain": "edtech"}, "[]", "{"]
)
def test_a_body_of_another_shape_is_refused_by_name(alice: Person, body: Any) -> None:
    answer = send(alice, "patch", "tenant/domain-schema", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "REQ_422")
    assert answer.json()["details"]


@requirement("end-users:domains:permissions")
def test_reading_needs_read_and_choosing_needs_admin(alice: Person) -> None:
    only_reads = reader(alice)
    for path in ("domain-schema", "support-type", "students", "customers", "support-stats"):
        assert send(alice, "get", f"tenant/{path}", **only_reads).status_code == 200
    assert send(alice, "get", "memories/edtech-profile?external_user_id=pat", **only_reads).status_code == 200
    for path, body in (("domain-schema", {"domain_schema": "edtech"}), ("support-type", {"mode": "auto"})):
        answer = send(alice, "patch", f"tenant/{path}", body, **only_reads)
        assert (answer.status_code, answer.json()["code"]) == (403, "AUTH_403")


@requirement("end-users:edtech:profile")
def test_a_profile_has_every_field_and_nobody_has_one_before_anything_is_known(alice: Person) -> None:
    diary.told(alice, "pat", "User likes tea a lot.")
    diary.told(alice, "sam", "User has a board exam on 2027-03-02.")
    assert student(alice, "sam") is None
    choose(alice, "edtech")

    assert student(alice, "nobody") is None
    assert student(alice, "pat") is None
    profile = student(alice, "sam")
    assert set(profile) == {
        "external_user_id", "grade_level", "board_or_curriculum", "subjects", "strong_topics", "weak_topics",
        "concept_gaps", "explanation_style", "language_profile", "exam_name", "exam_date", "forgetting_stages",
        "schema_version", "last_extraction_at",
    }  # fmt: skip
    assert (profile["exam_name"], profile["exam_date"], profile["schema_version"]) == ("board exam", "2027-03-02", 1)


@requirement("end-users:domains:follows-writes")
def test_a_profile_follows_every_write_edit_archive_and_delete(alice: Person) -> None:
    choose(alice, "edtech")
    first = diary.told(alice, "pat", "User struggles with trigonometry identities.")
    assert student(alice, "pat")["weak_topics"] == ["trigonometry identities"]

    second = diary.told(alice, "pat", "User has mastered quadratic equations.")
    assert student(alice, "pat")["strong_topics"] == ["quadratic equations"]
    send(alice, "patch", f"memories/{first}", {"content": "User struggles with optics."})
    assert student(alice, "pat")["weak_topics"] == ["optics"]
    send(alice, "patch", f"memories/{first}", {"is_archived": True})
    assert student(alice, "pat")["weak_topics"] == []
    send(alice, "patch", f"memories/{first}", {"is_archived": False})
    assert student(alice, "pat")["weak_topics"] == ["optics"]
    send(alice, "delete", f"memories/{first}")
    assert student(alice, "pat")["weak_topics"] == []
    send(alice, "delete", f"memories/{second}?hard_delete=true")
    with isolation.account(alice.account.pk):
        assert not DomainProfile.objects.exists()
    assert student(alice, "pat") is None


@requirement("end-users:domains:follows-writes")
def test_a_profile_is_gone_with_its_person(alice: Person) -> None:
    choose(alice, "edtech")
    diary.told(alice, "pat", "User struggles with optics.")
    assert student(alice, "pat")
    with isolation.account(alice.account.pk):
        EndUser.objects.get(external_id="pat").delete()
        assert not DomainProfile.objects.exists()
    assert student(alice, "pat") is None


@requirement("end-users:domains:follows-writes")
def test_a_domain_whose_rules_changed_gathers_anew(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    choose(alice, "edtech")
    diary.told(alice, "pat", "User struggles with optics.")
    assert student(alice, "pat")["weak_topics"] == ["optics"]
    with isolation.account(alice.account.pk):
        DomainProfile.objects.update(data={"topics": []}, schema_version=0)
    assert student(alice, "pat")["weak_topics"] == ["optics"]


@requirement("end-users:domains:own-only")
def test_a_stranger_with_the_same_id_sees_their_own_only(alice: Person, charlie: Person) -> None:
    for who, topic in ((alice, "optics"), (charlie, "vectors")):
        choose(who, "edtech")
        diary.told(who, "pat", f"User struggles with {topic}.")
    assert student(alice, "pat")["weak_topics"] == ["optics"]
    assert student(charlie, "pat")["weak_topics"] == ["vectors"]
    assert [each["weak_topics"] for each in send(charlie, "get", "tenant/students").json()["data"]] == [["vectors"]]


@requirement("end-users:domains:refusals")
@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "external_user_id"),
        ("?external_user_id=", "external_user_id"),
        (f"?external_user_id={'x' * 256}", "external_user_id"),
        ("?external_user_id=a&external_user_id=b", "external_user_id"),
        ("?external_user_id=a&colour=blue", "colour"),
        ("?external_user_id=a%00b", "external_user_id"),
    ],
)
def test_a_profile_is_asked_for_by_a_whole_id(alice: Person, query: str, field: str) -> None:
    answer = send(alice, "get", f"memories/edtech-profile{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "REQ_422")
    assert [detail["field"] for detail in answer.json()["details"]] == [field]


@requirement("end-users:domains:blocked")
def test_of_somebody_who_is_blocked_nothing_is_told(alice: Person) -> None:
    choose(alice, "edtech")
    diary.told(alice, "pat", "User struggles with optics.")
    with isolation.account(alice.account.pk):
        EndUser.objects.update(blocked_at="2026-11-30T09:00:00Z")
    answer = send(alice, "get", "memories/edtech-profile?external_user_id=pat")
    assert (answer.status_code, answer.json()["code"]) == (403, "PRX_403")
    assert send(alice, "get", "tenant/students").json()["data"] == []


@requirement("end-users:domains:lists")
@pytest.mark.parametrize(
    ("path", "domain", "content", "field"),
    [
        ("students", "edtech", "User struggles with topic {}x.", "weak_topics"),
        ("customers", "support", "User's order #{} hasn't arrived.", "open_issues"),
    ],
)
def test_a_list_goes_by_pages_the_newest_first(alice: Person, path: str, domain: str, content: str, field: str) -> None:
    choose(alice, domain)
    for number in range(5):
        diary.told(alice, f"user-{number}", content.format(number))

    seen, cursor = [], ""
    while True:
        page = send(alice, "get", f"tenant/{path}?limit=2{cursor}").json()
        assert (page["pagination"]["limit"], page["pagination"]["total"]) == (2, 5)
        assert all(each[field] for each in page["data"])
        seen += [each["external_user_id"] for each in page["data"]]
        if page["pagination"]["next_cursor"] is None:
            break
        cursor = f"&cursor={page['pagination']['next_cursor']}"
    assert seen == [f"user-{number}" for number in reversed(range(5))]


@requirement("end-users:domains:lists")
@pytest.mark.parametrize(("path", "domain"), [("students", "edtech"), ("customers", "support")])
def test_a_list_takes_as_many_queries_for_fifty_as_for_five(alice: Person, path: str, domain: str) -> None:
    choose(alice, domain)
    for number in range(50):
        diary.told(alice, f"user-{number}", f"User struggles with the delivery of order #{number}.")

    def queries(limit: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert len(send(alice, "get", f"tenant/{path}?limit={limit}").json()["data"]) == limit
        return len(captured)

    gathering_them = queries(50)
    assert queries(5) == queries(50) < gathering_them
    with isolation.account(alice.account.pk):
        DomainProfile.objects.all().delete()
    assert queries(5) == gathering_them


@requirement("end-users:domains:refusals")
@pytest.mark.parametrize("path", ["students", "customers"])
def test_a_lists_bounds_and_cursor_are_checked(alice: Person, path: str) -> None:
    choose(alice, "edtech" if path == "students" else "support")
    for number in range(2):
        diary.told(alice, f"user-{number}", "User struggles with the delivery.")
    for limit in ("0", "51", "x", "-1"):
        answer = send(alice, "get", f"tenant/{path}?limit={limit}")
        assert (answer.status_code, answer.json()["details"][0]["field"]) == (422, "limit")
    cursor = send(alice, "get", f"tenant/{path}?limit=1").json()["pagination"]["next_cursor"]
    other = "customers" if path == "students" else "students"
    for wrong in (f"{path}?cursor=x", f"{other}?cursor={cursor}"):
        answer = send(alice, "get", f"tenant/{wrong}")
        assert (answer.status_code, answer.json()["code"]) == (400, "TEN_400")


@requirement("end-users:domains:lists")
def test_lists_are_empty_under_another_domain(alice: Person) -> None:
    diary.told(alice, "pat", "User struggles with the delivery.")
    for domain, path in (("edtech", "customers"), ("support", "students"), (None, "customers")):
        choose(alice, domain)
        page = send(alice, "get", f"tenant/{path}").json()
        assert (page["data"], page["pagination"]["total"]) == ([], 0)


@requirement("end-users:support:profile")
def test_a_customer_has_every_field(alice: Person) -> None:
    choose(alice, "support")
    for content in ("User is on the Pro plan.", "User's order #4412 hasn't arrived.", "User prefers a formal tone."):
        diary.told(alice, "pat", content)
    diary.told(alice, "sam", "User likes tea a lot.")
    (customer,) = customers(alice, "?external_user_id=pat")
    assert set(customer) == {
        "external_user_id", "plan", "product", "open_issues", "past_issues", "tone", "channel", "support_type",
        "last_seen_at",
    }  # fmt: skip
    assert (customer["plan"], customer["tone"], customer["support_type"]) == ("Pro", "formal", "ecommerce")
    assert customer["open_issues"][0]["reference"] == "4412"


@requirement("end-users:support:types")
def test_the_kinds_of_support_are_chosen_bit_by_bit(alice: Person) -> None:
    path = "tenant/support-type"
    assert send(alice, "get", path).json()["data"] == {"mode": "auto", "support_type": None, "allowed": []}
    given = {"mode": "multi", "allowed": ["saas", "telecom"], "support_type": "telecom"}
    assert send(alice, "patch", path, given).json()["data"] == given
    assert send(alice, "patch", path, {"support_type": None}).json()["data"] == {**given, "support_type": None}
    only = send(alice, "patch", path, {"mode": "single", "support_type": "travel"}).json()["data"]
    assert (only["mode"], only["support_type"]) == ("single", "travel")
    assert send(alice, "get", path).json()["data"] == only

    choose(alice, "support")
    diary.told(alice, "pat", "User's parcel was not delivered.")
    assert customers(alice)[0]["support_type"] == "travel"
    send(alice, "patch", path, {"mode": "auto"})
    assert customers(alice)[0]["support_type"] == "ecommerce"


@requirement("end-users:domains:refusals")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"mode": "double"}, "mode"),
        ({"mode": "single"}, "support_type"),
        ({"mode": "single", "support_type": "bakery"}, "support_type"),
        ({"mode": "multi"}, "allowed"),
        ({"mode": "multi", "allowed": []}, "allowed"),
        ({"mode": "multi", "allowed": ["saas", "bakery"]}, "allowed"),
        ({"mode": "multi", "allowed": ["saas"], "support_type": "travel"}, "support_type"),
    ],
)
def test_kinds_that_do_not_fit_together_are_a_bad_setting_and_change_nothing(
    alice: Person, body: dict[str, Any], field: str
) -> None:
    answer = send(alice, "patch", "tenant/support-type", body)
    assert (answer.status_code, answer.json()["code"], answer.json()["details"][0]["field"]) == (400, "TEN_400", field)
    assert send(alice, "get", "tenant/support-type").json()["data"]["mode"] == "auto"


@requirement("end-users:domains:refusals")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"mode": 1}, "mode"),
        ({"mode": None}, "mode"),
        ({"support_type": ["saas"]}, "support_type"),
        ({"allowed": "saas"}, "allowed"),
        ({"allowed": [1]}, "allowed[0]"),
        ({"kinds": []}, "kinds"),
    ],
)
def test_kinds_of_another_type_are_refused_by_name(alice: Person, body: dict[str, Any], field: str) -> None:
    answer = send(alice, "patch", "tenant/support-type", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "REQ_422")
    assert [detail["field"] for detail in answer.json()["details"]] == [field]


@requirement("end-users:support:stats")
def test_figures_are_of_every_customer_as_they_are_now(alice: Person, charlie: Person) -> None:
    assert send(alice, "get", "tenant/support-stats").json()["data"]["customers"] == 0
    choose(alice, "support")
    diary.told(alice, "pat", "User is on the Pro plan.")
    order = diary.told(alice, "pat", "User's order #4412 hasn't arrived.")
    diary.told(alice, "sam", "User's router is broken.")
    diary.told(alice, "sam", "User prefers to be contacted by phone.")
    diary.told(alice, "kim", "User likes tea a lot.")
    choose(charlie, "support")
    diary.told(charlie, "pat", "User is on the Gold plan.")

    assert send(alice, "get", "tenant/support-stats").json()["data"] == {
        "customers": 3,
        "pending": 0,
        "customers_with_open_issues": 2,
        "open_issues": 2,
        "past_issues": 0,
        "by_support_type": {"telecom": 2, "ecommerce": 1},
        "by_plan": {"Pro": 1},
        "by_channel": {"phone": 1},
    }
    send(alice, "delete", f"memories/{order}")
    after = send(alice, "get", "tenant/support-stats").json()["data"]
    assert (after["customers_with_open_issues"], after["open_issues"]) == (1, 1)


@requirement("end-users:support:stats")
def test_what_is_still_to_be_gathered_is_said_and_a_worker_gathers_it(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(alice, "support")
    for number in range(5):
        diary.told(alice, f"user-{number}", "User is on the Pro plan.")
    monkeypatch.setattr("memories.end_users.domains.profiles.keep.AT_ONCE", 2)
    monkeypatch.setattr(stats, "ROUNDS", 1)
    first = send(alice, "get", "tenant/support-stats").json()["data"]
    assert (first["customers"], first["pending"], first["by_plan"]) == (5, 3, {"Pro": 2})
    gathering.gather(alice.account.pk)
    after = send(alice, "get", "tenant/support-stats").json()["data"]
    assert (after["pending"], after["by_plan"]) == (0, {"Pro": 5})


@requirement("end-users:domains:openapi")
def test_the_schema_shows_every_route_with_what_it_takes_and_gives(alice: Person, capsys: Any) -> None:
    call_command("spectacular", format="openapi-json", validate=True)
    paths = json.loads(capsys.readouterr().out)["paths"]
    for path in (
        "tenant/domain-schema",
        "tenant/support-type",
        "tenant/students",
        "tenant/customers",
        "tenant/support-stats",
        "memories/edtech-profile",
    ):
        assert paths[f"/v1/{path}"]["get"]["responses"]["200"]


@requirement("end-users:domains:follows-writes")
def test_what_an_older_reader_stores_late_is_gathered_anew(alice: Person) -> None:
    choose(alice, "edtech")
    diary.told(alice, "pat", "User struggles with optics.")
    student(alice, "pat")
    with isolation.account(alice.account.pk):
        stored = DomainProfile.objects.get()
    diary.told(alice, "pat", "User struggles with vectors.")
    student(alice, "pat")
    with isolation.account(alice.account.pk):
        stored.save()
        assert Memory.objects.count() == 2
    assert student(alice, "pat")["weak_topics"] == ["vectors", "optics"]
