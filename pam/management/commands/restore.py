"""``manage.py restore FILE``: what `backup` wrote, put into an empty database, or in the place of what is there."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from pam import backups


class Command(BaseCommand):
    help = "Put a copy that `backup` made into the database, and bring it up to this version."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="delete for good what the database holds now")

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        try:
            backups.put_back(file, replace=replace)
        except FileNotFoundError as error:
            raise CommandError(f"There is no file {file}.") from error
        except backups.NotEmpty as error:
            raise CommandError("This database is not empty. With --replace, what it holds is deleted first.") from error
        except backups.BackupFailed as error:
            raise CommandError(f"Nothing was put back: {error}") from error
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        self.stdout.write("Everything is back. Start web, worker and beat anew: they keep copies of what they read.")
