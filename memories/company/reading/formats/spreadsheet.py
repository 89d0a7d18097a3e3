"""Spreadsheets (.csv, .xlsx) to Markdown tables, a heading a sheet. Pure."""

import csv
import io
import warnings
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from typing import Any

import openpyxl

from memories.company.reading.formats import decoding, office, table
from memories.company.reading.formats.page import Page, moment

_DELIMITERS = ",;\t|"
_SAMPLE_LINES = 20
# Half a megabyte in one cell is a file inside a file.
_LONGEST_CELL = 500_000


def read_csv(content: bytes) -> Page:
    """One table; comma, semicolon, tab or bar, quoted or not."""
    csv.field_size_limit(_LONGEST_CELL)
    text = decoding.text(content)
    lines = io.StringIO(text, newline="")
    rows, more = table.bounded(csv.reader(lines, delimiter=_delimiter(text), skipinitialspace=True))
    return Page(_joined([*_blocks(rows), table.cut_short("this file") if more else ""]))


def read_xlsx(content: bytes) -> Page:
    """Every visible sheet; formulas as the values that were last worked out."""
    office.check(content, "xl/workbook.xml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl tells of styles that it does not know
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        try:
            sheets = [_sheet(sheet) for sheet in book.worksheets if sheet.sheet_state == "visible"]
            core = book.properties
        finally:
            book.close()
    properties = {"author": core.creator or ""} if core.creator not in (None, "", "openpyxl") else {}
    modified = moment(core.modified) if core.modified else None
    return Page(_joined(sheets), label=core.title or "", observed_at=modified, properties=properties)


def _sheet(sheet: Any) -> str:
    sheet.reset_dimensions()  # a file may name any size
    values = sheet.iter_rows(max_col=table.MAX_COLUMNS, values_only=True)
    rows, more = table.bounded([_text(value) for value in row] for row in values)
    parts = _blocks(rows)
    return _joined([f"## {sheet.title}", *parts, table.cut_short("this sheet") if more else ""]) if parts else ""


def _blocks(rows: Iterable[Sequence[str]]) -> list[str]:
    """Empty rows part a sheet into blocks; a block's lines of a single cell above its table are its caption."""
    return [_block(block) for block in _parted([[value.strip() for value in row] for row in rows])]


def _parted(rows: Iterable[list[str]]) -> Iterator[list[list[str]]]:
    block: list[list[str]] = []
    for row in rows:
        if any(row):
            block.append(row)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _block(rows: list[list[str]]) -> str:
    used = [at for at in range(max(map(len, rows))) if any(len(row) > at and row[at] for row in rows)]
    rows = [[row[at] if len(row) > at else "" for at in used] for row in rows]
    start = next((at for at, row in enumerate(rows) if sum(map(bool, row)) > 1), len(rows))
    captions = [next(filter(None, row)) for row in rows[:start]]
    if start >= len(rows) - 1 and len(used) == 1:
        return "\n\n".join(captions)
    return _joined([*captions, table.markdown(rows[start], rows[start + 1 :])])


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _delimiter(text: str) -> str:
    """The one that parts the first lines into the most and most even columns."""
    lines = [line for line in text.splitlines()[:_SAMPLE_LINES] if line.strip()]

    def evenness(delimiter: str) -> tuple[int, int]:
        counts = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        usual = max(set(counts), key=counts.count) if counts else 1
        return (counts.count(usual) if usual > 1 else 0, usual)

    return max(_DELIMITERS, key=evenness)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time.min else value.isoformat(" ", "minutes")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return decoding.clean(str(value))
