"""OddsService: what happens in a battle."""

from __future__ import annotations

from typing import Any

from sengoku import convert
from sengoku.errors import ArgumentError
from sengoku.service.dispatch import Call
from sengoku.service.limits import Limits
from sengoku.v1 import odds_service_pb2


class OddsService:
    """Answers what happens in a battle."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads

    def _ask(self, options: odds_service_pb2.OddsOptions, rows: int) -> dict[str, Any]:
        method = convert.method_from_proto(options)
        if method != "sampled" and options.samples:
            raise ArgumentError(
                f"samples is {options.samples}, which only ODDS_METHOD_SAMPLED takes",
                {"field": "samples", "value": str(options.samples)},
            )
        self._limits.check("samples", options.samples)
        self._limits.check("batch_samples", options.samples * rows)
        ask = {
            "method": method,
            "samples": options.samples,
            "max_samples": max(1, min(self._limits.samples, self._limits.batch_samples // max(rows, 1))),
            "seed": options.seed,
        }
        return ask | {"max_error": options.max_error} if options.max_error else ask

    def evaluate(
        self, request: odds_service_pb2.EvaluateRequest, call: Call
    ) -> odds_service_pb2.EvaluateResponse:
        field = request.WhichOneof("question")
        kind = next((kind for kind in convert.ODDS if kind.one == field), None)
        if kind is None:
            raise ArgumentError("question is not set", {"field": "question", "value": "none"})
        ask = self._ask(request.options, rows=1)
        odds = self._odds(kind.from_proto(getattr(request, kind.one)), **ask, cancel=call.cancel)
        answer: Any = {kind.answer: kind.odds_to_proto(odds, request.options)}
        return odds_service_pb2.EvaluateResponse(**answer)

    def _odds(self, question: Any, *, method: str, samples: int, **ask: Any) -> Any:
        match method:
            case "exact" if hasattr(question, "exact"):
                return question.exact()
            case "exact":
                what = type(question).__name__.lower()
                details = {"field": "method", "value": '"exact"'}
                raise ArgumentError(f'method is "exact", a {what} is "sampled" or "auto"', details)
            case "sampled":
                seed, cancel = ask["seed"], ask["cancel"]
                return question.sample(samples, seed=seed, threads=self._threads, cancel=cancel)
            case _:
                return question.odds(**ask, threads=self._threads)

    def batch_evaluate(
        self, request: odds_service_pb2.BatchEvaluateRequest, call: Call
    ) -> odds_service_pb2.BatchEvaluateResponse:
        rows = {kind: len(getattr(request, kind.many)) for kind in convert.ODDS}
        self._limits.check("batch_rows", sum(rows.values()))
        kind, *others = [kind for kind, count in rows.items() if count] or convert.ODDS[:1]
        for other in others:
            details = {"field": other.many, "value": str(rows[other]), kind.many: str(rows[kind])}
            raise ArgumentError(
                f"{other.many} has {rows[other]} entries, but a batch with {rows[kind]} {kind.many} has none",
                details,
            )
        ask = self._ask(request.options, rows[kind])
        questions = kind.questions_from_proto(getattr(request, kind.many))
        batch = kind.batch_odds(questions, **ask, threads=self._threads, cancel=call.cancel)
        answer: Any = {kind.answer: kind.batch_to_proto(batch)}
        return odds_service_pb2.BatchEvaluateResponse(**answer)
