"""What staff see of texts: those of accounts with support access (`support_access.py`), and of no others.

Every column of a tenant table counts as a text unless its type holds none (numbers, moments, choices, ids) or its admin
page names it in `plain`: so a new column is hidden until somebody decides otherwise. Rows are changed as they come from
the database, so that lists, pages, names of related rows and suggestions all show the same. What is shown is never
saved: actions work on `whole` rows.
"""

from collections.abc import Iterator
from typing import Any, TypeVar

from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.db.models import BooleanField, ExpressionWrapper, QuerySet
from django.db.models.query import ModelIterable

from accounts import support_access
from accounts.public_ids import PublicIdField

HIDDEN = "(hidden: no support access)"
#: The annotation that says whether a row's texts may be read.
ALLOWED = "texts_allowed"
_TEXTLESS = (
    models.IntegerField,
    models.FloatField,
    models.DecimalField,
    models.BooleanField,
    models.DateField,
    models.TimeField,
    models.DurationField,
    models.UUIDField,
    PublicIdField,
)
Row = TypeVar("Row", bound=models.Model)


def is_tenants(model: type[models.Model]) -> bool:
    """Whether rows of the table belong to an account."""
    return any(field.name == "account" for field in model._meta.concrete_fields)


def is_text(field: Any) -> bool:
    """Whether a column may hold what an account wrote."""
    if field.is_relation or field.choices or isinstance(field, _TEXTLESS) or not is_tenants(field.model):
        return False
    page = admin.site._registry.get(field.model)
    return field.name not in getattr(page, "plain", ())


def leads_to_text(model: type[models.Model], path: str) -> bool:
    """Whether a lookup such as `^document__title__contains` reads a text; False for what is no column."""
    for part in path.lstrip("^=@").split("__"):
        try:
            field: Any = model._meta.get_field(part)
        except FieldDoesNotExist:
            return False
        if not field.is_relation:
            return is_text(field)
        model = field.related_model
    return False


def guarded(rows: "QuerySet[Row]") -> "QuerySet[Row]":
    """The same rows; of those whose account refuses, texts say HIDDEN."""
    if not is_tenants(rows.model):
        return rows
    allowed = ExpressionWrapper(support_access.allows("account__"), output_field=BooleanField())
    return _read_by(rows.annotate(**{ALLOWED: allowed}), _AsAllowed)


def whole(rows: "QuerySet[Row]") -> "QuerySet[Row]":
    """The rows as they are, for what is done to them."""
    return _read_by(rows.all(), ModelIterable)


def _read_by(rows: "QuerySet[Row]", reader: Any) -> "QuerySet[Row]":
    rows._iterable_class = reader
    return rows


class _AsAllowed(ModelIterable):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        for row in super().__iter__():
            if not getattr(row, ALLOWED, False):
                _hide(row)
            yield row


def _hide(row: models.Model) -> None:
    for field in row._meta.concrete_fields:
        if isinstance(field, models.ForeignKey):
            _hide_related(row, field)
        elif is_text(field):
            row.__dict__[field.attname] = HIDDEN


def _hide_related(row: models.Model, field: Any) -> None:
    """A row that is not loaded yet would be, with its texts, once its name is shown: one without takes its place."""
    model, key = field.related_model, row.__dict__.get(field.attname)
    texts = {each.attname for each in model._meta.concrete_fields if is_text(each)}
    if key is None or not texts:
        return
    if field.is_cached(row):
        _hide(field.get_cached_value(row))
        return
    names = [each.attname for each in model._meta.concrete_fields if each.primary_key or each.attname in texts]
    values = [HIDDEN if name in texts else key for name in names]
    field.set_cached_value(row, model.from_db(row._state.db, names, values))
