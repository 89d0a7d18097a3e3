"""The alert rules and the dashboard name metrics that PAM really has, and each alert says what to do."""

import json
import re
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.test import Client

from tests.requirements import requirement

OPS = settings.BASE_DIR / "ops"
NAMED = re.compile(r"\bpam_[a-z_]+")
#: A counter that never counted has no line of its own.
BORN_LATER = {"pam_limits_unchecked_total"}


def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((OPS / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((OPS / "grafana.json").read_text())["panels"]
    return found


@requirement("operations:alerts")
@pytest.mark.django_db
def test_every_metric_of_an_alert_and_of_a_panel_is_there_to_be_scraped(settings: Any) -> None:
    settings.PAM_METRICS = True
    client = Client()
    client.get("/healthz")
    told = client.get("/metrics").content.decode()
    there = {line.split("{")[0].split(" ")[0] for line in told.splitlines() if not line.startswith("#")}

    asked = [rule["expr"] for rule in rules()] + [each["expr"] for panel in panels() for each in panel["targets"]]
    assert {name for expression in asked for name in NAMED.findall(expression)} - there - BORN_LATER == set()
    assert "# TYPE pam_limits_unchecked_total counter" in told


@requirement("operations:alerts")
def test_every_alert_has_its_step_in_the_handbook_of_operations() -> None:
    handbook = (settings.BASE_DIR / "docs" / "operations.md").read_text()

    assert [rule["alert"] for rule in rules() if f"`{rule['alert']}`" not in handbook] == []
    assert all(rule["annotations"]["summary"] and rule["labels"]["severity"] in ("page", "ticket") for rule in rules())


@requirement("operations:alerts")
def test_the_panels_do_not_lie_on_one_another() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells
