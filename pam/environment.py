"""How settings are read from the environment.

Any variable can be read from a file instead: NAME_FILE=/run/secrets/name.
"""

import os
import secrets
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """The variable NAME, or the content of the file that NAME_FILE names."""
    file = os.environ.get(f"{name}_FILE")
    if file:
        try:
            return Path(file).read_text().strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names {file}, which cannot be read: {error}") from error
    return os.environ.get(name, default)


def number(name: str, default: int) -> int:
    value = text(name, str(default))
    try:
        return int(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from error


def flag(name: str, *, default: bool) -> bool:
    value = text(name, "true" if default else "false").lower()
    if value not in ("true", "false", "1", "0", "yes", "no"):
        raise ImproperlyConfigured(f"{name} must be true or false, not {value!r}.")
    return value in ("true", "1", "yes")


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def database(url: str) -> dict[str, object]:
    """A Django database from ``postgres://user:password@host:port/name?host=/socket/dir``."""
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured("DATABASE_URL must start with postgres:// (PAM needs Postgres with pgvector).")
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "accounts.postgres",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", parts.hostname or ""),
        "PORT": options.pop("port", parts.port or ""),
        "OPTIONS": options,
    }


def kept_secret(path: Path) -> str:
    """A secret that is made at the first start of a local install and kept beside its data."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text()
