"""What search finds, over real Postgres and the real embedding model."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts import isolation
from memories import candidates, embedding, indexing, search
from memories.models import Document, Fact, Section, WordCorpus, WordFrequency
from memories.search import Found
from tests.cast import Person
from tests.memories.company.shelf import LUMEN_FERRY, shelve
from tests.memories.embedders import DOWN
from tests.requirements import requirement

Asked = Callable[..., Found]

GREETINGS = "The quay was quiet in the morning and the tide came in late."


@pytest.fixture
def ferry(alice: Person) -> Person:
    shelve(alice.agent, LUMEN_FERRY)
    return alice


def asked(person: Person, prompt: str, **options: Any) -> Found:
    with isolation.account(person.account.pk):
        return search.find(person.account, search.prepare(prompt), **options)


def first(found: Found) -> str:
    return found.facts[0].statement


@requirement("search:natural-questions")
@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("How many days does it take until passengers get their money back?", "5 working days"),
        ("Who signs off on paying back more than 500 euros?", "Ines Okafor"),
        ("When does the agreement with Saltmarsh run out?", "31 December 2027"),
        ("Which company handles our card transactions since March?", "Quayside Pay"),
    ],
)
def test_a_question_in_other_words_finds_its_answer(ferry: Person, prompt: str, answer: str) -> None:
    assert any(answer in fact.statement for fact in asked(ferry, prompt).facts[:3])


@requirement("search:exact-tokens")
@pytest.mark.parametrize("prompt", ["PAY-4417", "what is PAY-4417?", "customer at the counter says pay-4417 help"])
def test_a_rare_exact_token_finds_its_record(ferry: Person, prompt: str) -> None:
    assert "PAY-4417" in first(asked(ferry, prompt))


@requirement("search:some-words")
def test_two_shared_words_of_nine_are_enough_without_any_vector(alice: Person) -> None:
    shelve(alice.agent, LUMEN_FERRY, embedded=False)

    found = asked(alice, "Please, what would be happening around the pallets shipped to Skelby?")

    assert "40 pallets" in first(found)


@requirement("search:parts")
def test_each_part_of_a_prompt_has_its_document_among_the_first(ferry: Person) -> None:
    found = asked(ferry, "Who owns the timetable, and when does the Saltmarsh contract end?")

    paths = {origin.path for fact in found.facts[:5] for origin in fact.sources}

    assert {"people/owners.md", "customers/saltmarsh.md"} <= paths


@requirement("company:facts:once")
def test_a_statement_of_two_documents_is_one_fact_with_both(ferry: Person) -> None:
    found = asked(ferry, "Within how many working days are refunds for cancelled crossings paid?")

    same = [fact for fact in found.facts if fact.statement.startswith("Refunds for cancelled crossings are paid")]

    assert len(same) == 1
    assert {origin.path for origin in same[0].sources} == {"handbook/refunds.md", "handbook/desk.md"}


@requirement("search:nothing-relevant")
@pytest.mark.parametrize(
    "prompt", ["What is the capital of Peru?", "asdf qwer", "How do penguins keep their eggs warm?"]
)
def test_an_unrelated_question_finds_nothing(ferry: Person, prompt: str) -> None:
    found = asked(ferry, prompt)

    assert (found.coverage, found.facts, found.sections) == ("none", [], [])


@requirement("search:relevance")
def test_relevance_is_higher_the_better_a_fact_answers(ferry: Person) -> None:
    good = asked(ferry, "Who is the owner of billing?")
    vague = asked(ferry, "Where can I read about owners of ships?")

    assert all(0 <= fact.relevance <= 1 for fact in [*good.facts, *vague.facts])
    assert good.facts[0].relevance > max((fact.relevance for fact in vague.facts), default=0)


@requirement("search:page-size")
def test_the_first_facts_do_not_depend_on_how_many_are_asked_for(ferry: Person) -> None:
    few, many = (asked(ferry, "Who owns billing?", facts=count).facts for count in (3, 12))

    assert [fact.id for fact in few] == [fact.id for fact in many[:3]]


@requirement("search:embedder-down")
def test_without_an_embedder_words_decide_and_it_is_said(ferry: Person, settings: Any) -> None:
    settings.PAM_EMBEDDER = DOWN

    found = asked(ferry, "When does the contract of Saltmarsh Foods end, please tell me the date?")

    assert "31 December 2027" in "".join(fact.statement for fact in found.facts[:3])
    assert found.degraded == search.NO_VECTORS


@requirement("search:models-apart")
def test_vectors_of_another_model_are_not_compared(ferry: Person) -> None:
    with isolation.account(ferry.account.pk):
        Fact.objects.update(vector_model="an-older-model")
        Section.objects.update(vector_model="an-older-model")

    by_words = asked(ferry, "When does the contract end?")
    in_other_words = asked(ferry, "How do penguins keep their eggs warm?")

    assert "31 December 2027" in "".join(fact.statement for fact in by_words.facts[:3])
    assert in_other_words.facts == []


@requirement("search:indexes")
@pytest.mark.parametrize("prompt", ["Who owns billing?", "PAY-4417", "How long do passengers wait for their money?"])
def test_through_the_indexes_the_same_is_found(ferry: Person, settings: Any, prompt: str) -> None:
    whole = asked(ferry, prompt)
    settings.PAM_EXACT_SCAN_FACTS = 0
    indexed = asked(ferry, prompt)

    assert [fact.id for fact in indexed.facts[:5]] == [fact.id for fact in whole.facts[:5]]


@requirement("search:indexes")
def test_through_the_indexes_words_alone_find_too(ferry: Person, settings: Any) -> None:
    settings.PAM_EXACT_SCAN_FACTS = 0
    settings.PAM_EMBEDDER = DOWN

    assert "PAY-4417" in first(asked(ferry, "What does PAY-4417 stand for?"))


@requirement("search:small-among-large")
def test_a_small_account_among_100000_foreign_rows_gets_all_of_its_facts(ferry: Person, charlie: Person) -> None:
    prompt = "Who owns billing?"
    before = [fact.id for fact in asked(ferry, prompt).facts]
    crowd(charlie, embedding.query(prompt).tolist(), 100_000)

    # Twelve runs: from the sixth on psycopg prepares the statement, and Postgres may then choose a generic plan.
    for _ in range(12):
        assert [fact.id for fact in asked(ferry, prompt).facts] == before


def crowd(person: Person, vector: list[float], count: int) -> None:
    """`count` facts of somebody else, every one nearer to the question than any other fact can be; never analysed."""
    shelve(person.agent, {"a.md": GREETINGS})
    with isolation.account(person.account.pk), connection.cursor() as cursor:
        cursor.execute("DROP INDEX fact_by_meaning")
        cursor.execute(
            """
            INSERT INTO memories_fact (account_id, document_id, section_id, position, heading, statement,
                                       statement_hash, vector, vector_model, words, terms, is_indexed)
            SELECT account_id, document_id, section_id, n, heading, statement, n::text, %s::halfvec, vector_model,
                   words, terms, true
            FROM (SELECT * FROM memories_fact WHERE account_id = %s LIMIT 1) one, generate_series(1, %s) n
            """,
            [str(vector), person.account.pk, count],
        )
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(
            "CREATE INDEX fact_by_meaning ON memories_fact USING hnsw (vector halfvec_ip_ops) WHERE is_indexed"
        )


@requirement("search:never-anothers")
def test_a_stranger_finds_nothing_of_it(ferry: Person, charlie: Person) -> None:
    shelve(charlie.agent, {"a.md": GREETINGS})

    found = asked(charlie, "Who is the owner of billing?")

    assert "Okafor" not in str(found)


@requirement("search:statistics")
def test_word_counts_follow_imports_and_deletions(ferry: Person) -> None:
    with isolation.account(ferry.account.pk):
        counted = candidates.statistics(ferry.account, ["saltmarsh", "neverseen"])
        Document.objects.get(path="customers/saltmarsh.md").delete()
        indexing.refresh_statistics(ferry.account)
        after = candidates.statistics(ferry.account, ["saltmarsh", "neverseen"])

        assert WordCorpus.objects.get(corpus="fact").texts == Fact.objects.count()
        assert not WordFrequency.objects.filter(texts=0).exists()
    assert counted.rarities["fact"]["saltmarsh"] < counted.rarities["fact"]["neverseen"]
    assert after.rarities["fact"]["saltmarsh"] == after.rarities["fact"]["neverseen"]


@requirement("search:finds-at-once")
def test_what_was_never_counted_is_found_all_the_same(alice: Person) -> None:
    shelve(alice.agent, LUMEN_FERRY, embedded=False)
    with isolation.account(alice.account.pk):
        WordFrequency.objects.all().delete()
        WordCorpus.objects.all().delete()

    assert "PAY-4417" in first(asked(alice, "What does PAY-4417 mean?"))


@requirement("search:unspaced")
def test_a_question_in_a_script_without_spaces_finds_its_record(alice: Person) -> None:
    shelve(
        alice.agent,
        {"zh.md": "# 退款\n\n取消的航班在五个工作日内退款。\n\n# 柜台\n\n柜台早上七点开门。\n"},
        embedded=False,
    )

    assert "五个工作日" in first(asked(alice, "退款需要几个工作日"))


@requirement("search:queries")
def test_a_search_issues_a_fixed_number_of_queries(ferry: Person, django_assert_num_queries: Any) -> None:
    with isolation.account(ferry.account.pk):
        # The question's words counted, the scan; facts, sections with their documents.
        for prompt in ("Who owns billing?", "Who owns billing, and when does the Saltmarsh contract end?"):
            asked_for = search.prepare(prompt)
            with django_assert_num_queries(4):
                search.find(ferry.account, asked_for)
