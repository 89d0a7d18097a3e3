"""Questions are embedded by a shorter way than documents, to the same vectors."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from memories.embedders import sentence_transformers, short_texts
from tests.requirements import requirement

TEXTS = [
    "depot",
    "Who owns billing?",
    "ERR-4912: the winch of depot 7 does not answer - what now?",
    "Wer löst Frau Özdemir ab, und seit wann? " * 4,
    "The ferry leaves at nine, and a refund is paid within a week. " * 40,
]


@pytest.fixture(scope="module")
def model() -> SentenceTransformer:
    return SentenceTransformer(sentence_transformers._folder("all-MiniLM-L6-v2"), device="cpu")


@requirement("embedding:short-way")
@pytest.mark.parametrize("is_half", [True, False])
def test_the_short_way_makes_the_vectors_of_the_library(model: SentenceTransformer, is_half: bool) -> None:
    short = short_texts.of(model, is_half=is_half)
    wanted = model.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)

    assert short is not None
    for vectors in (short.vectors(TEXTS), [short.vectors([text])[0] for text in TEXTS]):
        assert min(np.dot(one, other) for one, other in zip(vectors, wanted, strict=True)) > short_texts.ALIKE
        assert np.allclose([np.linalg.norm(vector) for vector in vectors], 1, atol=1e-4)


@requirement("embedding:short-way")
def test_a_question_is_as_near_to_itself_as_a_document_would_be() -> None:
    embedder = sentence_transformers.SentenceTransformersEmbedder("all-MiniLM-L6-v2")

    for asked, stored in zip(embedder.queries(TEXTS), embedder.documents(TEXTS), strict=True):
        assert asked @ stored > short_texts.ALIKE


@requirement("embedding:short-way")
def test_a_model_that_does_more_than_its_layers_say_is_left_to_the_library(model: SentenceTransformer) -> None:
    def more(module: Any, given: Any, made: Any) -> Any:
        made.last_hidden_state = made.last_hidden_state.roll(1, dims=-1)
        return made

    hook = model[0].auto_model.encoder.register_forward_hook(more)
    try:
        assert short_texts.of(model, is_half=False) is None
    finally:
        hook.remove()
    assert short_texts.of(model, is_half=False) is not None


@requirement("embedding:short-way")
def test_a_model_of_another_kind_is_left_to_the_library(
    model: SentenceTransformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model[0].auto_model.config, "hidden_act", "relu")

    assert short_texts.of(model, is_half=False) is None


@requirement("web:one-thread-a-product")
def test_numpy_keeps_no_second_thread_spinning() -> None:
    code = (
        "import pam, numpy, sys, threadpoolctl;"
        "pools = [pool for pool in threadpoolctl.threadpool_info() if pool['user_api'] == 'blas'];"
        "sys.exit(not pools or any(pool['num_threads'] != 1 for pool in pools))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
