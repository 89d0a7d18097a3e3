"""Hands messages of many end users in, or watches until they are read. Run against a PAM that is up.

python -m benchmarks.talking say ACCOUNT USERS COUNT    prints how many a second were taken in
python -m benchmarks.talking watch ACCOUNT              prints, as JSON, what became of them
python -m benchmarks.talking key ACCOUNT                prints an API key that may make any number of requests
"""

import importlib
import json
import os
import sys

import django


def main(deed: str, *arguments: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")
    django.setup()
    # Models can be imported only now that Django is set up.
    talked = importlib.import_module("benchmarks.talked")
    print(json.dumps(getattr(talked, deed)(*arguments)))


if __name__ == "__main__":
    main(*sys.argv[1:])
