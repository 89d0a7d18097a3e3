"""Who is asking, as tables: people and accounts, agents' keys, OAuth, what staff did."""

from accounts.models.audit import AuditEntry
from accounts.models.keys import AgentKey, AgentKeyQuerySet, every_agent_scope
from accounts.models.oauth import (
    OAuthAccessToken,
    OAuthClient,
    OAuthConnection,
    OAuthConnectionQuerySet,
    OAuthGrant,
    OAuthIDToken,
    OAuthRefreshToken,
)
from accounts.models.people import Account, Membership, MonthlyUsage, Plan, User

__all__ = [
    "Account",
    "AgentKey",
    "AgentKeyQuerySet",
    "AuditEntry",
    "Membership",
    "MonthlyUsage",
    "OAuthAccessToken",
    "OAuthClient",
    "OAuthConnection",
    "OAuthConnectionQuerySet",
    "OAuthGrant",
    "OAuthIDToken",
    "OAuthRefreshToken",
    "Plan",
    "User",
    "every_agent_scope",
]
