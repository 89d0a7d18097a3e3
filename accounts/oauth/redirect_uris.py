"""Where an answer with a code may be sent, and how people are shown it.

DOT knows a list of schemes only; it would take http://evil.example. Cursor registers three at once, one of them
``cursor://``; VS Code a loopback and an https one; ChatGPT one of its own for each connector; command-line clients take
whatever port is free. Source: contract gateway, gap 1; RFC 8252.
"""

from urllib.parse import urlsplit

from django.conf import settings

MOST = 20
LONGEST = 2048
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
#: Whatever the setting says: a browser would run these, or read a file.
NEVER = {"javascript", "data", "file", "vbscript", "about", "blob", "view-source", "filesystem"}


def is_allowed(uri: object) -> bool:
    """Whether a client may register this: https, http on one's own machine, or an app's scheme of the setting."""
    if not isinstance(uri, str) or not 0 < len(uri) <= LONGEST or not _is_plain(uri):
        return False
    try:
        parts = urlsplit(uri)
        _ = parts.port  # raises for a port that cannot be
    except ValueError:
        return False
    scheme = parts.scheme
    if "@" in parts.netloc or scheme in NEVER or not uri.startswith(f"{scheme}:"):
        return False
    if scheme in ("https", "http"):
        return bool(parts.hostname) and "*" not in parts.netloc and (scheme == "https" or parts.hostname in LOOPBACK)
    return scheme in settings.PAM_OAUTH_APP_SCHEMES and len(uri) > len(scheme) + 1


def _is_plain(uri: str) -> bool:
    """Printable ASCII without a fragment, a space, or what browsers take for something else."""
    return all("!" <= character <= "~" for character in uri) and not set(uri) & set('#\\<>"`{}|^')


def shown(uri: str) -> str:
    """What a person looks at to see where the answer goes: a host, their own computer, or an app."""
    parts = urlsplit(uri)
    if parts.scheme == "http":
        return f"this computer ({parts.netloc})"
    return parts.netloc if parts.scheme == "https" else f"the app {parts.scheme}"


def sources(uri: str) -> list[str]:
    """The places where a browser may come to on its way back, as a Content-Security-Policy's `form-action` names them.

    A browser looks at every step of the way: VS Code's and Cursor's https addresses hand on to the editor itself, by a
    scheme of its own or on the person's own machine.
    """
    parts = urlsplit(uri)
    if parts.scheme not in ("https", "http"):
        return [f"{parts.scheme}:"]
    # The policy's grammar has no word for an IPv6 address.
    place = f"{parts.scheme}:" if "[" in parts.netloc else f"{parts.scheme}://{parts.netloc}"
    if parts.scheme == "http":
        return [place]
    return [place, "http://127.0.0.1:*", "http://localhost:*", *(f"{name}:" for name in settings.PAM_OAUTH_APP_SCHEMES)]
