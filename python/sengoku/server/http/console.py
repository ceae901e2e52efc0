"""The files of the console: static, compressed beforehand, each with a tag by which browsers keep it."""

from __future__ import annotations

import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

__all__ = ["Console", "File", "file_response"]

FOLDER = Path(__file__).parents[2] / "console"
"""Where `make setup` puts the files."""
_HASHED = re.compile(r"-[A-Z0-9]{8}\.[a-z0-9]+$")
"""Names that contain the hash of the file, as the build writes them."""
_FOREVER = "public, max-age=31536000, immutable"
_ASK = "no-cache"
_MISSING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sengoku</title>
<h1>The console is not built</h1>
<p>This server works, but the files of its web console are missing.
Build them with <code>make setup</code> in the folder of the sources.</p>
<p>Meanwhile: <a href="/openapi.json">the interface</a>, <a href="/healthz">health</a>,
<a href="/metrics">metrics</a>.</p></html>
"""


@dataclass(frozen=True)
class File:
    """A file as it is served."""

    data: bytes
    packed: bytes | None
    """The same, compressed with gzip."""
    tag: str
    media_type: str
    cache: str

    @classmethod
    def of(cls, data: bytes, packed: bytes | None, media_type: str, cache: str = _ASK) -> File:
        """Make a file with the tag of its contents."""
        return cls(data, packed, f'"{hashlib.sha256(data).hexdigest()[:32]}"', media_type, cache)


def file_response(file: File, request: Request) -> Response:
    """Return a file, compressed for callers that accept it, or that it has not changed."""
    headers = {"etag": file.tag, "cache-control": file.cache, "vary": "accept-encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    data = file.data
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        data = file.packed
        headers["content-encoding"] = "gzip"
    return Response(data, media_type=file.media_type, headers=headers)


class Console:
    """The files below a folder, read into memory when they are first asked for."""

    def __init__(self) -> None:
        self._folder = FOLDER
        self._read_at: float | None = None
        self._files: dict[str, File] = {}

    def _load(self) -> None:
        """Read the files, again if the console was built anew."""
        try:
            changed = (self._folder / "index.html").stat().st_mtime
        except OSError:
            self._files, self._read_at = {}, None
            return
        if changed != self._read_at:
            self._files = _read_all(self._folder)
            self._read_at = changed

    def answer(self, request: Request) -> Response:
        """Return a file; paths that name none are pages of the console, which has one document for all."""
        if request.method not in {"GET", "HEAD"}:
            return PlainTextResponse("pages are read with GET\n", 405, {"allow": "GET, HEAD"})
        self._load()
        path = request.url.path
        found = self._files.get(path)
        if found is None and "." not in path.rpartition("/")[2]:
            found = self._files.get("/index.html")
            if found is None:
                return HTMLResponse(_MISSING, 503, {"cache-control": "no-store"})
        if found is None:
            return PlainTextResponse("there is no such page\n", 404)
        return file_response(found, request)


def _read_all(folder: Path) -> dict[str, File]:
    """Return all files below a folder by their path in an address."""
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.suffix == ".gz" or file.is_symlink() or not file.is_file():
            continue
        data, packed = file.read_bytes(), file.with_name(file.name + ".gz")
        path = "/" + file.relative_to(folder).as_posix()
        media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if media_type in {"text/javascript", "application/javascript", "text/css", "text/html"}:
            media_type += "; charset=utf-8"
        cache = _FOREVER if _HASHED.search(file.name) else _ASK
        found[path] = File.of(data, packed.read_bytes() if packed.is_file() else None, media_type, cache)
    return found
