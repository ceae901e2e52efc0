"""The gRPC services: requests in, engine calls, answers or statuses out."""

from __future__ import annotations

import json
import logging
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from types import FrameType
from typing import Any

import grpc
from google.protobuf import any_pb2, message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

from sengoku import _core, catalogue, convert, engine, swords, tower
from sengoku._core import MAX_MATCHES, MAX_THREADS, Cancel, build_info, cores
from sengoku.errors import (
    ArgumentError,
    BusyError,
    InternalError,
    LimitError,
    NotYourTurnError,
    SengokuError,
    StaleMatchError,
    UnknownMethodError,
)
from sengoku.tables import Access, Guest, Tables
from sengoku.v1 import catalog_service_pb2, odds_service_pb2, simulation_service_pb2, tower_service_pb2
from sengoku.v1 import match_service_pb2 as match_pb2

__all__ = ["DOMAIN", "Limits", "Server", "serve"]

DOMAIN = "sengoku"
"""Domain of the reason codes in `google.rpc.ErrorInfo`."""

_log = logging.getLogger(__name__)
_HOST = re.compile(r"[A-Za-z0-9._-]+|\[?[0-9A-Fa-f:.]+(%\w+)?\]?")

_ABOUT = {
    "battles": {
        "summary": "Tactical: hexes, command and dragon cards, honor, forty battles of two armies.",
        "capabilities": ["odds", "matches"],
    },
    "swords": {
        "summary": "Strategic: 68 provinces, armies led by daimyo, battles with twelve-sided dice.",
        "capabilities": ["odds", "matches"],
    },
    "tower": {
        "summary": "Area control: 45 provinces, secret plans, battles in a cube tower; the court expands it.",
        "capabilities": ["odds", "matches"],
    },
}
GAMES = tuple(
    convert.game_to_proto(game, **_ABOUT.get(game.name, {"capabilities": ["matches"]}))
    for game in engine.games()
)


@dataclass(frozen=True)
class Limits:
    """The largest requests a server takes. Beyond them a request fails at once and costs nothing."""

    samples: int = 10_000_000_000
    """Battles sampled for one row."""
    batch_samples: int = 100_000_000_000
    """Battles sampled for all rows of one batch."""
    batch_rows: int = 10_000
    """Battles in one batch."""
    message_bytes: int = 4 << 20
    """Length of a request."""
    calls: int = 256
    """Calls under way at once."""
    matches: int = 1_000_000
    """Matches that bots play in one call."""
    decisions: int = 10_000_000_000
    """Decisions of all matches that bots play in one call."""
    open_matches: int = 1_000
    """Matches of `MatchService` at once."""
    match_decisions: int = 100_000
    """Decisions of one of them."""
    idle_seconds: int = 3_600
    """How long one of them is kept while nobody uses it."""
    throws: int = 1_000_000
    """Throws of the cube tower in one call."""
    rigid_throws: int = 200
    """The same with the model "rigid", which takes a tenth of a second for a throw."""
    rigid_steps: int = 100_000
    """Steps that a rigid throw may take by its geometry before its time is over."""

    def __post_init__(self) -> None:
        for name, most in (
            ("samples", swords.MAX_SAMPLES),
            ("batch_samples", 1 << 62),
            ("batch_rows", 1 << 31),
            ("message_bytes", 1 << 29),
            ("calls", 10_000),
            ("matches", MAX_MATCHES),
            ("decisions", 1 << 62),
            ("open_matches", 1_000_000),
            ("match_decisions", 1 << 31),
            ("idle_seconds", 1 << 31),
            ("throws", tower.MAX_THROWS),
            ("rigid_throws", tower.MAX_THROWS),
            ("rigid_steps", 1 << 31),
        ):
            value = getattr(self, name)
            if not 1 <= value <= most:
                details = {"field": name, "value": str(value)}
                raise ArgumentError(f"{name} is {value}, 1 to {most} are possible", details)

    def check(self, name: str, value: int) -> None:
        """Refuses a value beyond the limit of that name."""
        limit = getattr(self, name)
        if value > limit:
            details = {"field": name, "value": str(value), "limit": str(limit)}
            raise LimitError(f"{name} is {value}, this server allows {limit}", details)


