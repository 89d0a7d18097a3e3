"""What is known, as tables. One module a kind of memory."""

from memories.models.agents import Record, Space, SpaceMember, Summary, Tombstone
from memories.models.changes import SearchChange
from memories.models.company import (
    Document,
    Entity,
    Fact,
    Mention,
    Readiness,
    Relationship,
    Section,
    Source,
    Upload,
)
from memories.models.searchable import WordCorpus, WordFrequency

__all__ = [
    "Document",
    "Entity",
    "Fact",
    "Mention",
    "Readiness",
    "Record",
    "Relationship",
    "SearchChange",
    "Section",
    "Source",
    "Space",
    "SpaceMember",
    "Summary",
    "Tombstone",
    "Upload",
    "WordCorpus",
    "WordFrequency",
]
