"""Tournaments on a fleet: matches between built-in bots are played by its workers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sengoku._core import Cancel
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.errors import ArgumentError
from sengoku.fleet.work import MatchWork
from sengoku.tournament.play import Bulk, play
from sengoku.tournament.record import Record

if TYPE_CHECKING:
    from sengoku.fleet.fleet import Fleet

__all__ = ["fleet_bulk", "play_tournament"]


def fleet_bulk(fleet: Fleet, **limits: int | None) -> Bulk:
    """Return the function that plays the bulk runs of a tournament on a fleet."""

    def bulk(requests: Sequence[RunRequest], cancel: Cancel, report: Callable[[], None]) -> list[MatchReport]:
        works = [MatchWork(request, **limits) for request in requests]
        return fleet.play(works, progress=lambda _done, _total: report(), cancel=cancel)

    return bulk


def play_tournament(fleet: Fleet, record: Record, *, cancel: Cancel, **options: Any) -> Record:
    """Play a tournament between built-in bots on a fleet, to its end."""
    for place, bot in enumerate(record.spec.bots):
        if bot.bot is None:
            field, source = f"bots[{place}].{bot.kind}", str(bot.as_dict()["source"])
            message = (
                f"{field} is {source!r}: a fleet plays tournaments between built-in bots, because others "
                "depend on the clock; play this tournament without --fleet"
            )
            raise ArgumentError(message, {"field": field, "value": source})
    return play(record, cancel=cancel, bulk=fleet_bulk(fleet), **options)