class _OddsService:
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
        self, request: odds_service_pb2.EvaluateRequest, cancel: Cancel
    ) -> odds_service_pb2.EvaluateResponse:
        field = request.WhichOneof("question")
        kind = next((kind for kind in convert.ODDS if kind.one == field), None)
        if kind is None:
            raise ArgumentError("question is not set", {"field": "question", "value": "none"})
        ask = self._ask(request.options, rows=1)
        odds = self._odds(kind.from_proto(getattr(request, kind.one)), **ask, cancel=cancel)
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
        self, request: odds_service_pb2.BatchEvaluateRequest, cancel: Cancel
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
        batch = kind.batch_odds(questions, **ask, threads=self._threads, cancel=cancel)
        answer: Any = {kind.answer: kind.batch_to_proto(batch)}
        return odds_service_pb2.BatchEvaluateResponse(**answer)


class _TowerService:
    """Throws cubes; it keeps no tower."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads

    def throw(
        self, request: tower_service_pb2.ThrowRequest, cancel: Cancel
    ) -> tower_service_pb2.ThrowResponse:
        match request.WhichOneof("source"):
            case "new_tower":
                wish = convert.new_tower_from_proto(request.new_tower)
                self._check_steps(wish["model"], wish["parameters"])
                device = tower.CubeTower(**wish, cancel=cancel)
            case "data":
                device = tower.CubeTower.load(request.data)
                self._check_steps(device.model, device.parameters)
            case _:
                raise ArgumentError("source is not set", {"field": "source", "value": "none"})
        tray = device.throw(convert.cubes_from_proto(request.cubes), cancel=cancel)
        return tower_service_pb2.ThrowResponse(
            tray=convert.cubes_to_proto("tray", tray),
            contents=convert.cubes_to_proto("contents", device.contents),
            data=device.save(),
            motion=convert.motion_to_proto(device.last_throw),
        )

    def _check_steps(self, model: str, parameters: Any) -> None:
        """Refuses a geometry whose throws may take too long."""
        if model == "rigid" and parameters is not None:
            built = tower.CubeTower("rigid", parameters=parameters).parameters
            steps = built["throw"]["limit_seconds"] * built["simulation"]["steps_per_second"]
            self._limits.check("rigid_steps", round(steps))

    def simulate_throws(
        self, request: tower_service_pb2.SimulateThrowsRequest, cancel: Cancel
    ) -> tower_service_pb2.SimulateThrowsResponse:
        wish = convert.new_tower_from_proto(request.tower)
        self._limits.check("rigid_throws" if wish["model"] == "rigid" else "throws", request.count)
        self._check_steps(wish["model"], wish["parameters"])
        throws = tower.simulate_throws(
            convert.cubes_from_proto(request.cubes),
            count=request.count,
            first=wish.pop("match_index"),
            sequence=request.sequence,
            threads=self._threads,
            cancel=cancel,
            **wish,
        )
        return convert.throws_to_proto(throws)


class _SimulationService:
    """Lets bots play."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads

    def run_matches(
        self, request: simulation_service_pb2.RunMatchesRequest, cancel: Cancel
    ) -> simulation_service_pb2.RunMatchesResponse:
        self._limits.check("matches", request.match_count)
        _check_threads(request.threads)
        report = engine.run_limited(
            request.game,
            bots=request.bots,
            seats=request.seats if request.HasField("seats") else None,
            match_count=request.match_count,
            first_match=request.first_match,
            seed=request.seed,
            setup=request.setup_json or None,
            threads=min(request.threads or self._threads, self._threads),
            cancel=cancel,
            max_decisions=self._limits.decisions,
        )
        return convert.report_to_proto(report)


