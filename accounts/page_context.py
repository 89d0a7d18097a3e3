"""What every page knows, whoever looks at it."""

from django.conf import settings
from django.http import HttpRequest


def installation(request: HttpRequest) -> dict[str, object]:
    """Context processor: reads settings only, so that an error page can always be drawn."""
    return {"signup_open": settings.PAM_SIGNUP_OPEN}
