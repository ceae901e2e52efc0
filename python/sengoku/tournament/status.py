"""The status of a tournament on a server, as a client sees it."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from sengoku.errors import SengokuError, TournamentNotOverError
from sengoku.tournament.spec import Board, Entrant
from sengoku.tournament.standings import Table

__all__ = ["TournamentStatus"]

_OVER = frozenset({"succeeded", "failed", "cancelled"})


@dataclass(frozen=True)
class TournamentStatus:
    """Progress and state of a tournament."""

    name: str
    """Name of the tournament on the server."""
    title: str
    """Name in the tournament file."""
    state: str
    """One of `sengoku.engine.run_status.STATES`."""
    client: str
    """The client that started it."""
    request_id: str
    format: str
    digest: str
    """SHA-256 of the contents of its file, the same as in process."""
    bots: tuple[Entrant, ...]
    boards: tuple[Board, ...] = field(hash=False)
    seeds: tuple[int | None, ...]
    """Seed of each board; None while it is secret."""
    round: int
    """The current round, from 1."""
    matches_done: int
    matches_due: int
    """Matches of all rounds up to this one, if no meeting ends early."""
    matches_per_second: float
    create_time: datetime | None
    end_time: datetime | None
    queue_position: int
    """Number of tournaments ahead of it in the queue."""
    obstacle: str
    """Why it is stalled."""
    standings: Table | None = field(default=None, repr=False, compare=False)
    """Current standings, if the server sent them; `watch` includes them."""
    error: SengokuError | None = field(default=None, compare=False)
    """Why it failed, or that it was cancelled."""

    @property
    def over(self) -> bool:
        """Whether the tournament has ended; a failed or cancelled one can be resumed."""
        return self.state in _OVER

    def check(self) -> "TournamentStatus":
        """Return the status of a tournament that succeeded, or raise the error that ended it."""
        if self.error is not None:
            raise self.error
        if self.state != "succeeded":
            details = {"name": self.name, "state": self.state}
            raise TournamentNotOverError(f"{self.name} is {self.state}: wait until it has succeeded", details)
        return self

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name in ("create_time", "end_time"):
            plain[name] = plain[name] and plain[name].isoformat()
        plain["bots"] = [bot.as_dict() for bot in self.bots]
        boards = zip(self.boards, plain.pop("seeds"), strict=True)
        plain["boards"] = [{**asdict(board), "seed": seed} for board, seed in boards]
        plain["standings"] = self.standings and self.standings.as_dicts()
        plain["error"] = self.error and {"reason": self.error.reason, "message": str(self.error)}
        return plain
