"""Matches on both sides of a connection."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from sengoku import Client, Match, RemoteMatch, games
from sengoku.server import Limits, Server
from sengoku.v1 import match_service_pb2 as match_pb2

CAP = {"max_rounds": 2}


GAME = games()[0]


TABLES = [
    pytest.param(game, seats, id=f"{game.name}-{seats}")
    for game in games()
    for seats in range(game.seats[0], game.seats[1] + 1)
]


AnyMatch = Match | RemoteMatch


class Clock:
    """A clock that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        """Returns the time."""
        return self.now


@contextmanager
def serving(clock: Clock | None = None, **limits: int) -> Iterator[Client]:
    options = {"clock": clock} if clock else {}
    with Server(port=0, limits=Limits(**limits), **options) as server, Client(server.address) as client:
        yield client


def public(match: AnyMatch) -> tuple[object, ...]:
    return match.game, match.seats, match.to_act, match.over, match.decisions, match.outcome, match.log


def everything(match: AnyMatch) -> tuple[object, ...]:
    views = [match.view(seat) for seat in range(match.seats)]
    seen = [match.observe(seat).tobytes() for seat in range(match.seats)]
    pictures = [match.picture(), *(match.picture(seat) for seat in range(match.seats))]
    record = match.seed, match.match_index, match.setup, match.history, match.digest, match.dice_left
    legal = match.legal_actions(), match.legal_mask().tobytes()
    stories = [match.story(), *(match.story(seat, long=True) for seat in range(match.seats))]
    looks = views, seen, pictures, stories
    return public(match), record, legal, match.state(), looks, match.save(), match.replay()


def play_some(match: AnyMatch, decisions: int, seed: int = 1) -> None:
    choose = random.Random(seed)
    for _ in range(decisions):
        if match.over:
            return
        match.play(choose.choice(match.legal_actions()))


def owner_calls(match: RemoteMatch) -> dict[str, Callable[[], object]]:
    other = (match.seat + 1) % match.seats
    return {
        "state": match.state,
        "save": match.save,
        "replay": match.replay,
        "clone": match.clone,
        "resample": lambda: match.resample(match.seat),
        "seed": lambda: match.seed,
        "match_index": lambda: match.match_index,
        "setup": lambda: match.setup,
        "history": lambda: match.history,
        "digest": lambda: match.digest,
        "dice_left": lambda: match.dice_left,
        "view": lambda: match.view(other),
        "beyond": lambda: match.view(99),
        "before": lambda: match.view(-1),
        "observe": lambda: match.observe(other),
        "picture": lambda: match.picture(other),
        "story": lambda: match.story(other),
        "play": lambda: match.play(0, seat=other),
        "delete": lambda: match._client.ask_match("DeleteMatch", match_pb2.DeleteMatchRequest(**match._id)),
    }
