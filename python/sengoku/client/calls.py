"""Every call of a client, described once: what is asked, and what the answer means."""

from __future__ import annotations

import json
import math
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, SupportsIndex, TypeVar

from google.longrunning import operations_pb2
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2

from sengoku import tower
from sengoku._core import MAX_MATCHES, Cancel
from sengoku.bots.bot import AnyBot, Playing
from sengoku.bots.host import Clock, Over
from sengoku.bots.play import fill_seats
from sengoku.bots.report import PlayedMatch, PlayReport
from sengoku.client._flow import Ask, Next, Patience, Steps, Stream, ask, asked
from sengoku.client.remote import play_for, read_rows, until_over
from sengoku.engine.games import Setup, find_game, read_text
from sengoku.engine.match import Picture
from sengoku.engine.odds import ExactQuestion, Question
from sengoku.engine.progress import Progress, watching
from sengoku.engine.report import MatchReport
from sengoku.engine.scenarios import Scenario
from sengoku.engine.spec import Spec
from sengoku.engine.survey import Survey, scenario_runs
from sengoku.errors import ArgumentError, SengokuError, UnknownMethodError
from sengoku.v1 import (
    catalog_service_pb2,
    match_service_pb2,
    odds_service_pb2,
    player_service_pb2,
    simulation_service_pb2,
    tournament_service_pb2,
    tower_service_pb2,
)
from sengoku.wire import convert
from sengoku.wire.convert import options_to_proto

__all__ = ["Calls"]

A = TypeVar("A")
MatchT = TypeVar("MatchT")
TowerT = TypeVar("TowerT")
RunT = TypeVar("RunT")
EnvT = TypeVar("EnvT")
TournamentT = TypeVar("TournamentT")

_FIRST_PIECE = 64
"""Matches of the first call of a run that is watched."""
_PIECE_SECONDS = 2.0
"""How long a call of such a run shall take."""
_PAGE = 1000
"""Runs of one page of their list."""
_TIDY_SECONDS = 5.0
"""How long a run that nobody wants any more may take to stop."""


