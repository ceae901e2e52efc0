"""The test cases of a bot check: setups, and positions with every kind of decision of a game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from sengoku import _core
from sengoku.bots.port import Seating, make_match
from sengoku.engine.games import find_game
from sengoku.engine.match import Match
from sengoku.engine.scenarios import scenarios
from sengoku.engine.spec import spec
from sengoku.errors import SetupError

__all__ = ["Case", "SpecReader", "cases", "corner_cases"]

_REFERENCE_DECISIONS = 2_000
"""Length of the matches between built-in bots in which positions are searched for."""
_POINTS = ("point", "question")  # names of the observation field that holds the current question

_OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "swords": ({}, {"two_player_early_attacks": True}, {"long_game": True}, {"max_rounds": 1}),
    "tower": (
        {},
        {"mode": "draft"},
        {"side": "moon"},
        {"court": True},
        {"mode": "draft", "court": True},
        {"side": "moon", "court": True},
        {"reveal": "per_action", "court": True},
        {"allow_zero_move": True},
        {"court": True, "favour_deck": "hidden"},
        {"event12_rice_loss": 1, "bump_probability": 1.0},
        {"max_rounds": 1},
    ),
    "battles": ({"campaign": 18}, {"campaign": 39}, {"max_rounds": 1}),
}
"""Setups that change which decisions occur, besides the scenarios."""


@dataclass(frozen=True)
class Case:
    """A setup of a game with a number of seats."""

    game: str
    seats: int
    setup: str

    def begin(self, seed: int, bots: Sequence[str]) -> _core.Match:
        """Start a match, with built-in bots at all seats if there are any."""
        seated = tuple(bots[seat % len(bots)] for seat in range(self.seats)) if bots else ()
        seating = Seating(self.game, self.seats, self.setup, seed, 0, seated)
        return make_match(seating, dict(enumerate(seated)))


@lru_cache(maxsize=16)
def cases(game: str) -> tuple[Case, ...]:
    """Return every setup with every number of seats that it allows."""
    found = find_game(game)
    setups = [*_OPTIONS.get(game, ({},)), *(scenario.setup or {} for scenario in scenarios(game))]
    texts = dict.fromkeys(json.dumps(setup, sort_keys=True) for setup in setups)
    allowed = []
    for text in texts:
        for seats in range(found.seats[0], found.seats[1] + 1):
            try:
                _core.Match.create(game, seats=seats, seed=0, match_index=0, setup=text)
            except SetupError:
                continue  # some options need a certain number of seats
            allowed.append(Case(game, seats, text))
    return tuple(allowed)


class SpecReader:
    """Reads the question and the kinds of actions of a decision, using the specification of the game."""

    def __init__(self, game: str) -> None:
        self.spec = spec(game)
        self._point = next(self.spec[name] for name in _POINTS if name in self.spec.names)
        self.labels = self._point.labels
        self.kinds = tuple(dict.fromkeys(kind.name for kind in self.spec.actions))
        self._first = np.array([kind.first for kind in self.spec.actions])

    def question(self, observation: Any) -> str:
        """Return the name of the question."""
        return self.labels[int(self._point.of(observation)) - self._point.low]

    def offered(self, legal: Sequence[int]) -> set[str]:
        """Return the kinds of actions that are legal."""
        places = np.unique(np.searchsorted(self._first, legal, side="right") - 1)
        return {self.spec.actions[place].name for place in places.tolist()}


@lru_cache(maxsize=16)
def corner_cases(game: str, seed: int) -> tuple[tuple[Case, int], ...]:
    """Return positions, and the seat to act, that cover every question that built-in bots come across.

    They also cover each kind of action, a single legal action, the most legal actions, and late positions.
    """
    reader = SpecReader(game)
    seen: set[object] = set()
    found: list[tuple[Case, int]] = []
    most: tuple[int, tuple[Case, int] | None] = (0, None)

    def take(match: _core.Match, case: Case) -> tuple[Case, int]:
        seat = match.to_act
        assert seat is not None, "a seat is to act"  # noqa: S101
        position = Match(match).resample(seat, seed=seed)
        return replace(case, setup=json.dumps(position.setup)), seat

    for number, case in enumerate(cases(game)):
        for bots in (("greedy", "random") if number % 2 else ("greedy",), ("random",)):
            played = case.begin(seed, bots)
            _core.play_bots([played], max_decisions=_REFERENCE_DECISIONS)
            history = played.history
            match = case.begin(seed, ())
            for turn, action in enumerate(history):
                seat = match.to_act
                assert seat is not None, "the played match continued from here"  # noqa: S101
                legal = match.legal_indices()
                question = reader.question(match.observe(seat))
                marks: set[object] = {question, *((kind,) for kind in reader.offered(legal))}
                marks |= {("single", question)} if len(legal) == 1 else set()
                marks |= {("late", case.seats)} if turn == len(history) - 1 else set()
                if not marks <= seen:
                    found.append(take(match, case))
                    seen |= marks
                if len(legal) > most[0]:
                    most = len(legal), take(match, case)
                match.play(action, seat)
    return (*found, most[1]) if most[1] is not None else tuple(found)
