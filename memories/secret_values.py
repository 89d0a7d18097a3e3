"""Secrets that are known by their label: `password: …`, `api_key=…`, "the password is …", a column named Token. Pure.

The label says that a secret may follow; what follows decides. "Password: see the vault" and `max_tokens: 4096` stay.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from memories.secret_tokens import MARK, is_random, lowered, mark, places, replaced

# Labels of what people choose, and of what machines draw at random.
_CHOSEN = (
    r"pass(?:[ _-]?word|wd|[ _-]?phrase|[ _-]?code|wort)|(?<=_)pass(?![a-z])|pwd"
    r"|kennwort|contraseña|mot de passe|wachtwoord|senha"
)
_DRAWN = (
    r"secret(?!ar)|token(?!i[sz])|credential|authorization"
    r"|(?:api|access|auth|private|signing|encryption|master|service|account)[ _-]?key"
)
# The label, whatever is attached to it, what it is for, the sign or verb, and an opening quote or emphasis.
_LABELLED = re.compile(
    rf"(?:(?P<password>{_CHOSEN})|(?P<token>{_DRAWN}))(?P<rest>[\w.\-]{{0,40}})(?P<close>[\"'`*_\\\])]{{0,4}})"
    r"(?P<about>[ ]{0,2}\([^()\n]{1,60}\)[*_]{0,2}|[ ](?:for|to|of|on|in|at)[ ][^\n:=|]{1,60}?)?"
    r"(?:(?P<sign>[ \t]{0,3}(?::=|=>|->|→|={1,3}|:|\|)[*_]{0,2}[ \t]{0,3})"
    r"|(?P<verb>[ ](?:is|was|are|lautet|ist|es|est)(?:[ ]now|[ ]currently)?:?[ ])"
    r"|[ ](?=[\"'`]))"
    r"(?P<open>@?\\?[\"'`*]{0,3})(?P<scheme>(?:bearer|basic|token|digest)[ ]{1,3})?",
    re.IGNORECASE,
)
_QUOTED = {quote: re.compile(rf"[^{quote}\\\n]{{1,500}}") for quote in "\"'`"}
_BARE = re.compile(r"[^\s\"'`<>|]{1,500}")
_OPTION = re.compile(r"[\w\-]{4,12}[ ]{1,3}[\"']?(?P<secret>[^\s\"'\[$<\-][^\s\"']{3,300})")
_LOGIN_OPTION = re.compile(r"(?:-u|--user)[ ]{0,3}[\"']?[^\s:\"'\[]{1,100}:(?P<secret>[^\s\"'\[]{1,300})")
_NAMED = re.compile(
    rf"\bname[\"']?[ ]{{0,3}}:[ ]{{0,3}}[\"']?[\w.\-]{{0,40}}(?:{_CHOSEN}|{_DRAWN})[\w.\-]{{0,40}}"
    r"[\"']?[ ]{0,3},?\s{1,40}[\"']?$",
    re.IGNORECASE,
)
_VALUE = re.compile(r"value[\"']?[ ]{0,3}:[ ]{0,3}[\"']?(?P<secret>[^\s\"',\[{}]{1,300})")
_COOKIE = re.compile(r"cookie[\"']?[ ]{0,3}:[ ]{0,3}[\"']?(?P<secret>[\w.\-]{1,100}=[^\n\"'\[]{8,2000})", re.IGNORECASE)
# Names that hold such a word and no secret: counts, ids, times, addresses, settings about secrets.
_ABOUT_SECRETS = re.compile(
    r"(?:[_.-]?(?:type|types|endpoint|urls?|uri|counts?|limits?|budget|length|size|min\w*|max\w*|expir\w*|ttl|age|at|on|"
    r"ids?|name|policy|rules?|hint|field|label|reset\w*|change\w*|rotat\w*|manager|holder|owner|algorithm|"
    r"scopes?|used|usage|left|less|file))$",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:max|min|num|total|count|page|next|per|context|input|output|prompt|completion|no|without|lost|forgot\w*)"
    r"[ _.-]?$",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"[*•.…x_\-#?]+|<.*|\$[({].*|(?-i:\$[A-Z_]+)|\{\{.*|\{\w+\}|%\w*%|\[.*|\(.*|"
    r"(?:your|my|the|example|insert|enter)[_-][\w-]*|"
    r"null|none|nil|true|false|yes|no|undefined|n/?a|tbd|todo|empty|blank|str|string|text|bytes|int|optional|required|hidden|"
    r"password|passwd|pwd|secret|token|key|credentials?|login|user(?:name)?|redacted|removed|masked|encrypted|"
    r"1password|keepass\w*|bitwarden|lastpass|dashlane|vault|okta|oauth2?|openid|saml2?|sha-?\d+|md5|bcrypt|argon2\w*|pbkdf2",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:see|ask|stored?|kept|in|use|at|minimum|min\.?|max\.?|must|your|same|the|leave|not|never|for|and|or|as|with|by|via|from|only)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[A-Za-z_.]+[(\[{]|(?:self|this|os|env|process|config|settings|request|args|params|data|form|user|obj)\.|https?:|/|\./|~/"
)
# How a word ends that tells something of a password and is none.
_DESCRIBES = re.compile(
    r"[\w-]*(?:ed|ing|able|ible|ous|ful|less|ent|ant|ary|ory|al|ic|ly|ive|ect|id|own|ong|eak|ew|old|hort|ept|ade|ost|ame|oo|it|ere|ot|ecure|ique|ase|tive)$",
    re.IGNORECASE,
)
_SYMBOL = re.compile(r"[!@#$%^&+=~?]")
_TABLE_RULE = re.compile(r"\|?[ \t]*:?-{3,}[\s:|\-]*$")
_CELL = re.compile(r"(?<!\\)\|")
_LEAST_TOKEN = 8
_LEAST_ENTROPY = 3.0
_STEMS = (
    "pass",
    "pwd",
    "secret",
    "token",
    "credential",
    "authorization",
    "kennwort",
    "contraseña",
    "mot de pass",
    "wachtwoord",
    "senha",
)
_KEY_STEM = re.compile(r"(?:api|access|auth|private|signing|encryption|master|service|account)[ _-]?$", re.IGNORECASE)


def cut(text: str) -> str:
    """`text` with every labelled secret replaced by its mark; labels, quotes and what stands around them stay."""
    lower = lowered(text)
    spans = [*_labelled(text, lower), *_paired(text, lower), *_in_commands(text, lower)]
    text = replaced(text, sorted(spans))
    return _columns(text) if "|" in text else text


def names_secret(name: str) -> str:
    """What a field of this name holds ("password", "token"), in any case or style; empty where it holds no secret."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", unicodedata.normalize("NFKC", name)).lower()
    plain = re.sub(r"[^\w]+", "_", plain).strip("_")
    if plain in ("cookie", "set_cookie", "cookies"):
        return "cookie"
    found = re.search(rf"(?P<password>{_CHOSEN}|^pass$|^passwort$)|(?P<token>{_DRAWN})", plain) or re.search(
        rf"(?P<password>{_CHOSEN})|(?P<token>{_DRAWN})", plain.replace("_", "")
    )
    if not found or _BEFORE.search(plain[: found.start()]):
        return ""
    rest = plain[found.end() :]
    if _ABOUT_SECRETS.fullmatch(rest) or _is_amount(found.group(), rest):
        return ""
    return "password" if found.group("password") else "token"


