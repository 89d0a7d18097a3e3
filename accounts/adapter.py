"""What allauth asks of us."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest

from accounts import team

logger = logging.getLogger(__name__)
#: What confirming that it is you can be done with.
WAYS = {
    "reauthenticate": "Use your password",
    "mfa_reauthenticate": "Use a code",
    "mfa_reauthenticate:webauthn": "Use a passkey",
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Whether sign-up is open, what mistakes are called, and that a silent mail server stops nobody."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": "That email address and password don't go together. Check both and try again.",
        "email_taken": "Somebody signed up with this email address already. Sign in instead, or reset the password.",
        "account_inactive": "This login has been switched off. Ask the operator of this installation.",
        "too_many_login_attempts": "Too many failed attempts. Wait a few minutes, then try again.",
        "incorrect_password": "That is not your password.",
        "rate_limited": "That was a lot of attempts in a short time. Wait a minute, then try again.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whoever follows an invitation may sign up in any case."""
        return bool(settings.PAM_SIGNUP_OPEN) or team.invitation(request.session.get(team.FOLLOWED, "")) is not None

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [{**way, "description": WAYS.get(way["id"], way["description"])} for way in ways]

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends, or logs that the mail server failed.

        A fault is not shown: it would stop a sign-up half-way, and a reset that fails only for addresses that exist
        would tell which ones do.
        """
        try:
            super().send_mail(template_prefix, email, context)
        except OSError:  # smtplib's errors are OSErrors too
            logger.exception("The mail %s could not be sent.", template_prefix)
