"""Clients that introduce themselves (RFC 7591): what is taken of what they say, and what they are told.

DOT's view takes one grant type and one kind of redirect, and leaves a token behind that never ends. VS Code lists three
grant types, Cursor three addresses of different kinds, others no scope or an empty one, or ask in the same breath for
what PAM has no word for. Whatever is not known is left out (R28); what was taken is told.
"""

import json
import time
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from oauth2_provider.generators import generate_client_secret

from accounts import scopes
from accounts.errors import InvalidClientMetadata, InvalidRedirectURI
from accounts.models import OAuthClient
from accounts.oauth import redirect_uris, resources

GRANT_TYPES = ("authorization_code", "refresh_token")
AUTH_METHODS = ("none", "client_secret_post", "client_secret_basic")
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Registered:
    """A fresh client; `told` is the answer, the only one that has its secret."""

    client: OAuthClient
    told: dict[str, Any]


def parsed(body: bytes) -> dict[str, Any]:
    """The metadata of a body. Raises InvalidClientMetadata."""
    try:
        metadata = json.loads(body)
    except (ValueError, RecursionError):
        metadata = None
    if not isinstance(metadata, dict):
        raise InvalidClientMetadata("The body must be a JSON object.")
    return metadata


def register(metadata: dict[str, Any]) -> Registered:
    """Raises InvalidRedirectURI or InvalidClientMetadata."""
    uris = _redirect_uris(metadata.get("redirect_uris"))
    grant_types = _grant_types(metadata.get("grant_types"))
    method = _auth_method(metadata.get("token_endpoint_auth_method"))
    secret = "" if method == "none" else generate_client_secret()
    name = _name(metadata.get("client_name")) or redirect_uris.shown(uris[0])
    client = OAuthClient(
        name=name,
        redirect_uris=" ".join(uris),
        client_type=OAuthClient.CLIENT_CONFIDENTIAL if secret else OAuthClient.CLIENT_PUBLIC,
        client_secret=secret,
        hash_client_secret=bool(secret),
        authorization_grant_type=OAuthClient.GRANT_AUTHORIZATION_CODE,
        registration_source=OAuthClient.RegistrationSource.DCR,
    )
    with transaction.atomic():
        client.save()
    told = {
        "client_id": client.client_id,
        "client_id_issued_at": int(time.time()),
        "client_name": name,
        "redirect_uris": uris,
        "grant_types": grant_types,
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "scope": " ".join(_scopes(metadata.get("scope"))),
    }
    return Registered(client, {**told, "client_secret": secret, "client_secret_expires_at": 0} if secret else told)


def _redirect_uris(asked: object) -> list[str]:
    if not isinstance(asked, list) or not 0 < len(asked) <= redirect_uris.MOST:
        raise InvalidRedirectURI(f"redirect_uris must be a list of 1 to {redirect_uris.MOST} addresses.")
    if not all(redirect_uris.is_allowed(uri) for uri in asked):
        raise InvalidRedirectURI
    return list(dict.fromkeys(asked))


def _grant_types(asked: object) -> list[str]:
    """What there is of what is asked; both where nothing is said, since a client without a refresh would be signed out
    every hour."""
    if asked is None or asked == []:
        return list(GRANT_TYPES)
    if not isinstance(asked, list) or "authorization_code" not in asked:
        raise InvalidClientMetadata("grant_types must be a list with authorization_code in it.")
    return [grant_type for grant_type in GRANT_TYPES if grant_type in asked]


def _auth_method(asked: object) -> str:
    """The method in force: what is asked if there is such a thing, else none. Not saying means basic (RFC 7591, 2)."""
    if asked is None:
        return "client_secret_basic"
    return next((method for method in AUTH_METHODS if method == asked), "none")


def _name(asked: object) -> str:
    """Without line breaks, and without letters that turn the reading direction: people decide by it."""
    if not isinstance(asked, str):
        return ""
    printable = "".join(character if character.isprintable() else " " for character in asked[: 10 * LONGEST_NAME])
    return " ".join(printable.split())[:LONGEST_NAME]


def _scopes(asked: object) -> list[str]:
    """What there is of what is asked; without any, what an MCP client may come to ask for."""
    wanted = asked.split() if isinstance(asked, str) else []
    known = [scope for scope in scopes.GRANTABLE if scope in wanted]
    return known or [scope for resource in resources.MCP.values() for scope in resource.scopes]
