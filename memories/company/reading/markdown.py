"""Markdown source to blocks, each with its clean words, its source as it stands and the headings above it. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bs4 import BeautifulSoup, Tag
from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# Template tags of static-site generators: `{% page "/leave" %}` is its argument, any other tag is nothing.
_COMMENT = re.compile(r"\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}|<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"\{%-?\s*(\w+)(?:\s+[\"']([^\"']*)[\"'])?.*?-?%\}|\{\{.*?\}\}", re.DOTALL)
_TIGHT = {("item", "item"), ("row", "row"), ("pair", "pair")}
# `Owner: Ada` above `Team: Platform` are two statements, though Markdown joins their lines.
_LABELLED = re.compile(r"(?:\*\*|__)?[A-Z][\w /'-]{1,40}(?:\*\*|__)?:(?:\*\*|__)? \S")
_FILE = re.compile(r"\.\w{2,5}$")


@dataclass(frozen=True)
class Block:
    """`kind`: heading, paragraph, item, row, pair (a row of two cells without a header), code or quote.

    `lead` is the sentence that an item or row needs to be understood alone.
    """

    kind: str
    text: str
    markdown: str
    path: tuple[str, ...] = ()
    lead: str = ""
    cells: tuple[tuple[str, str], ...] = ()

    @cached_property
    def size(self) -> int:
        words = len(self.text.split())
        # Scripts without spaces: about two characters a word.
        return words if self.text.isascii() else max(words, sum(letter > "\u2e7f" for letter in self.text) // 2)


def blocks(source: str) -> list[Block]:
    """All blocks in reading order. Comments are left out; HTML tables become rows; nothing else is lost."""
    source = _COMMENT.sub(lambda gap: "\n" * gap.group().count("\n"), source.replace("\r\n", "\n").replace("\r", "\n"))
    return list(_Reader(source).read())


def clean(text: str) -> str:
    """Inline Markdown to its words: emphasis, links and code reduced to their text, white space folded."""
    tokens = _PARSER.parseInline(untagged(text))
    return " ".join(_words(tokens[0].children or []).split()) if tokens else ""


def render(blocks: Sequence[Block], depth: int) -> str:
    """The blocks' source, hard-wrapped lines joined; headings below the first `depth` ones are told in bold."""
    lines: list[str] = []
    before: Block | None = None
    for block in blocks:
        if len(block.path) > depth and (before is None or before.path != block.path):
            lines += ["", "**" + " > ".join(block.path[depth:]) + "**", ""]
        elif before is None or (before.kind, block.kind) not in _TIGHT:
            lines.append("")
        if block.kind == "row" and (before is None or before.kind != "row") and any(name for name, _ in block.cells):
            lines += ["| " + " | ".join(name for name, _ in block.cells) + " |", "|" + " --- |" * len(block.cells)]
        lines.append(block.markdown)
        before = block
    return "\n".join(lines).strip("\n")


def untagged(text: str) -> str:
    return _TAG.sub(_argument, text)


def paragraph(text: str, like: Block) -> Block:
    """A part of a paragraph that was cut."""
    return Block(kind=like.kind, text=clean(text), markdown=text, path=like.path, lead=like.lead)


def _argument(tag: re.Match[str]) -> str:
    argument = tag.group(2) or ""
    if _FILE.search(argument) or tag.group(1) in ("include", "raw", "image"):
        return ""
    return argument.replace(" ", "%20") if tag.string[max(0, tag.start() - 2) : tag.start()] == "](" else argument


def _words(tokens: Sequence[Token]) -> str:
    parts = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak") or (token.type == "html_inline" and token.content[:3] == "<br"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(token.content)
    return "".join(parts)


