"""The documentation is a site whose links and anchors all lead somewhere."""

import subprocess
import sys
from pathlib import Path

from django.conf import settings

from tests.requirements import requirement


@requirement("operations:docs")
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", f"--site-dir={tmp_path}"]

    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    pages = list(tmp_path.rglob("index.html"))
    assert len(pages) > 10
    assert [page for page in pages if 'src="http' in page.read_text()] == []
    assert "Which versions are looked after" in (tmp_path / "security" / "index.html").read_text()
