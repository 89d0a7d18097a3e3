"""The settings of end-user memory (memories/end_users/). settings.py takes all of them over."""

from datetime import timedelta

from pam.environment import flag, number

#: The largest body of a request about end users.
PAM_END_USER_MAX_BODY_BYTES = number("PAM_END_USER_MAX_BODY_BYTES", 1024 * 1024)

#: Lets webhooks lead to this machine itself, which is for tests alone: an account could reach what listens here.
PAM_WEBHOOK_ALLOW_LOOPBACK = flag("PAM_WEBHOOK_ALLOW_LOOPBACK", default=False)

#: What beat calls, beside what settings.py lists.
END_USER_SCHEDULE: dict[str, dict[str, object]] = {
    "send webhooks that are due": {
        "task": "accounts.tasks.sweep_webhooks",
        "schedule": timedelta(seconds=10),
        # Those that no worker took in time would each send the same messages when one is back.
        "options": {"expires": 10},
    },
    "tell webhooks what became of allowances": {
        "task": "accounts.tasks.tell_allowances",
        "schedule": timedelta(minutes=1),
        "options": {"expires": 60},
    },
    "forget webhooks that are done with": {
        "task": "accounts.tasks.prune_webhooks",
        "schedule": timedelta(hours=1),
    },
}

__all__ = ["PAM_END_USER_MAX_BODY_BYTES", "PAM_WEBHOOK_ALLOW_LOOPBACK"]