class _Reader:
    """Walks markdown-it's flat token list; keeps the heading stack and the sentence that leads into a list."""

    def __init__(self, source: str) -> None:
        self.lines = source.split("\n")
        self.tokens = _PARSER.parse(source)
        self.headings: list[tuple[int, str]] = []
        self.lead = ""
        self.at = 0

    def read(self) -> Iterator[Block]:
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            inside = self._inside()
            found = list(self._block(token, inside))
            yield from found
            if found and token.type != "heading_open":
                self.lead = found[-1].text if found[-1].kind == "paragraph" else ""
            self.at += len(inside) or 1

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(title for _, title in self.headings)

    def _inside(self) -> list[Token]:
        """The tokens of the element that opens here, with its end."""
        depth = 0
        for count, token in enumerate(self.tokens[self.at :], start=1):
            depth += token.nesting
            if depth == 0:
                return self.tokens[self.at : self.at + count]
        return self.tokens[self.at :]

    def _block(self, token: Token, inside: list[Token]) -> Iterator[Block]:
        if token.type == "heading_open":
            yield from self._heading(int(token.tag[1]), clean(inside[1].content))
        elif token.type == "paragraph_open":
            yield from self._paragraph(inside[1].content)
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            yield from self._list(inside, self.lead)
        elif token.type == "table_open":
            yield from self._table(inside)
        elif token.type in ("fence", "code_block"):
            yield Block("code", token.content.strip(), self._source(token), self.path, self.lead)
        elif token.type == "blockquote_open":
            yield from self._quote(token, inside)
        elif token.type == "html_block":
            yield from self._html(token.content)

    def _heading(self, level: int, title: str) -> Iterator[Block]:
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.lead = ""
        if title:
            self.headings.append((level, title))
            yield Block("heading", title, title, self.path)

    def _paragraph(self, content: str) -> Iterator[Block]:
        lines = content.split("\n")
        if len(lines) > 1 and all(_LABELLED.match(line.strip()) for line in lines):
            yield from (Block("pair", clean(line), line.strip(), self.path) for line in lines)
            return
        text = clean(content)
        if text:
            yield Block("paragraph", text, " ".join(content.split()), self.path)

    def _source(self, token: Token) -> str:
        first, last = token.map or (0, 0)
        return "\n".join(self.lines[first:last]).strip("\n")

    def _list(self, tokens: list[Token], lead: str, depth: int = 0) -> Iterator[Block]:
        """One block an item; nested items carry the outer item's words in their lead."""
        number, at = int(tokens[0].attrGet("start") or 1), 1
        ordered = tokens[0].type == "ordered_list_open"
        while at < len(tokens) - 1:
            item = _element(tokens, at)
            mark = f"{number}. " if ordered else "- "
            yield from self._item(item, "   " * depth + mark, lead, depth)
            number += 1
            at += len(item)

    def _item(self, tokens: list[Token], mark: str, lead: str, depth: int) -> Iterator[Block]:
        at, said = 1, ""
        while at < len(tokens) - 1:
            part = _element(tokens, at)
            kind = part[0].type
            if kind == "paragraph_open":
                text = clean(part[1].content)
                if text:
                    indent = mark if not said else " " * len(mark)
                    yield Block("item", text, indent + " ".join(part[1].content.split()), self.path, _chain(lead, said))
                    said = f"{said} {text}".strip()
            elif kind in ("bullet_list_open", "ordered_list_open"):
                yield from self._list(part, _chain(lead, said), depth + 1)
            elif kind in ("fence", "code_block"):
                yield Block("code", part[0].content.strip(), self._source(part[0]), self.path, _chain(lead, said))
            elif kind == "table_open":
                yield from self._table(part)
            elif kind == "blockquote_open":
                yield from self._quote(part[0], part)
            elif kind == "html_block":
                yield from self._html(part[0].content)
            elif kind == "heading_open":
                said = clean(part[1].content)
            at += len(part)

    def _table(self, tokens: list[Token]) -> Iterator[Block]:
        rows: list[list[str]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(token.content)
        yield from self._rows(rows[0] if rows else [], rows[1:])

    def _rows(self, header: list[str], rows: list[list[str]]) -> Iterator[Block]:
        names = [clean(name) for name in header]
        for row in rows:
            cells = tuple(zip(names, (clean(cell) for cell in row), strict=False))
            text = "; ".join(f"{name}: {cell}" if name else cell for name, cell in cells if cell)
            if text:
                yield Block(
                    "row", text, "| " + " | ".join(" ".join(c.split()) for c in row) + " |", self.path, self.lead, cells
                )

    def _quote(self, token: Token, inside: list[Token]) -> Iterator[Block]:
        content = " ".join(part.content for part in inside if part.type in ("inline", "fence", "code_block"))
        text = clean(content)
        if text:
            yield Block("quote", text, "> " + " ".join(content.split()), self.path, self.lead)

    def _html(self, content: str) -> Iterator[Block]:
        soup = BeautifulSoup(untagged(content), "html.parser")
        for gone in soup(["script", "style", "button", "svg"]):
            gone.decompose()
        rows = soup.find_all("tr")
        for row in rows:
            yield from self._html_row(row)
        for row in rows:
            row.decompose()
        text = " ".join(soup.get_text(" ").split())
        if text:
            yield Block("paragraph", text, text, self.path)

    def _html_row(self, row: Tag) -> Iterator[Block]:
        values = [" ".join(cell.get_text(" ").split()) for cell in row.find_all(["td", "th"])]
        if not any(values) or all(cell.name == "th" for cell in row.find_all(["td", "th"])):
            return
        header = _html_header(row)
        if len(values) == 2 and not header:
            text = f"{values[0].rstrip(':')}: {values[1]}"
            yield Block("pair", text, f"- {text}", self.path, cells=((values[0], values[1]),))
        else:
            yield from self._rows(header or [""] * len(values), [values])


def _html_header(row: Tag) -> list[str]:
    table = row.find_parent("table")
    first = table.find("tr") if table else None
    cells = first.find_all("th") if isinstance(first, Tag) and first is not row else []
    return [" ".join(cell.get_text(" ").split()) for cell in cells]


def _element(tokens: list[Token], at: int) -> list[Token]:
    depth = 0
    for end in range(at, len(tokens)):
        depth += tokens[end].nesting
        if depth == 0:
            return tokens[at : end + 1]
    return tokens[at:]


def _chain(lead: str, said: str) -> str:
    return f"{lead} {said}".strip() if said else lead
