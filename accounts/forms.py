"""What people fill in."""

from datetime import datetime, timedelta
from typing import Any

from allauth.account import forms as allauth_forms
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from accounts import account_settings, api_keys, membership, scopes, support_access, team
from accounts.caller import Caller
from accounts.models import Account, Invitation, Membership, User

TAKEN = "Somebody signed up with this email address a moment ago. Sign in instead, or reset the password."


class SignupForm(allauth_forms.SignupForm):  # type: ignore[misc]
    """Email, password and the organisation's name: signing up makes a person and an account, both or neither."""

    organisation = forms.CharField(
        label="Organisation",
        max_length=120,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
        help_text="Your company or team. Its documents and keys are kept apart from everybody else's.",
    )
    field_order = ["organisation", "email", "password1"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "Work email"
        self.fields["password1"].help_text = "At least 10 characters. A few unrelated words are easy to remember."
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        if self.invitation is not None:
            # Whoever was invited joins an account instead of making one.
            del self.fields["organisation"]
            self.fields["email"].initial = self.invitation.email

    @property
    def invitation(self) -> Invitation | None:
        """The one that the person at this browser follows."""
        secret = context.request.session.get(team.FOLLOWED, "") if context.request is not None else ""
        return team.invitation(secret)

    def clean_email(self) -> str:
        email: str = super().clean_email()
        invited = self.invitation
        if invited is not None and invited.email.casefold() != email.casefold():
            raise forms.ValidationError(f"This invitation is for {invited.email}.")
        return email

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        try:
            with transaction.atomic():
                saved: tuple[User | None, HttpResponse | None] = super().try_save(request)
        except IntegrityError as error:
            # Two sign-ups with one address at the same moment: the database let the other one in.
            messages.error(request, TAKEN)
            raise ImmediateHttpResponse(redirect("account_login")) from error
        return saved

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        """Called by allauth once the person is saved."""
        if "organisation" in self.cleaned_data:
            membership.found(self.cleaned_data["organisation"], owner=user)
        else:
            team.accept(request.session.pop(team.FOLLOWED, ""), user)


class Expiring(forms.Form):
    """How long a new key works."""

    LIFETIMES = [("", "Never"), ("30", "In 30 days"), ("90", "In 90 days"), ("365", "In a year")]

    days = forms.ChoiceField(label="Expires", choices=LIFETIMES, required=False)

    @property
    def expires_at(self) -> datetime | None:
        days = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=int(days)) if days else None


class KeyForm(Expiring):
    """What a new agent key is called, what it may do, and how long."""

    name = forms.CharField(
        label="Name",
        max_length=80,
        help_text="Where it is used, so that you know later which one to stop.",
        widget=forms.TextInput(attrs={"placeholder": "Claude Code on my laptop", "autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label="It may",
        choices=list(scopes.AGENT.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick at least one: a key that may do nothing is of no use."},
    )


class ApiKeyForm(Expiring):
    """The same for an API key of a product, and how often a minute it may ask."""

    name = forms.CharField(
        label="Name",
        max_length=80,
        help_text="Which product or server uses it.",
        widget=forms.TextInput(attrs={"placeholder": "Support chat, production", "autocomplete": "off"}),
    )
    rate_limit_per_minute = forms.IntegerField(
        label="Requests a minute", min_value=1, max_value=api_keys.MAX_RATE, initial=api_keys.DEFAULT_RATE
    )
    permissions = forms.MultipleChoiceField(
        label="It may",
        choices=list(scopes.API_KEY.items()),
        initial=[scopes.READ, scopes.WRITE],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick at least one: a key that may do nothing is of no use."},
    )

    @property
    def wanted(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("name", "rate_limit_per_minute", "permissions")}


class InvitationForm(forms.Form):
    """Whom to invite, and as what: a person may make others what they are themselves, and less."""

    email = forms.EmailField(
        label="Their work email", max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "off"})
    )
    role = forms.ChoiceField(label="As", initial=Membership.Role.MEMBER)

    def __init__(self, *args: Any, caller: Caller, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["role"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = self.roles_for(caller)

    @staticmethod
    def roles_for(caller: Caller) -> list[tuple[str, str]]:
        return [(role, told) for role, told in ROLES if role != Membership.Role.OWNER or caller.role == role]


ROLES = [
    (str(Membership.Role.VIEWER), "Viewer: looks at everything, changes nothing"),
    (str(Membership.Role.MEMBER), "Member: imports, mints agent keys, records"),
    (str(Membership.Role.ADMIN), "Admin: also manages people, API keys and settings"),
    (str(Membership.Role.OWNER), "Owner: also makes owners and closes the account"),
]


class SupportForm(forms.Form):
    """Whether the installation's staff may read the account's texts, and up to when."""

    on = forms.BooleanField(label="Staff of this installation may read our texts", required=False)
    until = forms.DateField(
        label="Up to and with (UTC)",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="Empty: until an owner ends it.",
    )

    @classmethod
    def of(cls, account: Account) -> "SupportForm":
        return cls(initial={"on": support_access.is_on(account), "until": account.support_until})


class AccountForm(forms.Form):
    """The account's own settings."""

    name = forms.CharField(label="Name", max_length=120, widget=forms.TextInput(attrs={"autocomplete": "organization"}))
    log_retention_days = forms.IntegerField(
        label="Days that the request log is kept",
        min_value=account_settings.LEAST_DAYS,
        max_value=account_settings.MOST_DAYS,
        help_text="Older entries are deleted within the hour.",
    )

    @classmethod
    def of(cls, account: Account) -> "AccountForm":
        return cls(initial={"name": account.name, "log_retention_days": account.log_retention_days})
