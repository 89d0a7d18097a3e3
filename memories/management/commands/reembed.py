"""``manage.py reembed``: vectors of another model are made anew with the present one. May be stopped at any time."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import isolation, membership
from accounts.errors import PamError
from accounts.models import Account
from memories import embedding
from memories.company.processing import vectors
from memories.management.progress import Progress


class Command(BaseCommand):
    help = (
        "Embed again what another model embedded. Until its turn comes, a row is found by its words. "
        "Stopped and started again, it goes on where it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("account", nargs="?", help="the account's id (acc_…) or its name; all accounts without")
        parser.add_argument("--batch", type=int, default=vectors.TURN, help="rows of a kind at a time")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            accounts = [membership.account_named(options["account"])] if options["account"] else _all()
            with Progress(self.stdout) as progress:
                renewed = sum(self._renew(account, options["batch"], progress) for account in accounts)
        except PamError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{renewed:,} rows now have vectors of {embedding.model_name()}.")

    def _renew(self, account: Account, batch: int, progress: Progress) -> int:
        total, done = vectors.stale(account.pk), 0
        if total:
            progress.stage(account.name[:10], total=total)
        while renewed := vectors.renew(account.pk, limit=batch):
            done += renewed
            progress.reach(done, total=max(done, total))
        return done


def _all() -> list[Account]:
    with isolation.every_account():
        return list(Account.objects.order_by("pk"))
