"""The Memories pages: finding records, one with its history, changing them, spaces, and who may."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts import isolation
from memories.agents import browsing, listing, record, searching, spaces
from memories.models import Record, Space, SpaceMember
from tests.browsing import header, signed_in, text
from tests.cast import Person, person
from tests.memories.agents import notebook
from tests.requirements import requirement

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>'


def status_of(owner: Person, record_id: str) -> str:
    return listing.history(owner.caller, record_id).record.status


def post(client: Client, path: str, **fields: str) -> Any:
    return client.post(f"/memories/{path}", fields)


@requirement("pages:memories:empty")
def test_an_account_without_memories_is_told_how_they_come(alice: Person) -> None:
    page = text(signed_in(alice).get("/memories"))

    assert "No memories yet" in page
    assert "memory_record_summary" in page


@requirement("pages:memories:list")
def test_a_filter_finds_what_better_hits_of_the_same_words_would_hide(alice: Person) -> None:
    for number in range(searching.MOST + 5):
        notebook.noted(alice.agent, f"Redis node {number} holds sessions of shop {number}")
    notebook.noted(alice.agent, "The planner has heard of Redis, too, among many other things", agent="planner")

    assert "heard of Redis" not in text(signed_in(alice).get("/memories?q=redis+sessions+shop"))
    narrowed = text(signed_in(alice).get("/memories?q=redis+sessions+shop&agent=planner"))
    assert "heard of Redis" in narrowed
    assert "are shown" not in narrowed
    assert "The 100 best are shown" in text(signed_in(alice).get("/memories?q=redis+sessions+shop"))


@requirement("pages:memories:sessions")
def test_sessions_show_what_each_concluded_with_its_records_newest_first(alice: Person, bob: Person) -> None:
    record.summary(
        alice.agent, agent="planner", session="kick-off", text="We <b>start</b>.", items=[notebook.item("Use Postgres")]
    )
    record.summary(alice.agent, agent="coder", session="week two", items=[notebook.item("Cut the beta")])
    secret = spaces.create(alice.agent, name="Board")
    record.summary(alice.agent, session="board", text="Only for the board", space_id=secret.id)

    page = text(signed_in(bob).get("/memories/sessions"))
    assert page.index("week two") < page.index("Cut the beta") < page.index("kick-off") < page.index("Use Postgres")
    assert "We &lt;b&gt;start&lt;/b&gt;." in page
    assert "Only for the board" not in page
    assert "Only for the board" in text(signed_in(alice).get(f"/memories/sessions?space={secret.id}"))
    only = text(signed_in(bob).get("/memories/sessions?agent=planner"))
    assert "kick-off" in only
    assert "week two" not in only


@requirement("pages:memories:sessions")
def test_sessions_come_in_pages_by_tokens_of_the_same_filter(alice: Person) -> None:
    for number in range(browsing.SESSIONS + 1):
        record.summary(alice.agent, session=f"session {number}.", text="Talked.")
    client = signed_in(alice)
    client.get("/memories/sessions")

    first = client.get("/memories/sessions")
    token = first.context["page"].next_page_token
    assert "session 0." not in text(first)
    assert "session 0." in text(client.get("/memories/sessions", {"page": token}))
    assert client.get("/memories/sessions", {"page": token, "agent": "x"}).status_code == 400
    assert client.get("/memories/sessions?page=nonsense").status_code == 400


@requirement("pages:memories:sessions")
def test_an_account_without_sessions_is_told_how_they_come(alice: Person) -> None:
    assert "No sessions yet" in text(signed_in(alice).get("/memories/sessions"))
    assert "No session fits" in text(signed_in(alice).get("/memories/sessions?agent=nobody"))


@requirement("pages:memories:list")
@pytest.mark.parametrize(
    ("address", "seen"),
    [
        ("", {"Use Redis 7", "Use Redis 6", "Who signs?", "Ship on Friday"}),
        ("?kind=question", {"Who signs?"}),
        ("?status=superseded", {"Use Redis 6"}),
        ("?agent=planner", {"Ship on Friday"}),
        ("?topic=service:cache", {"Use Redis 7"}),
        ("?session=nowhere", set()),
        ("?q=Redis", {"Use Redis 7", "Use Redis 6"}),
        ("?q=Redis&status=active", {"Use Redis 7"}),
        ("?q=Redis&topic=service:cache", {"Use Redis 7"}),
        ("?q=Redis&kind=question", set()),
    ],
)
def test_the_list_is_narrowed_by_words_and_by_every_filter(alice: Person, address: str, seen: set[str]) -> None:
    old = notebook.noted(alice.agent, "Use Redis 6")
    notebook.noted(alice.agent, "Use Redis 7", supersedes=old, topics=["service:cache"])
    notebook.noted(alice.agent, "Who signs?", "question")
    notebook.noted(alice.agent, "Ship on Friday", agent="planner")

    page = text(signed_in(alice).get(f"/memories{address}"))

    every = {"Use Redis 7", "Use Redis 6", "Who signs?", "Ship on Friday"}
    assert {said for said in every if f">{said}</a>" in page} == seen
    assert ("No record fits" in page) is (not seen)


@requirement("pages:memories:list")
def test_older_records_are_on_the_next_page_at_the_same_cost(alice: Person, django_assert_num_queries: Any) -> None:
    items = [notebook.item(f"Statement number {number}", "fact") for number in range(30)]
    record.summary(alice.agent, session="one", items=items)
    record.summary(alice.agent, session="two", items=[notebook.item(f"Other {number}", "fact") for number in range(30)])
    client = signed_in(alice)
    client.get("/memories")

    # Session and person 1 each; memberships 3; the records and the spaces each between a savepoint and its end: what
    # the person reaches (2) and the rows.
    with django_assert_num_queries(2 + 3 + 5 + 5):
        first = text(client.get("/memories"))
    assert first.count('class="rec"') == 50
    older = first.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0].replace("&amp;", "&")
    assert text(client.get(f"/memories{older}")).count('class="rec"') == 10


@requirement("pages:memories:list")
@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("?kind=nonsense", 400),
        ("?q=a&status=nonsense", 400),
        ("?page=nonsense", 400),
        ("?space=spc_0", 404),
        ("?q=%00", 200),
    ],
)
def test_nonsense_in_the_address_is_explained_and_no_fault(alice: Person, address: str, status: int) -> None:
    assert signed_in(alice).get(f"/memories{address}").status_code == status


@requirement("pages:memories:one")
def test_a_record_shows_its_chain_both_ways_its_summary_and_its_neighbours(alice: Person) -> None:
    first = notebook.noted(alice.agent, "Use Redis 6")
    made = record.summary(
        alice.agent,
        agent="planner",
        session="week 2",
        text="The cache was settled.",
        items=[notebook.item("Use Redis 7", supersedes=first), notebook.item("Warm it at night", "fact")],
    )
    second = made.items[0].record.id
    third = notebook.noted(alice.agent, "Use Valkey 8", supersedes=second)

    page = text(signed_in(alice).get(f"/memories/records/{second}"))

    history = page.partition('id="history"')[2].partition("</section>")[0]
    assert [history.index(said) for said in ("Use Valkey 8", "Use Redis 7", "Use Redis 6")] == sorted(
        history.index(said) for said in ("Use Valkey 8", "Use Redis 7", "Use Redis 6")
    )
    assert f"/memories/records/{first}" in history
    assert f"/memories/records/{third}" in history
    session = page.partition('id="session"')[2].partition("</section>")[0]
    assert "The cache was settled." in session
    assert "Warm it at night" in session
    assert "Use Redis 7" not in session


@requirement("pages:memories:supersede")
def test_a_person_puts_a_new_record_in_the_old_ones_place(alice: Person) -> None:
    space = spaces.create(alice.agent, name="Platform")
    old = notebook.noted(alice.agent, "Use Redis 6", topics=["service:cache"], space_id=space.id)
    client = signed_in(alice)

    answer = post(
        client,
        f"records/{old}/supersede",
        kind="decision",
        text="Use Redis 7",
        decided_by="Ines",
        topics="service:cache\r\n\r\nfile:a b.py ",
        links="https://example.com/adr/7",
    )

    new = listing.history(alice.caller, header(answer, "Location").rpartition("/")[2])
    assert [row.id for row in new.earlier] == [old]
    made = new.record
    assert (made.text, made.decided_by, made.agent) == ("Use Redis 7", "Ines", "alice@example.com")
    assert (made.topics, made.links) == (["service:cache", "file:a b.py"], ["https://example.com/adr/7"])
    assert made.space_id == space.id
    assert status_of(alice, old) == "superseded"


@requirement("pages:memories:supersede")
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"text": ""}, "is empty"),
        ({"text": "x" * 2001}, "2,001 characters"),
        ({"kind": "nonsense"}, "is none of"),
        ({"links": "javascript:alert(1)"}, "is no http or https address"),
        ({"text": "Use Redis 6"}, "says the same already"),
    ],
)
def test_what_is_wrong_with_it_is_told_beside_the_form_and_nothing_typed_is_lost(
    alice: Person, changes: dict[str, str], told: str
) -> None:
    old = notebook.noted(alice.agent, "Use Redis 6")
    given = {"kind": "decision", "text": "Use Redis 7", "decided_by": "Ines of operations"}

    answer = post(signed_in(alice), f"records/{old}/supersede", **{**given, **changes})

    assert answer.status_code == 400
    page = text(answer)
    assert told in page
    assert "Ines of operations" in page
    assert status_of(alice, old) == "active"
    assert len(notebook.rows(alice.agent)) == 1


@requirement("pages:memories:supersede")
def test_who_comes_second_is_told_which_one_is_in_force(alice: Person) -> None:
    old = notebook.noted(alice.agent, "Use Redis 6")
    current = notebook.noted(alice.agent, "Use Redis 7", supersedes=old)

    answer = post(signed_in(alice), f"records/{old}/supersede", kind="decision", text="Use Redis 8")

    assert answer.status_code == 400
    assert f"the one in force is {current}" in text(answer)


@requirement("pages:memories:resolve")
def test_a_question_is_resolved_once(alice: Person) -> None:
    question = notebook.noted(alice.agent, "Who signs the release?", "question")
    client = signed_in(alice)

    post(client, f"records/{question}/resolve")
    assert status_of(alice, question) == "resolved"
    assert "Resolved." in text(client.get(f"/memories/records/{question}"))

    post(client, f"records/{question}/resolve")
    assert "is resolved already" in text(client.get(f"/memories/records/{question}"))


@requirement("pages:memories:delete")
def test_a_deleted_record_is_gone(alice: Person) -> None:
    old = notebook.noted(alice.agent, "Use Redis 6")
    client = signed_in(alice)

    assert header(post(client, f"records/{old}/delete"), "Location") == "/memories"
    assert client.get(f"/memories/records/{old}").status_code == 404
    assert "Use Redis 6" not in text(client.get("/memories"))


@requirement("pages:memories:escaped")
def test_what_agents_say_is_text_whatever_it_contains(alice: Person) -> None:
    made = record.summary(
        alice.agent,
        agent=HOSTILE,
        session=HOSTILE,
        text=f"{HOSTILE} summary",
        items=[
            notebook.item(HOSTILE, topics=[HOSTILE], decided_by=HOSTILE, links=["https://example.com/?a='onclick='b"]),
            notebook.item(f"{HOSTILE} too", "fact"),
        ],
        space_id=spaces.create(alice.agent, name=HOSTILE).id,
    )
    client = signed_in(alice)
    one = made.items[0].record

    for path in ("", f"/records/{one.id}", "/spaces", f"/spaces/{one.space_id}"):
        page = text(client.get(f"/memories{path}"))
        assert "alert(1)" in page
        assert "<img" not in page
        assert "<script>alert" not in page
        assert "'onclick='" not in page


# Roles and reach: who sees a record in a space, and what each may do with it.
ROLES = {
    "owner": ("owner", None, True, True),
    "admin": ("admin", None, True, True),
    "writer": ("member", True, True, True),
    "reader": ("member", False, True, False),
    "unlisted": ("member", None, False, False),
    "viewer": ("viewer", True, True, False),
}


@pytest.fixture
def cast(alice: Person) -> dict[str, Person]:
    """One of each, in Alice's account with a space that lists some; Alice herself is the owner."""
    return {"owner": alice} | {
        name: person(name, alice.account, role) for name, (role, *_) in ROLES.items() if name != "owner"
    }


