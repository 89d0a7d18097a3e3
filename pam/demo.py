"""The demo account of a local install: opened once, its login kept in a file beside the data."""

import secrets
from pathlib import Path

from accounts import membership
from accounts.models import Account, User
from pam.local import home

NAME = "Example company"
EMAIL = "demo@example.com"


def ensure(file: Path, *, url: str) -> dict[str, str]:
    """The login in `file`: ``{url, email, password, account, agent_key, api_key}``.

    Opened anew when its account is missing: the database may be a new one, or DATABASE_URL name another.
    """
    kept = home.recall(file)
    account = Account.objects.filter(public_id=kept.get("account", "")).first()
    if account is None:
        opened = membership.open_account(NAME, _free_address(), key_name="Demo key")
        kept = {"email": opened.email, "password": opened.password}
        kept |= {"account": opened.account.public_id, "agent_key": opened.agent_key, "api_key": opened.api_key}
    elif "api_key" not in kept:
        # Opened before there was end-user memory.
        kept |= {"api_key": membership.first_api_key(account, name="Demo key").secret}
    login = {"url": url} | {name: kept[name] for name in ("email", "password", "account", "agent_key", "api_key")}
    home.remember(file, login)
    return login


def _free_address() -> str:
    """Not that of an earlier demo, whose password nobody knows any more."""
    if not User.objects.filter(email__iexact=EMAIL).exists():
        return EMAIL
    return EMAIL.replace("@", f"-{secrets.token_hex(3)}@")
