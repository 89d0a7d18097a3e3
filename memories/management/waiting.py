"""Waiting for the pipeline of an account to run empty: workers do it, or this process itself."""

import time

from django.core.management.base import CommandError

from accounts import isolation
from accounts.models import Account
from memories import work
from memories.company import readiness
from memories.company.processing import claims, process, vectors
from memories.management.progress import Progress
from memories.models import Readiness

_SECONDS_BETWEEN_LOOKS = 0.5
# A worker that is being started needs its time; after the second, nobody will come.
_PATIENCE = 15.0
_LONGEST_PATIENCE = 300.0
NOBODY = (
    "No worker is running: the documents are stored, but nobody reads them. Start one (`make up`, or "
    "`celery --app pam.celery worker`), or run this command with --here."
)


class Pipeline:
    """What is left to do for an account, and how it gets done."""

    def __init__(self, account: Account, progress: Progress) -> None:
        self._account = account
        self._progress = progress

    def finish(self, *, here: bool) -> None:
        """Returns when all documents are read and all rows have vectors. Raises CommandError when nobody does it."""
        self._read(here=here)
        self._embed(here=here)

    def _read(self, *, here: bool) -> None:
        waiting = total = self._documents_waiting()
        self._progress.stage("Reading", total=total)
        watch = _Watch(self._progress)
        while waiting:
            if here:
                self._read_next()
            else:
                watch.look(waiting)
            waiting = self._documents_waiting()
            total = max(total, waiting)
            self._progress.reach(total - waiting, total=total)

    def _read_next(self) -> None:
        waiting = claims.next_free(self._account.pk)
        if waiting is None or not process.document(waiting, self._account.pk):
            time.sleep(_SECONDS_BETWEEN_LOOKS)

    def _embed(self, *, here: bool) -> None:
        left = total = self._row().unembedded
        self._progress.stage("Embedding", total=total)
        watch = _Watch(self._progress)
        while left:
            if not here:
                watch.look(left)
            elif not vectors.embed(self._account.pk):
                self._say_why()
            left = self._row().unembedded
            total = max(total, left)
            self._progress.reach(total - left, total=total)
        if here:
            vectors.embed(self._account.pk)

    def _say_why(self) -> None:
        row = self._row()
        if row.embed_again_at is not None:
            raise CommandError(readiness.of(self._account).estimated_wait_message)

    def _documents_waiting(self) -> int:
        row = self._row()
        return row.documents - row.documents_ready - row.documents_failed

    def _row(self) -> Readiness:
        with isolation.account(self._account.pk):
            return Readiness.objects.get(account=self._account)


class _Watch:
    """Looks on while others work; says so, and in the end gives up, when nobody does."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._left = -1
        self._moved_at = time.monotonic()
        self._is_said = False

    def look(self, left: int) -> None:
        """Waits a moment. Raises CommandError when nothing has moved for long and no worker answers."""
        if left != self._left:
            self._left, self._moved_at = left, time.monotonic()
        still = time.monotonic() - self._moved_at
        if still > _PATIENCE and not self._is_said and not work.is_anyone_there():
            self._progress.say(NOBODY)
            self._is_said = True
        if still > _LONGEST_PATIENCE and not work.is_anyone_there():
            raise CommandError(NOBODY)
        time.sleep(_SECONDS_BETWEEN_LOOKS)
