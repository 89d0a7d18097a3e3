"""`POST /v1/memory/ingest`: chats handed in by agents."""

import json
from typing import Any

import pytest
from django.test import Client

from accounts import isolation, keys
from memories.company.intake import chats
from memories.company.intake.chats import Chat, Turn
from memories.models import Document, Fact, Section, Source, Upload
from tests.cast import Person
from tests.memories import embedders, pipeline
from tests.requirements import requirement

INGEST = "/v1/memory/ingest"
TURNS = [
    {"role": "user", "text": "When does the new depot open?", "timestamp": "2026-11-30T09:12:00Z"},
    {"role": "assistant", "text": "The new depot opens in May. Ines Okafor has the keys."},
]


@pytest.fixture(autouse=True)
def quick_vectors(settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.COUNTING


def hand_in(who: Person, **fields: Any) -> Any:
    given = {"session_id": "session-1", "turns": TURNS, "source": "claude-code"} | fields
    client = Client(headers={"Authorization": who.secret})
    return client.post(INGEST, json.dumps(given), content_type="application/json")


def chat(text: str, **fields: Any) -> str:
    return chats.markdown(Chat("s", [Turn("user", text), Turn("assistant", "Understood.")], "test", **fields))


@requirement("company:chats:kept")
def test_a_chat_is_answered_after_its_commit_and_becomes_a_document_with_its_speakers(alice: Person) -> None:
    answer = hand_in(alice, title="The new depot", project_path="/home/jane/bikes", client="terminal")

    pipeline.read_all(alice.account)
    document = pipeline.document(alice.account, "session-1.md")
    assert answer.status_code == 202
    assert answer.json() == {
        "status": "ok",
        "item_id": document.public_id,
        "error_code": None,
        "error_message": None,
    }
    assert (document.title, document.state) == ("The new depot", "ready")
    assert document.observed_at is not None
    assert document.observed_at.isoformat() == "2026-11-30T09:12:00+00:00"
    with isolation.account(alice.account.pk):
        assert Source.objects.get().kind == "chat"
        headings = dict(Fact.objects.values_list("statement", "heading"))
    assert headings["When does the new depot open?"] == "The new depot > User"
    assert headings["Ines Okafor has the keys."] == "The new depot > Assistant"


@requirement("company:chats:replaced")
def test_the_same_session_again_replaces_the_chat_also_from_another_source(alice: Person) -> None:
    first = hand_in(alice).json()["item_id"]
    again = hand_in(alice, turns=[*TURNS, {"role": "user", "text": "It opens in June now."}]).json()["item_id"]
    elsewhere = hand_in(alice, source="cursor", turns=[{"role": "user", "text": "It opens in July."}]).json()["item_id"]
    hand_in(alice, session_id="session-2")

    pipeline.read_all(alice.account)

    assert first == again != elsewhere
    assert "It opens in July." in pipeline.statements(alice.account)
    assert "It opens in June now." not in pipeline.statements(alice.account)
    assert pipeline.documents(alice.account) == {"session-1.md": "ready", "session-2.md": "ready"}


@requirement("company:chats:parts")
def test_parts_are_kept_apart_and_those_that_are_over_go(alice: Person) -> None:
    for part in range(3):
        turns = [{"role": "user", "text": f"This is part {part} of the talk."}]
        hand_in(alice, turns=turns, part_index=part, part_count=3)
    three = pipeline.documents(alice.account)
    hand_in(alice, part_index=1, part_count=2)

    assert set(three) == {"session-1.md", "session-1 part 2.md", "session-1 part 3.md"}
    assert set(pipeline.documents(alice.account)) == {"session-1.md", "session-1 part 2.md"}


@requirement("company:chats:secrets")
def test_secrets_of_a_chat_are_cut_before_the_first_row_is_written(alice: Person) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    hand_in(
        alice,
        session_id=secret,
        title=f"Token {secret}",
        source=f"laptop {secret}",
        client=secret,
        project_path=f"/home/{secret}",
        turns=[{"role": "user", "text": f"The token is {secret}, keep it."}],
    )

    with isolation.account(alice.account.pk):
        contents = [bytes(upload.content) for upload in Upload.objects.all()]
        stored = [*Document.objects.values(), *Source.objects.values()]
    assert len(stored) == 2
    assert secret not in repr(contents)
    assert secret not in repr(stored)
    pipeline.read_all(alice.account)
    assert any("keep it" in statement for statement in pipeline.statements(alice.account))


@requirement("company:chats:contained")
@pytest.mark.parametrize(
    "text",
    [
        "# Salaries",
        "Salaries\n========",
        "Salaries\n---",
        "```python\nprint(1)",
        "~~~~\ncode",
        "<script>\nlet a",
        "<!-- a remark",
        "<div>",
        "`<!--` starts a remark",
        "> quoted\n- item",
        "---\ntitle: Other\n---",
    ],
)
def test_nothing_in_a_turn_reaches_out_of_it(alice: Person, text: str) -> None:
    hand_in(
        alice,
        title="Talk",
        turns=[
            {"role": "user", "text": f"The gate is open today.\n\n{text}"},
            {"role": "assistant", "text": "The depot is closed -->. See `Vec<int>` and a < b."},
        ],
    )

    pipeline.read_all(alice.account)

    with isolation.account(alice.account.pk):
        headings = dict(Fact.objects.values_list("statement", "heading"))
        document = Document.objects.get()
        assert Section.objects.exists()
    assert document.title == "Talk"
    assert headings["The gate is open today."] == "Talk > User"
    assert headings["The depot is closed -->."] == "Talk > Assistant"
    assert headings["See Vec<int> and a < b."] == "Talk > Assistant"


@requirement("company:chats:bad-input")
@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"session_id": ""}, "session_id"),
        ({"session_id": "x" * 201}, "session_id"),
        ({"session_id": 5}, "session_id"),
        ({"session_id": "a\x00b"}, "session_id"),
        ({"turns": []}, "turns"),
        ({"turns": "hello"}, "turns"),
        ({"turns": [{"role": "system", "text": "x"}]}, "turns"),
        ({"turns": [{"role": "user"}]}, "turns"),
        ({"turns": [{"role": "user", "text": ["x"]}]}, "turns"),
        ({"turns": [{"role": "user", "text": "  "}]}, "turns"),
        ({"turns": [{"role": "user", "text": "\ud800"}]}, "turns"),
        ({"turns": [{"role": "user", "text": "x", "timestamp": "yesterday"}]}, "turns"),
        ({"source": ""}, "source"),
        ({"part_index": 2, "part_count": 2}, "part_index"),
        ({"part_index": -1}, "part_index"),
        ({"part_count": 5000}, "part_count"),
        ({"depth": 3}, "depth"),
    ],
)
def test_bad_input_is_refused_in_the_contracts_shape_and_stores_nothing(
    alice: Person, fields: dict[str, Any], named: str
) -> None:
    answer = hand_in(alice, **fields)

    body = answer.json()
    assert answer.status_code == 400
    assert (body["status"], body["item_id"], body["error_code"]) == ("error", None, "invalid_arguments")
    assert named in body["error_message"]
    assert pipeline.documents(alice.account) == {}


