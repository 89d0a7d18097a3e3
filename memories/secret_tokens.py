"""Secrets that are known by their own look: provider keys, JSON web tokens, private keys, passwords in addresses. Pure.

The shapes of the large providers come from detect-secrets; what it lacks, cuts too short or finds too eagerly is added
here. A rule is tried only on words that hold one of its anchors, so that prose costs next to nothing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.openai import OpenAIDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

MARK = "[redacted: "
_SHORTEST = 16
# How far before its anchor a key begins at most.
_LONGEST_START = 200
_START = re.compile(r"[A-Za-z0-9_.:/\-]*$")
_END = re.compile(r"[^\s\"'`<>|]{1,10000}")
# Splitting a large document into its words takes more memory than it saves time.
_SHORT_TEXT = 200_000
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\[nr]){0,9}[A-Za-z0-9+/=]{32,})+)"
)
_PUTTY_KEY = re.compile(r"PuTTY-User-Key-File-\d:[^\0]{0,8000}?Private-MAC: ?[0-9a-f]{20,}")
# After "://". The scheme, the user and the host say where; only the password goes, up to the last @ before the host.
_USER = r"[^\s/:@\"'<>`\[\]]{0,200}"
_HOST = r"(?=@[\w.\-\[])"
_PASSWORD = re.compile(rf"(?:{_USER}:)(?!\[redacted: )(?P<secret>[^\s/\"'<>`]{{1,300}}){_HOST}")
# A password with a slash breaks an address; programs that take databases' addresses read it all the same.
_DATABASE_PASSWORD = re.compile(rf"(?:{_USER}:)(?!\[redacted: )(?P<secret>[^\s\"'<>`]{{1,300}}){_HOST}")
_TOKEN_AS_USER = re.compile(r"(?P<secret>[A-Za-z0-9_\-]{20,300})(?=@)")
_DATABASES = re.compile(
    r"(?:postgres|postgresql|mysql|mariadb|mongodb|rediss?|amqps?|mssql|s?ftp|ldaps?|smtps?)(?:\+\w{1,20})?$",
    re.IGNORECASE,
)
_AUTHORIZATION = re.compile(r"(?:bearer|basic)\s{1,3}(?P<secret>[A-Za-z0-9._~+/\-]{16,}={0,2})", re.IGNORECASE)
_SIGNATURES = ("sig=", "signature=", "x-amz-security-token=")
_SIGNATURE = re.compile(r"(?<=[?&])(?:[\w\-]{0,20})=(?P<secret>[^&\s\"'<>)\[]{16,})")


@dataclass(frozen=True)
class _Shape:
    """One kind of key: cut where `pattern` matches in a word that holds an anchor."""

    what: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]


def _known(what: str, detector: type[RegexBasedDetector], *anchors: str) -> Iterator[_Shape]:
    """A detector's shapes, from their first letter to the end of the run; those with quotes need a line."""
    for pattern in cast(Iterable[re.Pattern[str]], detector.denylist):
        if "'" not in pattern.pattern:
            whole = re.compile(rf"(?<![A-Za-z0-9])(?:{pattern.pattern})[A-Za-z0-9_\-]*", pattern.flags)
            yield _Shape(what, anchors, whole)


def _own(what: str, shape: str, *anchors: str) -> _Shape:
    return _Shape(what, anchors, re.compile(rf"(?<![A-Za-z0-9]){shape}"))


