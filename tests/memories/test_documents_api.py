"""`/v1/memory/documents`: importing, listing, deleting; who may; and what comes back for input of every bad kind."""

import time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts import isolation, keys
from accounts.models import Account
from memories import search
from memories.company.intake import documents
from memories.models import Document, Entity, Fact, Mention, Relationship, Section, Source, Upload
from tests.browsing import signed_in
from tests.cast import Person, person
from tests.documents import builders
from tests.memories import embedders, pipeline
from tests.requirements import requirement

DOCUMENTS = "/v1/memory/documents"


@pytest.fixture(autouse=True)
def quick_vectors(settings: Any) -> None:
    settings.PAM_EMBEDDER = embedders.COUNTING


def agent(who: Person) -> Client:
    return Client(headers={"Authorization": f"Bearer {who.secret}"})


def upload(client: Client, files: dict[str, bytes], **fields: Any) -> Any:
    parts = [SimpleUploadedFile(path.rsplit("/", 1)[-1], content) for path, content in files.items()]
    return client.post(DOCUMENTS, {"files": parts, "paths": list(files), **fields})


def rows(account: Account) -> dict[str, int]:
    models = [Source, Document, Upload, Section, Fact, Entity, Mention, Relationship]
    with isolation.account(account.pk):
        return {model.__name__: model.objects.filter(account=account).count() for model in models}


OWNERS = b"""# Owners

| Area | Owner | Since |
| --- | --- | --- |
| Billing | Ines Okafor | 2024 |
| Support | Priya Raman | 2025 |

Ines Okafor leads the Payments team. The support desk answers within four hours.
"""


@requirement("company:documents:import")
def test_files_are_answered_with_ids_and_each_refusal_with_name_and_reason(alice: Person) -> None:
    answer = upload(agent(alice), {"team/owners.md": OWNERS, "team/logo.png": b"\x89PNG", "team/empty.md": b""})

    body = answer.json()
    assert answer.status_code == 202
    assert [(one["path"], one["state"], one["is_new"]) for one in body["documents"]] == [
        ("team/owners.md", "queued", True)
    ]
    assert body["documents"][0]["id"].startswith("doc_")
    assert {one["path"]: one["reason"] for one in body["refused"]}.keys() == {"team/logo.png", "team/empty.md"}
    assert {one["path"]: one["reason"] for one in body["refused"]}["team/empty.md"] == "The file is empty."
    with isolation.account(alice.account.pk):
        assert Source.objects.get(account=alice.account).kind == Source.Kind.API


@requirement("company:documents:import")
def test_an_import_of_which_nothing_was_taken_is_no_success(alice: Person) -> None:
    answer = upload(agent(alice), {"empty.md": b""})

    assert answer.status_code == 422
    assert answer.json()["code"] == "unreadable_document"
    assert answer.json()["documents"] == []
    assert answer.json()["refused"] == [{"path": "empty.md", "reason": "The file is empty."}]


@requirement("company:documents:import")
@pytest.mark.parametrize("entries", [{}, {".hidden.md": b"Left out without a word."}])
def test_an_archive_without_documents_is_named_with_the_reason(alice: Person, entries: Any) -> None:
    answer = upload(agent(alice), {"old/export.zip": builders.archive(entries)})

    assert answer.status_code == 422
    assert answer.json()["refused"] == [{"path": "old/export.zip", "reason": "The archive holds no documents."}]


@requirement("company:documents:import")
def test_a_zip_is_unpacked_into_a_source_of_its_own_and_its_bad_entries_are_named(alice: Person) -> None:
    packed = builders.archive({"people/owners.md": OWNERS, "people/tool.exe": b"MZ", "../../etc/plan.md": b"out"})

    answer = upload(agent(alice), {"export.zip": packed, "note.txt": b"The depot opens in May."})

    body = answer.json()
    assert {one["path"] for one in body["documents"]} == {"people/owners.md", "note.txt"}
    assert {one["path"] for one in body["refused"]} == {"people/tool.exe", "../../etc/plan.md"}
    with isolation.account(alice.account.pk):
        assert set(Source.objects.values_list("kind", "name")) == {("archive", "export.zip"), ("api", "API")}


@requirement("company:documents:same-name")
def test_two_files_of_one_name_the_first_goes_in_and_the_second_is_refused_unless_it_is_the_same(alice: Person) -> None:
    parts = [SimpleUploadedFile("plan.md", text) for text in (b"First plan.", b"Second plan.", b"First plan.")]

    body = agent(alice).post(DOCUMENTS, {"files": parts}).json()

    assert [one["path"] for one in body["documents"]] == ["plan.md", "plan.md"]
    assert body["documents"][0]["id"] == body["documents"][1]["id"]
    assert [one["path"] for one in body["refused"]] == ["plan.md"]
    assert "another file of the same path" in body["refused"][0]["reason"]
    pipeline.read_all(alice.account)
    assert list(pipeline.statements(alice.account)) == ["First plan."]


