"""PDF to Markdown: running text, headings told by their size or weight, ruled tables. Pure."""

import io
import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pdfplumber
from django.conf import settings
from pdfminer.layout import LTChar, LTCurve, LTLine, LTRect, LTTextBox, LTTextLine
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfplumber.utils.exceptions import PdfminerException

from memories.company.reading.formats import pdf_streams, table
from memories.company.reading.formats.decoding import clean
from memories.company.reading.formats.page import Page
from memories.errors import Unreadable

# It reports each odd instruction of a file as a warning, sometimes with the file's own words.
logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
_MAX_PAGES = 2_000
_HEADING_RATIO = 1.15
_LONGEST_HEADING = 120
_MAX_LEVELS = 4
_BOLD = re.compile(r"bold|black|heavy|semibold", re.IGNORECASE)
_BULLET = re.compile(r"^[•‣▪●◦–\uf0b7][ \t]*")
# Letters that the file's fonts do not name, and the dots of a table of contents.
_NOT_TEXT = re.compile(r"\(cid:\d+\)|(?:\. ?){5,}")
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?")
_SCAN = (
    "The PDF holds pictures of pages but no text (a scan). Run text recognition (OCR) over it, then import the result."
)
# A short last line ends a paragraph: it stops before this share of the block's width.
_FULL_LINE = 0.8
# A line that stands at the edge of this share of the pages, and of three at least, is a running head or foot.
_RUNNING = 0.5
_EDGE = 0.1
# A table of one cell has four.
_FEWEST_RULES = 4


@dataclass(frozen=True)
class _Line:
    """One line or table; `top` and `height` place it on its page, `block` tells lines of one paragraph."""

    text: str
    page: int
    block: int
    top: float
    size: float = 0.0
    is_bold: bool = False
    is_full: bool = False
    is_table: bool = False
    at_edge: bool = False


def read(content: bytes) -> Page:
    """Raises Unreadable: encrypted, a scan, a bomb, too many pages."""
    pdf_streams.check(content, most=max(pdf_streams.HARMLESS, settings.PAM_MAX_EXPANSION * len(content)))
    try:
        with pdfplumber.open(io.BytesIO(content), laparams={}) as document:
            if len(document.pages) > _MAX_PAGES:
                raise Unreadable(f"The PDF has more than {_MAX_PAGES:,} pages. Split it into parts.")
            lines = [line for number, page in enumerate(document.pages) for line in _lines(page, number)]
            metadata = dict(document.metadata or {})
    except PdfminerException as error:
        if error.args and isinstance(error.args[0], PDFPasswordIncorrect):
            raise Unreadable("The PDF is encrypted. Save a copy without a password, then import that.") from error
        raise
    if not any(line.text for line in lines):
        raise Unreadable(_SCAN)
    author = _entry(metadata, "Author")
    return Page(
        markdown=_markdown(_without_running(lines)),
        label=_entry(metadata, "Title"),
        observed_at=_moment(_entry(metadata, "ModDate")),
        properties={"author": author} if author else {},
    )


def _lines(page: Any, number: int) -> Iterator[_Line]:
    # Looking for tables costs twice as much as reading the page.
    tables = page.find_tables() if _rules(page.layout) >= _FEWEST_RULES else []
    found = [_table(each, number, at) for at, each in enumerate(tables)]
    for block, box in enumerate(_boxes(page.layout)):
        found += [line for line in _box(box, number, block, page) if not _inside(line, box, tables)]
    page.close()  # a long document would keep every page's characters
    yield from _in_order(found)


def _rules(layout: Iterable[Any]) -> int:
    return sum(isinstance(item, (LTLine, LTRect, LTCurve)) for item in layout)


def _boxes(layout: Iterable[Any]) -> Iterator[LTTextBox]:
    for item in layout:
        if isinstance(item, LTTextBox):
            yield item
        elif hasattr(item, "__iter__") and not isinstance(item, LTTextLine):
            yield from _boxes(item)


def _box(box: LTTextBox, number: int, block: int, page: Any) -> Iterator[_Line]:
    for line in box:
        letters = [item for item in line if isinstance(item, LTChar) and not item.get_text().isspace()]
        text = " ".join(_NOT_TEXT.sub(" ", clean(line.get_text())).split())
        if letters and text:
            top = float(page.height) - line.y1
            yield _Line(
                text=text,
                page=number,
                block=block,
                top=top,
                size=Counter(round(letter.size * 2) / 2 for letter in letters).most_common(1)[0][0],
                is_bold=all(_BOLD.search(letter.fontname) for letter in letters),
                is_full=line.x1 - box.x0 >= _FULL_LINE * box.width,
                at_edge=not _EDGE < top / float(page.height) < 1 - _EDGE,
            )


