"""Who is asking: the one thing that every service takes first."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from accounts.errors import PermissionMissing, ScopeMissing
from accounts.models import Account, AgentKey, ApiKey, Membership, OAuthConnection, User

ROLE_ORDER = [Membership.Role.VIEWER, Membership.Role.MEMBER, Membership.Role.ADMIN, Membership.Role.OWNER]


@dataclass(frozen=True, slots=True)
class Caller:
    """An account, and through whom it is reached: an agent's key, a product's API key (whose permissions are its
    scopes), a person at the console with a role, or a client that such a person connected by OAuth (`connection`; its
    access token ends at `expires_at`)."""

    account: Account
    surface: Literal["agent_key", "api_key", "oauth", "console", "command", "staff"]
    scopes: frozenset[str] = frozenset()
    key: AgentKey | None = None
    user: User | None = None
    role: str = ""
    connection: OAuthConnection | None = None
    api_key: ApiKey | None = None
    expires_at: datetime | None = None

    @property
    def identity(self) -> str:
        """A stable name of the credential, under which session prompts are kept: ``key_…``, ``apk_…``,
        ``con_…`` or ``user:7``."""
        if self.key is not None:
            return str(self.key.public_id)
        if self.api_key is not None:
            return str(self.api_key.public_id)
        if self.connection is not None:
            return str(self.connection.public_id)
        return f"user:{self.user.pk}" if self.user is not None else self.surface

    @property
    def ends_at(self) -> datetime | None:
        """When the credential expires by itself; None for one that does not."""
        return self.key.expires_at if self.key is not None else self.expires_at

    def require_scope(self, scope: str) -> None:
        """Raises ScopeMissing unless the credential carries `scope`. People at the console go by role instead."""
        if self.surface in ("agent_key", "api_key", "oauth") and scope not in self.scopes:
            raise ScopeMissing(scope)

    def require_role(self, least: Membership.Role) -> None:
        """Raises PermissionMissing unless a person's role is `least` or higher (viewer < member < admin < owner)."""
        if self.surface in ("console", "oauth") and ROLE_ORDER.index(Membership.Role(self.role)) < ROLE_ORDER.index(
            least
        ):
            raise PermissionMissing