def _labelled(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """Labels with the value that stands behind them."""
    keys = (_KEY_STEM.search(text, max(0, at - 11), at) for at in places(lower, "key"))
    for at in (*places(lower, *_STEMS), *(key.start() for key in keys if key)):
        if text.startswith(MARK, at - len(MARK)):
            continue
        if label := _LABELLED.match(text, at):
            yield *_span(text, label), "password" if label["password"] else "token"
        elif "--" in text[max(0, at - 12) : at] and (option := _OPTION.match(text, at)):
            yield *_unless_placeholder(option), "password"


def _paired(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """`name: DB_PASSWORD` with its `value: …` beside it or in the next line."""
    for at in places(lower, "value"):
        if (pair := _VALUE.match(text, at)) and _NAMED.search(text, max(0, at - 200), at):
            yield *_unless_placeholder(pair), "secret"


def _in_commands(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    for at in places(lower, "cookie"):
        if cookie := _COOKIE.match(text, at):
            yield *_unless_placeholder(cookie), "cookie"
    for at in places(lower, "curl "):
        if login := _LOGIN_OPTION.search(text, at, at + 300):
            yield *_unless_placeholder(login), "password"


def _unless_placeholder(found: re.Match[str]) -> tuple[int, int]:
    start, end = found.span("secret")
    return (start, start) if _PLACEHOLDER.fullmatch(found["secret"]) else (start, end)


def _span(text: str, label: re.Match[str]) -> tuple[int, int]:
    """Where the secret behind a label stands; an empty span where none does."""
    start = label.end()
    if text.startswith(MARK, start) or _BEFORE.search(text, max(0, label.start() - 12), label.start()):
        return start, start
    if label["rest"] and (_ABOUT_SECRETS.fullmatch(label["rest"]) or _is_amount(label["token"] or "", label["rest"])):
        return start, start
    quote = next((letter for letter in reversed(label["open"]) if letter in _QUOTED), "")
    found = (_QUOTED[quote] if quote else _BARE).match(text, start)
    if not found:
        return start, start
    value = found.group() if quote else _trimmed(found.group(), label)
    is_secret = (
        _is_quoted_secret(value, label) if quote else _is_bare_secret(value, label, _rest(text, start + len(value)))
    )
    return start, start + len(value) if is_secret else start


def _is_amount(label: str, rest: str) -> bool:
    """Tokens are also what language models count."""
    return label.lower() == "token" and rest.lower() == "s"


def _trimmed(value: str, label: re.Match[str]) -> str:
    """A value without quotes ends with its line, at a separator of what it stands in, and before its sentence's end."""
    if label["sign"] and "=" in label["sign"]:
        value = re.split(r"[;&]", value, maxsplit=1)[0]
    value = re.split(r",(?=\w+[=:])|\\[nrt\"]", value, maxsplit=1)[0]
    return re.sub(r"[.,;:)\]}*_\\]+$", "", value)


def _rest(text: str, start: int) -> str:
    end = text.find("\n", start)
    rest = text[start : end if end >= 0 else len(text)][:80]
    return re.sub(r"^[.,;:)\]}*_!?\"'`\\|]+", "", rest.split("|")[0]).strip()


def _is_quoted_secret(value: str, label: re.Match[str]) -> bool:
    if _PLACEHOLDER.fullmatch(value) or (" " in value and (_REFERENCE.match(value) or not label["sign"])):
        return False
    if label["token"]:
        return is_token(value) or (
            "secret" in label["token"].lower() and " " not in value and len(value) >= _LEAST_TOKEN
        )
    return bool(label["sign"]) or not label["verb"] or len(value) > 2


def _is_bare_secret(value: str, label: re.Match[str], rest: str) -> bool:
    if not value or _PLACEHOLDER.fullmatch(value) or _CODE.match(value):
        return False
    if label["scheme"]:
        return len(value) >= _LEAST_TOKEN
    if label["token"]:
        return is_token(value)
    sign = label["sign"] or ""
    if "=" in sign and not (" " in sign and rest and value.isalpha()):
        return True
    if looks_like_password(value):
        return not (rest and len(value) < 4)
    if rest or "|" in sign or "-" in sign:
        return False
    is_word = bool(_REFERENCE.fullmatch(value) or _DESCRIBES.fullmatch(value))
    return len(value) >= 4 and not is_word


def looks_like_password(value: str) -> bool:
    """Whether a single word is no word of a language: digits or signs among letters, or capitals inside."""
    if not re.search(r"[^\W_]", value) or value.startswith(("-", "/")):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    return bool((letters and digits) or _SYMBOL.search(value) or re.search(r"[a-z][A-Z]", value))


def is_token(value: str) -> bool:
    """Whether a value looks drawn by a machine: long enough, no words, and of varied letters."""
    if len(value) < _LEAST_TOKEN or re.search(r"\s", value) or not re.search(r"[A-Za-z]", value):
        return False
    return (is_random(value) and not _CODE.match(value)) or (len(value) >= 20 and _entropy(value) >= 4)


def _entropy(value: str) -> float:
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * math.log2(share) for share in shares)


def _columns(text: str) -> str:
    """Tables: the cells below a header that names a secret."""
    lines = text.split("\n")
    columns: dict[int, str] = {}
    for at, line in enumerate(lines):
        if "|" not in line:
            columns = {}
        elif at + 1 < len(lines) and _TABLE_RULE.match(lines[at + 1].strip()):
            headers = (names_secret(cell.strip(" *_`")) for cell in _CELL.split(line))
            columns = {number: what for number, what in enumerate(headers) if what}
        elif columns and not _TABLE_RULE.match(line.strip()):
            lines[at] = "|".join(_cell(cell, columns.get(number, "")) for number, cell in enumerate(_CELL.split(line)))
    return "\n".join(lines)


def _cell(cell: str, what: str) -> str:
    value = cell.strip().strip("`*_")
    if not what or not value or re.search(r"\s", value) or value.startswith(MARK) or _PLACEHOLDER.fullmatch(value):
        return cell
    return cell.replace(value, mark(what)) if what == "password" or is_token(value) else cell
