"""From a file to an answer, with the real model."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts import isolation
from memories import search
from tests.cast import Person
from tests.memories import pipeline
from tests.requirements import requirement

HANDBOOK = b"""# Handbook of the bicycle depot

## Time off

Everybody has thirty days of paid holiday a year. Holidays are asked for two weeks ahead in the staff calendar.

## Repairs

Broken bicycles are mended at the workshop in Harbour Street. Marta Quist runs the workshop.
"""


@requirement("company:import:answers")
def test_an_imported_document_is_found_by_what_it_means(alice: Person) -> None:
    client = Client(headers={"Authorization": alice.secret})
    client.post("/v1/memory/documents", {"files": [SimpleUploadedFile("handbook.md", HANDBOOK)]})
    pipeline.read_all(alice.account)
    pipeline.embed_all(alice.account)

    with isolation.account(alice.account.pk):
        found = search.find(alice.account, search.prepare("How much vacation do employees get?"))

    assert found.degraded == ""
    assert found.facts[0].statement == "Everybody has thirty days of paid holiday a year."
    assert found.facts[0].sources[0].path == "handbook.md"
