"""Who belongs to which account, and how an account begins."""

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from django.db import transaction

from accounts import api_keys, isolation, keys
from accounts.errors import InvalidArguments, NotFound
from accounts.models import Account, Membership, Plan, User

SESSION_KEY = "account"


@dataclass(frozen=True, slots=True)
class Opened:
    """What a command prints of a new account: everything a script needs, shown once."""

    account: Account
    email: str
    password: str
    agent_key: str
    api_key: str


def found(name: str, *, owner: User) -> Account:
    """Makes an account on the default plan with `owner` as its owner. Raises InvalidArguments for an empty name."""
    name = name.strip()
    if not name or len(name) > 120 or "\x00" in name:
        raise InvalidArguments("An account needs a name of 1 to 120 characters.", argument="name")
    plan = Plan.objects.filter(name=settings.PAM_DEFAULT_PLAN).first()
    if plan is None:
        raise ImproperlyConfigured(f"PAM_DEFAULT_PLAN names {settings.PAM_DEFAULT_PLAN!r}, and there is no such plan.")
    with transaction.atomic():
        account = Account.objects.create(name=name, plan=plan)
        with isolation.account(account.pk):
            Membership.objects.create(account=account, user=owner, role=Membership.Role.OWNER)
    return account


def open_account(name: str, email: str, *, password: str | None = None, key_name: str = "First key") -> Opened:
    """Makes an account with its owner, a first agent key and a first API key, all or nothing.

    An existing person of that address becomes the owner and keeps the password (which then comes back empty).
    Raises InvalidArguments for a bad name or address.
    """
    try:
        validate_email(email)
    except ValidationError as error:
        raise InvalidArguments(f"{email[:80]!r} is not an e-mail address.", argument="email") from error
    with transaction.atomic():
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            password = password or secrets.token_urlsafe(12)
            user = User.objects.create_user(email, password)
        else:
            password = ""
        account = found(name, owner=user)
        agent = keys.issue(account, name=key_name, created_by=user)
        product = first_api_key(account, name=key_name, created_by=user)
    return Opened(account, user.email, password, agent.secret, product.secret)


def first_api_key(account: Account, *, name: str, created_by: User | None = None) -> api_keys.Minted:
    """The API key that an account begins with: all permissions, and a rate that a first look does not meet."""
    return api_keys.issue(account, name=name, created_by=created_by, rate_limit_per_minute=api_keys.FIRST_RATE)


def of(user: User) -> list[Membership]:
    """All memberships of a person, oldest first, each with its account and plan."""
    with isolation.every_account():
        rows = Membership.objects.filter(user=user).select_related("account__plan")
        return list(rows.order_by("created_at", "id"))


def current(user: User, *, chosen: str | None) -> Membership | None:
    """The membership in the account `chosen` (a public id), or the oldest one when nothing valid is chosen."""
    memberships = of(user)
    by_id = {membership.account.public_id: membership for membership in memberships}
    return by_id.get(chosen or "") or next(iter(memberships), None)


def account_named(reference: str) -> Account:
    """The account that a command means: its public id, or its name where only one has it. Raises NotFound."""
    matches = Account.objects.filter(public_id=reference) or Account.objects.filter(name=reference)
    if len(matches) == 1:
        return matches[0]
    hint = "no account" if not matches else "more than one account"
    raise NotFound(f"There is {hint} called {reference[:120]!r}. Give its id (acc_…).")
