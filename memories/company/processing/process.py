"""What a worker does with one document: claim it, read it, put the new version in its place.

Nothing is stored before the last step, which is one transaction; a worker may die at any moment.
"""

import logging
import re
from collections.abc import Mapping
from typing import Any

from memories import redaction, work
from memories.company.processing import claims, swap, tidy
from memories.company.processing.claims import Claim
from memories.company.processing.swap import Version
from memories.company.reading import convert, outline
from memories.errors import Unreadable

logger = logging.getLogger(__name__)

# Postgres keeps neither NUL nor half a surrogate pair.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NOTHING_TOLD = "There is no text in this file that could be remembered."


def document(document_id: int, account_id: int) -> bool:
    """Works on the document, or on the account's next one where another worker has it. False when nothing waited.

    What cannot be read is marked as failed, with the reason. Anything unexpected is raised: the claim grows old, and
    the document is tried again.
    """
    claim = claims.take(account_id, document_id)
    if claim is None:
        return False
    with claims.kept_alive(claim):
        try:
            version = read(claim)
        except Unreadable as error:
            claims.fail(claim, error.message)
        else:
            if not swap.put(claim, version, swap.plan(claim, version)):
                logger.info("Document %s changed or went while it was read.", claim.document_id)
    return True


def go_on(account_id: int) -> None:
    """After a document: counts words where many came in, wakes a worker for the next one and one for vectors."""
    tidy.after_growth(account_id)
    waiting = claims.next_free(account_id)
    work.send([(work.PROCESS_DOCUMENT, (waiting, account_id))] if waiting is not None else [])
    work.send_embed(account_id)


def read(claim: Claim) -> Version:
    """Secrets are cut here, before anything is kept, embedded or handed on. Raises Unreadable."""
    if claim.content is None:
        return _version(claim, claim.title, claim.text)
    converted = convert.to_markdown(claim.path, claim.content)
    version = _version(claim, converted.title, converted.markdown)
    properties = redaction.cut_deep(_storable_deep(converted.properties))
    return Version(version.title, version.text, version.outline, converted.observed_at, properties)


def _version(claim: Claim, title: str, markdown: str) -> Version:
    title, text = redaction.cut(_storable(title)).text, redaction.cut(_storable(markdown)).text
    read = outline.read(text, claim.path, title)
    if not read.sections:
        raise Unreadable(_NOTHING_TOLD)
    return Version(read.title, text, read)


def _storable(text: str) -> str:
    return _UNSTORABLE.sub("", text)


def _storable_deep(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        _storable(name): _storable(value) if isinstance(value, str) else value for name, value in properties.items()
    }
