"""What stands between an install and the open internet."""

import os
import secrets
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client

from tests.requirements import requirement

PRODUCTION = {
    "PAM_PUBLIC_URL": "https://pam.example.com",
    "PAM_BEHIND_PROXY": "true",
    "PAM_EMAIL_HOST": "mail.example.com",
    "DATABASE_URL": "postgres://pam:pam@127.0.0.1:1/pam",
    "REDIS_URL": "redis://127.0.0.1:1/0",
}


def checked(**changed: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    given = {**kept, **PRODUCTION, "PAM_SECRET_KEY": secrets.token_urlsafe(50), **changed}
    command = [sys.executable, str(configured.BASE_DIR / "manage.py"), "check", "--deploy", "--fail-level=WARNING"]
    return subprocess.run(command, env=given, capture_output=True, text=True)


@requirement("operations:check-deploy")
def test_production_settings_pass_every_check() -> None:
    done = checked()

    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@requirement("operations:check-deploy")
def test_an_address_without_tls_is_named() -> None:
    done = checked(PAM_PUBLIC_URL="http://pam.example.com")

    assert done.returncode == 1
    assert {"security.W012", "security.W016"} <= set(done.stderr.replace("(", " ").replace(")", " ").split())


@requirement("operations:https-only")
@pytest.mark.django_db
def test_behind_a_proxy_with_tls_people_are_led_to_https_and_kept_there(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_HSTS_SECONDS = 3600
    client = Client()

    led = client.get("/accounts/login/")
    there = client.get("/accounts/login/", headers={"X-Forwarded-Proto": "https"})
    assert (led.status_code, led["Location"]) == (301, "https://testserver/accounts/login/")
    assert there.status_code == 200
    assert there["Strict-Transport-Security"] == "max-age=3600"
    assert client.get("/healthz").status_code == 200
