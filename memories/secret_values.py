"""Secrets that are known by their label: `password: …`, `api_key=…`, "the password is …", a column named Token. Pure.

The label says that a secret may follow; what follows decides. "Password: see the vault" and `max_tokens: 4096` stay.
"""

import re
import unicodedata
from collections.abc import Generator, Iterator

from memories.secret_looks import (
    CODE,
    DESCRIBES,
    LEAST_TOKEN,
    OTHER_SCRIPT,
    PLACEHOLDER,
    REFERENCE,
    is_mixed,
    is_token,
    is_value,
    looks_like_password,
)
from memories.secret_tokens import MARK, lowered, mark, places, replaced

# Labels of what people choose, and of what machines draw at random.
_CHOSEN = (
    r"pass(?:[ _-]?word|wd|[ _-]?phrase|[ _-]?code|wort)|(?<=_)pass(?![a-z])|pwd"
    r"|kennwort|contraseña|mot de passe|wachtwoord|senha|lösenord|hasło|пароль|密码|密碼|口令|パスワード|비밀번호"
)
_DRAWN = (
    r"secret(?!ar)|token(?!i[sz])|credential|authorization"
    r"|(?:api|access|auth|private|signing|encryption|master|service|account)[ _-]?key"
)
# The label, whatever is attached to it, what it is for, the sign or verb, and an opening quote or emphasis.
_LABELLED = re.compile(
    rf"(?:(?P<password>{_CHOSEN})|(?P<token>{_DRAWN}))(?P<rest>[\w.\-]{{0,40}})(?P<close>[\"'`*_\\\])]{{0,4}})"
    r"(?P<about>[ ]{0,2}\([^()\n]{1,60}\)[*_]{0,2}|[ ](?:for|to|of|on|in|at|für|von|de|du|des|del|di|da|do|voor|pour)"
    r"[ ][^\n:=|]{1,60}?|[ ]d['’][^\n:=|]{1,60}?)?"
    r"(?:(?P<sign>[ \t\u00a0\u202f]{0,3}(?::=|=>|->|→|={1,3}|:|：|\|)[*_]{0,2}[ \t]{0,3})"
    r"|(?P<verb>[ ](?:is|was|are|lautet|(?P<foreign>ist|es|est|é|è|[aä]r))(?:[ ]now|[ ]currently)?[ ]?:?[ ]"
    r"|[ ]?(?:是|为|為|は)[ ]?)"
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
_TABLE_RULE = re.compile(r"\|?[ \t]*:?-{3,}[\s:|\-]*$")
_CELL = re.compile(r"(?<!\\)\|")
# The parts of a list or object: brackets, names that only describe with their value, names, values.
_BRACKETED = re.compile(
    r"[\[\]{}]|(?P<described>[\"']?\b(?:type|format|pattern|description|title|\$ref|name|user(?:name)?|label)[\"']?"
    r"[ ]{0,3}:[ ]{0,3}(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'|[^\s,\[\]{}\"']{1,500}))"
    r"|[\"'][^\"'\n]{1,100}[\"'][ ]{0,3}:|\"(?P<quoted>[^\"\\\n]{1,500})\"|'(?P<single>[^'\\\n]{1,500})'"
    r"|(?P<bare>[^\s,\[\]{}\"':]{1,500})(?!\]\()"
)
_LONGEST_LIST = 4000
_RANGE = re.compile(r"a-z|A-Z|0-9")
_NEXT_LINE = re.compile(
    r"[ \t*]{0,4}\r?\n(?:[ \t]{0,20}\r?\n)?(?:[ \t]{1,40}|(?=[\-*+][ ]))(?P<item>[\-*+][ ]{1,3})?[\"'`*]{0,3}"
    r"(?P<secret>[^\s\"'`<>|\[{][^\s\"'`<>|]{0,299}?)[\"'`*]{0,3}(?=[ \t]{0,20}(?:\r?\n|\Z))"
)
_SHORT_LABEL = re.compile(
    r"(?<![^\W_])(?:pass|pw)[\"'`*]{0,3}[ ]{0,2}[:=：][*]{0,2}[ ]{0,3}[\"'`]?"
    r"(?P<secret>[^\s\"'`<>|,;]{6,100})(?<![.)\]}])",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"(?:credentials?|creds|log[ ]?in|zugang(?:sdaten)?|identifiants)\b[\"'`*]{0,3}(?:[ ]?\([^()\n]{1,60}\))?"
    r"(?:(?:[ ](?:for|to|of|on|in|at|für|pour|de)[ ][^\n:=|/]{1,60}?)?[ ]{0,2}(?:[:=：]|[ ](?:is|are)\b))?[*]{0,2}"
    r"[ ]{0,3}[\"'`]?[\w.@+\-]{1,60}[\"'`]?[ ]{0,3}[/:][ ]{0,3}[\"'`]?"
    r"(?P<secret>[^\s\"'`<>|,;/()]{6,100})(?<![.)\]}])(?!/)",
    re.IGNORECASE,
)
_ELEMENT = re.compile(
    r"(?:<|&lt;)(?:[\w.\-]{1,40}:)?(?P<name>[\w.\-]{1,60})(?:\s[^<>]{0,200})?(?:>|&gt;)\s{0,40}(?:<!\[CDATA\[)?"
    r"(?P<secret>[^<>&\s](?:[^<>]{0,298}?[^<>\s\]])?)(?:\]\]>)?\s{0,40}\Z"
)
_LONGEST_ELEMENT = 700
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
    "lösenord",
    "hasło",
    "пароль",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
)
_KEY_STEM = re.compile(r"(?:api|access|auth|private|signing|encryption|master|service|account)[ _-]?$", re.IGNORECASE)


