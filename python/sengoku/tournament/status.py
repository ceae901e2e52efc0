"""Tournaments on a server as a client sees them."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sengoku.errors import SengokuError, TournamentNotOverError
from sengoku.tournament.spec import Board, Entrant
from sengoku.tournament.tables import Table

__all__ = ["TournamentStatus"]

_OVER = frozenset({"succeeded", "failed", "cancelled"})


@dataclass(frozen=True)
class TournamentStatus:
    """How a tournament is getting on."""

    name: str
    """How the server names it."""
    title: str
    """How its file names it."""
    state: str
    """One of `sengoku.engine.run_status.STATES`."""
    client: str
    """Who began it."""
    request_id: str
    format: str
    digest: str
    """SHA-256 of what its file says, the same as in process."""
    bots: tuple[Entrant, ...]
    boards: tuple[Board, ...] = field(hash=False)
    seeds: tuple[int | None, ...]
    """Seed of each board; None as long as it is a secret."""
    round: int
    """The round that is played, from 1."""
    matches_done: int
    matches_due: int
    """Matches of all rounds up to this one, if no meeting ends early."""
    matches_per_second: float
    create_time: datetime | None
    end_time: datetime | None
    queue_position: int
    """Tournaments that are before it in the queue."""
    obstacle: str
    """Why it is stalled."""
    standings: Table | None = field(default=None, repr=False, compare=False)
    """How it stands, where that was told: `watch` tells it."""
    error: SengokuError | None = field(default=None, compare=False)
    """Why it failed, or that it was cancelled."""

    @property
    def over(self) -> bool:
        """Whether nothing more is played, unless somebody wants it."""
        return self.state in _OVER

    def check(self) -> "TournamentStatus":
        """Gives a tournament that has come to its end, or raises what ended it before its time."""
        if self.error is not None:
            raise self.error
        if self.state != "succeeded":
            details = {"name": self.name, "state": self.state}
            raise TournamentNotOverError(f"{self.name} is {self.state}", details)
        return self

    def as_dict(self) -> dict[str, Any]:
        """Gives everything as plain values, ready for JSON."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name in ("create_time", "end_time"):
            told[name] = told[name] and told[name].isoformat()
        told["bots"] = [
            {"name": bot.name, "kind": bot.kind, "source": bot.bot or bot.player} for bot in self.bots
        ]
        boards = zip(self.boards, told.pop("seeds"), strict=True)
        told["boards"] = [{**asdict(board), "seed": seed} for board, seed in boards]
        table = self.standings
        told["standings"] = table and [dict(zip(table.headings, row, strict=True)) for row in table.rows]
        told["error"] = self.error and {"reason": self.error.reason, "message": str(self.error)}
        return told
