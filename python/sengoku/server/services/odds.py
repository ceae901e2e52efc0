"""OddsService: the odds of battles."""

from __future__ import annotations

from typing import Any

from sengoku import swords, tower
from sengoku.errors import ArgumentError, invalid, missing
from sengoku.fleet import Fleet
from sengoku.server.call import Call
from sengoku.server.limits import Limits
from sengoku.v1 import odds_service_pb2 as pb2
from sengoku.wire.odds import ODDS, OddsKind, method_from_proto

_BRIEF_SECONDS = 5e-4
"""Answers up to this estimate are computed on the event loop, which blocks all calls that long."""
_LIGHT_SECONDS = 5e-3
"""Answers beyond this estimate wait for a turn."""
_FLEET_SECONDS = 1.0
"""Batches beyond this estimate are answered by a fleet, if there is one."""
_COSTS = {
    "swords_battle": (2e-7, 2e-8, swords.EXACT_STATE_LIMIT, 1e-4),
    "tower_clash": (6e-7, 3e-6, tower.EXACT_STATE_LIMIT, 1e-3),
    "battles_strike": (1e-7, 3e-7, 1 << 62, 1e-4),
}
"""Seconds per state and per sample, states up to which "auto" is exact, and the default error."""
_KINDS = {kind.one: kind for kind in ODDS}


class OddsService:
    """The service for odds of battles."""

    def __init__(self, limits: Limits, threads: int, fleet: Fleet | None = None) -> None:
        """With a fleet, it answers large batches."""
        self._fleet = fleet
        self._limits = limits
        self._threads = threads

    def _options(self, options: pb2.OddsOptions, rows: int) -> dict[str, Any]:
        method, samples = method_from_proto(options), options.samples
        if method != "sampled" and samples:
            raise invalid("samples", samples, "which requires ODDS_METHOD_SAMPLED")
        self._limits.check("samples", samples)
        self._limits.check("batch_samples", samples * rows)
        how = {
            "method": method,
            "samples": samples,
            "max_samples": max(1, min(self._limits.samples, self._limits.batch_samples // max(rows, 1))),
            "seed": options.seed,
        }
        return how | {"max_error": options.max_error} if options.max_error else how

    async def evaluate(self, request: pb2.EvaluateRequest, call: Call) -> pb2.EvaluateResponse:
        field = request.WhichOneof("question")
        kind = _KINDS.get(field or "")
        if kind is None:
            raise missing("question", f"give one of {', '.join(_KINDS)}")
        options = self._options(request.options, rows=1)
        question = kind.from_proto(getattr(request, kind.one))
        cost = _cost(kind, question, options)

        def answer() -> pb2.EvaluateResponse:
            odds = self._odds(question, **options, cancel=call.cancel)
            filled: Any = {kind.answer: kind.odds_to_proto(odds, request.options)}
            return pb2.EvaluateResponse(**filled)

        if cost <= _BRIEF_SECONDS:
            return answer()
        return await (call.work(answer) if cost <= _LIGHT_SECONDS else call.heavy(answer))

    def _odds(self, question: Any, *, method: str, samples: int, **options: Any) -> Any:
        match method:
            case "exact":
                return question.exact(threads=self._threads, cancel=options["cancel"], background=True)
            case "sampled":
                how = {"seed": options["seed"], "cancel": options["cancel"]}
                return question.sample(samples, **how, threads=self._threads, background=True)
            case _:
                return question.odds(**options, threads=self._threads, background=True)

    async def batch_evaluate(self, request: pb2.BatchEvaluateRequest, call: Call) -> bytes:
        rows = {kind: len(getattr(request, kind.many)) for kind in ODDS}
        self._limits.check("batch_rows", sum(rows.values()))
        kind, *others = [kind for kind, count in rows.items() if count] or ODDS[:1]
        for other in others:
            details = {"field": other.many, "value": str(rows[other]), kind.many: str(rows[kind])}
            raise ArgumentError(
                f"{other.many} has {rows[other]} entries, but must be empty with {rows[kind]} {kind.many}",
                details,
            )
        options = self._options(request.options, rows[kind])

        def read() -> tuple[list[Any], float]:
            questions = kind.questions_from_proto(call.each(getattr(request, kind.many)))
            return questions, sum(_cost(kind, question, options) for question in call.each(questions))

        def answer() -> bytes:
            if self._fleet is not None and cost > _FLEET_SECONDS:
                batch = self._fleet.batch_odds(questions, **options, cancel=call.cancel)
            else:
                how: Any = {"threads": self._threads, "cancel": call.cancel, "background": True}
                batch = kind.batch_odds(questions, **options, **how)
            filled: Any = {kind.answer: kind.batch_to_proto(batch)}
            return pb2.BatchEvaluateResponse(**filled).SerializeToString()

        questions, cost = await call.work(read)
        on_fleet = self._fleet is not None and cost > _FLEET_SECONDS
        return await (call.work(answer) if cost <= _LIGHT_SECONDS or on_fleet else call.heavy(answer))


def _cost(kind: OddsKind, question: Any, options: dict[str, Any]) -> float:
    """Estimate the seconds of one core that an answer takes, rather too high than too low."""
    per_state, per_sample, most_states, max_error = _COSTS[kind.one]
    if options["method"] == "sampled":
        return float(options["samples"] * per_sample)
    states = question.states if most_states else 0
    if options["method"] == "exact" or 0 < states <= most_states:
        return float(states * per_state)
    # The variance of a probability is at most 1/4.
    error = options.get("max_error", max_error)
    samples = max(0.25 / error**2 if error > 0 else 0.0, 4096)
    return float(per_sample * min(samples, options["max_samples"]))