@requirement("company:documents:paths")
@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("a\\b\\plan.md", "a/b/plan.md"),
        ("/a/./plan.md", "a/plan.md"),
        ("cafe\u0301/plan.md", "caf\u00e9/plan.md"),
        ("../plan.md", None),
        ("a/../../plan.md", None),
        ("a\x00/plan.md", None),
        ("a\n/plan.md", None),
        *((f"a{chr(turn)}dm.exe.md", None) for turn in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))),
        ("תכנית\u200f.md", "תכנית\u200f.md"),
        ("x" * 998 + ".md", None),
        ("x" * 997 + ".md", "x" * 997 + ".md"),
    ],
)
def test_a_path_is_kept_in_one_form_or_refused_with_a_reason(alice: Person, path: str, kept: str | None) -> None:
    answer = agent(alice).post(DOCUMENTS, {"files": [SimpleUploadedFile("plan.md", b"A plan.")], "paths": [path]})

    body = answer.json()
    assert [one["path"] for one in body["documents"]] == ([kept] if kept else [])
    assert len(body["refused"]) == (0 if kept else 1)
    assert all(len(one["path"]) <= 200 and one["reason"].endswith(".") for one in body["refused"])


@requirement("company:documents:encodings")
@pytest.mark.parametrize("encode", [builders.utf_16, builders.latin_1, str.encode])
def test_texts_of_any_encoding_say_what_they_say(alice: Person, encode: Any) -> None:
    upload(agent(alice), {"note.txt": encode("Der Schlüssel für das Depot liegt bei Zoë Brännström.\n")})

    pipeline.read_all(alice.account)

    assert list(pipeline.statements(alice.account)) == ["Der Schlüssel für das Depot liegt bei Zoë Brännström."]


@requirement("company:documents:bad-requests")
def test_a_request_without_a_file_and_one_of_another_type_are_told_so(alice: Person) -> None:
    client = agent(alice)

    nothing = client.post(DOCUMENTS, {"source": "wiki"})
    json = client.post(DOCUMENTS, {"files": []}, content_type="application/json")
    broken = client.generic("POST", DOCUMENTS, b"no form", content_type="multipart/form-data; boundary=x")
    uneven = client.post(DOCUMENTS, {"files": [SimpleUploadedFile("a.md", b"A plan.")], "paths": ["a.md", "b.md"]})

    assert (nothing.status_code, nothing.json()["code"]) == (400, "invalid_arguments")
    assert "files" in nothing.json()["message"]
    assert (json.status_code, json.json()["code"]) == (415, "unsupported_media_type")
    assert (broken.status_code, broken.json()["code"]) == (400, "invalid_arguments")
    assert (uneven.status_code, uneven.json()["code"]) == (400, "invalid_arguments")
    assert rows(alice.account)["Document"] == 0


@requirement("company:documents:bad-requests")
@pytest.mark.parametrize("who", ["agent", "console"])
def test_more_files_than_a_request_may_carry_are_refused_as_a_whole_in_plain_words(alice: Person, who: str) -> None:
    parts = [SimpleUploadedFile(f"{number}.md", b"A plan.") for number in range(1001)]
    client = agent(alice) if who == "agent" else signed_in(alice)

    answer = client.post(DOCUMENTS, {"files": parts})

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_arguments")
    assert "1,000 files" in answer.json()["message"]
    assert rows(alice.account)["Document"] == 0


@requirement("company:documents:bad-requests")
def test_a_thousand_files_with_a_path_each_are_taken(alice: Person) -> None:
    parts = [SimpleUploadedFile(f"{number}.md", b"A plan.") for number in range(1000)]

    answer = agent(alice).post(DOCUMENTS, {"files": parts, "paths": [f"plans/{number}.md" for number in range(1000)]})

    assert answer.status_code == 202
    assert len(answer.json()["documents"]) == 1000


@requirement("company:documents:bad-requests")
def test_a_file_or_a_request_above_its_bound_is_refused(alice: Person, settings: Any) -> None:
    settings.PAM_MAX_DOCUMENT_BYTES = 1000
    big = upload(agent(alice), {"big.md": b"x" * 1001, "fits.md": b"A plan."})
    settings.PAM_MAX_ARCHIVE_BYTES = 1000
    whole = upload(agent(alice), {"big.md": b"x" * 5_000_000})

    assert [one["path"] for one in big.json()["documents"]] == ["fits.md"]
    assert "too large" in big.json()["refused"][0]["reason"]
    assert (whole.status_code, whole.json()["code"]) == (413, "too_large")


