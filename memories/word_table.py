"""What single words mean, remembered: a question and what it found are compared word by word. Knows no provider."""

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memories.embedders.base import Vector

# The words of a passage are asked for again and again; where their rows are is remembered for so many.
REMEMBERED_LISTS = 4_000


class WordTable:
    """Word -> its row in one matrix. It is read without a lock: a word is known only when its row is there."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self._rows: Vector = np.empty((0, 0), dtype=np.float32)
        self._adding = threading.Lock()
        self._lists: dict[tuple[str, ...], NDArray[np.intp]] = {}

    def add(self, words: Sequence[str], vectors: Vector) -> None:
        with self._adding:
            first = len(self.places)
            if len(self._rows) < first + len(words):
                # Twice as many each time, so that rows are seldom moved.
                grown = np.empty((2 * (first + len(words)), vectors.shape[1]), dtype=np.float32)
                grown[:first] = self._rows[:first].reshape(first, vectors.shape[1])
                self._rows = grown
            for word, vector in zip(words, vectors, strict=True):
                if word not in self.places:
                    self._rows[len(self.places)] = vector
                    self.places[word] = len(self.places)

    def holds(self, words: tuple[str, ...]) -> bool:
        """Whether all these words were asked for before, in this order."""
        return words in self._lists

    def of(self, words: tuple[str, ...]) -> Vector:
        """The vectors of known words, in their order."""
        places = self._lists.get(words)
        if places is None:
            if len(self._lists) >= REMEMBERED_LISTS:
                self._lists = {}
            places = self._lists[words] = np.array([self.places[word] for word in words], dtype=np.intp)
        rows: Vector = self._rows[places]
        return rows
