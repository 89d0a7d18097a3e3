"""How quick the console's pages are with much to show, over HTTP and as an owner who is signed in.

python -m benchmarks pages                 each page's time, with 100,000 calls logged and 50,000 memories
python -m benchmarks pages --lighthouse    also what Lighthouse says of three of them (npx fetches it from npm)
"""

import http.client
import json
import re
import subprocess
import time
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import urlencode, urlsplit

from benchmarks import running
from benchmarks.figures import Figure

CALLS, MEMORIES = 100_000, 50_000
PAGES = (
    "/setup",
    "/access",
    "/sources",
    "/memories",
    "/memories?q=billing",
    "/end-users",
    "/end-users?q=other",
    "/end-users/user?id=somebody",
    "/conflicts",
    "/usage",
    "/usage?days=90",
    "/request-log",
    "/request-log?page=50",
    "/request-log?q=dock+77",
    "/request-log?status=error",
    "/team",
)
VISITS = 7
MOST_MS = 150
LIGHTHOUSE = "lighthouse@12.8.2"
JUDGED = ("/setup", "/usage", "/request-log")
CATEGORIES = ("performance", "accessibility", "best-practices")


class Visitor:
    """The owner at a browser without pictures: one connection that is kept open, and a session."""

    def __init__(self, url: str, email: str, password: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc)
        self.cookies = SimpleCookie()
        form = self.get("/accounts/login/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
        assert token, "The login form has no CSRF token."
        given = urlencode({"login": email, "password": password, "csrfmiddlewaretoken": token[1]})
        self._ask("POST", "/accounts/login/", given, {"Content-Type": "application/x-www-form-urlencoded"})

    def get(self, path: str) -> str:
        """The page. Raises RuntimeError when there is none."""
        status, text = self._ask("GET", path)
        if status != 200:
            raise RuntimeError(f"{path} answered {status}.")
        return text

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={each.value}" for name, each in self.cookies.items())

    def _ask(self, method: str, path: str, body: str = "", headers: dict[str, str] | None = None) -> tuple[int, str]:
        self._connection.request(method, path, body, {"Cookie": self.cookie, **(headers or {})})
        answer = self._connection.getresponse()
        text = answer.read().decode()
        for line in answer.headers.get_all("Set-Cookie") or []:
            self.cookies.load(line)
        return answer.status, text


def run(*, lighthouse: bool) -> Iterator[Figure]:
    """Starts a PAM whose demo account has much in it, and yields each page's median time in milliseconds."""
    with running.pam() as pam:
        demo = pam.demo
        fill = f"from benchmarks import pages_filling as f; f.fill({demo['account']!r}, {CALLS}, {MEMORIES})"
        pam.manage("shell", "--no-imports", "-c", fill)
        visitor = Visitor(pam.url, demo["email"], demo["password"])
        for path in PAGES:
            yield Figure(f"{path}, p50", _median(visitor, path), "ms", MOST_MS)
        if lighthouse:
            for path in JUDGED:
                yield from judged(pam.url + path, visitor.cookie)


def _median(visitor: Visitor, path: str) -> float:
    visitor.get(path)
    times = []
    for _ in range(VISITS):
        started = time.perf_counter()
        visitor.get(path)
        times.append(1000 * (time.perf_counter() - started))
    return median(times)


def judged(url: str, cookie: str) -> Iterator[Figure]:
    """Lighthouse's scores (0 to 100) of a page seen with this cookie, on a desktop."""
    with TemporaryDirectory() as folder:
        headers, report = Path(folder, "headers.json"), Path(folder, "report.json")
        headers.write_text(json.dumps({"Cookie": cookie}))
        command = ["npx", "--yes", LIGHTHOUSE, url, f"--extra-headers={headers}", "--output=json"]
        command += [
            f"--output-path={report}",
            f"--only-categories={','.join(CATEGORIES)}",
            "--preset=desktop",
            "--quiet",
        ]
        command += ["--chrome-flags=--headless=new --no-sandbox --disable-gpu"]
        subprocess.run(command, check=True, capture_output=True)
        found = json.loads(report.read_text())["categories"]
    for name in CATEGORIES:
        score = 100 * found[name]["score"]
        yield Figure(f"Lighthouse, {urlsplit(url).path}, {name}", score, "", 95, at_most=False)
