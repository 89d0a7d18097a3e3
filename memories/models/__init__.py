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
from memories.models.end_user_intake import ExtractionJob, IdempotentAnswer, PendingCandidate
from memories.models.end_users import (
    Conflict,
    DomainProfile,
    EndUser,
    Erasure,
    HiddenMemory,
    LifecycleRun,
    Memory,
    MemoryVersion,
    Retrieval,
    TenantSettings,
)
from memories.models.searchable import WordCorpus, WordFrequency

__all__ = [
    "Conflict",
    "Document",
    "DomainProfile",
    "EndUser",
    "Entity",
    "Erasure",
    "ExtractionJob",
    "Fact",
    "HiddenMemory",
    "IdempotentAnswer",
    "LifecycleRun",
    "Memory",
    "MemoryVersion",
    "Mention",
    "PendingCandidate",
    "Readiness",
    "Record",
    "Relationship",
    "Retrieval",
    "SearchChange",
    "Section",
    "Source",
    "Space",
    "SpaceMember",
    "Summary",
    "TenantSettings",
    "Tombstone",
    "Upload",
    "WordCorpus",
    "WordFrequency",
]
