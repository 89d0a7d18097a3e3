"""Where a webhook may lead: out to the public internet, and nowhere else (SSRF).

A URL is looked at twice: when an account sets it, and at each delivery, where the name is resolved once and the
connection goes to the very address that was looked at. So neither a name that changes its answer (DNS rebinding) nor an
odd way to write 127.0.0.1 leads inside.
"""

import ipaddress
import re
import socket
from dataclasses import dataclass

import anyio
import httpx2
from django.conf import settings

from accounts.errors import PamError

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
LONGEST_URL = 2000
DEFAULT_PORTS = {"http": 80, "https": 443}
#: Below it lie the ports of other services; of those, only the web's own.
FIRST_FREE_PORT = 1024
# Unicast that is given out to the public. The rest of IPv6, with its ways to write an IPv4 address, is not.
PUBLIC_IPV6 = ipaddress.ip_network("2000::/3")
# 6to4 and Teredo carry an IPv4 address inside; the relay anycast of 6to4 leads to whoever answers.
TUNNELS = tuple(ipaddress.ip_network(each) for each in ("2002::/16", "2001::/32", "192.88.99.0/24"))
# What an address parser older than RFC 3986 takes for a number: 127.1, 0x7f000001, 0177.0.0.1, 2130706433.
_NUMERIC = re.compile(r"(0[xX][0-9a-fA-F]*|[0-9]+)")
_LABEL = r"[A-Za-z0-9_][A-Za-z0-9_-]{0,62}"
_NAME = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*\.?")
_PRINTABLE = re.compile(r"[^\s\x00-\x1f\x7f\\]+")


class BadWebhookURL(PamError):
    """The account is told why; nothing was sent."""

    code = "bad_webhook_url"
    http_status = 400
    default_message = "This webhook URL cannot be used."


@dataclass(frozen=True, slots=True)
class Target:
    """A webhook URL taken apart. `address` where its host is written as one; else the name has to be resolved."""

    url: httpx2.URL
    host: str
    port: int
    address: IPAddress | None


def parse(text: str) -> Target:
    """Takes a URL apart by the same parser that the sender uses. Raises BadWebhookURL, saying what is wrong with it."""
    if not 1 <= len(text) <= LONGEST_URL or not _PRINTABLE.fullmatch(text):
        raise BadWebhookURL(f"A webhook URL has 1 to {LONGEST_URL} characters, without spaces and backslashes.")
    try:
        url = httpx2.URL(text)
        host = url.raw_host.decode("ascii")
    except (httpx2.InvalidURL, UnicodeError, ValueError) as error:
        raise BadWebhookURL("This is not a URL.") from error
    if url.scheme not in DEFAULT_PORTS or not host:
        raise BadWebhookURL("A webhook URL begins with https:// or http://, and names a host.")
    if "@" in re.split(r"[/?#]", text.partition("://")[2], maxsplit=1)[0]:
        raise BadWebhookURL("A webhook URL carries no user name and no password.")
    port = DEFAULT_PORTS[url.scheme] if url.port is None else url.port
    target = Target(url, host, port, _written_address(host))
    _check_port(target)
    if target.address is not None:
        check(target.address)
    return target


def _written_address(host: str) -> IPAddress | None:
    """The address that a host is written as; None for a name. Raises BadWebhookURL for one written in an odd way."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        pass
    # As browsers see it: what ends in a number is an address, or nothing.
    if _NUMERIC.fullmatch(host.rstrip(".").rpartition(".")[2]) or not _NAME.fullmatch(host):
        raise BadWebhookURL("Write the host as a name, or its address in the plain way: four numbers, or IPv6 in [].")
    return None


def _check_port(target: Target) -> None:
    if target.port not in DEFAULT_PORTS.values() and not FIRST_FREE_PORT <= target.port <= 65535:
        raise BadWebhookURL(f"A webhook is called at port 80, 443, or from {FIRST_FREE_PORT} on.")


def check(address: IPAddress) -> None:
    """Raises BadWebhookURL for an address that is not out on the public internet."""
    if settings.PAM_WEBHOOK_ALLOW_LOOPBACK and address.is_loopback:
        return
    if not is_public(address):
        raise BadWebhookURL(
            f"This webhook URL leads to {address}, which is not an address on the public internet: private, loopback, "
            "link-local and other special addresses are never called."
        )


def is_public(address: IPAddress) -> bool:
    if any(address in tunnel for tunnel in TUNNELS if tunnel.version == address.version):
        return False
    if isinstance(address, ipaddress.IPv6Address) and address not in PUBLIC_IPV6:
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


async def resolve(target: Target) -> list[IPAddress]:
    """Every address that the host stands for, each of them checked. Raises BadWebhookURL, or OSError where the name
    does not resolve.

    One that leads inside spoils the name: whoever mixes them in means no good.
    """
    if target.address is not None:
        check(target.address)
        return [target.address]
    # Left behind when its time is over: the resolver cannot be stopped.
    found = await anyio.to_thread.run_sync(_look_up, target.host, target.port, abandon_on_cancel=True)
    addresses = [ipaddress.ip_address(each.partition("%")[0]) for each in found]
    for address in addresses:
        check(address)
    return addresses


def _look_up(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))
