"""Inspector's command line."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients.npm import Programs

RUN_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Inspector:
    """`inspector(url, authorization, "--method", …)` returns the JSON that it prints."""

    programs: Programs
    home: Path

    def __call__(self, url: str, authorization: str, *arguments: str) -> Any:
        header = ("--header", f"Authorization: {authorization}")
        command = self.programs.command(
            "inspector", "--cli", "--transport", "http", "--server-url", url, *header, *arguments
        )
        done = subprocess.run(
            command, env=self.programs.environment(self.home), capture_output=True, text=True, timeout=RUN_SECONDS
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
