"""Who and what statements speak of, and how these are related."""

import pytest

from memories.company.reading import entities, extract, outline, relationships
from tests.requirements import requirement

ATLAS = """---
title: Atlas
owner: Mira Okafor
---

Mira Okafor leads the Platform Team. Jonas Weber reports to Mira Okafor.
Northwind Logistics GmbH is a customer since 2021. Lena Park is the head of Customer Success.
The rollout is led by Ana Souza (ana.souza@example.com). Brightwater Inc is based in Lisbon.

| Service | Owner | On call | Region |
| --- | --- | --- | --- |
| Billing API | Ravi Shah | Nora Lind | Berlin |
| Ledger | Ravi Shah and Ida Moe | TBD | Oslo |

| Name | Role | Reports to |
| --- | --- | --- |
| Ida Moe | Engineer | Ravi Shah |
"""


def read(source: str) -> tuple[list[extract.Statement], list[entities.Mention]]:
    document = outline.read(source, "projects/a.md")
    found = [statement for section in document.sections for statement in extract.statements(section)]
    return found, entities.read(found, document.fields)


@requirement("company:entities:found")
def test_people_organizations_products_and_places_are_found() -> None:
    found = {(mention.label, mention.type) for mention in read(ATLAS)[1]}

    assert {
        ("Mira Okafor", "person"),
        ("Nora Lind", "person"),
        ("Platform Team", "team"),
        ("Northwind Logistics GmbH", "organization"),
        ("Billing API", "product"),
        ("Oslo", "place"),
    } <= found


@requirement("company:entities:found")
def test_properties_are_told_with_the_mention() -> None:
    told: dict[str, dict[str, str]] = {}
    for mention in read(ATLAS)[1]:
        told.setdefault(mention.label, {}).update(mention.properties)

    assert told["Ana Souza"] == {"email": "ana.souza@example.com"}
    assert told["Ida Moe"] == {"role": "Engineer"}
    assert told["Northwind Logistics GmbH"] == {"relationship_to_company": "customer"}


@requirement("company:entities:precise")
@pytest.mark.parametrize(
    "text",
    [
        "Please Note that Refunds are paid on Friday.",
        "Getting Started with HR Links: open Service Desk and choose New Request.",
        "The Owner decides. Contact: TBD. Lead: vacant.",
        "Encourage team members to ask. Build team spirit.",
        "Owner: see the list below",
    ],
)
def test_capitals_alone_make_no_entity(text: str) -> None:
    assert read(text)[1] == []


@requirement("company:relationships:stated")
def test_edges_come_from_tables_labels_and_verbs_with_their_statement() -> None:
    found, mentions = read(ATLAS)

    edges = {
        (edge.subject.label, edge.predicate, edge.object.label): found[edge.statement].text
        for edge in relationships.read(found, mentions)
    }

    assert edges["Mira Okafor", "leads", "Platform Team"] == "Mira Okafor leads the Platform Team."
    assert ("Jonas Weber", "reports to", "Mira Okafor") in edges
    assert ("Lena Park", "leads", "Customer Success") in edges
    assert ("Ravi Shah", "owns", "Billing API") in edges
    assert ("Ida Moe", "owns", "Ledger") in edges
    assert ("Ida Moe", "reports to", "Ravi Shah") in edges
    assert ("Brightwater Inc", "located in", "Lisbon") in edges


@requirement("company:relationships:stated")
def test_two_names_in_one_sentence_are_no_edge() -> None:
    found, mentions = read("Mira Okafor (mira@example.com) and Jonas Weber (jonas@example.com) met in Lisbon.")

    assert {mention.label for mention in mentions} >= {"Mira Okafor", "Jonas Weber"}
    assert relationships.read(found, mentions) == []
