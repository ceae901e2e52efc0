"""Spans of OpenTelemetry: from the call of a client through queue and work, with the SDK and no exporter."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from sengoku import Client, swords
from sengoku.errors import ArgumentError
from sengoku.server import Server
from sengoku.wire import spans

SIMULATE = "sengoku.v1.SimulationService/RunMatches"
EVALUATE = "sengoku.v1.OddsService/Evaluate"


@pytest.fixture(scope="module")
def exporter() -> Iterator[InMemorySpanExporter]:
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    spans.instrument(provider)
    yield kept
    spans.uninstrument()


@pytest.fixture(scope="module")
def server(exporter: InMemorySpanExporter) -> Iterator[Server]:
    with Server(port=0, metrics_port=0) as running:
        yield running


@pytest.fixture
def recorded(exporter: InMemorySpanExporter) -> InMemorySpanExporter:
    exporter.clear()
    return exporter


def by_name(recorded: InMemorySpanExporter) -> dict[str, Any]:
    return {f"{span.name} {span.kind.name}": span for span in recorded.get_finished_spans()}


def test_a_call_is_one_trace_from_the_client_to_the_work(
    server: Server, recorded: InMemorySpanExporter
) -> None:
    with Client(server.address, timeout=60) as client:
        client.run_matches("tower", bots=["random"], match_count=20, seed=1)
    found = by_name(recorded)
    call, answer = found[f"{SIMULATE} CLIENT"], found[f"{SIMULATE} SERVER"]
    queue, work = found["queue INTERNAL"], found["work INTERNAL"]
    assert {span.context.trace_id for span in (answer, queue, work)} == {call.context.trace_id}
    assert answer.parent.span_id == call.context.span_id
    assert queue.parent.span_id == work.parent.span_id == answer.context.span_id
    assert call.start_time <= answer.start_time <= queue.start_time <= queue.end_time <= work.start_time
    assert work.end_time <= answer.end_time
    assert answer.attributes["rpc.service"] == "sengoku.v1.SimulationService"
    assert answer.attributes["rpc.method"] == "RunMatches"
    assert answer.attributes["sengoku.request_id"] == call.attributes["sengoku.request_id"]
    assert answer.attributes["rpc.response.status_code"] == "OK"
    assert answer.attributes["sengoku.client"] == "local"


def test_a_call_that_fails_says_why(server: Server, recorded: InMemorySpanExporter) -> None:
    with Client(server.address, timeout=60) as client, pytest.raises(ArgumentError):
        client.run_matches("tower", bots=["nobody"], match_count=20)
    found = by_name(recorded)
    for kind in ("CLIENT", "SERVER"):
        assert found[f"{SIMULATE} {kind}"].attributes["error.type"] == "INVALID_ARGUMENT"


def test_chunks_of_a_run_have_spans(server: Server, recorded: InMemorySpanExporter) -> None:
    with Client(server.address, timeout=60) as client:
        client.start_run("battles", bots=["random"], match_count=30, seed=2).wait()
    played = [span for span in recorded.get_finished_spans() if span.name == "play"]
    assert sum(span.attributes["sengoku.matches"] for span in played) == 30
    assert {span.attributes["sengoku.game"] for span in played} == {"battles"}


def test_metrics_have_exemplars_that_name_the_trace(server: Server, recorded: InMemorySpanExporter) -> None:
    with Client(server.address, timeout=60) as client:
        client.batch_odds([swords.Battle(swords.Force(bow=2), swords.Force(spear=3))])
        client.odds(swords.Battle(swords.Force(bow=2), swords.Force(spear=3)))
    ids = {
        f"{span.context.trace_id:032x}"
        for span in recorded.get_finished_spans()
        if span.name == EVALUATE and span.kind is SpanKind.SERVER
    }
    assert server.metrics_port is not None
    page = f"http://{server.metrics_port.address}/metrics"
    asked = Request(page, headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    with urlopen(asked, timeout=10) as answer:  # noqa: S310
        lines = answer.read().decode().splitlines()
    traced = [line for line in lines if "duration_seconds_bucket" in line and f'"{EVALUATE}"' in line]
    assert any(f'trace_id="{name}"' in line for line in traced for name in ids)
    with urlopen(page, timeout=10) as answer:
        assert "trace_id" not in answer.read().decode()  # the plain format has no exemplars


def test_a_parent_that_is_nonsense_is_ignored(server: Server, recorded: InMemorySpanExporter) -> None:
    span = spans.begin("/a.B/C", "id", {"traceparent": "00-zz-\x00-01", "tracestate": "=" * 5000})
    assert span is not None
    span.end("local", "OK", "")
    (ended,) = recorded.get_finished_spans()
    assert ended.parent is None


def test_without_a_provider_nothing_is_loaded_and_with_one_the_process_prints_spans() -> None:
    code = (
        "import sys\n"
        "from sengoku import Client\n"
        "from sengoku.server import Server\n"
        "from sengoku.wire import spans\n"
        "flush = spans.configure()\n"
        "with Server(port=0) as server, Client(server.address, timeout=60) as client:\n"
        "    client.games()\n"
        "print('opentelemetry.sdk' in sys.modules)\n"
        "flush and flush()\n"
    )
    for exporter, loaded in (("", "False"), ("none", "False"), ("console", "True")):
        environment = os.environ | {"OTEL_TRACES_EXPORTER": exporter}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert done.stdout.strip() == loaded
        assert ("CatalogService/ListGames" in done.stderr) == (loaded == "True")


def test_an_unknown_exporter_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "zipkin")
    with pytest.raises(ArgumentError, match="expected one of otlp, console, none"):
        spans.configure()
