"""What a server has done and is doing, for Prometheus: a registry of its own and the port it is read at."""

from __future__ import annotations

import logging
import socket
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
    make_wsgi_app,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from sengoku import engine
from sengoku._core import build_info
from sengoku.errors import ArgumentError

__all__ = ["BUCKETS", "OTHER", "Metrics", "MetricsPort"]

BUCKETS = (
    *(0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
    *(1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0),
)
"""Seconds of a call."""
OTHER = "other"
"""The label of everything that is no method, code, reason or game of ours: callers choose no labels."""
SCRAPES_PER_SECOND = 10
CONNECTIONS = 8
CONNECTION_SECONDS = 10.0

_log = logging.getLogger(__name__)


class Metrics:
    """Counts for one server. `methods` are the paths it serves.

    >>> metrics = Metrics(["/sengoku.v1.OddsService/Evaluate"])
    >>> metrics.begin("/sengoku.v1.OddsService/Evaluate")
    >>> metrics.end("/sengoku.v1.OddsService/Evaluate", "OK", "", 0.003)
    >>> line = 'sengoku_requests_total{code="OK",method="sengoku.v1.OddsService/Evaluate"} 1.0'
    >>> line in metrics.page().decode()
    True
    """

    def __init__(self, methods: Iterable[str] = ()) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        self._lock = threading.Lock()
        self._games = frozenset(game.name for game in engine.games())
        registry = self.registry
        self._calls: dict[str, _Calls] = {}
        self._others = _Calls(OTHER)
        registry.register(_CallsCollector(self._calls, self._others))
        self._matches = Counter(
            "sengoku_matches_played", "Matches that bots played to the end.", ["game"], registry=registry
        )
        self._decisions = Counter(
            "sengoku_decisions_played", "Decisions in these matches.", ["game"], registry=registry
        )
        self.add_methods(methods)
        for game in self._games:
            self._matches.labels(game)
            self._decisions.labels(game)
        self.plays: dict[str, tuple[int, int]] = {}
        """Matches and decisions by game, since the start."""
        self._watched = _Watched()
        registry.register(self._watched)
        _about(registry)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)

    def add_methods(self, methods: Iterable[str]) -> None:
        """Gives methods a label of their own; all others have one together."""
        for method in methods:
            self._calls[method] = calls = _Calls(method.removeprefix("/"))
            calls.codes["OK"] = 0  # there before the first call, so that this one is a rise

    def begin(self, method: str) -> None:
        """Counts a call that begins. Calls are counted by one thread: that of the server's loop."""
        self._calls.get(method, self._others).under_way += 1

    def end(self, method: str, code: str, reason: str, seconds: float) -> None:
        """Counts a call that is over; `reason` is empty if nothing went wrong."""
        calls = self._calls.get(method, self._others)
        calls.under_way -= 1
        calls.codes[code] = calls.codes.get(code, 0) + 1
        calls.seconds += seconds
        calls.buckets[bisect_left(BUCKETS, seconds)] += 1
        if reason:
            calls.reasons[reason] = calls.reasons.get(reason, 0) + 1

    def played(self, game: str, *, matches: int, decisions: int) -> None:
        """Counts matches that were played to the end."""
        label = game if game in self._games else OTHER
        with self._lock:
            before = self.plays.get(label, (0, 0))
            self.plays[label] = (before[0] + matches, before[1] + decisions)
        self._matches.labels(label).inc(matches)
        self._decisions.labels(label).inc(decisions)

    def watch(
        self,
        *,
        queue: Callable[[], Mapping[str, tuple[int, int]]] | None = None,
        runs: Callable[[], Mapping[str, int]] | None = None,
        tournaments: Callable[[], Mapping[str, int]] | None = None,
        open_matches: Callable[[], int] | None = None,
        players: Callable[[], int] | None = None,
        environments: Callable[[], int] | None = None,
        store_bytes: Callable[[], int] | None = None,
    ) -> None:
        """Asks these functions whenever the page is read, in its thread.

        `queue` gives how many wait and how many are running by kind of work, `runs` the runs by state and
        `tournaments` those that are not over.
        """
        if queue is not None:
            self._watched.add(
                "sengoku_queue_waiting", "Work that waits for its turn.", _nth(queue, 0), "kind"
            )
            self._watched.add("sengoku_queue_running", "Work that is being done.", _nth(queue, 1), "kind")
        if runs is not None:
            self._watched.add("sengoku_runs", "Runs in the store.", runs, "state")
        if tournaments is not None:
            self._watched.add("sengoku_tournaments", "Tournaments that are not over.", tournaments, "state")
        if open_matches is not None:
            self._watched.add("sengoku_open_matches", "Matches open in MatchService.", _one(open_matches))
        if players is not None:
            self._watched.add("sengoku_players", "Streams of players connected.", _one(players))
        if environments is not None:
            self._watched.add("sengoku_environments", "Environments of Step open.", _one(environments))
        if store_bytes is not None:
            self._watched.add("sengoku_store_bytes", "Size of the store on disk.", _one(store_bytes))

    def page(self) -> bytes:
        """What a scraper reads."""
        return generate_latest(self.registry)


