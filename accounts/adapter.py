"""What allauth asks of us."""

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Messages of allauth go out as they are; pages are ours by template."""
