"""Markdown to a tree of sections. Pure; knows no database, no embedder and no search.

A document is read as blocks (paragraph, list item, table, code, quote), each with the headings that it stands under and
its source Markdown; neighbouring blocks of one heading make a section. Source: contract/company, "What is made of it".
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from memories.company.reading import markdown, sentences
from memories.company.reading.markdown import Block

# Words. A section doubles as the passage that gets a vector; the default model reads 256 word pieces, about 180 words.
SHORT = 40
LONG = 180
# A list or table of so many words is cut where its content says.
HUGE = 8 * LONG
SUMMARY_CHARACTERS = 240
_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z][\w -]*):[ \t]*(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """One passage: where it stands (`path`: folders, document, headings) and the blocks that it is made of.

    `digest` stays the same as long as path and Markdown do; `folders` is how many parts of the path are folders.
    """

    path: tuple[str, ...]
    blocks: tuple[Block, ...]
    position: int = 0
    digest: str = ""
    summary: str = ""
    folders: int = 0

    @property
    def tree_path(self) -> str:
        return " > ".join(self.path)

    @property
    def heading(self) -> str:
        """The path without its folders: what a reader of the passage must know, and what it is embedded with."""
        return " > ".join(self.path[self.folders :])

    @property
    def markdown(self) -> str:
        """The source as it stands, hard-wrapped lines joined, with the headings below the section's own path."""
        return markdown.render(self.blocks, len(self.path))

    @cached_property
    def text(self) -> str:
        """Clean words of all blocks, for the vector and the words."""
        return "\n".join(block.text for block in self.blocks if block.text)

    @cached_property
    def size(self) -> int:
        return sum(block.size for block in self.blocks)


@dataclass(frozen=True)
class Outline:
    """A whole document: `fields` are its front matter's simple values."""

    title: str
    path: tuple[str, ...]
    sections: tuple[Section, ...]
    fields: dict[str, str] = field(default_factory=dict)


def read(source: str, path: str, title: str = "") -> Outline:
    """The outline of one document, given its Markdown and its path inside its source.

    The title is the given one, else the front matter's, else the only first-level heading, else the file's name."""
    fields, body = _front_matter(source)
    blocks = markdown.blocks(body)
    title = title or fields.get("title", "") or _first_heading(blocks) or readable(path.rsplit("/", 1)[-1])
    root = (*(readable(folder) for folder in path.split("/")[:-1] if folder not in ("", ".")), title)
    placed = [replace(block, path=root + _below(title, block.path)) for block in blocks if block.kind != "heading"]
    sections = _joined(_cut(_grouped(placed)))
    return Outline(title=title, path=root, sections=tuple(_numbered(sections, len(root) - 1)), fields=fields)


def readable(name: str) -> str:
    """A file's or folder's name as a title: `client_organizations.md` is "Client Organizations"."""
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name)
    return " ".join(word[:1].upper() + word[1:] for word in re.split(r"[-_\s]+", stem) if word) or name


def _front_matter(source: str) -> tuple[dict[str, str], str]:
    found = _FRONT_MATTER.match(source)
    if not found:
        return {}, source
    fields = {key.strip().lower(): value.strip().strip("\"'") for key, value in _FIELD.findall(found.group(1))}
    return {key: value for key, value in fields.items() if value}, source[found.end() :]


def _first_heading(blocks: Sequence[Block]) -> str:
    tops = [block.path[0] for block in blocks if block.kind == "heading" and len(block.path) == 1]
    return tops[0] if len(tops) == 1 else ""


def _below(title: str, headings: tuple[str, ...]) -> tuple[str, ...]:
    """A document that repeats its title as its first heading does not say it twice."""
    return headings[1:] if headings and headings[0].casefold() == title.casefold() else headings


def _grouped(blocks: Iterable[Block]) -> Iterator[Section]:
    group: list[Block] = []
    for block in blocks:
        if group and group[-1].path != block.path:
            yield Section(path=group[0].path, blocks=tuple(group))
            group = []
        group.append(block)
    if group:
        yield Section(path=group[0].path, blocks=tuple(group))


def _cut(sections: Iterable[Section]) -> Iterator[Section]:
    """Too long: cut where a block ends, and a paragraph longer than a section where a sentence ends."""
    for section in sections:
        if section.size <= LONG:
            yield section
            continue
        pieces = [piece for block in section.blocks for piece in _pieces(block)]
        is_huge = section.size > HUGE
        # Equal parts: 190 words make two passages of 95, not one of 180 and one of 10.
        target = section.size / -(-section.size // LONG)
        part: list[Block] = []
        size = 0
        for piece in pieces:
            if part and (_is_border(piece, size) if is_huge else size + piece.size / 2 > target):
                yield Section(path=section.path, blocks=tuple(part))
                part, size = [], 0
            part.append(piece)
            size += piece.size
        if part:
            yield Section(path=section.path, blocks=tuple(part))


def _is_border(piece: Block, size: int) -> bool:
    """Whether a part of `size` words ends before `piece`. What the piece says decides, not how many came before it.

    In a table of thousands of rows, borders counted off from the top would all move with one row more, and everything
    behind it would be made anew."""
    if size + piece.size > LONG:
        return True
    return size >= LONG // 3 and hashlib.blake2b(piece.markdown.encode(errors="replace")).digest()[0] % 8 == 0


def _pieces(block: Block) -> Iterator[Block]:
    if block.size <= LONG or block.kind != "paragraph":
        yield block
        return
    part: list[str] = []
    for sentence in sentences.split(block.markdown):
        if part and len(" ".join([*part, sentence]).split()) > LONG:
            yield markdown.paragraph(" ".join(part), block)
            part = []
        part.append(sentence)
    yield markdown.paragraph(" ".join(part), block)


def _joined(sections: Iterable[Section]) -> Iterator[Section]:
    """Too short: joined with its neighbour under the same heading, or under that heading's own text, if both fit."""
    waiting: Section | None = None
    for section in sections:
        if waiting is None:
            waiting = section
        elif _fit(waiting, section):
            shared = _shared(waiting.path, section.path)
            waiting = Section(path=shared, blocks=waiting.blocks + section.blocks)
        else:
            yield waiting
            waiting = section
    if waiting is not None:
        yield waiting


def _fit(one: Section, other: Section) -> bool:
    if min(one.size, other.size) >= SHORT or one.size + other.size > LONG:
        return False
    return len(_shared(one.path, other.path)) >= max(len(one.path), len(other.path)) - 1


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    count = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    return one[: min(len(one), len(other)) if count is None else count]


def _numbered(sections: Iterable[Section], folders: int) -> Iterator[Section]:
    """Position, digest (of path and Markdown; a repeated passage counts its repetitions) and summary."""
    seen: dict[str, int] = {}
    for position, section in enumerate(sections):
        content = "\x1f".join([*section.path, *(block.markdown for block in section.blocks)])
        digest = hashlib.blake2b(content.encode(errors="replace"), digest_size=16).hexdigest()
        seen[digest] = seen.get(digest, 0) + 1
        unique = digest if seen[digest] == 1 else f"{digest[:28]}{seen[digest]:04d}"
        yield replace(section, position=position, digest=unique, summary=_summary(section), folders=folders)


def _summary(section: Section) -> str:
    """The first sentences, whole, up to a line and a half."""
    kept = ""
    for sentence in sentences.split(section.text):
        if kept and len(kept) + len(sentence) > SUMMARY_CHARACTERS:
            break
        kept = f"{kept} {sentence}".strip()
    return kept if len(kept) <= SUMMARY_CHARACTERS else kept[: SUMMARY_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
