"""Where a person is signed in: which browsers, since when, and how to sign them out from elsewhere.

allauth keeps a row for each (allauth.usersessions); a session that is ended is gone from the database, so that the next
request of that browser, also one of a page that polls, is nobody's.
"""

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.http import HttpRequest

from accounts import audit, stewardship
from accounts.models import User

#: A session's row is written when it was last seen so many seconds ago.
SEEN_EVERY = 300
SEEN = "seen"
_PROGRAMS = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
]
_SYSTEMS = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Session:
    """`program` is a guess from what the browser says of itself: "Firefox on Linux"."""

    id: int
    program: str
    ip: str
    is_current: bool
    started_at: datetime
    last_seen_at: datetime


def started(request: HttpRequest, **_: Any) -> None:
    """Receiver of Django's signal at a login: allauth writes the row, the first page need not."""
    request.session[SEEN] = int(time.time())


def seen(request: HttpRequest) -> None:
    """Notes that the person behind the request is at work, every few minutes.

    Parts that an open page asks for by itself don't count: nobody need sit there, and what they write into the session
    could undo what another tab writes at that moment.
    """
    if time.time() - request.session.get(SEEN, 0) < SEEN_EVERY or "HX-Request" in request.headers:
        return
    if not request.META.get("REMOTE_ADDR"):
        return
    request.session[SEEN] = int(time.time())
    UserSession.objects.create_from_request(request)


def listed(user: User, *, current: str | None) -> list[Session]:
    """Those that still are, the browser that asks first. `current` is the key of its session."""
    rows = UserSession.objects.purge_and_list(user)
    shown = [_shown(row, current) for row in rows]
    return sorted(shown, key=lambda one: (one.is_current, one.last_seen_at), reverse=True)


def _shown(row: Any, current: str | None) -> Session:
    is_current = row.session_key == current
    return Session(row.pk, program(row.user_agent), row.ip, is_current, row.created_at, row.last_seen_at)


def program(user_agent: str) -> str:
    name = next((told for mark, told in _PROGRAMS if mark in user_agent), "A program")
    system = next((told for mark, told in _SYSTEMS if mark in user_agent), "")
    return f"{name} on {system}" if system else name


def end(user: User, session_id: int, *, current: str | None) -> bool:
    """Signs another browser out. False where the person has no such session (any more), or sits at it."""
    row = UserSession.objects.filter(user=user, pk=session_id).exclude(session_key=current).first()
    if row is not None:
        row.end()
    return row is not None


def end_others(user: User, *, current: str | None) -> int:
    """Signs every other browser out; says how many there were."""
    rows = list(UserSession.objects.filter(user=user).exclude(session_key=current))
    for row in rows:
        row.end()
    return len(rows)


def end_all(actor: User, user: User, *, reason: str) -> None:
    """Staff sign a person out everywhere. Raises PermissionMissing for other staff, unless a superuser does it."""
    stewardship.require_over(actor, user, "signs out")
    with transaction.atomic():
        end_others(user, current=None)
        audit.write(actor, "sign out", user, reason=reason)
