"""OddsService: the odds of battles, clashes and strikes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from sengoku.client._flow import Api, Call, method
from sengoku.engine.odds import ExactQuestion, Question
from sengoku.v1 import odds_service_pb2 as pb2
from sengoku.wire.odds import ODDS, odds_kind, options_to_proto

A = TypeVar("A")


class OddsApi(Api):
    """The methods of a client that evaluate odds."""

    @method
    def odds(
        self,
        battle: Question[A],
        *,
        max_error: float | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> Call[A]:
        """Return the odds of a battle, clash or strike, like its own `odds` and with the same defaults."""
        return _evaluate(battle, options_to_proto(max_error=max_error, seed=seed), timeout)

    @method
    def exact(self, battle: ExactQuestion[A], *, timeout: float | None = None) -> Call[A]:
        """Return the exact odds of a battle or strike, like its own `exact`."""
        return _evaluate(battle, options_to_proto(method="exact"), timeout)

    @method
    def sample(self, battle: Question[A], n: int, *, seed: int = 0, timeout: float | None = None) -> Call[A]:
        """Estimate the odds from `n` simulated battles, clashes or strikes, like their own `sample`."""
        return _evaluate(battle, options_to_proto(method="sampled", samples=n, seed=seed), timeout)

    @method
    def batch_odds(
        self,
        battles: Iterable[Any],
        *,
        method: str = "auto",
        samples: int = 0,
        max_error: float | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> Call[Any]:
        """Return the odds of many battles, clashes or strikes from one call, like their own `batch_odds`."""
        questions = list(battles)
        options = options_to_proto(method=method, samples=samples, max_error=max_error, seed=seed)
        request = pb2.BatchEvaluateRequest(options=options)
        kind = odds_kind(questions[0]) if questions else ODDS[0]
        for row, question in enumerate(questions):
            if not isinstance(question, kind.question):
                expected, found = kind.question.__name__, type(question).__name__
                raise TypeError(f"row {row} must be a {expected} like row 0, not {found}")
        getattr(request, kind.many).extend(map(kind.to_proto, questions))
        return Call(
            request,
            lambda response: kind.batch_from_proto(getattr(response, kind.answer), len(questions)),
            timeout,
        )


def _evaluate(question: Any, options: pb2.OddsOptions, timeout: float | None) -> Call[Any]:
    kind = odds_kind(question)
    return Call(
        kind.evaluate_to_proto(question, options),
        lambda response: kind.odds_from_proto(question, getattr(response, kind.answer)),
        timeout,
    )
