"""Kinds of support: by which words a customer's case is told to be of one, and what the agent must not do there.
Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence

SAAS, ECOMMERCE, BANKING, TRAVEL = "saas", "ecommerce", "banking_fintech", "travel"
TELECOM, EDTECH, GENERAL = "telecom", "edtech_support", "general_info"

_SIGNS = {
    SAAS: r"workspaces?|dashboards?|api|seats?|integrations?|webhooks?|sso|subscriptions?|log[- ]?in|logs? in"
    r"|sign[- ]in|saas|admin panel"
    r"|user licen[cs]es?|license keys?|export(?:s|ed|ing)?|sync(?:s|ing|hroni[sz]\w*)?|plug-?in|release|feature "
    r"requests?|feature",
    ECOMMERCE: r"orders?|ordered|parcels?|packages?|deliver(?:y|ies|ed)|shipping|shipped|shipments?|returns?"
    r"|checkout|cart|basket|voucher"
    r"|coupons?|tracking number|courier|size|warehouse|out of stock|gift card|bought|purchased",
    BANKING: r"bank(?:ing)?|debit card|credit card|cards?|loans?|mortgages?|transactions?|transfers?|iban|kyc|upi"
    r"|atm|overdraft"
    r"|savings account|current account|chargebacks?|statement|interest rate|wallet|emi|deposit|payee|direct debit"
    r"|beneficiary",
    TRAVEL: r"flights?|hotels?|bookings?|itinerar(?:y|ies)|baggage|luggage|boarding pass|airlines?|airport|check-?in"
    r"|visas?|passports?|train ticket"
    r"|rental car|cruise|layover|reservation|trip|tour",
    TELECOM: r"sim(?: card)?s?|e-?sim|data (?:pack|plan|allowance)|broadband|fib(?:re|er)|roaming|mobile data"
    r"|network (?:coverage|outage|signal)|signal|router"
    r"|prepaid|postpaid|port(?:ing|ed)? (?:the |his |her |their )?number|landline|call drops?|recharge|internet "
    r"connection|internet",
    EDTECH: r"courses?|lessons?|enrol(?:l?ed|l?ment)?|certificates?|quiz(?:zes)?|assignments?|lecture|live "
    r"class(?:es)?|batch|tutor(?:ing|s)?|coaching"
    r"|mock tests?|syllabus|students?|teachers?|class recording|learning app",
}
_PATTERNS = {kind: re.compile(rf"\b(?:{signs})\b", re.IGNORECASE) for kind, signs in _SIGNS.items()}
ALL = (*_PATTERNS, GENERAL)

_EVERYWHERE = (
    "Never ask for a password, a one-time code or a full payment card number, and stop the customer from sending one.",
    "Promise nothing (a refund, a date, an exception) that the systems at hand have not confirmed.",
)
_GUARDS: dict[str, tuple[str, ...]] = {
    SAAS: (
        "Do not promise a release date, a feature, an uptime figure or a credit.",
        "Never ask for API keys, access tokens or the content of the customer's data; ask for ids and times of "
        "errors.",
    ),
    ECOMMERCE: (
        "Do not promise a delivery date, a refund amount or a replacement before the order system shows it.",
        "Ask for the order number only, never for card details; change an address only after the account is verified.",
    ),
    BANKING: (
        "Never ask for a PIN, CVV, one-time code, password, or full card or account number.",
        "Do not promise that a transfer is reversed, a fee waived or a credit approved, and give no advice on "
        "investing or tax.",
        "Send suspected fraud to the fraud team at once and say how the card is blocked.",
    ),
    TRAVEL: (
        "Do not promise a rebooking, an upgrade, compensation or entry to a country before it is confirmed.",
        "Do not ask for pictures of passports or visas in the chat; ask for the booking reference.",
    ),
    TELECOM: (
        "Do not promise when a line or the network works again, or a speed, before the network team has said so.",
        "Never ask for a PUK, a SIM's one-time code or an account PIN; swap a SIM or port a number only after "
        "verification.",
    ),
    EDTECH: (
        "Do not promise a mark, a rank, admission or a refund of fees.",
        "Ask no child for an address, a picture or payment details; those are for a parent or guardian.",
    ),
    GENERAL: (
        "Say so when something is not known, and give no legal, medical or financial advice.",
        "Ask for no personal data that the question does not need.",
    ),
}  # fmt: skip


def guard_rails(kind: str) -> list[str]:
    """What the agent must not promise or ask for, as sentences, the ones of that kind of support first."""
    return [*_GUARDS[kind], *_EVERYWHERE]


def ranked(texts: Iterable[str]) -> list[str]:
    """The kinds that the texts (oldest first) show signs of, the one with the most first; of several the one told of
    last."""
    signs: dict[str, tuple[int, int]] = {}
    for number, text in enumerate(texts):
        for kind, pattern in _PATTERNS.items():
            found = {sign.casefold() for sign in pattern.findall(text)}
            if found:
                signs[kind] = (signs.get(kind, (0, 0))[0] + len(found), number)
    return sorted(signs, key=lambda kind: signs[kind], reverse=True)


def first(kinds: Iterable[str], allowed: Sequence[str] = ()) -> str | None:
    """The first of the kinds that is allowed (all are, where none are named); None for none."""
    return next((kind for kind in kinds if kind in _PATTERNS and (not allowed or kind in allowed)), None)


def commonest(kinds: Mapping[str, int], allowed: Sequence[str] = ()) -> str | None:
    """Of how many people are of which kind: the kind of most, among the allowed ones; None for none."""
    fitting = [kind for kind in kinds if kind in _PATTERNS and (not allowed or kind in allowed)]
    return max(fitting, key=lambda kind: (kinds[kind], kind), default=None)
