"""Importing in tests, with the workers' steps taken in this process."""

from accounts import isolation
from accounts.models import Account
from memories.company.intake import ingest
from memories.company.intake.ingest import Accepted, File, Refusal
from memories.company.processing import claims, process, vectors
from memories.models import Document, Fact, Section, Source
from tests.cast import Person


def given(who: Person, files: dict[str, bytes | str], *, source: str = "handbook") -> list[Accepted | Refusal]:
    """Stored and queued, as by the import command."""
    return ingest.add(
        who.caller,
        source_kind=Source.Kind.FOLDER,
        source_name=source,
        files=[File(path, text.encode() if isinstance(text, str) else text) for path, text in files.items()],
    )


def read_all(account: Account) -> None:
    """As workers that only read."""
    while (waiting := claims.next_free(account.pk)) is not None:
        process.document(waiting, account.pk)


def embed_all(account: Account) -> None:
    while vectors.embed(account.pk):
        pass


def imported(who: Person, files: dict[str, bytes | str], *, source: str = "handbook") -> list[Accepted | Refusal]:
    """Stored, read and embedded."""
    answers = given(who, files, source=source)
    read_all(who.account)
    embed_all(who.account)
    return answers


def document(account: Account, path: str) -> Document:
    with isolation.account(account.pk):
        return Document.objects.of(account).get(path=path)


def documents(account: Account) -> dict[str, str]:
    """Path -> state."""
    with isolation.account(account.pk):
        return dict(Document.objects.of(account).values_list("path", "state"))


def statements(account: Account) -> dict[str, int]:
    """Every statement, with its row's id."""
    with isolation.account(account.pk):
        return dict(Fact.objects.filter(account=account).order_by("id").values_list("statement", "id"))


def sections(account: Account) -> dict[str, int]:
    """Every section's text, with its row's id."""
    with isolation.account(account.pk):
        return dict(Section.objects.filter(account=account).order_by("id").values_list("text", "id"))
