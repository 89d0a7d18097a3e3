"""Fills an account with records as if sessions had recorded them, with vectors near those of their words.

    python -m benchmarks.crowd ACCOUNT COUNT [LIKE]

With LIKE, another account's records are copied over and over until there are COUNT.
"""

import importlib
import os
import random
import sys

import django

_SESSION = 40
_BATCH = 2_000


def main(account_id: str, count: int, like: str = "") -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pam.settings")
    django.setup()
    # Models can be imported only now that Django is set up.
    crowding = importlib.import_module("benchmarks.crowding")
    if like:
        crowding.copied(account_id, count, like)
    else:
        crowding.invented(account_id, texts(count), session=_SESSION, batch=_BATCH)


def texts(count: int) -> list[str]:
    """Sentences of 10 to 24 words out of 3,000, common ones more often, the same at every run."""
    chance = random.Random(7)
    vocabulary = [_word(chance) for _ in range(3_000)]
    vocabulary[:8] = ["winch", "lantern", "pontoon", "bell", "harbour", "tower", "depot", "decided"]
    weights = [1 / (place + 20) for place in range(len(vocabulary))]
    return [" ".join(chance.choices(vocabulary, weights, k=chance.randint(10, 24))) for _ in range(count)]


def _word(chance: random.Random) -> str:
    return "".join(chance.choice("bdfgklmnprstvz") + chance.choice("aeiou") for _ in range(chance.randint(2, 4)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])
