"""PlayerService: custom bots that play on a server, and matches with them."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from operator import index
from typing import Any

from sengoku._core import Cancel
from sengoku.bots.bot import AnyBot, Playing
from sengoku.bots.clock import Clock
from sengoku.bots.play import fill_seats
from sengoku.bots.port import Over
from sengoku.bots.report import PlayReport
from sengoku.client._flow import Api, Call, Flow, Next, Open, Send, method, read_stream
from sengoku.client._streams import Stream
from sengoku.engine.games import Setup, find_game, setup_to_json
from sengoku.engine.progress import Progress, watching
from sengoku.engine.result import MatchResult
from sengoku.errors import CancelledError, UnavailableError
from sengoku.v1 import player_service_pb2 as pb2
from sengoku.wire.matches import said_to_proto
from sengoku.wire.players import (
    decision_from_proto,
    hello_to_proto,
    over_from_proto,
    play_matches_to_proto,
    played_from_proto,
    seat_player_from_proto,
)
from sengoku.wire.values import plain_values

_log = logging.getLogger(__name__)


class PlayersApi(Api):
    """The methods of a client for players."""

    @method
    def players(self, *, timeout: float | None = None) -> Call[list[dict[str, Any]]]:
        """List the players that are connected to the server, by name."""
        return Call(
            pb2.ListPlayersRequest(), lambda response: list(map(plain_values, response.players)), timeout
        )

    @method
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
        talk: bool = False,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
        timeout: float | None = None,
    ) -> Flow[PlayReport]:
        """Play matches, many at once, between players connected to the server and its bots.

        `players` has a name per seat: "@name" is a player, any other name is a bot; the last one also takes
        all remaining seats. The other arguments are those of `sengoku.play_matches`. If the client stops
        waiting, the server stops the matches.
        """
        request = play_matches_to_proto(
            game=game,
            players=players,
            seats=seats,
            match_count=match_count,
            first_match=first_match,
            seed=seed,
            setup=setup_to_json(game, setup),
            rotate=rotate,
            clock=clock,
            at_once=at_once,
            replays=replays,
            talk=talk,
        )
        rules_version = find_game(game).rules_version
        names = fill_seats(game, [seat_player_from_proto(player) for player in request.players], seats)
        limit = self._driver.connection.timeout if timeout is None else timeout
        matches: list[MatchResult] = []
        with watching(progress) as notify:

            def use(response: pb2.PlayMatchesResponse) -> None:
                matches.extend(played_from_proto(row, names, replays=replays) for row in response.matches)
                if notify is not None:
                    notify(response.matches_done, response.match_total)

            yield from read_stream(request, use, math.inf if limit is None else limit, cancel)
        return PlayReport.of(
            matches,
            game=game,
            rules_version=rules_version,
            setup=json.loads(request.setup_json),
            seed=request.seed,
            players=tuple(names),
        )

    @method
    def serve_bot(
        self,
        bot: AnyBot,
        *,
        name: str | None = None,
        stop: Cancel | None = None,
        told: Callable[[Over], object] | None = None,
    ) -> Flow[None]:
        """Connect a custom bot to the server as a player, and let it play until the server says goodbye.

        Setting `stop` says goodbye: matches that have started are still finished. `told` is called with the
        end of each match. A lost connection raises an error; `sengoku bot serve` and `sengoku.bots.bot.serve`
        reconnect.
        """
        playing = Playing.of(bot, name)
        hello = pb2.ConnectRequest(hello=hello_to_proto(playing))
        stream: Stream = yield Open(hello, math.inf)
        leaving = False
        try:
            while True:
                if stop is not None and stop.cancelled and not leaving:
                    leaving = True
                    yield Send(stream, pb2.ConnectRequest(goodbye=pb2.PlayerGoodbye()))
                try:
                    message: pb2.ConnectResponse | None = yield Next(stream, None if leaving else stop)
                except CancelledError:
                    if stop is None or not stop.cancelled:
                        raise
                    continue
                if message is None:
                    raise UnavailableError("the server closed the stream without a goodbye")
                match message.WhichOneof("message"):
                    case "decisions":
                        yield Send(stream, pb2.ConnectRequest(answers=_decide(playing, message.decisions)))
                    case "match_over":
                        over = over_from_proto(message.match_over)
                        playing.over(over)
                        if told is not None:
                            told(over)
                    case "heartbeat":
                        yield Send(stream, pb2.ConnectRequest(heartbeat=message.heartbeat))
                    case "fault":
                        _log.warning("the bot %s: %s", playing.name, message.fault.message)
                    case "goodbye":
                        return
        finally:
            stream.close()


def _decide(playing: Playing, message: pb2.PlayerDecisions) -> pb2.PlayerAnswers:
    """Let the bot decide; an exception is reported as a failure, and an unusable action is left out."""
    decisions = [decision_from_proto(decision) for decision in message.decisions]
    answers = pb2.PlayerAnswers()
    actions = playing.decide(decisions)
    for asked, decision, action in zip(message.decisions, decisions, actions, strict=True):
        answer = answers.answers.add(id=asked.id)
        answer.said.extend(said_to_proto(json.loads(said)) for said in decision.said)
        if isinstance(action, BaseException):
            answer.failure = f"{type(action).__name__}: {action}"[:200].encode("utf-8", "replace").decode()
            continue
        with suppress(TypeError, ValueError):  # not a whole number, or one that does not fit
            answer.action = index(action)
    return answers
