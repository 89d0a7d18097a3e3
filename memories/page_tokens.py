"""`page_token` and `cursor`: where the next page begins, signed and bound to whose list it is and how it was filtered.

Pure. A page begins after a moment and an id, so it stays right while rows come in. Source: contract knowledge,
"Reading".
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core import signing
from django.db import models

from accounts.errors import InvalidArguments

_SALT = "memories.page"


def after(row: Any, filters: Mapping[str, Any]) -> str:
    """A token for what comes after `row` in the list of these filters (the account is one of them)."""
    return signing.dumps([row.created_at.isoformat(), row.pk, _mark(filters)], salt=_SALT, compress=True)


def older(token: str, filters: Mapping[str, Any], *, argument: str = "page_token") -> models.Q:
    """The condition on rows of the page that `token` names; none for an empty one.

    Raises InvalidArguments, naming `argument`, for a token that was not made here, or for other filters or another
    account.
    """
    if not token:
        return models.Q()
    try:
        moment, pk, mark = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, UnicodeError) as error:
        raise _refused(argument) from error
    if mark != _mark(filters):
        raise _refused(argument)
    at = datetime.fromisoformat(moment)
    return models.Q(created_at__lt=at) | models.Q(created_at=at, pk__lt=pk)


def _mark(filters: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(sorted(filters.items())).encode()).hexdigest()[:16]


def _refused(argument: str) -> InvalidArguments:
    return InvalidArguments(
        f"{argument} does not belong to this list: use the next_{argument} of the page before, with the same filters.",
        argument=argument,
    )
