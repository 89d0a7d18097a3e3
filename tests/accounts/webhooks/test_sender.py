"""One delivery, to a real receiver: signed, bounded, and never led astray."""

import json
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from accounts.webhooks import addresses, sender
from tests.accounts.webhooks.receiver import Receiver, receiving
from tests.accounts.webhooks.test_addresses import names
from tests.requirements import requirement

SECRET = "whsec_of_a_test"
RAW = sender.body(event="quota.warning", tenant_id="acc_1", timestamp="2026-03-01T00:00:00Z", data={"größe": 1})


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.PAM_WEBHOOK_ALLOW_LOOPBACK = True
    with receiving() as receiver:
        yield receiver


def send(url: str) -> sender.Sent:
    return sender.send(url, RAW, event="quota.warning", secret=SECRET, delivery_id="evt_1")


@requirement("webhooks:sender:signed")
def test_the_receiver_can_verify_what_it_gets(receiver: Receiver) -> None:
    sent = send(receiver.url + "?of=shop")

    [got] = receiver.got
    assert (sent.is_delivered, sent.status, sent.answer, sent.error) == (True, 200, "thanks", "")
    assert got.is_signed_with(SECRET)
    assert not got.is_signed_with("another")
    assert got.path == "/hook?of=shop"
    assert got.headers["x-memoryos-event"] == "quota.warning"
    assert got.headers["x-memoryos-delivery"] == "evt_1"
    assert got.headers["content-type"] == "application/json"
    assert json.loads(got.raw) == {
        "event": "quota.warning",
        "tenant_id": "acc_1",
        "timestamp": "2026-03-01T00:00:00Z",
        "data": {"größe": 1},
        "version": "1",
    }


@requirement("webhooks:sender:no-redirects")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(receiver: Receiver, status: int) -> None:
    with receiving() as inside:
        receiver.status, receiver.headers = status, {"Location": inside.url}
        sent = send(receiver.url)

    assert inside.got == []
    assert not sent.is_delivered
    assert (sent.status, "redirects are not followed" in sent.error) == (status, True)


@requirement("webhooks:sender:pinned")
def test_the_name_is_told_and_the_address_is_called(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = names({"hooks.example": ["127.0.0.1"]}, monkeypatch)
    url = receiver.url.replace("127.0.0.1", "hooks.example")

    assert send(url).is_delivered
    assert receiver.got[0].headers["host"] == url.split("/")[2]
    assert asked == ["hooks.example"]


@requirement("webhooks:sender:pinned")
def test_a_name_that_changes_its_answer_leads_nowhere(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first look-up says an address outside, every later one 127.0.0.1 (DNS rebinding)."""
    answers = {"hooks.example": ["8.8.8.8"]}
    asked = names(answers, monkeypatch)
    called: list[str] = []

    async def post_to(client: Any, target: Any, address: Any, raw: bytes, headers: dict[str, str]) -> Any:
        called.append(str(address))
        answers["hooks.example"] = ["127.0.0.1"]
        raise sender.httpx2.ConnectError("Nobody is there.")

    monkeypatch.setattr(sender, "_post_to", post_to)
    sent = send(receiver.url.replace("127.0.0.1", "hooks.example"))

    assert (asked, called, receiver.got) == (["hooks.example"], ["8.8.8.8"], [])
    assert "ConnectError" in sent.error


@requirement("webhooks:sender:pinned")
def test_of_several_addresses_the_first_that_takes_the_connection_is_called(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    names({"hooks.example": ["127.0.0.9", "127.0.0.1"]}, monkeypatch)

    assert send(receiver.url.replace("127.0.0.1", "hooks.example")).is_delivered


@requirement("webhooks:sender:inside")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "hooks.example", "2130706433", "0x7f000001", "[::1]"])
def test_without_the_setting_nothing_on_this_machine_is_called(
    receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    settings.PAM_WEBHOOK_ALLOW_LOOPBACK = False
    names({"hooks.example": ["127.0.0.1"], "localhost": ["127.0.0.1"]}, monkeypatch)

    sent = send(receiver.url.replace("127.0.0.1", host))

    assert (sent.status, receiver.got) == (None, [])
    assert sent.error


@requirement("webhooks:sender:bounded")
def test_an_answer_that_never_ends_is_left_after_five_seconds(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte after byte, so that no single wait is long. A fifth of a second stands for the five here."""
    monkeypatch.setattr(sender, "SECONDS", 0.2)
    receiver.drips = True

    sent = send(receiver.url)

    assert (sent.status, sent.error) == (None, "There was no answer within 0.2 seconds.")
    assert receiver.got


@requirement("webhooks:sender:bounded")
def test_a_resolver_that_does_not_answer_is_not_waited_for(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender, "SECONDS", 0.2)
    answers = threading.Event()
    monkeypatch.setattr(addresses, "_look_up", lambda *_: [str(answers.wait())])

    sent = send("https://hooks.example/")
    answers.set()

    assert (sent.status, sent.error) == (None, "There was no answer within 0.2 seconds.")


@requirement("webhooks:sender:bounded")
def test_of_a_large_answer_two_kilobytes_are_read(receiver: Receiver) -> None:
    receiver.body = b"x" * 5_000_000

    assert send(receiver.url).answer == "x" * 2048


@requirement("webhooks:sender:never-raises")
@pytest.mark.parametrize("status", [204, 400, 404, 500, 503])
def test_the_status_decides(receiver: Receiver, status: int) -> None:
    receiver.status, receiver.body = status, b""

    sent = send(receiver.url)

    assert (sent.status, sent.is_delivered, bool(sent.error)) == (status, status == 204, status != 204)


@requirement("webhooks:sender:never-raises")
def test_nobody_there_and_an_unknown_name_are_told(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PAM_WEBHOOK_ALLOW_LOOPBACK = True
    names({}, monkeypatch)

    assert "ConnectError" in send("http://127.0.0.1:1025/hook").error
    assert "Name or service not known" in send("http://nobody.example/hook").error


def _certificate(folder: Path, name: str) -> Path:
    """A certificate that vouches for itself, with its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    no_password = serialization.NoEncryption()
    file.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, no_password)
    )
    return file


@requirement("webhooks:sender:tls")
@pytest.mark.parametrize(("name", "is_delivered"), [("hooks.example", True), ("other.example", False)])
def test_tls_proves_the_name_though_the_address_is_called(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, is_delivered: bool
) -> None:
    settings.PAM_WEBHOOK_ALLOW_LOOPBACK = True
    names({"hooks.example": ["127.0.0.1"]}, monkeypatch)
    file = _certificate(tmp_path, name)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(file)
    monkeypatch.setattr(sender, "_tls", lambda: ssl.create_default_context(cafile=str(file)))

    with receiving(tls=server) as receiver:
        sent = send(receiver.url.replace("127.0.0.1", "hooks.example"))

    assert sent.is_delivered is is_delivered
    assert len(receiver.got) == int(is_delivered)


@requirement("webhooks:sender:tls")
def test_a_certificate_that_nobody_vouches_for_is_refused(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.PAM_WEBHOOK_ALLOW_LOOPBACK = True
    names({"hooks.example": ["127.0.0.1"]}, monkeypatch)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(_certificate(tmp_path, "hooks.example"))

    with receiving(tls=server) as receiver:
        sent = send(receiver.url.replace("127.0.0.1", "hooks.example"))

    assert receiver.got == []
    assert "CERTIFICATE_VERIFY_FAILED" in sent.error
