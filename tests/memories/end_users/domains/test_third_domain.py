"""A third domain is one more file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memories.end_users import domains
from memories.end_users.domains import registry
from tests.cast import Person
from tests.memories.end_users import diary
from tests.memories.end_users.domains.test_block import block
from tests.memories.end_users.domains.test_domains_api import choose
from tests.requirements import requirement

GYM = '''
"""The domain of a gym: what somebody lifts."""

from memories.end_users.domains.sayings import clauses


class Gym:
    name, schema_version, heading = "gym", 1, "At the gym:"
    fields, trait, restating = ("lifts",), "", ""

    def reads(self, said):
        return bool(self.gather([said]))

    def gather(self, said):
        told = [clause.text for one in said for clause in clauses.split(one.content)]
        lifts = [text.removeprefix("lifts ") for text in told if text.startswith("lifts ")]
        return {"lifts": lifts[-1]} if lifts else {}

    def shown(self, profile, ask):
        return {"lifts": profile.get("lifts")}

    gist = shown

    def lines(self, profile, ask):
        return [f"Lifts {profile['lifts']}."] if profile else []


DOMAIN = Gym()
'''


@pytest.fixture
def gym(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "gym.py").write_text(GYM)
    monkeypatch.setattr(domains, "__path__", [*domains.__path__, str(tmp_path)])
    registry.all_by_name.cache_clear()
    yield
    registry.all_by_name.cache_clear()


@requirement("end-users:domains:one-more-file")
def test_a_file_beside_the_others_is_a_domain(alice: Person, gym: None) -> None:
    assert registry.names() == ["edtech", "gym", "support"]
    choose(alice, "gym")
    diary.told(alice, "pat", "User lifts 80 kg.")
    assert block(alice, "pat") == "At the gym:\n- Lifts 80 kg."
