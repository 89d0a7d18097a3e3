"""What a product asks when it retrieves: its bounds, checked. Source: contract end_users, "Retrieve"."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from memories import storable
from memories.end_users import given, people
from memories.end_users.errors import refused
from memories.end_users.recall import context

LONGEST_QUERY = 2_000
USUAL_LIMIT, MOST = 10, 50
LONGEST_DAYS = 3_650
USUAL_TOKENS, FEWEST_TOKENS, MOST_TOKENS = 500, 50, 4_000


@dataclass(frozen=True, slots=True)
class Request:
    """A question about one end user, and how the answer is wanted. Raises Refused for what is out of bounds.

    time_filter_days    only what was created so many days before now, or before `as_of`
    as_of               what was known at that time; with a time zone
    """

    external_user_id: str
    query: str
    limit: int = USUAL_LIMIT
    categories: tuple[str, ...] = ()
    agent_id: str = ""
    time_filter_days: int | None = None
    format: str = context.BULLETS
    context_max_tokens: int = USUAL_TOKENS
    as_of: datetime | None = None

    def __post_init__(self) -> None:
        people.check_id(self.external_user_id)
        _check_query(self.query)
        _within("limit", self.limit, 1, MOST)
        for at, category in enumerate(self.categories):
            given.category(category, f"categories[{at}]")
        given.agent_id(self.agent_id)
        if self.time_filter_days is not None:
            _within("time_filter_days", self.time_filter_days, 1, LONGEST_DAYS)
        if self.format not in context.FORMATS:
            raise refused("format", f"must be one of {', '.join(context.FORMATS)}.")
        _within("context_max_tokens", self.context_max_tokens, FEWEST_TOKENS, MOST_TOKENS)
        if self.as_of is not None and self.as_of.tzinfo is None:
            raise refused("as_of", "must name its time zone.")

    @property
    def since(self) -> datetime | None:
        if self.time_filter_days is None:
            return None
        return _before(self.as_of or timezone.now(), timedelta(days=self.time_filter_days))

    @property
    def plain(self) -> dict[str, Any]:
        """The same as JSON has it, for telling two requests apart."""
        names = ("query", "limit", "agent_id", "time_filter_days", "format", "context_max_tokens")
        told = {name: getattr(self, name) for name in names}
        as_of = None if self.as_of is None else self.as_of.isoformat()
        return {**told, "categories": sorted(set(self.categories)), "as_of": as_of}


def _check_query(query: str) -> None:
    storable.check("query", query)
    if not 1 <= len(query) <= LONGEST_QUERY:
        raise refused("query", f"must have 1 to {LONGEST_QUERY:,} characters; it has {len(query):,}.")
    if not query.strip():
        raise refused("query", "must say something.")


def _within(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise refused(field, f"must be {least:,} to {most:,}.")


def _before(moment: datetime, span: timedelta) -> datetime:
    """The first moment that there is, where the span reaches back before it."""
    try:
        return moment - span
    except OverflowError:
        return datetime.min.replace(tzinfo=moment.tzinfo)
