"""Text to vectors, whichever provider is set. The only door to it; nothing else knows a provider.

The provider is loaded at first use (it costs seconds and hundreds of megabytes), so importing Django stays light.
Whatever goes wrong there is EmbedderUnavailable here: rows wait without a vector, and reading goes on by words.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from typing import TypeVar, cast

import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from accounts import meters
from memories.embedders.base import Embedder, Vector
from memories.errors import EmbedderUnavailable
from memories.models.searchable import VECTOR_DIMENSIONS
from memories.word_table import WordTable

logger = logging.getLogger(__name__)

T = TypeVar("T")
_NUMBERS = f"[{','.join(['%de-5'] * VECTOR_DIMENSIONS)}]"
# About 4 MB of vectors; a conversation asks again and again around the same words.
REMEMBERED_QUERIES = 2_000
REMEMBERED_WORDS = 50_000

_loading = threading.Lock()
_warming = threading.Event()
_loaded: dict[tuple[str, str], Embedder] = {}
_remembering = threading.Lock()
_queries: OrderedDict[tuple[str, str], Vector] = OrderedDict()
_words: dict[tuple[str, str], WordTable] = {}
# Queries are short; more than two at once only wait for each other's processor.
_pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="embedder")


def model_name() -> str:
    """What vectors made now are labelled with. Does not load the model."""
    return settings.PAM_EMBEDDING_MODEL


def query(text: str) -> Vector:
    """The unit vector of a question. Remembered. Raises EmbedderUnavailable."""
    return queries([text])[0]


def queries(texts: Sequence[str]) -> list[Vector]:
    """Unit vectors of a few questions; the new ones are made in one go. Raises EmbedderUnavailable."""
    known = {text: vector for text in texts if (vector := _remembered(text)) is not None}
    missing = [text for text in dict.fromkeys(texts) if text not in known]
    if missing:
        # Loading, and getting ready for questions, is not counted as slowness.
        embed = _guarded(lambda embedder: embedder.queries, is_sized=False)
        waiting = _pool.submit(_guarded, lambda _: embed(missing))
        try:
            made = waiting.result(timeout=settings.PAM_EMBEDDING_TIMEOUT_SECONDS)
        except TooLate as error:
            raise EmbedderUnavailable("The embedding model took too long.") from error
        known.update(zip(missing, made, strict=True))
        _remember(missing, made)
    return [known[text] for text in texts]


def reads(text: str) -> bool:
    """Whether the model knows the script of a text; true where there is no model to ask."""
    try:
        return _embedder().reads(text)
    except EmbedderUnavailable:
        return True


def documents(texts: Sequence[str]) -> list[Vector]:
    """Unit vectors of many texts, in their order. Raises EmbedderUnavailable."""
    return _guarded(lambda embedder: embedder.documents(texts)) if texts else []


def word_vectors(words: Sequence[str]) -> Vector | None:
    """A unit vector for each word without its context, for near-synonyms; None while the embedder has none to give."""
    wanted, table = tuple(words), _word_table()
    known = table if table.holds(wanted) else _learned(wanted)
    return None if known is None else known.of(wanted)


def learn(lists: Iterable[tuple[str, ...]]) -> None:
    """Makes the vectors of all the words of these lists in one go, before they are asked for one list at a time."""
    table = _word_table()
    _learned(word for words in lists if not table.holds(words) for word in words)


def _learned(words: Iterable[str]) -> WordTable | None:
    """A table with all these words in it; None while the embedder has no vectors of words to give."""
    wanted = dict.fromkeys(words)
    table = _word_table()
    missing = [word for word in wanted if word not in table.places]
    if missing:
        try:
            made = _guarded(lambda embedder: embedder.word_vectors(missing), is_sized=False)
        except EmbedderUnavailable:
            return None
        if made is None:
            return None
        table.add(missing, made)
    return table


def as_text(vector: Vector) -> str:
    """As pgvector reads it, with five decimals: what half precision keeps. Whole numbers are written in a fifth of the
    time."""
    return _NUMBERS % tuple(np.rint(vector * 100_000).astype(int).tolist())


def warm_up() -> None:
    """Loads the model now, so that the first question does not wait for it. Raises EmbedderUnavailable."""
    _warming.set()
    try:
        query("warm up")
    finally:
        _warming.clear()


def is_warming_up() -> bool:
    """Whether `warm_up` is under way in this process."""
    return _warming.is_set()


def check() -> None:
    """Raises ImproperlyConfigured if the vectors do not fit the columns, EmbedderUnavailable without a model."""
    embedder = _embedder()
    if embedder.dimensions != VECTOR_DIMENSIONS:
        raise ImproperlyConfigured(_misfit(embedder.dimensions))


def _misfit(dimensions: int) -> str:
    return (
        f"The model {model_name()} makes vectors of {dimensions} dimensions, but the database keeps "
        f"{VECTOR_DIMENSIONS}. Set PAM_EMBEDDING_MODEL to a model of {VECTOR_DIMENSIONS} dimensions."
    )


def _guarded(use: Callable[[Embedder], T], *, is_sized: bool = True) -> T:
    """A foreign failure, or vectors of the wrong size, are told as ours."""
    embedder = _embedder()
    try:
        made = use(embedder)
    except Exception as error:  # the border to foreign code: anything may come
        meters.EMBEDDER_FAILED.inc()
        logger.exception("the embedder %s failed", embedder.name)
        raise EmbedderUnavailable from error
    vectors = cast(Sequence[Vector], made)
    if is_sized and len(vectors) and len(vectors[0]) != VECTOR_DIMENSIONS:
        raise EmbedderUnavailable(_misfit(len(vectors[0])))
    return made


def _embedder() -> Embedder:
    wanted = (settings.PAM_EMBEDDER, settings.PAM_EMBEDDING_MODEL)
    if wanted not in _loaded:
        with _loading:
            if wanted not in _loaded:
                _loaded[wanted] = _load(*wanted)
    return _loaded[wanted]


def _load(path: str, model: str) -> Embedder:
    try:
        return cast(Embedder, import_string(path)(model, settings.PAM_EMBEDDING_THREADS))
    except Exception as error:  # the border to foreign code: a missing package, file or network
        logger.exception("the embedder %s could not be loaded", path)
        raise EmbedderUnavailable(f"The embedding model {model} could not be loaded.") from error


def _remembered(text: str) -> Vector | None:
    key = (settings.PAM_EMBEDDING_MODEL, text)
    with _remembering:
        if key in _queries:
            _queries.move_to_end(key)
        return _queries.get(key)


def _remember(texts: Sequence[str], vectors: Sequence[Vector]) -> None:
    with _remembering:
        _queries.update({(settings.PAM_EMBEDDING_MODEL, text): v for text, v in zip(texts, vectors, strict=True)})
        while len(_queries) > REMEMBERED_QUERIES:
            _queries.popitem(last=False)


def _word_table() -> WordTable:
    """The one of the present model; begun anew when it has grown too large, whoever still reads the old one."""
    key = (settings.PAM_EMBEDDER, settings.PAM_EMBEDDING_MODEL)
    table = _words.get(key)
    if table is None or len(table.places) > REMEMBERED_WORDS:
        table = _words[key] = WordTable()
    return table
