"""Short ways to gather a profile of statements in tests."""

from datetime import UTC, datetime, timedelta
from typing import Any

from memories.end_users.domains import registry
from memories.end_users.domains.base import Ask, Said

#: When the first statement of a test is said; each further one a day later.
FIRST = datetime(2026, 11, 2, 9, tzinfo=UTC)


def shown(domain: str, *contents: str | Said, now: datetime = FIRST, **choices: Any) -> dict[str, Any]:
    """What the domain shows at `now` of statements that were said in this order, a day apart."""
    found = registry.named(domain)
    assert found is not None
    profile = found.gather(said(*contents))
    answer = found.shown(profile, Ask(now, choices=choices))
    assert set(answer) == set(found.fields)
    return answer


def lines(domain: str, *contents: str | Said, now: datetime = FIRST, query: str = "", **choices: Any) -> list[str]:
    """The sentences of the block."""
    found = registry.named(domain)
    assert found is not None
    return found.lines(found.gather(said(*contents)), Ask(now, query, choices))


def said(*contents: str | Said) -> list[Said]:
    return [
        each if isinstance(each, Said) else Said(each, FIRST + timedelta(days=number))
        for number, each in enumerate(contents)
    ]
