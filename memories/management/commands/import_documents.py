"""``manage.py import_documents ACCOUNT PATH --wait``: a folder, a file or a .zip into an account's company memory."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import membership
from accounts.caller import Caller
from accounts.errors import PamError
from accounts.models import Account
from memories.company.intake import folders, uploads
from memories.company.intake.ingest import Accepted, Refusal
from memories.company.intake.uploads import Incoming
from memories.management.progress import Progress
from memories.management.waiting import Pipeline
from memories.models import Source

_AT_ONCE = 200
# Fewer than so many lost files are never a mistake worth stopping for.
_FEW = 10


@dataclass(slots=True)
class Outcome:
    accepted: list[Accepted] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    pruned: int = 0
    missing: int = 0

    def note(self, answers: Sequence[Accepted | Refusal]) -> None:
        self.accepted += [answer for answer in answers if isinstance(answer, Accepted)]
        self.refused += [answer for answer in answers if isinstance(answer, Refusal)]

    @property
    def new(self) -> int:
        return sum(answer.is_new for answer in self.accepted)


class Command(BaseCommand):
    help = "Import a folder, a file or a .zip. Unchanged files are no work; what is refused is named with its reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("account", help="the account's id (acc_…) or its name")
        parser.add_argument("path", type=Path, help="a folder (with its sub-folders), a file or a .zip")
        parser.add_argument("--source", default="", help="what the source is called (the folder's or archive's name)")
        parser.add_argument("--wait", action="store_true", help="wait until the workers have read and embedded it all")
        parser.add_argument("--here", action="store_true", help="read and embed in this process, without a worker")
        parser.add_argument(
            "--delete-missing",
            "--prune",
            action="store_true",
            help="delete documents whose file is no longer in the folder",
        )
        parser.add_argument("--force", action="store_true", help="delete them even when they are most of the source")

    def handle(self, *args: Any, **options: Any) -> None:
        started = time.monotonic()
        try:
            account = membership.account_named(options["account"])
            with Progress(self.stdout) as progress:
                outcome = self._import(account, options, progress)
                self._summary(outcome, started)
                if options["here"] or options["wait"]:
                    Pipeline(account, progress).finish(here=options["here"])
        except PamError as error:
            raise CommandError(error.message) from error
        if options["here"] or options["wait"]:
            self.stdout.write(f"Everything is read and embedded after {time.monotonic() - started:.1f} s.")

    def _import(self, account: Account, options: dict[str, Any], progress: Progress) -> Outcome:
        path: Path = options["path"]
        incoming, kind, name = self._source(path, options["source"])
        caller = Caller(account=account, surface="command")
        outcome = Outcome()
        progress.stage("Storing", total=len(incoming))
        for some in _chunks(incoming):
            outcome.note(uploads.take_in(caller, source_kind=kind, source_name=name, incoming=some))
            progress.advance(len(some))
        if not outcome.accepted:
            self._say_refused(outcome)
            raise CommandError("Nothing could be imported." if outcome.refused else f"There is no document in {path}.")
        if kind == Source.Kind.FOLDER:
            self._look_for_missing(account, name, outcome, options)
        return outcome

    def _source(self, path: Path, name: str) -> tuple[list[Incoming], str, str]:
        if path.is_dir():
            return list(folders.files(path)), Source.Kind.FOLDER, name or path.resolve().name or "folder"
        if not path.is_file():
            raise CommandError(f"There is no file or folder {path}.")
        return [folders.file(path, path.name)], Source.Kind.UPLOAD, name

    def _look_for_missing(self, account: Account, source: str, outcome: Outcome, options: dict[str, Any]) -> None:
        present = {answer.path for answer in outcome.accepted} | {answer.path for answer in outcome.refused}
        lost = folders.lost(account, source, present)
        if not options["delete_missing"]:
            outcome.missing = len(lost)
            return
        if len(lost) > _FEW and 2 * len(lost) > folders.size(account, source) and not options["force"]:
            raise CommandError(
                f"--delete-missing would delete {len(lost):,} documents, most of the source {source!r}. "
                "If that is right, add --force."
            )
        folders.forget(account, lost)
        outcome.pruned = len(lost)

    def _summary(self, outcome: Outcome, started: float) -> None:
        self._say_refused(outcome)
        unchanged = len(outcome.accepted) - outcome.new
        pruned = f", {outcome.pruned:,} deleted" if outcome.pruned else ""
        self.stdout.write(
            f"{outcome.new:,} imported, {unchanged:,} unchanged, {len(outcome.refused):,} refused{pruned} "
            f"in {time.monotonic() - started:.1f} s."
        )
        if outcome.missing:
            are = "1 document is" if outcome.missing == 1 else f"{outcome.missing:,} documents are"
            self.stdout.write(f"{are} no longer in the folder: still in memory; delete with --delete-missing.")

    def _say_refused(self, outcome: Outcome) -> None:
        for refusal in outcome.refused:
            self.stdout.write(f"Refused: {refusal.path}: {refusal.reason}")


def _chunks(incoming: list[Incoming]) -> Iterator[list[Incoming]]:
    files = iter(incoming)
    while some := list(islice(files, _AT_ONCE)):
        yield some
