"""What a caller of the REST surfaces reads when single fields of a body are wrong."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.exceptions import ErrorDetail, ValidationError

from pam import rest
from tests.browsing import signed_in
from tests.cast import Person
from tests.requirements import requirement


@requirement("rest:errors:sentence")
@pytest.mark.parametrize(
    ("detail", "message"),
    [
        ({"name": [ErrorDetail("This field is required.")]}, "name: This field is required."),
        ({"turns": {0: {"text": [ErrorDetail("Not a string.")]}}}, "turns.0.text: Not a string."),
        ({"turns": [{}, {"text": [ErrorDetail("Not a string.")]}]}, "turns.1.text: Not a string."),
        ({"scopes": {1: [ErrorDetail("No choice.")], 3: [ErrorDetail("No choice.")]}}, "scopes.1: No choice."),
        ({"turns": {"non_field_errors": [ErrorDetail("Too many.")]}}, "turns: Too many."),
        ([ErrorDetail("Too large.")], "body: Too large."),
        ({}, "body: It is not valid."),
    ],
)
def test_the_first_wrong_field_is_named_by_its_path_in_a_plain_sentence(detail: Any, message: str) -> None:
    answer = rest.handle(ValidationError(detail), {})

    assert answer is not None
    assert answer.data["message"] == message


@requirement("rest:errors:sentence")
def test_a_wrong_part_of_a_chat_is_named_by_its_path(alice: Person) -> None:
    body = {
        "session_id": "s",
        "source": "api",
        "turns": [{"role": "user", "text": "x"}, {"role": "user", "text": ["x"]}],
    }

    answer = Client(headers={"Authorization": alice.secret}).post(
        "/v1/memory/ingest", body, content_type="application/json"
    )

    assert answer.status_code == 400
    assert answer.json()["error_message"] == "turns.1.text: Not a valid string."


@requirement("rest:errors:sentence")
def test_a_wrong_scope_is_named_by_its_place_and_the_fields_are_json(alice: Person) -> None:
    answer = signed_in(alice).post(
        "/v1/dev/keys", {"name": "CI", "scopes": ["memory:read", "everything"]}, content_type="application/json"
    )

    assert answer.status_code == 400
    assert answer.json()["message"] == 'scopes.1: "everything" is not a valid choice.'
    assert answer.json()["fields"] == {"scopes": {"1": ['"everything" is not a valid choice.']}}
