"""Unsafe or contradictory settings are said at start-up."""

import pytest
from django.core.checks import run_checks

from pam import checks
from tests.requirements import requirement


def ids(messages: list) -> list[str]:
    return [message.id for message in messages]


@requirement("pam:checks")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"SECRET_KEY": "short"}, "pam.E001"),
        ({"DEBUG": True, "PUBLIC_URL": "https://pam.example.com"}, "pam.E002"),
        ({"PAM_LLM_MODEL": "some-model", "PAM_LLM_BASE_URL": ""}, "pam.E003"),
        ({"PAM_LLM_MODEL": "", "PAM_LLM_BASE_URL": "http://127.0.0.1:1/v1"}, "pam.E003"),
        ({"PAM_MCP_THREADS": 0}, "pam.E006"),
        ({"PAM_MCP_THREADS": 16}, "pam.E006"),
        ({"PAM_OAUTH_APP_SCHEMES": ["cursor", "JavaScript"]}, "pam.E007"),
        ({"OAUTH_REFRESH_REPLAY_WINDOW_SECONDS": 3600}, "pam.W005"),
    ],
)
def test_an_unsafe_or_contradictory_setting_is_named(settings, wrong: dict, says: str) -> None:
    for name, value in wrong.items():
        setattr(settings, name, value)

    assert says in ids(run_checks())


@requirement("pam:checks")
@pytest.mark.django_db
def test_the_defaults_pass_every_check_of_ours() -> None:
    assert [name for name in ids(run_checks(databases=["default"])) if name.startswith("pam.")] == []


@requirement("pam:checks")
@pytest.mark.django_db
def test_database_checks_ask_nothing_unless_databases_are_checked(django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        assert checks.role_obeys_row_level_security() == []
        assert checks.extensions_are_there() == []
        assert checks.indexes_can_be_searched() == []


@requirement("pages:signup:enumeration")
@pytest.mark.parametrize(
    ("chosen", "warned"),
    [
        ({"PAM_SIGNUP_OPEN": True, "ACCOUNT_EMAIL_VERIFICATION": "optional"}, True),
        ({"PAM_SIGNUP_OPEN": True, "ACCOUNT_EMAIL_VERIFICATION": "mandatory"}, False),
        ({"PAM_SIGNUP_OPEN": False, "ACCOUNT_EMAIL_VERIFICATION": "none"}, False),
    ],
)
def test_an_open_sign_up_that_tells_who_is_known_is_named_before_it_goes_public(
    settings, chosen: dict, warned: bool
) -> None:
    for name, value in chosen.items():
        setattr(settings, name, value)

    assert bool(checks.sign_up_does_not_tell_who_is_known()) is warned


@requirement("webhooks:addresses:loopback-setting")
@pytest.mark.parametrize("is_allowed", [True, False])
def test_webhooks_that_may_reach_this_machine_are_named_before_they_go_public(settings, is_allowed: bool) -> None:
    settings.PAM_WEBHOOK_ALLOW_LOOPBACK = is_allowed

    assert ["pam.W006"] * is_allowed == ids(checks.webhooks_lead_out())
