"""Two installs on one host keep their own cookies, although browsers don't tell ports apart."""

import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as present

from tests.browsing import signed_in
from tests.cast import Person
from tests.requirements import requirement

NAMES = "from pam import settings; print(settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME)"


def names(**environment: str) -> list[str]:
    told = subprocess.run(
        [sys.executable, "-c", NAMES],
        cwd=present.BASE_DIR,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.split()


@requirement("pages:cookies-by-port")
def test_the_port_is_part_of_a_cookies_name() -> None:
    assert names(PAM_PORT="8000") == ["pam_session_8000", "pam_csrf_8000"]
    assert names(PAM_PORT="8001") == ["pam_session_8001", "pam_csrf_8001"]
    assert names(PAM_PUBLIC_URL="https://pam.example.com") == ["pam_session", "pam_csrf"]


@requirement("pages:cookies-by-port")
@pytest.mark.django_db
def test_a_page_sets_them_and_scripts_are_told_the_name(alice: Person, settings: Any) -> None:
    client = signed_in(alice)
    page = client.get("/sources")

    assert settings.SESSION_COOKIE_NAME in client.cookies
    assert f'data-csrf-cookie="{settings.CSRF_COOKIE_NAME}"' in page.content.decode()
