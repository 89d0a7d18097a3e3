"""The two fences between tenants, tried at the database itself."""

import pytest
from django.apps import apps
from django.db import ProgrammingError, connection, transaction

from accounts import isolation
from accounts.models import AgentKey
from tests.cast import Person
from tests.requirements import requirement

TENANT_MODELS = [
    model
    for model in apps.get_models()
    if any(field.name == "account" and field.remote_field for field in model._meta.fields)
    and model._meta.app_label in ("accounts", "memories", "mcp_gateway")
]


@requirement("accounts:isolation:forgotten-filter")
def test_a_forgotten_filter_returns_nothing(alice: Person, charlie: Person) -> None:
    assert AgentKey.objects.count() == 0

    with isolation.account(alice.account.pk):
        assert [key.account_id for key in AgentKey.objects.all()] == [alice.account.pk]


@requirement("accounts:isolation:every-tenant-table")
@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda model: model._meta.db_table)
@pytest.mark.django_db
def test_every_tenant_table_is_behind_forced_row_level_security(model: type) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = %s::regclass", [model._meta.db_table]
        )
        assert cursor.fetchone() == (True, True)


@requirement("accounts:isolation:plain-role")
@pytest.mark.django_db
def test_the_application_connects_as_a_role_that_cannot_step_around_the_policies() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone() == (False, False)


@requirement("accounts:isolation:no-foreign-writes")
def test_a_row_of_another_account_cannot_be_written_or_moved(alice: Person, charlie: Person) -> None:
    with pytest.raises(ProgrammingError, match="row-level security"), isolation.account(alice.account.pk):
        AgentKey.objects.create(account=charlie.account, name="smuggled", prefix="x", key_hash="y")

    with isolation.account(alice.account.pk):
        assert AgentKey.objects.filter(account=charlie.account).update(name="renamed") == 0
    with pytest.raises(ProgrammingError, match="row-level security"), isolation.account(alice.account.pk):
        AgentKey.objects.filter(account=alice.account).update(account=charlie.account)


@requirement("accounts:isolation:ends-with-the-transaction")
def test_the_view_of_an_account_ends_with_its_block(alice: Person) -> None:
    with isolation.every_account():
        assert AgentKey.objects.count() == 1
        with isolation.account(alice.account.pk):
            assert AgentKey.objects.count() == 1
        assert AgentKey.objects.count() == 1

    assert AgentKey.objects.count() == 0


@requirement("accounts:isolation:ends-with-the-transaction")
def test_a_failure_inside_a_block_takes_the_view_back_too(alice: Person, charlie: Person) -> None:
    with isolation.account(alice.account.pk):
        with pytest.raises(RuntimeError), isolation.every_account():
            raise RuntimeError
        assert AgentKey.objects.count() == 1

    assert AgentKey.objects.count() == 0


@requirement("accounts:isolation:ends-with-the-transaction")
@pytest.mark.django_db(transaction=True)
def test_a_connection_goes_back_to_the_pool_seeing_nothing(alice: Person) -> None:
    with isolation.account(alice.account.pk):
        pass
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s, true)", [isolation.SETTING])
        assert cursor.fetchone()[0] in (None, "")


@requirement("accounts:isolation:lasting")
@pytest.mark.django_db(transaction=True)
def test_only_work_that_can_be_done_again_does_not_wait_for_the_disk(alice: Person) -> None:
    waits = []
    with connection.cursor() as cursor:
        # The tests' own server never waits, so the session says what a durable one does.
        cursor.execute("SET synchronous_commit = on")
        for is_lasting in (True, False, True):
            with isolation.account(alice.account.pk, is_lasting=is_lasting):
                cursor.execute("SHOW synchronous_commit")
                waits.append(cursor.fetchone()[0])
        cursor.execute("RESET synchronous_commit")

    assert waits == ["on", "off", "on"]
