"""What every page knows, whoever looks at it."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from accounts import mfa_adapter


def installation(request: HttpRequest) -> dict[str, object]:
    """Context processor: reads settings only, so that an error page can always be drawn."""
    return {"signup_open": settings.PAM_SIGNUP_OPEN, "passkeys": passkeys(request)}


def passkeys(request: HttpRequest) -> dict[str, object]:
    """Whether passkeys work at the address that the browser asked, and the address where they do ("" for none)."""
    host = mfa_adapter.passkey_host()
    asked = request.META.get("HTTP_HOST", "").rpartition("@")[2]
    name = asked.rpartition(":")[0] if asked.rpartition(":")[2].isdigit() else asked
    public = urlsplit(settings.PUBLIC_URL)
    port = f":{public.port}" if public.port else ""
    return {"work": bool(host) and name == host, "at": f"{public.scheme}://{host}{port}" if host else ""}
