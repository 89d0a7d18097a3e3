"""``manage.py up``: PAM on this machine, servers and all, until Ctrl-C. `make up` installs, then runs this."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from pam.environment import text
from pam.local.errors import LocalError
from pam.local.run import Plan, Run


class Command(BaseCommand):
    help = "Start Postgres, Valkey, web, worker and beat; import the examples; stop it all with Ctrl-C."
    # They would ask the servers that this command is about to start.
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        plan = Plan(
            checkout=settings.BASE_DIR,
            folder=settings.PAM_HOME,
            port=settings.PAM_PORT,
            url=settings.PUBLIC_URL,
            given={name: text(name) for name in ("DATABASE_URL", "REDIS_URL")},
        )
        try:
            Run(plan, say=self._say).until_stopped()
        except LocalError as error:
            raise CommandError(str(error)) from error

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
