"""A chat message to sentences, without what its writer does not say themselves: code, quotations, pasted text. Pure."""

import re

# What is pasted as a whole is hardly about its writer, and a book must not take a worker's minute.
MOST_CHARACTERS = 40_000
MOST_SENTENCES = 400
LONGEST = 700
_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE_CODE = re.compile(r"`([^`\n]{1,60})`")
_TAGGED = re.compile(r"<(\w{2,20})\b[^<>]{0,200}>.{0,20000}?</\1>", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\||\d{1,2}:\d\d|at \w+\.|Traceback|File \").*$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*(?:[-*•+]|\d{1,2}[.)])[ \t]+", re.MULTILINE)
_MARKS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|^#{1,6} +", re.MULTILINE)
_SPEECH = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|„[^“”\n]{1,400}[“”]"
    r"|(?<![\w])'[^'\n]{12,400}'(?!\w)"
)
_OF_ONESELF = re.compile(r"\b(?:I|I'm|me|my|we|our|ich|yo|je)\b", re.IGNORECASE)
# "Translate this: …": what follows is to be worked on, whoever speaks there.
_PASTED = re.compile(
    r"\b(?:translate|proofread|correct|rewrite|re-?phrase|paraphrase|summari[sz]e|edit|review|polish"
    r"|improve|fix|check"
    r"|shorten|reply to|respond to|answer this|here(?:'s| is)(?: my| the| an?)? (?:[\w-]+"
    r" ){0,2}(?:draft|text|e-?mail|letter"
    r"|essay|story|poem|lyrics|message|paragraph|transcript|article|log|output|review|dialogue|prompt"
    r"|bio))\b[^.!?\n]{0,80}:"
    r"(?=\s|$)|\bsystem prompt\b.{0,40}:",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=[^\s\d]|\d)|(?<=[。！？])|\n+|(?<=[!?])\s*(?=[A-Z])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|approx|no|No|e\.g|i\.e|a\.m|p\.m|U\.S|U\.K|Inc|Ltd|Co|Ave|Mt)"
    r"|\b[A-Z])\.$"
)
_SMILE = re.compile(r"(?:\s|^)(?:[:;]-?[)(DPp3]|<3|xD|\^\^)(?=\s|$)|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+")


def of(message: str) -> list[str]:
    """The sentences that the writer says, in order, white space folded; a question keeps its mark."""
    text = _bare(message[:MOST_CHARACTERS])
    pasted = _PASTED.search(text)
    if pasted:
        text = text[: pasted.start()] + _asked_to(text, pasted)
    found = [_without_speech(sentence) for sentence in _joined(_END.split(text))]
    return [sentence for sentence in found if 1 < len(sentence) <= LONGEST][:MOST_SENTENCES]


def _bare(text: str) -> str:
    text = _TAGGED.sub(" ", _FENCE.sub("\n", text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", " ")))
    text = _QUOTED_LINE.sub("", _INLINE_CODE.sub(r"\1", text))
    return _SMILE.sub(" ", _MARKS.sub("", _BULLET.sub("", text)))


def _asked_to(text: str, pasted: re.Match[str]) -> str:
    """What stands behind an empty line after a short pasted text may be the writer again; it is not worth the risk."""
    return pasted[0].rstrip(": ") + "."


def _joined(parts: list[str]) -> list[str]:
    """Sentences that were cut after "Dr." are whole again."""
    whole = list[str]()
    for part in parts:
        part = " ".join((part or "").split())
        if not part:
            continue
        if whole and _ABBREVIATED.search(whole[-1]) and not whole[-1].endswith(("?", "!")) and len(whole[-1]) < LONGEST:
            whole[-1] = f"{whole[-1]} {part}"
        else:
            whole.append(part)
    return whole


def _without_speech(sentence: str) -> str:
    """Empty where the sentence tells what somebody says of themselves; a quoted title stays."""
    if any(_OF_ONESELF.search(quoted[0][1:-1]) for quoted in _SPEECH.finditer(sentence)):
        return ""
    sentence = sentence.strip(" -–—")
    return sentence.lower() if sentence.isupper() and len(sentence.split()) > 2 else sentence
