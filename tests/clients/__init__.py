"""The clients that people really use, each driven by a script against a running server. `make clients` runs them.

From npm: `connectors/` (conformance suite, Inspector, both TypeScript SDKs, mcp-remote) and `agents/` (the command
lines of Claude Code, Codex and Gemini), at the versions of their package.json. From PyPI: `mcp` and `fastmcp`.
"""

import pytest

#: For every module here. pytest-django makes the test database only for tests that say they use it.
MARKS = [pytest.mark.clients, pytest.mark.django_db]