@requirement("company:documents:scopes")
def test_a_key_needs_the_scope_and_a_person_the_role(alice: Person) -> None:
    reader = keys.issue(alice.account, name="reader", granted=["memory:read"])
    viewer = person("vera", alice.account, "viewer")
    by_key = Client(headers={"Authorization": reader.secret})
    document = upload(agent(alice), {"plan.md": b"A plan."}).json()["documents"][0]["id"]

    assert upload(by_key, {"b.md": b"A plan."}).json()["code"] == "insufficient_scope"
    assert by_key.delete(f"{DOCUMENTS}/{document}").json()["code"] == "insufficient_scope"
    assert by_key.get(DOCUMENTS).status_code == 200
    assert upload(signed_in(viewer), {"b.md": b"A plan."}).json()["code"] == "permission_denied"
    assert signed_in(viewer).delete(f"{DOCUMENTS}/{document}").json()["code"] == "permission_denied"
    assert signed_in(viewer).get(f"{DOCUMENTS}/{document}").status_code == 200
    assert Client().get(DOCUMENTS).status_code == 401
    assert upload(Client(), {"b.md": b"A plan."}).status_code == 401


@requirement("company:documents:scopes")
def test_the_console_imports_only_with_its_csrf_token(alice: Person) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice.user)

    assert upload(client, {"plan.md": b"A plan."}).status_code == 403
    assert rows(alice.account)["Document"] == 0
    assert upload(signed_in(alice), {"plan.md": b"A plan."}).status_code == 202


@requirement("company:documents:list")
def test_documents_are_listed_by_pages_with_state_error_and_counts(alice: Person) -> None:
    pipeline.imported(alice, {"a.md": OWNERS, "b.pdf": builders.encrypted_pdf()})
    pipeline.given(alice, {"c.md": "A plan."})
    client = agent(alice)

    first = client.get(DOCUMENTS, {"limit": 2}).json()
    rest = client.get(DOCUMENTS, {"limit": 2, "cursor": first["next_cursor"]}).json()
    failed = client.get(DOCUMENTS, {"state": "failed"}).json()

    assert [one["path"] for one in first["items"] + rest["items"]] == ["c.md", "b.pdf", "a.md"]
    assert rest["next_cursor"] == ""
    assert first["counts"] == {"queued": 1, "processing": 0, "ready": 1, "failed": 1}
    assert [one["path"] for one in failed["items"]] == ["b.pdf"]
    assert failed["items"][0]["error"].endswith(".")
    assert rest["items"][0]["source"] == {"kind": "folder", "name": "handbook"}
    assert rest["items"][0]["facts"] > 2
    assert [one["path"] for one in client.get(DOCUMENTS, {"q": "OWNERS"}).json()["items"]] == ["a.md"]


@requirement("company:documents:list")
@pytest.mark.parametrize(
    "query",
    [
        {"state": "gone"},
        {"limit": 0},
        {"limit": 201},
        {"limit": "x"},
        {"cursor": "x"},
        {"cursor": "MjAyNiAx"},
        {"q": "x" * 201},
        {"q": "\x00"},
    ],
)
def test_a_list_with_a_bad_argument_is_refused_in_words(alice: Person, query: dict[str, Any]) -> None:
    answer = agent(alice).get(DOCUMENTS, query)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_arguments")
    assert next(iter(query)) in answer.json()["message"]


@requirement("company:documents:list-cost")
@pytest.mark.parametrize("count", [2, 40])
def test_a_list_issues_the_same_queries_whatever_its_length(
    alice: Person, count: int, django_assert_num_queries: Any
) -> None:
    pipeline.given(alice, {f"{number}.md": f"Plan number {number}." for number in range(count)})
    client = agent(alice)
    client.get(DOCUMENTS)

    # Recognising the key: savepoint, the key with account and plan, release.
    # The list: savepoint, documents with their sources, counts by state, release.
    with django_assert_num_queries(7):
        assert len(client.get(DOCUMENTS).json()["items"]) == count


@requirement("company:import:queries")
@pytest.mark.parametrize("count", [2, 40])
def test_importing_and_importing_again_issue_the_same_queries_whatever_the_number_of_files(
    alice: Person, count: int, django_assert_num_queries: Any
) -> None:
    pipeline.given(alice, {"first.md": "The source is there."})
    files = {f"{number}.md": f"Plan number {number}." for number in range(count)}

    # Savepoint, the source, which are known, documents, uploads, ids, readiness locked and counted, release.
    with django_assert_num_queries(9):
        pipeline.given(alice, files)
    # Savepoint, the source, which are known, ids, release.
    with django_assert_num_queries(5):
        pipeline.given(alice, files)