@pytest.fixture
def space(alice: Person, cast: dict[str, Person]) -> str:
    made = spaces.create(alice.caller, name="Platform").id
    for name, (_, can_write, *_) in ROLES.items():
        if can_write is not None:
            spaces.admit(alice.caller, made, cast[name].user.email, can_write=can_write)
    return made


@requirement("pages:memories:reach")
@pytest.mark.parametrize("who", ROLES)
def test_who_reads_and_who_writes(alice: Person, cast: dict[str, Person], space: str, who: str) -> None:
    _, _, reads, writes = ROLES[who]
    question = notebook.noted(alice.agent, "Who signs the release?", "question", space_id=space)
    client = signed_in(cast[who])

    assert ("Who signs the release?" in text(client.get("/memories"))) is reads
    assert ("Platform" in text(client.get("/memories/spaces"))) is reads
    shown = client.get(f"/memories/records/{question}")
    room = client.get(f"/memories/spaces/{space}")
    assert (shown.status_code, room.status_code) == ((200, 200) if reads else (404, 404))
    for page, deed in ((shown, "supersede"), (shown, "resolve"), (shown, "delete"), (room, "admit"), (room, "change")):
        assert (f'/{deed}"' in text(page)) is writes

    refused = 403 if reads else 404
    deeds = [
        (f"records/{question}/resolve", {}),
        (f"records/{question}/supersede", {"kind": "decision", "text": "Ines signs."}),
        (f"spaces/{space}/admit", {"email": "alice@example.com"}),
        (f"spaces/{space}/change", {"name": "Renamed"}),
        (f"records/{question}/delete", {}),
    ]
    done = [post(client, path, **fields).status_code for path, fields in deeds]
    # A question that is resolved cannot be answered any more: told in words, to those who may.
    assert done == ([302, 400, 302, 302, 302] if writes else [refused] * 5)
    with isolation.account(alice.account.pk):
        assert Record.objects.exists() is not writes


