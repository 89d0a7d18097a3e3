"""What a clause says of a customer's trouble: that something is wrong, or that it is over. Pure; English."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from memories import words
from memories.end_users.domains.sayings.clauses import Clause

#: What should happen: denied, it is trouble; told, the trouble is over.
_DUE = re.compile(
    r"\b(?:arriv(?:ed?|es|ing)|deliver(?:ed|y)|receiv(?:ed?|es)|got|came|come|shipped|dispatched|refund(?:ed)?"
    r"|credited|reimbursed"
    r"|work(?:s|ing|ed)?|connect(?:s|ed|ing)?|load(?:s|ed|ing)?|open(?:s|ed)?|log(?:s|ged|ging)?\s?(?:in|on)"
    r"|sign(?:ed)?\s?in"
    r"|sync(?:s|ed|ing|hroni[sz]\w*)?|process(?:ed)?|activated?|respond(?:ed|s|ing)?|repl(?:y|ied|ies)|answer(?:ed"
    r"|s)?|approved"
    r"|confirmed|charge|start(?:s|ed)?|turn(?:s|ed)?\s+on|download(?:s|ed)?|upload(?:s|ed)?|access(?:ed)?|pay|verify"
    r"|verified"
    r"|reset|cancel(?:led)?|update[ds]?|install(?:ed|s)?|find|reach(?:ed)?|export(?:ed|s)?|import(?:ed|s)?|print(?:s"
    r"|ed)?"
    r"|show(?:s|n)?|appear(?:s|ed)?|send|sent|transfer(?:red)?|reflected|issued|restored|check(?:ed)?\s+in|use)\b",
    re.IGNORECASE,
)
#: What should not: told, it is trouble; denied, it is over.
_TROUBLE = re.compile(
    r"\b(?:broken|damaged|defective|faulty|cracked|dead|missing|lost|late|delayed|delay|overdue|stuck|down|slow"
    r"|frozen|freez(?:es|ing)"
    r"|blocked|locked(?:\s+out)?|suspended|declined|rejected|fail(?:s|ed|ing|ure)|crash(?:es|ed|ing)?|errors?|bugs?"
    r"|glitch\w*"
    r"|overcharged|(?:double[- ])?charged\s+(?:twice|double|too\s+much|wrongly)|double[- ]charged|billed\s+twice"
    r"|wrong\s+(?:item|order|size"
    r"|product|amount|address|colou?r|seat|room|date|name)|unauthori[sz]ed|fraud\w*|stolen|hacked|dropp(?:ed|ing)"
    r"|drops|disconnect\w*"
    r"|outage|issues?|problems?|trouble|complain(?:s|ed|t|ts|ing)|unable|cannot|incorrect|leak(?:s|ing|ed)?"
    r"|overheat\w*|disputes?|disputed|disputing)\b"
    r"|\b(?:waiting|waits|still\s+waits)\s+(?:for|on)\b|\b(?:wants?|requested|requests?|asked\s+for|asks\s+for"
    r"|is\s+asking\s+for|demands?|needs?)\s+(?:an?\s+|the\s+|his\s+|her\s+|their\s+)?"
    r"(?:\w+\s+)?(?:refund|replacement|return|exchange|compensation|callback|cancellation|chargeback)\b",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r"\b(?:resolved|fixed|solved|sorted(?:\s+out)?|settled|closed|repaired|replaced|over|gone|restored"
    r"|back\s+to\s+normal|works?\s+again"
    r"|working\s+again|(?:was|were|been|got)\s+refunded|refund\s+(?:was|has\s+been|is)\s+(?:issued|paid|received"
    r"|processed|completed)"
    r"|(?:received|got)\s+(?:the|an?|his|her|their)\s+(?:\w+\s+)?(?:refund|replacement|parcel|order|package|card"
    r"|callback|compensation))\b",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"#\s?(?P<hash>[A-Za-z0-9][\w-]*)"
    r"|\b(?:order|ticket|case|booking|invoice|reference|ref|pnr|complaint|request|transaction|incident|claim"
    r"|shipment|policy|payment)"
    r"\s+(?:(?:number|no\.?|id|code)\s+)?(?P<named>(?=[\w-]*\d)[A-Za-z0-9][\w-]*)"
    r"|\b(?P<code>[A-Z]{2,}-?\d{3,})\b",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?:has|have|had|sees|with)\s+(?:no|zero|not\s+any)\s+(?:\w+\s+)?(?:issues?|problems?|trouble|errors?"
    r"|complaints?)\b",
    re.IGNORECASE,
)
_REFERS_BACK = re.compile(
    r"(?:(?:it|this|that|everything|all)|(?:the\s+|latest\s+|last\s+)*(?:issue|problem|ticket|case|trouble|request"
    r"|complaint|matter))\s+"
    r"(?:is|was|has|have|are|got|works?)\b",
    re.IGNORECASE,
)
#: A habit or a taste is no trouble, however it is worded.
_NO_CASE = re.compile(
    r"(?:likes?|loves?|prefers?|dislikes?|hates?|enjoys?|lives?|works?\b|wants?\s+to\s+(?:be\s+)?(?:learn|called"
    r"|emailed|contacted)"
    r"|knows?|speaks?|(?:is|be)\s+(?:a|an|on\s+the|from)\s)\b",
    re.IGNORECASE,
)
#: Words that are in every issue and tell none from another.
_COMMON = frozenset(
    words.terms(
        """user customer issue problem trouble request error has have had is was been not still yet again wants waiting
        resolved fixed solved closed since day days week got contacted support reported team longer"""
    )
)
#: Words of what is done about any issue.
_REMEDIES = frozenset(
    words.terms("refund refunded replacement received callback compensation return exchange order ticket case")
)
_SAME = 0.5
MOST_LETTERS = 160


@dataclass(frozen=True)
class Issue:
    """text       as it was said: "order #4412 hasn't arrived"
    reference  the number it goes by, in capitals without its mark; empty where none was told
    is_open    whether it is still to be solved
    is_certain that it tells of an issue even where none was told before
    """

    text: str
    reference: str
    is_open: bool
    is_certain: bool = True

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words that tell it from other issues."""
        return frozenset(words.content_terms(self.text)) - _COMMON


