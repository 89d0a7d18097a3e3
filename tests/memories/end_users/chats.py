"""What end users say in tests, handed in over HTTP, and read as a worker would."""

from typing import Any

from accounts import isolation
from memories.end_users.intake import claims, worker
from memories.models import ExtractionJob
from tests.cast import Person
from tests.memories.end_users import diary

LISBON = "I live in Lisbon."


def said(*contents: str, user: str = "pat", **more: Any) -> dict[str, Any]:
    """The body of a request in which the user says so."""
    return {"external_user_id": user, "messages": [{"role": "user", "content": each} for each in contents], **more}


def add(who: Person, body: Any, **headers: str) -> Any:
    return diary.send(who, "post", "memories/add", body, **headers)


def added(who: Person, *contents: str, user: str = "pat", **more: Any) -> str:
    """Hands it in; the job's id."""
    answer = add(who, said(*contents, user=user, **more)).json()
    assert answer["status"] == "queued", answer
    return str(answer["job_id"])


def job(who: Person, job_id: str) -> dict[str, Any]:
    answer = diary.send(who, "get", f"memories/jobs/{job_id}")
    assert answer.status_code == 200, answer.content
    shown: dict[str, Any] = answer.json()["data"]
    return shown


def row(who: Person, job_id: str) -> ExtractionJob:
    with isolation.account(who.account.pk):
        return ExtractionJob.objects.get(public_id=job_id)


def jobs(who: Person) -> list[ExtractionJob]:
    with isolation.account(who.account.pk):
        return list(ExtractionJob.objects.filter(account=who.account).order_by("id"))


def read_all(who: Person) -> None:
    """As a worker, until nothing may be read now."""
    while (claim := claims.take(who.account.pk)) is not None:
        worker.read(claim)


def contents(who: Person, user: str = "pat") -> list[str]:
    return [memory.content for memory in diary.rows(who, user)]
