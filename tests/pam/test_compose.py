"""The production shape is not started here; what its files name has to be there, and what they repeat has to agree."""

import re
import shlex
from importlib import import_module
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands

from pam.local.postgres import EXTENSIONS, LEAKPROOF
from tests.requirements import requirement

BASE = settings.BASE_DIR
COMPOSE = (BASE / "docker-compose.yml").read_text()
FOUND: dict[str, Any] = yaml.safe_load(COMPOSE)
SERVICES: dict[str, dict[str, Any]] = FOUND["services"]
OURS = sorted(name for name, service in SERVICES.items() if service["image"] == "pam")
#: Read by the image of Postgres when it makes the database.
OF_POSTGRES = {"POSTGRES_PASSWORD", "PAM_DATABASE_PASSWORD"}


def read_by_the_code() -> str:
    return "".join(path.read_text() for path in (BASE / "pam").glob("*.py"))


@requirement("operations:compose")
def test_every_variable_of_the_services_is_read_and_every_one_of_the_file_is_listed() -> None:
    code = read_by_the_code()
    listed = set(re.findall(r"(?m)^#?([A-Z_]+)=", (BASE / ".env.example").read_text()))

    for name in OURS:
        given = set(SERVICES[name]["environment"]) - OF_POSTGRES
        assert [variable for variable in given if f'"{variable}"' not in code] == []
    assert set(SERVICES["postgres"]["environment"]) == OF_POSTGRES
    assert set(re.findall(r"\$\{([A-Z_]+)", COMPOSE)) <= listed


@requirement("operations:compose")
def test_the_superusers_password_reaches_postgres_alone() -> None:
    assert {SERVICES[name]["environment"]["POSTGRES_PASSWORD"] for name in OURS} == {""}


@requirement("operations:compose")
def test_services_wait_for_what_they_need_and_say_whether_they_are_well() -> None:
    for name, service in SERVICES.items():
        for needed, how in service.get("depends_on", {}).items():
            ends = how["condition"] == "service_completed_successfully"
            assert ends or (how["condition"] == "service_healthy" and "healthcheck" in SERVICES[needed]), name
        volumes = [each.split(":")[0] for each in service.get("volumes", [])]
        for volume in volumes:
            assert (BASE / volume).is_file() if volume.startswith(".") else volume in FOUND["volumes"], volume
    # Migration ends by itself; beat has no port and answers nobody, and what it forgets the alerts notice.
    assert {name for name, service in SERVICES.items() if "healthcheck" not in service} == {"migrate", "beat"}


@requirement("operations:compose")
@pytest.mark.parametrize("name", OURS)
def test_each_command_is_one_that_exists(name: str) -> None:
    command = SERVICES[name]["command"]

    if command[0] == "python":
        assert (BASE / command[1]).is_file()
        assert command[2] in get_commands()
        return
    assert command[0] in ("uvicorn", "celery")
    module, _, wanted = (command[1].removeprefix("--app=")).partition(":")
    assert hasattr(import_module(module), wanted or "app")


@requirement("operations:compose")
def test_only_the_web_process_is_reached_and_only_from_this_machine() -> None:
    opened = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}

    assert list(opened) == ["web"]
    assert all(port.startswith("127.0.0.1:") for port in opened["web"])


@requirement("operations:compose")
def test_a_database_made_for_docker_is_made_as_the_embedded_one() -> None:
    script = (BASE / "docker" / "make-database.sh").read_text()

    assert tuple(re.findall(r"CREATE EXTENSION (\w+);", script)) == EXTENSIONS
    assert tuple(re.findall(r"ALTER FUNCTION pg_catalog\.(.+) LEAKPROOF;", script)) == LEAKPROOF
    assert "NOSUPERUSER NOBYPASSRLS" in script


@requirement("operations:compose")
def test_the_image_runs_as_nobody_and_starts_what_compose_starts() -> None:
    lines = re.sub(r"\\\n\s*", "", (BASE / "Dockerfile").read_text()).splitlines()
    ignored = (BASE / ".dockerignore").read_text().split()

    assert [line for line in lines if line.startswith("USER ")] == ["USER pam"]
    (start,) = (line.removeprefix("CMD ") for line in lines if line.startswith("CMD "))
    assert yaml.safe_load(start) == SERVICES["web"]["command"]
    for line in (line for line in lines if line.startswith("COPY ")):
        for source in shlex.split(line)[1:-1]:
            assert (BASE / source).exists()
            assert source not in ignored
    # Secrets and a developer's own data stay out of the image.
    assert {".env", ".pam", ".git"} <= set(ignored)
