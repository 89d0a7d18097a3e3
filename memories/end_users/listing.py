"""Lists of memories of an end user, newest first, by pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts import isolation, scopes
from accounts.caller import Caller
from accounts.errors import InvalidArguments
from memories import page_tokens
from memories.end_users import given, people
from memories.end_users.errors import BadSetting, refused
from memories.models import Memory
from memories.models.searchable import WIDE

USUAL, MOST = 10, 50


@dataclass(frozen=True, slots=True)
class Page:
    """Memories, where the next page begins (empty on the last one), and how many there are on all pages."""

    memories: list[Memory]
    next_cursor: str
    limit: int
    total: int


def memories(
    caller: Caller,
    *,
    external_user_id: str,
    categories: Sequence[str] = (),
    agent_id: str = "",
    include_archived: bool = False,
    cursor: str = "",
    limit: int = USUAL,
) -> Page:
    """A page of one end user's memories; none for somebody who was never seen. Three queries.

    Raises Refused for a bound, BadSetting for a cursor of another list.
    """
    caller.require_scope(scopes.READ)
    people.check_id(external_user_id)
    wanted = sorted({given.category(each, "categories") for each in categories})
    if not 1 <= limit <= MOST:
        raise refused("limit", f"must be 1 to {MOST}.")
    marks = {
        "list": "memory",
        "account": caller.account.public_id,
        "user": external_user_id,
        "categories": wanted,
        "agent": given.agent_id(agent_id),
        "archived": include_archived,
    }
    try:
        after = page_tokens.older(cursor, marks, argument="cursor")
    except InvalidArguments as error:
        raise BadSetting(error.message, argument="cursor") from error
    rows = Memory.objects.filter(account=caller.account, end_user__external_id=external_user_id)
    rows = rows.filter(category__in=wanted) if wanted else rows
    rows = rows.filter(agent_id=agent_id) if agent_id else rows
    rows = rows if include_archived else rows.filter(is_archived=False)
    with isolation.account(caller.account.pk):
        total = rows.count()
        page = rows.filter(after).defer(*WIDE).select_related("end_user", "previous_version")
        found = list(page.order_by("-created_at", "-id")[: limit + 1])
    token = page_tokens.after(found[limit - 1], marks) if len(found) > limit else ""
    return Page(found[:limit], token, limit, total)
