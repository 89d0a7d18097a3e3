"""The staff's start page: what is wrong stands first, with a link to it; the numbers are those of all accounts."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts import isolation
from accounts.models import Account, User
from mcp_gateway.models import RequestLog
from memories.models import ExtractionJob
from pam import heartbeat, overview, waiting
from tests.belongings import belongings
from tests.browsing import signed_in, text
from tests.cast import Person
from tests.memories.end_users import chats
from tests.requirements import requirement


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.com", "long enough a password"))
    heartbeat.beat(cache)
    return client


@requirement("staff:overview")
def test_on_a_good_day_nothing_needs_attention_and_the_numbers_are_of_every_account(
    alice: Person, charlie: Person, staff: Client, django_assert_num_queries: Any
) -> None:
    belongings(alice)
    staff.get("/admin/")

    # Whether there is a second step, session, user, three of counting, unfold's recent actions, and the setting of all.
    with django_assert_num_queries(8):
        page = text(staff.get("/admin/"))
    assert "Nothing. Workers are there" in page
    assert "retrieve_memory" in page
    assert "Ines Okafor" not in page
    assert "Who owns billing" not in page


@requirement("staff:overview")
def test_what_is_wrong_stands_first_with_a_list_that_opens(alice: Person, staff: Client) -> None:
    belongings(alice)
    chats.added(alice, "I live in Lisbon.")
    with isolation.account(alice.account.pk):
        ExtractionJob.objects.update(status="dead")
        log = RequestLog.objects.get()
        fields = {name: getattr(log, name) for name in ("account", "tool_name")}
        RequestLog.objects.bulk_create(
            RequestLog(**fields, request_id=f"{number:032x}", status="error") for number in range(30)
        )
    cache.delete(heartbeat.KEY)

    page = text(staff.get("/admin/"))
    found = overview.troubles(waiting.figures(), overview._counted())
    assert page.index("Needs attention") < page.index("No worker was seen") < page.index("Calls in 24 hours")
    assert [trouble.what for trouble in found] == [
        "No worker was seen within a minute",
        "30 of 31 calls of the last hour failed",
        "1 chats could not be read after three tries",
    ]
    assert [staff.get(trouble.link).status_code for trouble in found if trouble.link] == [200, 200]


@requirement("staff:overview")
def test_calls_of_earlier_days_are_not_counted(alice: Person, staff: Client) -> None:
    belongings(alice)
    with isolation.account(alice.account.pk):
        RequestLog.objects.update(created_at=timezone.now() - timedelta(days=2))

    assert "No agent has called yet" in text(staff.get("/admin/"))


@requirement("staff:overview")
def test_a_log_that_nobody_prunes_needs_attention_and_suspended_accounts_are_led_to(
    alice: Person, staff: Client
) -> None:
    belongings(alice)
    with isolation.account(alice.account.pk):
        RequestLog.objects.update(created_at=timezone.now() - timedelta(days=90, hours=1))
        assert overview._counted()["overdue_logs"] == 0
        RequestLog.objects.update(created_at=timezone.now() - timedelta(days=92))
    Account.objects.filter(pk=alice.account.pk).update(suspended_at=timezone.now())

    page = text(staff.get("/admin/"))
    assert "The log of 1 accounts is kept a day longer than they set" in page
    suspended = next(number for number in overview._numbers(waiting.figures(), overview._counted()))
    assert (suspended.about, suspended.link.partition("?")[2]) == ("1 suspended", "suspended_at__isempty=0")
    assert alice.account.name in text(staff.get(suspended.link)).replace("&#x27;", "'")


@requirement("staff:overview")
def test_who_is_not_of_the_staff_does_not_see_it(alice: Person) -> None:
    assert signed_in(alice).get("/admin/").status_code in (302, 403)
    assert "Needs attention" not in text(signed_in(alice).get("/admin/", follow=True))
