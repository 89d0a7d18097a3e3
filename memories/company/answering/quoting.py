"""Puts words of others into Markdown of ours, so that they stay words. Pure.

What a document, a name or a prompt says is data: it may not open a heading, a list, a fence, an HTML element, a link or
emphasis that reaches past its place (cases R32). Readable first: only what would act is escaped, so that `snake_case`,
`[1]`, `<5 ms` and `a|b` come out as they went in.
"""

import re

# Characters that show nothing but change how what stands around them is shown or read: bidirectional overrides, tag
# characters (an alphabet nobody sees), and controls other than white space.
_UNSEEN = re.compile(
    "[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ACTING = re.compile(
    r"""
      \\(?=[!-/:-@\[-`{-~]|$)      # a backslash that would escape what follows, or our own closing mark
    | [*`]                         # emphasis and code
    | (?<![^\W_])(?<!_)_+ | _+(?!_)(?![^\W_])  # emphasis, but not the inside of snake_case
    | ~(?=~) | (?<=~)~             # strikethrough
    | (?<=\])\(                    # the address of a link or picture
    | <(?=[A-Za-z/!?])             # an element, a comment, an address in angle brackets
    """,
    re.VERBOSE,
)
_BACKTICKS = re.compile(r"`+")
_SHORTEST_FENCE = 3


def inline(text: str, *, longest: int = 0) -> str:
    """`text` on one line, with everything in it that Markdown or HTML would act upon escaped.

    Safe after a word or an opening mark of ours, not at the start of a line. `longest` (characters) cuts at a word.
    """
    line = shortened(folded(text), longest) if longest else folded(text)
    return _ACTING.sub(lambda found: "".join("\\" + mark for mark in found.group()), line)


def folded(text: str) -> str:
    """White space folded to single blanks, unseen characters gone."""
    return " ".join(_seen(text).split())


def fenced(text: str, language: str = "markdown") -> str:
    """`text` as it stands inside a fence that nothing in it can close."""
    shown = _seen(text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
    longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=0)
    fence = "`" * max(_SHORTEST_FENCE, longest + 1)
    return f"{fence}{language}\n{shown}\n{fence}"


def shortened(text: str, longest: int) -> str:
    """At most `longest` characters, cut at a word, with an ellipsis where something is missing."""
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    at_word = cut.rsplit(None, 1)[0] if " " in cut[longest // 2 :] else cut
    return at_word.rstrip() + "…"


def _seen(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _UNSEEN.sub("", text))
