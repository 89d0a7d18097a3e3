"""The first page. Sign-up, login and the rest are allauth's views in our templates."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What PAM is; whoever is signed in goes on to Setup."""
    if request.user.is_authenticated:
        return redirect("setup")
    return render(request, "home.html")
