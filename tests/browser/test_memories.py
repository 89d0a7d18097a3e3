"""Agent memory in a browser: an agent records over MCP, a person finds it, follows its history and changes it."""

from typing import Any

import httpx2
from playwright.sync_api import Dialog, Page, expect

from memories.agents import record
from tests.cast import Person
from tests.memories.agents import notebook
from tests.requirements import requirement

HOSTILE = '"><img src=x onerror=alert(1)>'


def recorded(url: str, key: str, **given: Any) -> list[str]:
    """What an agent records over MCP; the ids of its records."""
    call = {"name": "memory_record_summary", "arguments": given}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    answer = httpx2.post(f"{url}/v1/mcp", json=body, headers=headers, timeout=60).json()
    return [item["record"]["id"] for item in answer["result"]["structuredContent"]["items"]]


@requirement("pages:memories:main-path")
def test_what_an_agent_recorded_is_found_followed_answered_superseded_and_deleted(alice: Person, visit: Any) -> None:
    visitor = visit()
    page: Page = visitor.sign_in(alice)
    page.get_by_role("link", name="Memories").click()
    expect(page.get_by_text("No memories yet")).to_be_visible()

    first, _ = recorded(
        visitor.url,
        alice.secret,
        agent="planner",
        session="week 1",
        text="The cache was chosen; who watches it is open.",
        items=[
            {"kind": "decision", "text": "The cache is Redis 6"},
            {"kind": "question", "text": "Who watches the cache at night?"},
        ],
    )
    recorded(
        visitor.url,
        alice.secret,
        agent="builder",
        session="week 2",
        items=[{"kind": "decision", "text": "The cache is Redis 7", "supersedes": first}],
    )

    # Found by its words as they are typed (the question by those of its neighbour in the session), narrowed by filters.
    page.reload()
    page.get_by_label("Search").press_sequentially("Redis")
    expect(page.locator("#records .rec")).to_have_count(3)
    page.get_by_label("Status").select_option("active")
    expect(page.locator("#records .rec")).to_have_count(2)
    page.get_by_label("Kind").select_option("decision")
    expect(page.locator("#records .rec")).to_have_count(1)
    page.get_by_role("link", name="The cache is Redis 7").click()

    # Its chain, both ways, by the links of the history; and its session with the neighbour.
    history = page.get_by_role("region", name="History")
    history.get_by_role("link", name="The cache is Redis 6").click()
    expect(page.locator("#text")).to_have_text("The cache is Redis 6")
    expect(page.locator("#summary")).to_contain_text("The cache was chosen")
    history.get_by_role("link", name="The cache is Redis 7").click()
    expect(page.locator("#text")).to_have_text("The cache is Redis 7")

    # Superseded by a person.
    page.get_by_label("What holds now").fill("The cache is Valkey 8")
    page.get_by_label("Decided by").fill("Ines")
    page.get_by_role("button", name="Record").click()
    expect(page.get_by_text("From now on agents are told this one.")).to_be_visible()
    expect(page.locator("#text")).to_have_text("The cache is Valkey 8")
    expect(history.locator("li")).to_have_count(3)
    history.get_by_role("link", name="The cache is Redis 6").click()

    # The question of that session, resolved.
    page.get_by_role("link", name="Who watches the cache at night?").click()
    page.get_by_role("button", name="Resolve").click()
    expect(page.get_by_text("Briefings no longer bring it up.")).to_be_visible()
    expect(page.get_by_role("button", name="Resolve")).to_have_count(0)

    # Deleted, after a question that can be declined, by keyboard alone.
    page.get_by_role("button", name="Delete").focus()
    page.keyboard.press("Enter")
    question = page.get_by_role("dialog", name="Delete this record?")
    expect(question).to_be_visible()
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    page.get_by_role("button", name="Delete").click()
    question.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Deleted for good.")).to_be_visible()
    expect(page.locator("#records .rec")).to_have_count(3)
    expect(page.get_by_role("link", name="Who watches the cache at night?")).to_have_count(0)


@requirement("pages:memories:main-path")
def test_everything_works_without_scripts(alice: Person, visit: Any) -> None:
    notebook.noted(alice.agent, "The cache is Redis 6")
    page: Page = visit(java_script_enabled=False).sign_in(alice)

    page.goto("/memories")
    page.get_by_label("Kind").select_option("decision")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="The cache is Redis 6").click()
    page.get_by_label("What holds now").fill("The cache is Redis 7")
    page.get_by_role("button", name="Record").click()

    expect(page.locator("#text")).to_have_text("The cache is Redis 7")


@requirement("pages:spaces")
def test_a_space_is_made_and_shared(alice: Person, bob: Person, visit: Any) -> None:
    page: Page = visit().sign_in(alice)
    page.goto("/memories/spaces")
    page.get_by_label("Name").fill("Platform")
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("link", name="Platform").click()
    page.get_by_label("E-mail of a member").fill("bob@example.com")
    page.get_by_label("May").select_option("Read and write")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("bob@example.com writes here now.")).to_be_visible()

    his = visit().sign_in(bob)
    his.goto("/memories/spaces")
    expect(his.get_by_role("link", name="Platform")).to_be_visible()


@requirement("pages:memories:escaped")
def test_hostile_memories_are_shown_and_never_run(alice: Person, visit: Any) -> None:
    item = notebook.item(HOSTILE, topics=[HOSTILE], decided_by=HOSTILE, links=["https://example.com/?a='onclick='b"])
    made = record.summary(alice.agent, agent=HOSTILE, session=HOSTILE, text=f"{HOSTILE} it was", items=[item])
    page: Page = visit().sign_in(alice)
    alarms: list[str] = []

    def alarmed(dialog: Dialog) -> None:
        alarms.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", alarmed)

    page.goto("/memories")
    expect(page.locator("#records")).to_contain_text(HOSTILE)
    page.goto(f"/memories/records/{made.items[0].record.id}")
    expect(page.locator("#summary")).to_contain_text(HOSTILE)
    expect(page.locator("main img")).to_have_count(0)
    assert alarms == []
