"""Damaged chunks of runs, played again: a chunk is a function of the request and its range."""

import logging
import threading
from collections.abc import Callable

from sengoku._core import Cancel
from sengoku.engine.games import find_game
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.errors import DataCorruptError, SengokuError
from sengoku.server.fair_queue import FairQueue
from sengoku.storage import STALLS, Chunk, RunRow, Store
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import add_summary, pack_rows, run_from_proto, summary_to_proto
from sengoku.wire.values import parse

__all__ = ["Healer", "make_chunk", "no_rows"]

_log = logging.getLogger(__name__)

_MOST_ROWS = 1 << 20
"""Rows that are played again at once: more than a chunk has, but several may be damaged side by side."""

Play = Callable[[RunRequest, Cancel], MatchReport]


def no_rows(run: RunRequest, rules_version: int) -> pb2.RunSummary:
    """Return the summary of no rows of a run."""
    game = find_game(run.game)
    return pb2.RunSummary(
        rules_version=rules_version,
        bots=run.bots_by_seat,
        reasons=game.reasons,
        wins=[0] * run.seat_count,
        reason_counts=[0] * len(game.reasons),
    )


def make_chunk(report: MatchReport, first: int) -> tuple[Chunk, pb2.RunSummary]:
    """Return rows as they are stored and served, and their summary."""
    part = summary_to_proto(report)
    return Chunk(first, len(report), part.SerializeToString(), pack_rows(report)), part


class Healer:
    """Plays damaged chunks again. What is stored is exactly what was lost, or nothing."""

    def __init__(self, store: Store, queue: FairQueue, play: Play) -> None:
        """`play` plays a part of a run."""
        self._store = store
        self._queue = queue
        self._play = play
        self._lock = threading.Lock()
        self.cancel = Cancel()
        """Raised when the server stops."""
        self.healed = 0
        """Number of chunks that were played again."""

    def heal(self, row: RunRow, damage: DataCorruptError) -> None:
        """Play the range again that is damaged; raise `damage` if that does not give what was lost."""
        if damage.details.get("table") != "chunks":
            raise damage
        first, count = int(damage.details["first"]), int(damage.details["count"])
        if count > _MOST_ROWS:
            raise damage
        with self._lock:
            if self._is_whole(row, first, count):
                return  # another reader was faster
            try:
                self._heal(row, first, count, damage)
            except STALLS:
                raise
            except SengokuError as error:
                if error is not damage:
                    _log.error(
                        "matches %d to %d of %s stay damaged: %s", first, first + count - 1, row.name, error
                    )
                raise damage from error

    def _is_whole(self, row: RunRow, first: int, count: int) -> bool:
        try:
            found = self._store.runs.chunk_at(row.id, first)
        except DataCorruptError:
            return False
        return found is not None and found.first + found.count >= first + count

    def _heal(self, row: RunRow, first: int, count: int, damage: DataCorruptError) -> None:
        run = run_from_proto(parse(pb2.RunMatchesRequest, row.request))
        if find_game(run.game).rules_version != row.rules_version:
            _log.error("%s was played under other rules, so it is not played again", row.name)
            raise damage
        with self._queue.thread_turn(row.client, self.cancel):
            chunk, part = make_chunk(self._play(run.part(first, count), self.cancel), first)
        signature = self._store.runs.chunks.signature(row.id, first)
        same = (
            signature.fits(row.id, chunk)
            if signature is not None and signature.count == count
            else self._total_fits(row, run, chunk, part)
        )
        if not same:
            _log.error(
                "matches %d to %d of %s are not what they were: nothing is stored",
                first,
                first + count - 1,
                row.name,
            )
            raise damage
        if self._store.runs.mend(row.id, chunk):
            self.healed += 1
            _log.warning(
                "matches %d to %d of %s were damaged (%s); they were played again, and are what they were",
                first, first + count - 1, row.name, damage.details["why"],
            )  # fmt: skip

    def _total_fits(self, row: RunRow, run: RunRequest, chunk: Chunk, part: pb2.RunSummary) -> bool:
        """Return whether the chunks add up to the totals of the run, as this chunk has no checksum."""
        now = self._store.runs.get(row.name)
        if now is None:
            return False
        total, place = no_rows(run, row.rules_version), 0
        while place < now.done:
            if place == chunk.first:
                total, place = add_summary(total, part), place + chunk.count
                continue
            end = chunk.first if place < chunk.first else now.done
            for first, count, data in self._store.runs.sums(row.id, place, end):
                if first != place:
                    return False
                total, place = add_summary(total, parse(pb2.RunSummary, data)), place + count
        return place == now.done and total == parse(pb2.RunSummary, now.summary)
