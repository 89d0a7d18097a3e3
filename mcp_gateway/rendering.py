"""A report, and what it cost, as a page shows them.

Reports quote documents, so nothing in them may act: HTML stays text, images are not loaded, and a link tells nobody
where it was followed from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict


def _link_open(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    tokens[index].attrSet("rel", "nofollow noopener noreferrer")
    return renderer.renderToken(tokens, index, options, env)


def _heading(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """Headings of the report stand below those of the page around it."""
    tokens[index].tag = f"h{min(6, int(tokens[index].tag[1:]) + 2)}"
    return renderer.renderToken(tokens, index, options, env)


def _made() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    made.add_render_rule("link_open", _link_open)
    made.add_render_rule("heading_open", _heading)
    made.add_render_rule("heading_close", _heading)
    return made


# A fence inside an excerpt stays one: however deep a document nests them, it is rendered twice at most.
_quoted = _made()


def _fence(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """A report quotes passages in fences, so that they give no orders; a page shows them as they are meant."""
    if tokens[index].info.strip() != "markdown":
        return renderer.fence(tokens, index, options, env)
    return f'<div class="excerpt">{_quoted.render(tokens[index].content)}</div>\n'


_markdown = _made()
_markdown.add_render_rule("fence", _fence)


def report(text: str) -> SafeString:
    """Markdown to HTML that is safe in a page: markdown-it escapes all text and lets no javascript: link through."""
    return SafeString(_markdown.render(text))


@dataclass(frozen=True, slots=True)
class Bar:
    """A stage of a call: its milliseconds, and its share of the longest one in thousandths."""

    name: str
    ms: str
    width: int


def bars(stages: Mapping[str, object]) -> list[Bar]:
    """The longest stage first: Postgres does not keep their order. What is no number is left out."""
    spans = {name: float(ms) for name, ms in stages.items() if isinstance(ms, int | float) and ms >= 0}
    longest = max(spans.values(), default=0) or 1.0
    return [
        Bar(
            name.replace("_", " ").capitalize(),
            f"{ms:,.0f}" if ms >= 100 else f"{ms:.1f}",
            max(4, round(1000 * ms / longest)),
        )
        for name, ms in sorted(spans.items(), key=lambda span: -span[1])
    ]
