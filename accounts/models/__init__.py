"""Who is asking, as tables: people and accounts, agents' keys, OAuth, what staff did."""

from accounts.models.audit import AuditEntry
from accounts.models.keys import (
    AgentKey,
    AgentKeyQuerySet,
    ApiKey,
    ApiKeyQuerySet,
    every_agent_scope,
    every_permission,
)
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
from accounts.models.team import Invitation
from accounts.models.webhooks import AlertSettings, WebhookDelivery

__all__ = [
    "Account",
    "AgentKey",
    "AgentKeyQuerySet",
    "AlertSettings",
    "ApiKey",
    "ApiKeyQuerySet",
    "AuditEntry",
    "Invitation",
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
    "WebhookDelivery",
    "every_agent_scope",
    "every_permission",
]
