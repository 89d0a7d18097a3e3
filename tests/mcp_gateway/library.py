"""A shelf of documents for an account, as workers leave them before the embedding: found by their words.

Without workers and without vectors, because the gateway's tests are about neither.
"""

from accounts import isolation
from accounts.models import Account
from memories import indexing
from memories.company import readiness
from memories.company.reading import extract, outline
from memories.models import Document, Fact, Section, Source

OWNERS = """# Owners

## Billing

Ines Okafor owns billing at Lumen Ferry. Her deputy is Tomas Lindqvist.
Billing moved from Stripe to Adyen in March 2026.

## Support

Priya Raman owns customer support. The support desk answers within four hours.
"""


def shelve(account: Account, path: str = "company/owners.md", text: str = OWNERS) -> Document:
    """Stores a Markdown document with its sections and facts, so that the account is ready."""
    read = outline.read(text, path)
    with isolation.account(account.pk):
        source, _ = Source.objects.get_or_create(account=account, kind=Source.Kind.FOLDER, name="handbook")
        document = Document.objects.create(
            account=account,
            source=source,
            path=path,
            title=read.title,
            text=text,
            state=Document.State.READY,
            section_count=len(read.sections),
        )
        for position, section in enumerate(read.sections):
            _shelve_section(account, document, section, position)
        indexing.refresh_statistics(account)
        readiness.refresh(account.pk)
    return document


def _shelve_section(account: Account, document: Document, section: outline.Section, position: int) -> None:
    row = Section.objects.create(
        account=account,
        document=document,
        position=position,
        tree_path=section.tree_path,
        heading=section.heading,
        summary=section.summary,
        text=section.markdown,
        content_hash=section.digest,
        **indexing.columns("section", section.text, section.heading),
    )
    Fact.objects.bulk_create(
        Fact(
            account=account,
            document=document,
            section=row,
            position=number,
            heading=statement.heading,
            statement=statement.text,
            statement_hash=extract.statement_hash(statement.text),
            **indexing.columns("fact", statement.text, statement.heading),
        )
        for number, statement in enumerate(extract.statements(section))
    )
