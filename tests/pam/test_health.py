"""The two pages that load balancers ask."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from celery.signals import heartbeat_sent
from django.core.cache import cache
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

import pam.celery
from pam import heartbeat
from pam.local import ports
from pam.local.valkey import Valkey
from tests.requirements import requirement


@pytest.fixture
def no_worker() -> None:
    cache.delete(heartbeat.KEY)


@requirement("health:live")
@pytest.mark.django_db
def test_the_live_page_asks_nobody(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        response = client.get("/healthz")

    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@requirement("health:ready")
@pytest.mark.django_db
def test_ready_once_a_worker_was_seen_and_not_before(client: Client, no_worker: None) -> None:
    before = client.get("/readyz")
    heartbeat_sent.send(sender=pam.celery.app)
    after = client.get("/readyz")

    assert before.status_code == 503
    assert before.json()["checks"]["worker"] == "none was seen within a minute"
    assert after.status_code == 200
    assert after.json() == {
        "status": "ready",
        "checks": dict.fromkeys(("database", "extension", "migrations", "valkey", "worker", "model"), "ok"),
    }


@requirement("health:ready")
@pytest.mark.django_db
def test_not_ready_while_a_migration_is_missing(client: Client) -> None:
    heartbeat.beat(cache)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE id = (SELECT max(id) FROM django_migrations)")

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["checks"]["migrations"] == "1 to be run"


@requirement("health:ready")
@pytest.mark.django_db
def test_not_ready_while_valkey_is_stopped(client: Client, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    valkey = Valkey(tmp_path, say=lambda line: None, durable=False)
    valkey.start()
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": valkey.url}}
    try:
        heartbeat.beat(cache)
        before = client.get("/readyz")
    finally:
        valkey.stop()

    response = client.get("/readyz")

    assert before.status_code == 200
    assert response.status_code == 503
    assert response.json()["checks"]["valkey"] == "cannot be reached"
    assert response.json()["checks"]["database"] == "ok"


@pytest.fixture
def elsewhere(transactional_db: None) -> Iterator[Callable[..., None]]:
    """Points this process at another database from its next query on, and back again after the test."""
    kept = dict(connection.settings_dict)
    pool = kept["OPTIONS"]["pool"]

    def point(**changed: Any) -> None:
        connection.close()
        connection.close_pool()
        connection.settings_dict.update(changed)

    yield point
    point(**{**kept, "OPTIONS": {**kept["OPTIONS"], "pool": pool}})


@requirement("health:ready")
def test_not_ready_while_the_database_is_away(client: Client, elsewhere: Callable[..., None]) -> None:
    heartbeat.beat(cache)
    options = connection.settings_dict["OPTIONS"]
    elsewhere(PORT=ports.free(), OPTIONS={**options, "pool": {**options["pool"], "timeout": 0.5}})

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["checks"] == {
        "database": "cannot be reached",
        "valkey": "ok",
        "worker": "ok",
        "model": "ok",
    }
    assert client.get("/healthz").status_code == 200


@requirement("health:ready")
def test_not_ready_in_a_database_without_the_extension(client: Client, elsewhere: Callable[..., None]) -> None:
    heartbeat.beat(cache)
    # Made by initdb before the extension was put into template1, so it is a real database that lacks it.
    elsewhere(NAME="postgres")

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["checks"]["extension"] == "the extension `vector` is missing"
    assert "to be run" in response.json()["checks"]["migrations"]
