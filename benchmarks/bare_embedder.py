"""The embedder alone, over the very texts that an account's import embedded: what import speed is compared with.

    python -m benchmarks.bare_embedder ACCOUNT

Prints how many texts there are and how many a second the embedder makes of them, one batch after the other.
"""

import importlib
import os
import sys
import time

import django


def main(account_id: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")
    django.setup()
    # Models can be imported only now that Django is set up.
    texts = importlib.import_module("benchmarks.embedded_texts").of(account_id)
    embedding = importlib.import_module("memories.embedding")
    embedding.documents(texts[:64])
    started = time.perf_counter()
    embedding.documents(texts)
    print(len(texts), len(texts) / (time.perf_counter() - started))


if __name__ == "__main__":
    main(sys.argv[1])
