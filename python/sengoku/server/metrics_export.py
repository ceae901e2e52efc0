"""Metrics sent to a collector by OpenTelemetry: the same numbers that `/metrics` has, at intervals.

Calls do no more for it than for the page: a thread reads the registry and sends what it finds.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from prometheus_client.core import Metric

from sengoku.errors import invalid, missing_package

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import HistogramDataPoint, MetricsData

    from sengoku.server.metrics import Metrics

__all__ = ["configure", "metrics_data"]

_log = logging.getLogger(__name__)
_EXPORTERS = ("otlp", "console", "none")
_INTERVAL = "OTEL_METRIC_EXPORT_INTERVAL"
_MILLISECONDS = 60_000


def configure(metrics: Metrics) -> Callable[[], None] | None:
    """Send metrics as the environment asks: `OTEL_METRICS_EXPORTER` is `otlp`, `console` or `none`.

    `OTEL_METRIC_EXPORT_INTERVAL` is the time between two in milliseconds, and the other variables are those
    of OpenTelemetry's exporters. Returns the function that sends the last ones, or None if nothing is sent.
    """
    name = os.environ.get("OTEL_METRICS_EXPORTER", "none").strip() or "none"
    if name not in _EXPORTERS:
        raise invalid("OTEL_METRICS_EXPORTER", name, f"expected one of {', '.join(_EXPORTERS)}")
    if name == "none":
        return None
    given = os.environ.get(_INTERVAL, "") or str(_MILLISECONDS)
    if not (given.isascii() and given.isdigit() and int(given) > 0):
        raise invalid(_INTERVAL, given, "expected a number of milliseconds from 1 on")
    try:
        exporter = _exporter(name)
    except ImportError as error:
        raise missing_package("opentelemetry-sdk", "metrics", "otel") from error
    return _Sender(metrics, exporter, int(given) / 1000).close


def _exporter(name: str) -> Any:
    if name == "otlp":
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter  # noqa: PLC0415

        return OTLPMetricExporter()
    from opentelemetry.sdk.metrics.export import ConsoleMetricExporter  # noqa: PLC0415

    return ConsoleMetricExporter(out=sys.stderr, formatter=lambda data: data.to_json(indent=None) + "\n")


class _Sender:
    """A thread that sends the metrics of a server until `close`."""

    def __init__(self, metrics: Metrics, exporter: Any, seconds: float) -> None:
        self._metrics = metrics
        self._exporter = exporter
        self._seconds = seconds
        self._began = time.time_ns()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sengoku-otlp", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        """Thread target: send until the end, and once more then."""
        last = False
        while not last:
            last = self._stop.wait(self._seconds)
            try:
                self._exporter.export(metrics_data(self._metrics.registry.collect(), self._began))
            except Exception:  # noqa: BLE001 - what cannot be sent now must not end the thread
                _log.exception("the metrics were not sent")

    def close(self) -> None:
        """Send what there is and end."""
        self._stop.set()
        self._thread.join(10.0)
        self._exporter.shutdown()


def metrics_data(families: Iterable[Metric], began: int) -> MetricsData:
    """Return families of Prometheus as OpenTelemetry has them; counting began at `began`, in nanoseconds."""
    from opentelemetry.sdk.metrics import export  # noqa: PLC0415 - loaded by servers that send metrics
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope  # noqa: PLC0415

    now = time.time_ns()
    cumulative = export.AggregationTemporality.CUMULATIVE
    found = []
    for family in families:
        data: export.Sum | export.Gauge | export.Histogram
        if family.type == "histogram":
            data = export.Histogram(_histograms(family, began, now), cumulative)
        elif family.type in {"counter", "gauge"}:
            points = [
                export.NumberDataPoint(dict(sample.labels), began, now, float(sample.value))
                for sample in family.samples
                if not sample.name.endswith("_created")
            ]
            data = export.Gauge(points) if family.type == "gauge" else export.Sum(points, cumulative, True)
        else:
            continue
        found.append(export.Metric(family.name, family.documentation, family.unit or "", data))
    scope = export.ScopeMetrics(InstrumentationScope("sengoku"), found, "")
    resource = Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", "sengoku")})
    return export.MetricsData([export.ResourceMetrics(resource, [scope], "")])


def _histograms(family: Metric, began: int, now: int) -> list[HistogramDataPoint]:
    """Return a histogram for each set of labels; a bucket counts what is in it alone."""
    from opentelemetry.sdk.metrics.export import HistogramDataPoint  # noqa: PLC0415

    rows: dict[tuple[tuple[str, str], ...], dict[str, Any]] = defaultdict(lambda: {"buckets": [], "sum": 0.0})
    for sample in family.samples:
        labels = {name: value for name, value in sample.labels.items() if name != "le"}
        row = rows[tuple(sorted(labels.items()))]
        if sample.name.endswith("_bucket"):
            row["buckets"].append((float(sample.labels["le"]), int(sample.value)))
        elif sample.name.endswith("_sum"):
            row["sum"] = sample.value
    points = []
    for key, row in rows.items():
        bounds, upto = zip(*row["buckets"], strict=True)
        counts = [count - before for count, before in zip(upto, (0, *upto), strict=False)]
        points.append(
            HistogramDataPoint(
                attributes=dict(key),
                start_time_unix_nano=began,
                time_unix_nano=now,
                count=upto[-1],
                sum=row["sum"],
                bucket_counts=counts,
                explicit_bounds=bounds[:-1],
                # Nobody knows these; the exporters leave them out.
                min=None,  # type: ignore[arg-type]
                max=None,  # type: ignore[arg-type]
            )
        )
    return points
