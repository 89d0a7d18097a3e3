"""Jobs that nobody reads, found again: lost messages, dead workers, back-offs that are over. Called by beat.

It also tells products when reading falls behind, and when it has caught up.
"""

from datetime import timedelta

from django.conf import settings
from django.db.models import Count, Min
from django.utils import timezone

from accounts import isolation, webhooks
from accounts.models import AlertSettings
from memories import work
from memories.end_users.intake.claims import UNFINISHED
from memories.models import ExtractionJob

_MOST_ACCOUNTS = 500


def sweep() -> None:
    """Sends a message for every account with a job that may be read. One too many does no harm."""
    work.send([(work.READ_MESSAGES, (account_id,)) for account_id in _accounts_with_work()])
    tell_delays()


def _accounts_with_work() -> list[int]:
    due = ExtractionJob.objects.filter(status__in=UNFINISHED, due_at__lte=timezone.now())
    with isolation.every_account():
        longest = due.values("account_id").annotate(first=Min("due_at")).order_by("first")
        return list(longest.values_list("account_id", flat=True)[:_MOST_ACCOUNTS])


def tell_delays() -> None:
    """Tells every account that wants to hear of it whether its oldest job has waited for too long; each turn once."""
    now, most = timezone.now(), timedelta(seconds=settings.PAM_PROCESSING_DELAYED_SECONDS)
    with isolation.every_account():
        accounts = [row.account for row in AlertSettings.objects.exclude(webhook_url="").select_related("account")]
        unfinished = ExtractionJob.objects.filter(account__in=accounts, status__in=UNFINISHED)
        rows = unfinished.values("account_id").annotate(oldest=Min("queued_at"), waiting=Count("id"))
        waiting = {row["account_id"]: (now - row["oldest"], row["waiting"]) for row in rows}
    for account in accounts:
        age, count = waiting.get(account.pk, (timedelta(), 0))
        seconds = int(age.total_seconds())
        webhooks.processing(account, is_delayed=age > most, waiting=count, oldest_seconds=seconds)
