"""Shapes that take what they declare and nothing else: for the arguments of tools, and for surfaces as strict as them.

DRF is generous by default (a number passes for text, an unknown name is ignored). These are not: a wrong type and an
unknown argument are refused by name. Bounds are the services' to check; here are names and types only.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.settings import api_settings

from accounts.errors import InvalidArguments
from memories import redaction

#: What is named when no single argument is to blame.
WHOLE = "arguments"
_SHOWN = 60


@extend_schema_field(OpenApiTypes.STR)
class Text(serializers.Field[Any, Any, Any, Any]):
    """Text and nothing else. `check` returns the text as it is to be used, or raises InvalidArguments."""

    default_error_messages = {"required": "is missing", "null": "must be text", "invalid": "must be text"}

    def __init__(self, check: Callable[[str], str] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.check = check

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return self.check(data) if self.check else data

    def to_representation(self, value: Any) -> str:
        return str(value)


class Whole(serializers.IntegerField):
    """A whole number as JSON has it; as digits only where it comes in a query, which has nothing but text."""

    default_error_messages = {"invalid": "must be a whole number", "null": "must be a whole number"}

    def to_internal_value(self, data: Any) -> int:
        is_number = isinstance(data, int) and not isinstance(data, bool)
        if not is_number and not (self.context.get("is_query") and isinstance(data, str)):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class Truth(serializers.BooleanField):
    """true or false as JSON has them; as words only where they come in a query."""

    default_error_messages = {"invalid": "must be true or false", "null": "must be true or false"}

    def to_internal_value(self, data: Any) -> bool:
        if isinstance(data, bool):
            return data
        if not self.context.get("is_query") or data not in ("true", "false"):
            self.fail("invalid")
        return bool(data == "true")


class Texts(serializers.ListField):
    child = Text()
    default_error_messages = {"not_a_list": "must be a list of texts", "null": "must be a list of texts"}


class Arguments(serializers.Serializer[Any]):
    """The declared fields, and no others; `unknown` says so to who sent another."""

    unknown = "is not an argument of this tool"
    default_error_messages = {"invalid": "must be an object with named values", "null": "must be an object"}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = next((name for name in data if name not in self.fields), None)
            if unknown is not None:
                raise serializers.ValidationError({_printable(unknown): [self.unknown]})
        return super().to_internal_value(data)


def _printable(name: object) -> str:
    """A name of the caller's own making, safe to show and to keep: it may be anything, a key pasted by mistake too."""
    shown = "".join(character if character.isprintable() else "?" for character in str(name)[:_SHOWN])
    return redaction.cut(shown).text or "?"


def validated(shape: type[Arguments], given: object, *, is_query: bool = False) -> dict[str, Any]:
    """`given` as the shape wants it. Raises InvalidArguments that names the first argument which is wrong."""
    arguments = shape(data={} if given is None else given, context={"is_query": is_query})
    if arguments.is_valid():
        return dict(arguments.validated_data)
    path, reason = next(_reasons(arguments.errors), ([WHOLE], "are not valid"))
    named = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".") or WHOLE
    raise InvalidArguments(f"The argument `{named}` {reason.rstrip('.')}.", argument=named)


def _reasons(errors: Any) -> Iterator[tuple[list[str | int], str]]:
    """Every reason with the path to it. DRF numbers the items of a list, and leaves gaps where they are right."""
    if isinstance(errors, Mapping):
        for name, inner in errors.items():
            here = [] if name == api_settings.NON_FIELD_ERRORS_KEY else [name]
            yield from (([*here, *path], reason) for path, reason in _reasons(inner))
        return
    for number, inner in enumerate(errors):
        if isinstance(inner, str):
            yield [], str(inner)
        else:
            yield from (([number, *path], reason) for path, reason in _reasons(inner))
