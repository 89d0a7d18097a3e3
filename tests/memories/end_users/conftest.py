"""Nothing that one test found out about the servers is believed in the next."""

import pytest

from memories.end_users.intake import rate


@pytest.fixture(autouse=True)
def fresh_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate, "counter", rate.Counter())
