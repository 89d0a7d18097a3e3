"""Markdown and plain text. Pure.

Every pattern's reach is bounded: a file of nothing but openings must not cost the square of its size.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from memories.company.reading.formats import decoding, front_matter
from memories.company.reading.formats.page import Page, moment

_FENCE = re.compile(r"[ \t]{0,8}(```|~~~)")
_WIKI_LINK = re.compile(r"!?\[\[(?!\s)([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{1,300}))?(?<!\s)\]\]")
_EMBEDDED_IMAGE = re.compile(
    r"!\[([^\]\n]{0,500})\]\(data:[^)\s]*\)|<img\b[^>]{0,500}\bsrc=[\"']data:[^>]*>", re.IGNORECASE
)
_REFERENCED_IMAGE = re.compile(r"^\[[^\]\n]{1,200}\]:[ \t]*<?data:image/.*$", re.MULTILINE | re.IGNORECASE)
_TOP = 1_000
_DATED = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?[*_]{0,2}(?:last )?(?:date|updated?|reviewed|modified|changed)[*_]{0,2}:"
    r"[*_]{0,2}[ \t]+(.{6,40})$",
    re.MULTILINE | re.IGNORECASE,
)
_INDENT = re.compile(r"^[ \t]{4,}(?![-*+•] |\d{1,9}[.)] )", re.MULTILINE)


def read_markdown(content: bytes) -> Page:
    """Markdown with or without front matter, of any dialect; comments and embedded pictures are left out."""
    properties, body = front_matter.split(decoding.text(content))
    body = outside_code(tidied, body)
    return Page(
        markdown=front_matter.lines(properties, _titled(body, properties.get("title", ""))),
        title=properties.get("title", ""),
        observed_at=front_matter.observed_at(properties) or _dated(body),
        properties=properties,
    )


def read_text(content: bytes) -> Page:
    """Plain text; an indented line is a line, not code."""
    page = read_markdown(content)
    return replace(page, markdown=_INDENT.sub("   ", page.markdown))


def tidied(markdown: str) -> str:
    """Without what nobody sees (comments) or can read (pictures as text); `[[Page|name]]` links as their words."""
    if "data:" in markdown:
        markdown = _REFERENCED_IMAGE.sub("", _EMBEDDED_IMAGE.sub(lambda image: image.group(1) or "", markdown))
    return _WIKI_LINK.sub(lambda link: link.group(2) or link.group(1), "".join(_outside_comments(markdown)))


def outside_code(change: Callable[[str], str], markdown: str) -> str:
    """`change` applied to everything but fenced code."""
    return "".join(part if is_code else change(part) for is_code, part in _by_fence(markdown))


def _by_fence(markdown: str) -> Iterator[tuple[bool, str]]:
    fence, part = "", list[str]()
    for line in markdown.splitlines(keepends=True):
        found = _FENCE.match(line)
        if found and not fence:
            yield False, "".join(part)
            fence, part = found.group(1), [line]
        elif found and line.strip().strip(fence[0]) == "":
            yield True, "".join([*part, line])
            fence, part = "", []
        else:
            part.append(line)
    yield bool(fence), "".join(part)


def _outside_comments(markdown: str) -> Iterator[str]:
    at = 0
    while (start := markdown.find("<!--", at)) >= 0 and (end := markdown.find("-->", start)) >= 0:
        yield markdown[at:start]
        at = end + 3
    yield markdown[at:]


def _dated(body: str) -> datetime | None:
    """The date that stands in a line of its own at the top: `Updated: 4 March 2025`, `- **Date:** 2025-03-04`."""
    dates = (moment(line.group(1).strip(" *_.")) for line in _DATED.finditer(body[:_TOP]))
    return next(filter(None, dates), None)


def _titled(body: str, title: str) -> str:
    """A title that only the front matter gives becomes the heading that everything stands under."""
    return f"# {title}\n\n{body.lstrip()}" if title and not re.match(r"\s*(# |.+\n=+[ \t]*\n)", body) else body
