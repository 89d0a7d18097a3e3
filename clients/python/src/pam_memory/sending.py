"""What both clients share of sending: headers, when a request is tried again, and what an error's body says. Pure."""

import random
from dataclasses import dataclass
from typing import Any

import httpx

from pam_memory.errors import ApiError
from pam_memory.types import Detail

#: Statuses after which the same request may well succeed.
PASSING = frozenset({429, 502, 503, 504})
LONGEST_PAUSE = 30.0


@dataclass(frozen=True)
class Retries:
    """How often a request is tried again, and the first pause in seconds; each further one is twice as long."""

    most: int = 3
    first_pause: float = 0.5

    def pause(self, tried: int, response: httpx.Response | None) -> float | None:
        """How long to wait before the next try, in seconds; None where there is to be none."""
        if tried >= self.most or (response is not None and response.status_code not in PASSING):
            return None
        told = retry_after(response) if response is not None else None
        if told is not None:
            return told if told <= LONGEST_PAUSE else None
        # Spread, so that many clients do not come back at the same moment.
        return float(min(self.first_pause * 2**tried, LONGEST_PAUSE) * random.uniform(0.5, 1.0))


def headers(api_key: str) -> dict[str, str]:
    return {"Authorization": f"ApiKey {api_key}", "Accept": "application/json", "User-Agent": "pam-memory-python/0.1.0"}


def retry_after(response: httpx.Response) -> float | None:
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (KeyError, ValueError):
        return None


def answer(response: httpx.Response) -> Any:
    """The JSON of a success. Raises ApiError for anything else, a proxy's page too."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if response.is_success and isinstance(body, dict):
        return body
    told = body if isinstance(body, dict) else {}
    found = told.get("details")
    listed = found if isinstance(found, list) else []
    details = tuple(Detail(each.get("field", ""), each.get("reason", "")) for each in listed if isinstance(each, dict))
    raise ApiError(
        status=response.status_code,
        code=str(told.get("code", f"HTTP_{response.status_code}")),
        error=str(told.get("error", "unreadable_answer")),
        details=details,
        request_id=str(told.get("request_id", "")),
        retry_after=retry_after(response),
    )
