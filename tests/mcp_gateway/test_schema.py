"""One serializer, two readings: JSON Schema for clients, checks for what they send."""

from typing import Any

import pytest
from rest_framework import serializers

from accounts.errors import InvalidArguments
from mcp_gateway import schema


class Shape(schema.Arguments):
    text = schema.Text(str.strip, help_text="What to look for.")
    kind = serializers.ChoiceField(["decision", "fact"], required=False)
    topics = serializers.ListField(child=serializers.CharField(), required=False)
    limit = serializers.IntegerField(required=False)
    exact = serializers.BooleanField(required=False)


def test_the_schema_says_types_choices_descriptions_and_what_is_required() -> None:
    assert schema.json_schema(Shape) == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What to look for."},
            "kind": {"type": "string", "enum": ["decision", "fact"]},
            "topics": {"type": "array", "items": {"type": "string"}},
            "limit": {"type": "integer"},
            "exact": {"type": "boolean"},
        },
        "required": ["text"],
    }


def test_what_fits_comes_out_as_the_check_returns_it() -> None:
    assert schema.validated(Shape, {"text": " x ", "limit": 3}) == {"text": "x", "limit": 3}


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, "text"),
        (None, "text"),
        ({"text": 7}, "text"),
        ({"text": None}, "text"),
        ({"text": True}, "text"),
        ({"text": ["x"]}, "text"),
        ({"text": "x", "depth": 3}, "depth"),
        ({"text": "x", "kind": "rumour"}, "kind"),
        ([], "arguments"),
        ("text", "arguments"),
        (7, "arguments"),
    ],
    ids=repr,
)
def test_what_does_not_fit_is_named(given: Any, named: str) -> None:
    with pytest.raises(InvalidArguments) as refusal:
        schema.validated(Shape, given)

    assert refusal.value.argument == named
    assert f"`{named}`" in refusal.value.message


@pytest.mark.parametrize("name", ["", "\x00", "\ud800", "a" * 5000, "a\nb"], ids=ascii)
def test_a_strange_name_is_named_in_a_form_that_can_be_shown_and_kept(name: str) -> None:
    with pytest.raises(InvalidArguments) as refusal:
        schema.validated(Shape, {"text": "x", name: 1})

    assert refusal.value.message.isprintable()
    assert len(refusal.value.message) < 120
