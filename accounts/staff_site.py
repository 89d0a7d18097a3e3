"""Staff admin's frame: staff see all accounts, and say so to the database explicitly."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from unfold.sites import UnfoldAdminSite

from accounts import isolation

View = Callable[..., HttpResponseBase]


class StaffSite(UnfoldAdminSite):  # type: ignore[misc]
    """Django admin in unfold's dress, every view inside a transaction that sees every account."""

    site_title = site_header = "PAM staff"
    index_title = "Overview"

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        guarded: View = super().admin_view(view, cacheable)

        @wraps(guarded)
        def seeing_every_account(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            with isolation.every_account():
                response = guarded(request, *args, **kwargs)
                # A template reads rows while it renders, so it has to render before the transaction ends.
                return response.render() if isinstance(response, TemplateResponse) else response

        return seeing_every_account


class StaffAdminConfig(AdminConfig):
    default_site = "accounts.staff_site.StaffSite"
