"""What admin pages of every floor share: how big tables are paged, and how logs are kept read-only."""

from typing import Any, cast

from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from unfold.admin import ModelAdmin


class CheapPaginator(Paginator):  # type: ignore[type-arg]
    """Counts at most CEILING rows: a page of a large table must not scan all of it to say how many there are."""

    CEILING = 10_000

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Model]", self.object_list)
        return len(rows.order_by().values_list("pk", flat=True)[: self.CEILING])


class StaffAdmin(ModelAdmin):  # type: ignore[misc]
    """Lists a tenant's rows by account, without counting the whole table."""

    paginator = CheapPaginator
    show_full_result_count = False
    list_per_page = 50


class ReadOnlyAdmin(StaffAdmin):
    """Rows that staff look at and nobody edits by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return [field.name for field in self.model._meta.fields if field.name not in (self.exclude or ())]
