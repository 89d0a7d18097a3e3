"""A report, and what it cost, as a page shows them.

Reports quote documents, so nothing in them may act: HTML stays text, images are not loaded, and a link tells nobody
where it was followed from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict


def _link_open(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    tokens[index].attrSet("rel", "nofollow noopener noreferrer")
    return renderer.renderToken(tokens, index, options, env)


_markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_markdown.add_render_rule("link_open", _link_open)


def report(text: str) -> SafeString:
    """Markdown to HTML that is safe in a page: markdown-it escapes all text and lets no javascript: link through."""
    return mark_safe(_markdown.render(text))  # noqa: S308  # html=False escapes whatever the report quotes


@dataclass(frozen=True, slots=True)
class Bar:
    """A stage as a piece of a line of 1,000 units: where it starts, how long it is, and its milliseconds."""

    name: str
    ms: str
    start: int
    width: int


def bars(stages: Mapping[str, object]) -> list[Bar]:
    """Stages in their order, one after the other; what is no number is left out."""
    spans = {name: float(ms) for name, ms in stages.items() if isinstance(ms, int | float) and ms >= 0}
    whole = sum(spans.values()) or 1.0
    drawn, at = [], 0.0
    for name, ms in spans.items():
        label = name.replace("_", " ").capitalize()
        drawn.append(Bar(label, f"{ms:,.1f}", round(1000 * at / whole), max(4, round(1000 * ms / whole))))
        at += ms
    return drawn
