"""Makes many accounts at once and prints the agent key of each, as a JSON list.

python -m benchmarks.many_accounts COUNT
"""

import importlib
import json
import os
import sys

import django


def main(count: int) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")
    django.setup()
    # Models can be imported only now that Django is set up.
    membership = importlib.import_module("accounts.membership")
    opened = [membership.open_account(f"writers-{at}", f"writers-{at}@example.com") for at in range(count)]
    print(json.dumps([each.agent_key for each in opened]))


if __name__ == "__main__":
    main(int(sys.argv[1]))
