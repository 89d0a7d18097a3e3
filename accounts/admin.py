"""Staff admin: people, accounts, members, plans and keys (never a secret)."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from accounts import revocations, second_factor, sessions, stewardship, support_access
from accounts.models import (
    Account,
    AgentKey,
    AlertSettings,
    ApiKey,
    AuditEntry,
    Membership,
    MonthlyUsage,
    OAuthAccessToken,
    OAuthClient,
    OAuthConnection,
    OAuthGrant,
    OAuthIDToken,
    OAuthRefreshToken,
    Plan,
    User,
    WebhookDelivery,
)
from accounts.oauth import connections
from accounts.staff_admin import Audited, ReadOnlyAdmin, StaffAdmin, reasoned

admin.site.unregister(Group)
# The toolkit brings pages for each of its tables. Staff look at clients and connections; codes and tokens are inside.
admin.site.unregister([OAuthClient, OAuthGrant, OAuthAccessToken, OAuthRefreshToken, OAuthIDToken])
# Secrets of the second step and keys of sessions are on no page at all; what staff do to addresses is audited below.
admin.site.unregister([Authenticator, UserSession, EmailAddress])


@admin.register(User)
class PersonAdmin(Audited, UserAdmin, ModelAdmin):  # type: ignore[type-arg, misc]
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    ordering = ["email"]
    list_display = ["email", "name", "has_second_step", "is_staff", "is_active", "date_joined"]
    list_filter = ["is_staff", "is_active"]
    search_fields = ["email", "name"]
    filter_horizontal = ["user_permissions"]
    fieldsets = [
        (None, {"fields": ["email", "name", "password"]}),
        ("May", {"fields": ["is_active", "is_staff", "is_superuser", "user_permissions"]}),
        ("When", {"fields": ["last_login", "date_joined"]}),
    ]
    readonly_fields = ["last_login", "date_joined"]
    add_fieldsets = [(None, {"fields": ["email", "password1", "password2"]})]
    actions = [
        reasoned(
            "switch_off_second_step",
            "Switch off the second step: for who lost phone and codes, and was recognised",
            second_factor.switch_off,
        ),
        reasoned("sign_out", "Sign out: every browser of theirs has to sign in again", sessions.end_all),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        steps = Authenticator.objects.filter(user=OuterRef("pk"), type__in=[second_factor.APP, second_factor.PASSKEY])
        queryset: QuerySet[User] = super().get_queryset(request).annotate(second_step=Exists(steps))
        return queryset

    @admin.display(description="second step", ordering="second_step", boolean=True)
    def has_second_step(self, person: Any) -> bool:
        is_on: bool = person.second_step
        return is_on

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not obj.is_active:
            connections.end_streams(membership__user=obj)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        connections.end_streams(membership__user=obj)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        connections.end_streams(membership__user__in=list(queryset))
        super().delete_queryset(request, queryset)


@admin.register(EmailAddress)
class EmailAddressAdmin(StaffAdmin):
    list_display = ["email", "user", "primary", "verified"]
    list_select_related = ["user"]
    list_filter = ["primary", "verified"]
    search_fields = ["email", "user__email"]
    autocomplete_fields = ["user"]


@admin.register(Plan)
class PlanAdmin(StaffAdmin):
    list_display = [
        "title",
        "name",
        "monthly_retrievals",
        "hourly_attempts",
        "monthly_operations",
        "minutely_operations",
    ]


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Membership
    extra = 0
    autocomplete_fields = ["user"]

    # Staff who could make themselves members could read what the account shows nobody of the staff.
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_open(obj) and super().has_add_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_open(obj) and super().has_change_permission(request, obj)


def _is_open(account: Any) -> bool:
    return not isinstance(account, Account) or support_access.is_on(account)


@admin.register(Account)
class AccountAdmin(StaffAdmin):
    list_display = [
        "name",
        "public_id",
        "plan",
        "memory_mode",
        "member_count",
        "support_access",
        "suspended_at",
        "created_at",
    ]
    list_select_related = ["plan"]
    list_filter = [
        "plan",
        "memory_mode",
        "support_access",
        ("suspended_at", admin.EmptyFieldListFilter),
        ("closed_at", admin.EmptyFieldListFilter),
    ]
    search_fields = ["name", "public_id"]
    # Support access is the owner's to give, and suspending wants a reason.
    readonly_fields = ["public_id", "created_at", "closed_at", "suspended_at", "support_access", "support_until"]
    inlines = [MembershipInline]
    actions = [
        reasoned("suspend", "Suspend: nothing of the account answers until it is resumed", stewardship.suspend),
        reasoned("resume", "Resume: the account answers again", stewardship.resume),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Account]:
        members = Membership.objects.filter(account=OuterRef("pk")).values("account").annotate(n=Count("pk"))
        counted = Coalesce(Subquery(members.values("n"), output_field=IntegerField()), 0)
        queryset: QuerySet[Account] = super().get_queryset(request).annotate(member_count=counted)
        return queryset

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        for member in (each.instance for each in formset.deleted_forms):
            connections.end_streams(membership=member)
        super().save_formset(request, form, formset, change)

    def delete_model(self, request: HttpRequest, obj: Account) -> None:
        revocations.announce_all(obj.pk)
        super().delete_model(request, obj)

    @admin.display(description="members", ordering="member_count")
    def member_count(self, account: Any) -> int:
        count: int = account.member_count
        return count


@admin.register(AgentKey)
class AgentKeyAdmin(ReadOnlyAdmin):
    plain = ["name", "prefix", "scopes", "last_client"]
    list_display = ["name", "prefix", "account", "state", "last_used_at", "last_client", "created_at"]
    list_select_related = ["account"]
    search_fields = ["name", "prefix", "public_id", "account__name", "account__public_id"]
    exclude = ["key_hash"]
    actions = [reasoned("revoke", "Revoke: the key stops at once", stewardship.revoke_key)]


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    plain = ["name", "prefix", "permissions"]
    list_display = ["name", "prefix", "account", "state", "rate_limit_per_minute", "last_used_at", "created_at"]
    list_select_related = ["account"]
    search_fields = ["name", "prefix", "public_id", "account__name", "account__public_id"]
    exclude = ["key_hash"]
    actions = [reasoned("revoke", "Revoke: the product gets no more answers", stewardship.revoke_api_key)]


@admin.register(AlertSettings)
class AlertSettingsAdmin(ReadOnlyAdmin):
    list_display = ["account", "webhook_url", "overage_policy", "told_mode", "updated_at"]
    list_select_related = ["account"]
    list_filter = ["overage_policy", "told_mode"]
    search_fields = ["account__name", "account__public_id", "webhook_url"]
    exclude = ["webhook_secret"]


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnlyAdmin):
    plain = ["event", "last_error"]
    list_display = ["public_id", "account", "event", "state", "attempts", "last_error", "created_at", "finished_at"]
    list_select_related = ["account"]
    list_filter = ["state", "event"]
    search_fields = ["public_id", "event", "account__name", "account__public_id"]
    ordering = ["-created_at"]
    actions = [reasoned("resend", "Send again: one that failed gets its three tries anew", stewardship.resend)]


@admin.register(MonthlyUsage)
class MonthlyUsageAdmin(ReadOnlyAdmin):
    list_display = ["account", "period_start", "retrievals", "operations"]
    list_select_related = ["account"]
    search_fields = ["account__name", "account__public_id"]


@admin.register(OAuthClient)
class OAuthClientAdmin(ReadOnlyAdmin):
    list_display = ["name", "client_id", "registration_source", "connection_count", "created"]
    list_filter = ["registration_source"]
    search_fields = ["name", "client_id", "redirect_uris"]
    fields = ["name", "client_id", "client_type", "redirect_uris", "registration_source", "created"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OAuthClient]:
        living = OAuthConnection.objects.living().filter(client=OuterRef("pk")).order_by().values("client")
        counted = Coalesce(Subquery(living.annotate(n=Count("pk")).values("n"), output_field=IntegerField()), 0)
        queryset: QuerySet[OAuthClient] = super().get_queryset(request).annotate(connection_count=counted)
        return queryset

    @admin.display(description="living connections", ordering="connection_count")
    def connection_count(self, client: Any) -> int:
        count: int = client.connection_count
        return count

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields


@admin.register(OAuthConnection)
class OAuthConnectionAdmin(ReadOnlyAdmin):
    plain = ["redirect_uri", "scopes", "resource", "last_client"]
    list_display = ["public_id", "client", "account", "person", "state", "last_used_at", "last_client", "created_at"]
    list_select_related = ["account", "client", "membership__user"]
    search_fields = ["public_id", "client__name", "account__name", "account__public_id", "membership__user__email"]
    exclude = ["code_hash"]
    actions = [
        reasoned("revoke", "Revoke: the connection ends at once, with all of its tokens", stewardship.end_connection)
    ]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # A person or an account that is deleted takes its connections along, for which Django asks here.
        return request.user.is_superuser

    @admin.display(ordering="membership__user__email")
    def person(self, connection: OAuthConnection) -> str:
        return connection.membership.user.email


@admin.register(AuditEntry)
class AuditAdmin(ReadOnlyAdmin):
    plain = ["account_public_id", "by", "did", "thing", "thing_id", "reason"]
    list_display = ["at", "by", "did", "thing", "thing_id", "account_public_id", "reason"]
    list_filter = ["did", "thing"]
    search_fields = ["thing_id", "account_public_id", "by"]
    ordering = ["-id"]
    exclude = ["account"]
