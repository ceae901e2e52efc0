"""Spans of calls and of their work, by OpenTelemetry.

Nothing is loaded and nothing is recorded until a program calls `instrument`, or `configure`, which does
what the environment asks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, TypeVar

from sengoku.errors import SengokuError, invalid, missing_package

__all__ = ["ClientSpan", "Span", "begin", "begin_call", "configure", "instrument", "part", "uninstrument"]

_T = TypeVar("_T")
tracer: Any = None
"""What records spans; None while nothing is recorded."""
_EXPORTERS = ("otlp", "console", "none")


def instrument(provider: Any = None) -> None:
    """Record spans of all clients and servers of this process, by default with the global tracer provider."""
    global tracer  # noqa: PLW0603 - one for the process, as instrumentations are
    from opentelemetry import trace  # noqa: PLC0415

    tracer = (provider or trace.get_tracer_provider()).get_tracer("sengoku")


def uninstrument() -> None:
    """Record nothing from now on."""
    global tracer  # noqa: PLW0603 - as above
    tracer = None


def _propagator() -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

    return TraceContextTextMapPropagator()


def _rpc(method: str, request_id: str) -> dict[str, str]:
    service, _, name = method.strip("/").rpartition("/")
    return {"rpc.service": service, "rpc.method": name, "sengoku.request_id": request_id}


class ClientSpan:
    """The span of a call that a client makes."""

    __slots__ = ("_entered", "_span", "headers")

    def __init__(self, tracer: Any, method: str, request_id: str) -> None:
        from opentelemetry.trace import SpanKind  # noqa: PLC0415

        attributes = _rpc(method, request_id)
        self._entered = tracer.start_as_current_span(
            method.strip("/"), kind=SpanKind.CLIENT, attributes=attributes
        )
        self._span = self._entered.__enter__()
        named: dict[str, str] = {}
        _propagator().inject(named)
        self.headers = tuple(named.items())
        """The metadata that names the span."""

    def failed(self, error: BaseException) -> None:
        """Record why the call failed."""
        name = error.reason if isinstance(error, SengokuError) else type(error).__name__
        self._span.set_attribute("error.type", name)

    def end(self) -> None:
        """End the span."""
        self._entered.__exit__(None, None, None)


def begin_call(method: str, request_id: str) -> ClientSpan | None:
    """Begin the span of a call that a client makes, if spans are recorded."""
    return None if tracer is None else ClientSpan(tracer, method, request_id)


class Span:
    """The span of a call that a server answers."""

    __slots__ = ("_span", "_tracer")

    def __init__(self, tracer: Any, span: Any) -> None:
        self._tracer = tracer
        self._span = span

    @property
    def trace_id(self) -> str:
        """The id of the trace if it is kept, else empty; for exemplars."""
        context = self._span.get_span_context()
        return f"{context.trace_id:032x}" if context.trace_flags.sampled else ""

    def end(self, client: str, code: str, reason: str) -> None:
        """End the span with what the caller is told."""
        from opentelemetry.trace import StatusCode  # noqa: PLC0415

        self._span.set_attribute("sengoku.client", client)
        self._span.set_attribute("rpc.response.status_code", code)
        if reason:
            self._span.set_attribute("error.type", reason)
        if code in {"INTERNAL", "UNKNOWN", "DATA_LOSS", "UNAVAILABLE"}:
            self._span.set_status(StatusCode.ERROR, reason)
        self._span.end()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Record a part of the call; other spans of the block are parts of it."""
        from opentelemetry.trace import set_span_in_context  # noqa: PLC0415

        with self._tracer.start_as_current_span(name, context=set_span_in_context(self._span)):
            yield

    def around(self, name: str, function: Callable[[], _T]) -> Callable[[], _T]:
        """Return the function with a span around it, for another thread."""

        def recorded() -> _T:
            with self.part(name):
                return function()

        return recorded


def begin(method: str, request_id: str, metadata: Mapping[str, str]) -> Span | None:
    """Begin the span of a call that a server answers; its parent is the span that the caller names."""
    if tracer is None:
        return None
    from opentelemetry.trace import SpanKind  # noqa: PLC0415

    parent = _propagator().extract(metadata)
    attributes = _rpc(method, request_id)
    return Span(
        tracer,
        tracer.start_span(method.strip("/"), context=parent, kind=SpanKind.SERVER, attributes=attributes),
    )


def part(name: str, **attributes: str | int) -> AbstractContextManager[Any]:
    """Return a block with a span of its own, for work that belongs to no call."""
    if tracer is None:
        return nullcontext()
    named = {f"sengoku.{key}": value for key, value in attributes.items()}
    span: AbstractContextManager[Any] = tracer.start_as_current_span(name, attributes=named)
    return span


def configure() -> Callable[[], None] | None:
    """Record spans as the environment asks: `OTEL_TRACES_EXPORTER` is `otlp`, `console` or `none`.

    The other variables are those of OpenTelemetry's exporters, such as `OTEL_EXPORTER_OTLP_ENDPOINT`.
    Returns the function that sends what is left, or None if nothing is recorded.
    """
    exporter = os.environ.get("OTEL_TRACES_EXPORTER", "none").strip() or "none"
    if exporter not in _EXPORTERS:
        raise invalid("OTEL_TRACES_EXPORTER", exporter, f"expected one of {', '.join(_EXPORTERS)}")
    if exporter == "none":
        return None
    try:
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        kept = _exporter(exporter)
    except ImportError as error:
        raise missing_package("opentelemetry-sdk", "traces", "otel") from error
    provider = TracerProvider(resource=Resource.create({"service.name": "sengoku"}))
    provider.add_span_processor(BatchSpanProcessor(kept))
    instrument(provider)
    return provider.shutdown


def _exporter(name: str) -> Any:
    if name == "otlp":
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415

        return OTLPSpanExporter()
    from opentelemetry.sdk.trace.export import ConsoleSpanExporter  # noqa: PLC0415

    return ConsoleSpanExporter(out=sys.stderr, formatter=lambda span: span.to_json(indent=None) + "\n")
