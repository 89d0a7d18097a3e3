"""The door to the vectors."""

import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from memories import embedding
from memories.errors import EmbedderUnavailable
from tests.memories.embedders import COUNTING, DOWN, WIDE, CountingEmbedder
from tests.requirements import requirement

SLOW = "tests.memories.test_embedding.SlowEmbedder"
MISSING = "tests.memories.no_such_module.Embedder"
RELEASE = threading.Event()


class SlowEmbedder(CountingEmbedder):
    """Answers when the test lets it."""

    def queries(self, texts: Any) -> Any:
        RELEASE.wait(timeout=30)
        return super().queries(texts)


@requirement("embedding:meaning")
def test_near_meanings_have_near_unit_vectors() -> None:
    money, refund, tide = embedding.queries(["How do I get my money back?", "Refund policy", "The tide was high"])

    assert np.isclose(np.linalg.norm(money), 1, atol=0.01)
    assert money @ refund > money @ tide + 0.2


@requirement("embedding:meaning")
def test_many_texts_come_back_in_their_order() -> None:
    texts = ["short", "a much longer text about ferries and harbours " * 5, "tide", "billing"]

    together = embedding.documents(texts)

    for text, vector in zip(texts, together, strict=True):
        assert vector @ embedding.query(text) > 0.99


@requirement("embedding:meaning")
def test_words_near_in_meaning_are_near_without_context() -> None:
    vectors = embedding.word_vectors(["applicant", "candidate", "harbour"])

    assert vectors is not None
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


@requirement("embedding:remembered")
def test_a_question_asked_again_is_not_embedded_again(settings: Any) -> None:
    settings.PAM_EMBEDDER = COUNTING
    settings.PAM_EMBEDDING_MODEL = "counted"
    first = embedding.query("Who owns the timetable of next year?")
    settings.PAM_EMBEDDER = DOWN

    assert embedding.query("Who owns the timetable of next year?") is first


@requirement("company:vectors:wrong-dimension")
def test_a_model_of_other_dimensions_is_told_with_both_numbers(settings: Any) -> None:
    settings.PAM_EMBEDDER = WIDE
    settings.PAM_EMBEDDING_MODEL = "wide"

    with pytest.raises(ImproperlyConfigured, match=r"768.*384"):
        embedding.check()
    with pytest.raises(EmbedderUnavailable, match=r"768.*384"):
        embedding.documents(["a"])


@requirement("search:embedder-down")
@pytest.mark.parametrize("provider", [DOWN, MISSING])
def test_whatever_goes_wrong_in_a_provider_is_told_as_ours(settings: Any, provider: str) -> None:
    settings.PAM_EMBEDDER = provider
    settings.PAM_EMBEDDING_MODEL = f"broken {provider}"

    with pytest.raises(EmbedderUnavailable):
        embedding.query("anything")
    with pytest.raises(EmbedderUnavailable):
        embedding.documents(["anything"])


@requirement("search:embedder-down")
def test_a_slow_embedder_is_not_waited_for(settings: Any) -> None:
    settings.PAM_EMBEDDER = SLOW
    settings.PAM_EMBEDDING_MODEL = "slow"
    settings.PAM_EMBEDDING_TIMEOUT_SECONDS = 0.05

    try:
        with pytest.raises(EmbedderUnavailable):
            embedding.query("anything")
    finally:
        RELEASE.set()


@requirement("embedding:light-import")
def test_importing_the_search_loads_no_model() -> None:
    code = (
        "import os, sys, django; os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'pam.settings'); django.setup();"
        "import memories.search; sys.exit('torch' in sys.modules or 'transformers' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
