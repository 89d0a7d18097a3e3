"""One delivery over HTTP: signed, to the address that was looked at, within five seconds. Knows no database.

The receiver makes sure of it so: HMAC-SHA256 with the account's webhook secret over the timestamp's header, a dot and
the raw body, in hex, is the signature's header.
"""

import hashlib
import hmac
import json
import ssl
import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import anyio
import httpx2

from accounts.webhooks import addresses
from accounts.webhooks.addresses import BadWebhookURL, IPAddress, Target

SECONDS = 5.0
#: So much of an answer is read; the rest is left where it is.
MOST_BYTES = 2048
VERSION = "1"
#: For each step; SECONDS bound them all together. An address that does not take the connection leaves time for another.
_PATIENCE = httpx2.Timeout(SECONDS, connect=2.0)


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of an attempt: the receiver's status and the beginning of its answer, or why there is none."""

    status: int | None
    answer: str
    error: str
    duration_ms: int

    @property
    def is_delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def body(*, event: str, tenant_id: str, timestamp: str, data: dict[str, Any]) -> bytes:
    told = {"event": event, "tenant_id": tenant_id, "timestamp": timestamp, "data": data, "version": VERSION}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def sign(secret: str, timestamp: str, raw: bytes) -> str:
    return hmac.new(secret.encode(), timestamp.encode() + b"." + raw, hashlib.sha256).hexdigest()


def send(url: str, raw: bytes, *, event: str, secret: str, delivery_id: str) -> Sent:
    """POSTs `raw`. Never raises: what goes wrong is told in the result."""
    timestamp = str(int(time.time()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "PAM-Webhook/1",
        "X-MemoryOS-Event": event,
        "X-MemoryOS-Timestamp": timestamp,
        "X-MemoryOS-Signature": sign(secret, timestamp, raw),
        "X-MemoryOS-Delivery": delivery_id,
    }
    started = time.monotonic()
    status, answer, error = anyio.run(_attempt, url, raw, headers)
    return Sent(status, answer, error, round((time.monotonic() - started) * 1000))


async def _attempt(url: str, raw: bytes, headers: dict[str, str]) -> tuple[int | None, str, str]:
    """Status, beginning of the answer, and what went wrong."""
    try:
        with anyio.fail_after(SECONDS):
            target = addresses.parse(url)
            status, answer = await _post(target, await addresses.resolve(target), raw, headers)
    except BadWebhookURL as refused:
        return None, "", refused.message
    except TimeoutError:
        return None, "", f"There was no answer within {SECONDS:g} seconds."
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        return None, "", f"{type(error).__name__}: {str(error)[:200]}"
    if 300 <= status < 400:
        return status, answer, f"It answered {status}: redirects are not followed. Set the URL that it leads to."
    return status, answer, "" if 200 <= status < 300 else f"It answered {status}."


async def _post(target: Target, found: list[IPAddress], raw: bytes, headers: dict[str, str]) -> tuple[int, str]:
    """Tries one address after the other until one takes the connection."""
    # No proxy, no cookies and no .netrc of ours may come into it.
    async with httpx2.AsyncClient(verify=_tls(), trust_env=False, follow_redirects=False, timeout=_PATIENCE) as client:
        for address in found[:-1]:
            try:
                return await _post_to(client, target, address, raw, headers)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await _post_to(client, target, found[-1], raw, headers)


async def _post_to(
    client: httpx2.AsyncClient, target: Target, address: IPAddress, raw: bytes, headers: dict[str, str]
) -> tuple[int, str]:
    """Connects to `address`; the host's name is only told: in the Host header, and to TLS, which proves it."""
    pinned = target.url.copy_with(host=str(address))
    headers = {**headers, "Host": target.url.netloc.decode("ascii")}
    named = {"sni_hostname": target.host}
    async with client.stream("POST", pinned, content=raw, headers=headers, extensions=named) as response:
        return response.status_code, await _beginning(response)


@cache
def _tls() -> ssl.SSLContext:
    """Made once: reading the certificates of all authorities takes longer than a delivery."""
    return httpx2.create_ssl_context(trust_env=False)


async def _beginning(response: httpx2.Response) -> str:
    """The first of the answer as it came over the wire, never unpacked: a small one can hold gigabytes."""
    read = b""
    async for chunk in response.aiter_raw(MOST_BYTES):
        read += chunk
        if len(read) >= MOST_BYTES:
            break
    return read[:MOST_BYTES].decode("utf-8", "replace").replace("\x00", "")