@requirement("pages:memories:reach")
@pytest.mark.parametrize("who", ROLES)
def test_only_owners_and_admins_delete_a_space_and_import(
    alice: Person, cast: dict[str, Person], space: str, who: str
) -> None:
    client = signed_in(cast[who])
    is_above = who in ("owner", "admin")
    assert ("Export, import" in text(client.get("/memories"))) is is_above

    taken = client.post("/memories/import", {"file": SimpleUploadedFile("memory.jsonl", b"\n")})
    assert taken.status_code == (302 if is_above else 403)
    gone = post(client, f"spaces/{space}/delete")
    assert gone.status_code == (302 if is_above else 403 if ROLES[who][2] else 404)
    with isolation.account(alice.account.pk):
        assert Space.objects.exists() is not is_above


@requirement("pages:stranger")
def test_a_stranger_gets_the_same_page_for_alices_things_as_for_none(alice: Person, charlie: Person) -> None:
    space = spaces.create(alice.caller, name="Platform").id
    hers = notebook.noted(alice.agent, "Use Redis 6", space_id=space)
    client = signed_in(charlie)

    for path in (f"records/{hers}", f"spaces/{space}"):
        answer = client.get(f"/memories/{path}")
        never_was = client.get(f"/memories/{path[:-20]}{'0' * 20}")
        assert answer.status_code == never_was.status_code == 404
        assert text(answer).replace(path[-20:], "0" * 20) == text(never_was)
    assert "Use Redis 6" not in text(client.get("/memories"))
    assert client.get(f"/memories?space={space}").status_code == 404