def _nth(queue: Callable[[], Mapping[str, tuple[int, int]]], place: int) -> Callable[[], Mapping[str, int]]:
    return lambda: {kind: counts[place] for kind, counts in queue().items()}


def _one(value: Callable[[], int]) -> Callable[[], Mapping[str, int]]:
    return lambda: {"": value()}


def _about(registry: CollectorRegistry) -> None:
    info = build_info()
    build = Gauge(
        "sengoku_build_info",
        "The build that runs; always 1.",
        ["version", "profile", "instruction_set"],
        registry=registry,
    )
    build.labels(info["version"], info["profile"], info["instruction_set"]).set(1)
    rules = Gauge("sengoku_rules_version", "Version of the rules.", ["game"], registry=registry)
    for game, version in info["rules_versions"].items():
        rules.labels(game).set(version)


class _Calls:
    """What is counted of the calls of a method.

    These are plain numbers, put into words when somebody looks: there are thousands of calls a second, and a
    counter of the library has a lock.
    """

    __slots__ = ("buckets", "codes", "label", "reasons", "seconds", "under_way")

    def __init__(self, label: str) -> None:
        self.label = label
        self.under_way = 0
        self.codes: dict[str, int] = {}
        self.reasons: dict[str, int] = {}
        self.seconds = 0.0
        self.buckets = [0] * (len(BUCKETS) + 1)


class _CallsCollector(Collector):
    """Shows the counts of calls, of other methods than ours once there was one."""

    def __init__(self, calls: Mapping[str, _Calls], others: _Calls) -> None:
        self._calls = calls
        self._others = others

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        requests = CounterMetricFamily("sengoku_requests", "Calls answered.", labels=["method", "code"])
        errors = CounterMetricFamily(
            "sengoku_errors", "Calls that failed, by reason.", labels=["method", "reason"]
        )
        under_way = GaugeMetricFamily("sengoku_calls_under_way", "Calls being answered.", labels=["method"])
        seconds = HistogramMetricFamily(
            "sengoku_request_duration_seconds",
            "How long calls took; a stream counts until its end.",
            labels=["method"],
        )
        for calls in (*self._calls.values(), self._others):
            # Copies, as calls go on meanwhile.
            codes, reasons, buckets = dict(calls.codes), dict(calls.reasons), list(calls.buckets)
            if not (codes or calls.under_way):
                continue
            under_way.add_metric([calls.label], calls.under_way)
            for code, count in codes.items():
                requests.add_metric([calls.label, code], count)
            for reason, count in reasons.items():
                errors.add_metric([calls.label, reason], count)
            if any(buckets):
                upper = (*map(floatToGoString, BUCKETS), "+Inf")
                summed = list(zip(upper, accumulate(buckets), strict=True))
                seconds.add_metric([calls.label], summed, calls.seconds)
        yield from (requests, errors, under_way, seconds)


@dataclass(frozen=True)
class _Watch:
    name: str
    about: str
    values: Callable[[], Mapping[str, int]]
    label: str | None


