"""Documents for an account, taken in by the code that the workers run, but here and now."""

from typing import Any

from accounts.caller import Caller
from memories.company.answering import retrieve
from memories.company.answering.retrieval import Retrieval
from memories.company.intake import ingest
from memories.company.intake.ingest import File
from memories.company.processing import process, tidy, vectors
from memories.deadline import Deadline
from memories.models import Source
from tests.cast import Person


def shelve(caller: Caller, documents: dict[str, str], *, embedded: bool = True) -> None:
    """Imports Markdown documents, by path. Without `embedded` they are found by their words alone."""
    files = [File(path, text.encode()) for path, text in documents.items()]
    taken = ingest.add(caller, source_kind=Source.Kind.FOLDER, source_name="handbook", files=files)
    account_id = caller.account.pk
    for _ in taken:
        process.document(0, account_id)
    while embedded and vectors.embed(account_id):
        pass
    tidy.when_idle(account_id)


def asked(person: Person, prompt: str, *earlier: str, seconds: float = 60, **more: Any) -> Retrieval:
    return retrieve.retrieve(
        person.agent, prompt=prompt, earlier_prompts=earlier, deadline=Deadline.after(seconds), **more
    )


def statements(retrieval: Retrieval) -> list[str]:
    return [fact.statement for fact in retrieval.findings.facts]


#: A ferry line of our own invention.
LUMEN_FERRY = {
    "handbook/refunds.md": """# Refunds

## Deadlines

Refunds for cancelled crossings are paid within 5 working days. Ines Okafor approves refunds above 500 euros.

## Exceptions

Bookings through a travel agency are refunded by the agency, not by Lumen Ferry.
""",
    "handbook/desk.md": """# Desk guide

Refunds for cancelled crossings are paid within 5 working days. Say so at the counter before a guest asks.

The counter in Harwick opens at 06:30 and the one in Skelby at 07:00.
""",
    "people/owners.md": """# Owners

| Area | Owner | Deputy |
| --- | --- | --- |
| Billing | Ines Okafor | Tomas Lindqvist |
| Timetable | Maud Keane | Ravi Anand |
| Harbour contracts | Tomas Lindqvist | Maud Keane |

Owner: Ines Okafor leads the guest services team.
""",
    "decisions/2026-03-payments.md": """---
date: 2026-03-03
---
# Move card payments to Quayside Pay

Decided on 3 March 2026. Card payments move from Brightcard to Quayside Pay because its fees are 0.4 points lower.
The error code PAY-4417 means that Quayside Pay refused a card.
""",
    "customers/saltmarsh.md": """# Saltmarsh Foods

Saltmarsh Foods is a client of Lumen Ferry and ships 40 pallets a week from Harwick to Skelby.
The contract ends on 31 December 2027. Contact person: Bea Holm.
""",
}
