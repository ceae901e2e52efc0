"""The files of the console: pages, assets that browsers keep, compression, and what is missing."""

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sengoku.server import Server
from sengoku.server.http import console
from support.connect import Caller

PAGE = b"<!doctype html><title>Sengoku</title>"
SCRIPT = b"console.log('daimyo');" * 100


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(console, "FOLDER", tmp_path / "console")
    return tmp_path / "console"


@pytest.fixture
def built(folder: Path) -> Path:
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_bytes(PAGE)
    (folder / "icon.svg").write_bytes(b"<svg/>")
    script = folder / "assets" / "main-ABCD2345.js"
    script.write_bytes(SCRIPT)
    script.with_name(script.name + ".gz").write_bytes(gzip.compress(SCRIPT))
    (folder.parent / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(folder.parent / "secret.txt")
    return folder


@pytest.fixture
def caller(folder: Path) -> Iterator[Caller]:
    with Server(port=0, http_port=0) as server, Caller(server) as connected:
        yield connected


def test_pages_have_one_document(built: Path, caller: Caller) -> None:
    for path in ("/", "/play", "/match/17", "/index.html", "/sengoku.v1.OddsService"):
        if path.endswith("Service"):
            assert caller.http.get(path).status_code == 404
            continue
        page = caller.http.get(path)
        assert (page.status_code, page.content) == (200, PAGE), path
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["cache-control"] == "no-cache"
        policy = page.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "same-origin"
        assert "server" not in page.headers
    assert caller.http.post("/play").status_code == 405
    head = caller.http.head("/play")
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", str(len(PAGE)))


def test_assets_are_kept_by_browsers_and_compressed(built: Path, caller: Caller) -> None:
    path = "/assets/main-ABCD2345.js"
    packed = caller.http.get(path, headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == SCRIPT
    assert "immutable" in packed.headers["cache-control"]
    assert packed.headers["content-type"].startswith("text/javascript")
    plain = caller.http.get(path, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == SCRIPT
    tag = plain.headers["etag"]
    unchanged = caller.http.get(path, headers={"if-none-match": tag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert caller.http.get(path, headers={"if-none-match": '"other"'}).status_code == 200
    assert caller.http.get("/icon.svg").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/none.js",
        "/assets/../../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets/main-ABCD2345.js.gz",
    ],
)
def test_there_is_nothing_else(built: Path, caller: Caller, path: str) -> None:
    answer = caller.http.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


def test_links_out_of_the_folder_are_not_followed(built: Path, caller: Caller) -> None:
    assert caller.http.get("/link.txt").status_code == 404


def test_a_console_that_is_built_anew_is_served_at_once(built: Path, caller: Caller) -> None:
    assert caller.http.get("/").content == PAGE
    (built / "index.html").write_bytes(b"<p>new")
    os.utime(built / "index.html", (1, 1))
    assert caller.http.get("/").content == b"<p>new"


def test_a_console_that_is_not_built_says_how(caller: Caller) -> None:
    page = caller.http.get("/play")
    assert page.status_code == 503
    assert "make setup" in page.text
    assert page.headers["cache-control"] == "no-store"
    assert caller.http.get("/main.js").status_code == 404
