"""Whether a value can be a secret, by its own look: no placeholder, no reference, no word about secrets. Pure."""

import math
import re
from collections import Counter

from memories.secret_tokens import MARK, is_random

PLACEHOLDER = re.compile(
    r"[*•.…x_\-#?]+|<.*|\$[({].*|(?-i:\$[A-Z_]+)|\{\{.*|\{\w+\}|%\w*%|\[.*|\(.*|"
    r"(?:your|my|the|example|insert|enter)[_-][\w-]*|"
    r"null|none|nil|true|false|yes|no|undefined|n/?a|tbd|todo|empty|blank|str|string|text|bytes|int|optional|required|hidden|"
    r"password|passwd|pwd|secret|token|key|credentials?|login|user(?:name)?|redacted|removed|masked|encrypted|"
    r"1password|keepass\w*|bitwarden|lastpass|dashlane|vault|okta|oauth2?|openid|saml2?|sha-?\d+|md5|bcrypt|argon2\w*|pbkdf2",
    re.IGNORECASE,
)
REFERENCE = re.compile(
    r"(?:see|ask|stored?|kept|in|use|at|minimum|min\.?|max\.?|must|your|same|the|leave|not|never|for|and|or|as|with|by|via|from|only)\b",
    re.IGNORECASE,
)
CODE = re.compile(
    r"[A-Za-z_.]+[(\[{]|(?:self|this|os|env|process|config|settings|request|args|params|data|form|user|obj)\.|https?:|/|\./|~/"
)
# How a word ends that tells something of a password and is none.
DESCRIBES = re.compile(
    r"[\w-]*(?:ed|ing|able|ible|ous|ful|less|ent|ant|ary|ory|al|ic|ly|ive|ect|id|own|ong|eak|ew|old|hort|ept|ade|ost|ame|oo|it|ere|ot|ecure|ique|ase|tive)$",
    re.IGNORECASE,
)
OTHER_SCRIPT = re.compile(r"[\u0400-\uffff]")
_SYMBOL = re.compile(r"[!@#$%^&+=~?]")
_LONGEST_PHRASE = 60
_KINDS = tuple(map(re.compile, (r"[a-z]", r"[A-Z]", r"\d", r"[!@#$%^&+=~?*]")))
# Hashes, ids, versions and dates, files, addresses of mail.
_NO_PASSWORD = re.compile(
    r"[0-9a-f]{7,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|v?\d+(?:[.\-:T]\d+)+\w*|.*\.[a-z]{1,5}\d?|\d+[a-z]{1,3}"
)
LEAST_TOKEN = 8


def is_value(value: str, what: str) -> bool:
    """Whether a whole value under a secret's name is that secret, and no word or sentence about it."""
    if not value or value.startswith(MARK) or PLACEHOLDER.fullmatch(value) or CODE.match(value):
        return False
    if what != "password":
        return is_token(value)
    if re.search(r"\s", value):
        return (
            not REFERENCE.match(value) and len(value) <= _LONGEST_PHRASE and is_mixed(value.replace(" ", ""), least=3)
        )
    if looks_like_password(value):
        return True
    return (
        len(value) >= 4
        and value.islower()
        and value.isascii()
        and not (REFERENCE.fullmatch(value) or DESCRIBES.fullmatch(value))
    )


def is_mixed(value: str, *, least: int = 2) -> bool:
    """Whether at least so many kinds of letters are in a word of some length, two of which are letters and digits; no
    hash, id, version, date or path."""
    if len(value) < 6 or value.startswith(MARK) or PLACEHOLDER.fullmatch(value) or CODE.match(value):
        return False
    if _NO_PASSWORD.fullmatch(value) or not re.search(r"\d", value):
        return False
    kinds = sum(bool(kind.search(value)) for kind in _KINDS)
    return kinds >= max(least, 2 if len(value) >= 8 and value.isalnum() else 3) and bool(re.search(r"[^\W\d_]", value))


def looks_like_password(value: str) -> bool:
    """Whether a single word is no word of a language: digits or signs among letters, or capitals inside."""
    if not re.search(r"[^\W_]", value) or value.startswith(("-", "/")):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    return bool((letters and digits) or _SYMBOL.search(value) or re.search(r"[a-z][A-Z]", value))


def is_token(value: str) -> bool:
    """Whether a value looks drawn by a machine: long enough, no words, and of varied letters."""
    if len(value) < LEAST_TOKEN or re.search(r"\s", value) or not re.search(r"[A-Za-z]", value):
        return False
    return (is_random(value) and not CODE.match(value)) or (len(value) >= 20 and _entropy(value) >= 4)


def _entropy(value: str) -> float:
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * math.log2(share) for share in shares)
