"""A document of any supported format to Markdown. Knows no database; foreign errors end here as Unreadable.

The readers are named by dotted path and loaded when the first document of their format comes: with the libraries behind
them they cost 1.5 s and 130 MB, which a process that only answers questions never pays.
Source: contract/company, "What goes in".
"""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from django.conf import settings
from django.utils.module_loading import import_string

from memories.company.reading import markdown, names, outline
from memories.company.reading.formats.page import Page, moment
from memories.errors import Unreadable

logger = logging.getLogger(__name__)

_FORMATS = "memories.company.reading.formats"
READERS = {
    ".md": f"{_FORMATS}.plain.read_markdown",
    ".markdown": f"{_FORMATS}.plain.read_markdown",
    ".txt": f"{_FORMATS}.plain.read_text",
    ".html": f"{_FORMATS}.web_page.read",
    ".htm": f"{_FORMATS}.web_page.read",
    ".pdf": f"{_FORMATS}.pdf.read",
    ".docx": f"{_FORMATS}.office.read_docx",
    ".pptx": f"{_FORMATS}.office.read_pptx",
    ".xlsx": f"{_FORMATS}.spreadsheet.read_xlsx",
    ".csv": f"{_FORMATS}.spreadsheet.read_csv",
    ".json": f"{_FORMATS}.data.read",
    ".eml": f"{_FORMATS}.letter.read",
}
_OFFICE = (".docx", ".pptx", ".xlsx")
_SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive or Office file"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file"),
    (b"\x7fELF", "a program"),
    (b"\xcf\xfa\xed\xfe", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x1f\x8b\x08", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a", "a rar archive"),
    (b"SQLite format 3", "a database"),
)
# A PDF may begin after a few stray bytes.
_PDF_HEADER_WITHIN = 1024
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]+(.+?)[ \t#]*$")
_NO_TITLE = re.compile(
    r"untitled|document ?\d*|presentation|powerpoint presentation|slide \d+|microsoft \w+ - .*", re.IGNORECASE
)
_DAY = re.compile(r"(?:19|20)\d\d-[01]\d-[0-3]\d(?!\d)")
_LONGEST_TITLE = 300
_MEGABYTE = 1024 * 1024
_AS_WHAT_IT_IS = "Import it under its real file type."


@dataclass(frozen=True)
class Converted:
    """A document as it is kept. `observed_at` is what the document says of itself, else None; `properties` as well."""

    title: str
    markdown: str
    observed_at: datetime | None = None
    properties: dict[str, str] = field(default_factory=dict)


def is_supported(name: str) -> bool:
    return names.suffix(name) in READERS


def unsupported(name: str) -> str:
    """Why a file of this name is refused, and what to import instead."""
    known = ", ".join(READERS)
    return (
        f"Files of type {names.suffix(name) or '(none)'} are not supported. Supported are {known}, and .zip of those."
    )


def to_markdown(name: str, content: bytes) -> Converted:
    """`content` as Markdown; `name` is a file name or path, whose suffix names the format.

    Raises Unreadable, whose message is a sentence for the person who imports: an unsupported, empty, oversized,
    disguised, encrypted or damaged file, a scan without text, a bomb, or one nested too deeply."""
    if not is_supported(name):
        raise Unreadable(unsupported(name))
    suffix = names.suffix(name)
    _check(suffix, content)
    page = _read(suffix, content)
    if not page.markdown.strip():
        raise Unreadable("The file is empty: there is no text in it.")
    return Converted(
        title=_title(page, name)[:_LONGEST_TITLE],
        markdown=page.markdown.strip() + "\n",
        observed_at=page.observed_at or _in_name(name),
        properties=page.properties,
    )


def _check(suffix: str, content: bytes) -> None:
    if not content.strip(b"\0 \t\r\n"):
        raise Unreadable("The file is empty.")
    if len(content) > settings.PAM_MAX_DOCUMENT_BYTES:
        size, most = len(content) / _MEGABYTE, settings.PAM_MAX_DOCUMENT_BYTES / _MEGABYTE
        raise Unreadable(
            f"The file is too large: {size:.1f} MB, where {most:.0f} MB are allowed. Split it, or drop its pictures."
        )
    _check_disguise(suffix, content)


def _check_disguise(suffix: str, content: bytes) -> None:
    if suffix == ".pdf":
        if b"%PDF-" not in content[:_PDF_HEADER_WITHIN]:
            raise Unreadable(f"This is not a PDF, although it is named so. {_AS_WHAT_IT_IS}")
        return
    real = next((kind for signature, kind in _SIGNATURES if content.startswith(signature)), "")
    if content.startswith(b"MZ") and b"\0" in content[:1024]:
        real = "a program"
    if suffix in _OFFICE:
        if real not in ("a zip archive or Office file", "an empty zip archive", "an old Office file"):
            raise Unreadable(f"This is not a {suffix} file, although it is named so. {_AS_WHAT_IT_IS}")
    elif real:
        raise Unreadable(f"This is {real}, not a {suffix} file. {_AS_WHAT_IT_IS}")


def _read(suffix: str, content: bytes) -> Page:
    reader = cast(Callable[[bytes], Page], import_string(READERS[suffix]))
    try:
        return reader(content)
    except Unreadable:
        raise
    except RecursionError as error:
        raise Unreadable("The file is nested too deeply to be read.") from error
    except MemoryError as error:
        raise Unreadable("The file needs more memory than there is. Split it into smaller ones.") from error
    except Exception as error:  # a dozen parsers, each with errors of its own: this is their one border
        # The error's text may quote the document.
        logger.info("A %s file could not be read: %s", suffix, type(error).__name__)
        raise Unreadable(f"The file is damaged, or no {suffix} file. Save or download it again.") from error


def _title(page: Page, name: str) -> str:
    label = "" if _NO_TITLE.fullmatch(page.label.strip()) else page.label.strip()
    file_name = names.without_export_id(name).rsplit("/", 1)[-1]
    return page.title or _first_heading(page.markdown) or label or outline.readable(file_name)


def _in_name(name: str) -> datetime | None:
    """Minutes and journals carry their day in front: `2026-06-09-engineering.md`."""
    found = _DAY.match(name.rsplit("/", 1)[-1])
    return moment(found.group()) if found else None


def _first_heading(text: str) -> str:
    """The first heading if it is of the first level, or the only one of that level; a section's heading is no title."""
    headings = _headings(text)
    tops = [title for level, title in headings if level == 1]
    if headings and (headings[0][0] == 1 or len(tops) == 1):
        return markdown.clean(tops[0])
    return ""


def _headings(text: str) -> list[tuple[int, str]]:
    found, previous, in_code = list[tuple[int, str]](), "", False
    for line in text.splitlines():
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code and (heading := _HEADING.match(line)):
            found.append((len(heading.group(1)), heading.group(2)))
        elif not in_code and previous and line.startswith("===") and not line.strip("= "):
            found.append((1, previous))
        previous = line.strip()
    return found
