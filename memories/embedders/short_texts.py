"""The vectors of a few short texts, in less than half the library's time and by the same weights.

The library takes a BERT's hundred small steps one by one in Python, turns its weights to half precision anew at every
call, and lets oneDNN bring them into its own order anew at every product. Here the weights are turned and ordered once,
the three products of attention are one, and a layer is a handful of steps. Of many long texts, where all that weighs
little, the library makes the vectors.

`of` compares its vectors with the library's and gives None where they differ or the machine lacks what it takes, so
that stored vectors stay comparable whatever the model is. Weights in order: https://uxlfoundation.github.io/oneDNN
("memory format propagation"); layers: Devlin et al. 2019, as transformers' BertModel has them.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as steps
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertModel

from memories.embedders.base import Vector

logger = logging.getLogger(__name__)

#: Vectors of the library's and of this module that are less alike are not of one kind.
ALIKE = 0.9999
#: About as many words as a question has, for which oneDNN chooses the order of the weights.
TOKENS = 16
_PROBES = (
    "Who owns billing?",
    "What do we know about the harbour of the second depot, and when is its winch greased next?",
    "depot",
    # Longer than the model reads: it must be cut at the same place.
    "How is a refund of more than 500 crowns approved where the customer has paid by invoice? " * 15,
)


def of(model: SentenceTransformer, *, is_half: bool) -> "ShortTexts | None":
    """None for a model that is no BERT of the usual kind, and where the vectors would not be the library's."""
    transformer = getattr(model[0], "auto_model", None)
    if type(transformer) is not BertModel or transformer.config.hidden_act != "gelu":
        return None
    try:
        made = ShortTexts(model, transformer, torch.bfloat16 if is_half else torch.float32)
        apart = _apart(made.vectors(_PROBES), _by_the_library(model, _PROBES))
    except (RuntimeError, NotImplementedError, AttributeError):
        logger.info("Questions are embedded by the library: this processor or version lacks the short way.")
        return None
    if apart > 1 - ALIKE:
        logger.warning("Questions are embedded by the library: the short way's vectors differ by %.5f.", apart)
        return None
    return made


def _by_the_library(model: SentenceTransformer, texts: Sequence[str]) -> Any:
    # One by one: together, each would be filled up to the longest.
    return [model.encode(text, normalize_embeddings=True, show_progress_bar=False) for text in texts]


def _apart(ours: Sequence[Vector], theirs: Any) -> float:
    return float(1 - min(np.dot(one, other) for one, other in zip(ours, theirs, strict=True)))


class _Product:
    """Linear layers that read the same rows, as one: `weight` in oneDNN's own order for about TOKENS rows."""

    def __init__(self, layers: Sequence[nn.Linear], kind: torch.dtype) -> None:
        weight = torch.cat([layer.weight.detach() for layer in layers]).to(kind)
        self.kind = kind
        self.weight = torch.ops.mkldnn._reorder_linear_weight(weight, TOKENS)
        self.bias = torch.cat([layer.bias.detach() for layer in layers])
        self._multiply = torch.ops.mkldnn._linear_pointwise.default

    def __call__(self, rows: Tensor, then: str = "none") -> Tensor:
        # The last three: what is done to each number of the product, and how exactly ("none": by the error function).
        return cast(Tensor, self._multiply(rows.to(self.kind), self.weight, self.bias, then, [], "none"))


@dataclass(frozen=True)
class _Norm:
    weight: Tensor
    bias: Tensor
    epsilon: float

    def __call__(self, rows: Tensor) -> Tensor:
        return steps.layer_norm(rows, self.weight.shape, self.weight, self.bias, self.epsilon)


class _Layer:
    """Attention and what follows it. What goes from layer to layer is in full precision, the products are not."""

    def __init__(self, layer: Any, heads: int, kind: torch.dtype) -> None:
        attention = layer.attention.self
        self.heads = heads
        self.asked = _Product([attention.query, attention.key, attention.value], kind)
        self.heard = _Product([layer.attention.output.dense], kind)
        self.after_hearing = _norm(layer.attention.output.LayerNorm)
        self.wide = _Product([layer.intermediate.dense], kind)
        self.narrow = _Product([layer.output.dense], kind)
        self.after = _norm(layer.output.LayerNorm)

    def __call__(self, rows: Tensor, seen: Tensor | None) -> Tensor:
        texts, tokens, width = rows.shape
        query, key, value = self.asked(rows).view(texts, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)
        heard = steps.scaled_dot_product_attention(query, key, value, attn_mask=seen)
        rows = self.after_hearing(rows + self.heard(heard.transpose(1, 2).reshape(texts, tokens, width)))
        return self.after(rows + self.narrow(self.wide(rows, "gelu")))


class ShortTexts:
    """Made once a process; may be used by several threads at once."""

    def __init__(self, model: SentenceTransformer, transformer: Any, kind: torch.dtype) -> None:
        heads = transformer.config.num_attention_heads
        embeddings = transformer.embeddings
        of_kind = embeddings.token_type_embeddings.weight[0]
        self._words = embeddings.word_embeddings.weight.detach()
        self._places = (embeddings.position_embeddings.weight + of_kind).detach()
        self._norm = _norm(embeddings.LayerNorm)
        self._layers = [_Layer(layer, heads, kind) for layer in transformer.encoder.layer]
        self._rest = list(model)[1:]  # pooling and the like, by the library
        # One of its own: the library's changes how it truncates with every call, whoever else is using it.
        self._tokenizer = Tokenizer.from_str(model.tokenizer.backend_tokenizer.to_str())
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(model.max_seq_length)

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """Unit vectors, in their order."""
        pieces = [self._tokenizer.encode(text).ids for text in texts]
        longest = max(map(len, pieces))
        ids = torch.tensor([[*own, *[0] * (longest - len(own))] for own in pieces])
        is_there = torch.tensor([[1] * len(own) + [0] * (longest - len(own)) for own in pieces])
        with torch.inference_mode():
            features = {"token_embeddings": self._tokens(ids, is_there), "attention_mask": is_there}
            for module in self._rest:
                features = module(features)
            made = steps.normalize(features["sentence_embedding"].float(), dim=1)
        return list(made.numpy())

    def _tokens(self, ids: Tensor, is_there: Tensor) -> Tensor:
        """What the last layer says of each piece: (texts, pieces, width)."""
        seen = is_there.bool()[:, None, None, :] if len(ids) > 1 else None
        rows = self._norm(steps.embedding(ids, self._words) + self._places[: ids.shape[1]])
        for layer in self._layers:
            rows = layer(rows, seen)
        return rows


def _norm(norm: nn.LayerNorm) -> _Norm:
    return _Norm(norm.weight.detach(), norm.bias.detach(), norm.eps)
