"""The shape of a tool's arguments, said once: a DRF serializer, from which the checks and the JSON Schema both come.

DRF is generous by default (a number passes for text, an unknown name is ignored). `Arguments` and `Text` are not: they
refuse a wrong type and an unknown argument by name (contract: company memory, error table).
"""

from collections.abc import Callable, Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import fields, serializers

from accounts.errors import InvalidArguments
from memories import redaction

#: What is named when no single argument is to blame.
WHOLE = "arguments"
_SHOWN = 60


@extend_schema_field(OpenApiTypes.STR)
class Text(serializers.Field[Any, Any, Any, Any]):
    """Text and nothing else. Its bounds are the service's: `check` returns the text, or raises InvalidArguments."""

    default_error_messages = {"required": "is missing", "null": "must be text", "invalid": "must be text"}

    def __init__(self, check: Callable[[str], str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.check = check

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return self.check(data)

    def to_representation(self, value: Any) -> str:
        return str(value)


class Arguments(serializers.Serializer[Any]):
    """The arguments of a tool: the declared fields, and no others."""

    default_error_messages = {"invalid": "must be an object with named values"}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = next((name for name in data if name not in self.fields), None)
            if unknown is not None:
                raise serializers.ValidationError({_printable(unknown): ["is not an argument of this tool"]})
        return super().to_internal_value(data)


def _printable(name: object) -> str:
    """A name of the caller's own making, safe to show and to keep: it may be anything, a key pasted by mistake too."""
    shown = "".join(character if character.isprintable() else "?" for character in str(name)[:_SHOWN])
    return redaction.cut(shown).text or "?"


def validated(shape: type[Arguments], given: object) -> dict[str, Any]:
    """`given` as the shape wants it. Raises InvalidArguments that names the first argument which is wrong."""
    arguments = shape(data={} if given is None else given)
    if arguments.is_valid():
        return dict(arguments.validated_data)
    name, reasons = next(iter(arguments.errors.items()))
    named = WHOLE if name == "non_field_errors" else name
    raise InvalidArguments(f"The argument `{named}` {str(reasons[0]).rstrip('.')}.", argument=named)


def json_schema(shape: type[Arguments]) -> dict[str, Any]:
    """JSON Schema of the shape: types, choices, descriptions and what is required, as `inputSchema` of a tool.

    Bounds are not in it: they are told in words, and a client that checked them would hide the server's clearer answer.
    """
    declared = shape().fields
    required = [name for name, field in declared.items() if field.required]
    schema: dict[str, Any] = {"type": "object", "properties": {name: _property(f) for name, f in declared.items()}}
    return {**schema, "required": required} if required else schema


# The first class that fits names the type.
_TYPES: list[tuple[type[serializers.Field[Any, Any, Any, Any]], str]] = [
    (fields.BooleanField, "boolean"),
    (fields.IntegerField, "integer"),
    (fields.FloatField, "number"),
    (fields.ListField, "array"),
    (fields.DictField, "object"),
    (Text, "string"),
    (fields.CharField, "string"),
    (fields.ChoiceField, "string"),
    (fields.DateTimeField, "string"),
]


def _property(field: Any) -> dict[str, Any]:
    described: dict[str, Any] = {"type": next(name for kind, name in _TYPES if isinstance(field, kind))}
    if field.help_text:
        described["description"] = str(field.help_text)
    if isinstance(field, fields.ChoiceField):
        described["enum"] = list(field.choices)
    if isinstance(field, fields.ListField) and field.child is not None:
        described["items"] = _property(field.child)
    return described
