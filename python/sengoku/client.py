"""The SDK: asks a server what the engine answers in process, and gives the same answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from sengoku.convert import (
    batch_from_proto,
    battle_to_proto,
    odds_from_proto,
    options_to_proto,
)
from sengoku.errors import (
    REASONS,
    ArgumentError,
    BusyError,
    CancelledError,
    DeadlineError,
    InternalError,
    LimitError,
    SengokuError,
    UnavailableError,
    UnknownMethodError,
)
from sengoku.swords import BatchOdds, Battle, Odds
from sengoku.v1 import (
    catalog_service_pb2,
    catalog_service_pb2_grpc,
    odds_service_pb2,
    odds_service_pb2_grpc,
)

if TYPE_CHECKING:
    from sengoku.swords import Method

__all__ = ["Client"]

M = TypeVar("M", bound=Message)


def _error(failure: grpc.RpcError) -> SengokuError:
    """Turns a status back into the error it was made from."""
    code, text = failure.code(), failure.details() or ""
    with suppress(ValueError, DecodeError):  # details that are none, or do not fit the code
        status = rpc_status.from_call(failure)  # type: ignore[arg-type]
        for detail in status.details if status else ():
            info = error_details_pb2.ErrorInfo()
            if detail.Unpack(info) and info.reason in REASONS:
                return REASONS[info.reason](status.message, dict(info.metadata))
    # What gRPC itself says has a code and no reason.
    error: type[SengokuError] = _BY_CODE.get(code, InternalError)
    if (
        code is grpc.StatusCode.RESOURCE_EXHAUSTED
    ):  # too many calls at once, in gRPC's words, or too long a message
        error = BusyError if "limit exceeded" in text.lower() else LimitError
    return error(f"{code.name}: {text}", {"code": code.name})


_BY_CODE = {
    error.code: error for error in (CancelledError, DeadlineError, UnavailableError, UnknownMethodError)
}


def _seconds(timeout: float | None) -> float | None:
    """A time-out that gRPC can count: none for none and for ever, and no nonsense."""
    if timeout is None or timeout == math.inf:
        return None
    if math.isnan(timeout):
        raise ArgumentError("timeout is nan, not a number of seconds", {"field": "timeout", "value": "nan"})
    return min(timeout, 1e8)


class Client:
    """A connection to a server.

    >>> from sengoku.server import Server
    >>> from sengoku.swords import Battle, Force
    >>> duel = Battle(Force(spear=1), Force(spear=1))
    >>> with Server(port=0) as server, Client(server.address) as client:
    ...     client.exact(duel) == duel.exact()
    True
    """

    def __init__(self, target: str = "localhost:50051", *, timeout: float | None = None) -> None:
        if not isinstance(target, str) or not target.strip() or not target.isprintable():
            details = {"field": "target", "value": ascii(target)}
            raise ArgumentError(f"target is {target!a}, not host:port", details)
        self._timeout = _seconds(timeout)
        options = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
        self._channel = grpc.insecure_channel(target, options=options)
        self._odds = odds_service_pb2_grpc.OddsServiceStub(self._channel)  # type: ignore[no-untyped-call]
        self._catalog = catalog_service_pb2_grpc.CatalogServiceStub(self._channel)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Ends the connection."""
        self._channel.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, method: Callable[..., M], request: Message, timeout: float | None) -> M:
        try:
            return method(request, timeout=self._timeout if timeout is None else _seconds(timeout))
        except grpc.RpcError as failure:
            raise _error(failure) from None
        except ValueError as closed:
            raise UnavailableError(f"the client cannot call any more: {closed}") from None

    def _evaluate(self, battle: Battle, options: odds_service_pb2.OddsOptions, timeout: float | None) -> Odds:
        request = odds_service_pb2.EvaluateRequest(swords_battle=battle_to_proto(battle), options=options)
        response: odds_service_pb2.EvaluateResponse = self._call(self._odds.Evaluate, request, timeout)
        return odds_from_proto(battle, response.swords_odds)

    def odds(
        self, battle: Battle, *, max_error: float = 1e-4, seed: int = 0, timeout: float | None = None
    ) -> Odds:
        """Gives the odds of a battle, as `Battle.odds` does."""
        return self._evaluate(battle, options_to_proto(max_error=max_error, seed=seed), timeout)

    def exact(self, battle: Battle, *, timeout: float | None = None) -> Odds:
        """Gives the exact odds of a battle, as `Battle.exact` does."""
        return self._evaluate(battle, options_to_proto(method="exact"), timeout)

    def sample(self, battle: Battle, n: int, *, seed: int = 0, timeout: float | None = None) -> Odds:
        """Gives the odds of a battle as `n` battles show them, as `Battle.sample` does."""
        return self._evaluate(battle, options_to_proto(method="sampled", samples=n, seed=seed), timeout)

    def batch_odds(
        self,
        battles: Iterable[Battle],
        *,
        method: Method = "auto",
        samples: int = 0,
        max_error: float = 1e-4,
        seed: int = 0,
        timeout: float | None = None,
    ) -> BatchOdds:
        """Gives the odds of many battles in one call, as `swords.batch_odds` does."""
        battles = list(battles)
        options = options_to_proto(method=method, samples=samples, max_error=max_error, seed=seed)
        request = odds_service_pb2.BatchEvaluateRequest(
            swords_battles=[battle_to_proto(battle) for battle in battles], options=options
        )
        response: odds_service_pb2.BatchEvaluateResponse = self._call(
            self._odds.BatchEvaluate, request, timeout
        )
        return batch_from_proto(response.swords_odds, len(battles))

    def games(self, *, timeout: float | None = None) -> list[dict[str, Any]]:
        """Lists the games the server knows."""
        response: catalog_service_pb2.ListGamesResponse = self._call(
            self._catalog.ListGames, catalog_service_pb2.ListGamesRequest(), timeout
        )
        return [MessageToDict(game, preserving_proto_field_name=True) for game in response.games]

    def version(self, *, timeout: float | None = None) -> dict[str, Any]:
        """Says what the server was built from, how it runs, and its limits."""
        response: catalog_service_pb2.GetVersionResponse = self._call(
            self._catalog.GetVersion, catalog_service_pb2.GetVersionRequest(), timeout
        )
        return {
            "package_version": response.package_version,
            "rules_versions": dict(response.rules_versions),
            "build_profile": response.build_profile,
            "instruction_set": response.instruction_set,
            "threads": response.threads,
            "limits": dict(response.limits),
        }
