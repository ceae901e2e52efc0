"""The site builds without a warning: pages, links, anchors, and names of the Python API."""

import shutil
import subprocess
import sys
from pathlib import Path

from tools.docs.pages import DOCS, ROOT


def test_the_site_builds(tmp_path: Path) -> None:
    shutil.copytree(DOCS, tmp_path / "docs")
    for name in ("python", "tools"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list((tmp_path / "build" / "site").rglob("*.html"))) > len(list(DOCS.rglob("*.md")))
