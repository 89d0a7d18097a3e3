"""Usage: what the calls of an account add up to, for the Developer API and the page."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import isolation, quotas
from accounts.models import Account, MonthlyUsage, Plan
from mcp_gateway.models import RequestLog
from tests.browsing import signed_in, text
from tests.cast import Person
from tests.mcp_gateway.logged import log
from tests.requirements import requirement


def called(who: Person, at: datetime, **more: Any) -> None:
    log(who.agent, **more)
    with isolation.account(who.account.pk):
        newest = RequestLog.objects.order_by("-pk").values("pk")[:1]
        RequestLog.objects.filter(pk__in=list(newest.values_list("pk", flat=True))).update(created_at=at)


def stats(who: Person, query: str = "") -> dict[str, Any]:
    answer = signed_in(who).get(f"/v1/dev/mcp-usage-stats{query}")
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


@requirement("console:usage:stats")
def test_calls_are_added_up_by_day_hour_and_outcome(alice: Person, charlie: Person) -> None:
    today = timezone.now().astimezone(UTC).replace(hour=9, minute=30)
    for milliseconds in (10, 20, 300):
        called(
            alice,
            today - timedelta(days=2),
            duration_ms=milliseconds,
            structured={"diagnostics": {"estimated_tokens": 100}},
        )
    called(alice, today - timedelta(days=1), duration_ms=40, error_code="quota_exceeded", counted=False)
    called(alice, today - timedelta(days=8), duration_ms=1)
    called(charlie, today - timedelta(days=1), duration_ms=1)

    found = stats(alice, "?days=7")

    assert (found["range"]["days"], found["range"]["timezone"]) == (7, "UTC")
    assert [day["calls"] for day in found["daily"]] == [0, 0, 0, 0, 3, 1, 0]
    assert found["daily"][4] == {
        "date": (today - timedelta(days=2)).date().isoformat(),
        "calls": 3,
        "successes": 3,
        "errors": 0,
        "counted": 3,
        "success_rate": 100.0,
        "p50_ms": 20,
        "p95_ms": 272,
        "tokens": 300,
    }
    assert (found["daily"][0]["success_rate"], found["daily"][0]["p50_ms"]) == (None, None)
    assert (found["summary"]["calls"], found["summary"]["success_rate"]) == (4, 75.0)
    assert len(found["hourly_heatmap"]) == 168
    busy = {(cell["weekday"], cell["hour"]): cell["calls"] for cell in found["hourly_heatmap"] if cell["calls"]}
    weekday = (today - timedelta(days=2)).weekday()
    assert busy == {(weekday, 9): 3, ((weekday + 1) % 7, 9): 1}
    assert found["status_breakdown"] == [{"status": "ok", "calls": 3}, {"status": "quota_exceeded", "calls": 1}]


@requirement("console:usage:stats")
def test_days_and_hours_are_those_of_the_reader(alice: Person) -> None:
    late = timezone.now().astimezone(UTC).replace(hour=23, minute=30) - timedelta(days=2)
    called(alice, late)

    (there,) = [day["date"] for day in stats(alice, "?days=7&tz=Pacific/Kiritimati")["daily"] if day["calls"]]
    (hour,) = [cell["hour"] for cell in stats(alice, "?tz=Pacific/Kiritimati")["hourly_heatmap"] if cell["calls"]]

    assert there == (late + timedelta(hours=14)).date().isoformat()
    assert hour == 13


@requirement("console:usage:stats")
@pytest.mark.parametrize(
    "query", ["?days=0", "?days=91", "?days=x", "?tz=Middle/Earth", "?tz=../etc/passwd", "?tz=%00"]
)
def test_a_range_that_is_none_is_refused_by_name(alice: Person, query: str) -> None:
    answer = signed_in(alice).get(f"/v1/dev/mcp-usage-stats{query}")

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_arguments")
    assert query[1:].split("=")[0] in answer.json()["message"].lower() or "time zone" in answer.json()["message"]


@requirement("console:usage:stats")
def test_ninety_days_of_many_calls_cost_one_question(alice: Person, django_assert_num_queries: Any) -> None:
    client = signed_in(alice)
    for _ in range(3):
        log(alice.agent)
    with django_assert_num_queries(8):
        # the session; the person; [savepoint; memberships; release]; [savepoint; the figures; release]
        client.get("/v1/dev/mcp-usage-stats?days=90")


@requirement("console:usage:page")
def test_the_page_draws_what_there_is_and_names_it_in_a_table(alice: Person) -> None:
    log(alice.agent, duration_ms=1234)
    log(alice.agent, error_code="invalid_arguments", counted=False)

    page = signed_in(alice).get("/usage?days=7&tz=Europe/Berlin")

    for shown in ("50.0 %", "Calls by weekday and hour", "Europe/Berlin", "invalid_arguments", "Unlimited"):
        assert shown in text(page)
    assert page.content.count(b"<svg") >= 2


@requirement("console:usage:page")
@pytest.mark.parametrize("query", ["", "?days=7x&tz=nowhere", "?days=-1&tz=%00", "?days=9999999999999"])
def test_a_page_without_calls_says_what_to_do_next(alice: Person, query: str) -> None:
    page = signed_in(alice).get(f"/usage{query}")

    assert page.status_code == 200
    assert "No call in these 30 days" in text(page)


@requirement("quotas:status")
@pytest.mark.parametrize(
    ("most", "used", "state", "left"),
    [
        (10, 0, "ok", 10),
        (10, 8, "ok", 2),
        (10, 9, "near_limit", 1),
        (10, 10, "limited", 0),
        (10, 12, "limited", 0),
        (0, 0, "limited", 0),
        (-1, 5, "unlimited", None),
    ],
)
def test_a_quota_says_how_it_stands(alice: Person, most: int, used: int, state: str, left: int | None) -> None:
    plan = Plan.objects.create(name="tried", title="Tried", monthly_retrievals=most)
    Account.objects.filter(pk=alice.account.pk).update(plan=plan)
    account = Account.objects.get(pk=alice.account.pk)
    with isolation.account(account.pk):
        start = quotas.period_start(account, timezone.now().date())
        MonthlyUsage.objects.create(account=account, period_start=start, retrievals=used)

    quota = signed_in(alice).get("/v1/dev/mcp-config").json()["quota"]

    assert (quota["status"], quota["retrieve_requests_used"], quota["retrieve_requests_left"]) == (state, used, left)
    assert quota["plan"] == "tried"


@requirement("quotas:status")
def test_without_a_plan_there_is_no_entitlement(alice: Person) -> None:
    Account.objects.filter(pk=alice.account.pk).update(plan=None)

    assert signed_in(alice).get("/v1/dev/mcp-config").json()["quota"]["status"] == "entitlement_required"
    assert signed_in(alice).get("/usage").status_code == 200


@requirement("console:dev:config")
def test_the_configuration_holds_all_that_a_client_needs(alice: Person) -> None:
    before = signed_in(alice).get("/v1/dev/mcp-config").json()
    log(alice.agent)
    after = signed_in(alice).get("/v1/dev/mcp-config").json()

    assert before["mcp_url"].endswith("/v1/mcp/memory")
    assert before["server_name"] == "pam_memory_mcp"
    assert alice.secret.startswith(before["key_prefix"])
    assert alice.secret not in str(before)
    assert (before["mcp_verified"], after["mcp_verified"]) == (False, True)
    assert {"claude-code", "vs-code", "python"} <= {snippet["id"] for snippet in before["snippets"]}
    for url in before["oauth"].values():
        path = url.split("/", 3)[-1] if url.count("/") > 2 else ""
        assert Client().get(f"/{path}").status_code != 404
