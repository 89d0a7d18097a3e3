"""Settings of the mail server, for pam/settings.py. Without one, mail is written to the log."""

from django.core.exceptions import ImproperlyConfigured

from pam.environment import number, text

__all__ = [
    "EMAIL_BACKEND",
    "EMAIL_HOST",
    "EMAIL_HOST_PASSWORD",
    "EMAIL_HOST_USER",
    "EMAIL_PORT",
    "EMAIL_TIMEOUT",
    "EMAIL_USE_SSL",
    "EMAIL_USE_TLS",
]

_PORTS = {"starttls": 587, "ssl": 465, "none": 25}
_security = text("PAM_EMAIL_SECURITY", "starttls")
if _security not in _PORTS:
    raise ImproperlyConfigured(f"PAM_EMAIL_SECURITY must be starttls, ssl or none, not {_security!r}.")

EMAIL_HOST = text("PAM_EMAIL_HOST")
EMAIL_PORT = number("PAM_EMAIL_PORT", _PORTS[_security])
EMAIL_HOST_USER = text("PAM_EMAIL_USER")
EMAIL_HOST_PASSWORD = text("PAM_EMAIL_PASSWORD")
EMAIL_USE_TLS = _security == "starttls"
EMAIL_USE_SSL = _security == "ssl"
EMAIL_TIMEOUT = 10
_kind = "smtp" if EMAIL_HOST else "console"
EMAIL_BACKEND = text("PAM_EMAIL_BACKEND", f"django.core.mail.backends.{_kind}.EmailBackend")
