"""Two agents work through ten sessions of a made-up project and remember it in PAM; then one of them is briefed.

    .venv/bin/python docs/two_agents.py http://127.0.0.1:8000/v1/mcp pam_mkey_… [pam_mkey_…]

The keys are those of the two agents; one will do for both. The project, a tide gauge in a harbour, is invented.
Prints what each session recorded, and at the end the briefing. docs/agent-memory.md tells the story.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

KEEL, RUDDER = "keel", "rudder"
SERVICE = "service:tidewatch"


class Item(NamedTuple):
    """`key` is how later items of this story call it; `replaces` is the key of the one whose place it takes."""

    key: str
    kind: str
    text: str
    replaces: str = ""
    topics: tuple[str, ...] = ()
    decided_by: str = ""
    links: tuple[str, ...] = ()


SESSIONS: list[tuple[str, str, list[Item]]] = [
    (
        KEEL,
        "Where readings are kept was settled; who may move the alarm levels is open.",
        [
            Item("store", "decision", "Tide readings are kept in SQLite on the gauge", topics=("file:gauge/store.py",)),
            Item("levels", "question", "Who may change the alarm levels?"),
        ],
    ),
    (
        RUDDER,
        "Measured what the gauge writes.",
        [
            Item("rate", "fact", "The gauge writes 40 readings a minute"),
            Item("units", "preference", "Name the unit in every field: level_mm, not level"),
        ],
    ),
    (
        KEEL,
        "A gauge was lost with its readings, so they are kept ashore from now on.",
        [
            Item(
                "store-2",
                "decision",
                "Tide readings are kept in Postgres at the harbour office",
                replaces="store",
                decided_by="Ingrid Solheim",
                topics=("file:office/schema.sql",),
                links=("https://example.com/tidewatch/changes/31",),
            )
        ],
    ),
    (
        RUDDER,
        "The upload works, but not over a broken line; handed over for tomorrow.",
        [
            Item(
                "upload",
                "handoff",
                "The upload in gauge/upload.py still lacks retries",
                topics=("file:gauge/upload.py",),
            )
        ],
    ),
    (
        KEEL,
        "The harbour master was asked.",
        [
            Item(
                "levels-2",
                "decision",
                "Only the harbour master changes the alarm levels",
                replaces="levels",
                decided_by="Tor Myhre",
            )
        ],
    ),
    (
        RUDDER,
        "Took over the upload and finished it.",
        [
            Item(
                "upload-2",
                "done",
                "gauge/upload.py tries again for six hours, and a test cuts the line",
                replaces="upload",
                topics=("file:gauge/upload.py",),
            )
        ],
    ),
    (
        KEEL,
        "Alarms were settled; how long readings are kept is open.",
        [
            Item("alarm", "decision", "Alarms go out by text message"),
            Item("keep", "question", "For how many years are readings kept?"),
        ],
    ),
    (
        RUDDER,
        "Nobody heard the text message at night.",
        [
            Item(
                "alarm-2",
                "decision",
                "Alarms go out by text message and by the siren on the pier",
                replaces="alarm",
                links=("https://example.com/tidewatch/incidents/2",),
            )
        ],
    ),
    (
        KEEL,
        "The archive act was read. Which harbour comes next is open.",
        [
            Item("keep-2", "decision", "Readings are kept for ten years", replaces="keep"),
            Item("next", "question", "Which harbour gets the next gauge?"),
        ],
    ),
    (
        RUDDER,
        "A power cut was tried, and the load measured once more.",
        [
            Item("cut", "fact", "A power cut loses at most one reading"),
            Item("rate-again", "fact", "the gauge writes 40 readings a minute."),
        ],
    ),
]


@asynccontextmanager
async def connected(url: str, key: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def called(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool answers. Raises RuntimeError for what it refuses."""
    answer = await client.call_tool(tool, arguments)
    if answer.is_error:
        raise RuntimeError(answer.content[0].text)  # type: ignore[union-attr]  # tools answer in text
    return dict(answer.structured_content or {})


async def work(agents: dict[str, Client]) -> None:
    """The ten sessions, one after the other."""
    ids: dict[str, str] = {}
    for number, (agent, text, items) in enumerate(SESSIONS, start=1):
        made = await called(
            agents[agent],
            "memory_record_summary",
            agent=agent,
            session=f"tidewatch {number}",
            trigger="end",
            text=text,
            items=[given(item, ids) for item in items],
        )
        for item, taken in zip(items, made["items"], strict=True):
            ids[item.key] = taken["record"]["id"]
            print(f"{number:2} {agent:6} {taken['outcome']:10} {item.kind:10} {taken['record']['text']}")


def given(item: Item, ids: dict[str, str]) -> dict[str, Any]:
    made = {"kind": item.kind, "text": item.text, "topics": [SERVICE, *item.topics], "links": list(item.links)}
    return {**made, "decided_by": item.decided_by, "supersedes": ids[item.replaces] if item.replaces else ""}


async def main(url: str, first: str, second: str) -> None:
    async with connected(url, first) as keel, connected(url, second) as rudder:
        await work({KEEL: keel, RUDDER: rudder})
        briefing = await called(rudder, "brief_me", about=SERVICE, agent=RUDDER)
    print(f"\n{briefing['text']}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[-1]))
