"""The error tree that every floor grows from.

    PamError                     http  code
    +-- NotAuthenticated          401  unauthenticated
    +-- ScopeMissing              403  insufficient_scope     scope
    +-- PermissionMissing         403  permission_denied
    +-- NotFound                  404  not_found              (also: not yours)
    +-- InvalidArguments          400  invalid_arguments      argument
    +-- QuotaExceeded             429  quota_exceeded         retry_after
    |   +-- RateExceeded          429  rate_exceeded          retry_after
    +-- EntitlementRequired       402  entitlement_required
    +-- InvalidRedirectURI        400  invalid_redirect_uri     (RFC 7591's words, as OAuth clients know them)
    +-- InvalidClientMetadata     400  invalid_client_metadata

Services raise these; each wire translates them in one place. A class carries its code, its HTTP status and a
sentence for people; what is raised may bring a more exact sentence.
"""

from typing import ClassVar


class PamError(Exception):
    """Something the caller should be told. `message` is safe to show: no secrets, nothing of other accounts."""

    code: ClassVar[str] = "internal"
    http_status: ClassVar[int] = 500
    default_message: ClassVar[str] = "Something went wrong on our side. Try again in a moment."

    def __init__(self, message: str | None = None) -> None:
        self.message = message or self.default_message
        super().__init__(self.message)


class NotAuthenticated(PamError):
    code = "unauthenticated"
    http_status = 401
    default_message = "Send a valid credential in the Authorization header."


class ScopeMissing(PamError):
    code = "insufficient_scope"
    http_status = 403
    default_message = "This credential lacks a scope that the call needs."

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__(f"This credential lacks the scope {scope}.")


class PermissionMissing(PamError):
    code = "permission_denied"
    http_status = 403
    default_message = "Your role in this account does not allow that."


class NotFound(PamError):
    code = "not_found"
    http_status = 404
    default_message = "There is nothing under that id."


class InvalidArguments(PamError):
    code = "invalid_arguments"
    http_status = 400
    default_message = "One of the arguments is not valid."

    def __init__(self, message: str | None = None, *, argument: str | None = None) -> None:
        self.argument = argument
        super().__init__(message)


class QuotaExceeded(PamError):
    code = "quota_exceeded"
    http_status = 429
    default_message = "The allowance of this account is used up."

    def __init__(self, message: str | None = None, *, retry_after: int) -> None:
        """`retry_after` is in whole seconds."""
        self.retry_after = retry_after
        super().__init__(message)


class RateExceeded(QuotaExceeded):
    """More requests in a minute than the API key, or its account's plan, allows."""

    code = "rate_exceeded"
    default_message = "Too many requests in this minute."


class EntitlementRequired(PamError):
    code = "entitlement_required"
    http_status = 402
    default_message = "This account has no active plan. Ask an owner to choose one."


class InvalidRedirectURI(PamError):
    code = "invalid_redirect_uri"
    http_status = 400
    default_message = (
        "Every redirect URI must be https, http on the person's own machine (localhost, 127.0.0.1, [::1]), "
        "or of an app scheme that this server allows, without a fragment."
    )


class InvalidClientMetadata(PamError):
    code = "invalid_client_metadata"
    http_status = 400
    default_message = "The client's metadata cannot be taken."
