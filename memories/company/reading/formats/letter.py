"""E-mails (.eml) to Markdown: who wrote to whom, when and about what, the text, the names of attachments. Pure."""

from collections.abc import Iterator
from datetime import datetime
from email import errors, message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from typing import cast

from memories.company.reading.formats import decoding, web_page
from memories.company.reading.formats.page import Page, moment
from memories.errors import Unreadable

_SHOWN = ("From", "To", "Cc", "Date")
_REQUIRED = ("from", "to", "subject", "date", "received")


def read(content: bytes) -> Page:
    message = message_from_bytes(content.lstrip(), policy=policy.default)
    if not any(message.get(name) for name in _REQUIRED):
        raise Unreadable("This is not an e-mail: it has no sender, date or subject.")
    subject = _header(message, "Subject")
    lines = [f"- {name}: {_header(message, name)}" for name in _SHOWN if _header(message, name)]
    parts = [f"# {subject}" if subject else "", "\n".join(lines), _body(message), _attachments(message)]
    return Page(
        "\n\n".join(filter(None, parts)), title=subject, observed_at=_sent(message), properties=_people(message)
    )


def _header(message: EmailMessage, name: str) -> str:
    try:
        value = str(message.get(name) or "")
    except (errors.MessageError, ValueError, LookupError, TypeError, AttributeError, IndexError):
        # Python's header parser fails in many ways on headers that nobody should have sent.
        value = next((str(raw) for key, raw in message.raw_items() if key.lower() == name.lower()), "")
    return " ".join(decoding.clean(value).split())


def _people(message: EmailMessage) -> dict[str, str]:
    return {name.lower(): _header(message, name) for name in ("From", "To") if _header(message, name)}


def _sent(message: EmailMessage) -> datetime | None:
    try:
        return moment(parsedate_to_datetime(_header(message, "Date")))
    except (ValueError, TypeError, IndexError):
        return None


def _body(message: EmailMessage) -> str:
    """The plain text, or the HTML where there is none."""
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    text = _text(cast(EmailMessage, part))
    return web_page.page(text).markdown if part.get_content_subtype() == "html" else text.strip()


def _text(part: EmailMessage) -> str:
    content = part.get_payload(decode=True)
    return decoding.text(content, part.get_content_charset() or "") if isinstance(content, bytes) else ""


def _attachments(message: EmailMessage) -> str:
    names = [decoding.clean(name) for name in _names(message)]
    return f"Attachments: {', '.join(names)}" if names else ""


def _names(message: EmailMessage) -> Iterator[str]:
    for part in message.walk():
        if not part.is_multipart() and (name := part.get_filename()):
            yield " ".join(name.split())
