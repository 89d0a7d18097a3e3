"""Is it alive, is it ready: two pages for load balancers and for `up`. They tell no secrets and ask for no login."""

from collections.abc import Callable

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from psycopg_pool import PoolTimeout
from redis.exceptions import RedisError

from memories import embedding
from pam.heartbeat import last_seen

OK = "ok"


def live(request: HttpRequest) -> JsonResponse:
    """`/healthz`: this process answers. It asks nobody else, so that an outage elsewhere does not get it killed."""
    return JsonResponse({"status": OK})


def ready(request: HttpRequest) -> JsonResponse:
    """`/readyz`: 200 ``{status: ready, checks}`` when a call would be served, 503 ``{status: unready, checks}`` if not.

    `checks` names database, extension, migrations, valkey, worker and model, each "ok" or a reason.
    """
    checks = _database() | _valkey() | _model()
    is_ready = all(state == OK for state in checks.values())
    return JsonResponse(
        {"status": "ready" if is_ready else "unready", "checks": checks}, status=200 if is_ready else 503
    )


def _model() -> dict[str, str]:
    """A question that comes before the model is loaded would wait for it."""
    return {"model": "is being loaded" if embedding.is_warming_up() else OK}


def _database() -> dict[str, str]:
    checks: dict[str, Callable[[], str]] = {"database": _select, "extension": _extension, "migrations": _migrations}
    try:
        return {name: check() for name, check in checks.items()}
    except (DatabaseError, PoolTimeout):
        return {"database": "cannot be reached"}


def _select() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return OK


def _extension() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'")
        return OK if cursor.fetchone() else "the extension `vector` is missing"


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(missing)} to be run" if missing else OK


def _valkey() -> dict[str, str]:
    try:
        seen = last_seen(cache)
    except RedisError:
        return {"valkey": "cannot be reached"}
    return {"valkey": OK, "worker": OK if seen else "none was seen within a minute"}
