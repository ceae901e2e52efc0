"""How a host reaches a player: the decisions it requests, and the port that delivers them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from sengoku import _core
from sengoku.bots.notes import MatchNotes
from sengoku.engine.tell import Renaming

if TYPE_CHECKING:
    from sengoku.bots.host import Host

__all__ = ["WORDS", "Ask", "Forfeited", "LiveMatch", "Observer", "Over", "Port", "Seating", "make_match"]


WORDS = 1500
"""Default number of words in which a position is told."""


class Forfeited(Exception):  # noqa: N818 - an answer, not an error of this package
    """Stands for the answer of a player that failed; `reason` is why its match is forfeited."""

    def __init__(self, message: str, reason: str = "crashed") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Seating:
    """A match to be played: everything that determines it, and who sits where."""

    game: str
    seats: int
    setup: str  # options of the game as JSON
    seed: int
    match_index: int
    players: tuple[str, ...]  # who decides at each seat: the name of a port, or of a built-in bot
    rotation: int = 0  # number of the seating, copied to `MatchResult.rotation`


def make_match(seating: Seating, bots: Mapping[int, str]) -> _core.Match:
    """Start a match with built-in bots at some seats."""
    match = _core.Match.create(
        seating.game,
        seats=seating.seats,
        seed=seating.seed,
        match_index=seating.match_index,
        setup=seating.setup,
    )
    for seat, name in bots.items():
        match.seat_bot(seat, name)
    return match


@dataclass(eq=False, slots=True)
class LiveMatch:
    """A match that a host is playing."""

    seating: Seating
    match: _core.Match
    ports: tuple[Port | None, ...]  # port of each seat; None where a built-in bot plays
    ids: tuple[str, ...]  # the match id that each seat knows
    bank: list[float]  # seconds left in the bank of each seat
    left: list[float]  # seconds left to each seat for the whole match
    seconds: list[float]  # seconds each seat has used
    forfeits: list[str]  # why each seat forfeited, or an empty string
    fallen: list[int] = field(default_factory=list)  # seats that have forfeited, in order
    decisions: int = 0
    read: dict[int, int] = field(default_factory=dict)  # number of the last message that each seat was sent
    told: dict[int, int] = field(default_factory=dict)  # decisions up to the last one of each seat
    renaming: Renaming | None = None  # other names for places, units and cards, which players are shown
    notes: MatchNotes = field(default_factory=lambda: MatchNotes(0))


@dataclass(frozen=True, slots=True)
class Over:
    """Notification to the player of a seat that a match has ended."""

    match_id: str
    game: str
    seat: int
    ranks: tuple[int, ...]
    winner: int | None
    reason: str
    scores: tuple[int, ...]
    forfeit: str
    """Why this seat forfeited, or an empty string."""


@dataclass(eq=False, slots=True)
class Ask:
    """A decision requested from a player: what its seat may know, and where the answer goes."""

    match_id: str
    game: str
    seats: int
    seat: int
    decisions: int
    legal: list[int]
    observation: Any  # an array of bytes, or None if the player did not request it
    view_json: str | None
    actions_json: str | None
    messages_json: str | None  # messages since the seat's last decision, or None where seats do not talk
    allowance: float  # seconds the player has for this decision
    port: Port
    table: LiveMatch
    host: Host = field(repr=False)
    started: float | None = None
    """When the decision reached the player (`time.monotonic`); the clock runs from then on."""
    done: bool = False  # whether the host no longer waits for the answer
    number: int = 0  # number that the port assigned to this decision
    said: Sequence[str] = ()  # messages of the player with its answer, each a table as JSON
    tell_text: str | None = None  # the position in words
    rules_text: str | None = None
    notes: Sequence[str] = ()  # notes of the player about this decision, each a table as JSON

    def answer(self, action: Any, received: float) -> None:
        """Pass on the player's answer: an action, or an exception if the player failed."""
        self.answer_all([(self, action, received)])

    def answer_all(self, answers: list[tuple[Ask, Any, float]]) -> None:
        """Pass on several answers for the same host at once."""
        self.host.take(answers)


class Observer(Protocol):
    """Who is told about the matches of a host, in its thread."""

    def opened(self, table: LiveMatch) -> None:
        """Note a match before its first decision."""

    def moved(self, table: LiveMatch) -> None:
        """Note that decisions may have been taken."""

    def closed(self, table: LiveMatch) -> None:
        """Note a match that is over or was given up."""


class Port(ABC):
    """Connection from a host to one player. The host's thread calls every method; none may block."""

    name: str
    wants: frozenset[str] = frozenset()
    """The data that the player receives with each decision: some of `WANTS`."""
    words: int = WORDS
    """Words in which a position is told to a player that wants "tell"."""
    gone = "disconnected"  # forfeit reason for a decision that could not be delivered

    @abstractmethod
    def ask(self, asks: Sequence[Ask]) -> None:
        """Request decisions; `Ask.started` is set when one reaches the player."""

    @abstractmethod
    def forget(self, ask: Ask, forfeit: str) -> None:
        """Withdraw a request; `forfeit` is the reason, or empty if the match was cancelled."""

    @abstractmethod
    def fault(self, ask: Ask, forfeit: str) -> None:
        """Notify the player that its answer was rejected."""

    def unsaid(self, ask: Ask, why: str) -> None:  # noqa: B027 - a port need not report it
        """Notify the player that a message was refused."""

    @abstractmethod
    def over(self, over: Over) -> None:
        """Notify the player that a match has ended."""

    @abstractmethod
    def gone_since(self, ask: Ask, /) -> float | None:
        """Return since when the player has been unreachable for this decision; None if it is reachable."""
