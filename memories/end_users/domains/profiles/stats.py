"""How an account's customers are: with open issues, on which plan, in which kind of support, on which channel."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, F, Func, IntegerField, JSONField, Q, QuerySet, Sum, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.models import Account
from memories import work
from memories.end_users.domains import registry
from memories.end_users.domains.base import Domain
from memories.end_users.domains.profiles import choosing, keep, setup
from memories.end_users.domains.support import Support, kind_of
from memories.models import DomainProfile, EndUser, TenantSettings

#: So many profiles are gathered while the caller waits; a worker does the rest.
ROUNDS = 3
MOST_PLANS = 50


@dataclass(frozen=True, slots=True)
class SupportStats:
    """Figures over the customers whose profile is up to date; `pending` are those whose is not yet."""

    customers: int
    pending: int
    customers_with_open_issues: int
    open_issues: int
    past_issues: int
    by_support_type: dict[str, int]
    by_plan: dict[str, int]
    by_channel: dict[str, int]


NONE = SupportStats(0, 0, 0, 0, 0, {}, {}, {})


def support(caller: Caller) -> SupportStats:
    """The figures of the account's customers now; all zero where `support` is not its domain."""
    caller.require_scope(scopes.READ)
    with isolation.account(caller.account.pk, is_lasting=False):
        settings = setup.of(caller.account)
        domain = registry.named(Support.name)
        if domain is None or settings.domain_schema != domain.name:
            return NONE
        if not keep.catch_up(caller.account, domain, rounds=ROUNDS):
            work.after_commit([(work.GATHER_PROFILES, (caller.account.pk,))])
        return _counted(caller.account, settings, domain)


def _counted(account: Account, settings: TenantSettings, domain: Domain) -> SupportStats:
    people = EndUser.objects.filter(account=account, blocked_at=None)
    customers = people.count()
    rows = _current(account, domain)
    figures = rows.aggregate(
        known=Count("pk"),
        troubled=Count("pk", filter=Q(data__open__0__isnull=False)),
        open=Coalesce(Sum(_length("open")), 0),
        past=Coalesce(Sum(_length("past")), 0),
    )
    return SupportStats(
        customers=customers,
        pending=customers - figures["known"],
        customers_with_open_issues=figures["troubled"],
        open_issues=figures["open"],
        past_issues=figures["past"],
        by_support_type=_by_kind(account, settings, domain, rows),
        by_plan=_by(rows, "plan"),
        by_channel=_by(rows, "channel"),
    )


def _current(account: Account, domain: Domain) -> QuerySet[DomainProfile]:
    rows = DomainProfile.objects.filter(account=account, domain=domain.name, schema_version=domain.schema_version)
    return rows.filter(revision=F("end_user__revision"), end_user__blocked_at=None)


def _length(name: str) -> Func:
    """The number of items of a list in `data`; 0 where it has none of that name."""
    listed = Coalesce(F(f"data__{name}"), Value([], JSONField()))
    return Func(listed, function="jsonb_array_length", output_field=IntegerField())


def _by(rows: QuerySet[DomainProfile], name: str) -> dict[str, int]:
    """Customers by what `data` has under that name, the commonest first."""
    found = rows.filter(data__has_key=name).annotate(told=KT(f"data__{name}")).values("told")
    counted = found.annotate(number=Count("pk")).order_by("-number", "told")[:MOST_PLANS]
    return {row["told"]: row["number"] for row in counted}


def _by_kind(
    account: Account, settings: TenantSettings, domain: Domain, rows: QuerySet[DomainProfile]
) -> dict[str, int]:
    """Customers by the kind of support that they would be told in."""
    groups = list(rows.values_list("data__kinds").annotate(number=Count("pk")).order_by())
    profiles = [({"kinds": kinds, domain.trait: kinds[0]} if kinds else {}, number) for kinds, number in groups]
    chosen = choosing.choices(account, settings, domain, [profile for profile, _ in profiles])
    counted: Counter[str] = Counter()
    for profile, number in profiles:
        counted[kind_of(profile, chosen)] += number
    return dict(counted.most_common())
