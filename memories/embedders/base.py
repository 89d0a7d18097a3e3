"""What a provider of vectors must offer. Write one, name it in PAM_EMBEDDER, and it is used."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Embedder(Protocol):
    """Made once a process as `Embedder(model, threads)`. Whatever it raises is logged and counts as "unavailable"."""

    #: Stored with each vector; vectors of different names are never compared.
    name: str
    dimensions: int

    def reads(self, text: str) -> bool:
        """Whether the model knows the script of a text. What it can't read is found by its words alone."""
        ...

    def queries(self, texts: Sequence[str]) -> list[Vector]:
        """Unit vectors for a few short texts, now."""
        ...

    def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Unit vectors for many texts, as fast as can be."""
        ...

    def word_vectors(self, words: Sequence[str]) -> Vector | None:
        """One unit vector a word, without context, so that near-synonyms are near; None where a model has none."""
        ...
