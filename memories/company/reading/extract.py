"""The statements of a section: one sentence, list item, table row, quote or code block each. Pure."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memories.company.reading import sentences
from memories.company.reading.markdown import Block
from memories.company.reading.outline import Section

# An item of up to so many words is one statement; a longer one is told sentence by sentence.
ITEM_WORDS = 45
# A list's lead-in is kept to its last sentence, and to so many characters.
LEAD_CHARACTERS = 200
# An item of fewer words is understood only with the sentence before its list, colon or not.
BARE_WORDS = 8
STATEMENT_CHARACTERS = 1_000
_DATING = re.compile(
    r"(?:last\s+|next\s+)?(?:updated?|reviewed|review|modified|changed|edited|created|published|printed)"
    r"(?:\s+(?:on|at|by))?\s*[:;]\s*(?=\D*\d)[\w .,/:+-]{4,40}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Statement:
    """`text` is clean and readable alone; `heading` is the document's title with the headings above it."""

    text: str
    kind: str
    heading: str
    position: int
    cells: tuple[tuple[str, str], ...] = ()


def statements(section: Section) -> list[Statement]:
    """Every statement of a section in reading order, each once."""
    found: list[Statement] = []
    seen: set[str] = set()
    leads = {block.lead for block in section.blocks}
    for block in section.blocks:
        for text in _texts(block):
            key = text.casefold()
            if text.endswith(":") and any(lead.endswith(text) for lead in leads):
                continue
            if key not in seen and _says_something(text):
                seen.add(key)
                found.append(
                    Statement(text, block.kind, " > ".join(block.path[section.folders :]), len(found), block.cells)
                )
    return found


def statement_hash(text: str) -> str:
    """The same for the same statement elsewhere: Unicode form, case, white space and closing marks are folded."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(" .!;,")
    return hashlib.blake2b(folded.encode(errors="replace"), digest_size=16).hexdigest()


def _texts(block: Block) -> Iterable[str]:
    if block.kind == "item":
        return _item(block)
    if block.kind == "code":
        return [_cut(f"{_lead(block.lead)} {' '.join(block.text.split())}".strip())]
    if block.kind in ("row", "pair"):
        return [_cut(block.text)]
    return [_cut(sentence) for sentence in _whole(sentences.split(block.text))]


def _item(block: Block) -> Iterator[str]:
    lead = _lead(block.lead) if block.lead.rstrip().endswith(":") or len(block.text.split()) < BARE_WORDS else ""
    if len(block.text.split()) <= ITEM_WORDS:
        yield _cut(f"{lead} {block.text}".strip())
        return
    for at, sentence in enumerate(_whole(sentences.split(block.text))):
        yield _cut(f"{lead} {sentence}".strip() if at == 0 else sentence)


def _lead(lead: str) -> str:
    last = sentences.split(lead)[-1:] or [""]
    return last[0] if len(last[0]) <= LEAD_CHARACTERS else "… " + last[0][-LEAD_CHARACTERS:].split(" ", 1)[-1]


def _whole(parts: list[str]) -> Iterator[str]:
    """A sentence of one or two words ("Yes.", "For example:") is told with the next one."""
    waiting = ""
    for part in parts:
        waiting = f"{waiting} {part}".strip()
        if len(waiting.split()) > 2 or len(waiting) > 40 or not waiting.isascii():
            yield waiting
            waiting = ""
    if waiting:
        yield waiting


def _says_something(text: str) -> bool:
    """Not marks alone, and not when the document was touched last: that is its date, not knowledge."""
    return bool(re.search(r"[^\W_]{2}|\d", text)) and not _DATING.fullmatch(text)


def _cut(text: str) -> str:
    return text if len(text) <= STATEMENT_CHARACTERS else text[: STATEMENT_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
