"""A job that was given up gets its tries again: staff ask for it once the reason is mended. Contract console (jobs)."""

from django.utils import timezone

from accounts import audit, isolation
from accounts.models import User
from memories import work
from memories.errors import FailedPrecondition
from memories.models import ExtractionJob


def retry(actor: User, job: ExtractionJob, *, reason: str) -> None:
    """Raises FailedPrecondition for a job that was not given up, or of which nothing is left to be read."""
    with isolation.account(job.account_id):
        audit.write(actor, "retry", job, reason=reason)
        dead = ExtractionJob.objects.filter(account=job.account_id, pk=job.pk, status=ExtractionJob.Status.DEAD)
        again = dead.exclude(messages=[]).update(
            status=ExtractionJob.Status.QUEUED, attempts=0, due_at=timezone.now(), completed_at=None, error_summary=""
        )
        if not again:
            raise FailedPrecondition(f"{job.public_id} was not given up, or nothing of it is left to be read.")
        work.read_after_commit(job.account_id)
