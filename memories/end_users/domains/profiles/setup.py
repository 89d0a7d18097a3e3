"""What an account chose: its domain, and for `support` the kinds of support that it gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.models import Account
from memories import work
from memories.end_users.domains import registry
from memories.end_users.domains.sayings import support_types
from memories.end_users.domains.support import AUTO, MULTI, SINGLE
from memories.end_users.errors import BadSetting
from memories.models import TenantSettings

MODES = (SINGLE, MULTI, AUTO)
#: When the account's settings changed last; for a query of end users, beside their revision.
STAMP = Subquery(TenantSettings.objects.filter(account=OuterRef("account")).values("updated_at")[:1])


@dataclass(frozen=True, slots=True)
class SupportChoice:
    """mode single: always `support_type`; multi: each customer's likeliest in `allowed`, else `support_type`; auto: the
    likeliest of all."""

    mode: str
    support_type: str | None
    allowed: list[str]


def of(account: Account) -> TenantSettings:
    """The account's settings, or those of one that has set nothing. Inside `isolation.account`."""
    return TenantSettings.objects.filter(account=account).first() or TenantSettings(account=account)


def domain_schema(caller: Caller) -> str | None:
    """The name of the account's domain, None for none."""
    caller.require_scope(scopes.READ)
    with isolation.account(caller.account.pk, once=True):
        return of(caller.account).domain_schema or None


def choose_domain(caller: Caller, *, name: str | None) -> str | None:
    """Sets the account's domain, or with None ends it; profiles are gathered by a worker and by whoever reads one.

    Raises BadSetting for a domain that there is not."""
    caller.require_scope(scopes.ADMIN)
    if name is not None and registry.named(name) is None:
        raise BadSetting(
            f"domain_schema must be one of {', '.join(registry.names())}, or null.", argument="domain_schema"
        )
    with isolation.account(caller.account.pk):
        _set(caller.account, {"domain_schema": name or ""})
        if name:
            work.after_commit([(work.GATHER_PROFILES, (caller.account.pk,))])
    return name


def support_choice(caller: Caller) -> SupportChoice:
    caller.require_scope(scopes.READ)
    with isolation.account(caller.account.pk, once=True):
        return _chosen(of(caller.account))


def choose_support(caller: Caller, *, changes: dict[str, Any]) -> SupportChoice:
    """Changes what is named of mode, support_type and allowed; the whole must fit together afterwards.

    Raises BadSetting, naming the field that does not."""
    caller.require_scope(scopes.ADMIN)
    with isolation.account(caller.account.pk):
        before = _chosen(of(caller.account))
        wanted = SupportChoice(
            mode=changes.get("mode", before.mode),
            support_type=changes.get("support_type", before.support_type),
            allowed=list(dict.fromkeys(changes.get("allowed", before.allowed) or [])),
        )
        _check(wanted)
        values = {
            "support_mode": wanted.mode,
            "support_type": wanted.support_type or "",
            "support_allowed": wanted.allowed,
        }
        _set(caller.account, values)
    return wanted


def _chosen(settings: TenantSettings) -> SupportChoice:
    return SupportChoice(settings.support_mode, settings.support_type or None, list(settings.support_allowed))


def _set(account: Account, values: dict[str, Any]) -> None:
    TenantSettings.objects.update_or_create(account=account, defaults={**values, "updated_at": timezone.now()})


def _check(wanted: SupportChoice) -> None:
    _check_names("mode", [wanted.mode], MODES)
    _check_names("support_type", [wanted.support_type] if wanted.support_type else [], support_types.ALL)
    _check_names("allowed", wanted.allowed, support_types.ALL)
    if wanted.mode == SINGLE and not wanted.support_type:
        raise BadSetting("support_type must be named in the mode single.", argument="support_type")
    if wanted.mode == MULTI and not wanted.allowed:
        raise BadSetting("allowed must name at least one kind of support in the mode multi.", argument="allowed")
    if wanted.mode == MULTI and wanted.support_type and wanted.support_type not in wanted.allowed:
        raise BadSetting("support_type must be one of allowed in the mode multi.", argument="support_type")


def _check_names(field: str, given: Sequence[str], known: Sequence[str]) -> None:
    if any(name not in known for name in given):
        raise BadSetting(f"{field} must be one of {', '.join(known)}.", argument=field)
