"""What a customer's statements come to: plan, product, tone, channel, and issues that open and close."""

from typing import Any

import pytest

from memories.end_users.domains.sayings import support_types
from tests.memories.end_users.domains.gathered import lines, shown
from tests.requirements import requirement


@requirement("end-users:support:fields")
@pytest.mark.parametrize(
    ("content", "field", "value"),
    [
        ("User is on the Pro plan.", "plan", "Pro"),
        ("User upgraded from Basic to the Premium plan.", "plan", "Premium"),
        ("User's plan is Enterprise.", "plan", "Enterprise"),
        ("User is a premium customer.", "plan", "premium"),
        ("User upgraded to iOS 18.", "plan", None),
        ("User opened a savings account.", "plan", None),
        ("User bought a Galaxy S24 last week.", "product", "Galaxy S24"),
        ("User uses Acme Sync on Windows.", "product", "Acme Sync"),
        ("User prefers a formal tone.", "tone", "formal"),
        ("User wants short, friendly replies.", "tone", "short, friendly"),
        ("User is very frustrated with the delays.", "tone", "frustrated"),
        ("User prefers to be contacted by e-mail.", "channel", "email"),
        ("User wants to be called.", "channel", "phone"),
        ("User's preferred contact channel is WhatsApp.", "channel", "whatsapp"),
        ("User does not want to be contacted by phone.", "channel", None),
    ],
)
def test_a_statement_fills_its_field(content: str, field: str, value: Any) -> None:
    assert shown("support", content)[field] == value


@requirement("end-users:support:issues")
@pytest.mark.parametrize(
    ("content", "issue", "reference"),
    [
        ("User's order #4412 hasn't arrived.", "Order #4412 has not arrived", "4412"),
        ("User can't log in to the dashboard.", "Can not log in to the dashboard", None),
        ("User was charged twice for invoice INV-20931.", "Was charged twice for invoice INV-20931", "INV-20931"),
        ("User wants a refund for the damaged kettle.", "Wants a refund for the damaged kettle", None),
        ("User's internet connection keeps dropping.", "Internet connection keeps dropping", None),
        ("Order 4412 has not been delivered.", "Order 4412 has not been delivered", "4412"),
    ],
)
def test_trouble_is_an_open_issue_with_its_number_and_day(content: str, issue: str, reference: str | None) -> None:
    answer = shown("support", content)
    assert answer["open_issues"] == [{"issue": issue, "reference": reference, "since": "2026-11-02"}]
    assert answer["past_issues"] == []


@requirement("end-users:support:issues")
@pytest.mark.parametrize(
    ("trouble", "over"),
    [
        ("User's order #4412 hasn't arrived.", "User's order #4412 arrived."),
        ("User can't log in to the dashboard.", "User can log in again."),
        ("User's app crashes when uploading photos.", "User's app no longer crashes."),
        ("User reported a problem with the router.", "User's router problem was resolved."),
        ("User wants a refund for the damaged kettle.", "User received a replacement for the damaged kettle."),
        ("User had an issue with billing.", "The issue is fixed now."),
    ],
)
def test_an_issue_that_is_over_is_a_past_one(trouble: str, over: str) -> None:
    answer = shown("support", trouble, over)
    assert answer["open_issues"] == []
    (past,) = answer["past_issues"]
    assert (past["since"], past["resolved_on"]) == ("2026-11-02", "2026-11-03")


@requirement("end-users:support:issues")
def test_another_order_that_arrives_closes_nothing() -> None:
    answer = shown("support", "User's order #4412 hasn't arrived.", "User's order #4413 arrived.")
    assert [issue["reference"] for issue in answer["open_issues"]] == ["4412"]


@requirement("end-users:support:issues")
def test_an_issue_told_again_keeps_its_first_day_and_stands_once() -> None:
    answer = shown("support", "User's order #4412 hasn't arrived.", "User is still waiting for order #4412.")
    assert [(issue["reference"], issue["since"]) for issue in answer["open_issues"]] == [("4412", "2026-11-02")]


@requirement("end-users:support:issues")
@pytest.mark.parametrize(
    "content",
    [
        "User has no problems with the app.",
        "User doesn't work on Fridays.",
        "User doesn't eat meat.",
        "User dislikes delays.",
        "User's sister can't log in.",
        "User likes spicy food.",
        "User ordered a blue kettle.",
    ],
)
def test_what_is_no_trouble_opens_no_issue(content: str) -> None:
    assert shown("support", content)["open_issues"] == []


@requirement("end-users:support:newest-wins")
@pytest.mark.parametrize(
    ("contents", "field", "value"),
    [
        (["User is on the Free plan.", "User is on the Pro plan."], "plan", "Pro"),
        (["User is on the Pro plan.", "User cancelled the Pro plan."], "plan", None),
        (["User is on the Pro plan.", "User is no longer on the Pro plan."], "plan", None),
        (["User prefers email.", "User prefers to be contacted by phone."], "channel", "phone"),
    ],
)
def test_the_newest_statement_wins_and_an_end_is_an_end(contents: list[str], field: str, value: Any) -> None:
    assert shown("support", *contents)[field] == value


@requirement("end-users:support:types")
@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("User's parcel was not delivered.", "ecommerce"),
        ("User's debit card was declined at an ATM.", "banking_fintech"),
        ("User's flight was delayed and the hotel is booked.", "travel"),
        ("User's SIM has no signal.", "telecom"),
        ("User can't see the lesson recording of the course.", "edtech_support"),
        ("User's workspace has no seats left.", "saas"),
        ("User likes tea.", "general_info"),
    ],
)
def test_the_kind_of_support_shows_in_the_words(content: str, kind: str) -> None:
    assert shown("support", content)["support_type"] == kind


@requirement("end-users:support:types")
@pytest.mark.parametrize(
    ("choices", "kind"),
    [
        ({"mode": "single", "support_type": "telecom"}, "telecom"),
        ({"mode": "multi", "allowed": ["saas", "travel"]}, "travel"),
        ({"mode": "multi", "allowed": ["saas", "telecom"], "support_type": "telecom"}, "telecom"),
        ({"mode": "multi", "allowed": ["saas", "telecom"]}, "saas"),
        ({"mode": "multi", "allowed": ["saas", "telecom"], "traits": {"telecom": 3, "travel": 9}}, "telecom"),
        ({"mode": "auto"}, "travel"),
    ],
)
def test_the_account_decides_among_which_kinds(choices: dict[str, Any], kind: str) -> None:
    assert shown("support", "User's flight was delayed.", **choices)["support_type"] == kind


@requirement("end-users:support:types")
def test_where_a_customer_tells_nothing_most_customers_decide() -> None:
    assert shown("support", "User likes tea.", traits={"saas": 2, "ecommerce": 5})["support_type"] == "ecommerce"


@requirement("end-users:support:guard-rails")
@pytest.mark.parametrize("kind", support_types.ALL)
def test_guard_rails_of_the_kind_come_first_and_say_what_not_to_promise_or_ask(kind: str) -> None:
    told = lines("support", "User's order #4412 hasn't arrived.", mode="single", support_type=kind)
    rails = support_types.guard_rails(kind)
    assert told[: len(rails)] == rails
    assert any("promise" in rail.casefold() for rail in rails)
    assert any("ask" in rail.casefold() for rail in rails)
    assert "Open issues: Order #4412 has not arrived (since 2026-11-02)." in told[len(rails) :]
