"""What errors are called on the surfaces of agent memory (contract: knowledge, "Access and errors"). Pure."""

from accounts.errors import PamError

_NAMES = {
    "invalid_arguments": "InvalidArgument",
    "unauthenticated": "Unauthenticated",
    "insufficient_scope": "PermissionDenied",
    "permission_denied": "PermissionDenied",
    "not_found": "NotFound",
    "already_exists": "AlreadyExists",
    "failed_precondition": "FailedPrecondition",
    "quota_exceeded": "ResourceExhausted",
    "entitlement_required": "PermissionDenied",
}
_BY_STATUS = {400: "InvalidArgument", 401: "Unauthenticated", 403: "PermissionDenied", 404: "NotFound"}
_LATER = {409: "FailedPrecondition", 413: "InvalidArgument", 415: "InvalidArgument", 429: "ResourceExhausted"}
_UNAVAILABLE = (502, 503, 504)

#: The HTTP status of each name.
STATUSES = {
    "InvalidArgument": 400,
    "Unauthenticated": 401,
    "PermissionDenied": 403,
    "NotFound": 404,
    "AlreadyExists": 409,
    "FailedPrecondition": 409,
    "ResourceExhausted": 429,
    "Unavailable": 503,
    "Internal": 500,
}


def of(error: PamError) -> str:
    """The name of an error that a service raised."""
    return named(error.code, error.http_status)


def named(code: str, status: int) -> str:
    """The name for a code of ours, or else for a status."""
    if status in _UNAVAILABLE:
        return "Unavailable"
    return _NAMES.get(code) or (_BY_STATUS | _LATER).get(status) or "Internal"
