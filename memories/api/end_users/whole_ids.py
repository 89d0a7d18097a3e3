"""End users' ids in a path: any characters, slashes, line breaks and percent signs among them, exactly as given.

Which part of a path is the id is told by the method: GET ends in /stats or /export, POST in /block or /unblock, and
DELETE has nothing behind the id. So an id that itself ends in "/stats" is no riddle: what comes before the last segment
is the id, and for DELETE all of it. An id that a client's URL library would resolve ("..") must be percent-encoded by
one that does not.
"""

from urllib.parse import unquote_to_bytes

from rest_framework.request import Request

from memories.api.end_users.envelope import EndUserView
from memories.end_users.errors import EndUserNotFound


class WholeId:
    """Django's converter for everything that is left of a path."""

    regex = r"(?s:.+)"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class AboutOne(EndUserView):
    """A view whose path holds an end user's id."""

    def exactly(self, request: Request, external_user_id: str) -> str:
        """The id, once it is sure that decoding the path has not changed it.

        Raises EndUserNotFound for bytes that are no UTF-8: ASGI servers put U+FFFD there, which is another id.
        """
        raw: bytes = getattr(request._request, "scope", {}).get("raw_path") or b""
        try:
            unquote_to_bytes(raw).decode()
        except UnicodeDecodeError as error:
            raise EndUserNotFound from error
        return external_user_id
