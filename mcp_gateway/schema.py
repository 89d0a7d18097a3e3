"""JSON Schema of a tool's arguments, from the same shape that checks them (memories/api/strict.py)."""

from typing import Any

from rest_framework import fields, serializers

from memories.api.strict import Arguments, Text, Truth, Whole, validated

__all__ = ["Arguments", "Text", "Truth", "Whole", "json_schema", "validated"]


def json_schema(shape: type[Arguments]) -> dict[str, Any]:
    """JSON Schema of the shape: types, choices, descriptions and what is required, as `inputSchema` of a tool.

    Bounds are not in it: they are told in words, and a client that checked them would hide the server's clearer answer.
    """
    return _object(shape())


def _object(shape: serializers.BaseSerializer[Any]) -> dict[str, Any]:
    declared: dict[str, Any] = shape.fields  # type: ignore[attr-defined]
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
    if isinstance(field, serializers.ListSerializer):
        described: dict[str, Any] = {"type": "array", "items": _property(field.child)}
    elif isinstance(field, serializers.BaseSerializer):
        described = _object(field)
    else:
        described = {"type": next(name for kind, name in _TYPES if isinstance(field, kind))}
    if field.help_text:
        described["description"] = str(field.help_text)
    if isinstance(field, fields.ChoiceField):
        described["enum"] = list(field.choices)
    if isinstance(field, fields.ListField) and field.child is not None:
        described["items"] = _property(field.child)
    return described
