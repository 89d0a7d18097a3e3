"""What became of a request to add: `GET /v1/memories/jobs/{id}`."""

import uuid

from accounts import isolation, scopes
from accounts.caller import Caller
from memories.end_users.errors import JobNotFound
from memories.models import ExtractionJob


def get(caller: Caller, job_id: str) -> ExtractionJob:
    """Raises JobNotFound, also for another account's."""
    caller.require_scope(scopes.READ)
    try:
        wanted = uuid.UUID(job_id)
    except ValueError as error:
        raise JobNotFound from error
    with isolation.account(caller.account.pk):
        job = ExtractionJob.objects.filter(account=caller.account, public_id=wanted).defer("messages").first()
    if job is None:
        raise JobNotFound
    return job
