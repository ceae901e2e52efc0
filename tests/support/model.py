"""A stand-in for a language model: an OpenAI-compatible endpoint on loopback that behaves as it is told."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["KEY", "Model", "Reply", "choose", "standing_in"]

KEY = "sk-stand-in-0123456789"


def choose(messages: list[dict[str, str]], pick: int = -1) -> str:
    """Answer as something that only reads: with a line of the choices last told."""
    lines = re.findall(r"^(\d+)\. ", messages[-1]["content"].rpartition("Your choices:")[2], re.MULTILINE)
    return f"I have thought about it.\n\n**{lines[pick]}**"


class Reply(Exception):  # noqa: N818 - raised to leave the normal way
    """A response other than a completion."""

    def __init__(
        self, status: int, body: bytes = b"", kind: str = "application/json", **headers: str
    ) -> None:
        super().__init__(status)
        self.status, self.body, self.kind, self.headers = status, body, kind, headers


Answer = Callable[[list[dict[str, str]]], str]


class Model:
    """What the endpoint answers, and what it was asked."""

    def __init__(self, answer: Answer = choose) -> None:
        self.answer = answer
        self.before: Callable[[int], None] = lambda _number: None
        """Called with the number of the request; may sleep, or raise `Reply`."""
        self.usage = True
        self.message: dict[str, Any] = {}
        """Fields that replace those of the message."""
        self.drip = 0.0
        """Seconds between the bytes of a response that never ends; 0 for whole responses."""
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.url = ""
        self.stopped = threading.Event()
        self.lock = threading.Lock()

    def complete(self, request: dict[str, Any], key: str | None) -> bytes:
        """Note a request; return the response to it."""
        with self.lock:
            self.requests.append(request)
            self.keys.append(key)
            number = len(self.requests)
        self.before(number)
        messages = request["messages"]
        text = self.answer(messages)
        found: dict[str, Any] = {
            "choices": [{"message": {"role": "assistant", "content": text} | self.message}]
        }
        if self.usage:
            sent = sum(len(message["content"].split()) for message in messages)
            found["usage"] = {"prompt_tokens": sent, "completion_tokens": len(text.split())}
        return json.dumps(found).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: "_Server"

    def do_POST(self) -> None:
        model = self.server.model
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, kind, more = 200, "application/json", {}
        try:
            if self.path != "/v1/chat/completions":
                raise Reply(404, b"no such path")
            data = model.complete(json.loads(body), self.headers.get("Authorization"))
        except Reply as reply:
            status, data, kind, more = reply.status, reply.body, reply.kind, reply.headers
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in more.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data) + 10**6 * (model.drip > 0)))
        self.end_headers()
        self.wfile.write(data)
        while model.drip and not model.stopped.wait(model.drip):
            self.wfile.write(b" ")
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: Model

    def handle_error(self, *_: object) -> None:
        """Players hang up when their time is over."""


@contextmanager
def standing_in(model: Model) -> Iterator[Model]:
    """Serve a model on loopback."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.model = model
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield model
    finally:
        model.stopped.set()
        server.shutdown()
        thread.join()
        server.server_close()


def slow(seconds: float) -> Callable[[int], None]:
    """Wait before each answer."""
    return lambda _number: time.sleep(seconds)
