"""Which languages somebody speaks, learns in, and wants to be answered in. Pure; English statements."""

import re
from collections.abc import Iterator

from memories.end_users.domains.sayings.clauses import Clause

PREFERRED, NATIVE, MEDIUM, SPEAKS = "preferred", "native", "medium", "speaks"

_NAMES = (
    "English|Hindi|Hinglish|Bengali|Bangla|Marathi|Telugu|Tamil|Gujarati|Urdu|Kannada|Odia|Malayalam|Punjabi|Assamese"
    "|Sanskrit|Nepali|Sinhala|French|German|Spanish|Portuguese|Italian|Dutch|Polish|Czech|Slovak|Slovenian|Croatian"
    "|Serbian|Hungarian|Romanian|Bulgarian|Greek|Russian|Ukrainian|Turkish|Arabic|Hebrew|Persian|Farsi|Swahili|Amharic"
    "|Yoruba|Igbo|Hausa|Zulu|Afrikaans|Mandarin|Cantonese|Chinese|Japanese|Korean|Vietnamese|Thai|Indonesian|Malay"
    "|Tagalog|Filipino|Burmese|Khmer|Swedish|Norwegian|Danish|Finnish|Icelandic|Estonian|Latvian|Lithuanian|Catalan"
    "|Basque|Galician|Irish|Welsh|Georgian|Armenian|Kazakh|Uzbek|Mongolian"
)
_NAME = re.compile(rf"\b(?:(?:simple|plain|easy|British|American|Brazilian)\s+)?(?:{_NAMES})\b")
_ONE = rf"(?:(?:simple|plain|easy|British|American|Brazilian)\s+)?(?:{_NAMES})"
_SOME = rf"(?P<x>{_ONE}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*/\s*|\s+or\s+){_ONE})*)"
_TELLING = (
    r"(?:explanations?|answers?|repl(?:y|ies)|lessons?|responses?|help|support|messages?|conversations?|chats?"
    r"|instructions?|everything|to\s+(?:\w+\s+){1,4}?|communicat\w+|talking|speaking|chatting|learning|studying)"
)
_RULES = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (PREFERRED, rf"(?:prefers?|wants?|likes?|needs?|asks?\s+for|asked\s+for|would\s+like"
            rf"|learns?\s+best)\s+(?:(?:to\s+\w+\s+)?.*?{_TELLING}.*?\s*)?in\s+{_SOME}"),
        (PREFERRED, rf"(?:prefers?|would\s+rather\s+(?:use|speak|write))\s+{_SOME}(?!\s+\w*(?:food|music|movies"
            rf"|films|cuisine|literature))"),
        (PREFERRED, rf"preferred\s+language\s+(?:\w+\s+){{0,3}}?is\s+{_SOME}"),
        (PREFERRED, rf"(?:writes|communicates|chats|learns)\s+in\s+{_SOME}"),
        (PREFERRED, rf"language\s+is\s+{_SOME}"),
        (NATIVE, rf"(?:native|first|home)\s+language\s+is\s+{_SOME}"),
        (NATIVE, rf"mother\s+tongue\s+is\s+{_SOME}"),
        (NATIVE, rf"(?:is|be)\s+a\s+native\s+{_SOME}\s+speaker"),
        (MEDIUM, rf"medium(?:\s+of\s+(?:instruction|teaching))?\s+is\s+{_SOME}"),
        (MEDIUM, rf"(?:is|be|studies|study|goes|attends|has|learns?)\b.*?\b{_SOME}[- ]medium\b"),
        (SPEAKS, rf"(?:speaks?|knows?|can\s+(?:speak|read|write|understand)|understands?|(?:is"
            rf"|be)\s+fluent\s+in|talks?\s+in)\s+{_SOME}$"),
    )
)  # fmt: skip


def told(clause: Clause) -> Iterator[tuple[str, str]]:
    """(preferred | native | medium | speaks, language) for each that the clause says, by the first rule that fits."""
    for kind, pattern in _RULES:
        match = pattern.match(clause.text)
        if match:
            yield from ((kind, _spelt(name)) for name in _NAME.findall(_spelt_names(match["x"])))
            return


def _spelt_names(text: str) -> str:
    """Names in their own capitals, however they were written."""
    return re.sub(rf"\b(?:{_NAMES})\b", lambda name: name.group().capitalize(), text, flags=re.IGNORECASE)


def _spelt(name: str) -> str:
    return " ".join(name.split())
