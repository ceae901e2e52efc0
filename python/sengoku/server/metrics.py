"""Prometheus metrics of a server, in a registry of its own."""

from __future__ import annotations

import logging
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from sengoku import engine
from sengoku._core import build_info

__all__ = ["BUCKETS", "OTHER", "Metrics"]

BUCKETS = (
    *(0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
    *(1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0),
)
"""Upper bounds of the histogram of call durations, in seconds."""
OTHER = "other"
"""The label of all unknown methods and games, so that callers cannot create labels."""

_log = logging.getLogger(__name__)


class Metrics:
    """The metrics of one server. `methods` are the paths it serves.

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
        self._watched = _WatchedCollector()
        registry.register(self._watched)
        _about(registry)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)

    def add_methods(self, methods: Iterable[str]) -> None:
        """Give methods their own label; all others share one."""
        for method in methods:
            self._calls[method] = calls = _Calls(method.removeprefix("/"))
            calls.codes["OK"] = (
                0  # present before the first call, so that the first call is visible as an increase
            )

    def begin(self, method: str) -> None:
        """Count a call that begins. Call this on the server's event loop only."""
        self._calls.get(method, self._others).under_way += 1

    def end(self, method: str, code: str, reason: str, seconds: float) -> None:
        """Count a call that has ended; `reason` is empty if it succeeded."""
        calls = self._calls.get(method, self._others)
        calls.under_way -= 1
        calls.codes[code] = calls.codes.get(code, 0) + 1
        calls.seconds += seconds
        calls.buckets[bisect_left(BUCKETS, seconds)] += 1
        if reason:
            calls.reasons[reason] = calls.reasons.get(reason, 0) + 1

    def played(self, game: str, *, matches: int, decisions: int) -> None:
        """Count matches that were played to the end."""
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
        connections: Callable[[], Mapping[str, int]] | None = None,
        unsent: Callable[[], tuple[int, int]] | None = None,
    ) -> None:
        """Read values from these functions whenever the page is read, in its thread.

        `queue` returns the numbers of waiting and running turns by kind of work, `runs` all runs by state,
        `tournaments` the unfinished ones by state, and `unsent` number and bytes of unsent responses.
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
        if connections is not None:
            about = "Connections: open, verified, and since the start accepted and closed by reason."
            self._watched.add("sengoku_connections", about, connections, "kind")
        if unsent is not None:
            self._watched.add("sengoku_unsent_responses", "Responses being sent.", lambda: {"": unsent()[0]})
            self._watched.add("sengoku_unsent_bytes", "Bytes of these.", lambda: {"": unsent()[1]})

    def page(self) -> bytes:
        """Return the metrics in the text format of Prometheus."""
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
    """The counts of the calls of one method.

    They are plain numbers, converted when the page is read: there are thousands of calls a second, and the
    counters of the library have locks.
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
    """Collector of the counts of calls; those of unknown methods only after the first one."""

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
            # Copies, because calls go on in the meantime.
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


class _WatchedCollector(Collector):
    """Collector of values of functions; one that raises is left out."""

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
            except Exception:  # noqa: BLE001 - one value must not prevent all others
                _log.exception("%s cannot be read", watch.name)
                continue
            for name, value in values.items():
                family.add_metric([name] if watch.label else [], value)
            yield family
