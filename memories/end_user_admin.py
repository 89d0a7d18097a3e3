"""Staff admin: end users and what is kept of them. Texts are read-only; whoever is erased goes by the service, with a
reason. Loaded by admin.py."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.staff_admin import ReadOnlyAdmin, reasoned
from memories.end_users import erasure, lifecycle, moderation
from memories.end_users.intake import retrying
from memories.models import (
    DomainProfile,
    EndUser,
    Erasure,
    ExtractionJob,
    HiddenMemory,
    LifecycleRun,
    Memory,
    MemoryVersion,
    PendingCandidate,
)
from memories.models.searchable import WIDE

_ACCOUNT = ("account__name", "account__public_id")
_WHOSE = ("=end_user__external_id", *_ACCOUNT)


@admin.register(EndUser)
class EndUserAdmin(ReadOnlyAdmin):
    plain = ["external_id"]
    list_display = ["external_id", "account", "created_at", "last_seen_at", "blocked_at"]
    list_select_related = ["account"]
    list_filter = [("blocked_at", admin.EmptyFieldListFilter)]
    search_fields = ["external_id", *_ACCOUNT]
    ordering = ["-id"]
    actions = [reasoned("erase", "Erase for good: everything of them, everywhere", erasure.by_staff)]


@admin.register(Memory)
class MemoryAdmin(ReadOnlyAdmin):
    list_display = ["content", "category", "importance_score", "end_user", "account", "is_archived", "created_at"]
    list_select_related = ["account", "end_user"]
    list_filter = ["category", "is_archived"]
    search_fields = ["=public_id", *_WHOSE]
    ordering = ["-id"]
    exclude = [*WIDE, "is_indexed", "content_hash"]
    actions = [
        reasoned("hide", "Hide: gone from every read at once, to be restored whole", moderation.hide),
        reasoned("delete", "Delete for good, with its history", moderation.delete),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Memory]:
        rows: QuerySet[Memory] = super().get_queryset(request).defer(*WIDE)
        return rows


@admin.register(HiddenMemory)
class HiddenMemoryAdmin(ReadOnlyAdmin):
    plain = ["hidden_by"]
    list_display = ["content", "end_user", "account", "hidden_by", "hidden_at"]
    list_select_related = ["account", "end_user"]
    search_fields = ["=public_id", *_WHOSE]
    ordering = ["-id"]
    actions = [
        reasoned("restore", "Restore: it is told again, as it was", moderation.restore_hidden),
        reasoned("delete", "Delete for good", moderation.delete_hidden),
    ]


@admin.register(MemoryVersion)
class MemoryVersionAdmin(ReadOnlyAdmin):
    list_display = ["content", "version", "change_type", "reason", "end_user", "account", "created_at"]
    list_select_related = ["account", "end_user"]
    list_filter = ["change_type"]
    search_fields = ["=memory__public_id", *_WHOSE]
    ordering = ["-id"]
    # The memory's own page shows it; the name of a link would read the row of each.
    exclude = ["memory"]


@admin.register(PendingCandidate)
class PendingCandidateAdmin(ReadOnlyAdmin):
    list_display = ["content", "category", "confidence_score", "end_user", "account", "created_at"]
    list_select_related = ["account", "end_user"]
    search_fields = [*_WHOSE]
    ordering = ["-id"]


@admin.register(ExtractionJob)
class ExtractionJobAdmin(ReadOnlyAdmin):
    plain = ["error_summary", "source_service", "source_event_id"]
    list_display = ["public_id", "status", "attempts", "error_summary", "end_user", "account", "queued_at"]
    list_select_related = ["account", "end_user"]
    list_filter = ["status"]
    search_fields = ["=public_id", "=source_event_id", *_WHOSE]
    ordering = ["-id"]
    actions = [reasoned("retry", "Try again: a job that was given up gets its three tries anew", retrying.retry)]


@admin.register(DomainProfile)
class DomainProfileAdmin(ReadOnlyAdmin):
    plain = ["domain"]
    list_display = ["domain", "end_user", "account", "schema_version", "last_extraction_at"]
    list_select_related = ["account", "end_user"]
    list_filter = ["domain"]
    search_fields = [*_WHOSE]
    ordering = ["-id"]


@admin.register(Erasure)
class ErasureAdmin(ReadOnlyAdmin):
    plain = ["erased_by"]
    list_display = ["erased_at", "account", "erased_by", "memories_removed", "swept_at"]
    list_select_related = ["account"]
    search_fields = [*_ACCOUNT]
    ordering = ["-id"]


@admin.register(LifecycleRun)
class LifecycleRunAdmin(ReadOnlyAdmin):
    plain = ["reason"]
    list_display = ["day", "account", "state", "live", "due", "due_archived", "decayed", "archived", "reason"]
    list_select_related = ["account"]
    list_filter = ["state"]
    search_fields = [*_ACCOUNT]
    ordering = ["-id"]
    actions = [reasoned("let_it_run", "Let it run once, however much it changes", lifecycle.let_it_run_by_staff)]
