"""What goes in and comes out of agent memory's surfaces: the same shapes over HTTP and over MCP.

Names and types stand here, bounds in memories/agents/arguments.py. Source: seed "Knowledge", contract knowledge.
"""

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from memories.agents.error_names import STATUSES
from memories.api.strict import Arguments, Text, Texts, Truth, Whole
from memories.models import Record, Space, Summary

_KINDS = ", ".join(Record.Kind.values)
_SPACE = "The id of a space (decisions_list_spaces). Empty for the account as a whole."
_ACCOUNT = "Empty for the caller's own account; no other one opens."


def _optional(help_text: str) -> Text:
    return Text(required=False, help_text=help_text)


class ItemGiven(Arguments):
    kind = Text(help_text=f"One of {_KINDS}.")
    text = Text(help_text="One statement that can be understood alone; at most 2,000 characters.")
    decided_by = _optional("Who decided or approved it.")
    topics = Texts(
        required=False,
        help_text="At most 20: free words, file:<path>, service:<name>, doc:<kind> <number>.",
    )
    links = Texts(required=False, help_text="At most 20 http or https addresses: changes, documents, incidents.")
    supersedes = _optional("The id of the record that this one replaces; an answer supersedes its question.")


class SummaryGiven(Arguments):
    account_id = _optional(_ACCOUNT)
    agent = _optional("Who is speaking, as the agent calls itself.")
    session = _optional("A label of the session.")
    trigger = _optional("Why it is recorded now: compaction, end, turns or manual. Empty means manual.")
    text = _optional("The summary in prose, at most 8,000 characters. May be empty when there are items.")
    items = ItemGiven(many=True, required=False, help_text="At most 50.")
    space_id = _optional(_SPACE)


class RecordsQuery(Arguments):
    account_id = _optional(_ACCOUNT)
    kind = _optional(f"Only this kind: {_KINDS}.")
    status = _optional("Only active, superseded or resolved ones. Empty for all.")
    agent = _optional("Only what this agent recorded.")
    session = _optional("Only what this session recorded.")
    topic = _optional("Only records with exactly this topic.")
    space_id = _optional(_SPACE)
    page_size = Whole(required=False, help_text="How many; 0 means 50, at most 200.")
    page_token = _optional("The next_page_token of the page before.")


class SearchQuery(Arguments):
    account_id = _optional(_ACCOUNT)
    query = Text(help_text="What to look for, 1 to 200 characters.")
    kind = _optional(f"Only this kind: {_KINDS}.")
    include_inactive = Truth(required=False, help_text="Superseded and resolved records too.")
    space_id = _optional(_SPACE)
    page_size = Whole(required=False, help_text="How many; 0 means 20, at most 100.")


class SummariesQuery(Arguments):
    account_id = _optional(_ACCOUNT)
    agent = _optional("Only of this agent.")
    session = _optional("Only of this session.")
    space_id = _optional(_SPACE)
    page_size = Whole(required=False, help_text="How many; 0 means 50, at most 200.")
    page_token = _optional("The next_page_token of the page before.")


class BriefQuery(Arguments):
    account_id = _optional(_ACCOUNT)
    about = Text(help_text="A topic in plain words, file:<path> or service:<name>; 1 to 200 characters.")
    agent = _optional("The agent that asks: its correction rules come first.")
    space_id = _optional(_SPACE)


class SpacesQuery(Arguments):
    account_id = _optional(_ACCOUNT)


class SpaceGiven(Arguments):
    name = Text(help_text="1 to 120 characters, once in an account.")
    access = _optional("members: those listed, owners and admins. account: everyone of the account.")


class SpaceChange(Arguments):
    name = _optional("A new name.")
    access = _optional("members or account.")


class SpaceMemberGiven(Arguments):
    can_write = Truth(required=False, help_text="Whether this person may record here; else they only read.")


class RecordShown(serializers.Serializer[Any]):
    id = serializers.CharField()
    kind = serializers.ChoiceField(Record.Kind.choices)
    text = serializers.CharField()
    status = serializers.ChoiceField(Record.Status.choices)
    agent = serializers.CharField()
    session = serializers.CharField()
    space_id = serializers.CharField()
    decided_by = serializers.CharField()
    topics = serializers.ListField(child=serializers.CharField())
    links = serializers.ListField(child=serializers.CharField())
    supersedes = serializers.CharField()
    superseded_by = serializers.CharField()
    seen_count = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    last_seen_at = serializers.DateTimeField()
    summary_id = serializers.CharField()


