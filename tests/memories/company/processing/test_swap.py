"""A document imported again and again is, in the end, what it would be if it had been imported once."""

import random
from typing import Any

import pytest

from accounts import isolation
from accounts.models import Account
from memories.models import Document, Entity, Fact, Mention, Relationship, Section
from tests.cast import Person
from tests.memories import embedders, pipeline
from tests.requirements import requirement

PASSAGES = [
    "## Owners\n\n| Area | Owner | Deputy |\n| --- | --- | --- |\n| Billing | Ines Okafor | Tomas Lindqvist |\n",
    "## Teams\n\nInes Okafor leads the Payments team. Marta Quist reports to Ines Okafor.\n",
    "## Diary\n\nOn Monday Marta Quist met Tomas Lindqvist at the depot, and they agreed on the new racks.\n",
    "## Customers\n\n- Saltmarsh Foods Ltd\n- Lumen Ferry GmbH\n\nSaltmarsh Foods Ltd is a client since 2024.\n",
    "## Rules\n\nBicycles are locked at night.\n\nBicycles are locked at night.\n\n```\nlock --all\n```\n",
    "## Desk\n\nOwner: Priya Raman\n\nThe desk answers within four hours. " + "It is open on all days but one. " * 30,
    "## Prices\n\n" + "".join(f"- Bicycle {number} costs {number * 7} euros\n" for number in range(40)),
]

CHANGES = [
    ("Ines Okafor", "Ingrid Vale"),
    ("four", "five"),
    ("night", "noon"),
    ("2024", "2025"),
    ("costs 7 ", "costs 8 "),
]


def version(seed: random.Random) -> str:
    """Some of the passages in some order, some of them changed, some of them twice."""
    passages = seed.choices(PASSAGES, k=seed.randint(1, 9))
    words = [
        ("Ines Okafor", "Ingrid Vale"),
        ("four", "five"),
        ("night", "noon"),
        ("2024", "2025"),
        ("costs 7 ", "costs 8 "),
    ]
    changed = [passage.replace(*seed.choice(words)) if seed.random() < 0.4 else passage for passage in passages]
    front = f"---\nowner: {seed.choice(['Priya Raman', 'Marta Quist'])}\n---\n" if seed.random() < 0.5 else ""
    return f"{front}# Handbook\n\n" + "\n".join(changed)


def content(account: Account) -> dict[str, Any]:
    """Everything that was made of the documents, in order, without ids."""
    with isolation.account(account.pk):
        sections = Section.objects.order_by("position")
        facts = Fact.objects.order_by("section__position", "position")
        edges = Relationship.objects.values_list(
            "fact__statement", "fact__heading", "subject__label", "predicate", "object__label"
        )
        mentions = Mention.objects.values_list(
            "fact__statement", "fact__heading", "entity__label", "entity__type", "properties"
        )
        return {
            "sections": list(sections.values_list("tree_path", "heading", "summary", "text", "content_hash", "terms")),
            "facts": list(facts.values_list("heading", "statement", "statement_hash", "position", "terms")),
            "mentions": sorted(mentions, key=repr),
            "edges": sorted(edges),
            "entities": sorted(Entity.objects.values_list("label", "type")),
            "counts": list(Document.objects.values_list("section_count", "fact_count", "title", "text")),
            "without vector": Fact.objects.filter(vector=None).count() + Section.objects.filter(vector=None).count(),
        }


@requirement("company:import:same-as-fresh")
@pytest.mark.parametrize("seed", range(12))
def test_a_document_that_was_changed_many_times_equals_one_imported_afresh(
    alice: Person, charlie: Person, seed: int, settings: Any
) -> None:
    settings.PAM_EMBEDDER = embedders.COUNTING
    chance = random.Random(seed)
    for _ in range(5):
        last = version(chance)
        pipeline.imported(alice, {"handbook.md": last})
    pipeline.imported(charlie, {"handbook.md": last})

    changed, fresh = content(alice.account), content(charlie.account)

    assert changed == fresh
    assert fresh["facts"]
    assert fresh["without vector"] == 0
