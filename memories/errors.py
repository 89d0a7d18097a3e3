"""What can go wrong with memory; grows the tree of accounts/errors.py.

PamError
+-- MemoryNotReady            409  memory_not_ready       readiness_state
|   +-- NoSourcesConnected    409  no_sources_connected
+-- MemoryUnavailable         503  memory_unavailable     readiness_state
+-- RetrievalTimeout          504  retrieval_timeout
+-- ProviderFailed            503  provider_failed        (an LLM)
+-- EmbedderUnavailable       503  embedder_unavailable   (reading goes on by words)
+-- TooLarge                  413  too_large              (a request as a whole)
+-- Unreadable                422  unreadable_document    (one file refused; its neighbours go in)
+-- FailedPrecondition        409  failed_precondition    (what is there does not allow it: a record already superseded)
+-- AlreadyExists             409  already_exists
"""

from accounts.errors import PamError


class MemoryNotReady(PamError):
    code = "memory_not_ready"
    http_status = 409
    default_message = "Company memory is still being built. Try again in a few minutes."

    def __init__(self, message: str | None = None, *, readiness_state: str = "") -> None:
        self.readiness_state = readiness_state
        super().__init__(message)


class NoSourcesConnected(MemoryNotReady):
    code = "no_sources_connected"
    default_message = "This account has no documents yet. Import some on the Sources page, then ask again."


class MemoryUnavailable(PamError):
    code = "memory_unavailable"
    http_status = 503
    default_message = "Company memory cannot be reached at the moment. Try again shortly."

    def __init__(self, message: str | None = None, *, readiness_state: str = "") -> None:
        self.readiness_state = readiness_state
        super().__init__(message)


class RetrievalTimeout(PamError):
    code = "retrieval_timeout"
    http_status = 504
    default_message = "The retrieval took longer than it may and was stopped. Ask a narrower question."


class ProviderFailed(PamError):
    code = "provider_failed"
    http_status = 503
    default_message = "The language model did not answer."


class EmbedderUnavailable(PamError):
    code = "embedder_unavailable"
    http_status = 503
    default_message = "The embedding model did not answer."


class TooLarge(PamError):
    code = "too_large"
    http_status = 413
    default_message = "The request is too large. Send it in several."


class Unreadable(PamError):
    """One file that cannot be taken in; the message says why, for a person who can act on it."""

    code = "unreadable_document"
    http_status = 422
    default_message = "This file cannot be read."


class FailedPrecondition(PamError):
    """The message names what stands in the way, so that the caller can do it right in the next call."""

    code = "failed_precondition"
    http_status = 409
    default_message = "The present state does not allow that."


class AlreadyExists(PamError):
    code = "already_exists"
    http_status = 409
    default_message = "There is one already."
