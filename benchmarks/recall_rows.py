"""What a measurement of retrieval does beside the API, in the database of a running PAM.

python -m benchmarks.recall_rows fill ACCOUNT USER MEMORIES FOREIGN     memories, and others' beside them
python -m benchmarks.recall_rows wait                                   until every memory has its vector
"""

import importlib
import os
import sys
import time

import django

SECONDS = 300


def main(command: str, *arguments: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")
    django.setup()
    # Models can be imported only now that Django is set up.
    filling = importlib.import_module("benchmarks.recall_filling")
    if command == "fill":
        account, user, memories, foreign = arguments
        filling.fill(account, user, int(memories), int(foreign))
        return
    deadline = time.monotonic() + SECONDS
    while filling.waiting():
        if time.monotonic() > deadline:
            raise TimeoutError("Not every memory got its vector in time.")
        time.sleep(0.5)


if __name__ == "__main__":
    main(*sys.argv[1:])
