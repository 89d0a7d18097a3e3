"""What admin pages of every floor share: how big tables are paged, how logs are kept read-only, and that whatever staff
do is written to the audit log, with a reason where it is done to somebody's things."""

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, ClassVar, cast

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import LogEntry
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.functional import cached_property
from unfold.admin import ModelAdmin

from accounts import audit, staff_texts
from accounts.errors import InvalidArguments, PamError
from accounts.models import User

#: So many rows one action takes; the form carries each of them.
MOST_ROWS = 500
Deed = Callable[..., object]


class CheapPaginator(Paginator):  # type: ignore[type-arg]
    """Counts at most CEILING rows: a page of a large table must not scan all of it to say how many there are."""

    CEILING = 10_000

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Model]", self.object_list)
        return len(rows.order_by().values_list("pk", flat=True)[: self.CEILING])


class Audited:
    """What staff add, change and delete by the forms of an admin page goes to the audit log, too."""

    opts: Any

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Who may do what asks for a reason: staff who may change such rows, though not by a form."""
        return cast(User, request.user).has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        entry: LogEntry = super().log_addition(request, obj, message)  # type: ignore[misc]
        audit.write(cast(User, request.user), "add", obj, reason="By the form.")
        return entry

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        entry: LogEntry = super().log_change(request, obj, message)  # type: ignore[misc]
        told = f"By the form. {entry.get_change_message()}"[: audit.LONGEST_REASON]
        audit.write(cast(User, request.user), "change", obj, reason=told)
        return entry

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> Any:
        for row in queryset:
            audit.write(cast(User, request.user), "delete", row, reason="By the form.")
        return super().log_deletions(request, queryset)  # type: ignore[misc]


class StaffAdmin(Audited, ModelAdmin):  # type: ignore[misc]
    """Lists a tenant's rows by account, without counting the whole table, and without texts where the account refuses.

    plain    the columns of words that are no text of the account's: staff see, search and sort by them everywhere
    """

    paginator = CheapPaginator
    show_full_result_count = False
    list_per_page = 50
    plain: ClassVar[list[str]] = []

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return staff_texts.guarded(super().get_queryset(request))

    def get_search_results(self, request: HttpRequest, queryset: "QuerySet[Any]", search_term: str) -> Any:
        """Texts are searched where they may be read; names and ids everywhere."""
        fields = list(self.get_search_fields(request))
        plain = [field for field in fields if not staff_texts.leads_to_text(self.model, field)]
        if not search_term or plain == fields:
            return super().get_search_results(request, queryset, search_term)
        readable = queryset.filter(**{staff_texts.ALLOWED: True})
        found = Q(pk__in=self._searched(request, readable, search_term, fields))
        if plain:
            found |= Q(pk__in=self._searched(request, queryset, search_term, plain))
        return queryset.filter(found), False

    def _searched(self, request: HttpRequest, queryset: "QuerySet[Any]", words: str, fields: list[str]) -> Any:
        page = copy(self)
        page.search_fields = fields
        rows, _ = super(StaffAdmin, page).get_search_results(request, queryset, words)
        return rows.order_by().values("pk")

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """No address asks for a part of a text: how many rows come back would tell it, and it would read them all."""
        allowed: bool = super().lookup_allowed(lookup, value, request)
        return allowed and not staff_texts.leads_to_text(self.model, lookup)

    def get_sortable_by(self, request: HttpRequest) -> list[Any]:
        columns = super().get_sortable_by(request)
        return [each for each in columns if not (isinstance(each, str) and staff_texts.leads_to_text(self.model, each))]


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


def reasoned(name: str, description: str, deed: Deed) -> Callable[..., TemplateResponse | None]:
    """An admin action that asks why, then does `deed(staff, row, reason=…)` to each row, each for itself.

    What a deed refuses (PamError) is told beside the row's id, and the others are done all the same.
    """

    @admin.action(description=description, permissions=["act"])
    def act(page: StaffAdmin, request: HttpRequest, queryset: "QuerySet[Any]") -> TemplateResponse | None:
        chosen = queryset.order_by("pk")[: MOST_ROWS + 1]
        rows = list(chosen)
        wrong = _wrong(request, rows)
        if wrong is not None:
            return _ask(page, request, rows, name=name, description=description, wrong=wrong)
        done = [row for row in staff_texts.whole(chosen) if _done(request, row, deed)]
        messages.success(request, f"{description.partition(':')[0]}: done to {len(done)} of {len(rows)}.")
        return None

    act.__name__ = name
    return act


def _wrong(request: HttpRequest, rows: list[Any]) -> str | None:
    """What keeps the deed from being done: nothing yet ("") where the reason has still to be asked for."""
    if len(rows) > MOST_ROWS:
        return f"Choose at most {MOST_ROWS} rows."
    if "reason" not in request.POST:
        return ""
    try:
        audit.because(request.POST["reason"])
    except InvalidArguments as error:
        return error.message
    return None


def _done(request: HttpRequest, row: Any, deed: Deed) -> bool:
    try:
        with transaction.atomic():
            deed(cast(User, request.user), row, reason=request.POST["reason"])
    except PamError as error:
        messages.error(request, f"{getattr(row, 'public_id', row.pk)}: {error.message}")
        return False
    return True


def _ask(page: StaffAdmin, request: HttpRequest, rows: list[Any], **more: str) -> TemplateResponse:
    context = {
        **page.admin_site.each_context(request),
        "title": more["description"],
        "opts": page.model._meta,
        "rows": rows[:MOST_ROWS],
        "checkbox": ACTION_CHECKBOX_NAME,
        "longest": audit.LONGEST_REASON,
        "given": request.POST.get("reason", ""),
        **more,
    }
    return TemplateResponse(request, "staff/reason.html", context)
