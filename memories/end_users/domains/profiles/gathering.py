"""What workers do for profiles: gather those of a whole account, and have a model restate what no rule reads."""

from accounts import isolation
from accounts.models import Account
from memories import work
from memories.end_users.domains import registry
from memories.end_users.domains.profiles import keep, restating, setup
from memories.models import EndUser

#: Profiles gathered by one task, in hundreds; the next message does the next ones.
ROUNDS = 10


def gather(account_pk: int) -> None:
    """Gathers profiles of the account, ROUNDS hundreds at a time, and sends for the next."""
    with isolation.account(account_pk, is_lasting=False):
        account = Account.objects.filter(pk=account_pk).first()
        domain = registry.named(setup.of(account).domain_schema) if account else None
        if account and domain and not keep.catch_up(account, domain, rounds=ROUNDS):
            work.after_commit([(work.GATHER_PROFILES, (account_pk,))])


def restate(account_pk: int, end_user_pk: int) -> None:
    """Asks the model about what no rule read of one person, outside of any transaction, and gathers them anew.

    What was edited or deleted while the model thought is dropped with its hash."""
    with isolation.account(account_pk):
        account = Account.objects.filter(pk=account_pk).first()
        person = EndUser.objects.filter(account_id=account_pk, pk=end_user_pk, blocked_at=None).first()
        domain = registry.named(setup.of(account).domain_schema) if account else None
        if account is None or person is None or domain is None:
            return
        waiting = keep.unread(account, person, domain)
    said = restating.ask(domain, waiting)
    if said:
        with isolation.account(account_pk):
            keep.add_restated(account, end_user_pk, domain, said)