def told(clause: Clause) -> Issue | None:
    """What the clause tells of an issue; None where it is about something else."""
    text = clause.text
    if _NO_CASE.match(text):
        return None
    reference = _reference(clause.said)
    if _NONE.search(text):
        return Issue(_short(clause), reference, is_open=False, is_certain=False)
    if _SETTLED.search(text):
        return Issue(_short(clause), reference, is_open=clause.is_negated)
    if _TROUBLE.search(text):
        is_certain = not clause.is_negated or bool(reference)
        return Issue(_short(clause), reference, is_open=not clause.is_negated, is_certain=is_certain)
    if _DUE.search(text):
        is_certain = clause.is_negated or (bool(reference) and not _ORDERED.match(text))
        return Issue(_short(clause), reference, is_open=clause.is_negated, is_certain=is_certain)
    return None


_ORDERED = re.compile(r"(?:ordered|bought|purchased|placed|booked)\b", re.IGNORECASE)


def _short(clause: Clause) -> str:
    """A memory is at most 500 letters; an issue that says more is told by its beginning, up to a whole word."""
    if len(clause.said) <= MOST_LETTERS:
        return clause.said
    return clause.said[: MOST_LETTERS - 2].rsplit(maxsplit=1)[0] + " …"


def _reference(text: str) -> str:
    found = _REFERENCE.search(text)
    if not found:
        return ""
    return str(found["hash"] or found["named"] or found["code"]).upper()


def settles(told: Issue, open_issues: Sequence[Issue]) -> Issue | None:
    """Which of the open issues (oldest first) `told` is about; None for none of them.

    By its number; by the words that tell issues apart; what only says "it is fixed" is about the newest."""
    if told.reference:
        named = [issue for issue in open_issues if issue.reference == told.reference]
        if named or all(issue.reference for issue in open_issues):
            return named[-1] if named else None
    alike = [issue for issue in open_issues if _are_alike(issue, told)]
    if not alike and told.is_certain and not told.is_open:
        alike = _newest_or_only(told, open_issues)
    return alike[-1] if alike else None


def _are_alike(one: Issue, other: Issue) -> bool:
    if one.reference and other.reference:
        return False
    first, second = one.telling, other.telling
    return len(first & second) > _SAME * min(len(first), len(second))


def _newest_or_only(told: Issue, open_issues: Sequence[Issue]) -> list[Issue]:
    if _REFERS_BACK.match(told.text):
        return list(open_issues[-1:])
    telling = told.telling - _REMEDIES
    near = [issue for issue in open_issues if telling & issue.telling and not (issue.reference and told.reference)]
    return near if len(near) == 1 else []
