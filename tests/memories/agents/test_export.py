"""An export goes into an empty account as it was, once."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import isolation
from accounts.errors import InvalidArguments, PermissionMissing
from memories.agents import export, forget, listing, record, restore, spaces, supersession
from memories.models import Record
from tests.cast import Person
from tests.memories.agents.notebook import item, noted, rows
from tests.requirements import requirement


@pytest.fixture
def history(alice: Person) -> list[str]:
    """An account with everything that an export has to keep; its lines."""
    space = spaces.create(alice.agent, name="Payments").id
    old = noted(alice.agent, "Use Redis 6", topics=["cache"], links=["https://example.com/1"])
    noted(alice.agent, "Use Valkey 8", supersedes=old, decided_by="Dana")
    record.summary(alice.agent, session="again", items=[item("Use Valkey 8"), item("Pay on Monday")], space_id=space)
    asked = noted(alice.agent, "Who tests the pump?", "question")
    supersession.resolve(alice.agent, asked)
    hidden = noted(alice.agent, "Rumour")
    forget.record(alice.agent, noted(alice.agent, "A slip of the pen"))
    with isolation.account(alice.account.pk):
        row = Record.objects.get(public_id=hidden)
        Record.objects.filter(pk=row.pk).update(hidden_at=row.created_at)
    return list(export.lines(alice.agent, with_hidden=True))


def _content(lines: list[str], *without: str) -> list[Any]:
    """The lines with ids numbered by first mention, since a copy beside the original has ids of its own."""
    names: dict[str, str] = {}
    found = []
    for line in lines:
        made = json.loads(line)
        for name in ("id", "space_id", "summary_id", "supersedes", "superseded_by"):
            if made.get(name) and made["type"] != "tombstone":
                made[name] = names.setdefault(made[name], f"#{len(names)}")
        found.append({name: value for name, value in made.items() if name not in without})
    return found


@requirement("knowledge:export:equal")
def test_an_import_into_an_empty_account_gives_an_equal_state(
    alice: Person, charlie: Person, history: list[str]
) -> None:
    restore.lines(charlie.agent, history)

    copied = list(export.lines(charlie.agent, with_hidden=True))
    assert _content(copied, "members") == _content(history, "members")


@requirement("knowledge:export:twice")
def test_importing_twice_doubles_nothing(charlie: Person, history: list[str]) -> None:
    first = restore.lines(charlie.agent, history)
    again = restore.lines(charlie.agent, history)

    assert (again.spaces, again.summaries, again.records, again.tombstones) == (0, 0, 0, 0)
    assert again.present == len(history)
    assert len(rows(charlie.agent)) == first.records


@requirement("knowledge:export:twice")
def test_importing_where_it_came_from_changes_nothing(alice: Person, history: list[str]) -> None:
    restore.lines(alice.agent, history)

    assert list(export.lines(alice.agent, with_hidden=True)) == history


@requirement("knowledge:export:same-ids")
def test_what_was_lost_comes_back_under_its_own_id(alice: Person, history: list[str]) -> None:
    with isolation.account(alice.account.pk):
        Record.objects.filter(account=alice.account).delete()

    restore.lines(alice.agent, history)

    assert list(export.lines(alice.agent, with_hidden=True)) == history


@requirement("knowledge:export:hidden")
def test_what_is_hidden_is_in_no_ordinary_export(alice: Person, history: list[str]) -> None:
    told = "".join(export.lines(alice.agent))

    assert "Use Valkey 8" in told
    assert "Rumour" not in told
    assert "A slip of the pen" not in "".join(history)


@requirement("knowledge:export:reach")
def test_an_export_holds_what_its_caller_reads(alice: Person, bob: Person, history: list[str]) -> None:
    told = "".join(export.lines(bob.agent))

    assert "Use Valkey 8" in told
    assert "Pay on Monday" not in told
    assert "Payments" not in told


GOOD = {
    "type": "record",
    "id": "rec_1",
    "kind": "fact",
    "text": "The pump is blue",
    "status": "active",
    "seen_count": 1,
    "created_at": "2026-01-01T00:00:00Z",
    "last_seen_at": "2026-01-01T00:00:00Z",
}
SPACE = {"type": "space", "id": "spc_1", "name": "Pumps", "access": "members", "created_at": "2026-01-01T00:00:00Z"}


@requirement("knowledge:import:bad-input")
@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"type": "rumour", "id": "x"}',
        '{"type": "summary", "id": "sum_1", "text": "x", "trigger": "end", "created_at": "yesterday"}',
        *[
            json.dumps({**GOOD, **wrong})
            for wrong in (
                {"id": 7},
                {"id": ""},
                {"id": "a\x00b"},
                {"id": "\ud800x"},
                {"id": "x" * 41},
                {"status": "lost"},
                {"text": "x\x00"},
                {"kind": "a\x00"},
                {"seen_count": -1},
                {"seen_count": 0},
                {"seen_count": True},
                {"created_at": "9999-12-31T23:59:59-14:00"},
                {"last_seen_at": "0001-01-01T00:00:00+14:00"},
                {"hidden_at": "0001-01-01T00:00:00+23:59"},
                {"created_at": "2026-01-01T00:00:00"},
                {"topics": 5},
                {"topics": "abc"},
                {"topics": [None]},
                {"links": {"http://a": 1}},
                {"supersedes": None},
                {"supersedes": []},
                {"supersedes": "rec_1"},
                {"superseded_by": "rec_2"},
                {"status": "superseded", "superseded_by": "rec_1"},
                {"decided_by": {}},
            )
        ],
        *[
            json.dumps({**SPACE, "members": members})
            for members in (5, True, ["x"], {"a": 1}, [None], [{"email": "\ud800"}], [{"email": "a\x00"}])
        ],
    ],
)
def test_a_wrong_line_is_named_and_nothing_comes_in(charlie: Person, history: list[str], line: str) -> None:
    with pytest.raises(InvalidArguments, match=f"Line {len(history) + 1}: "):
        restore.lines(charlie.agent, [*history, line])

    assert rows(charlie.agent) == []
    assert listing.summaries(charlie.agent).summaries == []


@requirement("knowledge:import:bad-input")
def test_a_circle_of_replacements_is_refused(charlie: Person) -> None:
    one = {**GOOD, "id": "a", "status": "superseded", "superseded_by": "b"}
    other = {**GOOD, "id": "b", "text": "The pump is red", "status": "superseded", "superseded_by": "a"}

    with pytest.raises(InvalidArguments, match="comes back to itself"):
        restore.lines(charlie.agent, [json.dumps(one), json.dumps(other)])

    assert rows(charlie.agent) == []


@requirement("knowledge:import:queries")
def test_an_import_costs_the_same_queries_whatever_its_length(charlie: Person) -> None:
    def cost(numbers: range) -> int:
        caller = charlie.agent
        given = [json.dumps({**GOOD, "id": f"rec_{n}", "text": f"Pump {n} is blue"}) for n in numbers]
        with CaptureQueriesContext(connection) as asked:
            restore.lines(caller, given)
        return len(asked)

    assert cost(range(3)) == cost(range(3, 103))


@requirement("knowledge:import:who")
def test_a_member_does_not_import(bob: Person, history: list[str]) -> None:
    with pytest.raises(PermissionMissing):
        restore.lines(bob.agent, history)
