"""The keys of an account's agents."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from accounts import scopes
from accounts.models.people import Account, User
from accounts.public_ids import PublicIdField


class AgentKeyQuerySet(models.QuerySet["AgentKey"]):
    def of(self, account: Account) -> "AgentKeyQuerySet":
        return self.filter(account=account)

    def alive(self) -> "AgentKeyQuerySet":
        now = timezone.now()
        return self.filter(revoked_at=None).filter(models.Q(expires_at=None) | models.Q(expires_at__gt=now))


def every_agent_scope() -> list[str]:
    return list(scopes.AGENT)


class AgentKey(models.Model):
    """A key of an agent (``pam_mkey_…``). Only its hash is kept; the prefix is for people to recognise it by."""

    public_id = PublicIdField("key")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="agent_keys")
    created_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=20, editable=False)
    key_hash = models.CharField(max_length=64, unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=40), default=every_agent_scope)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_client = models.CharField(max_length=120, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AgentKeyQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["account", "created_at"], name="agentkey_by_account")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def state(self) -> str:
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.is_expired else "active"


def every_permission() -> list[str]:
    return list(scopes.API_KEY)


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    def of(self, account: Account) -> "ApiKeyQuerySet":
        return self.filter(account=account)

    def alive(self) -> "ApiKeyQuerySet":
        now = timezone.now()
        return self.filter(revoked_at=None).filter(models.Q(expires_at=None) | models.Q(expires_at__gt=now))


class ApiKey(models.Model):
    """A key of a product's back end (``mem_…``), for end-user memory. Only its hash is kept."""

    public_id = PublicIdField("apk")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="api_keys")
    created_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=20, editable=False)
    key_hash = models.CharField(max_length=64, unique=True, editable=False)
    permissions = ArrayField(models.CharField(max_length=10), default=every_permission)
    rate_limit_per_minute = models.PositiveIntegerField(default=60)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(rate_limit_per_minute__gte=1), name="apikey_rate_at_least_one")
        ]
        indexes = [models.Index(fields=["account", "created_at"], name="apikey_by_account")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @property
    def is_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def state(self) -> str:
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.is_expired else "active"
