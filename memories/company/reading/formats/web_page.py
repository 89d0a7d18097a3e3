"""HTML to Markdown: what a reader of the page sees, and nothing else. Pure."""

import re
from collections.abc import Iterator
from typing import Any

from bs4 import BeautifulSoup, Comment, Tag
from markdownify import ATX, MarkdownConverter

from memories.company.reading.formats import decoding
from memories.company.reading.formats.page import Page, moment
from memories.errors import Unreadable

_NEVER_SEEN = (
    "script", "style", "noscript", "template", "nav", "svg", "canvas", "iframe", "object", "embed", "audio", "video",
    "form input", "button", "select", "textarea", "dialog:not([open])",
)  # fmt: skip
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)"
    r"|font-size\s*:\s*0|text-indent\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0",
    re.IGNORECASE,
)
_RULE = re.compile(r"([.#][\w-]{1,100})\s{0,20}\{([^{}]{0,2000})\}")
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([\w-]{2,30})", re.IGNORECASE)
_DATES = (
    "article:modified_time",
    "og:updated_time",
    "last-modified",
    "dcterms.modified",
    "article:published_time",
    "date",
)
_BLANK_LINES = re.compile(r"\n{3,}")
# Readers of HTML here and the libraries behind them go down the tree one call a level.
_DEEPEST = 150


def read(content: bytes) -> Page:
    """The page's text as Markdown; scripts, styles, navigation, form fields and hidden text dropped."""
    declared = _CHARSET.search(content[:4096])
    return page(decoding.text(content, declared.group(1).decode("ascii") if declared else ""))


def page(html: str) -> Page:
    """The same for HTML that is decoded already (the body of an e-mail)."""
    soup = BeautifulSoup(html, "lxml", multi_valued_attributes=None)
    _refuse_depth(soup)
    title = " ".join(soup.title.get_text().split()) if soup.title else ""
    observed_at = moment(next(_dates(soup), ""))
    _strip(soup)
    markdown = _BLANK_LINES.sub("\n\n", _Converter().convert_soup(soup.body or soup)).strip()
    return Page(markdown, label=title, observed_at=observed_at)


class _Converter(MarkdownConverter):
    """Text as it stands: an escaped `snake\\_case` would not be found by its name. Pictures are their descriptions."""

    class Options:
        heading_style = ATX
        bullets = "-"
        escape_underscores = False
        escape_asterisks = False
        table_infer_header = True

    def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return " ".join(str(el.get("alt") or "").split())

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        href = str(el.get("href") or "")
        if not href.startswith(("http:", "https:", "mailto:")):
            return text
        return str(super().convert_a(el, text, parent_tags))  # type: ignore[misc]

    def convert_td(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return str(super().convert_td(el, text.replace("|", "\\|"), parent_tags))  # type: ignore[misc]

    def convert_th(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        return str(super().convert_th(el, text.replace("|", "\\|"), parent_tags))  # type: ignore[misc]


def _refuse_depth(soup: BeautifulSoup) -> None:
    level: list[Tag] = [soup]
    for _ in range(_DEEPEST):
        level = [child for tag in level for child in tag.children if isinstance(child, Tag)]
        if not level:
            return
    raise Unreadable("The page is nested too deeply to be read.")


def _dates(soup: BeautifulSoup) -> Iterator[str]:
    said = {_named(meta): str(meta.get("content") or "") for meta in soup.find_all("meta")}
    return (said[name] for name in _DATES if said.get(name))


def _named(meta: Any) -> str:
    return str(meta.get("property") or meta.get("name") or meta.get("http-equiv") or "").lower()


def _strip(soup: BeautifulSoup) -> None:
    classes, ids = _hidden_by_sheet(soup)
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    unseen = [*soup.select(", ".join(_NEVER_SEEN)), *(soup.head.find_all(True) if soup.head else [])]
    unseen += [tag for tag in soup.find_all(True) if _is_hidden(tag, classes, ids)]
    for tag in unseen:
        tag.extract()


def _hidden_by_sheet(soup: BeautifulSoup) -> tuple[frozenset[str], frozenset[str]]:
    """Classes and ids that the page's own style sheet hides, by rules of one name."""
    rules = [rule for sheet in soup.find_all("style") for rule in _RULE.findall(sheet.get_text())]
    hidden = [name for name, style in rules if _HIDDEN_STYLE.search(style)]
    return frozenset(name[1:] for name in hidden if name[0] == "."), frozenset(
        name[1:] for name in hidden if name[0] == "#"
    )


def _is_hidden(tag: Tag, classes: frozenset[str], ids: frozenset[str]) -> bool:
    attributes = tag.attrs
    return (
        "hidden" in attributes
        or str(attributes.get("aria-hidden", "")).lower() == "true"
        or bool(_HIDDEN_STYLE.search(str(attributes.get("style", ""))))
        or str(attributes.get("id", "")) in ids
        or not classes.isdisjoint(str(attributes.get("class", "")).split())
    )
