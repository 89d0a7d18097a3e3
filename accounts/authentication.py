"""From an Authorization header, or a console session, to a Caller.

One decision for every wire: REST views use the DRF classes below, the MCP endpoints call `at_endpoint` themselves.
"""

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from accounts import api_keys, keys, membership, request_id, scopes, sessions
from accounts.caller import Caller
from accounts.errors import NotAuthenticated
from accounts.models import Membership, User
from accounts.oauth import connections, resources, tokens
from accounts.oauth.resources import Resource

API_KEY_REFUSED = "Send `Authorization: ApiKey mem_…` with a key of this account that is neither revoked nor expired."
KEY_REFUSED = "This agent key is not valid: it is wrong, revoked or expired. Mint one on the Setup page."
NOT_FOR_HERE = "This access token is not valid here: it is expired, revoked, or was given for another endpoint."


def credential(header: str) -> str:
    """What an Authorization header carries, bare or after ``Bearer`` in any case; empty if it carries nothing."""
    scheme, _, rest = header.strip().partition(" ")
    return rest.strip() if scheme.lower() == "bearer" else header.strip()


def agent(header: str) -> Caller:
    """The caller behind an agent key. Raises NotAuthenticated for anything else, whatever is wrong with it."""
    secret = credential(header)
    if not secret:
        raise NotAuthenticated
    key = keys.recognise(secret) if secret.startswith(keys.PREFIX) else None
    if key is None:
        raise NotAuthenticated(KEY_REFUSED)
    request_id.note_account(key.account.public_id)
    return Caller(account=key.account, surface="agent_key", scopes=frozenset(key.scopes), key=key)


def at_endpoint(header: str, *, path: str) -> Caller:
    """The caller at the MCP endpoint `path`: behind an agent key, or behind an access token that is for this endpoint.

    The prefix decides which, so that a key is never looked up as a token. Raises NotAuthenticated.
    """
    secret = credential(header)
    if secret.startswith(keys.PREFIX) or not secret:
        return agent(header)
    return _client(secret, resources.MCP[path])


def _client(token: str, resource: Resource) -> Caller:
    found = tokens.recognise(token)
    if found is None or found.resource != [resource.uri]:
        raise NotAuthenticated(NOT_FOR_HERE)
    request_id.note_account(found.account.public_id)
    member = found.connection.membership
    granted = frozenset(found.scope.split())
    return Caller(
        account=found.account,
        surface="oauth",
        scopes=granted - scopes.CHANGING if member.role == Membership.Role.VIEWER else granted,
        user=member.user,
        role=member.role,
        connection=found.connection,
        expires_at=found.expires,
    )


def touch(caller: Caller, *, client: str) -> None:
    """Notes that the caller's key or connection was used just now, and by which program."""
    if caller.key is not None:
        keys.touch(caller.key, client=client)
    elif caller.connection is not None:
        connections.touch(caller.connection, client=client)


def signed_in(request: HttpRequest) -> User:
    """The person behind a console session. Raises NotAuthenticated."""
    user = request.user
    if not isinstance(user, User) or not user.is_active:
        raise NotAuthenticated("Sign in first.")
    sessions.seen(request)
    return user


def person(request: HttpRequest) -> Caller:
    """The caller behind a console session, in the account that the person works in now.

    Raises NotAuthenticated without a login, or when the person belongs to no account any more.
    """
    user = signed_in(request)
    current = membership.current(user, chosen=request.session.get(membership.SESSION_KEY))
    if current is None:
        raise NotAuthenticated("You belong to no account. Ask an owner to invite you.")
    request_id.note_account(current.account.public_id)
    return Caller(account=current.account, surface="console", user=user, role=current.role)


class AgentKeyAuthentication(BaseAuthentication):
    """DRF: `request.auth` becomes the Caller behind the agent key; with no such header the next class is asked."""

    def authenticate(self, request: Request) -> tuple[User | None, Caller] | None:
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        caller = agent(header)
        if caller.key is not None:
            keys.touch(caller.key, client=request.headers.get("User-Agent", ""))
        return None, caller

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="pam"'


class ApiKeyAuthentication(BaseAuthentication):
    """DRF: `request.auth` becomes the Caller behind a product's API key: ``ApiKey mem_…`` to the letter."""

    def authenticate(self, request: Request) -> tuple[User | None, Caller]:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        key = api_keys.recognise(secret) if scheme == "ApiKey" and secret.startswith(api_keys.PREFIX) else None
        if key is None:
            raise NotAuthenticated(API_KEY_REFUSED)
        request_id.note_account(key.account.public_id)
        api_keys.touch(key)
        return None, Caller(account=key.account, surface="api_key", scopes=frozenset(key.permissions), api_key=key)

    def authenticate_header(self, request: Request) -> str:
        return "ApiKey"


class ManagerTokenAuthentication(BaseAuthentication):
    """DRF: `request.auth` becomes the Caller behind an access token for the Developer API; a key does not open it."""

    def authenticate(self, request: Request) -> tuple[User | None, Caller] | None:
        secret = credential(request.headers.get("Authorization", ""))
        if not secret.startswith(tokens.ACCESS_PREFIX):
            return None
        caller = _client(secret, resources.DEVELOPER)
        caller.require_scope(scopes.ACCOUNT_MANAGE)
        touch(caller, client=request.headers.get("User-Agent", ""))
        return caller.user, caller

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="pam"'


class ConsoleAuthentication(SessionAuthentication):
    """DRF: `request.auth` becomes the Caller behind the console session; CSRF is enforced."""

    def authenticate(self, request: Request) -> tuple[User, Caller] | None:
        session_user = getattr(request._request, "user", None)
        if not isinstance(session_user, User) or not session_user.is_active:
            return None
        self.enforce_csrf(request)
        return session_user, person(request._request)
