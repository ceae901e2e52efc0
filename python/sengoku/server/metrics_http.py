"""The HTTP port at which metrics and health are read."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import make_wsgi_app

from sengoku.errors import ArgumentError
from sengoku.server.metrics import Metrics

__all__ = ["MetricsPort"]

SCRAPES_PER_SECOND = 10
CONNECTIONS = 32
CONNECTION_SECONDS = 10.0

_log = logging.getLogger(__name__)


class MetricsPort:
    """An HTTP server of metrics at `/metrics`, and of health at `/healthz`.

    Readers cannot slow the server down: connections, their duration and pages per second are bounded, and
    one page is produced at a time. Nor can they keep probes out: a new connection ends the oldest.
    """

    def __init__(
        self,
        metrics: Metrics,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        healthy: Callable[[], bool] = lambda: True,
        problems: Callable[[], Sequence[str]] = list,
    ) -> None:
        """Listen; `problems` are what does not work although the server is healthy, one line each."""
        bare = host.removeprefix("[").removesuffix("]")
        try:
            family = socket.getaddrinfo(bare, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
            pages = _Pages(make_wsgi_app(metrics.registry), healthy, problems)
            self._http = _Http(family, (bare, port), pages)
        except (OSError, OverflowError, UnicodeError) as error:
            details = {"field": "metrics_port", "value": str(port), "metrics_host": host}
            message = f"cannot listen on metrics_host {host}, metrics_port {port}"
            raise ArgumentError(message, details) from error
        self.host = f"[{bare}]" if ":" in bare else bare
        self.port: int = self._http.server_address[1]
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.2,), name="sengoku-metrics", daemon=True
        )
        self._thread.start()

    @property
    def address(self) -> str:
        """Host and port."""
        return f"{self.host}:{self.port}"

    def close(self) -> None:
        """Stop serving; a second call has no effect."""
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def __enter__(self) -> MetricsPort:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Pages:
    """WSGI application: metrics, at a bounded rate, and health."""

    def __init__(
        self,
        app: Callable[..., Iterable[bytes]],
        healthy: Callable[[], bool],
        problems: Callable[[], Sequence[str]],
    ) -> None:
        self._app = app
        self._healthy = healthy
        self._problems = problems
        self._lock = threading.Lock()
        self._second = 0
        self._count = 0

    def _health(self) -> tuple[str, str]:
        """Return the status and the text of `/healthz`."""
        if not self._healthy():
            return "503 Service Unavailable", "NOT_SERVING"
        # A server that cannot store runs still answers everything else, so it stays in service.
        problems = self._problems()
        return "200 OK", "\n".join(["DEGRADED", *problems]) if problems else "SERVING"

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("PATH_INFO") == "/healthz":
            return _respond(start_response, *self._health())
        if environ.get("PATH_INFO") == "/livez":
            return _respond(start_response, "200 OK", "ALIVE")
        if environ.get("PATH_INFO") not in {"/", "/metrics"}:
            return _respond(start_response, "404 Not Found", "metrics are at /metrics\n")
        with self._lock:
            second = int(time.monotonic())
            self._count = self._count + 1 if second == self._second else 1
            self._second = second
            if self._count > SCRAPES_PER_SECOND:
                retry = [("Retry-After", "1")]
                return _respond(start_response, "429 Too Many Requests", "try again in a second\n", retry)
            try:
                return self._app(environ, start_response)
            except Exception:  # noqa: BLE001 - the reader gets a status, the log the traceback
                _log.exception("unexpected error in the metrics page")
                return _respond(start_response, "500 Internal Server Error", "see the server's log\n")


def _respond(
    start_response: Callable[..., Any], status: str, text: str, headers: Iterable[tuple[str, str]] = ()
) -> list[bytes]:
    start_response(status, [("Content-Type", "text/plain; charset=utf-8"), *headers])
    return [text.encode()]


class _Handler(WSGIRequestHandler):
    timeout = 5.0

    def log_message(self, *_: Any) -> None:
        """Log nothing: scrapes are too frequent."""


class _Http(ThreadingMixIn, WSGIServer):
    """An HTTP server with a bounded number and duration of connections."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 2 * CONNECTIONS

    def __init__(self, family: int, address: tuple[str, int], app: Callable[..., Iterable[bytes]]) -> None:
        self.address_family = family
        self._ends: dict[Any, float] = {}  # the oldest connection first
        super().__init__(address, _Handler)
        self.set_app(app)

    def server_bind(self) -> None:
        # As in WSGIServer, but without a DNS lookup of the host name.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection; the oldest ends if there are too many, so that silent ones keep nobody out."""
        for oldest in list(self._ends)[: max(len(self._ends) - CONNECTIONS + 1, 0)]:
            self._end(oldest)
        self._ends[request] = time.monotonic() + CONNECTION_SECONDS
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._ends.pop(request, None)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._ends.pop(request, None)

    def _end(self, request: Any) -> None:
        """End a connection; its thread notices."""
        self._ends.pop(request, None)
        with suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)

    def service_actions(self) -> None:
        """End connections that exceed their time; called between connections and five times a second."""
        now = time.monotonic()
        for request in [request for request, end in list(self._ends.items()) if now > end]:
            self._end(request)

    def handle_error(self, *_: Any) -> None:
        _log.debug("a scraper disconnected", exc_info=True)
