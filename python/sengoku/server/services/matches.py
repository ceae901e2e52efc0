"""MatchService: single matches, for people, bots and debugging."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from sengoku import _core, engine
from sengoku.engine.checks import check_integer
from sengoku.engine.games import find_game
from sengoku.errors import DiceScriptError, NotYourTurnError, SengokuError, StaleMatchError, invalid, missing
from sengoku.server.bot_host import BotHost
from sengoku.server.broadcast import Broadcaster
from sengoku.server.call import Call, waiting
from sengoku.server.executor import Executor
from sengoku.server.jobs.tournaments import Tournaments
from sengoku.server.limits import Limits
from sengoku.server.live_matches import LiveMatches
from sengoku.server.match_registry import Lease, MatchRegistry, MatchTokens, OpenMatch
from sengoku.server.metrics import Metrics
from sengoku.server.services.watching import Watching
from sengoku.v1 import match_service_pb2 as pb2
from sengoku.wire.frames import action_to_proto
from sengoku.wire.matches import message_to_proto, said_from_proto, scripts_from_proto, story_lines_to_proto


class MatchService(Watching):
    """The service for single matches, each accessed with its tokens."""

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float],
        executor: Executor,
        broadcaster: Broadcaster,
        live: LiveMatches,
        tournaments: Tournaments,
        metrics: Metrics,
    ) -> None:
        self._metrics = metrics
        self._limits = limits
        self._matches = MatchRegistry(limits, clock, broadcaster)
        self._bots = BotHost(limits, executor)
        super().__init__(limits, self._matches, broadcaster, live, tournaments)

    @property
    def registry(self) -> MatchRegistry:
        """The open matches."""
        return self._matches

    def open_matches(self) -> int:
        """Return the number of open matches."""
        return len(self._matches)

    def bots_deciding(self) -> int:
        """Return the number of matches whose bots decide or wait for their turn."""
        return self._bots.hosting

    def drain(self) -> None:
        """Stop the bots and end the streams of watchers."""
        self._bots.close()
        super().drain()

    def _lease(self, request: Any) -> AbstractContextManager[Lease]:
        return self._matches.lease(request.match_id, request.token)

    async def create_match(self, request: pb2.CreateMatchRequest, call: Call) -> pb2.CreateMatchResponse:
        def make() -> _core.Match:
            find_game(request.game[:60])
            self._limits.check_bots(request.game, request.bots.values())
            match = engine.Match.create(
                request.game,
                seats=request.seats if request.HasField("seats") else None,
                seed=request.seed,
                match_index=request.match_index,
                setup=request.setup_json or None,
                dice=request.dice.faces if request.HasField("dice") else None,
                **scripts_from_proto(request),
            )
            if request.bots:
                _core.host_bots(match._core, sorted(request.bots.items()))
            return match._core

        opened = await call.work(lambda: self._matches.open(make, call.caller.name))
        status = await self._rested(opened, call)
        return pb2.CreateMatchResponse(access=_tokens_to_proto(opened.tokens), status=status)

    async def load_match(self, request: pb2.LoadMatchRequest, call: Call) -> pb2.LoadMatchResponse:
        def make() -> _core.Match:
            match request.WhichOneof("source"):
                case "data":
                    match = _core.Match.load(request.data)
                case "replay":
                    match = _core.Match.from_replay(request.replay)
                case _:
                    raise missing("source", "give data or replay")
            self._limits.check("match_decisions", match.decisions)
            self._limits.check_bots(match.game, _core.hosted_bots(match).values())
            return match

        opened = await call.work(lambda: self._matches.open(make, call.caller.name))
        status = await self._rested(opened, call)
        return pb2.LoadMatchResponse(access=_tokens_to_proto(opened.tokens), status=status)

    async def _rested(self, opened: OpenMatch, call: Call, *, wait: bool = True) -> pb2.MatchStatus:
        """Let the bots decide, wait for them, and return the status of the match."""
        self._bots.start(opened)
        if wait:
            await self._bots.rest(opened, call.time_left)
        return await call.work(lambda: _match_status(opened.core))

    @waiting
    async def get_match(self, request: pb2.GetMatchRequest, call: Call) -> pb2.GetMatchResponse:
        def find() -> Lease:
            with self._lease(request) as lease:
                return lease

        lease = await call.work(find)
        status = await self._rested(lease.table, call, wait=request.wait)
        if request.wait and (failure := lease.table.failure) is not None:
            raise _shown(failure, lease)
        return pb2.GetMatchResponse(status=status, seat=lease.seat, spectator=lease.spectator)

    def get_view(self, request: pb2.GetViewRequest, _call: Call) -> pb2.GetViewResponse:
        with self._lease(request) as lease:
            view = lease.match.describe(lease.look_from(_seat(request)))
            return pb2.GetViewResponse(view_json=view, decisions=lease.match.decisions)

    def list_legal_actions(
        self, request: pb2.ListLegalActionsRequest, _call: Call
    ) -> pb2.ListLegalActionsResponse:
        with self._lease(request) as lease:
            lease.check_player("listing the legal actions")
            lease.check_turn()
            texts, decisions = lease.match.legal_texts(), lease.match.decisions
            count = _ACTION_COUNTS[lease.match.game]
        actions = [action_to_proto(row) for row in json.loads(texts)]
        return pb2.ListLegalActionsResponse(actions=actions, decisions=decisions, action_count=count)

    async def play(self, request: pb2.PlayRequest, call: Call) -> pb2.PlayResponse:
        if not request.HasField("action"):
            raise missing("action")
        opened = await call.work(lambda: self._play(request))
        if not opened.bot_to_act:
            return pb2.PlayResponse(status=await call.work(lambda: _match_status(opened.core)))
        return pb2.PlayResponse(status=await self._rested(opened, call, wait=not request.no_wait))

    def _play(self, request: pb2.PlayRequest) -> OpenMatch:
        with self._lease(request) as lease:
            seat = lease.act_from(_seat(request), "playing")
            decisions = lease.match.decisions
            if request.HasField("expected_decisions") and request.expected_decisions != decisions:
                expected = request.expected_decisions
                details = {"expected_decisions": str(expected), "decisions": str(decisions)}
                raise StaleMatchError(
                    f"expected_decisions is {expected}, but {decisions} decisions were taken", details
                )
            if lease.match.to_act is not None:
                self._limits.check("match_decisions", decisions + 1)
            if lease.table.bots and _core.bot_to_act(lease.match):
                to_act = str(lease.match.to_act)
                details = {"asked": "none" if seat is None else str(seat), "to_act": to_act}
                raise NotYourTurnError(f"seat {to_act} is to act, which a bot plays", details)
            lease.match.play(request.action, seat)
            lease.table.moved()
            return lease.table

    async def suggest_action(
        self, request: pb2.SuggestActionRequest, call: Call
    ) -> pb2.SuggestActionResponse:
        def find() -> _core.Match:
            with self._lease(request) as lease:
                lease.check_player("a suggestion")
                lease.check_turn()
                self._limits.check_bots(lease.match.game, [request.bot])
                return lease.match.clone()

        match = await call.work(find)

        def suggest() -> str:
            found = _core.suggest_action(match, request.bot, seed=request.seed, cancel=call.cancel)
            return _core.action_text(match, found)

        action = action_to_proto(json.loads(await call.heavy(suggest)))
        return pb2.SuggestActionResponse(action=action, decisions=match.decisions)

    def get_observation(self, request: pb2.GetObservationRequest, _call: Call) -> pb2.GetObservationResponse:
        with self._lease(request) as lease:
            seat = lease.act_from(_seat(request), "an observation")
            if seat is None:
                raise missing("seat")
            seen, decisions = lease.match.observe(seat), lease.match.decisions
        return pb2.GetObservationResponse(observation=seen.tobytes(), decisions=decisions)

    def get_log(self, request: pb2.GetLogRequest, _call: Call) -> pb2.GetLogResponse:
        with self._lease(request) as lease:
            events = json.loads(lease.match.events(request.first_event))
        events = events[: request.max_events or None]
        return pb2.GetLogResponse(
            events_json=[_json(event) for event in events], next_event=request.first_event + len(events)
        )

    def get_story(self, request: pb2.GetStoryRequest, _call: Call) -> pb2.GetStoryResponse:
        until = request.until if request.HasField("until") else None
        with self._lease(request) as lease:
            seat, match = lease.look_from(_seat(request)), engine.Match(lease.match)
            story = match.story(seat, request.since, until=until, long=request.long)
            return pb2.GetStoryResponse(lines=story_lines_to_proto(story), decisions=match.decisions)

    def say_in_match(self, request: pb2.SayInMatchRequest, _call: Call) -> pb2.SayInMatchResponse:
        with self._lease(request) as lease:
            seat = lease.act_from(_seat(request), "saying something")
            if seat is None:
                raise missing("seat")
            said = {"seat": check_integer("seat", seat, 0, 255), **said_from_proto(request.said)}
            number = self._limits.talk.say(lease.match, json.dumps(said))
            (row,) = json.loads(lease.match.messages(seat, number - 1))
            self._metrics.said(lease.match.game)
        return pb2.SayInMatchResponse(message=message_to_proto(row))

    def list_messages(self, request: pb2.ListMessagesRequest, _call: Call) -> pb2.ListMessagesResponse:
        with self._lease(request) as lease:
            if request.public_only and request.HasField("seat"):
                raise invalid("public_only", "true", "not together with seat")
            viewer = lease.look_from(_seat(request), public=request.public_only)
            rows = json.loads(lease.match.messages(viewer, request.since))
        return pb2.ListMessagesResponse(messages=[message_to_proto(row) for row in rows])

    def get_picture(self, request: pb2.GetPictureRequest, _call: Call) -> pb2.GetPictureResponse:
        with self._lease(request) as lease:
            seat = lease.look_from(_seat(request))
            return pb2.GetPictureResponse(svg=lease.match.picture(seat), sketch_json=lease.match.sketch(seat))

    def get_record(self, request: pb2.GetRecordRequest, _call: Call) -> pb2.GetRecordResponse:
        with self._lease(request) as lease:
            lease.check_owner("the record")
            match = lease.match
            return pb2.GetRecordResponse(
                seed=match.seed,
                match_index=match.match_index,
                setup_json=match.setup,
                history=match.history,
                digest=match.digest,
                dice_left=match.dice_left,
                scripts_left=match.scripts_left,
            )

    def save_match(self, request: pb2.SaveMatchRequest, _call: Call) -> pb2.SaveMatchResponse:
        with self._lease(request) as lease:
            lease.check_owner("saving")
            return pb2.SaveMatchResponse(data=lease.match.save())

    def get_replay(self, request: pb2.GetReplayRequest, _call: Call) -> pb2.GetReplayResponse:
        with self._lease(request) as lease:
            lease.check_owner("the replay")
            return pb2.GetReplayResponse(replay=lease.match.replay())

    def delete_match(self, request: pb2.DeleteMatchRequest, _call: Call) -> pb2.DeleteMatchResponse:
        with self._lease(request) as lease:
            lease.check_owner("deleting")
            self._matches.close(lease.match_id)
        return pb2.DeleteMatchResponse()


_ACTION_COUNTS = {game.name: game.action_count for game in engine.games()}
_RULES_VERSIONS = {game.name: game.rules_version for game in engine.games()}


def _tokens_to_proto(tokens: MatchTokens) -> pb2.MatchAccess:
    return pb2.MatchAccess(
        match_id=tokens.match_id,
        owner_token=tokens.owner_token,
        seat_tokens=tokens.seat_tokens,
        spectator_token=tokens.spectator_token,
    )


def _match_status(match: _core.Match) -> pb2.MatchStatus:
    """Return what every seat may know."""
    outcome = match.outcome
    return pb2.MatchStatus(
        game=match.game,
        rules_version=_RULES_VERSIONS[match.game],
        seats=match.seats,
        decisions=match.decisions,
        to_act=match.to_act,
        outcome=None if outcome is None else pb2.MatchOutcome(**outcome),
        bot_to_act=_core.bot_to_act(match),
        bots=_core.hosted_bots(match),
    )


def _shown(failure: SengokuError, lease: Lease) -> SengokuError:
    """Return an error of the bots as the holder of a token may see it."""
    if isinstance(failure, DiceScriptError) and (lease.seat is not None or lease.spectator):
        return DiceScriptError("the owner's scripted dice do not allow it")
    return failure


def _seat(request: Any) -> int | None:
    return request.seat if request.HasField("seat") else None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
