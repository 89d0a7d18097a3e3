"""The plans that every install starts with. Staff may edit them; what they changed is left alone."""

from typing import Any

from accounts.models import Plan

BUILT_IN: list[dict[str, Any]] = [
    {
        "name": "unlimited",
        "title": "Unlimited",
        "monthly_retrievals": Plan.UNLIMITED,
        "hourly_attempts": Plan.UNLIMITED,
        "monthly_operations": Plan.UNLIMITED,
        "minutely_operations": Plan.UNLIMITED,
    },
    {
        "name": "starter",
        "title": "Starter",
        "monthly_retrievals": 1000,
        "hourly_attempts": 100,
        "monthly_operations": 10_000,
        "minutely_operations": 600,
    },
]


def ensure(**_: Any) -> None:
    """Makes the built-in plans that are missing. Called after every migration."""
    for plan in BUILT_IN:
        Plan.objects.get_or_create(name=plan["name"], defaults=plan)
