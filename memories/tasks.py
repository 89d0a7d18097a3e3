"""What Celery calls, by name: parse, one call, done. Ids only; nobody imports this.

A task may come twice, late or never: the rows say what is to be done.
"""

import logging

from celery import shared_task

from accounts.models import Account
from memories import work
from memories.company.processing import process, queue, vectors
from memories.end_users import erasure, lifecycle, pruning
from memories.end_users.domains.profiles import gathering
from memories.end_users.intake import sweeping, worker
from memories.warm import copies

logger = logging.getLogger(__name__)


@shared_task(name=work.PROCESS_DOCUMENT)
def process_document(document_pk: int, account_pk: int) -> None:
    """One document, then the account's next: an import needs few messages, and accounts take turns."""
    try:
        if not process.document(document_pk, account_pk):
            return
    except Exception:
        # The claim grows old: another attempt follows, and after the third the document is marked as failed.
        logger.exception("Document %d of account %d could not be worked on", document_pk, account_pk)
    process.go_on(account_pk)


@shared_task(name=work.EMBED)
def embed(account_pk: int) -> None:
    """One turn of vectors, then a message for the next, so that documents and other accounts come in between."""
    work.took_embed(account_pk)
    if vectors.embed(account_pk):
        work.send_embed(account_pk)


@shared_task(name=work.READ_MESSAGES)
def read_messages(account_pk: int) -> None:
    """One turn of what end users said, then a message for the next."""
    work.took_reading(account_pk)
    if worker.turn(account_pk):
        work.send_reading(account_pk)


@shared_task(name="memories.tasks.sweep_messages")
def sweep_messages() -> None:
    sweeping.sweep()


@shared_task(name=work.GATHER_PROFILES)
def gather_profiles(account_pk: int) -> None:
    gathering.gather(account_pk)


@shared_task(name=work.RESTATE)
def restate(account_pk: int, end_user_pk: int) -> None:
    gathering.restate(account_pk, end_user_pk)


@shared_task(name="memories.tasks.prune_search_changes")
def prune_search_changes() -> None:
    copies.prune()


@shared_task(name="memories.tasks.sweep")
def sweep() -> None:
    queue.sweep()


@shared_task(name="memories.tasks.age_memories")
def age_memories() -> None:
    lifecycle.sweep()


@shared_task(name=lifecycle.AGE_ACCOUNT)
def age_account(account_pk: int, is_unbounded: bool = False) -> None:
    lifecycle.run(Account.objects.get(pk=account_pk), is_unbounded=is_unbounded)


@shared_task(name="memories.tasks.finish_erasures")
def finish_erasures() -> None:
    erasure.finish()


@shared_task(name="memories.tasks.prune_end_users")
def prune_end_users() -> None:
    pruning.prune()
