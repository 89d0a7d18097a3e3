"""The settings of end-user memory (memories/end_users/). settings.py takes all of them over."""

from datetime import timedelta

from pam.environment import number

#: The largest body of a request about end users.
PAM_END_USER_MAX_BODY_BYTES = number("PAM_END_USER_MAX_BODY_BYTES", 1024 * 1024)

#: What beat calls, beside what settings.py lists.
END_USER_SCHEDULE: dict[str, dict[str, object]] = {}

__all__ = ["PAM_END_USER_MAX_BODY_BYTES", "timedelta"]
