"""Metrics sent by OpenTelemetry to a collector that speaks OTLP over HTTP."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

from sengoku.errors import ArgumentError
from sengoku.server.metrics import BUCKETS, Metrics
from sengoku.server.metrics_export import configure, metrics_data

EVALUATE = "/sengoku.v1.OddsService/Evaluate"


class Collector(HTTPServer):
    """A collector that keeps what it gets."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.received: list[ExportMetricsServiceRequest] = []


class Handler(BaseHTTPRequestHandler):
    """Answers that all is well."""

    server: Collector

    def do_POST(self) -> None:
        """Keep a request."""
        assert self.path == "/v1/metrics"
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.received.append(ExportMetricsServiceRequest.FromString(body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with Collector() as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        monkeypatch.setenv("OTEL_METRICS_EXPORTER", "otlp")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{running.server_port}")
        yield running
        running.shutdown()
        thread.join()


def measured() -> Metrics:
    metrics = Metrics([EVALUATE])
    for seconds in (0.0001, 0.003, 0.003, 900.0):
        metrics.begin(EVALUATE)
        metrics.end(EVALUATE, "OK", "", seconds)
    metrics.begin(EVALUATE)
    metrics.end(EVALUATE, "RESOURCE_EXHAUSTED", "BUSY", 0.01)
    metrics.watch(queue=lambda: {"bulk": (2, 1)})
    return metrics


def test_a_collector_gets_the_numbers_of_the_page(collector: Collector) -> None:
    metrics = measured()
    send_rest = configure(metrics)
    assert send_rest is not None
    send_rest()
    (scope,) = collector.received[-1].resource_metrics[0].scope_metrics
    sent = {metric.name: metric for metric in scope.metrics}
    page = metrics.page().decode()
    names = {
        name.removesuffix("_total")
        for name in re.findall(r"(?m)^# TYPE (\w+) (?:counter|gauge|histogram)", page)
    }
    assert {name for name in names if not name.endswith("_created")} == set(sent)
    (calls,) = sent["sengoku_request_duration_seconds"].histogram.data_points
    assert list(calls.explicit_bounds) == list(BUCKETS)
    assert calls.count == sum(calls.bucket_counts) == 5
    assert (calls.bucket_counts[0], calls.bucket_counts[-1]) == (1, 1)
    assert calls.sum == pytest.approx(900.0161)
    assert not calls.HasField("min")
    (attribute,) = calls.attributes
    assert (attribute.key, attribute.value.string_value) == ("method", "sengoku.v1.OddsService/Evaluate")
    requests = sent["sengoku_requests"].sum
    assert requests.is_monotonic
    assert sorted(point.as_double for point in requests.data_points) == [1.0, 4.0]
    (waiting,) = sent["sengoku_queue_waiting"].gauge.data_points
    assert waiting.as_double == 2


def test_metrics_are_sent_again_and_again(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_METRIC_EXPORT_INTERVAL", "20")
    send_rest = configure(measured())
    assert send_rest is not None
    for _ in range(500):
        if len(collector.received) > 2:
            break
        threading.Event().wait(0.01)
    send_rest()
    assert len(collector.received) > 3


def test_a_value_that_cannot_be_read_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = measured()
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", "console")
    send_rest = configure(metrics)
    assert send_rest is not None
    metrics.watch(queue=lambda: 1 / 0)  # one value that cannot be read
    send_rest()
    data = metrics_data(metrics.registry.collect(), 1)
    assert "sengoku_queue_waiting" not in data.to_json()


def test_nothing_is_loaded_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys\n"
        "from sengoku.server.metrics import Metrics\n"
        "from sengoku.server.metrics_export import configure\n"
        "assert configure(Metrics()) is None\n"
        "print(any(name.startswith('opentelemetry') for name in sys.modules))\n"
    )
    environment = os.environ | {"OTEL_METRICS_EXPORTER": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("name", "value"), [("OTEL_METRICS_EXPORTER", "prometheus"), ("OTEL_METRIC_EXPORT_INTERVAL", "soon")]
)
def test_settings_that_make_no_sense_are_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", "console")
    monkeypatch.setenv(name, value)
    with pytest.raises(ArgumentError, match="expected"):
        configure(Metrics())
