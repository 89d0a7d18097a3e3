"""From an Authorization header, or a console session, to a Caller.

One decision for every wire: REST views use the two DRF classes below, the MCP endpoint calls `agent` itself.
"""

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from accounts import keys, membership
from accounts.caller import Caller
from accounts.errors import NotAuthenticated
from accounts.models import User

KEY_REFUSED = "This agent key is not valid: it is wrong, revoked or expired. Mint one on the Setup page."


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
    return Caller(account=key.account, surface="agent_key", scopes=frozenset(key.scopes), key=key)


def person(request: HttpRequest) -> Caller:
    """The caller behind a console session, in the account that the person works in now.

    Raises NotAuthenticated without a login, or when the person belongs to no account any more.
    """
    user = request.user
    if not isinstance(user, User) or not user.is_active:
        raise NotAuthenticated("Sign in first.")
    current = membership.current(user, chosen=request.session.get(membership.SESSION_KEY))
    if current is None:
        raise NotAuthenticated("You belong to no account. Ask an owner to invite you.")
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


class ConsoleAuthentication(SessionAuthentication):
    """DRF: `request.auth` becomes the Caller behind the console session; CSRF is enforced."""

    def authenticate(self, request: Request) -> tuple[User, Caller] | None:
        session_user = getattr(request._request, "user", None)
        if not isinstance(session_user, User) or not session_user.is_active:
            return None
        self.enforce_csrf(request)
        return session_user, person(request._request)
