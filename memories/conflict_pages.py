"""The Conflicts page: memories of end users that may contradict each other, and which of them is kept.

Parse, one service call, render. Viewers look only.
"""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import authentication
from accounts.models import Membership
from memories.end_users.conflicts import listing, resolving
from memories.end_users.errors import Refused

PAGE = 20
LONGEST_TOKEN = 400
_KEPT = {
    "a": "Kept the older one. The newer one is no longer told.",
    "b": "Kept the newer one. The older one is no longer told.",
    "both": "Kept both.",
    "neither": "Kept neither. Both are in the history only.",
}


@never_cache
@require_safe
def conflicts(request: HttpRequest) -> HttpResponse:
    caller = authentication.person(request)
    status = listing.RESOLVED if request.GET.get("status") == listing.RESOLVED else listing.PENDING
    token = request.GET.get("page", "")[:LONGEST_TOKEN]
    context = {
        "page": listing.listed(caller, status=status, cursor=token, limit=PAGE),
        "status": status,
        "token": token,
        "can_settle": caller.role != Membership.Role.VIEWER,
    }
    return render(request, "conflicts.html", {"caller": caller, **context})


@require_POST
def resolve(request: HttpRequest, conflict_id: str) -> HttpResponse:
    keep = request.POST.get("keep", "")
    reason = request.POST.get("reason", "")
    try:
        resolving.resolve(authentication.person(request), conflict_id, keep, reason=reason)
        messages.success(request, _KEPT[keep])
    except Refused as error:
        messages.error(request, error.message)
    return redirect(reverse("conflicts"))
