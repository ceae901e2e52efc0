"""The built console: small, self-contained, and fit for a content security policy without exceptions."""

import gzip
import re
from pathlib import Path

import pytest

import sengoku

CONSOLE = Path(sengoku.__file__).parent / "console"
MAX_COMPRESSED = 250_000


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    assert (CONSOLE / "index.html").exists(), "`make setup` builds the console"
    return {
        str(path.relative_to(CONSOLE)): path.read_bytes() for path in CONSOLE.rglob("*") if path.is_file()
    }


def test_it_is_small(files: dict[str, bytes]) -> None:
    compressed = sum(len(content) for name, content in files.items() if name.endswith(".gz"))
    assert 5_000 < compressed < MAX_COMPRESSED


def test_every_file_has_a_compressed_copy(files: dict[str, bytes]) -> None:
    plain = {name for name in files if not name.endswith(".gz")}
    assert {name for name in files if name.endswith(".gz")} == {f"{name}.gz" for name in plain}
    for name in plain:
        assert gzip.decompress(files[f"{name}.gz"]) == files[name]


def test_names_of_assets_change_with_their_content(files: dict[str, bytes]) -> None:
    assets = [name for name in files if name.startswith("assets/")]
    assert assets
    for name in assets:
        assert re.fullmatch(r"assets/[\w.-]+-[A-Z0-9]{8}\.(js|css|woff2)(\.gz)?", name), name


def test_the_page_has_nothing_inline(files: dict[str, bytes]) -> None:
    page = files["index.html"].decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert re.findall(r"<script[^>]*>(.*?)</script>", page) == [""]
    for reference in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert reference.removeprefix("/") in files


def test_nothing_comes_from_other_origins(files: dict[str, bytes]) -> None:
    """Namespaces of XML look like addresses and are none; links that a person follows are marked as such."""
    for name, content in files.items():
        if name.endswith((".js", ".css", ".html")):
            text = content.decode()
            assert not re.search(r"(?:src|import|url|fetch|from)\s*[=(]?\s*[\"'(]https?://", text), name
            assert "eval(" not in text, name
            assert "new Function" not in text, name
