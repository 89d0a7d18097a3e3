"""What a caller of the REST surfaces reads when single fields of a body are wrong."""

import logging
from typing import Any

import pytest
from django.test import Client
from drf_spectacular import drainage
from drf_spectacular.generators import SchemaGenerator
from rest_framework.exceptions import ErrorDetail, ValidationError

from accounts import request_id
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


@requirement("rest:errors:unknown-address")
@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1", 404, "not_found"),
        ("GET", "/v1/", 404, "not_found"),
        ("POST", "/v1/memory/of/nobody", 404, "not_found"),
        ("GET", "/v1/memory/documents/", 404, "not_found"),
        ("GET", "/v1/dev/readiness%00", 404, "not_found"),
        ("PATCH", "/v1/dev/keys", 405, "method_not_allowed"),
        ("GET", "/v1/memory/ingest", 405, "method_not_allowed"),
        ("PUT", "/v1/memory/retrieve", 405, "method_not_allowed"),
    ],
)
def test_what_no_endpoint_answers_is_told_in_json(
    alice: Person, method: str, path: str, status: int, code: str
) -> None:
    answer = signed_in(alice).generic(method, path)

    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/json"
    told = answer.json()
    assert code in (told.get("code"), told.get("error_code"))
    assert "<" not in str(told)


@requirement("rest:errors:unknown-address")
def test_a_request_that_django_itself_refuses_to_read_is_told_in_json(db: None, client: Client) -> None:
    answer = client.get("/v1/dev/keys", headers={"Host": "elsewhere.example"})

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_arguments")


@requirement("rest:request-id")
def test_an_error_carries_the_id_that_the_answer_and_its_log_lines_have(alice: Person, caplog: Any) -> None:
    refused, page = Client().get("/v1/dev/keys"), Client().get("/")

    assert refused.json()["request_id"] == refused.headers["X-Request-Id"]
    assert refused.headers["X-Request-Id"] != page.headers["X-Request-Id"]


@requirement("rest:request-id")
def test_a_log_line_names_the_request_it_belongs_to(db: None, client: Client) -> None:
    record = logging.LogRecord("pam", logging.INFO, __file__, 1, "something", None, None)
    answer = client.get("/healthz")

    request_id.LogFilter().filter(record)

    assert record.request_id == answer.headers["X-Request-Id"]  # type: ignore[attr-defined]


@requirement("rest:schema")
def test_the_description_of_the_api_is_made_without_a_warning_and_names_the_ways_in(db: None, settings: Any) -> None:
    with drainage.GENERATOR_STATS.silence():
        described = SchemaGenerator().get_schema(request=None, public=True)
        told = {**drainage.GENERATOR_STATS._warn_cache, **drainage.GENERATOR_STATS._error_cache}

    assert told == {}
    ways = described["components"]["securitySchemes"]
    assert ways["agentKey"]["scheme"] == "bearer"
    assert ways["consoleSession"]["name"] == settings.SESSION_COOKIE_NAME
    assert described["paths"]["/v1/dev/keys"]["get"]["security"] == [{"managerToken": []}, {"consoleSession": []}]
