"""Who was asked to join an account, and has not yet."""

from django.db import models
from django.utils import timezone

from accounts.models.people import Account, Membership, User
from accounts.public_ids import PublicIdField


class Invitation(models.Model):
    """A link by mail that lets one person join an account, as what. Only the hash of what the link carries is kept."""

    public_id = PublicIdField("inv")
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=10, choices=Membership.Role, default=Membership.Role.MEMBER)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    invited_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(models.F("account"), models.functions.Lower("email"), name="invitation_once")
        ]

    def __str__(self) -> str:
        return f"{self.email} as {self.role}"

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()
