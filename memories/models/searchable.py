"""What every row that can be searched carries: a vector with its model's name, and its words.

A row is stored before it has a vector (`vector` null): until a worker adds one, it is found by its words. Rows are kept
narrow so that an exact scan over a tenant stays in memory: half-precision vectors and sparse words lie in the row
itself, where a `vector(384)` would be stored out of line and cost a look-up for each row.
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from pgvector.django import HalfVectorField, SparseVectorField

VECTOR_DIMENSIONS = 384
WORD_DIMENSIONS = 999_999_937  # pgvector allows 10^9 for a sparse vector; a prime spreads the hashed words evenly

#: What only search reads of a row, and what is wide: left out wherever rows are shown or changed.
WIDE = ("vector", "words", "terms")


class Searchable(models.Model):
    """Text that search can find.

    vector         unit length, from the model `vector_model`; null until a worker embedded it
    words          sparse: hashed word -> its weight in this text (the document half of BM25)
    terms          the same hashed words as a plain list, for the index that finds rows by a rare word
    is_indexed     whether the vector stands in the index of nearest neighbours: only of accounts too large to scan
    """

    vector = HalfVectorField(dimensions=VECTOR_DIMENSIONS, null=True, editable=False)
    vector_model = models.CharField(max_length=80, blank=True, editable=False)
    words = SparseVectorField(dimensions=WORD_DIMENSIONS, null=True, editable=False)
    terms = ArrayField(models.IntegerField(), default=list, editable=False)
    is_indexed = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        abstract = True


class WordCorpus(models.Model):
    """How many texts of a kind an account holds: one half of inverse document frequency."""

    account = models.ForeignKey("accounts.Account", on_delete=models.CASCADE, related_name="+")
    corpus = models.CharField(max_length=20)
    texts = models.PositiveIntegerField(default=0)
    average_length = models.FloatField(default=0)
    refreshed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "corpus"], name="wordcorpus_once")]


class WordFrequency(models.Model):
    """In how many texts of a kind an account uses a word: the other half."""

    account = models.ForeignKey("accounts.Account", on_delete=models.CASCADE, related_name="+")
    corpus = models.CharField(max_length=20)
    term = models.IntegerField()
    texts = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "corpus", "term"], name="wordfrequency_once")]
