"""What can go wrong with end-user memory; grows the trees of accounts/errors.py and memories/errors.py.

    NotFound
    +-- MemoryNotFound        MEM_404
    +-- ConflictNotFound      MEM_404
    +-- JobNotFound           JOB_404
    +-- RetrievalNotFound     MEM_404
    +-- EndUserNotFound       PRX_404
    InvalidArguments
    +-- Refused               REQ_422    details: field and reason of each
    +-- BadSetting            TEN_400    (also a cursor that is none)
    PamError
    +-- EndUserBlocked        PRX_403
    +-- EventConflict         PROV_409
    +-- NothingToAnswerWith   EMB_503

What each is called on the wire, with the slug beside the code, stands in memories/api/end_users/envelope.py. What is
another account's is not found in the same words as what never was.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.errors import InvalidArguments, NotFound, PamError


class MemoryNotFound(NotFound):
    default_message = "There is no memory under that id."


class ConflictNotFound(NotFound):
    default_message = "There is no conflict or question under that id."


class JobNotFound(NotFound):
    default_message = "There is no job under that id."


class RetrievalNotFound(NotFound):
    default_message = "There is no retrieval under that id; they are kept for a month."


class EndUserNotFound(NotFound):
    default_message = "There is no end user of that id."


@dataclass(frozen=True, slots=True)
class Detail:
    """One field that was wrong, by its path ("messages[3].content"), and why."""

    field: str
    reason: str


class Refused(InvalidArguments):
    """One or more fields that cannot be taken."""

    http_status = 422

    def __init__(self, details: Sequence[Detail]) -> None:
        self.details = list(details)
        first = self.details[0]
        super().__init__(f"{first.field}: {first.reason}", argument=first.field)


def refused(field: str, reason: str) -> Refused:
    """The error for a single field."""
    return Refused([Detail(field, reason)])


class BadSetting(InvalidArguments):
    default_message = "That cannot be set so."


class EndUserBlocked(PamError):
    code = "end_user_blocked"
    http_status = 403
    default_message = "This end user is blocked: nothing is remembered of them or told about them."


class EventConflict(PamError):
    code = "event_conflict"
    http_status = 409
    default_message = "An event of this id came before with another payload."


class NothingToAnswerWith(PamError):
    code = "nothing_to_answer_with"
    http_status = 503
    default_message = "Neither the embedding model nor the words could be asked. Try again shortly."
