"""MatchService: single matches, for people, bots and debugging."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from sengoku import _core, engine
from sengoku.errors import NotYourTurnError, StaleMatchError, missing
from sengoku.server.call import Call
from sengoku.server.limits import Limits
from sengoku.server.match_registry import Lease, MatchRegistry, MatchTokens
from sengoku.v1 import match_service_pb2 as pb2
from sengoku.wire.matches import story_lines_to_proto


class MatchService:
    """The service for single matches, each accessed with its tokens."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._matches = MatchRegistry(limits, clock)

    def open_matches(self) -> int:
        """Return the number of open matches."""
        return len(self._matches)

    def _lease(self, request: Any) -> AbstractContextManager[Lease]:
        return self._matches.lease(request.match_id, request.token)

    def create_match(self, request: pb2.CreateMatchRequest, call: Call) -> pb2.CreateMatchResponse:
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

        tokens, match = self._matches.open(make, call.caller.name)
        return pb2.CreateMatchResponse(access=_tokens_to_proto(tokens), status=_match_status(match))

    def load_match(self, request: pb2.LoadMatchRequest, call: Call) -> pb2.LoadMatchResponse:
        def make() -> _core.Match:
            match request.WhichOneof("source"):
                case "data":
                    match = _core.Match.load(request.data)
                case "replay":
                    match = _core.Match.from_replay(request.replay)
                case _:
                    raise missing("source", "give data or replay")
            self._limits.check("match_decisions", match.decisions)
            return match

        tokens, match = self._matches.open(make, call.caller.name)
        return pb2.LoadMatchResponse(access=_tokens_to_proto(tokens), status=_match_status(match))

    def get_match(self, request: pb2.GetMatchRequest, _call: Call) -> pb2.GetMatchResponse:
        with self._lease(request) as lease:
            return pb2.GetMatchResponse(status=_match_status(lease.match), seat=lease.seat)

    def get_view(self, request: pb2.GetViewRequest, _call: Call) -> pb2.GetViewResponse:
        with self._lease(request) as lease:
            view = lease.match.describe(lease.look_from(_seat(request)))
            return pb2.GetViewResponse(view_json=view, decisions=lease.match.decisions)

    def list_legal_actions(
        self, request: pb2.ListLegalActionsRequest, _call: Call
    ) -> pb2.ListLegalActionsResponse:
        with self._lease(request) as lease:
            to_act = lease.match.to_act
            if lease.seat is not None and to_act is not None and lease.seat != to_act:
                details = {"asked": str(lease.seat), "to_act": str(to_act)}
                raise NotYourTurnError(
                    f"the token is that of seat {lease.seat}, but seat {to_act} is to act", details
                )
            texts, decisions = lease.match.legal_texts(), lease.match.decisions
            count = _ACTION_COUNTS[lease.match.game]
        actions = [
            pb2.LegalAction(
                index=row["index"], name=row["name"], args_json=_json(row["args"]), text=row["text"]
            )
            for row in json.loads(texts)
        ]
        return pb2.ListLegalActionsResponse(actions=actions, decisions=decisions, action_count=count)

    def play(self, request: pb2.PlayRequest, _call: Call) -> pb2.PlayResponse:
        if not request.HasField("action"):
            raise missing("action")
        with self._lease(request) as lease:
            seat = lease.look_from(_seat(request))
            decisions = lease.match.decisions
            if request.HasField("expected_decisions") and request.expected_decisions != decisions:
                expected = request.expected_decisions
                details = {"expected_decisions": str(expected), "decisions": str(decisions)}
                raise StaleMatchError(
                    f"expected_decisions is {expected}, but {decisions} decisions were taken", details
                )
            if lease.match.to_act is not None:
                self._limits.check("match_decisions", decisions + 1)
            lease.match.play(request.action, seat)
            return pb2.PlayResponse(status=_match_status(lease.match))

    def get_observation(self, request: pb2.GetObservationRequest, _call: Call) -> pb2.GetObservationResponse:
        with self._lease(request) as lease:
            seat = lease.look_from(_seat(request))
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
        match_id=tokens.match_id, owner_token=tokens.owner_token, seat_tokens=tokens.seat_tokens
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
    )


def _seat(request: Any) -> int | None:
    return request.seat if request.HasField("seat") else None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
