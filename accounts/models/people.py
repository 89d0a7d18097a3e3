"""People, the accounts they belong to, and what an account may use."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.public_ids import PublicIdField


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):  # type: ignore[django-manager-missing]
    """A person. The e-mail address is the login, whatever its case."""

    email = models.EmailField(max_length=254, unique=True)
    name = models.CharField(max_length=150, blank=True)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_in_any_case_once")]

    def __str__(self) -> str:
        return self.email

    def get_full_name(self) -> str:
        return self.name or self.email

    def get_short_name(self) -> str:
        return self.name or self.email.partition("@")[0]


class Plan(models.Model):
    """What an account may use. Staff edit plans; -1 means without a limit."""

    UNLIMITED = -1

    name = models.SlugField(max_length=40, unique=True)
    title = models.CharField(max_length=80)
    monthly_retrievals = models.IntegerField(default=1000, help_text="Successful retrievals a month; -1 is unlimited.")
    hourly_attempts = models.IntegerField(default=100, help_text="Attempts in one UTC hour; -1 is unlimited.")
    monthly_operations = models.IntegerField(
        default=10_000,
        help_text="Calls that add to end-user memory or retrieve from it in a month; -1 is unlimited.",
    )
    minutely_operations = models.IntegerField(
        default=600, help_text="Requests to end-user memory in a minute, by all API keys together; -1 is unlimited."
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(monthly_retrievals__gte=-1), name="plan_monthly_not_below_minus_one"
            ),
            models.CheckConstraint(condition=models.Q(hourly_attempts__gte=-1), name="plan_hourly_not_below_minus_one"),
            models.CheckConstraint(
                condition=models.Q(monthly_operations__gte=-1), name="plan_operations_not_below_minus_one"
            ),
            models.CheckConstraint(
                condition=models.Q(minutely_operations__gte=-1), name="plan_minutely_not_below_minus_one"
            ),
        ]

    def __str__(self) -> str:
        return self.title


def support_by_default() -> bool:
    """Whether staff may read the texts of a new account."""
    is_on: bool = settings.PAM_SUPPORT_ACCESS_DEFAULT
    return is_on


class Account(models.Model):
    """A tenant: one organisation's memory, and who may reach it.

    memory_mode    how end-user memory works for it, where staff set that by hand; empty: as the allowance says
    support_until  the last day (UTC) of support access; none: until an owner ends it
    """

    class MemoryMode(models.TextChoices):
        FULL = "FULL"
        PASSTHROUGH = "PASSTHROUGH"
        DEGRADED_RETRIEVE = "DEGRADED_RETRIEVE"
        BLOCKED = "BLOCKED"

    public_id = PublicIdField("acc")
    name = models.CharField(max_length=120)
    plan = models.ForeignKey(Plan, null=True, blank=True, on_delete=models.PROTECT, related_name="accounts")
    suspended_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    memory_mode = models.CharField(max_length=20, choices=MemoryMode, blank=True)
    log_retention_days = models.PositiveSmallIntegerField(default=90)
    support_access = models.BooleanField(default=support_by_default)
    support_until = models.DateField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    members = models.ManyToManyField(User, through="Membership", related_name="accounts")

    def __str__(self) -> str:
        return self.name

    @property
    def is_suspended(self) -> bool:
        return self.suspended_at is not None


class Membership(models.Model):
    """That a person belongs to an account, and as what."""

    class Role(models.TextChoices):
        OWNER = "owner"
        ADMIN = "admin"
        MEMBER = "member"
        VIEWER = "viewer"

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "user"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.account_id} as {self.role}"


class MonthlyUsage(models.Model):
    """What an account used in the month that starts at `period_start`: successful retrievals of company memory, and
    operations of end-user memory."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="monthly_usage")
    period_start = models.DateField()
    retrievals = models.PositiveIntegerField(default=0)
    operations = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "period_start"], name="usage_once_a_month")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.period_start}: {self.retrievals}"
