"""What a domain is given beside a profile: what the account chose, and what most of its people are."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from accounts import isolation
from accounts.models import Account
from memories.end_users.domains.base import Domain, Profile
from memories.models import DomainProfile, TenantSettings

#: So many of the newest end users tell what most are of.
MOST_ASKED = 500


def choices(account: Account, settings: TenantSettings, domain: Domain, profiles: Sequence[Profile]) -> dict[str, Any]:
    """`Ask.choices` for these profiles. What most people are is looked up where one of them is silent."""
    needs_others = bool(domain.trait) and any(domain.trait not in profile for profile in profiles)
    return {
        "mode": settings.support_mode,
        "support_type": settings.support_type,
        "allowed": settings.support_allowed,
        "traits": traits(account, domain) if needs_others else {},
    }


def traits(account: Account, domain: Domain) -> dict[str, int]:
    """How many of the newest end users have each value of the domain's trait, as far as their profiles are kept."""
    rows = DomainProfile.objects.filter(account=account, domain=domain.name).order_by("-end_user")
    with isolation.account(account.pk, once=True):
        told = list(rows.values_list(f"data__{domain.trait}", flat=True)[:MOST_ASKED])
    return dict(Counter(each for each in told if each))
