"""A tournament of a server in memory, and its status."""

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from sengoku.server.jobs.status import Job, JobView
from sengoku.storage import State
from sengoku.tournament.play import Progress
from sengoku.tournament.record import Record

if TYPE_CHECKING:
    pass


_NOTHING = Progress(0, 0, 0, 0.0)
_PROGRESS = tuple(asdict(_NOTHING))


@dataclass(frozen=True, kw_only=True)
class TournamentView(JobView):
    """The status of a tournament at one moment."""

    row: Record
    request_id: str = ""
    progress: Progress = _NOTHING

    @classmethod
    def stored(cls, record: Record) -> "TournamentView":
        """Return the status of a tournament that is not in memory."""
        request_id, noted = record.request()
        progress = replace(_read_progress(noted), matches_per_second=0.0)
        return cls(row=record, request_id=request_id, progress=progress)

    @property
    def secret(self) -> bool:
        """Whether seeds are hidden: if players take part, until all matches are played.

        A tournament that was cancelled may be resumed, so its seeds stay hidden too.
        """
        players = any(bot.player is not None for bot in self.row.spec.bots)
        return players and self.row.state is not State.SUCCEEDED


class TournamentJob(Job):
    """A tournament in memory."""

    row: Record

    def __init__(self, record: Record, noted: tuple[str, str] | None = None) -> None:
        """`noted` is the request id and the note of the record; without it, they are read from the store."""
        super().__init__(record)
        self.request_id, noted_text = record.request() if noted is None else noted
        self.progress = _read_progress(noted_text)
        self.owners: dict[str, str] = json.loads(noted_text).get("owners", {}) if noted_text else {}
        """The client that each player belongs to, as far as it is known."""

    def note(self) -> None:
        """Store the progress, and to whom the players belong: they do so after a restart, too."""
        owners = {"owners": self.owners} if self.owners else {}
        self.row.note(json.dumps(asdict(self.progress) | owners))


def take_up(record: Record) -> TournamentJob:
    """Return the job of a stored tournament, or raise if its record is damaged."""
    record.check_readable()
    return TournamentJob(record)


def _read_progress(text: str) -> Progress:
    values = json.loads(text) if text else {}
    return Progress(**{name: values[name] for name in _PROGRESS}) if values else _NOTHING
