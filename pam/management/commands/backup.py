"""``manage.py backup FILE``: the whole database in one file, while everything goes on."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from pam import backups


class Command(BaseCommand):
    help = "Write a copy of the whole database into FILE, for `restore`. Nothing has to be stopped for it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            backups.save(file)
        except FileExistsError as error:
            raise CommandError(f"{file} is there already; give another name.") from error
        except (backups.BackupFailed, OSError) as error:
            raise CommandError(f"No copy was made: {error}") from error
        self.stdout.write(
            f"{file} holds everything ({file.stat().st_size / 1024**2:,.1f} MB). Keep it as safe as the data."
        )
