"""An answer given within the last minute is given again to the same request.

The same request means: of the same account about the same end user, by a key of the same permissions, word for word,
served in the same mode, and nothing written about them meanwhile: their revision is read where it is raised, in the
database, so that there is no moment in which an answer is stale. Source: contract end_users, "cached".
"""

import hashlib
import json
import time
from collections.abc import Iterable
from typing import Any

SECONDS = 60
#: Of one end user no more answers are kept at a time.
MOST = 64


def field(request: Any, *, permissions: Iterable[str], revision: int, marks: Iterable[object]) -> str:
    """The name of an answer among those about one end user. `marks`: whatever else an answer depends on."""
    parts = [request, sorted(permissions), revision, [str(mark) for mark in marks]]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def read(stored: bytes | None) -> dict[str, Any] | None:
    """The answer, if Valkey gave one that is not older than a minute."""
    try:
        kept = json.loads(stored or "{}")
        told = kept.get("told")
        return told if isinstance(told, dict) and 0 <= time.time() - float(kept["at"]) <= SECONDS else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def written(told: dict[str, Any]) -> str:
    return json.dumps({"at": time.time(), "told": told}, ensure_ascii=False)
