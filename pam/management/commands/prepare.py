"""``manage.py prepare``: what a local install needs before it serves. `up` runs it; it may be run again at any time."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from pam import demo
from pam.local.run import DEMO_FILE


class Command(BaseCommand):
    help = "Migrate the database and open the demo account, if that has not been done yet."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=options["verbosity"], stdout=self.stdout)
        login = demo.ensure(settings.PAM_HOME / DEMO_FILE, url=settings.PUBLIC_URL)
        self.stdout.write(f"The demo account is {login['account']} ({login['email']}).")
