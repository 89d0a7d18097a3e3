"""A row in every table of an account that staff admin shows, found by its registry, with a word in every text."""

import uuid
from typing import Any

from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from accounts import isolation, staff_texts
from accounts.models import Account, Membership, User
from tests.cast import Person

TENANTS = [model for model in admin.site._registry if staff_texts.is_tenants(model)]


def every_table(who: Person, word: str) -> dict[Any, Any]:
    """The rows by their model."""
    made = Planted(who, word)
    with isolation.account(who.account.pk):
        for model in TENANTS:
            made.row(model)
    return made.rows


class Planted:
    def __init__(self, who: Person, word: str) -> None:
        self.who, self.word, self.rows = who, word, dict[Any, Any]()

    def row(self, model: Any) -> Any:
        if model is User:
            return self.who.user
        if model is Account:
            return self.who.account
        if model is Membership:
            return Membership.objects.get(account=self.who.account, user=self.who.user)
        if model not in self.rows:
            self.rows[model] = None
            fields = [field for field in model._meta.concrete_fields if not field.primary_key and not field.generated]
            filled = {field.name: self.value(field) for field in fields}
            self.rows[model] = model(**{name: value for name, value in filled.items() if value is not ...})
            models.Model.save_base(self.rows[model], raw=True, force_insert=True)
        return self.rows[model]

    def value(self, field: Any) -> Any:
        if field.is_relation:
            ours = field.name == "account" or staff_texts.is_tenants(field.related_model)
            return self.row(field.related_model) if ours or not field.null else ...
        if staff_texts.is_text(field):
            return filler(field, self.word)
        if field.has_default() or field.null:
            return ...
        return field.choices[0][0] if field.choices else filler(field, "plain")


def filler(field: Any, word: str) -> Any:
    if isinstance(field, ArrayField):
        return [word] if isinstance(field.base_field, models.CharField) else []
    if isinstance(field, models.JSONField):
        return {word: word}
    if isinstance(field, models.BinaryField):
        return word.encode()
    if isinstance(field, models.CharField | models.TextField):
        return word + uuid.uuid4().hex[:8] if field.unique else word
    if isinstance(field, models.DateField):
        now = timezone.now()
        return now if isinstance(field, models.DateTimeField) else now.date()
    if isinstance(field, models.UUIDField):
        return uuid.uuid4()
    return 0 if isinstance(field, models.IntegerField | models.FloatField) else ...
