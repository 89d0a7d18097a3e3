"""Embedders for tests that are not about meaning, named in PAM_EMBEDDER like any provider."""

import hashlib
from collections.abc import Callable, Sequence

import numpy as np

from memories.embedders.base import Vector

COUNTING = "tests.memories.embedders.CountingEmbedder"
DOWN = "tests.memories.embedders.DownEmbedder"
WATCHED = "tests.memories.embedders.WatchedEmbedder"
WIDE = "tests.memories.embedders.WideEmbedder"


class CountingEmbedder:
    """The same text has the same vector, and nothing else is known about it. Remembers what it was asked for."""

    dimensions = 384
    texts: list[str] = []

    def __init__(self, model: str, threads: int = 0) -> None:
        self.name = model

    def reads(self, text: str) -> bool:
        return True

    def queries(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector(text) for text in texts]

    def documents(self, texts: Sequence[str]) -> list[Vector]:
        CountingEmbedder.texts += texts
        return [self._vector(text) for text in texts]

    def word_vectors(self, words: Sequence[str]) -> Vector | None:
        return None

    def _vector(self, text: str) -> Vector:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        vector = np.random.default_rng(seed).normal(size=self.dimensions).astype(np.float32)
        return vector / np.linalg.norm(vector)


class DownEmbedder(CountingEmbedder):
    """Answers nothing."""

    def queries(self, texts: Sequence[str]) -> list[Vector]:
        raise ConnectionError("no answer")

    def documents(self, texts: Sequence[str]) -> list[Vector]:
        raise ConnectionError("no answer")


class WatchedEmbedder(CountingEmbedder):
    """Calls `when_asked` for each question."""

    when_asked: Callable[[], None] = staticmethod(lambda: None)

    def queries(self, texts: Sequence[str]) -> list[Vector]:
        WatchedEmbedder.when_asked()
        return super().queries(texts)


class WideEmbedder(CountingEmbedder):
    """Of more dimensions than the columns have."""

    dimensions = 768
