"""So many requests a second, whether or not the ones before are answered: what users do, and no client that waits."""

import asyncio
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

CONNECTIONS = 64
#: A request that no connection is free for within this is counted as unanswered.
PATIENCE = 30.0


@dataclass
class Offered:
    """How often each status came (0: no answer at all), and the seconds that answers took from when they were due."""

    statuses: dict[int, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def add(self, status: int, seconds: float) -> None:
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if status:
            self.seconds.append(seconds)

    @property
    def failed(self) -> int:
        """Answers of 5xx, and requests without an answer."""
        return sum(count for status, count in self.statuses.items() if status == 0 or status >= 500)


def offer(url: str, path: str, headers: dict[str, str], body: bytes, *, rate: int, seconds: float) -> Offered:
    """Offers the same POST `rate` times a second over connections that are kept open."""
    return asyncio.run(_offer(url, _message(url, path, headers, body), rate, seconds))


def _message(url: str, path: str, headers: dict[str, str], body: bytes) -> bytes:
    lines = {"Host": urlsplit(url).netloc, "Content-Length": str(len(body)), **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body


async def _offer(url: str, message: bytes, rate: int, seconds: float) -> Offered:
    offered = Offered()
    due: asyncio.Queue[float | None] = asyncio.Queue()
    workers = [asyncio.create_task(_worker(url, message, due, offered)) for _ in range(CONNECTIONS)]
    started = time.perf_counter()
    for number in range(int(rate * seconds)):
        at = started + number / rate
        if (early := at - time.perf_counter()) > 0:
            await asyncio.sleep(early)
        due.put_nowait(at)
    for _ in workers:
        due.put_nowait(None)
    await asyncio.gather(*workers)
    return offered


async def _worker(url: str, message: bytes, due: asyncio.Queue[float | None], offered: Offered) -> None:
    target = urlsplit(url)
    reader, writer = await asyncio.open_connection(target.hostname, target.port)
    while (at := await due.get()) is not None:
        try:
            writer.write(message)
            status = await asyncio.wait_for(_status(reader), PATIENCE)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            writer.close()
            reader, writer = await asyncio.open_connection(target.hostname, target.port)
            status = 0
        offered.add(status, time.perf_counter() - at)
    writer.close()


async def _status(reader: asyncio.StreamReader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = next((line.split(":")[1] for line in head.split("\r\n") if line.startswith("content-length:")), "0")
    await reader.readexactly(int(length))
    return int(head.split(" ", 2)[1])