def cut(text: str) -> str:
    """`text` with every labelled secret replaced by its mark; labels, quotes and what stands around them stay."""
    lower = lowered(text)
    spans = [*_labelled(text, lower), *_paired(text, lower), *_in_commands(text, lower)]
    spans += [*_in_logins(text, lower), *_in_elements(text)]
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
    # Lists in lists are read once, or thousands of brackets would cost minutes.
    listed = 0
    for at in sorted((*places(lower, *_STEMS), *(key.start() for key in keys if key))):
        if text.startswith(MARK, at - len(MARK)):
            continue
        if label := _LABELLED.match(text, at):
            yield *_span(text, label), "password" if label["password"] else "token"
            if label["sign"] and not _is_about(text, label):
                if at >= listed:
                    listed = yield from _in_list(text, label)
                yield from _below(text, label)
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
    return (start, start) if PLACEHOLDER.fullmatch(found["secret"]) else (start, end)


def _span(text: str, label: re.Match[str]) -> tuple[int, int]:
    """Where the secret behind a label stands; an empty span where none does."""
    start = label.end()
    if text.startswith(MARK, start) or _is_about(text, label):
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


def _is_about(text: str, label: re.Match[str]) -> bool:
    """Whether what is around the label makes it one of a count, a setting or a policy."""
    if _BEFORE.search(text, max(0, label.start() - 12), label.start()):
        return True
    rest = label["rest"]
    return bool(rest and (_ABOUT_SECRETS.fullmatch(rest) or _is_amount(label["token"] or "", rest)))


def _in_list(text: str, label: re.Match[str]) -> Generator[tuple[int, int, str], None, int]:
    """`"password": ["…", {"old": "…"}]`: every value between the brackets; names in there stay. Returns its end."""
    start, depth = label.end(), 0
    if label["open"] or text[start : start + 1] not in ("[", "{") or text.startswith(("{{", MARK), start):
        return start
    for part in _BRACKETED.finditer(text, start, start + _LONGEST_LIST):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(part.group(), 0)
        if depth == 0:
            return part.end()
        kind = next((name for name in ("quoted", "single", "bare") if part[name]), "")
        value = part[kind] if kind else ""
        if value and not part["described"] and _is_listed_secret(value, label, is_quoted=kind != "bare"):
            yield *part.span(kind), "password" if label["password"] else "token"
    return start + _LONGEST_LIST


def _is_listed_secret(value: str, label: re.Match[str], *, is_quoted: bool) -> bool:
    if not is_quoted and (_RANGE.search(value) or not is_mixed(value)):
        return False
    return is_value(value, "password" if label["password"] else "token")


