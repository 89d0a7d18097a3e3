"""The deeds of talking.py. Needs a Django that is set up."""

import time
from typing import Any

from django.db.models import Count, Q, Sum

from accounts import api_keys, isolation, membership
from accounts.caller import Caller
from benchmarks import conversations
from memories.end_users.intake import adding
from memories.models import ExtractionJob, Memory

_EVERY_SECONDS = 1.0


def key(account_id: str) -> str:
    return api_keys.issue(membership.account_named(account_id), name="bench", rate_limit_per_minute=1_000_000).secret


def say(account_id: str, users: str, count: str) -> float:
    """As the API does it, without HTTP. How many a second."""
    made = api_keys.recognise(key(account_id))
    assert made is not None
    caller = Caller(account=made.account, surface="api_key", scopes=frozenset(made.permissions), api_key=made)
    started = time.perf_counter()
    for name, text in conversations.said(int(users), int(count)):
        adding.add(caller, {"external_user_id": name, "messages": [{"role": "user", "content": text}]})
    return int(count) / (time.perf_counter() - started)


def watch(account_id: str) -> dict[str, Any]:
    """Waits until no job is unfinished. Then: how many there are by their end, attempts beyond the first, memories that
    jobs say they made and memories there are, and seconds and jobs since watching began."""
    account = membership.account_named(account_id)
    started, before = time.perf_counter(), _figures(account.pk)["over"]
    while (now := _figures(account.pk))["over"] < now["jobs"]:
        time.sleep(_EVERY_SECONDS)
    seconds = time.perf_counter() - started
    return {**now, "seconds": seconds, "read": now["over"] - before}


def _figures(account_id: int) -> dict[str, Any]:
    with isolation.account(account_id):
        jobs = ExtractionJob.objects.filter(account_id=account_id)
        figures = jobs.aggregate(
            jobs=Count("id"),
            over=Count("id", filter=Q(status__in=["completed", "dead"])),
            dead=Count("id", filter=Q(status="dead")),
            tried=Sum("attempts"),
            created=Sum("memories_created"),
        )
        return {**figures, "memories": Memory.objects.filter(account_id=account_id).count()}