class _MatchService:
    """One match at a time, for those who have a token of it."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._tables = Tables(most=limits.open_matches, idle_seconds=limits.idle_seconds, clock=clock)

    def _at(self, request: Any) -> AbstractContextManager[Guest]:
        return self._tables.at(request.match_id, request.token)

    def create_match(
        self, request: match_pb2.CreateMatchRequest, _cancel: Cancel
    ) -> match_pb2.CreateMatchResponse:
        def make() -> _core.Match:
            match = engine.Match.create(
                request.game,
                seats=request.seats if request.HasField("seats") else None,
                seed=request.seed,
                match_index=request.match_index,
                setup=request.setup_json or None,
                dice=request.dice.faces if request.HasField("dice") else None,
            )
            return match._core

        access, match = self._tables.open(make)
        return match_pb2.CreateMatchResponse(access=_access(access), status=_match_status(match))

    def load_match(self, request: match_pb2.LoadMatchRequest, _cancel: Cancel) -> match_pb2.LoadMatchResponse:
        def make() -> _core.Match:
            match request.WhichOneof("source"):
                case "data":
                    match = _core.Match.load(request.data)
                case "replay":
                    match = _core.Match.from_replay(request.replay)
                case _:
                    raise ArgumentError("source is not set", {"field": "source", "value": "none"})
            self._limits.check("match_decisions", match.decisions)
            return match

        access, match = self._tables.open(make)
        return match_pb2.LoadMatchResponse(access=_access(access), status=_match_status(match))

    def get_match(self, request: match_pb2.GetMatchRequest, _cancel: Cancel) -> match_pb2.GetMatchResponse:
        with self._at(request) as guest:
            return match_pb2.GetMatchResponse(status=_match_status(guest.match), seat=guest.seat)

    def get_view(self, request: match_pb2.GetViewRequest, _cancel: Cancel) -> match_pb2.GetViewResponse:
        with self._at(request) as guest:
            view = guest.match.describe(guest.look_from(_seat(request)))
            return match_pb2.GetViewResponse(view_json=view, decisions=guest.match.decisions)

    def list_legal_actions(
        self, request: match_pb2.ListLegalActionsRequest, _cancel: Cancel
    ) -> match_pb2.ListLegalActionsResponse:
        with self._at(request) as guest:
            to_act = guest.match.to_act
            if guest.seat is not None and to_act is not None and guest.seat != to_act:
                details = {"asked": str(guest.seat), "to_act": str(to_act)}
                raise NotYourTurnError(f"seat {guest.seat} asks, seat {to_act} is to act", details)
            texts, decisions = guest.match.legal_texts(), guest.match.decisions
            count = _ACTION_COUNTS[guest.match.game]
        actions = [
            match_pb2.LegalAction(
                index=row["index"], name=row["name"], args_json=_json(row["args"]), text=row["text"]
            )
            for row in json.loads(texts)
        ]
        return match_pb2.ListLegalActionsResponse(actions=actions, decisions=decisions, action_count=count)

    def play(self, request: match_pb2.PlayRequest, _cancel: Cancel) -> match_pb2.PlayResponse:
        if not request.HasField("action"):
            raise ArgumentError("action is not set", {"field": "action", "value": "none"})
        with self._at(request) as guest:
            seat = guest.look_from(_seat(request))
            decisions = guest.match.decisions
            if request.HasField("expected_decisions") and request.expected_decisions != decisions:
                expected = request.expected_decisions
                details = {"expected_decisions": str(expected), "decisions": str(decisions)}
                raise StaleMatchError(f"{decisions} decisions are taken, not {expected}", details)
            if guest.match.to_act is not None:
                self._limits.check("match_decisions", decisions + 1)
            guest.match.play(request.action, seat)
            return match_pb2.PlayResponse(status=_match_status(guest.match))

    def get_observation(
        self, request: match_pb2.GetObservationRequest, _cancel: Cancel
    ) -> match_pb2.GetObservationResponse:
        with self._at(request) as guest:
            seat = guest.look_from(_seat(request))
            if seat is None:
                raise ArgumentError("seat is not set", {"field": "seat", "value": "none"})
            seen, decisions = guest.match.observe(seat), guest.match.decisions
        return match_pb2.GetObservationResponse(observation=seen.tobytes(), decisions=decisions)

    def get_log(self, request: match_pb2.GetLogRequest, _cancel: Cancel) -> match_pb2.GetLogResponse:
        with self._at(request) as guest:
            events = json.loads(guest.match.events(request.first_event))
        events = events[: request.max_events or None]
        return match_pb2.GetLogResponse(
            events_json=[_json(event) for event in events],
            next_event=request.first_event + len(events),
        )

    def get_picture(
        self, request: match_pb2.GetPictureRequest, _cancel: Cancel
    ) -> match_pb2.GetPictureResponse:
        with self._at(request) as guest:
            seat = guest.look_from(_seat(request))
            return match_pb2.GetPictureResponse(
                svg=guest.match.picture(seat), sketch_json=guest.match.sketch(seat)
            )

    def get_record(self, request: match_pb2.GetRecordRequest, _cancel: Cancel) -> match_pb2.GetRecordResponse:
        with self._at(request) as guest:
            guest.check_owner("the record")
            match = guest.match
            return match_pb2.GetRecordResponse(
                seed=match.seed,
                match_index=match.match_index,
                setup_json=match.setup,
                history=match.history,
                digest=match.digest,
                dice_left=match.dice_left,
            )

    def save_match(self, request: match_pb2.SaveMatchRequest, _cancel: Cancel) -> match_pb2.SaveMatchResponse:
        with self._at(request) as guest:
            guest.check_owner("saving")
            return match_pb2.SaveMatchResponse(data=guest.match.save())

    def get_replay(self, request: match_pb2.GetReplayRequest, _cancel: Cancel) -> match_pb2.GetReplayResponse:
        with self._at(request) as guest:
            guest.check_owner("the replay")
            return match_pb2.GetReplayResponse(replay=guest.match.replay())

    def delete_match(
        self, request: match_pb2.DeleteMatchRequest, _cancel: Cancel
    ) -> match_pb2.DeleteMatchResponse:
        with self._at(request) as guest:
            guest.check_owner("deleting")
            self._tables.close(guest.match_id)
        return match_pb2.DeleteMatchResponse()


_ACTION_COUNTS = {game.name: game.action_count for game in engine.games()}
_RULES_VERSIONS = {game.name: game.rules_version for game in engine.games()}


def _access(access: Access) -> match_pb2.MatchAccess:
    return match_pb2.MatchAccess(
        match_id=access.match_id, owner_token=access.owner_token, seat_tokens=access.seat_tokens
    )


def _match_status(match: _core.Match) -> match_pb2.MatchStatus:
    """What everybody at the table knows."""
    outcome = match.outcome
    return match_pb2.MatchStatus(
        game=match.game,
        rules_version=_RULES_VERSIONS[match.game],
        seats=match.seats,
        decisions=match.decisions,
        to_act=match.to_act,
        outcome=None if outcome is None else match_pb2.MatchOutcome(**outcome),
    )


def _seat(request: Any) -> int | None:
    return request.seat if request.HasField("seat") else None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _check_threads(threads: int) -> None:
    if not 0 <= threads <= MAX_THREADS:
        details = {"field": "threads", "value": str(threads)}
        raise ArgumentError(f"threads is {threads}, 0 to {MAX_THREADS} are possible", details)


class _CatalogService:
    """Says what this server has."""

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._threads = threads

    def list_games(
        self, _request: catalog_service_pb2.ListGamesRequest, _cancel: Cancel
    ) -> catalog_service_pb2.ListGamesResponse:
        return catalog_service_pb2.ListGamesResponse(games=GAMES)

    def list_scenarios(
        self, request: catalog_service_pb2.ListScenariosRequest, _cancel: Cancel
    ) -> catalog_service_pb2.ListScenariosResponse:
        known = catalogue.scenarios(request.game or None)
        rows = (convert.scenario_to_proto(scenario) for scenario in known)
        return catalog_service_pb2.ListScenariosResponse(scenarios=rows)

    def get_scenario(
        self, request: catalog_service_pb2.GetScenarioRequest, _cancel: Cancel
    ) -> catalog_service_pb2.GetScenarioResponse:
        match request.WhichOneof("which"):
            case "id":
                scenario = catalogue.scenario(request.id, request.game or None)
            case "text":
                scenario = catalogue.parse_scenario(request.text, request.game or None)
            case _:
                raise ArgumentError("which is not set", {"field": "which", "value": "none"})
        picture, sketch = scenario.look()
        return catalog_service_pb2.GetScenarioResponse(
            scenario=convert.scenario_to_proto(scenario), svg=picture, sketch_json=sketch.to_json()
        )

    def list_tower_models(
        self, _request: catalog_service_pb2.ListTowerModelsRequest, _cancel: Cancel
    ) -> catalog_service_pb2.ListTowerModelsResponse:
        limits = {"shelves": self._limits.throws, "rigid": self._limits.rigid_throws}
        models = (convert.tower_model_to_proto(model, limits[model.name]) for model in tower.MODELS)
        return catalog_service_pb2.ListTowerModelsResponse(models=models)

    def get_version(
        self, _request: catalog_service_pb2.GetVersionRequest, _cancel: Cancel
    ) -> catalog_service_pb2.GetVersionResponse:
        info = build_info()
        return catalog_service_pb2.GetVersionResponse(
            package_version=info["version"],
            rules_versions=info["rules_versions"],
            build_profile=info["profile"],
            instruction_set=info["instruction_set"],
            threads=self._threads,
            limits=asdict(self._limits),
        )


Method = Callable[[Any, Cancel], Message]


def _status(error: SengokuError) -> grpc.Status:
    """Turns an error into a status that says the same: code, message, reason and details."""
    # A status travels in headers, which have a limit of their own.
    details = {name: _shortened(value, 300) for name, value in error.details.items()}
    info = error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=details)
    packed = any_pb2.Any()
    packed.Pack(info)
    code = code_pb2.Code.Value(error.code.name)
    status = status_pb2.Status(code=code, message=_shortened(str(error), 600), details=[packed])
    return rpc_status.to_status(status)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


class _Methods(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    """Every method of our services, and an answer for those that do not exist."""

    def __init__(self, services: dict[str, tuple[Any, object]], limits: Limits) -> None:
        self._limits = limits
        self.under_way = 0
        self._lock = threading.Lock()
        self._methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {}
        for name, (descriptor, service) in services.items():
            for method in descriptor.services_by_name[name.rpartition(".")[2]].methods:
                function: Method = getattr(service, _snake(method.name))
                self._methods[f"/{name}/{method.name}"] = self._handler(method, function)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        """Finds the handler of a call."""
        method = handler_call_details.method
        return self._methods.get(method) or self._unknown(method)

    @contextmanager
    def _call(self, *, always: bool) -> Iterator[None]:
        """Counts calls under way and turns one too many away, unless it is always answered."""
        with self._lock:
            if not always and self.under_way >= self._limits.calls:
                limit = str(self._limits.calls)
                raise BusyError(f"{limit} calls are under way, try again later", {"limit": limit})
            self.under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self.under_way -= 1

    def _handler(self, method: MethodDescriptor, function: Method) -> grpc.RpcMethodHandler[bytes, bytes]:
        request_class = message_factory.GetMessageClass(method.input_type)
        always = method.containing_service.name == "CatalogService"

        def handle(data: bytes, context: grpc.ServicerContext) -> bytes:
            try:
                with self._call(always=always):
                    self._limits.check("message_bytes", len(data))
                    request = convert.parse(request_class, data)
                    cancel = Cancel()
                    # The end of the call, by deadline or by the client's wish, ends the work.
                    if not context.add_callback(cancel.cancel):
                        cancel.cancel()
                    return function(request, cancel).SerializeToString()
            except SengokuError as error:
                failure = error
            except BaseException:  # noqa: BLE001 - whatever it is, the caller gets a status and we a log
                _log.exception("unexpected error in %s", method.full_name)
                failure = InternalError("internal error, see the server's log")
            context.abort_with_status(_status(failure))
            raise AssertionError("abort raises")

        return grpc.unary_unary_rpc_method_handler(handle)

    @staticmethod
    def _unknown(method: str) -> grpc.RpcMethodHandler[bytes, bytes]:
        def handle(_data: object, context: grpc.ServicerContext) -> bytes:
            context.abort_with_status(_status(UnknownMethodError(f"no method {method}", {"method": method})))
            raise AssertionError("abort raises")

        return grpc.unary_unary_rpc_method_handler(handle)


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Server:
    """A running server; `stop` lets calls under way finish.

    >>> with Server(port=0) as server:
    ...     server.port > 0
    True
    """

    def __init__(
        self,
        *,
        host: str = "127.0.0.1",
        port: int = 50051,
        threads: int = 0,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Starts a server; `clock` gives the seconds by which matches that nobody uses are forgotten."""
        self.limits = limits or Limits()
        _check_threads(threads)
        if not _HOST.fullmatch(host):
            details = {"field": "host", "value": ascii(host)}
            raise ArgumentError(f"host is {host!a}, not a name or an address", details)
        threads = threads or cores()
        # A call that never sends its message, or an idle reflection stream, holds a thread: no more are let
        # in than there are threads, some of them to spare.
        at_once = self.limits.calls + 64
        pool = futures.ThreadPoolExecutor(at_once, thread_name_prefix="sengoku-rpc")
        # Requests up to twice the limit reach us and are refused with a reason; larger ones gRPC refuses.
        options = [
            ("grpc.max_receive_message_length", 2 * self.limits.message_bytes + (1 << 20)),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", 0),
        ]
        self._server = grpc.server(pool, options=options, maximum_concurrent_rpcs=at_once)
        services = {
            "sengoku.v1.OddsService": (
                odds_service_pb2.DESCRIPTOR,
                _OddsService(self.limits, threads),
            ),
            "sengoku.v1.TowerService": (
                tower_service_pb2.DESCRIPTOR,
                _TowerService(self.limits, threads),
            ),
            "sengoku.v1.SimulationService": (
                simulation_service_pb2.DESCRIPTOR,
                _SimulationService(self.limits, threads),
            ),
            "sengoku.v1.MatchService": (
                match_pb2.DESCRIPTOR,
                _MatchService(self.limits, clock),
            ),
            "sengoku.v1.CatalogService": (
                catalog_service_pb2.DESCRIPTOR,
                _CatalogService(self.limits, threads),
            ),
        }
        self._health = health.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (*services, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        self._methods = _Methods(services, self.limits)
        self._server.add_generic_rpc_handlers((self._methods,))
        for name in ("", *services):
            self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        self.host = f"[{host}]" if ":" in host and not host.startswith("[") else host
        try:
            self.port: int = self._server.add_insecure_port(f"{self.host}:{port}")
        except RuntimeError as error:
            details = {"field": "port", "value": str(port), "host": host}
            raise ArgumentError(f"cannot listen on host {host}, port {port}", details) from error
        self._server.start()

    @property
    def address(self) -> str:
        """Where clients find the server."""
        return f"{self.host}:{self.port}"

    @property
    def calls_under_way(self) -> int:
        """Calls that are being answered right now."""
        return self._methods.under_way

    def stop(self, grace: float = 30.0) -> threading.Event:
        """Takes no more calls, gives those under way `grace` seconds, and sets the event when all is over."""
        self._health.enter_graceful_shutdown()
        return self._server.stop(min(grace, 1e6))

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(grace=1.0).wait()


def serve(server: Server, *, grace: float = 30.0, ready: Callable[[], None] = lambda: None) -> None:
    """Runs a server until SIGTERM or SIGINT, then stops it gracefully; a second signal stops it at once.

    `ready` is called when signals are heard.
    """
    asked: list[int] = []
    heard = threading.Event()

    def ask(number: int, _frame: FrameType | None) -> None:
        asked.append(number)
        heard.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ask)
    ready()
    # A signal may reach another thread; the handler runs here all the same as soon as this thread wakes.
    while not heard.wait(0.2):
        pass
    heard.clear()
    _log.info("stopping, %g seconds of grace", grace)
    ended = server.stop(grace)
    while not ended.wait(0.05):
        if heard.is_set():
            _log.info("stopping at once")
            server.stop(0).wait()
            return