_SHAPES = (
    _own("PAM key", r"(?:pam_(?:mkey|at|rt)_[\w\-]{16,}|mem_[\w\-]{24,})", "pam_mkey_", "pam_at_", "pam_rt_", "mem_"),
    _own("JWT", r"eyJ[\w\-]{8,}={0,2}\.[\w\-]{8,}={0,2}(?:\.[\w\-+/=]{0,2000})?", "eyJ"),
    _own("Anthropic key", r"sk-ant-[\w\-]{16,}", "sk-ant-"),
    _own("OpenAI key", r"sk-(?:proj-|svcacct-|admin-)?(?=[\w\-]{0,200}\d)[\w\-]{20,}", "sk-"),
    _own("Google key", r"(?:AIza[\w\-]{35,}|ya29\.[\w\-.]{20,}|GOCSPX-[\w\-]{20,})", "AIza", "ya29.", "GOCSPX-"),
    _own("GitHub key", r"github_pat_\w{22,}", "github_pat_"),
    _own("Stripe key", r"(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[\w+/=]{20,})", "_live_", "_test_", "whsec_"),
    _own("Slack key", r"(?:xox[a-z]-[\w\-]{10,}|xapp-[\w\-]{20,}|xoxe\.[\w\-.]{20,})", "xox", "xapp-"),
    _own("npm key", r"npm_[A-Za-z0-9]{30,}", "npm_"),
    _own("Hugging Face key", r"hf_[A-Za-z0-9]{30,}", "hf_"),
    _own("DigitalOcean key", r"do[opr]_v1_[a-f0-9]{60,}", "_v1_"),
    _own("Shopify key", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{30,}", "shp"),
    _own("Databricks key", r"dapi[a-f0-9]{32}(?:-\d)?", "dapi"),
    _own("Vault key", r"hv[sbr]\.[\w\-]{24,}", "hvs.", "hvb.", "hvr."),
    _own("age key", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}", "AGE-SECRET-KEY-"),
    _own("Azure key", r"(?:AccountKey|SharedAccessKey)=[\w+/]{40,}={0,2}", "AccountKey=", "SharedAccessKey="),
    *_known("AWS key", AWSKeyDetector, "AKIA", "ASIA", "ABIA", "ACCA", "A3T"),
    *_known("GitHub key", GitHubTokenDetector, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *_known("GitLab key", GitLabTokenDetector, "glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "GR1348941", "glcbt-"),
    *_known("GitLab key", GitLabTokenDetector, "glimt-", "glptt-", "glagent-", "gloas-"),
    *_known("Mailchimp key", MailchimpDetector, "-us"),
    *_known("OpenAI key", OpenAIDetector, "T3BlbkFJ"),
    *_known("PyPI key", PypiTokenDetector, "pypi-"),
    *_known("SendGrid key", SendGridDetector, "SG."),
    *_known("Slack key", SlackDetector, "xox", "hooks.slack.com"),
    *_known("Square key", SquareOAuthDetector, "sq0"),
    *_known("Stripe key", StripeDetector, "k_live_"),
    *_known("Telegram key", TelegramBotTokenDetector, ":AA"),
    *_known("Twilio key", TwilioKeyDetector, "AC", "SK"),
)


def cut(text: str) -> str:
    """`text` with every secret of a known look replaced by its mark."""
    if "-----BEGIN" in text:
        text = _PRIVATE_KEY.sub(mark("private key"), text)
    if "PuTTY-User" in text:
        text = _PUTTY_KEY.sub(mark("private key"), text)
    spans = [*_in_words(text), *_in_addresses(text), *_in_headers(text)]
    return replaced(text, sorted(spans, key=lambda span: (span[0], -span[1])))


def mark(what: str) -> str:
    return f"{MARK}{what}]"


def replaced(text: str, spans: Iterable[tuple[int, int, str]]) -> str:
    """`text` with each (start, end, what) replaced by its mark; spans in order, of overlapping ones the first."""
    parts, at = list[str](), 0
    for start, end, what in spans:
        if start >= at and end > start:
            parts += text[at:start], mark(what)
            at = end
    return "".join([*parts, text[at:]]) if parts else text


def places(text: str, *words: str) -> Iterator[int]:
    """Where any of the words stands: many times faster than a pattern of alternatives."""
    for word in words:
        at = text.find(word)
        while at >= 0:
            yield at
            at = text.find(word, at + len(word))


def lowered(text: str) -> str:
    """Lower case, letter for letter (some capitals become two letters; those stay)."""
    lower = text.lower()
    return (
        lower if len(lower) == len(text) else "".join(each if len(each) == 1 else "?" for each in map(str.lower, text))
    )


def is_random(value: str) -> bool:
    """Whether a run of letters looks drawn by a machine: digits among letters, or capitals in the middle of words."""
    has_digits = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return has_digits or bool(re.search(r"[a-z][A-Z].*[a-z][A-Z]", value))


def _in_addresses(text: str) -> Iterator[tuple[int, int, str]]:
    for at in places(text, "://"):
        is_database = _DATABASES.search(text, max(0, at - 30), at)
        if found := (_DATABASE_PASSWORD if is_database else _PASSWORD).match(text, at + 3):
            yield *found.span("secret"), "password"
        elif (found := _TOKEN_AS_USER.match(text, at + 3)) and is_random(found["secret"]):
            yield *found.span("secret"), "token"


def _in_headers(text: str) -> Iterator[tuple[int, int, str]]:
    """Authorization headers and signed addresses. What follows "bearer" or "basic" in prose is a plain word."""
    lower = lowered(text)
    for at in places(lower, "bearer", "basic"):
        if (found := _AUTHORIZATION.match(text, at)) and is_random(found["secret"]):
            yield *found.span("secret"), "token"
    for at in places(lower, *_SIGNATURES):
        if found := _SIGNATURE.search(text, max(0, at - 20), at + 4000):
            yield *found.span("secret"), "signature"


def _in_words(text: str) -> Iterator[tuple[int, int, str]]:
    """In the words that hold an anchor, the shapes that it belongs to; a word is searched once for each shape."""
    for shape in _possible(text):
        done = 0
        for at in places(text, *shape.anchors):
            if at >= done:
                before, after = _START.search(text, max(done, at - _LONGEST_START), at), _END.match(text, at)
                done = after.end() if after else at
                for found in shape.pattern.finditer(text, before.start() if before else at, done):
                    yield *found.span(), shape.what


def _possible(text: str) -> list[_Shape]:
    """The shapes whose anchors stand in the text's long words, which are few."""
    if len(text) <= _SHORT_TEXT:
        text = " ".join([word for word in text.split() if len(word) >= _SHORTEST])
    return [shape for shape in _SHAPES if any(anchor in text for anchor in shape.anchors)] if text else []
