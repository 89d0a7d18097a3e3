"""Rows to a Markdown table. Pure."""

from collections.abc import Iterable, Sequence
from itertools import islice

# A sheet is read by people and their questions: past this it is data for a database.
MAX_ROWS = 10_000
MAX_COLUMNS = 100


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table under its header; short rows are filled up, empty ones left out, an empty header is numbered."""
    width = min(len(header), MAX_COLUMNS)
    lines = [_line([name or f"Column {at}" for at, name in enumerate(header[:width], start=1)]), "|" + " --- |" * width]
    lines += [_line([*row, *[""] * width][:width]) for row in rows if any(row)]
    return "\n".join(lines)


def bounded(rows: Iterable[Sequence[str]]) -> tuple[list[Sequence[str]], bool]:
    """The first rows, and whether there are more."""
    kept = list(islice(rows, MAX_ROWS + 1))
    return kept[:MAX_ROWS], len(kept) > MAX_ROWS


def cut_short(what: str) -> str:
    """The sentence under a table that was not taken whole."""
    return f"Only the first {MAX_ROWS:,} rows of {what} were taken in; the rest is left out."


def cell(value: str) -> str:
    """One cell's text: a line, its bars escaped."""
    return " ".join(value.replace("\\|", "|").replace("|", "\\|").split())


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell(value) for value in cells) + " |"
