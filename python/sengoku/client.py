"""The SDK: asks a server what the engine answers in process, and gives the same answers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from sengoku import battles as strikes
from sengoku import convert, tower
from sengoku._core import MAX_MATCHES, Cancel
from sengoku.catalogue import Scenario
from sengoku.convert import options_to_proto
from sengoku.engine import MatchReport, Picture, Progress, Setup, Sketch, read_text, watching
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
from sengoku.odds import ExactQuestion, Question
from sengoku.remote import RemoteCubeTower, RemoteMatch
from sengoku.survey import Survey, survey
from sengoku.swords import BatchOdds, Battle
from sengoku.v1 import (
    catalog_service_pb2,
    catalog_service_pb2_grpc,
    match_service_pb2,
    match_service_pb2_grpc,
    odds_service_pb2,
    odds_service_pb2_grpc,
    simulation_service_pb2,
    simulation_service_pb2_grpc,
    tower_service_pb2,
    tower_service_pb2_grpc,
)

if TYPE_CHECKING:
    from sengoku.swords import Method

__all__ = ["Client"]

M = TypeVar("M", bound=Message)
A = TypeVar("A")

_FIRST_PIECE = 64
"""Matches of the first call of a run that is watched."""
_PIECE_SECONDS = 2.0
"""How long a call of such a run shall take."""
_LOOK_SECONDS = 0.05
"""How often a long call looks whether it shall stop."""


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

        self._simulation = simulation_service_pb2_grpc.SimulationServiceStub(self._channel)  # type: ignore[no-untyped-call]
        self._tower = tower_service_pb2_grpc.TowerServiceStub(self._channel)  # type: ignore[no-untyped-call]
        self._matches = match_service_pb2_grpc.MatchServiceStub(self._channel)  # type: ignore[no-untyped-call]

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

    def _evaluate(
        self, question: Question[A], options: odds_service_pb2.OddsOptions, timeout: float | None
    ) -> A:
        kind = convert.odds_kind(question)
        request = kind.evaluate_to_proto(question, options)
        response: odds_service_pb2.EvaluateResponse = self._call(self._odds.Evaluate, request, timeout)
        odds: A = kind.odds_from_proto(question, getattr(response, kind.answer))
        return odds

    def odds(
        self,
        battle: Question[A],
        *,
        max_error: float | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> A:
        """Gives the odds of a battle, a clash or a strike, as its own `odds` does, with the same defaults."""
        return self._evaluate(battle, options_to_proto(max_error=max_error, seed=seed), timeout)

    def exact(self, battle: ExactQuestion[A], *, timeout: float | None = None) -> A:
        """Gives the exact odds of a battle or a strike, as its own `exact` does."""
        return self._evaluate(battle, options_to_proto(method="exact"), timeout)

    def sample(self, battle: Question[A], n: int, *, seed: int = 0, timeout: float | None = None) -> A:
        """Gives the odds as `n` battles, clashes or strikes show them, as their own `sample` does."""
        return self._evaluate(battle, options_to_proto(method="sampled", samples=n, seed=seed), timeout)

    @overload
    def batch_odds(
        self,
        battles: Iterable[Battle],
        *,
        method: Method = "auto",
        samples: int = 0,
        max_error: float | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> BatchOdds: ...
    @overload
    def batch_odds(
        self,
        battles: Iterable[tower.Clash],
        *,
        method: tower.Method = "auto",
        samples: int = 0,
        max_error: float | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> tower.BatchOdds: ...
    @overload
    def batch_odds(
        self,
        battles: Iterable[strikes.Strike],
        *,
        method: strikes.Method = "auto",
        samples: int = 0,
        max_error: float | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> strikes.BatchOdds: ...
    def batch_odds(
        self,
        battles: Iterable[Any],
        *,
        method: str = "auto",
        samples: int = 0,
        max_error: float | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> Any:
        """Gives the odds of many battles, clashes or strikes in one call, as their own `batch_odds` does."""
        questions = list(battles)
        options = options_to_proto(method=method, samples=samples, max_error=max_error, seed=seed)
        request = odds_service_pb2.BatchEvaluateRequest(options=options)
        kind = convert.odds_kind(questions[0]) if questions else convert.ODDS[0]
        for row, question in enumerate(questions):
            if not isinstance(question, kind.question):
                wanted, found = kind.question.__name__, type(question).__name__
                raise TypeError(f"row {row} must be a {wanted} as row 0 is, not {found}")
        getattr(request, kind.many).extend(map(kind.to_proto, questions))
        response: odds_service_pb2.BatchEvaluateResponse = self._call(
            self._odds.BatchEvaluate, request, timeout
        )
        return kind.batch_from_proto(getattr(response, kind.answer), len(questions))

    def cube_tower(
        self,
        model: str = "shelves",
        *,
        seed: int = 0,
        match_index: int = 0,
        contents: tower.Cubes | None = None,
        parameters: tower.Parameters = None,
    ) -> RemoteCubeTower:
        """Gives a tower whose throws the server makes, as `tower.CubeTower` does in process."""
        device = tower.CubeTower(
            model,
            seed=seed,
            match_index=match_index,
            contents=None if contents is None else dict(contents),
            parameters=parameters if parameters is None or isinstance(parameters, str) else dict(parameters),
        )
        return RemoteCubeTower(self, device)

    def ask_tower(self, request: tower_service_pb2.ThrowRequest) -> tower_service_pb2.ThrowResponse:
        """Lets the server throw."""
        response: tower_service_pb2.ThrowResponse = self._call(self._tower.Throw, request, None)
        return response

    def simulate_throws(
        self,
        cubes: tower.Cubes,
        *,
        count: int,
        model: str = "shelves",
        seed: int = 0,
        first: int = 0,
        contents: tower.Cubes | None = None,
        parameters: tower.Parameters = None,
        sequence: bool = False,
        timeout: float | None = None,
    ) -> tower.Throws:
        """Throws the same cubes many times, as `tower.simulate_throws` does."""
        new = convert.new_tower_to_proto(
            model=model, seed=seed, match_index=first, contents=contents, parameters=parameters
        )
        request = tower_service_pb2.SimulateThrowsRequest(
            cubes=convert.cubes_to_proto("cubes", cubes),
            tower=new,
            count=convert.count_to_proto(count),
            sequence=sequence,
        )
        response: tower_service_pb2.SimulateThrowsResponse = self._call(
            self._tower.SimulateThrows, request, timeout
        )
        return convert.throws_from_proto(response, request.count)

    def games(self, *, timeout: float | None = None) -> list[dict[str, Any]]:
        """Lists the games the server knows."""
        response: catalog_service_pb2.ListGamesResponse = self._call(
            self._catalog.ListGames, catalog_service_pb2.ListGamesRequest(), timeout
        )
        return [MessageToDict(game, preserving_proto_field_name=True) for game in response.games]

    def scenarios(self, game: str | None = None, *, timeout: float | None = None) -> list[Scenario]:
        """Lists the scenarios of a game, or of all games, as `sengoku.scenarios` does."""
        request = catalog_service_pb2.ListScenariosRequest(game=convert.text_to_proto("game", game or ""))
        response: catalog_service_pb2.ListScenariosResponse = self._call(
            self._catalog.ListScenarios, request, timeout
        )
        return [self._scenario(message, timeout) for message in response.scenarios]

    def scenario(self, name: str | int, game: str | None = None, *, timeout: float | None = None) -> Scenario:
        """Gives the scenario of a name, as `sengoku.scenario` does."""
        request = catalog_service_pb2.GetScenarioRequest(
            game=convert.text_to_proto("game", game or ""), id=convert.text_to_proto("name", str(name))
        )
        return self._one_scenario(request, timeout)

    def read_scenario(
        self, file: str | Path, game: str | None = None, *, timeout: float | None = None
    ) -> Scenario:
        """Lets the server read a scenario that somebody wrote, as `sengoku.read_scenario` does."""
        text = read_text("file", Path(file))
        request = catalog_service_pb2.GetScenarioRequest(
            game=convert.text_to_proto("game", game or ""), text=text
        )
        return self._one_scenario(request, timeout)

    def _one_scenario(
        self, request: catalog_service_pb2.GetScenarioRequest, timeout: float | None
    ) -> Scenario:
        response: catalog_service_pb2.GetScenarioResponse = self._call(
            self._catalog.GetScenario, request, timeout
        )
        seen = Picture(response.svg), convert.sketch_from_json(response.sketch_json)
        return convert.scenario_from_proto(response.scenario, lambda: seen)

    def _scenario(self, message: catalog_service_pb2.Scenario, timeout: float | None) -> Scenario:
        """Gives a scenario of a list; its pictures are asked for when somebody wants to see them."""

        def look() -> tuple[Picture, Sketch]:
            return self.scenario(message.id, message.game, timeout=timeout).look()

        return convert.scenario_from_proto(message, look)

    def tower_models(self, *, timeout: float | None = None) -> list[dict[str, Any]]:
        """Lists the models of the cube tower that the server knows, and the throws each may make."""
        response: catalog_service_pb2.ListTowerModelsResponse = self._call(
            self._catalog.ListTowerModels, catalog_service_pb2.ListTowerModelsRequest(), timeout
        )
        return [
            {
                "name": model.name,
                "summary": model.summary,
                "parameter_sets": list(model.parameter_sets),
                "max_throws": model.max_throws,
            }
            for model in response.models
        ]

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

    def run_scenarios(
        self,
        game: str,
        *,
        match_count: int,
        setup: Mapping[str, Any] | None = None,
        progress: bool | Progress | None = None,
        **wish: Any,
    ) -> Survey:
        """Lets the server's bots play in every scenario of a game, as `sengoku.run_scenarios` does."""
        known = self.scenarios(game)
        return survey(
            known, self.run_matches, match_count=match_count, setup=setup, progress=progress, **wish
        )

    def run_matches(
        self,
        game: str,
        *,
        bots: Iterable[str],
        seats: int | None = None,
        match_count: int,
        first_match: int = 0,
        seed: int = 0,
        setup: Setup = None,
        threads: int = 0,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
        timeout: float | None = None,
    ) -> MatchReport:
        """Lets the server's bots play matches, as `sengoku.run_matches` does, with the same report.

        More matches than the server plays in one call are several calls, and so is a run that is watched.
        `timeout` is for all of them together.
        """
        request = convert.run_to_proto(
            game,
            bots=bots,
            seats=seats,
            match_count=match_count,
            first_match=first_match,
            seed=seed,
            setup=setup,
            threads=threads,
        )
        seconds = self._timeout if timeout is None else _seconds(timeout)
        end = None if seconds is None else time.monotonic() + seconds
        total, first, last = (
            request.match_count,
            request.first_match,
            request.first_match + request.match_count,
        )
        if not 1 <= total <= MAX_MATCHES:
            details = {"field": "match_count", "value": str(total), "limit": str(MAX_MATCHES)}
            raise ArgumentError(f"match_count is {total}, 1 to {MAX_MATCHES} are possible", details)
        if last > 1 << 64:
            details = {"field": "first_match", "value": str(first), "match_count": str(total)}
            raise ArgumentError(f"{total} matches from number {first} go beyond the last number", details)
        most = self.version(timeout=seconds)["limits"].get("matches", total)
        responses: list[simulation_service_pb2.RunMatchesResponse] = []
        counts: list[int] = []
        with watching(progress) as told:
            piece = most if told is None else min(most, _FIRST_PIECE)
            while first < last:
                part = simulation_service_pb2.RunMatchesRequest()
                part.CopyFrom(request)
                part.first_match, part.match_count = first, min(piece, last - first)
                begin = time.monotonic()
                left = None if end is None else max(0.0, end - begin)
                responses.append(self._long_call(self._simulation.RunMatches, part, left, cancel))
                counts.append(part.match_count)
                first += part.match_count
                if told is not None:
                    told(total - (last - first), total)
                    faster = _PIECE_SECONDS / max(1e-3, time.monotonic() - begin)
                    piece = max(1, min(most, int(piece * min(faster, 8.0))))
        return convert.report_from_proto(request, responses, counts)

    def _long_call(
        self, method: Any, request: Message, timeout: float | None, cancel: Cancel | None
    ) -> simulation_service_pb2.RunMatchesResponse:
        """Calls, and hears the wish to stop while it waits."""
        try:
            call = method.future(request, timeout=timeout)
        except ValueError as closed:
            raise UnavailableError(f"the client cannot call any more: {closed}") from None
        try:
            while True:
                if cancel is not None and cancel.cancelled:
                    raise CancelledError("the work was cancelled")
                with suppress(grpc.FutureTimeoutError):
                    response: simulation_service_pb2.RunMatchesResponse = call.result(timeout=_LOOK_SECONDS)
                    return response
        except grpc.FutureCancelledError:
            raise CancelledError("the work was cancelled") from None
        except grpc.RpcError as failure:
            raise _error(failure) from None
        finally:
            call.cancel()  # whatever made us leave; a call that is done does not mind

    def ask_match(self, method: str, request: Message, timeout: float | None = None) -> Any:
        """Calls a method of `MatchService` by its name."""
        return self._call(getattr(self._matches, method), request, timeout)

    def create_match(
        self,
        game: str,
        *,
        seats: int | None = None,
        seed: int = 0,
        match_index: int = 0,
        setup: Setup = None,
        dice: Iterable[SupportsIndex] | None = None,
    ) -> RemoteMatch:
        """Begins a match on the server, as `Match.create` does in process; leaving its block deletes it.

        >>> from sengoku import games
        >>> from sengoku.server import Server
        >>> with Server(port=0) as server, Client(server.address) as client:
        ...     with client.create_match(games()[0].name, seed=11) as match:
        ...         match.play(match.legal_actions()[0])
        ...         match.decisions
        1
        """
        request = convert.create_to_proto(
            game, seats=seats, seed=seed, match_index=match_index, setup=setup, dice=dice
        )
        return self._owned(self.ask_match("CreateMatch", request))

    def load_match(self, data: bytes | bytearray | memoryview) -> RemoteMatch:
        """Goes on with a saved match on the server, as `Match.load` does in process."""
        request = match_service_pb2.LoadMatchRequest(data=bytes(memoryview(data)))
        return self._owned(self.ask_match("LoadMatch", request))

    def match_from_replay(self, text: str) -> RemoteMatch:
        """Goes on with a match that was written down, as `Match.from_replay` does in process."""
        request = match_service_pb2.LoadMatchRequest(replay=convert.text_to_proto("text", text))
        return self._owned(self.ask_match("LoadMatch", request))

    def _owned(
        self, response: match_service_pb2.CreateMatchResponse | match_service_pb2.LoadMatchResponse
    ) -> RemoteMatch:
        access = response.access
        return RemoteMatch(
            self,
            response.status,
            match_id=access.match_id,
            token=access.owner_token,
            seat_tokens=tuple(access.seat_tokens),
        )

    def join_match(self, match_id: str, token: str) -> RemoteMatch:
        """Gives a match that somebody began, for the seat of the token, or for its owner."""
        match_id, token = convert.text_to_proto("match_id", match_id), convert.text_to_proto("token", token)
        request = match_service_pb2.GetMatchRequest(match_id=match_id, token=token)
        response: match_service_pb2.GetMatchResponse = self.ask_match("GetMatch", request)
        seat = response.seat if response.HasField("seat") else None
        return RemoteMatch(self, response.status, match_id=match_id, token=token, seat=seat)
