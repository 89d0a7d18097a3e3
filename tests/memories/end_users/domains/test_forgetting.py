"""The curve of forgetting: its formula at known points, its stages at their borders, and what reviews change."""

from datetime import UTC, date, datetime, timedelta

import pytest

from memories.end_users.domains.sayings import forgetting
from memories.end_users.domains.sayings.forgetting import STRONG, STUDIED, WEAK
from tests.memories.end_users.domains.gathered import FIRST, shown
from tests.requirements import requirement

DAY = date(2026, 11, 2)


@requirement("end-users:edtech:forgetting")
@pytest.mark.parametrize(
    ("days", "stability", "left"),
    [(0, 3.7, 1.0), (3.7, 3.7, 0.9), (37, 3.7, 0.5467), (13.8, 13.8, 0.9), (-2, 1.4, 1.0)],
)
def test_the_curve_goes_through_its_known_points(days: float, stability: float, left: float) -> None:
    assert forgetting.retention(days, stability) == pytest.approx(left, abs=1e-4)


@requirement("end-users:edtech:forgetting")
@pytest.mark.parametrize(
    ("told", "stability"),
    [
        ([WEAK], 1.4),
        ([STUDIED], 3.7),
        ([STRONG], 13.8),
        ([WEAK, STUDIED], 3.7),
        ([STUDIED, STUDIED], 9.25),
        ([STUDIED, STUDIED, STRONG], 23.125),
        ([STRONG, WEAK], 1.4),
        ([STRONG] * 9, 1_095.0),
    ],
)
def test_stability_grows_by_what_goes_well_and_falls_back_by_what_does_not(told: list[str], stability: float) -> None:
    days = [(DAY + timedelta(days=number), how) for number, how in enumerate(told)]
    assert forgetting.stability(days) == pytest.approx(stability)


@requirement("end-users:edtech:forgetting")
@pytest.mark.parametrize(
    ("days", "stage", "is_due"),
    [
        (0, "fresh", False),
        (3, "fresh", False),
        (4, "fading", True),
        (8, "fading", True),
        (9, "at_risk", True),
        (28, "at_risk", True),
        (29, "forgotten", True),
    ],
)
def test_stages_follow_the_days(days: int, stage: str, is_due: bool) -> None:
    now = datetime(2026, 11, 2, 23, tzinfo=UTC) + timedelta(days=days)
    found = forgetting.stage([(DAY, STUDIED)], now)
    assert (found.stage, found.days_since, found.review_due) == (stage, days, is_due)


@requirement("end-users:edtech:forgetting")
def test_a_profile_tells_the_stage_of_each_topic_as_of_now() -> None:
    said = ["User struggles with optics.", "User has mastered algebra."]
    assert shown("edtech", *said, now=FIRST + timedelta(days=3))["forgetting_stages"] == {
        "optics": {"stage": "fading", "days_since": 3, "review_due": True},
        "algebra": {"stage": "fresh", "days_since": 2, "review_due": False},
    }