class SummaryShown(serializers.Serializer[Any]):
    id = serializers.CharField()
    agent = serializers.CharField()
    session = serializers.CharField()
    trigger = serializers.ChoiceField(Summary.Trigger.values)
    text = serializers.CharField()
    space_id = serializers.CharField()
    created_at = serializers.DateTimeField()
    item_count = serializers.IntegerField()


class Similar(serializers.Serializer[Any]):
    id = serializers.CharField()
    text = serializers.CharField()
    score = serializers.FloatField()


class Taken(serializers.Serializer[Any]):
    record = RecordShown()
    outcome = serializers.ChoiceField(["created", "seen_again"])
    similar = Similar(many=True)


class Recorded(serializers.Serializer[Any]):
    summary = SummaryShown()
    items = Taken(many=True)
    redactions = serializers.IntegerField()


class RecordsPage(serializers.Serializer[Any]):
    records = RecordShown(many=True)
    next_page_token = serializers.CharField()


class FoundRecord(RecordShown):
    score = serializers.FloatField(help_text="How well it answers, from 0 to 1.")
    match = serializers.ChoiceField(["meaning", "words", "both"], help_text="What found it.")


class FoundRecords(serializers.Serializer[Any]):
    records = FoundRecord(many=True)
    next_page_token = serializers.CharField(help_text="Always empty: ask for up to 100 at once.")
    degraded = serializers.CharField(required=False, help_text="Why the search was weaker than usual.")


class MentionShown(RecordShown):
    reason = serializers.ChoiceField(["topic", "service", "folder", "words", "meaning", "own rule", "rule"])
    why = serializers.CharField(help_text="Why it is there, as the end of a sentence about it.")


class DecisionDocumentShown(serializers.Serializer[Any]):
    path = serializers.CharField()
    title = serializers.CharField()
    tree_path = serializers.CharField(help_text="The headings down to the section that mentions it.")
    why = serializers.CharField(help_text="What shows that it records a decision.")


class LinkShown(serializers.Serializer[Any]):
    url = serializers.URLField()
    record_id = serializers.CharField()


class NotCoveredShown(serializers.Serializer[Any]):
    documents_processing = serializers.IntegerField()
    spaces_not_readable = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="Items that found no room.")


class Brief(serializers.Serializer[Any]):
    about = serializers.CharField()
    documents = DecisionDocumentShown(many=True)
    questions = MentionShown(many=True)
    rules = MentionShown(many=True)
    memories = MentionShown(many=True)
    links = LinkShown(many=True)
    not_covered = NotCoveredShown()
    text = serializers.CharField(help_text="All of it in Markdown, at most 1,500 tokens.")
    degraded = serializers.CharField(required=False, help_text="Why the search was weaker than usual.")


class SummariesPage(serializers.Serializer[Any]):
    summaries = SummaryShown(many=True)
    next_page_token = serializers.CharField()


class SpaceShown(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    access = serializers.ChoiceField(Space.Access.values)
    can_write = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class Spaces(serializers.Serializer[Any]):
    spaces = SpaceShown(many=True)


class SpaceMemberShown(serializers.Serializer[Any]):
    user = serializers.EmailField(source="user.email")
    can_write = serializers.BooleanField()


class SpaceWithMembers(SpaceShown):
    members = SpaceMemberShown(many=True)


class Restored(serializers.Serializer[Any]):
    spaces = serializers.IntegerField()
    summaries = serializers.IntegerField()
    records = serializers.IntegerField()
    tombstones = serializers.IntegerField()
    present = serializers.IntegerField(help_text="Rows that were there already and stayed as they are.")


class KnowledgeError(serializers.Serializer[Any]):
    code = serializers.ChoiceField(list(STATUSES))
    message = serializers.CharField()
    request_id = serializers.CharField()


SESSION = OpenApiExample(
    "A session",
    request_only=True,
    value={
        "agent": "coordinator",
        "session": "clock-firmware-12",
        "trigger": "end",
        "text": "The night mode was settled. Who signs the release is open.",
        "items": [
            {
                "kind": "decision",
                "text": "The display dims at 22:00 local time, not at sunset.",
                "decided_by": "Ines",
                "topics": ["night mode", "file:firmware/display.c"],
                "links": ["https://example.com/changes/311"],
            },
            {"kind": "question", "text": "Who signs the release of firmware 4.2?", "topics": ["service:release"]},
        ],
    },
)
