"""The description of the API, as far as it is about end users: each request has an example that its route takes."""

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.requirements import requirement

ABOUT_END_USERS = ("/v1/memories", "/v1/tenant", "/v1/api-keys")
# Takes lines of what an export gave.
BARE = {("/v1/tenant/import", "post")}


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    made: dict[str, Any] = _with_null(SchemaGenerator().get_schema(request=None, public=True))
    return made


def _with_null(value: Any) -> Any:
    """OpenAPI 3.0 says `nullable` where JSON Schema lists null among the types."""
    if isinstance(value, list):
        return [_with_null(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = {name: _with_null(each) for name, each in value.items()}
    return {"anyOf": [made, {"type": "null"}]} if made.pop("nullable", False) else made


def _operations(description: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in description["paths"].items():
        if path.startswith(ABOUT_END_USERS):
            yield from ((path, method, operation) for method, operation in operations.items())


@requirement("end-users:description")
def test_every_example_fits_the_shape_it_is_an_example_of(description: dict[str, Any]) -> None:
    tried = 0
    for _, _, operation in _operations(description):
        for where in [operation.get("requestBody", {}), *operation["responses"].values()]:
            for content in where.get("content", {}).values():
                for example in content.get("examples", {}).values():
                    jsonschema.validate(
                        example["value"], {**content["schema"], "components": description["components"]}
                    )
                    tried += 1
    assert tried > 10


@requirement("end-users:description")
def test_every_body_has_an_example_and_every_operation_says_what_it_is_for(description: dict[str, Any]) -> None:
    told = [(path, method) for path, method, operation in _operations(description) if operation.get("summary")]
    bare = {
        (path, method)
        for path, method, operation in _operations(description)
        if "requestBody" in operation
        and not any("examples" in content for content in operation["requestBody"]["content"].values())
    }

    assert bare <= BARE
    assert told == [(path, method) for path, method, _ in _operations(description)]
