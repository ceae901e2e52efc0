"""Rows of runs as responses: packed, as an Arrow stream, as a Parquet file.

Chunks are cut by the clock and by restarts, so responses are cut anew, always at the same places: the bytes
of a run depend on its rows only.
"""

import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from sengoku.engine import report
from sengoku.engine.report import RESULTS, ROW_GROUP, MatchReport, arrow_table
from sengoku.errors import DataCorruptError, RunNotFoundError
from sengoku.server.jobs.healing import Healer
from sengoku.storage import Chunk
from sengoku.storage.runs import RunRow, RunTable
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.wire.simulation import report_to_proto, unpack_rows
from sengoku.wire.values import parse

__all__ = ["FORMATS", "Rows", "run_not_found"]

_PIECE = 1 << 20
"""Bytes of a file in one message: gRPC accepts four times as much everywhere."""

Part = dict[str, Any]
"""Columns of consecutive rows of one chunk, as arrays over the stored bytes."""


def run_not_found(name: str) -> RunNotFoundError:
    """Return the error for a run that does not exist or belongs to another client."""
    return RunNotFoundError(f"there is no run {name[:100]!a}", {"name": name[:100]})


class Rows:
    """The rows of a run from `first`, counted from its beginning, up to `end`; holds one batch at a time."""

    def __init__(self, runs: RunTable, row: RunRow, first: int, end: int, healer: Healer) -> None:
        self._runs = runs
        self._row = row
        self._first = first
        self._end = end
        self._healer = healer
        self._request = parse(pb2.RunMatchesRequest, row.request)
        self._head = parse(pb2.RunSummary, row.summary)

    def _chunk(self, place: int) -> Chunk:
        """Return the chunk at a place; one that is damaged is played again."""
        try:
            chunk = self._runs.chunk_at(self._row.id, place)
        except DataCorruptError as damage:
            self._healer.heal(self._row, damage)
            chunk = self._runs.chunk_at(self._row.id, place)
        if chunk is None:
            raise run_not_found(self._row.name)
        return chunk

    def _sums(self) -> list[tuple[int, int, bytes]]:
        """Return the sums of all chunks of the range; those that are damaged are played again."""
        seen: set[str] = set()
        while True:
            try:
                return self._runs.sums(self._row.id, self._first, self._end)
            except DataCorruptError as damage:
                place = damage.details.get("first", "")
                if place in seen or self._runs.get(self._row.name) is None:
                    raise
                seen.add(place)
                self._healer.heal(self._row, damage)

    def _parts(self) -> Iterator[tuple[int, int, list[Part]]]:
        """Yield place, length and parts of batches of a fixed length; only the last one may be shorter."""
        parts: list[Part] = []
        place, held = self._first, 0
        while place < self._end:
            chunk = self._chunk(place)
            columns = unpack_rows(chunk.rows, chunk.count, len(self._head.bots))
            stop = min(self._end - chunk.first, chunk.count)
            start = place - chunk.first
            while start < stop:
                taken = min(stop - start, ROW_GROUP - held)
                parts.append({name: column[start : start + taken] for name, column in columns.items()})
                start, place, held = start + taken, place + taken, held + taken
                if held == ROW_GROUP:
                    yield place - held, held, parts
                    parts, held = [], 0
        if held:
            yield place - held, held, parts

    def batches(self) -> Iterator[MatchReport]:
        """Yield the rows as reports of a fixed length; only the last one may be shorter."""
        for place, _, parts in self._parts():
            columns = {name: np.concatenate([part[name] for part in parts]) for name in RESULTS}
            yield self._report(columns, place)

    def _report(self, columns: dict[str, Any], place: int) -> MatchReport:
        start = np.uint64(self._request.first_match + place)
        return MatchReport(
            game=self._request.game,
            rules_version=self._row.rules_version,
            setup=json.loads(self._request.setup_json or "{}"),
            seed=self._request.seed,
            bots=tuple(self._head.bots),
            reasons=tuple(self._head.reasons),
            match_index=np.arange(len(columns["winner"]), dtype=np.uint64) + start,
            **columns,
        )

    def _empty(self) -> MatchReport:
        """Return a report without rows: types and names."""
        return self._report(unpack_rows(b"", 0, len(self._head.bots)), self._first)

    def _about(self) -> dict[str, Any]:
        """Return the metadata of the file; the summaries of chunks avoid reading most rows twice."""
        counts = np.zeros(len(self._head.reasons), np.int64)
        for first, count, data in self._sums():
            if self._first <= first and first + count <= self._end:
                counts += np.array(parse(pb2.RunSummary, data).reason_counts, np.int64)
                continue
            chunk = self._chunk(first)
            reason = unpack_rows(chunk.rows, count, len(self._head.bots))["reason"]
            wanted = reason[max(self._first - first, 0) : self._end - first]
            counts += np.bincount(wanted, minlength=len(counts))
        about = self._empty().about()
        about["match_count"] = self._end - self._first
        about["reasons"] = dict(zip(self._head.reasons, counts.tolist(), strict=True))
        return about

    def packed(self) -> Iterator[pb2.ReadRunResponse]:
        """Yield the rows as tensors, from the stored bytes; one message without rows if there are none."""
        empty = report_to_proto(self._empty())
        for place, count, parts in self._parts() if self._end > self._first else [(self._first, 0, [])]:
            rows = pb2.PackedRows(
                first_match=self._request.first_match + place, match_count=count, rows=empty
            )
            for name in RESULTS:
                tensor = getattr(rows.rows, name)
                tensor.shape[0] = count
                tensor.content = b"".join(part[name].data for part in parts)
            yield pb2.ReadRunResponse(packed=rows)

    def arrow(self) -> Iterator[pb2.ReadRunResponse]:
        """Yield the rows as a stream of Arrow IPC."""
        pa = report.arrow("Arrow streams")
        return self._file(pa.ipc.new_stream)

    def parquet(self) -> Iterator[pb2.ReadRunResponse]:
        """Yield the rows as a Parquet file, the same as `MatchReport.to_parquet` writes."""
        pa = report.arrow()
        return self._file(pa.parquet.ParquetWriter)

    def _file(self, open_writer: Callable[[Any, Any], Any]) -> Iterator[pb2.ReadRunResponse]:
        about = self._about()
        sink = _Sink()
        with open_writer(sink, arrow_table(self._empty().flat(), about).schema) as writer:
            for batch in self.batches():
                writer.write_table(arrow_table(batch.flat(), about))
                yield from sink.pieces(_PIECE)
        yield from sink.pieces(1)


class _Sink(io.RawIOBase):
    """A write-only file whose content is taken out in pieces."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._place = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._data += data
        self._place += len(data)
        return len(data)

    def tell(self) -> int:
        return self._place

    def pieces(self, least: int) -> Iterator[pb2.ReadRunResponse]:
        while len(self._data) >= least:
            data = bytes(self._data[:_PIECE])
            del self._data[:_PIECE]
            yield pb2.ReadRunResponse(data=data)


FORMATS: dict[int, Callable[[Rows], Iterator[pb2.ReadRunResponse]]] = {
    pb2.ROW_FORMAT_UNSPECIFIED: Rows.packed,
    pb2.ROW_FORMAT_PACKED: Rows.packed,
    pb2.ROW_FORMAT_ARROW: Rows.arrow,
    pb2.ROW_FORMAT_PARQUET: Rows.parquet,
}
