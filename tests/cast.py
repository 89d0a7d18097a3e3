"""The cast of every test: Alice owns an account, Bob is a member of it, Charlie is a stranger who owns another.

Fixtures are collected by conftest.py.
"""

from dataclasses import dataclass

import pytest

from accounts import api_keys, isolation, keys, membership
from accounts.caller import Caller
from accounts.models import Account, Membership, User

PASSWORD = "correct horse battery staple"


@dataclass(frozen=True)
class Person:
    """Someone with an account to work in, an agent key of it, and an API key of their product."""

    user: User
    account: Account
    role: str
    secret: str
    product_secret: str

    @property
    def caller(self) -> Caller:
        """The console's view of them."""
        return Caller(account=self.account, surface="console", user=self.user, role=self.role)

    @property
    def agent(self) -> Caller:
        """Their agent, through the key."""
        key = keys.recognise(self.secret)
        assert key is not None
        return Caller(account=self.account, surface="agent_key", scopes=frozenset(key.scopes), key=key)

    @property
    def product(self) -> Caller:
        """The back end of their product, through its API key."""
        key = api_keys.recognise(self.product_secret)
        assert key is not None
        return Caller(account=self.account, surface="api_key", scopes=frozenset(key.permissions), api_key=key)


def person(name: str, account: Account | None = None, role: str = "owner") -> Person:
    user = User.objects.create_user(f"{name}@example.com", PASSWORD, name=name.title())
    if account is None:
        account = membership.found(f"{name.title()}'s company", owner=user)
    else:
        with isolation.account(account.pk):
            Membership.objects.create(account=account, user=user, role=role)
    agent = keys.issue(account, name=f"{name}'s agent", created_by=user)
    product = api_keys.issue(
        account, name=f"{name}'s product", created_by=user, rate_limit_per_minute=api_keys.MAX_RATE
    )
    return Person(user, account, role, agent.secret, product.secret)


@pytest.fixture
def alice(db: None) -> Person:
    """Owns the account that most tests are about."""
    return person("alice")


@pytest.fixture
def bob(alice: Person) -> Person:
    """A member of Alice's account."""
    return person("bob", alice.account, "member")


@pytest.fixture
def charlie(db: None) -> Person:
    """A stranger: owns another account and must never see anything of Alice's."""
    return person("charlie")
