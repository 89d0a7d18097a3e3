"""How the secrets of clients are kept: as quick to check as they are hard to guess.

They are drawn at random, 128 characters of them, so there is nothing to try out; the slow hash of people's passwords
would cost much of the processor at every token request. One that was kept by that stays valid.
"""

import hashlib
from typing import Any

from django.contrib.auth.hashers import BasePasswordHasher, mask_hash
from django.utils.crypto import constant_time_compare


class RandomSecretHasher(BasePasswordHasher):
    """SHA-256 with a salt, for what is random. Never for what a person chose: it stands last in PASSWORD_HASHERS."""

    algorithm = "random_sha256"

    def encode(self, password: str, salt: str) -> str:
        digest = hashlib.sha256(f"{salt}{password}".encode()).hexdigest()
        return f"{self.algorithm}${salt}${digest}"

    def decode(self, encoded: str) -> dict[str, Any]:
        algorithm, salt, digest = encoded.split("$", 2)
        return {"algorithm": algorithm, "salt": salt, "hash": digest}

    def verify(self, password: str, encoded: str) -> bool:
        return constant_time_compare(encoded, self.encode(password, self.decode(encoded)["salt"]))

    def safe_summary(self, encoded: str) -> dict[Any, Any]:
        return {"algorithm": self.algorithm, "hash": mask_hash(self.decode(encoded)["hash"])}

    def harden_runtime(self, password: str, encoded: str) -> None:
        """Nothing to be made slower."""
