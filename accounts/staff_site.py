"""Staff admin's frame: staff see all accounts, and say so to the database explicitly."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from unfold.sites import UnfoldAdminSite

from accounts import isolation, staff_gate

View = Callable[..., HttpResponseBase]


class StaffSite(UnfoldAdminSite):  # type: ignore[misc]
    """Django admin in unfold's dress, every view inside a transaction that sees every account, behind PAM's login."""

    site_title = site_header = "PAM staff"
    index_title = "Overview"

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        guarded: View = super().admin_view(view, cacheable)

        @wraps(guarded)
        def seeing_every_account(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            first = self._first(request)
            if first is not None:
                return first
            with isolation.every_account():
                response = guarded(request, *args, **kwargs)
                # A template reads rows while it renders, so it has to render before the transaction ends.
                return response.render() if isinstance(response, TemplateResponse) else response

        return seeing_every_account

    def _first(self, request: HttpRequest) -> HttpResponse | None:
        """What is asked of staff before they see anything; whoever is none is refused by Django."""
        if not self.has_permission(request) or request.path == reverse("admin:logout"):
            return None
        return staff_gate.step_missing(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return staff_gate.sign_in(request)
