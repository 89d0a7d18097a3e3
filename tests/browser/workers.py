"""What the workers of a running PAM do, done here and now, so that a test decides when."""

from accounts import isolation
from accounts.models import Account
from memories.company.processing import claims, process, vectors
from memories.models import Readiness


def work_off(account: Account) -> None:
    """Reads every document that waits and gives every text its vector."""
    while (waiting := claims.next_free(account.pk)) is not None:
        process.document(waiting, account.pk)
    while vectors.embed(account.pk):
        pass


def state_of(account: Account) -> str:
    with isolation.account(account.pk):
        return str(Readiness.objects.get(account=account).state)
