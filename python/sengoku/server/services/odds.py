"""OddsService: what happens in a battle."""

from __future__ import annotations

from typing import Any

from sengoku import swords
from sengoku.errors import ArgumentError
from sengoku.server.dispatch import Call
from sengoku.server.limits import Limits
from sengoku.v1 import odds_service_pb2
from sengoku.wire import convert

_BRIEF_SECONDS = 5e-4
"""What takes no longer is answered on the loop: everybody else waits that long."""
_LIGHT_SECONDS = 5e-3
"""What takes longer waits for a turn."""
_COSTS = {
    "swords_battle": (2e-7, 2e-8, swords.EXACT_STATE_LIMIT, 1e-4),
    "tower_clash": (0.0, 3e-6, 0, 1e-3),
    "battles_strike": (1e-7, 3e-7, 1 << 62, 1e-4),
}
"""Seconds for a state and for a sample, states up to which an answer is exact, and the usual error."""
_KINDS = {kind.one: kind for kind in convert.ODDS}


class OddsService:
    """Answers what happens in a battle."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads

    def _ask(self, options: odds_service_pb2.OddsOptions, rows: int) -> dict[str, Any]:
        method, samples = convert.method_from_proto(options), options.samples
        if method != "sampled" and samples:
            raise ArgumentError(
                f"samples is {options.samples}, which only ODDS_METHOD_SAMPLED takes",
                {"field": "samples", "value": str(options.samples)},
            )
        self._limits.check("samples", samples)
        self._limits.check("batch_samples", samples * rows)
        ask = {
            "method": method,
            "samples": samples,
            "max_samples": max(1, min(self._limits.samples, self._limits.batch_samples // max(rows, 1))),
            "seed": options.seed,
        }
        return ask | {"max_error": options.max_error} if options.max_error else ask

    async def evaluate(
        self, request: odds_service_pb2.EvaluateRequest, call: Call
    ) -> odds_service_pb2.EvaluateResponse:
        field = request.WhichOneof("question")
        kind = _KINDS.get(field or "")
        if kind is None:
            raise ArgumentError("question is not set", {"field": "question", "value": "none"})
        ask = self._ask(request.options, rows=1)
        question = kind.from_proto(getattr(request, kind.one))
        cost = _cost(kind, question, ask)

        def answer() -> odds_service_pb2.EvaluateResponse:
            odds = self._odds(question, **ask, cancel=call.cancel)
            filled: Any = {kind.answer: kind.odds_to_proto(odds, request.options)}
            return odds_service_pb2.EvaluateResponse(**filled)

        if cost <= _BRIEF_SECONDS:
            return answer()
        return await (call.work(answer) if cost <= _LIGHT_SECONDS else call.heavy(answer))

    def _odds(self, question: Any, *, method: str, samples: int, **ask: Any) -> Any:
        match method:
            case "exact" if hasattr(question, "exact"):
                return question.exact()
            case "exact":
                what = type(question).__name__.lower()
                details = {"field": "method", "value": '"exact"'}
                raise ArgumentError(f'method is "exact", a {what} is "sampled" or "auto"', details)
            case "sampled":
                how = {"seed": ask["seed"], "cancel": ask["cancel"]}
                return question.sample(samples, **how, threads=self._threads, background=True)
            case _:
                return question.odds(**ask, threads=self._threads, background=True)

    async def batch_evaluate(self, request: odds_service_pb2.BatchEvaluateRequest, call: Call) -> bytes:
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

        def read() -> tuple[list[Any], float]:
            questions = kind.questions_from_proto(getattr(request, kind.many))
            return questions, sum(_cost(kind, question, ask) for question in questions)

        def answer() -> bytes:
            how: Any = {"threads": self._threads, "cancel": call.cancel, "background": True}
            batch = kind.batch_odds(questions, **ask, **how)
            filled: Any = {kind.answer: kind.batch_to_proto(batch)}
            return odds_service_pb2.BatchEvaluateResponse(**filled).SerializeToString()

        questions, cost = await call.work(read)
        return await (call.work(answer) if cost <= _LIGHT_SECONDS else call.heavy(answer))


def _cost(kind: convert.OddsKind, question: Any, ask: dict[str, Any]) -> float:
    """Seconds of one core that an answer takes, rather too many than too few."""
    per_state, per_sample, most_states, max_error = _COSTS[kind.one]
    if ask["method"] == "sampled":
        return float(ask["samples"] * per_sample)
    states = question.states if most_states else 0
    if ask["method"] == "exact" or 0 < states <= most_states:
        return float(states * per_state)
    # What is certain to a third or less takes a quarter of the samples by the square of the error.
    error = ask.get("max_error", max_error)
    samples = max(0.25 / error**2 if error > 0 else 0.0, 4096)
    return float(per_sample * min(samples, ask["max_samples"]))