@requirement("company:chats:bad-input")
@pytest.mark.parametrize(
    ("body", "status"), [(b"{", 400), (b"[]", 400), (b"[" * 100_000, 400), (b'"' + b"x" * 5_000_000 + b'"', 413)]
)
def test_a_body_that_is_no_object_is_refused_in_the_contracts_shape(alice: Person, body: bytes, status: int) -> None:
    client = Client(headers={"Authorization": alice.secret})

    answer = client.post(INGEST, body, content_type="application/json")

    assert answer.status_code == status
    assert answer.json()["status"] == "error"
    assert answer.json()["error_message"]


@requirement("company:chats:scope")
def test_a_key_that_only_reads_hands_nothing_in(alice: Person) -> None:
    reader = keys.issue(alice.account, name="reader", granted=["memory:read"])

    answer = Client(headers={"Authorization": reader.secret}).post(
        INGEST, json.dumps({"session_id": "s", "turns": TURNS, "source": "x"}), content_type="application/json"
    )

    assert answer.status_code == 403
    assert answer.json()["error_code"] == "insufficient_scope"
    assert Client().post(INGEST, "{}", content_type="application/json").json()["error_code"] == "unauthenticated"


def test_a_chat_without_a_title_is_called_after_its_first_question() -> None:
    assert 'title: "Where is **the** gate?"'.replace("**", "") in chat("Where is **the** gate?").replace("  ", " ")
    assert len(chat("word " * 100).splitlines()[1]) < 100
