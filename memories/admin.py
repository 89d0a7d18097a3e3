"""Staff admin: what company memory and agent memory hold. Read-only: documents change through import and delete, what
agents recorded by moderation, with a reason."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.staff_admin import ReadOnlyAdmin, reasoned
from memories.agents import moderation, shown
from memories.end_user_admin import EndUserAdmin
from memories.end_users.conflicts import stewardship
from memories.models import (
    Conflict,
    Document,
    Entity,
    Fact,
    Readiness,
    Record,
    Relationship,
    Section,
    Source,
    Space,
    SpaceMember,
    Summary,
    Tombstone,
)
from memories.models.searchable import WIDE

__all__ = ["EndUserAdmin"]


@admin.register(Source)
class SourceAdmin(ReadOnlyAdmin):
    list_display = ["name", "kind", "account", "created_at"]
    list_select_related = ["account"]
    list_filter = ["kind"]
    search_fields = ["name", "public_id", "account__name", "account__public_id"]


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    plain = ["error"]
    list_display = ["path", "title", "account", "state", "error", "size", "updated_at"]
    list_select_related = ["account"]
    list_filter = ["state"]
    search_fields = ["path", "title", "public_id", "account__name", "account__public_id"]


@admin.register(Section)
class SectionAdmin(ReadOnlyAdmin):
    list_display = ["tree_path", "account", "document", "position"]
    list_select_related = ["account", "document"]
    search_fields = ["tree_path", "account__public_id"]
    exclude = WIDE


@admin.register(Fact)
class FactAdmin(ReadOnlyAdmin):
    list_display = ["statement", "account", "document"]
    list_select_related = ["account", "document"]
    search_fields = ["statement", "account__public_id"]
    exclude = WIDE


@admin.register(Entity)
class EntityAdmin(ReadOnlyAdmin):
    plain = ["type"]
    list_display = ["label", "type", "account"]
    list_select_related = ["account"]
    list_filter = ["type"]
    search_fields = ["label", "account__public_id"]


@admin.register(Relationship)
class RelationshipAdmin(ReadOnlyAdmin):
    list_display = ["subject", "predicate", "object", "account"]
    list_select_related = ["account", "subject", "object"]
    search_fields = ["subject__label", "object__label", "account__public_id"]


@admin.register(Readiness)
class ReadinessAdmin(ReadOnlyAdmin):
    list_display = ["account", "state", "documents", "documents_ready", "documents_failed", "facts", "unembedded"]
    list_select_related = ["account"]
    list_filter = ["state"]
    search_fields = ["account__name", "account__public_id"]


_ACTIONS = [
    reasoned("hide", "Hide: gone from every read at once", moderation.hide),
    reasoned("restore", "Restore what is hidden", moderation.restore),
    reasoned("delete", "Delete for good", moderation.delete),
]
_ACCOUNT = ("account__name", "account__public_id")


@admin.register(Record)
class RecordAdmin(ReadOnlyAdmin):
    list_display = ["public_id", "text", "kind", "status", "account", "space", "agent", "hidden_at", "created_at"]
    list_select_related = ["account", "space"]
    list_filter = ["kind", "status", ("hidden_at", admin.EmptyFieldListFilter)]
    search_fields = ["=public_id", *_ACCOUNT]
    ordering = ["-id"]
    actions = _ACTIONS
    exclude = [*shown.UNREAD, "text_hash"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Record]:
        rows: QuerySet[Record] = super().get_queryset(request).defer(*shown.UNREAD)
        return rows


@admin.register(Summary)
class SummaryAdmin(ReadOnlyAdmin):
    list_display = ["public_id", "agent", "session", "trigger", "account", "space", "hidden_at", "created_at"]
    list_select_related = ["account", "space"]
    list_filter = ["trigger", ("hidden_at", admin.EmptyFieldListFilter)]
    search_fields = ["=public_id", *_ACCOUNT]
    ordering = ["-id"]
    actions = _ACTIONS
    exclude = ["content_hash"]


class MemberInline(admin.TabularInline):  # type: ignore[type-arg]
    """Who is listed; people of the account change it, not staff."""

    model = SpaceMember
    extra = 0
    fields = ["user", "can_write"]
    readonly_fields = ["user", "can_write"]
    can_delete = False

    def has_add_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Space)
class SpaceAdmin(ReadOnlyAdmin):
    list_display = ["name", "public_id", "access", "account", "hidden_at", "created_at"]
    list_select_related = ["account"]
    list_filter = ["access", ("hidden_at", admin.EmptyFieldListFilter)]
    search_fields = ["=public_id", "name", *_ACCOUNT]
    ordering = ["-id"]
    inlines = [MemberInline]
    actions = _ACTIONS


@admin.register(Tombstone)
class TombstoneAdmin(ReadOnlyAdmin):
    plain = ["thing_id", "deleted_by"]
    list_display = ["thing_id", "thing", "account", "deleted_by", "deleted_at"]
    list_select_related = ["account"]
    list_filter = ["thing"]
    search_fields = ["=thing_id", *_ACCOUNT]
    ordering = ["-id"]


@admin.register(Conflict)
class ConflictAdmin(ReadOnlyAdmin):
    plain = ["resolved_by"]
    list_display = ["public_id", "account", "end_user", "statement", "outcome", "keep", "resolved_by", "created_at"]
    list_select_related = ["account", "end_user"]
    list_filter = ["outcome", ("resolved_at", admin.EmptyFieldListFilter)]
    search_fields = ["=public_id", "=end_user__external_id", *_ACCOUNT]
    ordering = ["-id"]
    actions = [
        reasoned("keep_older", "Settle: keep the older one", stewardship.keep_older),
        reasoned("keep_newer", "Settle: keep the newer one", stewardship.keep_newer),
        reasoned("keep_both", "Settle: keep both", stewardship.keep_both),
    ]
