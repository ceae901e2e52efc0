"""An episode of one player that reads text and answers in text; the adapters beside it use it."""

from dataclasses import dataclass, field

from sengoku import Match
from sengoku.engine.tell import Choices
from sengoku.errors import ArgumentError
from sengoku.rules import rules

__all__ = ["Episode"]


@dataclass
class Episode:
    """A match in which one seat is played by answers in words, and bots play the others.

    The same seed and answers give the same episode, whatever else the process does.
    """

    game: str
    seed: int
    seats: int | None = None
    seat: int = 0
    opponent: str = "greedy"
    setup: dict = field(default_factory=dict)
    words: int = 1500
    most_illegal: int = 10
    """Wrong answers in a row after which the episode ends with the worst reward."""

    def __post_init__(self) -> None:
        """Begin the match."""
        lone = Match.create(self.game, seats=self.seats, seed=self.seed, setup=self.setup)
        others = {seat: self.opponent for seat in range(lone.seats) if seat != self.seat}
        self.match = Match.create(self.game, seats=lone.seats, seed=self.seed, setup=self.setup, bots=others)
        self.illegal = self._in_a_row = self.steps = self._told = 0
        self.choices = None if self.match.over else self.match.choices()

    @property
    def done(self) -> bool:
        """Whether the episode has ended."""
        return self.match.over or self._in_a_row > self.most_illegal

    @property
    def reward(self) -> float:
        """1 for the first place to -1 for the last one; 0 before the end."""
        if not self.done:
            return 0.0
        outcome = self.match.outcome
        return -1.0 if outcome is None else outcome.rewards[self.seat]

    def rules(self) -> str:
        """Return the rules for a prompt."""
        return rules(self.game, prompt=True)

    def prompt(self) -> str:
        """Return the position and the choices of the player."""
        return self.match.tell(self.seat, self.words, self._told)

    def answer(self, text: str) -> str:
        """Take an answer; return the next position, the second step of a choice, or what was wrong."""
        self.steps += 1
        try:
            found = self.choices.answer(text)
        except ArgumentError as error:
            self.illegal += 1
            self._in_a_row += 1
            return f"{error}. Answer again."
        self._in_a_row = 0
        if isinstance(found, Choices):
            self.choices = found
            return f"Your choices:\n{found}"
        self._told = self.match.decisions + 1  # what bots do before the next question is new
        self.match.play(found, self.seat)
        self.choices = None if self.match.over else self.match.choices()
        return self.prompt()
