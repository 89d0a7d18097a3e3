"""A person's second step at sign-in: what they have set up, and how staff switch it off for somebody who lost it.

allauth keeps it and asks for it (allauth.mfa). Its secrets are encrypted by accounts/mfa_adapter.py and leave it by no
function here.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.http import HttpRequest

from accounts import audit, stewardship
from accounts.errors import InvalidArguments
from accounts.models import User

APP, PASSKEY, CODES = (str(kind) for kind in (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN, "recovery_codes"))


@dataclass(frozen=True, slots=True)
class Passkey:
    """`is_whole`: it signs in without a password too; none where the browser did not say."""

    id: int
    name: str
    is_whole: bool | None
    added_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Methods:
    """What a person has set up. `app_since` is when the authenticator app was; `codes_left` of recovery codes."""

    app_since: datetime | None
    app_last_used_at: datetime | None
    passkeys: tuple[Passkey, ...]
    codes_left: int | None

    @property
    def is_on(self) -> bool:
        return self.app_since is not None or bool(self.passkeys)


def methods(user: User) -> Methods:
    """One query, and nothing is decrypted."""
    rows = list(Authenticator.objects.filter(user=user).order_by("created_at", "pk"))
    app = next((row for row in rows if row.type == APP), None)
    codes = next((row for row in rows if row.type == CODES), None)
    return Methods(
        app_since=app.created_at if app else None,
        app_last_used_at=app.last_used_at if app else None,
        passkeys=tuple(_passkey(row) for row in rows if row.type == PASSKEY),
        codes_left=_left(codes) if codes else None,
    )


def _passkey(row: Any) -> Passkey:
    told = row.data.get("credential", {}).get("clientExtensionResults", {}).get("credProps", {})
    return Passkey(row.pk, row.data["name"], told.get("rk"), row.created_at, row.last_used_at)


def _left(row: Any) -> int:
    used = int(row.data.get("used_mask", 0)).bit_count()
    return max(0, int(app_settings.RECOVERY_CODE_COUNT) - used)


def is_on(user: User) -> bool:
    """Whether sign-in asks for a second step."""
    return bool(Authenticator.objects.filter(user=user, type__in=[APP, PASSKEY]).exists())


def was_shown(request: HttpRequest, user: User) -> bool:
    """Whether whoever is at this browser has shown a second step since they signed in, or in doing so."""
    return any(record.get("method") == "mfa" for record in get_authentication_records(request, user))


def switch_off(actor: User, user: User, *, reason: str) -> None:
    """Somebody lost their phone and their codes: staff let them in by the password alone. They are told by mail.

    Raises PermissionMissing for the login of other staff unless a superuser does it, and InvalidArguments where there
    is nothing to switch off.
    """
    stewardship.require_over(actor, user, "switches off the second step of")
    with transaction.atomic():
        deleted, _ = Authenticator.objects.filter(user=user).delete()
        if not deleted:
            raise InvalidArguments("No second step is set up.")
        audit.write(actor, "switch off second step", user, reason=reason)
        told = partial(get_adapter().send_mail, "mfa/email/switched_off", user.email, {})
        transaction.on_commit(told, robust=True)


def _note(did: str, *, user: User, authenticator: Any, **_: Any) -> None:
    audit.write(user, f"{did} {authenticator.type}", user, reason="Their own login, by themselves.")


def note_added(**signal: Any) -> None:
    """Receivers of allauth's signals: what people change of their own second step is in the audit log."""
    _note("add", **signal)


def note_removed(**signal: Any) -> None:
    _note("remove", **signal)


def note_reset(**signal: Any) -> None:
    _note("renew", **signal)


def note_used(**signal: Any) -> None:
    """A recovery code is used where a phone is lost, or where codes were stolen: worth a line."""
    if signal["authenticator"].type == CODES:
        _note("use", **signal)