@requirement("company:documents:not-yours")
@pytest.mark.parametrize("method", ["get", "delete"])
def test_a_foreign_document_is_answered_to_the_letter_like_one_that_never_was(
    alice: Person, charlie: Person, method: str
) -> None:
    document = upload(agent(alice), {"plan.md": b"A plan."}).json()["documents"][0]["id"]

    foreign = getattr(agent(charlie), method)(f"{DOCUMENTS}/{document}")
    never = getattr(agent(charlie), method)(f"{DOCUMENTS}/doc_{'0' * 20}")
    malformed = getattr(agent(charlie), method)(f"{DOCUMENTS}/a%00b")

    assert foreign.status_code == 404
    told = [{name: answer.json()[name] for name in ("code", "message")} for answer in (foreign, never, malformed)]
    assert told[0] == told[1] == told[2]
    assert agent(alice).get(f"{DOCUMENTS}/{document}").status_code == 200


@requirement("company:documents:not-yours")
def test_two_accounts_with_the_same_files_see_their_own_only(alice: Person, charlie: Person) -> None:
    for who in (alice, charlie):
        pipeline.imported(who, {"owners.md": OWNERS})

    mine, theirs = (agent(who).get(DOCUMENTS).json() for who in (alice, charlie))

    assert len(mine["items"]) == len(theirs["items"]) == 1
    assert mine["items"][0]["id"] != theirs["items"][0]["id"]
    assert mine["counts"]["ready"] == theirs["counts"]["ready"] == 1


@requirement("company:documents:delete")
def test_a_deleted_document_is_gone_from_everything_at_once_and_nothing_else_is(alice: Person, charlie: Person) -> None:
    for who in (alice, charlie):
        pipeline.imported(who, {"owners.md": OWNERS, "other.md": b"# Desk\n\nIngrid Vale runs the bicycle desk."})
    before, others = rows(alice.account), rows(charlie.account)
    assert before["Mention"] > 2
    assert before["Relationship"] > 0
    owners = pipeline.document(alice.account, "owners.md")

    assert agent(alice).delete(f"{DOCUMENTS}/{owners.public_id}").status_code == 204

    assert agent(alice).get(f"{DOCUMENTS}/{owners.public_id}").status_code == 404
    assert rows(charlie.account) == others
    with isolation.account(alice.account.pk):
        assert list(Document.objects.values_list("path", flat=True)) == ["other.md"]
        assert not Fact.objects.filter(document_id=owners.pk).exists()
        assert not Section.objects.filter(document_id=owners.pk).exists()
        assert not Entity.objects.filter(label__contains="Okafor").exists()
        assert not Entity.objects.filter(mentions=None).exists()
        found = search.find(alice.account, search.prepare("Who is the owner of Billing?"))
    assert all("Okafor" not in fact.statement for fact in found.facts)


@requirement("company:documents:delete")
def test_an_entity_that_another_document_names_outlives_the_deleted_one(alice: Person) -> None:
    pipeline.imported(alice, {"owners.md": OWNERS, "more.md": OWNERS.replace(b"2024", b"2023")})
    with isolation.account(alice.account.pk):
        labels = set(Entity.objects.values_list("label", flat=True))

    agent(alice).delete(f"{DOCUMENTS}/{pipeline.document(alice.account, 'owners.md').public_id}")

    with isolation.account(alice.account.pk):
        assert set(Entity.objects.values_list("label", flat=True)) == labels


@requirement("company:documents:delete")
@pytest.mark.parametrize("chapters", [3, 60])
def test_deleting_issues_the_same_queries_however_large_the_document(
    alice: Person, chapters: int, django_assert_num_queries: Any
) -> None:
    texts = [f"## Year {number}\n\n{OWNERS.decode()}" for number in range(chapters)]
    pipeline.imported(alice, {"long.md": "\n".join(texts)})
    document = pipeline.document(alice.account, "long.md")

    # Savepoint, the document, the entities it names, the delete (the database does the rest), entities that are left
    # alone locked and deleted, readiness locked and counted, release.
    with django_assert_num_queries(9):
        documents.delete(alice.caller, document.public_id)


@requirement("company:documents:broker-down")
def test_with_the_broker_down_an_import_is_stored_answered_quickly_and_found_by_the_next_sweep(
    alice: Person, dead_broker: None, django_capture_on_commit_callbacks: Any
) -> None:
    started = time.monotonic()
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        answer = upload(agent(alice), {"plan.md": b"A plan."})

    assert callbacks
    assert answer.status_code == 202
    assert time.monotonic() - started < 3
    assert pipeline.documents(alice.account) == {"plan.md": "queued"}
    assert rows(alice.account)["Upload"] == 1
