"""A real server and a real browser. The server is uvicorn in a thread of the test process, over the test database; the
browser is the machine's own Chromium (PAM_CHROMIUM names another one), headless, with an empty profile for each test.
"""

import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, expect, sync_playwright

from pam.asgi import application
from tests.cast import PASSWORD, Person

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: Chromium writes a line to the console for every refused request; pages that must be refused are asserted by status.
REFUSED = "Failed to load resource: the server responded with a status of 4"
#: Long, for machines that are busy with other tests; whoever waits for what is there waits no longer than it takes.
PATIENCE_MS = 30_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@dataclass
class Visitor:
    """Somebody at a browser. `complaints` is what went wrong in it that nobody asked for."""

    context: BrowserContext
    url: str
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.context.on("response", self._answered)
        self.page: Page = self.context.new_page()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(REFUSED):
            self.complaints.append(message.text)

    def _answered(self, response: Response) -> None:
        if response.status >= 500:
            self.complaints.append(f"{response.status} {response.url}")

    def forgive(self, about: str) -> None:
        """What the test itself brought about is no complaint."""
        self.complaints = [complaint for complaint in self.complaints if about not in complaint]

    def sign_in(self, person: Person) -> Page:
        self.page.goto("/accounts/login/")
        self.page.get_by_label("Email").fill(person.user.email)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/setup")
        return self.page


@pytest.fixture
def live_url(transactional_db: None, settings: Any) -> Iterator[str]:
    """The address of a running PAM."""
    config = uvicorn.Config(application, host="127.0.0.1", port=0, lifespan="off", log_level="warning", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
        assert thread.is_alive(), "uvicorn did not start"
    port = server.servers[0].sockets[0].getsockname()[1]
    settings.PUBLIC_URL = f"http://127.0.0.1:{port}"
    yield settings.PUBLIC_URL
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("PAM_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("There is no Chromium here. Install one, or name it in PAM_CHROMIUM.")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright's loop runs in this thread, for which reason Django takes the tests' own queries for async ones.
        expect.set_options(timeout=PATIENCE_MS)
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, live_url: str) -> Iterator[Any]:
    """Opens a browser: `visit()`, `visit(java_script_enabled=False)`. Fails the test for whatever it complained of."""
    visitors: list[Visitor] = []

    def opened(**options: Any) -> Visitor:
        context = chromium.new_context(base_url=live_url, **options)
        visitors.append(Visitor(context, live_url))
        return visitors[-1]

    yield opened
    for visitor in visitors:
        visitor.context.close()
    assert [complaint for visitor in visitors for complaint in visitor.complaints] == []