def _below(text: str, label: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """`Password:` with its value alone on the next line, or a list of them; indented, so that no paragraph goes."""
    if label["open"].strip("*"):
        return
    line, what = _NEXT_LINE.match(text, label.end()), "password" if label["password"] else "token"
    while line and is_value(line["secret"], what) and not line["secret"].endswith(":"):
        # Lists of plain words tell of passwords: their storage, their rotation.
        if not line["item"] or not line["secret"].isalpha():
            yield *line.span("secret"), what
        line = _NEXT_LINE.match(text, line.end("secret")) if line["item"] else None


def _in_logins(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """`pass: …`, and names with their passwords behind a slash."""
    for at in places(lower, "pass", "pw"):
        if (found := _SHORT_LABEL.match(text, at)) and is_mixed(found["secret"]):
            yield *found.span("secret"), "password"
    for at in places(lower, "credential", "creds", "login", "log in", "zugang", "identifiants"):
        if (found := _LOGIN.match(text, at)) and is_mixed(found["secret"], least=3):
            yield *found.span("secret"), "password"


def _in_elements(text: str) -> Iterator[tuple[int, int, str]]:
    """XML: what an element holds whose name is that of a secret."""
    for at in places(text, "</", "&lt;/"):
        opening = text.rfind("<" if text[at] == "<" else "&lt;", max(0, at - _LONGEST_ELEMENT), at)
        if text.startswith("<![CDATA[", opening):
            opening = text.rfind("<", max(0, at - _LONGEST_ELEMENT), opening)
        element = _ELEMENT.match(text, opening, at) if opening >= 0 else None
        if element and (what := names_secret(element["name"])) and is_value(element["secret"], what):
            yield *element.span("secret"), what


def _is_amount(label: str, rest: str) -> bool:
    """Tokens are also what language models count."""
    return label.lower() == "token" and rest.lower() == "s"


def _trimmed(value: str, label: re.Match[str]) -> str:
    """A value without quotes ends with its line, at a separator of what it stands in, and before its sentence's end."""
    if label["sign"] and "=" in label["sign"]:
        value = re.split(r"[;&]", value, maxsplit=1)[0]
    value = re.split(r",(?=\w+[=:])|\\[nrt\"]|[。，、；]", value, maxsplit=1)[0]
    return re.sub(r"[.,;:)\]}*_\\]+$", "", value)


def _rest(text: str, start: int) -> str:
    end = text.find("\n", start)
    rest = text[start : end if end >= 0 else len(text)][:80]
    return re.sub(r"^[.,;:)\]}*_!?\"'`\\|]+", "", rest.split("|")[0]).strip()


def _is_quoted_secret(value: str, label: re.Match[str]) -> bool:
    if PLACEHOLDER.fullmatch(value) or (" " in value and (REFERENCE.match(value) or not label["sign"])):
        return False
    if label["token"]:
        return is_token(value) or (
            "secret" in label["token"].lower() and " " not in value and len(value) >= LEAST_TOKEN
        )
    return bool(label["sign"]) or not label["verb"] or len(value) > 2


def _is_bare_secret(value: str, label: re.Match[str], rest: str) -> bool:
    if not value or PLACEHOLDER.fullmatch(value) or CODE.match(value):
        return False
    if label["scheme"]:
        return len(value) >= LEAST_TOKEN
    if label["token"]:
        return is_token(value)
    sign = label["sign"] or ""
    if "=" in sign and not (" " in sign and rest and value.isalpha()):
        return True
    if looks_like_password(value):
        return not (rest and len(value) < 4)
    # Words of other languages say as much about a password as "required" does.
    if rest or "|" in sign or "-" in sign or label["foreign"] or OTHER_SCRIPT.search(value):
        return False
    is_word = bool(REFERENCE.fullmatch(value) or DESCRIBES.fullmatch(value))
    return len(value) >= 4 and not is_word


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
    if not what or not value or re.search(r"\s", value) or value.startswith(MARK) or PLACEHOLDER.fullmatch(value):
        return cell
    return cell.replace(value, mark(what)) if what == "password" or is_token(value) else cell
