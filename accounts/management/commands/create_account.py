"""``manage.py create_account NAME EMAIL --json``: an account, its owner and its first keys, for scripts."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts import membership
from accounts.errors import PamError


class Command(BaseCommand):
    help = "Make an account with its owner, an agent key and an API key. The password and the keys are shown once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what the organisation is called")
        parser.add_argument("email", help="the owner's address; an existing person keeps their password")
        parser.add_argument("--password", help="the owner's password (a random one if not given)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            opened = membership.open_account(options["name"], options["email"], password=options["password"])
        except PamError as error:
            raise CommandError(error.message) from error
        shown = {
            "account": opened.account.public_id,
            "email": opened.email,
            "password": opened.password,
            "agent_key": opened.agent_key,
            "api_key": opened.api_key,
        }
        if options["json"]:
            self.stdout.write(json.dumps(shown))
            return
        for name, value in shown.items():
            self.stdout.write(f"{name:10} {value}")
