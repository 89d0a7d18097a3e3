"""The settings of end-user memory (memories/end_users/). settings.py takes all of them over."""

from datetime import timedelta

from pam.environment import flag, number, words

#: The largest body of a request about end users.
PAM_END_USER_MAX_BODY_BYTES = number("PAM_END_USER_MAX_BODY_BYTES", 1024 * 1024)

#: A run of the lifecycle that would change, or archive, more than this share of an account's live memories stops;
#: so many may always lose importance together.
PAM_LIFECYCLE_MOST_PERCENT = number("PAM_LIFECYCLE_MOST_PERCENT", 25)
PAM_LIFECYCLE_HANDFUL = number("PAM_LIFECYCLE_HANDFUL", 20)
#: How long things are kept that are of use for a while only.
PAM_KEEP_RETRIEVALS_DAYS = number("PAM_KEEP_RETRIEVALS_DAYS", 30)
PAM_KEEP_CANDIDATES_DAYS = number("PAM_KEEP_CANDIDATES_DAYS", 30)
PAM_KEEP_JOBS_DAYS = number("PAM_KEEP_JOBS_DAYS", 30)
PAM_KEEP_RUNS_DAYS = number("PAM_KEEP_RUNS_DAYS", 90)

#: Lets webhooks lead to this machine itself, which is for tests alone: an account could reach what listens here.
PAM_WEBHOOK_ALLOW_LOOPBACK = flag("PAM_WEBHOOK_ALLOW_LOOPBACK", default=False)

#: Requests to add for one end user in a minute, of which more are answered with L1; 0: any number.
PAM_ADDS_PER_END_USER_MINUTE = number("PAM_ADDS_PER_END_USER_MINUTE", 30)
#: Whether messages in which the user says nothing of substance are held back (L2).
PAM_HOLD_BACK_SMALL_TALK = flag("PAM_HOLD_BACK_SMALL_TALK", default=True)
#: Held back is what says the same as one of so many latest requests for the end user (L3); 0: nothing.
PAM_SAID_AGAIN_OF_LAST = number("PAM_SAID_AGAIN_OF_LAST", 5)
#: Pauses before the second and the third attempt at reading a job.
PAM_JOB_BACK_OFF_SECONDS = [int(pause) for pause in words("PAM_JOB_BACK_OFF_SECONDS", "10,60")]
#: Reading is delayed when a job has waited for so long; webhooks are told.
PAM_PROCESSING_DELAYED_SECONDS = number("PAM_PROCESSING_DELAYED_SECONDS", 120)

#: So many calls that add or retrieve are worked on at a time in each web process.
PAM_END_USER_THREADS = number("PAM_END_USER_THREADS", 8)

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
    "take up messages of end users that no worker reads": {
        "task": "memories.tasks.sweep_messages",
        "schedule": timedelta(seconds=15),
    },
    "let memories of end users age": {
        "task": "memories.tasks.age_memories",
        "schedule": timedelta(hours=6),
    },
    "finish the erasing of end users": {
        "task": "memories.tasks.finish_erasures",
        "schedule": timedelta(minutes=5),
    },
    "prune what is kept of end users for a while only": {
        "task": "memories.tasks.prune_end_users",
        "schedule": timedelta(hours=1),
    },
}
