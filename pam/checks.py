"""System checks: settings that are unsafe or contradict each other, said at start-up with an id."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from accounts.oauth import redirect_uris
from memories import embedding
from memories.errors import EmbedderUnavailable

SHORTEST_SECRET = 32
LONGEST_REPLAY = 60
EXTENSIONS = {"vector", "btree_gin", "pg_trgm"}


@register(Tags.security)
def secret_key_is_long(**_: Any) -> list[CheckMessage]:
    if len(settings.SECRET_KEY) >= SHORTEST_SECRET:
        return []
    hint = "Leave PAM_SECRET_KEY unset for a local install, or set 50 random characters."
    return [Error(f"PAM_SECRET_KEY is shorter than {SHORTEST_SECRET} characters.", hint=hint, id="pam.E001")]


@register(Tags.security)
def debug_is_off_in_public(**_: Any) -> list[CheckMessage]:
    if not (settings.DEBUG and settings.PUBLIC_URL.startswith("https://")):
        return []
    return [Error("PAM_DEBUG shows settings and code to strangers.", hint="Unset PAM_DEBUG.", id="pam.E002")]


@register(Tags.security, deploy=True)
def sign_up_does_not_tell_who_is_known(**_: Any) -> list[CheckMessage]:
    if not settings.PAM_SIGNUP_OPEN or settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory":
        return []
    told = "Sign-up logs in at once, and so has to say that an e-mail address is taken: strangers can try addresses."
    hint = "Set PAM_EMAIL_HOST (confirming an address is mandatory then), or PAM_SIGNUP_OPEN=false."
    return [Warning(told, hint=hint, id="pam.W004")]


@register(Tags.security, deploy=True)
def webhooks_lead_out(**_: Any) -> list[CheckMessage]:
    if not settings.PAM_WEBHOOK_ALLOW_LOOPBACK:
        return []
    hint = "Unset PAM_WEBHOOK_ALLOW_LOOPBACK: it is for tests."
    return [Warning("Accounts can make PAM call what listens on this machine.", hint=hint, id="pam.W006")]


@register(Tags.security, deploy=True)
def staff_show_a_second_step(**_: Any) -> list[CheckMessage]:
    if settings.PAM_STAFF_MFA_REQUIRED:
        return []
    hint = "Set PAM_STAFF_MFA_REQUIRED=true: staff set up a second step when they next come."
    return [Warning("A password alone opens staff admin, and with it every account.", hint=hint, id="pam.W007")]


@register()
def llm_is_whole_or_absent(**_: Any) -> list[CheckMessage]:
    given = [bool(settings.PAM_LLM_BASE_URL), bool(settings.PAM_LLM_MODEL)]
    if all(given) or not any(given):
        return []
    return [Error("PAM_LLM_BASE_URL and PAM_LLM_MODEL go together: set both or neither.", id="pam.E003")]


@register()
def calls_leave_connections_to_pages(**_: Any) -> list[CheckMessage]:
    if 1 <= settings.PAM_MCP_THREADS < settings.PAM_DATABASE_POOL:
        return []
    hint = "Each call holds a database connection; pages and workers need some, too."
    return [Error("PAM_MCP_THREADS must be 1 or more, and less than PAM_DATABASE_POOL.", hint=hint, id="pam.E006")]


@register(Tags.security)
def answers_go_to_programs_only(**_: Any) -> list[CheckMessage]:
    unsafe = sorted(redirect_uris.NEVER & {scheme.lower() for scheme in settings.PAM_OAUTH_APP_SCHEMES})
    hint = "Name the schemes of installed programs only, like cursor or vscode."
    return [Error(f"PAM_OAUTH_APP_SCHEMES has {scheme} in it.", hint=hint, id="pam.E007") for scheme in unsafe]


@register(Tags.security)
def a_spent_token_is_soon_of_no_use(**_: Any) -> list[CheckMessage]:
    if settings.OAUTH_REFRESH_REPLAY_WINDOW_SECONDS <= LONGEST_REPLAY:
        return []
    hint = "Ten seconds are enough for several clients of one login; as long as that a stolen token works twice."
    said = f"OAUTH_REFRESH_REPLAY_WINDOW_SECONDS is over {LONGEST_REPLAY}."
    return [Warning(said, hint=hint, id="pam.W005")]


@register(Tags.database)
def role_obeys_row_level_security(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """The second fence between tenants only stands when the application's role cannot step around it."""
    if not databases:
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        row = cursor.fetchone()
    if row is None or not row[0]:
        return []
    hint = "Make a role of its own: CREATE ROLE pam LOGIN NOSUPERUSER NOBYPASSRLS, and give it the database."
    return [Error("The database role of DATABASE_URL bypasses row-level security.", hint=hint, id="pam.E004")]


@register(Tags.database)
def extensions_are_there(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    if not databases:
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT extname FROM pg_extension")
        missing = EXTENSIONS - {name for (name,) in cursor.fetchall()}
    return [
        Warning(
            f"Postgres lacks the extension {name}.",
            hint=f"As a superuser, in PAM's database: CREATE EXTENSION {name};",
            id="pam.W001",
        )
        for name in sorted(missing)
    ]


@register(Tags.database)
def indexes_can_be_searched(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Row-level security keeps all but leakproof functions from an index: searches then read the account's rows."""
    if not databases:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace "
            "AND proname = ANY(%s) AND NOT proleakproof",
            [["texticlike", "arrayoverlap", "arraycontains"]],
        )
        slow = sorted(name for (name,) in cursor.fetchall())
    told = "Searches of large accounts are slow: {} may not use an index under row-level security."
    hint = "As a superuser, in PAM's database: ALTER FUNCTION {} LEAKPROOF;"
    return [Warning(told.format(name), hint=hint.format(name), id="pam.W003") for name in slow]


@register(deploy=True)
def vectors_fit_their_columns(**_: Any) -> list[CheckMessage]:
    """Loads the model, which takes seconds: only `check --deploy` asks."""
    try:
        embedding.check()
    except ImproperlyConfigured as error:
        hint = "Until then everything is stored without a vector and found by its words."
        return [Error(str(error), hint=hint, id="pam.E005")]
    except EmbedderUnavailable as error:
        return [Warning(error.message, hint="Texts are found by their words until it answers.", id="pam.W002")]
    return []
