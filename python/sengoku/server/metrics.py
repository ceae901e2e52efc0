"""Prometheus metrics of a server, in a registry of its own."""

from __future__ import annotations

import logging
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any

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
from prometheus_client.samples import Exemplar
from prometheus_client.utils import floatToGoString

from sengoku._core import build_info

__all__ = ["BUCKETS", "GAUGES", "OTHER", "Metrics"]

BUCKETS = (
    *(0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
    *(1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0),
)
"""Upper bounds of the histogram of call durations, in seconds."""
OTHER = "other"
"""The label of all unknown methods and games, so that callers cannot create labels."""

_log = logging.getLogger(__name__)


GAUGES = (
    ("queue_waiting", "queue", "kind", "Work that waits for its turn."),
    ("queue_running", "queue", "kind", "Work that is being done."),
    ("runs", "runs", "state", "Runs in the store."),
    ("tournaments", "tournaments", "state", "Tournaments that are not over."),
    ("open_matches", "open_matches", "", "Matches open in MatchService."),
    ("bots_deciding", "bots_deciding", "", "Matches of MatchService whose bots decide or wait for a turn."),
    ("watchers", "watchers", "", "Streams of WatchMatch."),
    ("frames_made", "frames_made", "", "Frames of matches that were made since the start."),
    ("players", "players", "", "Streams of players connected."),
    ("environments", "environments", "", "Environments of Step open."),
    ("store_bytes", "store_bytes", "", "Size of the store on disk."),
    ("store_quarantined", "quarantined", "", "Damaged rows of the store that are in quarantine."),
    ("chunks_healed", "healed", "", "Damaged chunks of runs that were played again since the start."),
    ("serving", "serving", "service", "Whether a service can do and store its work: 1 or 0."),
    ("worker_restarts", "restarts", "kind", "Workers of jobs that died and were started again."),
    ("fleet_workers", "fleet_workers", "state", "Workers of the fleet, and nodes that are not used."),
    ("fleet_units_per_second", "fleet_rates", "worker", "Matches or rows of odds per second of a worker."),
    ("fleet_ranges_in_flight", "fleet_in_flight", "worker", "Ranges that a worker has."),
    ("fleet_seconds_since_heard", "fleet_heard", "worker", "Time since the last sign of life of a worker."),
    ("fleet_disagreements", "fleet_disagreements", "", "Answers of the fleet that differed from others."),
    ("fleet_reassigned", "fleet_reassigned", "", "Ranges that another worker of the fleet was given, too."),
    ("connections", "connections", "kind", "Connections: now, and since the start by how they ended."),
    ("unsent_responses", "unsent_responses", "", "Responses that are being sent."),
    ("unsent_bytes", "unsent_bytes", "", "Bytes of responses that are being sent."),
)
"""Gauges of `Metrics.watch`: name, function that returns the value, label, description."""


class _Calls:
    """The counts of the calls of one method.

    They are plain numbers, converted when the page is read: there are thousands of calls a second, and the
    counters of the library have locks.
    """

    __slots__ = ("buckets", "codes", "exemplars", "label", "reasons", "seconds", "under_way")

    def __init__(self, label: str) -> None:
        self.label = label
        self.under_way = 0
        self.codes: dict[str, int] = {}
        self.reasons: dict[str, int] = {}
        self.seconds = 0.0
        self.buckets = [0] * (len(BUCKETS) + 1)
        self.exemplars: dict[int, Exemplar] = {}
        """The last call in each bucket that was traced."""


class Metrics(Collector):
    """The metrics of one server. `methods` are the paths it serves.

    >>> metrics = Metrics(["/sengoku.v1.OddsService/Evaluate"])
    >>> metrics.begin("/sengoku.v1.OddsService/Evaluate")
    >>> metrics.end("/sengoku.v1.OddsService/Evaluate", "OK", "", 0.003)
    >>> line = 'sengoku_requests_total{code="OK",method="sengoku.v1.OddsService/Evaluate"} 1.0'
    >>> line in metrics.page().decode()
    True
    """

    def __init__(self, methods: Iterable[str] = ()) -> None:
        self.registry = registry = CollectorRegistry()
        self._lock = threading.Lock()
        self._calls: dict[str, _Calls] = {}
        self._others = _Calls(OTHER)
        self._watched: dict[str, Callable[[], Any]] = {}
        registry.register(self)
        self._matches = Counter(
            "sengoku_matches_played", "Matches that bots played to the end.", ["game"], registry=registry
        )
        self._decisions = Counter(
            "sengoku_decisions_played", "Decisions in these matches.", ["game"], registry=registry
        )
        self._messages = Counter(
            "sengoku_messages_said", "Messages of seats to other seats.", ["game"], registry=registry
        )
        self.plays: dict[str, tuple[int, int]] = {}
        """Matches and decisions by game, since the start."""
        info: Any = build_info()
        labels = ("version", "profile", "instruction_set")
        about = Gauge("sengoku_build_info", "The build that runs; always 1.", labels, registry=registry)
        about.labels(*(info[label] for label in labels)).set(1)
        rules = Gauge("sengoku_rules_version", "Version of the rules.", ["game"], registry=registry)
        self._games = frozenset(info["rules_versions"])
        for game, version in info["rules_versions"].items():
            rules.labels(game).set(version)
            self._matches.labels(game)
            self._decisions.labels(game)
            self._messages.labels(game)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        self.add_methods(methods)

    def add_methods(self, methods: Iterable[str]) -> None:
        """Give methods their own label; all others share one."""
        for method in methods:
            self._calls[method] = calls = _Calls(method.removeprefix("/"))
            calls.codes["OK"] = 0  # so that the first call is visible as an increase

    def begin(self, method: str) -> None:
        """Count a call that begins. Call this on the server's event loop only."""
        self._calls.get(method, self._others).under_way += 1

    def end(self, method: str, code: str, reason: str, seconds: float, trace_id: str = "") -> None:
        """Count a call that has ended; `reason` is empty if it succeeded, `trace_id` if it is not traced."""
        calls = self._calls.get(method, self._others)
        calls.under_way -= 1
        calls.codes[code] = calls.codes.get(code, 0) + 1
        calls.seconds += seconds
        bucket = bisect_left(BUCKETS, seconds)
        calls.buckets[bucket] += 1
        if trace_id:
            calls.exemplars[bucket] = Exemplar({"trace_id": trace_id}, seconds, time.time())
        if reason:
            calls.reasons[reason] = calls.reasons.get(reason, 0) + 1

    def ended(self) -> tuple[int, int]:
        """Return how many calls have ended since the start, and how many of them failed."""
        codes = [dict(calls.codes) for calls in (*self._calls.values(), self._others)]
        total = sum(sum(counts.values()) for counts in codes)
        return total, total - sum(counts.get("OK", 0) for counts in codes)

    def played(self, game: str, *, matches: int, decisions: int) -> None:
        """Count matches that were played to the end."""
        label = game if game in self._games else OTHER
        with self._lock:
            before = self.plays.get(label, (0, 0))
            self.plays[label] = (before[0] + matches, before[1] + decisions)
        self._matches.labels(label).inc(matches)
        self._decisions.labels(label).inc(decisions)

    def said(self, game: str) -> None:
        """Count a message of a seat."""
        self._messages.labels(game if game in self._games else OTHER).inc()

    def watch(self, **values: Callable[[], Any]) -> None:
        """Read values of gauges from these functions whenever the page is read, in its thread.

        `queue` returns the numbers of waiting and running turns by kind of work, `runs` all runs by state,
        `tournaments` the unfinished ones by state, and `connections` their numbers by kind; all others
        return a number.
        """
        self._watched |= values

    def page(self) -> bytes:
        """Return the metrics in the text format of Prometheus."""
        return generate_latest(self.registry)

    def describe(self) -> Iterable[Metric]:
        """Return nothing: the registry does not have to know the names in advance."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield the counts of calls, and the gauges; one that cannot be read is left out."""
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
                continue  # unknown methods are shown only after the first one
            under_way.add_metric([calls.label], calls.under_way)
            for code, count in codes.items():
                requests.add_metric([calls.label, code], count)
            for reason, count in reasons.items():
                errors.add_metric([calls.label, reason], count)
            if any(buckets):
                upper = (*map(floatToGoString, BUCKETS), "+Inf")
                summed = [
                    (bound, count, calls.exemplars[index]) if index in calls.exemplars else (bound, count)
                    for index, (bound, count) in enumerate(zip(upper, accumulate(buckets), strict=True))
                ]
                seconds.add_metric([calls.label], summed, calls.seconds)
        yield from (requests, errors, under_way, seconds)
        for name, source, label, about in GAUGES:
            if source not in self._watched:
                continue
            gauge = GaugeMetricFamily(f"sengoku_{name}", about, labels=[label] if label else [])
            try:
                found = self._watched[source]()
            except Exception:  # noqa: BLE001 - one value must not prevent all others
                _log.exception("%s cannot be read", gauge.name)
                continue
            for value in found if label else ("",):
                count = found[value] if label else found
                if source == "queue":
                    count = count[name == "queue_running"]
                gauge.add_metric([value] if label else [], count)
            yield gauge
