"""Inspector's command line."""

import json
from dataclasses import dataclass
from typing import Any

from tests.clients.desk import Desk


@dataclass(frozen=True, slots=True)
class Inspector:
    """`inspector(url, authorization, "--method", …)` returns the JSON that it prints."""

    desk: Desk

    def __call__(self, url: str, authorization: str, *arguments: str) -> Any:
        to = ("--transport", "http", "--server-url", url, "--header", f"Authorization: {authorization}")
        return json.loads(self.desk.run("inspector", "--cli", *to, *arguments))
