"""Where a webhook may lead, in every way that an address can be written."""

import ipaddress
import socket
from typing import Any

import anyio
import pytest

from accounts.webhooks import addresses
from accounts.webhooks.addresses import BadWebhookURL
from tests.requirements import requirement


def names(found: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Makes names resolve to addresses, as a DNS of one's own would; returns the look-ups, as they are made."""
    asked: list[str] = []

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        if host not in found:
            raise socket.gaierror(-2, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found[host]]

    monkeypatch.setattr(addresses.socket, "getaddrinfo", look_up)
    return asked


INSIDE = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::127.0.0.1",
    "64:ff9b:1::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]


@requirement("webhooks:addresses:public-only")
@pytest.mark.parametrize("address", INSIDE)
def test_no_address_that_is_not_on_the_public_internet_is_called(address: str) -> None:
    host = f"[{address}]" if ":" in address else address

    assert not addresses.is_public(ipaddress.ip_address(address))
    with pytest.raises(BadWebhookURL, match="not an address on the public internet"):
        addresses.parse(f"http://{host}/hook")


@requirement("webhooks:addresses:public-only")
@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450:4001::1"])
def test_public_addresses_are(address: str) -> None:
    assert addresses.is_public(ipaddress.ip_address(address))


@requirement("webhooks:addresses:odd-forms")
@pytest.mark.parametrize(
    "host",
    [
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "017700000001",
        "127.1",
        "127.0.1",
        "0",
        "127.0.0.1.",
        "127。0。0。1",
        "1.2.3.4.5",
        "256.256.256.256",
        "foo.0x7f",
    ],
)
def test_an_address_in_an_odd_form_is_refused(host: str) -> None:
    with pytest.raises(BadWebhookURL):
        addresses.parse(f"http://{host}/hook")


@requirement("webhooks:addresses:odd-urls")
@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "1 to 2000 characters"),
        ("https://hooks.example/" + "x" * 2000, "1 to 2000 characters"),
        ("https://hooks.example/a b", "without spaces"),
        ("https://hooks.example\\@127.0.0.1/", "without spaces"),
        ("https://hooks.example/\r\nHost: inside", "without spaces"),
        ("ftp://hooks.example/", "begins with https"),
        ("file:///etc/passwd", "begins with https"),
        ("gopher://127.0.0.1:6379/_", "begins with https"),
        ("//hooks.example/", "begins with https"),
        ("hooks.example", "begins with https"),
        ("https:///hook", "begins with https"),
        ("https://pat@hooks.example/", "no user name"),
        ("https://pat:secret@hooks.example/", "no user name"),
        ("https://@hooks.example/", "no user name|begins with https"),
        ("https://hooks.example:22/", "port 80, 443"),
        ("https://hooks.example:0/", "port 80, 443"),
        ("https://hooks.example:65536/", "port 80, 443|not a URL"),
        ("https://hooks.example:x/", "not a URL"),
        ("https://[::1/", "not a URL"),
        ("https://[fe80::1%25eth0]/", "."),
        ("https://a..example/", "as a name"),
        ("https://exa%6dple.example/", "as a name"),
        ("https://" + "x" * 64 + ".example/", "as a name|not a URL"),
    ],
)
def test_an_odd_url_is_refused_with_the_reason(url: str, reason: str) -> None:
    with pytest.raises(BadWebhookURL, match=reason):
        addresses.parse(url)


@requirement("webhooks:addresses:odd-urls")
@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("https://hooks.example/pam?of=shop", "hooks.example", 443),
        ("http://hooks.example", "hooks.example", 80),
        ("HTTPS://Hooks.Example:8443/pam", "hooks.example", 8443),
        ("https://bücher.example/", "xn--bcher-kva.example", 443),
        ("https://8.8.8.8/pam", "8.8.8.8", 443),
        ("https://[2606:4700::1111]/pam", "2606:4700::1111", 443),
    ],
)
def test_what_leads_out_is_taken(url: str, host: str, port: int) -> None:
    target = addresses.parse(url)

    assert (target.host, target.port) == (host, port)


@requirement("webhooks:addresses:names")
@pytest.mark.parametrize("found", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["::1"], ["fe80::1%eth0"]])
def test_a_name_of_which_one_address_lies_inside_is_refused(found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    names({"hooks.example": found}, monkeypatch)

    with pytest.raises(BadWebhookURL, match="not an address on the public internet"):
        anyio.run(addresses.resolve, addresses.parse("https://hooks.example/"))


@requirement("webhooks:addresses:names")
def test_localhost_by_its_own_resolver_is_refused() -> None:
    with pytest.raises(BadWebhookURL, match="not an address on the public internet"):
        anyio.run(addresses.resolve, addresses.parse("http://localhost:8000/"))


@requirement("webhooks:addresses:loopback-setting")
def test_the_setting_lets_loopback_through_and_nothing_else(settings: Any) -> None:
    settings.PAM_WEBHOOK_ALLOW_LOOPBACK = True

    assert str(addresses.parse("http://127.0.0.1:8000/").address) == "127.0.0.1"
    assert str(addresses.parse("http://[::1]:8000/").address) == "::1"
    for inside in ("10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]", "2130706433"):
        with pytest.raises(BadWebhookURL):
            addresses.parse(f"http://{inside}/")
