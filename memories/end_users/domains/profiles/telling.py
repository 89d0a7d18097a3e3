"""The block about a person that comes first in `system_prompt_addition`: whole sentences, within a budget of tokens.

Whatever a domain does wrong ends here: it is logged, and the retrieval goes on without a block. Source: contract
end_users, "Domain schemas".
"""

import json
import logging
import re
import traceback
from collections.abc import Callable, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from accounts import isolation
from accounts.models import Account
from memories import tokens
from memories.company.answering import quoting
from memories.end_users.domains import registry
from memories.end_users.domains.base import Ask, Domain, Profile
from memories.end_users.domains.profiles import choosing, keep
from memories.models import DomainProfile, EndUser, TenantSettings

logger = logging.getLogger(__name__)

MOST_TOKENS = 600
BULLETS, XML = "bullets", "xml"
# What XML 1.0 has no way to write.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def block(account: Account, end_user: EndUser, *, query: str, max_tokens: int, format: str = BULLETS) -> str:
    """The block in the format of the addition that it stands in, at most `max_tokens` and MOST_TOKENS; "" for none.

    Bullets: a heading and a line for each sentence. XML: one element `domain_context`. For JSON take `lines`."""
    named, sentences = _told(account, end_user, query)
    return _rendered(named, sentences, format, min(max_tokens, MOST_TOKENS)) if named else ""


def lines(account: Account, end_user: EndUser, *, query: str, max_tokens: int) -> list[str]:
    """The same as plain sentences, each on one line; together at most so many tokens as a list in JSON."""
    _, sentences = _told(account, end_user, query)
    return _fitting(["{", '  "domain_context": ['], sentences, _in_json, ["  ]", "}"], min(max_tokens, MOST_TOKENS))


def _told(account: Account, end_user: EndUser, query: str) -> tuple[Domain | None, list[str]]:
    domain: Domain | None = None
    try:
        settings = _settings(account, end_user)
        domain = registry.named(settings.domain_schema) if settings else None
        if settings is None or domain is None:
            return None, []
        profile = _profile(account, end_user, domain, settings)
        ask = Ask(timezone.now(), query, choosing.choices(account, settings, domain, [profile]))
        return domain, [quoting.folded(sentence) for sentence in domain.lines(profile, ask)]
    except Exception as error:  # noqa: BLE001  (a failing domain never fails a retrieval)
        # No message and no values: they may hold what is remembered of somebody.
        frames = traceback.extract_tb(error.__traceback__)
        at = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "?"
        logger.error("The domain %s failed with %s at %s.", domain and domain.name, type(error).__name__, at)
        return None, []


def _settings(account: Account, end_user: EndUser) -> Any:
    """The account's settings with the person's stored profile beside them, in one query; None without a domain."""
    row = DomainProfile.objects.filter(
        account=OuterRef("account"), end_user=end_user.pk, domain=OuterRef("domain_schema")
    )
    person = EndUser.objects.filter(account=OuterRef("account"), pk=end_user.pk)
    beside = {name: Subquery(row.values(name)[:1]) for name in ("data", "schema_version")}
    beside |= {
        "gathered_under": Subquery(row.values("revision")[:1]),
        "revision": Subquery(person.values("revision")[:1]),
    }
    with isolation.account(account.pk, once=True):
        found = TenantSettings.objects.filter(account=account).exclude(domain_schema="").annotate(**beside)
        return found.first()


def _profile(account: Account, end_user: EndUser, domain: Domain, settings: Any) -> Profile:
    is_current = settings.gathered_under is not None and settings.gathered_under == settings.revision
    if is_current and settings.schema_version == domain.schema_version:
        stored: Profile = settings.data
        return stored
    with isolation.account(account.pk, is_lasting=False):
        # Read anew: the revision must not be newer than the memories that are read after it.
        person = EndUser.objects.filter(account=account, pk=end_user.pk).first()
        return keep.of(account, person, domain).profile if person else {}


def _rendered(domain: Domain, sentences: Sequence[str], format: str, most: int) -> str:
    if format == XML:
        before, after = [f"<domain_context schema={quoteattr(domain.name)}>"], ["</domain_context>"]
        told = _fitting(before, sentences, _element, after, most)
        return "\n".join([*before, *map(_element, told), *after]) if told else ""
    told = _fitting([domain.heading], sentences, _bullet, [], most)
    return "\n".join([domain.heading, *map(_bullet, told)]) if told else ""


def _bullet(sentence: str) -> str:
    return f"- {quoting.inline(sentence)}"


def _element(sentence: str) -> str:
    told = escape(_NO_XML.sub("\ufffd", sentence))
    return f"  <line>{told}</line>"


def _in_json(sentence: str) -> str:
    return f"    {json.dumps(sentence, ensure_ascii=False)},"


def _fitting(
    before: list[str], sentences: Sequence[str], form: Callable[[str], str], after: list[str], most: int
) -> list[str]:
    """Of the sentences, what matters most first, those that fit together; one that is too long is left out whole."""
    told: list[str] = []
    for sentence in sentences:
        text = "\n".join([*before, *(form(each) for each in [*told, sentence]), *after])
        if tokens.count(text) <= most:
            told.append(sentence)
    return told
