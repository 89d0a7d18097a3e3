"""Who works on a document: taking it, showing signs of life, giving it up. The row is the queue; knows no formats.

A worker that dies says nothing: its sign of life grows old, and the next one takes the document over. What the first
one may still do is thrown away, because its claim is not the row's any more.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from accounts import isolation
from memories import leases, redaction
from memories.company import readiness
from memories.models import Document, Upload
from memories.models.company import DocumentQuerySet

ATTEMPTS = 3
LONGEST_REASON = 500
GIVEN_UP = (
    f"Work on this file stopped {ATTEMPTS} times before it was done. It may be too large for this installation: "
    "split it, or export it in a simpler form, and import it again."
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A document in one worker's hands. `content` is None when its bytes are gone: then `text` is worked on anew."""

    token: uuid.UUID
    document_id: int
    account_id: int
    path: str
    title: str
    content: bytes | None
    text: str


def lease() -> timedelta:
    return timedelta(seconds=settings.PAM_CLAIM_SECONDS)


def is_free() -> Q:
    """Documents that wait for a worker: queued, or in the hands of one that has given no sign of life for a lease."""
    return Q(state=Document.State.QUEUED) | has_lapsed()


def has_lapsed() -> Q:
    return Q(state=Document.State.PROCESSING, claimed_at__lt=timezone.now() - lease())


def take(account_id: int, document_id: int) -> Claim | None:
    """Claims the document, or the account's next one where another worker has it; None when nothing waits.

    One that was taken three times and never finished is failed on the way.
    """
    with isolation.account(account_id, is_lasting=False):
        while (document := _next(account_id, document_id)) is not None:
            if document.attempts < ATTEMPTS:
                return _claimed(document)
            _set_failed(document, GIVEN_UP)
    return None


def next_free(account_id: int) -> int | None:
    """The id of a document of the account that waits for a worker."""
    with isolation.account(account_id):
        waiting = Document.objects.filter(account_id=account_id).waiting().filter(is_free())
        return waiting.order_by("id").values_list("id", flat=True).first()


def _next(account_id: int, wanted: int) -> Document | None:
    free = Document.objects.filter(account_id=account_id).waiting().filter(is_free())
    free = free.select_for_update(skip_locked=True, of=("self",))
    return free.filter(id=wanted).first() or free.order_by("id").first()


def _claimed(document: Document) -> Claim:
    document.state, document.claim, document.claimed_at = Document.State.PROCESSING, uuid.uuid4(), timezone.now()
    document.attempts += 1
    document.save(update_fields=["state", "claim", "claimed_at", "attempts"])
    upload = Upload.objects.filter(account_id=document.account_id, document=document).first()
    return Claim(
        token=document.claim,
        document_id=document.pk,
        account_id=document.account_id,
        path=document.path,
        title=document.title,
        content=bytes(upload.content) if upload else None,
        text=document.text if upload is None else "",
    )


@contextmanager
def kept_alive(claim: Claim) -> Iterator[None]:
    """Shows a sign of life, four times a lease, for as long as the block runs; conversion may take minutes."""

    def show() -> None:
        with isolation.account(claim.account_id):
            held(claim).update(claimed_at=timezone.now())

    with leases.kept_alive(show, f"document {claim.document_id}"):
        yield


def held(claim: Claim) -> DocumentQuerySet:
    """The document, as long as the claim holds: empty once it was deleted, taken over, or newer content came in."""
    return Document.objects.filter(account_id=claim.account_id, pk=claim.document_id, claim=claim.token)


def fail(claim: Claim, reason: str) -> None:
    """Marks the document as failed, with a reason for a person; what an earlier version of it said is still found."""
    with isolation.account(claim.account_id):
        document = held(claim).select_for_update(of=("self",)).first()
        if document is not None:
            Upload.objects.filter(account_id=claim.account_id, document=document).delete()
            _set_failed(document, reason)


def _set_failed(document: Document, reason: str) -> None:
    document.state, document.error = Document.State.FAILED, redaction.cut(reason).text[:LONGEST_REASON]
    document.claim = document.claimed_at = None
    document.save(update_fields=["state", "error", "claim", "claimed_at", "updated_at"])
    readiness.refresh(document.account_id)
