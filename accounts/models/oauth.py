"""Clients, codes and tokens: DOT's models with an account, and the connection that holds them together.

A connection is one person's consent to one client, in one account, for one endpoint: what DOT calls a token family. It
hangs on the membership, so that it goes when the person leaves the account. Clients belong to no account: they register
before anybody has signed in, and one client serves people of many accounts.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from oauth2_provider.models import (
    AbstractAccessToken,
    AbstractApplication,
    AbstractGrant,
    AbstractIDToken,
    AbstractRefreshToken,
)

from accounts.models.people import Account, Membership
from accounts.public_ids import PublicIdField


class OAuthClient(AbstractApplication):  # type: ignore[misc]
    """A program that people can connect. DOT's "application"."""

    class Meta(AbstractApplication.Meta):  # type: ignore[misc]
        verbose_name = "OAuth client"

    @property
    def is_verified(self) -> bool:
        """Whether the operator entered it. One that registered itself may call itself anything."""
        return bool(self.registration_source == self.RegistrationSource.MANUAL)

    def redirect_uri_allowed(self, uri: str) -> bool:
        """DOT's comparison; a port like 99999 or a lone bracket, which it raises for, is simply not allowed."""
        try:
            allowed: bool = super().redirect_uri_allowed(uri)
        except ValueError:
            return False
        return allowed


class OAuthConnectionQuerySet(models.QuerySet["OAuthConnection"]):
    def of(self, account: Account) -> "OAuthConnectionQuerySet":
        return self.filter(account=account)

    def made(self) -> "OAuthConnectionQuerySet":
        """Without those whose code was never redeemed."""
        return self.exclude(redeemed_at=None)

    def living(self) -> "OAuthConnectionQuerySet":
        return self.made().filter(revoked_at=None, expires_at__gt=timezone.now())


class OAuthConnection(models.Model):
    """One consent, and everything that was given for it."""

    public_id = PublicIdField("con")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="oauth_connections")
    membership = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="oauth_connections")
    client = models.ForeignKey(OAuthClient, on_delete=models.CASCADE, related_name="connections")
    redirect_uri = models.TextField()
    scopes = ArrayField(models.CharField(max_length=40))
    resource = models.CharField(max_length=300)
    code_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    redeemed_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(help_text="When the refresh token of now ends.")
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_client = models.CharField(max_length=120, blank=True, editable=False)

    objects = OAuthConnectionQuerySet.as_manager()

    class Meta:
        verbose_name = "OAuth connection"
        indexes = [
            models.Index(fields=["account", "created_at"], name="connection_by_account"),
            models.Index(fields=["expires_at"], name="connection_by_end"),
        ]

    def __str__(self) -> str:
        return str(self.public_id)

    @property
    def state(self) -> str:
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at <= timezone.now() else "active"


class OAuthGrant(AbstractGrant):  # type: ignore[misc]
    """An authorization code, for a minute. `code` holds its hash."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(OAuthConnection, on_delete=models.CASCADE, related_name="+")

    class Meta(AbstractGrant.Meta):  # type: ignore[misc]
        verbose_name = "OAuth code"
        indexes = [models.Index(fields=["account", "connection"], name="grant_by_account")]


class OAuthIDToken(AbstractIDToken):  # type: ignore[misc]
    """Never written: OpenID Connect is off. DOT's access token refers to the model, so there has to be one."""

    class Meta(AbstractIDToken.Meta):  # type: ignore[misc]
        verbose_name = "OpenID token"


class OAuthAccessToken(AbstractAccessToken):  # type: ignore[misc]
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(OAuthConnection, on_delete=models.CASCADE, related_name="+")

    class Meta(AbstractAccessToken.Meta):  # type: ignore[misc]
        verbose_name = "OAuth access token"
        indexes = [models.Index(fields=["account", "connection"], name="access_token_by_account")]


class OAuthRefreshToken(AbstractRefreshToken):  # type: ignore[misc]
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(OAuthConnection, on_delete=models.CASCADE, related_name="+")

    class Meta(AbstractRefreshToken.Meta):  # type: ignore[misc]
        verbose_name = "OAuth refresh token"
        indexes = [
            *AbstractRefreshToken.Meta.indexes,
            models.Index(fields=["account", "connection"], name="refresh_token_by_account"),
        ]
