"""The one place where errors of services become pages. Named in settings, imported by nobody.

JSON surfaces translate their own errors (pam/rest.py, the MCP endpoint), so that what arrives here came out of a page.
A script of a page that asks for JSON gets `{"code", "message"}`.
"""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.errors import NotAuthenticated, PamError

TITLES = {
    400: "That can't be done",
    402: "No active plan",
    403: "Not allowed",
    404: "Nothing here",
    409: "Not yet",
    429: "Slow down",
}


class ErrorPages(MiddlewareMixin):
    """Middleware that only looks at exceptions: it costs an answer nothing, also an async one."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return _page(request, error) if isinstance(error, PamError) else None


def _page(request: HttpRequest, error: PamError) -> HttpResponse:
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"code": error.code, "message": error.message}, status=error.http_status)
    if isinstance(error, NotAuthenticated):
        return _sign_in(request, error)
    context = {"title": TITLES.get(error.http_status, "Something went wrong"), "message": error.message}
    return render(request, "error.html", context, status=error.http_status)


def _sign_in(request: HttpRequest, error: NotAuthenticated) -> HttpResponse:
    if request.user.is_authenticated:
        return render(request, "no_account.html", {"message": error.message}, status=403)
    htmx = HtmxDetails(request)
    if htmx:
        login: HttpResponse = HttpResponseClientRedirect(redirect_to_login(htmx.current_url_abs_path or "/").url)
        return login
    return redirect_to_login(request.get_full_path() if request.method == "GET" else "/setup")
