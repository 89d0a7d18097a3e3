"""Every text of an account that has a vector. Needs a Django that is set up; bare_embedder.py imports it then."""

from accounts import isolation, membership
from memories import indexing
from memories.models import Fact, Memory, Section


def of(account_id: str) -> list[str]:
    """The texts as they were embedded, sections first and memories of end users last. `account_id`: a public id."""
    account = membership.account_named(account_id)
    with isolation.account(account.pk):
        sections = Section.objects.filter(account=account, vector__isnull=False)
        facts = Fact.objects.filter(account=account, vector__isnull=False)
        memories = Memory.objects.filter(account=account, vector__isnull=False)
        return [indexing.input_of(row) for rows in (sections, facts, memories) for row in rows.iterator()]