class Calls(ABC, Generic[MatchT, TowerT, RunT, EnvT, TournamentT]):
    """The methods that `Client` and `AsyncClient` share."""

    _door: Any
    _match: Any
    """Makes the object of a match."""
    _tower: Any
    _run: Any
    _env: Any
    _tournament: Any

    @asked
    def ask(self, request: Message, *, timeout: float | None = None) -> Steps[Any]:
        """Sends any request of the protos to the method that takes it, and gives its answer as it is."""
        answer = yield from ask(request, timeout)
        return answer

    # Odds

    @asked
    def odds(
        self,
        battle: Question[A],
        *,
        max_error: float | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> Steps[A]:
        """Gives the odds of a battle, a clash or a strike, as its own `odds` does, with the same defaults."""
        odds: A = yield from _evaluate(battle, options_to_proto(max_error=max_error, seed=seed), timeout)
        return odds

    @asked
    def exact(self, battle: ExactQuestion[A], *, timeout: float | None = None) -> Steps[A]:
        """Gives the exact odds of a battle or a strike, as its own `exact` does."""
        odds: A = yield from _evaluate(battle, options_to_proto(method="exact"), timeout)
        return odds

    @asked
    def sample(self, battle: Question[A], n: int, *, seed: int = 0, timeout: float | None = None) -> Steps[A]:
        """Gives the odds as `n` battles, clashes or strikes show them, as their own `sample` does."""
        options = options_to_proto(method="sampled", samples=n, seed=seed)
        odds: A = yield from _evaluate(battle, options, timeout)
        return odds

    @asked
    def batch_odds(
        self,
        battles: Iterable[Any],
        *,
        method: str = "auto",
        samples: int = 0,
        max_error: float | None = None,
        seed: int = 0,
        timeout: float | None = None,
    ) -> Steps[Any]:
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
        response: odds_service_pb2.BatchEvaluateResponse = yield from ask(request, timeout)
        return kind.batch_from_proto(getattr(response, kind.answer), len(questions))

    # The cube tower

    def cube_tower(
        self,
        model: str = "shelves",
        *,
        seed: int = 0,
        match_index: int = 0,
        contents: tower.Cubes | None = None,
        parameters: tower.Parameters = None,
    ) -> TowerT:
        """Gives a tower whose throws the server makes, as `tower.CubeTower` does in process."""
        device = tower.CubeTower(
            model,
            seed=seed,
            match_index=match_index,
            contents=None if contents is None else dict(contents),
            parameters=parameters if parameters is None or isinstance(parameters, str) else dict(parameters),
        )
        made: TowerT = self._tower(self, device)
        return made

    @asked
    def ask_tower(self, request: tower_service_pb2.ThrowRequest) -> Steps[tower_service_pb2.ThrowResponse]:
        """Lets the server throw."""
        response: tower_service_pb2.ThrowResponse = yield from ask(request)
        return response

    @asked
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
    ) -> Steps[tower.Throws]:
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
        response: tower_service_pb2.SimulateThrowsResponse = yield from ask(request, timeout)
        return convert.throws_from_proto(response, request.count)

    # The catalogue

    @asked
    def games(self, *, timeout: float | None = None) -> Steps[list[dict[str, Any]]]:
        """Lists the games the server knows."""
        response: catalog_service_pb2.ListGamesResponse = yield from ask(
            catalog_service_pb2.ListGamesRequest(), timeout
        )
        return [MessageToDict(game, preserving_proto_field_name=True) for game in response.games]

    @asked
    def scenarios(self, game: str | None = None, *, timeout: float | None = None) -> Steps[list[Scenario]]:
        """Lists the scenarios of a game, or of all games, as `sengoku.scenarios` does."""
        known = yield from self._scenarios(game, timeout)
        return known

    def _scenarios(self, game: str | None, timeout: float | None) -> Steps[list[Scenario]]:
        request = catalog_service_pb2.ListScenariosRequest(game=convert.text_to_proto("game", game or ""))
        response: catalog_service_pb2.ListScenariosResponse = yield from ask(request, timeout)
        return [
            convert.scenario_from_proto(message, self._look(message.id, message.game, timeout))
            for message in response.scenarios
        ]

    @abstractmethod
    def _look(self, name: str, game: str, timeout: float | None) -> Any:
        """Gives what draws a scenario of a list: it is asked for when somebody wants to see it."""

    @asked
    def scenario(
        self, name: str | int, game: str | None = None, *, timeout: float | None = None
    ) -> Steps[Scenario]:
        """Gives the scenario of a name, as `sengoku.scenario` does."""
        request = catalog_service_pb2.GetScenarioRequest(
            game=convert.text_to_proto("game", game or ""), id=convert.text_to_proto("name", str(name))
        )
        found = yield from _scenario(request, timeout)
        return found

    @asked
    def read_scenario(
        self, file: str | Path, game: str | None = None, *, timeout: float | None = None
    ) -> Steps[Scenario]:
        """Lets the server read a scenario that somebody wrote, as `sengoku.read_scenario` does."""
        text = read_text("file", Path(file))
        request = catalog_service_pb2.GetScenarioRequest(
            game=convert.text_to_proto("game", game or ""), text=text
        )
        found = yield from _scenario(request, timeout)
        return found

    @asked
    def spec(self, game: str, *, timeout: float | None = None) -> Steps[Spec]:
        """Gives what an observation and the action table of a game mean, as `sengoku.spec` does."""
        request = catalog_service_pb2.GetSpecRequest(game=convert.text_to_proto("game", game))
        response: catalog_service_pb2.GetSpecResponse = yield from ask(request, timeout)
        return convert.spec_from_proto(response.spec)

    @asked
    def tower_models(self, *, timeout: float | None = None) -> Steps[list[dict[str, Any]]]:
        """Lists the models of the cube tower that the server knows, and the throws each may make."""
        response: catalog_service_pb2.ListTowerModelsResponse = yield from ask(
            catalog_service_pb2.ListTowerModelsRequest(), timeout
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

    @asked
    def version(self, *, timeout: float | None = None) -> Steps[dict[str, Any]]:
        """Says what the server was built from, how it runs, and its limits."""
        version = yield from _version(timeout)
        return version

    @asked
    def health(self, *, timeout: float | None = None) -> Steps[str]:
        """Says whether the server takes calls: "SERVING", or "NOT_SERVING" while it stops; for everybody."""
        response: health_pb2.HealthCheckResponse = yield from ask(health_pb2.HealthCheckRequest(), timeout)
        return str(health_pb2.HealthCheckResponse.ServingStatus.Name(response.status))

    @asked
    def status(self, *, timeout: float | None = None) -> Steps[dict[str, Any]]:
        """Says what the server does at the moment, and what it has played since it started."""
        response: catalog_service_pb2.GetStatusResponse = yield from ask(
            catalog_service_pb2.GetStatusRequest(), timeout
        )
        return convert.status_from_proto(response)

    # Matches that bots play

    @asked
    def run_scenarios(
        self,
        /,
        game: str,
        *,
        match_count: int,
        setup: Mapping[str, Any] | None = None,
        progress: bool | Progress | None = None,
        **wish: Any,
    ) -> Steps[Survey]:
        """Lets the server's bots play in every scenario of a game, as `sengoku.run_scenarios` does."""
        known = yield from self._scenarios(game, None)
        reports: list[MatchReport] = []
        with watching(progress) as told:
            for part in scenario_runs(known, match_count=match_count, setup=setup, told=told):
                report = yield from self._run_matches(**part, **wish)
                reports.append(report)
        return Survey(tuple(known), tuple(reports))

    @asked
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
    ) -> Steps[MatchReport]:
        """Lets the server's bots play matches, as `sengoku.run_matches` does, with the same report.

        More matches than the server plays in one call are a run of their own, as `start_run` begins one, that
        is deleted when its report is here; what is watched and fits is several calls. `timeout` is for all of
        them together.
        """
        wish = {"bots": bots, "seats": seats, "match_count": match_count, "first_match": first_match}
        wish |= {"seed": seed, "setup": setup, "threads": threads}
        report = yield from self._run_matches(game, **wish, progress=progress, cancel=cancel, timeout=timeout)
        return report

    def _run_matches(
        self,
        game: str,
        *,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
        timeout: float | None = None,
        **wish: Any,
    ) -> Steps[MatchReport]:
        request = convert.run_to_proto(game, **wish)
        _check_range(request)
        patience = Patience(self._door.connection.timeout if timeout is None else timeout)
        version = yield from _version(patience.left)
        most = version["limits"].get("matches", request.match_count)
        with watching(progress) as told:
            if request.match_count > most:
                with suppress(UnknownMethodError):  # of a server without runs
                    report = yield from _run_apart(request, patience, told, cancel)
                    return report
            report = yield from _run_pieces(request, most, patience, told, cancel)
        return report

    @asked
    def start_run(
        self,
        game: str,
        *,
        bots: Iterable[str],
        seats: int | None = None,
        match_count: int,
        first_match: int = 0,
        seed: int = 0,
        setup: Setup = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Steps[RunT]:
        """Begins a run of any length on the server, which goes on with it whatever becomes of the client.

        The arguments are those of `run_matches`. A second call with the same `request_id` gives the run of
        the first; without one there is a new id for each call, so that a call that has to be sent again
        begins nothing twice.

        >>> from sengoku import Client, run_matches
        >>> from sengoku.server import Server
        >>> wish = {"bots": ["greedy", "random"], "match_count": 500, "seed": 3}
        >>> with Server(port=0) as server, Client(server.address) as client:
        ...     run = client.start_run("battles", **wish)
        ...     summary = run.wait()
        ...     run.report() == run_matches("battles", **wish)
        True
        >>> summary.match_count
        500
        """
        request = convert.run_to_proto(
            game,
            bots=bots,
            seats=seats,
            match_count=match_count,
            first_match=first_match,
            seed=seed,
            setup=setup,
            threads=0,
        )
        _check_range(request)
        wish = simulation_service_pb2.StartRunRequest(run=request, request_id=_request_id(request_id))
        operation: operations_pb2.Operation = yield from ask(wish, timeout)
        made: RunT = self._run(self, convert.run_status_from_proto(operation))
        return made

    @asked
    def run(self, name: str, *, timeout: float | None = None) -> Steps[RunT]:
        """Gives a run that somebody began, by its name."""
        request = operations_pb2.GetOperationRequest(name=convert.run_name_to_proto(name))
        operation: operations_pb2.Operation = yield from ask(request, timeout)
        made: RunT = self._run(self, convert.run_status_from_proto(operation))
        return made

    @asked
    def runs(
        self, state: str | None = None, *, client: str | None = None, timeout: float | None = None
    ) -> Steps[list[RunT]]:
        """Lists the runs, the newest first: all that this client may see, those in a state, or of a client.

        However many there are, they are all in the list; `status` of each is how it was when it was listed.
        """
        wishes = [f"state={convert.run_state_to_proto(state)}"] if state is not None else []
        wishes += [f"client={convert.text_to_proto('client', client)}"] if client is not None else []
        request = operations_pb2.ListOperationsRequest(
            name="operations", filter=" AND ".join(wishes), page_size=_PAGE
        )
        patience = Patience(self._door.connection.timeout if timeout is None else timeout)
        found: list[RunT] = []
        while True:
            page: operations_pb2.ListOperationsResponse = yield from ask(request, patience.left)
            found += [self._run(self, convert.run_status_from_proto(each)) for each in page.operations]
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    # Tournaments

    @asked
    def create_tournament(
        self, spec: str | Path, *, request_id: str | None = None, timeout: float | None = None
    ) -> Steps[TournamentT]:
        """Begins a tournament on the server, which goes on with it whatever becomes of the client.

        `spec` is a tournament file: its path, or its text. A second call with the same `request_id` gives the
        tournament of the first; without one there is a new id for each call, so that a call that has to be
        sent again begins nothing twice.

        >>> from sengoku import Client
        >>> from sengoku.server import Server
        >>> spec = '''
        ... bots = [{name = "greedy"}, {name = "random"}]
        ... games = [{game = "battles", scenarios = [1], blocks = 4}]
        ... seed = 7
        ... '''
        >>> with Server(port=0) as server, Client(server.address) as client:
        ...     tournament = client.create_tournament(spec)
        ...     status = tournament.wait()
        ...     status.matches_done, [row[1] for row in tournament.standings()[0].rows]
        (8, ['greedy', 'random'])
        """
        text = (
            spec if isinstance(spec, str) and ("\n" in spec or "=" in spec) else read_text("spec", Path(spec))
        )
        request = tournament_service_pb2.CreateTournamentRequest(
            spec_toml=convert.text_to_proto("spec", text), request_id=_request_id(request_id)
        )
        response: tournament_service_pb2.CreateTournamentResponse = yield from ask(request, timeout)
        made: TournamentT = self._tournament(self, convert.tournament_status_from_proto(response.tournament))
        return made

    @asked
    def tournament(self, name: str, *, timeout: float | None = None) -> Steps[TournamentT]:
        """Gives a tournament that somebody began, by its name."""
        request = tournament_service_pb2.GetTournamentRequest(name=convert.tournament_name_to_proto(name))
        response: tournament_service_pb2.GetTournamentResponse = yield from ask(request, timeout)
        made: TournamentT = self._tournament(self, convert.tournament_status_from_proto(response.tournament))
        return made

    @asked
    def tournaments(self, *, timeout: float | None = None) -> Steps[list[TournamentT]]:
        """Lists the tournaments that this client may see, the newest first, however many there are."""
        request = tournament_service_pb2.ListTournamentsRequest(page_size=_PAGE)
        patience = Patience(self._door.connection.timeout if timeout is None else timeout)
        found: list[TournamentT] = []
        while True:
            page: tournament_service_pb2.ListTournamentsResponse = yield from ask(request, patience.left)
            found += [
                self._tournament(self, convert.tournament_status_from_proto(each))
                for each in page.tournaments
            ]
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    # Players

    @asked
    def players(self, *, timeout: float | None = None) -> Steps[list[dict[str, Any]]]:
        """Lists the players that are connected to the server, by name."""
        request = player_service_pb2.ListPlayersRequest()
        response: player_service_pb2.ListPlayersResponse = yield from ask(request, timeout)
        return [
            {
                "name": player.name,
                "client": player.client,
                "games": list(player.games),
                "streams": player.streams,
                "capacity": player.capacity,
                "asked": player.asked,
            }
            for player in response.players
        ]

    @asked
    def play_matches(
        self,
        game: str,
        *,
        players: Iterable[str],
        seats: int | None = None,
        match_count: int,
        first_match: int = 0,
        seed: int = 0,
        setup: Setup = None,
        rotate: bool = False,
        clock: Clock | None = None,
        at_once: int = 0,
        replays: bool = False,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
        timeout: float | None = None,
    ) -> Steps[PlayReport]:
        """Lets players that are connected to the server and its bots play matches, many at once.

        `players` are names, seat by seat: "@name" is a player, all others are bots; the last one also takes
        the seats that are left. All else is as in `sengoku.play_matches`. Whoever stops waiting ends the
        matches.
        """
        request = convert.play_matches_to_proto(
            game,
            players=players,
            seats=seats,
            match_count=match_count,
            first_match=first_match,
            seed=seed,
            setup=setup,
            rotate=rotate,
            clock=clock,
            at_once=at_once,
            replays=replays,
        )
        found = find_game(game)
        wanted = [convert.seat_player_from_proto(player) for player in request.players]
        names = fill_seats(game, wanted, seats)
        wait = self._door.connection.timeout if timeout is None else timeout
        matches: list[PlayedMatch] = []
        stream: Stream = yield Ask(request, math.inf if wait is None else wait, cancel)
        try:
            with watching(progress) as told:
                while (message := (yield Next(stream, cancel))) is not None:
                    matches += [
                        convert.played_from_proto(row, names, replays=replays) for row in message.matches
                    ]
                    if told is not None:
                        told(message.matches_done, message.match_total)
        finally:
            stream.close()
        return PlayReport.of(
            matches,
            game=game,
            rules_version=found.rules_version,
            setup=json.loads(request.setup_json),
            seed=request.seed,
            players=tuple(names),
        )

    @asked
    def serve_bot(
        self,
        bot: AnyBot,
        *,
        name: str | None = None,
        stop: Cancel | None = None,
        told: Callable[[Over], object] | None = None,
    ) -> Steps[None]:
        """Connects a bot to the server as a player, and lets it play until the server says goodbye.

        A raised `stop` says goodbye: matches under way are played to their end. `told` hears how each match
        ended. A connection that breaks off raises; `sengoku bot serve` and `sengoku.bots.bot.serve` connect
        again.
        """
        yield from play_for(Playing.of(bot, name), stop, told)

    # Environments

    @asked
    def batch_env(
        self,
        game: str,
        lanes: int = 1,
        *,
        seed: int = 0,
        seats: int | None = None,
        setup: Setup = None,
        bots: Mapping[int, str] | None = None,
        autoreset: str = "next_step",
        first_match: int = 0,
        max_decisions: int | None = None,
        mask: str = "both",
        record: bool = False,
        timeout: float | None = None,
    ) -> Steps[EnvT]:
        """Opens an environment on the server: matches side by side, as in `BatchEnv`, with the same arrays.

        It lasts until it is closed, or for `timeout` seconds; an error of the server may end it too.

        >>> from sengoku import BatchEnv, Client
        >>> from sengoku.server import Server
        >>> with Server(port=0) as server, Client(server.address) as client:
        ...     with client.batch_env("battles", lanes=4, seed=7) as env:
        ...         env.reset()
        ...         env.step(env.sample_actions())
        ...         env.decisions.tolist()
        [1, 1, 1, 1]
        """
        env = self._env(
            self,
            game,
            lanes,
            seed=seed,
            seats=seats,
            setup=setup,
            bots=bots,
            autoreset=autoreset,
            first_match=first_match,
            max_decisions=max_decisions,
            mask=mask,
            record=record,
        )
        opened: EnvT = yield from env._open(timeout)
        return opened

    # Single matches

    @asked
    def ask_match(self, method: str, request: Message, timeout: float | None = None) -> Steps[Any]:
        """Calls a method of `MatchService` by its name."""
        if request.DESCRIPTOR.name != f"{method}Request":
            raise TypeError(f"{method} takes no {request.DESCRIPTOR.name}")
        answer = yield from ask(request, timeout)
        return answer

    @asked
    def create_match(
        self,
        game: str,
        *,
        seats: int | None = None,
        seed: int = 0,
        match_index: int = 0,
        setup: Setup = None,
        dice: Iterable[SupportsIndex] | None = None,
    ) -> Steps[MatchT]:
        """Begins a match on the server, as `Match.create` does in process; leaving its block deletes it.

        >>> from sengoku import Client, games
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
        match: MatchT = yield from self._owned(request)
        return match

    @asked
    def load_match(self, data: bytes | bytearray | memoryview) -> Steps[MatchT]:
        """Goes on with a saved match on the server, as `Match.load` does in process."""
        match: MatchT = yield from self._owned(
            match_service_pb2.LoadMatchRequest(data=bytes(memoryview(data)))
        )
        return match

    @asked
    def match_from_replay(self, text: str) -> Steps[MatchT]:
        """Goes on with a match that was written down, as `Match.from_replay` does in process."""
        match: MatchT = yield from self._owned(
            match_service_pb2.LoadMatchRequest(replay=convert.text_to_proto("text", text))
        )
        return match

    def _owned(self, request: Message) -> Steps[Any]:
        """Begins a match and gives it to its owner."""
        response: match_service_pb2.CreateMatchResponse | match_service_pb2.LoadMatchResponse
        response = yield from ask(request)
        access = response.access
        return self._match(
            self,
            response.status,
            match_id=access.match_id,
            token=access.owner_token,
            seat_tokens=tuple(access.seat_tokens),
        )

    @asked
    def join_match(self, match_id: str, token: str) -> Steps[MatchT]:
        """Gives a match that somebody began, for the seat of the token, or for its owner."""
        match_id, token = convert.text_to_proto("match_id", match_id), convert.text_to_proto("token", token)
        request = match_service_pb2.GetMatchRequest(match_id=match_id, token=token)
        response: match_service_pb2.GetMatchResponse = yield from ask(request)
        seat = response.seat if response.HasField("seat") else None
        match: MatchT = self._match(self, response.status, match_id=match_id, token=token, seat=seat)
        return match


def _evaluate(question: Any, options: odds_service_pb2.OddsOptions, timeout: float | None) -> Steps[Any]:
    kind = convert.odds_kind(question)
    request = kind.evaluate_to_proto(question, options)
    response: odds_service_pb2.EvaluateResponse = yield from ask(request, timeout)
    return kind.odds_from_proto(question, getattr(response, kind.answer))


def _scenario(request: catalog_service_pb2.GetScenarioRequest, timeout: float | None) -> Steps[Scenario]:
    response: catalog_service_pb2.GetScenarioResponse = yield from ask(request, timeout)
    seen = Picture(response.svg), convert.sketch_from_json(response.sketch_json)
    return convert.scenario_from_proto(response.scenario, lambda: seen)


def _version(timeout: float | None) -> Steps[dict[str, Any]]:
    response: catalog_service_pb2.GetVersionResponse = yield from ask(
        catalog_service_pb2.GetVersionRequest(), timeout
    )
    return {
        "package_version": response.package_version,
        "rules_versions": dict(response.rules_versions),
        "build_profile": response.build_profile,
        "instruction_set": response.instruction_set,
        "threads": response.threads,
        "limits": dict(response.limits),
    }


def _check_range(request: simulation_service_pb2.RunMatchesRequest) -> None:
    """Refuses matches that cannot be, as the engine does."""
    total, first = request.match_count, request.first_match
    if not 1 <= total <= MAX_MATCHES:
        details = {"field": "match_count", "value": str(total), "limit": str(MAX_MATCHES)}
        raise ArgumentError(f"match_count is {total}, 1 to {MAX_MATCHES} are possible", details)
    if first + total > 1 << 64:
        details = {"field": "first_match", "value": str(first), "match_count": str(total)}
        raise ArgumentError(f"{total} matches from number {first} go beyond the last number", details)


def _request_id(given: str | None) -> str:
    """Gives the id of a wish: that of who has it, or a new one."""
    if given is None:
        return uuid.uuid4().hex
    if not given:
        raise ArgumentError("request_id is empty", {"field": "request_id", "value": "''"})
    return convert.text_to_proto("request_id", given)


def _run_pieces(
    request: simulation_service_pb2.RunMatchesRequest,
    most: int,
    patience: Patience,
    told: Progress | None,
    cancel: Cancel | None,
) -> Steps[MatchReport]:
    """Plays matches in as many calls as it takes; in more of them if somebody wants to know how far it is."""
    responses: list[simulation_service_pb2.RunMatchesResponse] = []
    counts: list[int] = []
    done, total = 0, request.match_count
    piece = most if told is None else min(most, _FIRST_PIECE)
    while done < total:
        part = simulation_service_pb2.RunMatchesRequest()
        part.CopyFrom(request)
        part.first_match, part.match_count = request.first_match + done, min(piece, total - done)
        begin = time.monotonic()
        response: simulation_service_pb2.RunMatchesResponse = yield from ask(part, patience.left, cancel)
        responses.append(response)
        counts.append(part.match_count)
        done += part.match_count
        if told is not None:
            told(done, total)
            faster = _PIECE_SECONDS / max(1e-3, time.monotonic() - begin)
            piece = max(1, min(most, int(piece * min(faster, 8.0))))
    return convert.report_from_proto(request, responses, counts)


def _run_apart(
    request: simulation_service_pb2.RunMatchesRequest,
    patience: Patience,
    told: Progress | None,
    cancel: Cancel | None,
) -> Steps[MatchReport]:
    """Plays matches as a run on the server, and leaves nothing behind there."""
    wish = simulation_service_pb2.StartRunRequest(run=request, request_id=uuid.uuid4().hex)
    wish.run.threads = 0  # there they are the server's affair
    operation: operations_pb2.Operation = yield from ask(wish, patience.left, cancel)
    try:
        operation = yield from until_over(operation.name, patience, told, cancel)
        convert.run_status_from_proto(operation).check()
        report = yield from read_rows(operation, patience)
    except GeneratorExit:
        raise  # nobody is left to ask anything
    except BaseException:
        with suppress(SengokuError):
            yield from _abandon(operation.name)
        raise
    yield from ask(operations_pb2.DeleteOperationRequest(name=operation.name), _TIDY_SECONDS)
    return report


def _abandon(name: str) -> Steps[None]:
    """Stops a run that nobody wants any more, and deletes it."""
    yield from ask(operations_pb2.CancelOperationRequest(name=name), _TIDY_SECONDS)
    yield from until_over(name, Patience(_TIDY_SECONDS))
    yield from ask(operations_pb2.DeleteOperationRequest(name=name), _TIDY_SECONDS)
