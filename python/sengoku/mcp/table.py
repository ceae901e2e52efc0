"""What the tools need of whoever hosts the matches: `Tables` hosts them, a `Table` is one seat of a match."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sengoku.engine import Action, MatchAnalysis, Outcome, Scenario, Sketch
from sengoku.engine.pictures import Picture
from sengoku.engine.talk import Message
from sengoku.errors import MatchNotFoundError

__all__ = ["Beginning", "Begun", "GameFacts", "Status", "Table", "Tables", "no_invitation"]


@dataclass(frozen=True)
class GameFacts:
    """A game that can be played."""

    name: str
    seats: tuple[int, int]
    """Smallest and largest number of seats."""
    bots: Mapping[str, str]
    """Built-in bots, each with a sentence."""


@dataclass(frozen=True)
class Status:
    """What everybody may know of a match."""

    game: str
    seats: int
    decisions: int
    """Decisions taken."""
    to_act: int | None
    """The seat that decides next; None once the match is over."""
    bot_to_act: bool
    """Whether a bot is deciding."""
    bots: Mapping[int, str]
    outcome: Outcome | None

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.to_act is None


class Table(ABC):
    """A seat of a match: what its player may see and do, and nothing else."""

    game: str
    seats: int
    seat: int
    owns: bool
    """Whether the player began the match, and so may end it and get its replay."""

    @abstractmethod
    async def status(self) -> Status:
        """Return the public status."""

    @abstractmethod
    async def tell(self, budget: int, since: int) -> str:
        """Return the position and what happened after a number of decisions, as `Match.tell`."""

    @abstractmethod
    async def actions(self) -> tuple[list[Action], int]:
        """Return the legal actions, if this seat is to act, and the number of decisions taken."""

    @abstractmethod
    async def play(self, action: int, decisions: int) -> Status:
        """Play an action if so many decisions have been taken; the bots answer before this returns."""

    @abstractmethod
    async def wait(self, seconds: float) -> Status:
        """Wait until this seat is to act or the match is over, for some seconds at most."""

    @abstractmethod
    async def say(self, said: dict[str, Any]) -> Message:
        """Say something; `said` is a table of `said_to_json`."""

    @abstractmethod
    async def messages(self, since: int) -> list[Message]:
        """Return the messages that this seat can read, behind a number."""

    @abstractmethod
    async def picture(self) -> tuple[Picture, Sketch]:
        """Draw the board as this seat sees it, as SVG and for a terminal."""

    @abstractmethod
    async def replay(self) -> str:
        """Return the whole match as text; for the owner."""

    @abstractmethod
    async def start_analysis(self, iterations: int, *, everything: bool) -> str:
        """Start an analysis of this seat's decisions, or of everything, and return its name."""

    @abstractmethod
    async def analysis(self, name: str, seconds: float) -> MatchAnalysis | None:
        """Return an analysis once it is done; None if it is not within some seconds."""

    @abstractmethod
    async def close(self) -> None:
        """End the match for all seats; for the owner."""


@dataclass(frozen=True)
class Beginning:
    """How a match begins."""

    game: str
    seat: int
    """The seat to take."""
    seats: int
    seed: int
    match_index: int
    setup: str
    """Options of the game as JSON; files that they name are not read."""
    bots: Mapping[int, str]

    @property
    def others(self) -> list[int]:
        """The seats that other players can take."""
        return [seat for seat in range(self.seats) if seat != self.seat and seat not in self.bots]


@dataclass(frozen=True)
class Begun:
    """A new match."""

    table: Table
    invitations: Mapping[int, str] = field(repr=False)
    """What another player needs to join, for each other seat without a bot."""


def no_invitation() -> MatchNotFoundError:
    """Return the error for an invitation that leads nowhere."""
    return MatchNotFoundError("there is no match with this invitation", {"field": "invitation"})


class Tables(ABC):
    """Hosts matches."""

    @abstractmethod
    async def games(self) -> list[GameFacts]:
        """List the games."""

    @abstractmethod
    async def scenarios(self, game: str) -> list[Scenario]:
        """List the scenarios of a game."""

    @abstractmethod
    async def begin(self, wish: Beginning) -> Begun:
        """Begin a match and take a seat."""

    @abstractmethod
    async def join(self, invitation: str) -> Table:
        """Take the seat of an invitation."""

    @abstractmethod
    async def odds(self, question: Any, *, max_error: float | None, seed: int) -> Any:
        """Return the odds of a battle, a clash or a strike."""