@requirement("pages:spaces")
def test_a_space_is_made_renamed_opened_shared_and_left(alice: Person, bob: Person) -> None:
    client = signed_in(alice)
    post(client, "spaces", name="Platform", access="members")
    with isolation.account(alice.account.pk):
        made = Space.objects.get().public_id
    assert signed_in(bob).get(f"/memories/spaces/{made}").status_code == 404

    post(client, f"spaces/{made}/admit", email="BOB@example.com", can_write="yes")
    assert "Read and write" in text(signed_in(bob).get("/memories/spaces"))
    post(client, f"spaces/{made}/admit", email="bob@example.com")
    with isolation.account(alice.account.pk):
        assert SpaceMember.objects.get(user=bob.user).can_write is False
    post(client, f"spaces/{made}/dismiss", email="bob@example.com")
    assert signed_in(bob).get(f"/memories/spaces/{made}").status_code == 404

    post(client, f"spaces/{made}/change", name="Ground floor", access="account")
    assert "Ground floor" in text(signed_in(bob).get("/memories/spaces"))
    # Who takes themselves off a list may not see the space afterwards, so they are led to the list of spaces.
    assert header(post(client, f"spaces/{made}/dismiss", email="alice@example.com"), "Location") == "/memories/spaces"


@requirement("pages:spaces")
def test_what_cannot_be_is_told_on_the_page(alice: Person, charlie: Person) -> None:
    space = spaces.create(alice.caller, name="Platform").id
    client = signed_in(alice)

    for path, fields, told in (
        ("spaces", {"name": "Platform"}, "has a space called Platform already"),
        ("spaces", {"name": "x" * 121}, "1 to 120 characters"),
        (f"spaces/{space}/admit", {"email": "charlie@example.com"}, "No member of this account has that address."),
        (f"spaces/{space}/change", {"name": "Platform", "access": "nonsense"}, "is none of"),
    ):
        answer = post(client, path, **fields)
        assert answer.status_code == 302
        assert told in text(client.get(header(answer, "Location"))).replace("&#x27;", "")


@requirement("pages:memories:carry")
def test_an_export_is_taken_back_and_a_wrong_file_is_explained(alice: Person, charlie: Person) -> None:
    notebook.noted(alice.agent, "Use Redis 6")
    lines = b"".join(signed_in(alice).get("/v1/decisions/export").streaming_content)
    client = signed_in(charlie)

    client.post("/memories/import", {"file": SimpleUploadedFile("agent-memory.jsonl", lines)})
    assert "1 records, 1 summaries and 0 spaces came in" in text(client.get("/memories"))
    assert [row.text for row in notebook.rows(charlie.agent)] == ["Use Redis 6"]

    client.post("/memories/import", {"file": SimpleUploadedFile("holiday.png", b"\x89PNG\r\n\x1a\n\x00")})
    assert "Line 1: it is no JSON. Nothing was imported." in text(client.get("/memories"))
    client.post("/memories/import")
    assert "Choose a file" in text(client.get("/memories"))
