"""MatchService: one match at a time, for people, bots and debugging."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from sengoku import _core, engine
from sengoku.errors import ArgumentError, NotYourTurnError, StaleMatchError
from sengoku.server.dispatch import Call
from sengoku.server.limits import Limits
from sengoku.server.match_registry import Access, Guest, Tables
from sengoku.v1 import match_service_pb2 as match_pb2


class MatchService:
    """One match at a time, for those who have a token of it."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits = limits
        self._tables = Tables(
            most=limits.open_matches,
            client_most=limits.client_open_matches,
            idle_seconds=limits.idle_seconds,
            clock=clock,
        )

    def open_matches(self) -> int:
        """How many matches are open."""
        return len(self._tables)

    def _at(self, request: Any) -> AbstractContextManager[Guest]:
        return self._tables.at(request.match_id, request.token)

    def create_match(
        self, request: match_pb2.CreateMatchRequest, call: Call
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

        access, match = self._tables.open(make, call.caller.name)
        return match_pb2.CreateMatchResponse(access=_access(access), status=_match_status(match))

    def load_match(self, request: match_pb2.LoadMatchRequest, call: Call) -> match_pb2.LoadMatchResponse:
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

        access, match = self._tables.open(make, call.caller.name)
        return match_pb2.LoadMatchResponse(access=_access(access), status=_match_status(match))

    def get_match(self, request: match_pb2.GetMatchRequest, _call: Call) -> match_pb2.GetMatchResponse:
        with self._at(request) as guest:
            return match_pb2.GetMatchResponse(status=_match_status(guest.match), seat=guest.seat)

    def get_view(self, request: match_pb2.GetViewRequest, _call: Call) -> match_pb2.GetViewResponse:
        with self._at(request) as guest:
            view = guest.match.describe(guest.look_from(_seat(request)))
            return match_pb2.GetViewResponse(view_json=view, decisions=guest.match.decisions)

    def list_legal_actions(
        self, request: match_pb2.ListLegalActionsRequest, _call: Call
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

    def play(self, request: match_pb2.PlayRequest, _call: Call) -> match_pb2.PlayResponse:
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
        self, request: match_pb2.GetObservationRequest, _call: Call
    ) -> match_pb2.GetObservationResponse:
        with self._at(request) as guest:
            seat = guest.look_from(_seat(request))
            if seat is None:
                raise ArgumentError("seat is not set", {"field": "seat", "value": "none"})
            seen, decisions = guest.match.observe(seat), guest.match.decisions
        return match_pb2.GetObservationResponse(observation=seen.tobytes(), decisions=decisions)

    def get_log(self, request: match_pb2.GetLogRequest, _call: Call) -> match_pb2.GetLogResponse:
        with self._at(request) as guest:
            events = json.loads(guest.match.events(request.first_event))
        events = events[: request.max_events or None]
        return match_pb2.GetLogResponse(
            events_json=[_json(event) for event in events],
            next_event=request.first_event + len(events),
        )

    def get_picture(self, request: match_pb2.GetPictureRequest, _call: Call) -> match_pb2.GetPictureResponse:
        with self._at(request) as guest:
            seat = guest.look_from(_seat(request))
            return match_pb2.GetPictureResponse(
                svg=guest.match.picture(seat), sketch_json=guest.match.sketch(seat)
            )

    def get_record(self, request: match_pb2.GetRecordRequest, _call: Call) -> match_pb2.GetRecordResponse:
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

    def save_match(self, request: match_pb2.SaveMatchRequest, _call: Call) -> match_pb2.SaveMatchResponse:
        with self._at(request) as guest:
            guest.check_owner("saving")
            return match_pb2.SaveMatchResponse(data=guest.match.save())

    def get_replay(self, request: match_pb2.GetReplayRequest, _call: Call) -> match_pb2.GetReplayResponse:
        with self._at(request) as guest:
            guest.check_owner("the replay")
            return match_pb2.GetReplayResponse(replay=guest.match.replay())

    def delete_match(
        self, request: match_pb2.DeleteMatchRequest, _call: Call
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
