"""What an operator's Prometheus and log collector get."""

import json
import logging
from typing import Any

import pytest
from django.test import Client

from accounts import isolation
from accounts.models import Account, Plan
from pam import metrics
from pam.logs import JSONFormatter
from tests.belongings import belongings
from tests.cast import Person
from tests.mcp_gateway.clients import Wire
from tests.memories.end_users import diary
from tests.requirements import requirement


def told(headers: dict[str, str] | None = None) -> dict[str, float]:
    answer = Client().get("/metrics", headers=headers or {})
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


@requirement("operations:metrics")
def test_metrics_tell_requests_by_surface_and_what_waits(alice: Person, settings: Any) -> None:
    settings.PAM_METRICS = True
    name = 'pam_request_seconds_count{method="GET",status="4xx",surface="end_users"}'
    before = told().get(name, 0.0)
    diary.told(alice, "pat", "User lives in Lisbon.")
    Client().get("/v1/memories?external_user_id=pat")

    found = told()

    assert found[name] == before + 1
    assert (found["pam_accounts"], found["pam_rows_without_vector"]) == (1.0, 1.0)
    assert found["pam_oldest_row_without_vector_seconds"] >= 0
    assert found["pam_worker_seen"] in (0.0, 1.0)


@requirement("operations:metrics")
def test_no_label_names_anybody(alice: Person, settings: Any) -> None:
    settings.PAM_METRICS = True
    diary.told(alice, "heliotrope", "User lives in Lisbon.")
    Client().generic("HELIOTROPE", "/v1/memories/heliotrope")

    text = Client().get("/metrics").content.decode()

    assert "heliotrope" not in text.lower()
    assert alice.account.public_id not in text


@requirement("operations:metrics")
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer "}])
def test_metrics_are_there_for_nobody_without_leave(db: None, settings: Any, headers: dict[str, str]) -> None:
    assert Client().get("/metrics").status_code == 404
    settings.PAM_METRICS, settings.PAM_METRICS_TOKEN = True, "right"
    assert Client().get("/metrics", headers=headers).status_code == 404
    assert told({"Authorization": "Bearer right"})


@pytest.mark.parametrize(
    ("path", "surface"),
    [
        ("/v1/mcp/memory", "mcp_memory"),
        ("/v1/mcp", "mcp_knowledge"),
        ("/v1/memory/retrieve", "company"),
        ("/v1/memories", "end_users"),
        ("/v1/memoriesque", "pages"),
        ("/sources", "pages"),
    ],
)
@requirement("operations:metrics")
def test_a_path_belongs_to_one_surface(path: str, surface: str) -> None:
    assert metrics.surface(path) == surface


@requirement("operations:logs")
def test_a_log_line_as_json_names_request_and_account() -> None:
    record = logging.LogRecord("pam", logging.WARNING, __file__, 1, "It is %s\nindeed.", ("late",), None)
    record.request_id, record.account = "r", "acc_1"

    line = JSONFormatter().format(record)

    assert "\n" not in line
    told = json.loads(line)
    assert (told["message"], told["level"]) == ("It is late\nindeed.", "WARNING")
    assert (told["request_id"], told["account"]) == ("r", "acc_1")


@requirement("operations:logs")
def test_lines_of_a_request_name_the_account_once_it_is_known(alice: Person, caplog: Any, monkeypatch: Any) -> None:
    lines = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.account)  # type: ignore[attr-defined]

    handler = Kept()
    handler.addFilter(logging.root.handlers[0].filters[0])
    logger = logging.getLogger("memories.api.end_users.envelope")
    logger.addHandler(handler)
    try:
        monkeypatch.setattr("memories.end_users.listing.memories", lambda *args, **kwargs: 1 / 0)
        diary.send(alice, "get", "memories?external_user_id=pat")
    finally:
        logger.removeHandler(handler)

    assert lines == [alice.account.public_id]


@requirement("operations:logs")
def test_a_days_work_leaves_lines_with_request_and_account_and_no_words_of_anybody(
    alice: Person, settings: Any, tmp_path: Any
) -> None:
    """Without Valkey, as then every metered request has something to log, and much of what is kept elsewhere fails."""
    belongings(alice)
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}}
    with isolation.every_account():
        Account.objects.filter(pk=alice.account.pk).update(plan=Plan.objects.get(name="starter"))
    handler = logging.FileHandler(tmp_path / "log")
    handler.setFormatter(JSONFormatter())
    handler.addFilter(logging.root.handlers[0].filters[0])
    logging.root.addHandler(handler)
    try:
        for number in range(20):
            _work(alice, f"zyxomarvel {number}")
    finally:
        logging.root.removeHandler(handler)
        handler.close()

    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    metered = [line for line in lines if line["logger"] in ("accounts.quotas", "accounts.rates")]
    assert len(metered) >= 40
    assert {line["account"] for line in metered} == {alice.account.public_id}
    assert len({line["request_id"] for line in metered} - {"-"}) >= 40
    assert "zyxomarvel" not in str(lines)
    assert alice.secret not in str(lines)


def _work(who: Person, words: str) -> None:
    """Asks, records, remembers and recalls `words`, rightly and wrongly."""
    agent = Wire(who.secret)
    agent.call(prompt=words)
    agent.call(prompt=words, **{words: words})
    Wire(who.secret, path="/v1/mcp").request("tools/call", {"name": words, "arguments": {"query": words}})
    diary.send(who, "post", "memories", {"external_user_id": words, "content": words, "category": "fact"})
    diary.send(who, "post", "memories", {"external_user_id": words, "content": words, "category": words})
    diary.send(who, "post", "memories/retrieve", {"external_user_id": words, "query": words})
    diary.send(who, "post", "memories", f"{{{words}")
