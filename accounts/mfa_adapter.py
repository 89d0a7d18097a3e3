"""What allauth asks of us about the second step: how secrets are kept, which address passkeys belong to, our words."""

import base64
import ipaddress
from typing import Any
from urllib.parse import urlsplit

import qrcode
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.crypto import salted_hmac
from qrcode.image.svg import SvgPathImage

SALT = "accounts.mfa_adapter"
UNREADABLE = (
    "What this installation keeps of your second step can't be read: its secret key was changed. Ask the people who "
    "run it to switch the second step off for you, then set it up again."
)


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Secrets are encrypted with a key made of PAM_SECRET_KEY; passkeys belong to the host of PAM_PUBLIC_URL."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "cannot_delete_authenticator": "The second step can't be switched off.",
        "cannot_generate_recovery_codes": "Set up an authenticator app or a passkey first: codes stand in for these.",
        "incorrect_code": "That did not fit. Codes work once and for half a minute: wait for the next one.",
        "unverified_email": "Confirm your email address first.",
    }

    def encrypt(self, text: str) -> str:
        return _locks().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Raises ValidationError, which forms show, where no key of the installation fits."""
        try:
            return _locks().decrypt(encrypted_text.encode()).decode()
        except InvalidToken as error:
            raise ValidationError(UNREADABLE) from error

    def get_totp_issuer(self) -> str:
        """What the app on the phone files the code under."""
        host = urlsplit(settings.PUBLIC_URL).hostname or ""
        return f"PAM ({host})" if settings.PUBLIC_URL.startswith("https://") else "PAM"

    def build_totp_svg(self, url: str) -> str:
        """A drawing that may stand in a page: no XML declaration, no fixed size, no style."""
        drawn = qrcode.make(url, image_factory=SvgPathImage, border=2).get_image()
        for name in ("width", "height"):
            del drawn.attrib[name]
        path = drawn[-1]
        return f'<svg viewBox="{drawn.attrib["viewBox"]}" aria-hidden="true"><path d="{path.attrib["d"]}"/></svg>'

    def generate_authenticator_name(self, user: Any, type: Any) -> str:
        taken = user.authenticator_set.filter(type=type).count()
        return f"Passkey {taken + 1}" if taken else "Passkey"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": passkey_host() or "localhost", "name": "PAM"}


def passkey_host() -> str:
    """The host that passkeys belong to. Browsers take names only: `localhost` for this machine's own number, and
    nothing ("") where PAM_PUBLIC_URL is another number."""
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    try:
        return "localhost" if ipaddress.ip_address(host).is_loopback else ""
    except ValueError:
        return host


def _locks() -> MultiFernet:
    """The first key locks, each opens."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    made = (salted_hmac(SALT, "secrets", secret=key, algorithm="sha256").digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in made])