def _inside(line: _Line, box: LTTextBox, tables: Sequence[Any]) -> bool:
    middle = line.top + line.size / 2
    return any(
        top <= middle <= bottom and left - 1 <= box.x0 <= right
        for left, top, right, bottom in (each.bbox for each in tables)
    )


def _table(found: Any, number: int, at: int) -> _Line:
    rows = [[clean(value or "").strip() for value in row] for row in found.extract()]
    rows = [row for row in rows if any(row)]
    text = table.markdown(rows[0], rows[1:]) if rows else ""
    return _Line(text=text, page=number, block=-1 - at, top=float(found.bbox[1]), is_table=True)


def _in_order(lines: list[_Line]) -> Iterator[_Line]:
    """Text in the order of the page's layout (columns are read one by one), each table before the text below it."""
    tables = sorted((line for line in lines if line.is_table and line.text), key=lambda line: line.top)
    for line in (line for line in lines if not line.is_table):
        while tables and tables[0].top < line.top:
            yield tables.pop(0)
        yield line
    yield from tables


def _without_running(lines: list[_Line]) -> list[_Line]:
    """Heads, feet and page numbers that stand on most pages are said once, in the layout, and never in the text."""
    pages = len({line.page for line in lines})
    seen = Counter(key for key, _ in {(_anywhere(line.text), line.page) for line in lines if line.at_edge})
    often = {key for key, count in seen.items() if count >= max(3, pages * _RUNNING)}
    return [line for line in lines if not (line.at_edge and (_anywhere(line.text) in often or line.text.isdecimal()))]


def _anywhere(text: str) -> str:
    return re.sub(r"\d+", "#", text)


def _markdown(lines: Sequence[_Line]) -> str:
    levels = _levels(lines)
    parts: list[str] = []
    previous: _Line | None = None
    for line in lines:
        level = 0 if line.is_table else levels.get(_look(line), 0)
        if level and _may_head(line):
            parts.append(f"{'#' * level} {line.text}")
        elif previous and _goes_on(previous, line, levels):
            parts[-1] = _continued(parts[-1], line.text)
        else:
            parts.append(line.text if line.is_table else _BULLET.sub("- ", line.text))
        previous = line
    return "\n\n".join(parts)


def _levels(lines: Sequence[_Line]) -> dict[tuple[float, bool], int]:
    """Looks (size, weight) that head text, by level: larger than the body first, then the body's size in bold."""
    weights = Counter[tuple[float, bool]]()
    for line in lines:
        if not line.is_table:
            weights[_look(line)] += len(line.text)
    if not weights:
        return {}
    body = weights.most_common(1)[0][0]
    heads = {_look(line) for line in lines if not line.is_table and _may_head(line)}
    larger = sorted({size for size, _ in heads if size >= body[0] * _HEADING_RATIO}, reverse=True)
    levels = {look: min(_MAX_LEVELS, larger.index(look[0]) + 1) for look in heads if look[0] in larger}
    if not body[1] and (body[0], True) in heads:
        levels[(body[0], True)] = min(_MAX_LEVELS, len(larger) + 1)
    return levels


def _look(line: _Line) -> tuple[float, bool]:
    return (line.size, line.is_bold)


def _may_head(line: _Line) -> bool:
    return len(line.text) <= _LONGEST_HEADING and line.text[-1:] not in ".,;:" and any(map(str.isalpha, line.text))


def _goes_on(previous: _Line, line: _Line, levels: dict[tuple[float, bool], int]) -> bool:
    """Whether a line continues the paragraph of the one before it."""
    if (
        line.is_table
        or previous.is_table
        or _BULLET.match(line.text)
        or (_look(previous) in levels and _may_head(previous))
    ):
        return False
    is_cut = line.text[0].islower() and previous.text[-1] not in ".:;!?"
    return previous.page == line.page and ((previous.block == line.block and previous.is_full) or is_cut)


def _continued(paragraph: str, text: str) -> str:
    if re.search(r"[^\W\d_]-$", paragraph) and text[:1].islower():
        return paragraph[:-1] + text
    return f"{paragraph} {text}"


def _entry(metadata: dict[str, Any], name: str) -> str:
    value = metadata.get(name)
    return " ".join(clean(value).split()) if isinstance(value, str) else ""


def _moment(value: str) -> datetime | None:
    found = _DATE.match(value)
    if not found:
        return None
    year, month, day, hour, minute, second, sign, off_hours, off_minutes = found.groups()
    zone = f"{sign}{off_hours}:{off_minutes or '00'}" if sign else "+00:00"
    try:
        return datetime.fromisoformat(
            f"{year}-{month or '01'}-{day or '01'}T{hour or '00'}:{minute or '00'}:{second or '00'}{zone}"
        )
    except ValueError:
        return None
