"""The kind of a statement that no rule knows, by nearness of meaning to examples; without an embedder, unknown."""

from functools import lru_cache

import numpy as np

from memories import embedding
from memories.embedders.base import Vector
from memories.end_users.reading import categories
from memories.end_users.reading.categories import EXPERTISE, FACT, GOAL, PREFERENCE, PROCEDURE, RELATIONSHIP, Kind
from memories.errors import EmbedderUnavailable

#: For what is not worth remembering.
PASSING = "passing"
# A statement no nearer to any example than this is of no known kind (cosine).
NEAR = 0.35
_EXAMPLES = {
    PREFERENCE: (
        "User likes jazz and quiet places.",
        "User dislikes long meetings.",
        "User favours window seats and early trains.",
        "User finds dark screens easier to read.",
    ),
    FACT: (
        "User lives in a small town by the sea.",
        "User's car is twelve years old.",
        "User works for a hospital.",
        "User turned forty in spring.",
        "User's subscription renews every year.",
    ),
    GOAL: (
        "User wants to finish a degree.",
        "User hopes to run a marathon next year.",
        "User's ambition is to open a bakery.",
    ),
    PROCEDURE: (
        "User checks the backups before every release.",
        "User cooks for the whole week on Sundays.",
        "User writes tests first and code afterwards.",
    ),
    RELATIONSHIP: ("User's brother is a baker.", "User shares a house with two friends.", "User's manager is strict."),
    EXPERTISE: (
        "User has worked with databases for ten years.",
        "User speaks Italian well.",
        "User trained as an electrician.",
    ),
    PASSING: (
        "User is waiting for an answer.",
        "User clicked the button and nothing happened.",
        "User is looking at the second paragraph.",
        "User went to the shop to get some milk.",
        "User would say that this is right.",
        "User got the same error again.",
        "User saw a funny video yesterday.",
        "User is hungry and wants lunch.",
    ),
}
_IMPORTANCE = {PREFERENCE: 5.0, FACT: 5.0, GOAL: 6.0, PROCEDURE: 5.5, RELATIONSHIP: 6.0, EXPERTISE: 5.5, PASSING: 1.0}


def nearest(statement: str) -> Kind | None:
    """The kind of the nearest example, PASSING among them; None where nothing is near or there is no embedder."""
    try:
        labels, examples = _examples(embedding.model_name())
        nearness = examples @ embedding.documents([statement])[0]
    except EmbedderUnavailable:
        return None
    best = int(np.argmax(nearness))
    if nearness[best] < NEAR:
        return None
    return Kind(labels[best], categories.weighed(statement, _IMPORTANCE[labels[best]]))


@lru_cache(maxsize=2)
def _examples(model_name: str) -> tuple[list[str], Vector]:
    """The label of each example, and their unit vectors one a row. By the model's name: another makes other vectors."""
    labels = [label for label, texts in _EXAMPLES.items() for _ in texts]
    return labels, np.stack(embedding.documents([text for texts in _EXAMPLES.values() for text in texts]))