class _Watched(Collector):
    """Numbers that others keep; one that cannot be had is left out."""

    def __init__(self) -> None:
        self._watches: list[_Watch] = []

    def add(
        self, name: str, about: str, values: Callable[[], Mapping[str, int]], label: str | None = None
    ) -> None:
        self._watches.append(_Watch(name, about, values, label))

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        for watch in self._watches:
            family = GaugeMetricFamily(watch.name, watch.about, labels=[watch.label] if watch.label else [])
            try:
                values = dict(watch.values())
            except Exception:  # noqa: BLE001 - one number must not cost all the others
                _log.exception("%s cannot be counted", watch.name)
                continue
            for name, value in values.items():
                family.add_metric([name] if watch.label else [], value)
            yield family


class MetricsPort:
    """Shows metrics at `http://host:port/metrics`, and at `/healthz` whether calls are taken, until closed.

    Whoever reads them cannot keep the server from its work: so many connections at once, so long each, so
    many pages a second, one at a time.
    """

    def __init__(
        self,
        metrics: Metrics,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        healthy: Callable[[], bool] = lambda: True,
    ) -> None:
        bare = host.removeprefix("[").removesuffix("]")
        try:
            family = socket.getaddrinfo(bare, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
            self._http = _Http(family, (bare, port), _Pages(make_wsgi_app(metrics.registry), healthy))
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
        """Where scrapers find it."""
        return f"{self.host}:{self.port}"

    def close(self) -> None:
        """Ends it; a second time nothing happens."""
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def __enter__(self) -> MetricsPort:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Pages:
    """Metrics, so many times a second, and health."""

    def __init__(self, app: Callable[..., Iterable[bytes]], healthy: Callable[[], bool]) -> None:
        self._app = app
        self._healthy = healthy
        self._lock = threading.Lock()
        self._second = 0
        self._count = 0

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("PATH_INFO") == "/healthz":
            status = ("200 OK", "SERVING") if self._healthy() else ("503 Service Unavailable", "NOT_SERVING")
            return _say(start_response, *status)
        if environ.get("PATH_INFO") not in {"/", "/metrics"}:
            return _say(start_response, "404 Not Found", "metrics are at /metrics\n")
        with self._lock:
            second = int(time.monotonic())
            self._count = self._count + 1 if second == self._second else 1
            self._second = second
            if self._count > SCRAPES_PER_SECOND:
                retry = [("Retry-After", "1")]
                return _say(start_response, "429 Too Many Requests", "try again in a second\n", retry)
            try:
                return self._app(environ, start_response)
            except Exception:  # noqa: BLE001 - the reader gets an answer and we a log
                _log.exception("unexpected error in the page of metrics")
                return _say(start_response, "500 Internal Server Error", "see the server's log\n")


def _say(
    start_response: Callable[..., Any], status: str, text: str, headers: Iterable[tuple[str, str]] = ()
) -> list[bytes]:
    start_response(status, [("Content-Type", "text/plain; charset=utf-8"), *headers])
    return [text.encode()]


class _Handler(WSGIRequestHandler):
    timeout = 5.0

    def log_message(self, *_: Any) -> None:
        """Says nothing: a scrape is no news."""


class _Http(ThreadingMixIn, WSGIServer):
    """So many connections at once, and each only for so long."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 2 * CONNECTIONS

    def __init__(self, family: int, address: tuple[str, int], app: Callable[..., Iterable[bytes]]) -> None:
        self.address_family = family
        self._slots = threading.BoundedSemaphore(CONNECTIONS)
        self._ends: dict[Any, float] = {}
        super().__init__(address, _Handler)
        self.set_app(app)

    def server_bind(self) -> None:
        # As in WSGIServer, but without asking a name server for our name.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._slots.acquire(blocking=False):
            self.shutdown_request(request)
            return
        self._ends[request] = time.monotonic() + CONNECTION_SECONDS
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._release(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._release(request)

    def _release(self, request: Any) -> None:
        self._ends.pop(request, None)
        self._slots.release()

    def service_actions(self) -> None:
        """Ends the connections that are over time; called between any two of them and five times a second."""
        now = time.monotonic()
        for request, end in list(self._ends.items()):
            if now > end:
                try:
                    request.shutdown(socket.SHUT_RDWR)
                except OSError:
                    self._ends.pop(request, None)

    def handle_error(self, *_: Any) -> None:
        _log.debug("a scraper went away", exc_info=True)
