"""TextArena: an environment for all seats, with the ids `Sengoku-swords-v0`, `-tower-v0` and `-battles-v0`.

Importing this module registers them; `textarena.make("Sengoku-tower-v0")` makes one.
"""

from typing import Any

import textarena as ta

from sengoku import Match
from sengoku.engine.tell import Choices
from sengoku.errors import ArgumentError
from sengoku.rules import rules

MOST_ILLEGAL = 3
"""Wrong answers to a decision after which the player loses."""


class SengokuEnv(ta.Env):
    """A match in which every seat reads and answers in words."""

    def __init__(self, game: str, words: int = 1500, setup: dict[str, Any] | None = None) -> None:
        """Choose the game and its options."""
        self.game, self.words, self.setup = game, words, setup or {}

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a match. The seed decides everything; without one it is 0."""
        self.match = Match.create(self.game, seats=num_players, seed=seed or 0, setup=self.setup)
        self.choices = self.match.choices()
        self.illegal, self.told = 0, [0] * num_players
        self.state = ta.State(num_players=num_players)  # with a seed it would reseed the process
        roles = {seat: f"Seat {seat}" for seat in range(num_players)}
        self.state.standard_resets(
            game_state={"game": self.game}, player_prompt_function=self._prompt, role_mapping=roles
        )
        self._ask()

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:
        about = f"You play {game_state['game']} as seat {player_id}. Answer with the number of a choice."
        return f"{about}\n\n{rules(self.game, prompt=True)}"

    def _ask(self) -> None:
        seat = self.match.to_act
        self.state.current_player_id = seat
        text = self.match.tell(seat, self.words, self.told[seat])
        self.state.add_observation(text, ta.ObservationType.GAME_BOARD, to_id=seat)

    def _say(self, text: str) -> None:
        seat = self.state.current_player_id
        self.state.add_observation(text, ta.ObservationType.GAME_MESSAGE, to_id=seat)

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Take an answer of the player to act."""
        seat = self.state.current_player_id
        self.state.add_observation(action, ta.ObservationType.PLAYER_ACTION, from_id=seat, to_id=seat)
        self.state.game_info[seat]["turn_count"] += 1
        try:
            found = self.choices.answer(action)
        except ArgumentError as error:
            self.illegal += 1
            self._say(f"{error}. Answer again.")
            if self.illegal > MOST_ILLEGAL:
                self._end({other: -1 if other == seat else 0 for other in range(self.match.seats)}, "illegal")
                self.state.game_info[seat]["invalid_move"] = True
            return self.state.step()
        self.illegal = 0
        if isinstance(found, Choices):
            self.choices = found
            self._say(f"Your choices:\n{found}")
            return self.state.step()
        self.match.play(found)
        self.told[seat] = self.match.decisions
        if self.match.over:
            outcome = self.match.outcome
            self._end(dict(enumerate(outcome.rewards)), outcome.reason)
        else:
            self.choices = self.match.choices()
            self._ask()
        return self.state.step()

    def _end(self, rewards: dict[int, float], reason: str) -> None:
        self.state.rewards, self.state.done = rewards, True
        for info in self.state.game_info.values():
            info["reason"] = reason


for name in ("swords", "tower", "battles"):
    ta.register(id=f"Sengoku-{name}-v0", entry_point=SengokuEnv, game=name)
