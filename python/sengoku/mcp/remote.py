"""Matches of a server, for the tools of the MCP server: the messages of the protos, whatever carries them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from google.protobuf.message import Message as Request

from sengoku.engine import Action, MatchAnalysis, Scenario, Sketch, Story
from sengoku.engine.pictures import Picture
from sengoku.engine.talk import Message
from sengoku.engine.tell import tell
from sengoku.errors import AnalysisNotFoundError, MatchNotFoundError, NotAllowedError, StaleMatchError
from sengoku.mcp.table import Beginning, Begun, GameFacts, Status, Table, Tables, no_invitation
from sengoku.v1 import analysis_service_pb2, catalog_service_pb2
from sengoku.v1 import match_service_pb2 as pb2
from sengoku.wire.analyses import analysis_name_to_proto, analysis_status_from_proto
from sengoku.wire.catalog import scenario_from_proto
from sengoku.wire.matches import (
    action_from_proto,
    create_to_proto,
    message_from_proto,
    outcome_from_proto,
    said_to_proto,
    sketch_from_json,
    story_from_proto,
)
from sengoku.wire.odds import odds_kind, options_to_proto
from sengoku.wire.values import table_from_json

__all__ = ["Calls", "RemoteTables"]

_TRIES = 3
"""How often a position is read anew if the match moves on meanwhile."""


class Calls(Protocol):
    """Sends requests to a server."""

    async def ask(self, request: Request) -> Any:
        """Call the method that takes a request, and return its response."""

    async def read(self, request: Request, use: Callable[[Any], bool]) -> None:
        """Read the responses of a stream until `use` returns False for one of them, or to its end."""


def _status(message: pb2.MatchStatus) -> Status:
    return Status(
        game=message.game,
        seats=message.seats,
        decisions=message.decisions,
        to_act=message.to_act if message.HasField("to_act") else None,
        bot_to_act=message.bot_to_act,
        bots=dict(message.bots),
        outcome=outcome_from_proto(message.outcome) if message.HasField("outcome") else None,
    )


@dataclass(frozen=True)
class _Position:
    """What `tell` reads of a match."""

    game: str
    seats: int
    decisions: int
    to_act: int | None
    _view: dict[str, Any]
    _story: Story
    _actions: list[Action]

    @property
    def over(self) -> bool:
        return self.to_act is None

    def view(self, _seat: int) -> dict[str, Any]:
        return self._view

    def story(self, _seat: int, _since: int) -> Story:
        return self._story

    def legal_actions(self) -> list[Action]:
        return self._actions


class _RemoteTable(Table):
    """A seat of a match of a server."""

    def __init__(
        self,
        calls: Calls,
        status: Status,
        match_id: str,
        token: str,
        seat: int,
        owner_token: str | None = None,
    ) -> None:
        self._calls = calls
        self._id: dict[str, Any] = {"match_id": match_id, "token": token}
        self._owner = None if owner_token is None else {"match_id": match_id, "token": owner_token}
        self.game, self.seats, self.seat = status.game, status.seats, seat
        self.owns = owner_token is not None

    def _owner_id(self, wish: str) -> dict[str, str]:
        if self._owner is None:
            details = {"seat": str(self.seat), "wish": wish}
            raise NotAllowedError(f"{wish} is for the player who began the match", details)
        return self._owner

    async def status(self) -> Status:
        return await self._get()

    async def _get(self, *, wait: bool = False) -> Status:
        response: pb2.GetMatchResponse = await self._calls.ask(pb2.GetMatchRequest(**self._id, wait=wait))
        return _status(response.status)

    async def tell(self, budget: int, since: int) -> str:
        for _ in range(_TRIES):
            position = await self._position(since)
            if position is not None:
                told: Any = position
                first = min(since, position.decisions)
                # In a thread: it takes milliseconds, and the event loop may be that of a server.
                return await asyncio.to_thread(tell, told, self.seat, budget, first)
        raise StaleMatchError("the match moves on while it is read, try again")

    async def _position(self, since: int) -> _Position | None:
        """Return the position, or None if the match has moved on while it was read."""
        status = await self.status()
        view = await self._calls.ask(pb2.GetViewRequest(**self._id))
        story = await self._calls.ask(pb2.GetStoryRequest(**self._id, since=min(since, status.decisions)))
        actions: list[Action] = []
        numbers = {status.decisions, view.decisions, story.decisions}
        if status.to_act == self.seat and len(numbers) == 1:
            actions, decisions = await self.actions()
            numbers.add(decisions)
        if len(numbers) > 1:
            return None
        return _Position(
            status.game,
            status.seats,
            status.decisions,
            status.to_act,
            table_from_json("view_json", view.view_json),
            story_from_proto(story),
            actions,
        )

    async def actions(self) -> tuple[list[Action], int]:
        response = await self._calls.ask(pb2.ListLegalActionsRequest(**self._id))
        return [action_from_proto(action) for action in response.actions], response.decisions

    async def play(self, action: int, decisions: int) -> Status:
        request = pb2.PlayRequest(**self._id, action=action, expected_decisions=decisions)
        return _status((await self._calls.ask(request)).status)

    async def wait(self, seconds: float) -> Status:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (status := await self._get(wait=True)).over and status.to_act != self.seat:
                    if not status.bot_to_act:
                        await self._next_decision(status.decisions)
        return await self.status()

    async def _next_decision(self, decisions: int) -> None:
        """Wait until more decisions have been taken."""
        request = pb2.WatchMatchRequest(**self._id, first_decision=decisions, parts=[pb2.FRAME_PART_EVENTS])
        await self._calls.read(request, lambda response: response.frame.decision <= decisions)

    async def say(self, said: dict[str, Any]) -> Message:
        request = pb2.SayInMatchRequest(**self._id, seat=self.seat, said=said_to_proto(said))
        return message_from_proto((await self._calls.ask(request)).message)

    async def messages(self, since: int) -> list[Message]:
        response = await self._calls.ask(pb2.ListMessagesRequest(**self._id, since=since))
        return [message_from_proto(row) for row in response.messages]

    async def picture(self) -> tuple[Picture, Sketch]:
        response = await self._calls.ask(pb2.GetPictureRequest(**self._id))
        return Picture(response.svg), sketch_from_json(response.sketch_json)

    async def replay(self) -> str:
        response = await self._calls.ask(pb2.GetReplayRequest(**self._owner_id("the replay")))
        return str(response.replay)

    async def start_analysis(self, iterations: int, *, everything: bool) -> str:
        which = self._owner_id("an analysis of all seats") if everything else self._id
        request = analysis_service_pb2.AnalyseMatchRequest(
            open=analysis_service_pb2.OpenMatch(**which),
            iterations=iterations,
            request_id=secrets.token_hex(12),
        )
        return str((await self._calls.ask(request)).analysis.name)

    async def analysis(self, name: str, seconds: float) -> MatchAnalysis | None:
        full = analysis_name_to_proto(name)
        done = False

        def use(response: analysis_service_pb2.WatchAnalysisResponse) -> bool:
            nonlocal done
            status = analysis_status_from_proto(response.analysis)
            if status.error is not None:
                raise status.error
            done = status.state == "succeeded"
            return not status.over

        with suppress(TimeoutError), _naming("analysis", name):
            async with asyncio.timeout(seconds):
                await self._calls.read(analysis_service_pb2.WatchAnalysisRequest(name=full), use)
        if not done:
            return None
        parts: list[bytes] = []

        def take(response: analysis_service_pb2.ReadAnalysisResponse) -> bool:
            parts.append(response.data)
            return True

        await self._calls.read(analysis_service_pb2.ReadAnalysisRequest(name=full), take)
        return MatchAnalysis.from_json(b"".join(parts).decode())

    async def close(self) -> None:
        await self._calls.ask(pb2.DeleteMatchRequest(**self._owner_id("ending the match")))


@contextmanager
def _naming(field: str, value: str) -> Iterator[None]:
    """Name the argument that a server did not find."""
    try:
        yield
    except AnalysisNotFoundError as error:
        raise AnalysisNotFoundError(str(error), {"field": field, "value": value}) from error


class RemoteTables(Tables):
    """Hosts matches on a server."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def games(self) -> list[GameFacts]:
        """List the games."""
        response = await self._calls.ask(catalog_service_pb2.ListGamesRequest())
        return [
            GameFacts(game.id, (game.min_seats, game.max_seats), {bot.name: bot.summary for bot in game.bots})
            for game in response.games
        ]

    async def scenarios(self, game: str) -> list[Scenario]:
        """List the scenarios of a game."""
        response = await self._calls.ask(catalog_service_pb2.ListScenariosRequest(game=game))
        return [
            scenario_from_proto(scenario, lambda: (Picture(), Sketch(()))) for scenario in response.scenarios
        ]

    async def begin(self, wish: Beginning) -> Begun:
        """Begin a match and take a seat."""
        names = ("game", "seats", "seed", "match_index", "setup", "bots")
        request = create_to_proto(
            **dict.fromkeys(("dice", "throws", "lots", "cards")),
            **{name: getattr(wish, name) for name in names},
        )
        response: pb2.CreateMatchResponse = await self._calls.ask(request)
        access, status = response.access, _status(response.status)
        tokens, match_id = access.seat_tokens, access.match_id
        table = _RemoteTable(
            self._calls, status, match_id, tokens[wish.seat], wish.seat, owner_token=access.owner_token
        )
        return Begun(table, {seat: f"{match_id}.{tokens[seat]}" for seat in wish.others})

    async def join(self, invitation: str) -> Table:
        """Take the seat of an invitation."""
        match_id, _, token = invitation.partition(".")
        request = pb2.GetMatchRequest(match_id=match_id, token=token)
        try:
            response: pb2.GetMatchResponse = await self._calls.ask(request)
        except MatchNotFoundError as error:
            raise no_invitation() from error
        if not response.HasField("seat"):  # the token of the owner, or that of spectators
            raise no_invitation()
        return _RemoteTable(self._calls, _status(response.status), match_id, token, response.seat)

    async def odds(self, question: Any, *, max_error: float | None, seed: int) -> Any:
        """Return the odds of a battle, a clash or a strike."""
        kind = odds_kind(question)
        options = options_to_proto(max_error=max_error, seed=seed)
        response = await self._calls.ask(kind.evaluate_to_proto(question, options))
        return kind.odds_from_proto(question, getattr(response, kind.answer))
