"""What people fill in at the second step, in our words. What a browser sends as a passkey need not be one."""

import json
import struct

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as base
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django import forms

LONGEST_CREDENTIAL = 50_000
#: What the library raises for data that is none, besides its own refusals.
BROKEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError, struct.error)


def _code(label: str, help_text: str) -> forms.CharField:
    field = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True, "spellcheck": "false"}
    return forms.CharField(label=label, help_text=help_text, max_length=40, widget=forms.TextInput(attrs=field))


class AuthenticateForm(base.AuthenticateForm):  # type: ignore[misc]
    code = _code("Code", "The six digits in your authenticator app, or one of your recovery codes.")


class ReauthenticateForm(base.ReauthenticateForm):  # type: ignore[misc]
    code = _code("Code", "The six digits in your authenticator app, or one of your recovery codes.")


class ActivateTOTPForm(totp.ActivateTOTPForm):  # type: ignore[misc]
    code = _code("Code from the app", "Six digits that change every half minute.")


class _Credential:
    """Mixed in before allauth's form: whatever is wrong with what the browser sent, the form says no."""

    def full_clean(self) -> None:
        try:
            super().full_clean()  # type: ignore[misc]
        except BROKEN:
            self.add_error("credential", get_adapter().validation_error("incorrect_code"))  # type: ignore[attr-defined]

    def _clean_fields(self) -> None:
        sent = self.data.get("credential", "")  # type: ignore[attr-defined]
        if len(sent) > LONGEST_CREDENTIAL or "\\u0000" in sent or not _is_object(sent):
            raise ValueError("no credential")
        super()._clean_fields()  # type: ignore[misc]


def _is_object(text: str) -> bool:
    return isinstance(json.loads(text), dict)


class AddPasskeyForm(_Credential, webauthn.AddWebAuthnForm):  # type: ignore[misc]
    name = forms.CharField(
        label="Name",
        required=False,
        max_length=80,
        help_text="Where it is kept, so that you know later which one to remove.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    passwordless = forms.BooleanField(
        label="Sign in with it alone, without a password",
        required=False,
        initial=True,
        help_text="It asks for your fingerprint, face or PIN then. Untick it for a security key with only a button.",
    )


class RenamePasskeyForm(webauthn.EditWebAuthnForm):  # type: ignore[misc]
    name = forms.CharField(label="Name", max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class AuthenticatePasskeyForm(_Credential, webauthn.AuthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class LoginPasskeyForm(_Credential, webauthn.LoginWebAuthnForm):  # type: ignore[misc]
    pass


class ReauthenticatePasskeyForm(_Credential, webauthn.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    pass
