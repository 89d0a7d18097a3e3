"""The two pages that load balancers ask."""

import pytest
from celery.signals import heartbeat_sent
from django.core.cache import cache
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

import pam.celery
from pam import heartbeat
from pam.local import ports
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
def test_not_ready_while_valkey_is_down(client: Client, settings: Settings) -> None:
    down = {**settings.CACHES["default"], "LOCATION": f"redis://{ports.LOOPBACK}:{ports.free()}/0"}
    settings.CACHES = {"default": down}

    response = client.get("/readyz")

    assert response.status_code == 503
    assert response.json()["checks"]["valkey"] == "cannot be reached"
    assert response.json()["checks"]["database"] == "ok"
