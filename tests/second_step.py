"""A phone with an authenticator app, for tests: sets the second step up as a person does, and shows its codes."""

from dataclasses import dataclass
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.core.cache import caches
from django.test import Client

from accounts.models import User
from tests.cast import PASSWORD

ACTIVATE, STEP = "/accounts/2fa/totp/activate/", "/accounts/2fa/authenticate/"


def forget_attempts() -> None:
    """Attempts and used codes of other tests don't count against this one."""
    caches["process"].clear()
    for pattern in ("allauth:rl:*", "allauth.mfa.totp.used*"):
        caches["default"].delete_pattern(pattern)  # type: ignore[attr-defined]


def sign_in(client: Client, user: User, **more: str) -> Any:
    return client.post("/accounts/login/", {"login": user.email, "password": PASSWORD, **more})


def confirm(client: Client, then: str = "/security") -> Any:
    """Says once more that it is oneself, as changes of the second step want it."""
    return client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": then})


@dataclass
class Phone:
    """Has the secret of one login."""

    secret: str

    @classmethod
    def set_up(cls, client: Client) -> "Phone":
        """Of a browser that is signed in."""
        confirm(client)
        phone = cls(client.get(ACTIVATE).context["form"].secret)
        assert client.post(ACTIVATE, {"code": phone.code(-1)}).status_code == 302
        return phone

    def code(self, later: int = 0) -> str:
        """The code of now, or of so many half minutes later."""
        middle = list(auth.yield_hotp_counters_from_time())[1]
        return str(auth.format_hotp_value(auth.hotp_value(self.secret, middle + later)))


def recovery_codes(user: User) -> list[str]:
    kept = Authenticator.objects.get(user=user, type="recovery_codes")
    codes: list[str] = kept.wrap().get_unused_codes()
    return codes
