"""What a product puts into its prompt: memories in one of three formats, within a budget of tokens. Pure.

Whatever a memory says stays data (R32): on one line of bullets that Markdown and HTML do not act upon, in one JSON
string, or as the text of one XML element. The budget holds for all of it, heading and domain block included; what does
not fit is left out whole, the least important first, and no sentence is cut. Source: seed 004, contract end_users
"Retrieve", R33.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from memories import tokens
from memories.company.answering import quoting

HEADING = "What you know about this user:"
BULLETS, JSON, XML = "bullets", "json", "xml"
FORMATS = (BULLETS, JSON, XML)
#: The key of the domain's lines in the JSON object, which no category has.
DOMAIN = "domain_context"

# What opens a block at the start of a line: a heading, a quotation, a list, a fence, an underline, a table.
_OPENING = re.compile(r"(?P<number>\d{1,9})(?=[.)](?:\s|$))|(?=[#>+=~|-])")
# What XML 1.0 has no way to write.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Item:
    """One memory to be told."""

    content: str
    category: str
    importance: float


@dataclass(frozen=True, slots=True)
class Addition:
    """What goes into the prompt, what it costs by memories/tokens.py, and how many memories found no room."""

    text: str
    token_count: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Block:
    """What the account's domain tells first: text that is safe in its format; for JSON plain lines. Mostly neither."""

    text: str = ""
    lines: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.text or self.lines)


def snippet(item: Item, form: str) -> str:
    """One memory alone in a format: its bullet, an object with it, or its element."""
    if form == JSON:
        return _json([item], Block())
    if form == XML:
        return _element(item)
    return _bullet(item)


def addition(items: Sequence[Item], form: str, *, max_tokens: int, block: Block | None = None) -> Addition:
    """The items in their order, and the block before them, within `max_tokens`. Nothing to tell is an empty text."""
    first = block or Block()
    if first and tokens.count(_rendered([], form, first)) > max_tokens:
        first = Block()
    kept = _fitting(items, max_tokens, lambda some: _rendered(some, form, first))
    text = _rendered(kept, form, first)
    return Addition(text, tokens.count(text), len(items) - len(kept))


def _fitting(items: Sequence[Item], max_tokens: int, render: Callable[[Sequence[Item]], str]) -> list[Item]:
    """As many of the items as fit, in their order: the least important go first, of equals the later ones."""

    def fits(places: Sequence[int]) -> bool:
        return tokens.count(render([items[at] for at in sorted(places)])) <= max_tokens

    possible = list(range(len(items)))
    if not fits(possible):
        possible = [at for at in possible if fits([at])]
        possible.sort(key=lambda at: (-items[at].importance, at))
    low, high = 0, len(possible)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(possible[:middle]) else (low, middle - 1)
    return [items[at] for at in sorted(possible[:low])]


def _rendered(items: Sequence[Item], form: str, block: Block) -> str:
    if not items and not block:
        return ""
    if form == JSON:
        return _json(items, block)
    if not items:
        return block.text
    body = "\n".join(_bullet(item) for item in items) if form == BULLETS else _document(items)
    between = "\n\n" if form == BULLETS else "\n"
    return f"{block.text}{between if block.text else ''}{HEADING}\n{body}"


def _bullet(item: Item) -> str:
    line = quoting.inline(item.content)
    return (
        "- " + _OPENING.sub(lambda found: f"{found['number'] or ''}\\", line, count=1) if _opens(line) else f"- {line}"
    )


def _opens(line: str) -> bool:
    return _OPENING.match(line) is not None


def _json(items: Sequence[Item], block: Block) -> str:
    told: dict[str, list[str]] = {DOMAIN: list(block.lines)} if block.lines else {}
    for item in items:
        told.setdefault(item.category, []).append(item.content)
    return json.dumps(told, ensure_ascii=False, indent=2)


def _document(items: Sequence[Item]) -> str:
    elements = "\n".join(_element(item) for item in items)
    return f"<memory_context>\n{_indented(elements)}\n</memory_context>"


def _element(item: Item) -> str:
    text = escape(" ".join(_NO_XML.sub("\ufffd", item.content).split()))
    return f'<memory category="{item.category}">\n  {text}\n</memory>'


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
