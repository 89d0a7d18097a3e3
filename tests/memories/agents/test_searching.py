"""Searching records: by meaning, words and both; what counts, what comes first, what never comes."""

from typing import Any

import pytest

from memories.agents import searching
from tests.cast import Person
from tests.memories import pipeline
from tests.memories.agents.notebook import noted
from tests.requirements import requirement

REDIS = "Use Redis 7 for the session cache"
SIREN = "The siren of the tower clock stays silent at night"


def texts(person: Person, query: str, **more: Any) -> list[str]:
    return [hit.record.text for hit in searching.search(person.agent, query=query, **more).records]


@requirement("knowledge:search:next-call")
@pytest.mark.parametrize("query", ["session cache", "redis", "7"])
def test_a_record_is_found_by_its_words_in_the_very_next_call(alice: Person, query: str) -> None:
    noted(alice.agent, SIREN)
    written = noted(alice.agent, REDIS)

    found = searching.search(alice.agent, query=query).records

    assert [(hit.record.id, hit.match) for hit in found] == [(written, "words")]


@requirement("knowledge:search:meaning")
def test_once_it_has_a_vector_it_is_found_by_meaning_too(alice: Person) -> None:
    noted(alice.agent, SIREN)
    noted(alice.agent, REDIS)
    pipeline.embed_all(alice.account)

    found = searching.search(alice.agent, query="in-memory store for logins").records
    both = searching.search(alice.agent, query="which redis do we use").records

    assert [(hit.record.text, hit.match) for hit in found] == [(REDIS, "meaning")]
    assert [(hit.record.text, hit.match) for hit in both] == [(REDIS, "both")]
