"""A slow, obvious model of a whole match of `swords`, written from the rule ledger alone.

A match is one generator that follows the order of the rules and yields a question wherever a clan has to
decide. Chance is not drawn but read from the engine's log: the model states when dice are rolled, by which
side and how many, and raises `ModelError` when the log differs.

The model starts at a state of the engine: at the deal, at the start of Action 1, or at the start of Phase A
of a war turn. Two things that the rules leave open are taken from the engine: whether a question with a
single answer is asked, and the small questions into which it divides a decision. Everything else comes from
the ledger.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from differential.model_match_battles import Battles
from differential.model_match_board import (
    PLAN,
    GameOver,
    ModelError,
    Play,
    TurnOver,
)


class Model(Battles):
    """A whole match: setup, rounds and war turns."""

    def __init__(self, state: dict[str, Any]) -> None:
        super().__init__(state)
        self._story = self._play_match(state["point"], state["turn"])
        self._advance(None)

    def _play_match(self, point: Any, turn: int) -> Play[None]:
        kind = point if isinstance(point, str) else next(iter(point))
        try:
            if kind == "divide":
                yield from self._divide()
            if kind in {"divide", "reinforce"}:
                yield from self._reinforce()
                self.round = 1
            elif kind == "choose_army" and self.phase == "a":
                yield from self._war(turn)
            elif kind != "plan":
                raise ModelError(f"the model cannot begin at {point}")
            while True:
                yield from self._actions()
                yield from self._war()
        except GameOver:
            return

    # War turns.

    def _war(self, resumed: int | None = None) -> Play[None]:
        for sword in range(1 if resumed is None else resumed, 6):
            holders = [clan for clan in self.in_play() if self.clans[clan].sword == sword]
            if holders:
                with suppress(TurnOver):
                    yield from self._war_turn(holders[0], sword == resumed)
                self._end_turn()
        yield from self._window()  # SW-NW-13
        self.return_ronin()
        for clan in self.in_play():  # SW-ROUND-02
            self.clans[clan].koku = max(3, len(self.owned(clan)) // 3)
        self.check_end_of_round()
        for clan in self.in_play():  # SW-NINJA-08, SW-EXP-06
            for army in self.clans[clan].armies:
                if army.disrupted:
                    army.disrupted = False
                    army.hole = 0
                    army.units["daimyo"] = 1
        if self.round >= self.max_rounds:
            self.end("round_limit", None)  # SW-R-81
        for clan in self.in_play():  # SW-ROUND-04
            self.clans[clan].sword = 0
            self.clans[clan].plan = dict.fromkeys(PLAN, 0)
        self.ninja_fresh = False
        self.round += 1

    def _end_turn(self) -> None:
        self.active, self.phase = None, "none"
        self.declared_armies, self.declared_forces = {}, {}  # SW-WAR-D-09
        self.clear_moved()
        self.clear_bonus()

    def _war_turn(self, clan: int, resumed: bool) -> Play[None]:
        self.active = clan
        self.phase = "a"
        if not resumed:
            self.clear_moved()
            yield from self._window()  # SW-NW-02
        yield from self._move_armies(clan)
        self.check_ronin(clan)
        self.clear_moved()
        self.phase = "b"
        yield from self._declare(clan)
        yield from self._window()  # SW-NW-04
        self.phase = "c"
        yield from self._fight_all(clan)
        self.phase = "d"
        yield from self._window()  # SW-NW-11
        yield from self._move_armies(clan)
        yield from self._move_forces(clan)
        self.check_ronin(clan)
