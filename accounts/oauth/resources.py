"""The endpoints that a token can be for (RFC 8707), and which scopes each of them has.

A token is for one endpoint and opens no other. Clients write the endpoint's address in many ways; all are taken for the
one canonical address. Source: contract gateway, gaps 2 and 3.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from oauth2_provider.scopes import BaseScopes

from accounts import scopes

PORTS = {"https": 443, "http": 80}


@dataclass(frozen=True, slots=True)
class Resource:
    """One endpoint. `scopes` is what a client gets that asks for none; `together` the sets of them that open something,
    where one alone does not."""

    path: str
    title: str
    scopes: tuple[str, ...]
    together: tuple[frozenset[str], ...] = ()

    @property
    def uri(self) -> str:
        """The canonical address, byte for byte what metadata and tokens carry."""
        return f"{settings.PUBLIC_URL}{self.path}"

    def granted(self, asked: list[str]) -> list[str]:
        """The scopes of `asked` that there are here, in our order; all of the endpoint's if none is left.

        Clients ask for what other servers have (`offline_access`, `openid`), or for nothing; neither is a fault.
        """
        return [scope for scope in self.scopes if scope in asked] or list(self.scopes)

    def opens_nothing(self, granted: list[str]) -> bool:
        """Whether nothing at all can be called with so few scopes."""
        return bool(self.together) and not any(needed <= set(granted) for needed in self.together)


MEMORY = Resource("/v1/mcp/memory", "Company memory", (scopes.MEMORY_READ,))
KNOWLEDGE = Resource(
    "/v1/mcp",
    "Agent memory",
    (scopes.MCP_READ, scopes.MCP_WRITE, scopes.DECISIONS_READ, scopes.DECISIONS_WRITE),
    together=(
        frozenset({scopes.MCP_READ, scopes.DECISIONS_READ}),
        frozenset({scopes.MCP_WRITE, scopes.DECISIONS_WRITE}),
    ),
)
DEVELOPER = Resource("/v1/dev", "Developer API", (scopes.ACCOUNT_MANAGE,))
#: The endpoints with a page of metadata, by the suffix of its path.
MCP = {resource.path: resource for resource in (MEMORY, KNOWLEDGE)}
ALL = (MEMORY, KNOWLEDGE, DEVELOPER)


def named(uri: str) -> Resource | None:
    """The endpoint that `uri` means: exactly, or with a slash at its end, a query, a port that goes without saying, or
    host and scheme in capitals. Our bare origin means company memory. None for anything else."""
    place = _place(uri)
    if place is None or place[0] != (_place(settings.PUBLIC_URL) or [None])[0]:
        return None
    if not place[1]:
        return MEMORY
    return next((resource for resource in ALL if resource.path == place[1]), None)


def has_path(uri: str) -> bool:
    """Whether `uri` is more than a bare origin."""
    place = _place(uri)
    return place is not None and bool(place[1])


def _place(uri: str) -> tuple[tuple[str, str, int | None], str] | None:
    try:
        parts = urlsplit(uri)
        origin = (parts.scheme, parts.hostname or "", parts.port or PORTS.get(parts.scheme))
    except ValueError:
        return None
    if "#" in uri or "@" in parts.netloc:
        return None
    return origin, parts.path.rstrip("/")


def asked_for(uris: list[str], wanted_scopes: list[str]) -> Resource | None:
    """The endpoint of an authorization request, or None if it names a foreign one or two at once.

    Who names none means company memory, or the Developer API if that is all that its scopes are about.
    """
    if not uris:
        known = set(wanted_scopes) & set(scopes.GRANTABLE)
        return DEVELOPER if known == set(DEVELOPER.scopes) else MEMORY
    meant = {named(uri) for uri in uris}
    return meant.pop() if len(meant) == 1 else None


class Scopes(BaseScopes):  # type: ignore[misc]
    """DOT's way to ask which scopes there are."""

    def get_all_scopes(self) -> dict[str, str]:
        return scopes.GRANTABLE

    def get_available_scopes(
        self, application: Any = None, request: Any = None, *args: Any, **kwargs: Any
    ) -> list[str]:
        return list(scopes.GRANTABLE)

    def get_default_scopes(self, application: Any = None, request: Any = None, *args: Any, **kwargs: Any) -> list[str]:
        return list(MEMORY.scopes)
