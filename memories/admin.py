"""Staff admin: what company memory holds. Read-only: documents change through import and delete."""

from django.contrib import admin

from accounts.staff_admin import ReadOnlyAdmin
from memories.models import Document, Entity, Fact, Readiness, Relationship, Section, Source


@admin.register(Source)
class SourceAdmin(ReadOnlyAdmin):
    list_display = ["name", "kind", "account", "created_at"]
    list_select_related = ["account"]
    list_filter = ["kind"]
    search_fields = ["name", "public_id", "account__name", "account__public_id"]


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    list_display = ["path", "title", "account", "state", "error", "size", "updated_at"]
    list_select_related = ["account"]
    list_filter = ["state"]
    search_fields = ["path", "title", "public_id", "account__name", "account__public_id"]


@admin.register(Section)
class SectionAdmin(ReadOnlyAdmin):
    list_display = ["tree_path", "account", "document", "position"]
    list_select_related = ["account", "document"]
    search_fields = ["tree_path", "account__public_id"]
    exclude = ["vector", "words", "terms"]


@admin.register(Fact)
class FactAdmin(ReadOnlyAdmin):
    list_display = ["statement", "account", "document"]
    list_select_related = ["account", "document"]
    search_fields = ["statement", "account__public_id"]
    exclude = ["vector", "words", "terms"]


@admin.register(Entity)
class EntityAdmin(ReadOnlyAdmin):
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
