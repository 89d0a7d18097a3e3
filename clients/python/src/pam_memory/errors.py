"""What can go wrong.

PamError
+-- ApiError            the server refused: status, code ("REQ_422"), details (field and reason)
+-- ConnectionFailed    nobody answered, also after the retries
+-- JobFailed           messages could not be read, after three tries
+-- JobTimeout          a job was not over within the time that was given to it
"""

from pam_memory.types import Detail


class PamError(Exception):
    """Anything this client raises."""


class ApiError(PamError):
    """The server refused the request; `retry_after` is in seconds, where it said so."""

    def __init__(
        self,
        status: int,
        code: str,
        error: str,
        details: tuple[Detail, ...] = (),
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        self.status = status
        self.code = code
        self.error = error
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after
        reasons = "; ".join(f"{each.field} {each.reason}" for each in details)
        super().__init__(f"{code} ({status}) {error}{': ' if reasons else ''}{reasons}")


class ConnectionFailed(PamError):
    """The server could not be reached, or broke off."""


class JobFailed(PamError):
    """The messages of a job could not be read; the reason is the server's."""


class JobTimeout(PamError):
    """The job goes on at the server; only the waiting is over."""
