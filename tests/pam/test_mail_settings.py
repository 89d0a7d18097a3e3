"""Naming a mail server is enough to reach it."""

import runpy
from typing import Any

import pytest
from django.conf import settings as configured
from django.core.exceptions import ImproperlyConfigured

from tests.requirements import requirement


def read(monkeypatch: pytest.MonkeyPatch, **given: str) -> dict[str, Any]:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(configured.BASE_DIR / "pam" / "mail_settings.py"))


@requirement("operations:mail")
@pytest.mark.parametrize(
    ("security", "port", "tls", "ssl"),
    [("starttls", 587, True, False), ("ssl", 465, False, True), ("none", 25, False, False)],
)
def test_a_mail_server_that_is_named_is_spoken_to_as_it_wants(
    monkeypatch: pytest.MonkeyPatch, security: str, port: int, tls: bool, ssl: bool
) -> None:
    found = read(monkeypatch, PAM_EMAIL_HOST="mail.example", PAM_EMAIL_USER="pam", PAM_EMAIL_SECURITY=security)

    assert found["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"], found["EMAIL_HOST_USER"]) == ("mail.example", port, "pam")
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)


@requirement("operations:mail")
def test_without_one_mail_is_written_to_the_log_and_a_wrong_word_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(monkeypatch)["EMAIL_BACKEND"] == "django.core.mail.backends.console.EmailBackend"
    with pytest.raises(ImproperlyConfigured, match="PAM_EMAIL_SECURITY"):
        read(monkeypatch, PAM_EMAIL_SECURITY="tls1")
