"""A store with something of everything, ways to damage it, and a comparison with what it had."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sengoku.errors import SengokuError
from sengoku.storage import Chunk, MatchRow, State, Store, TournamentRow
from support.stores import begin

CHUNKS = 4
ROWS = 700
MATCHES = [
    MatchRow((f"[0,{bot}]", 0, number, 0), f'"result {bot} {number}"')
    for bot in (1, 2)
    for number in range(9)
]


def fill(file: Path) -> None:
    """Store runs in several states and two tournaments."""
    draw = random.Random(3)
    with Store(file) as store:
        for number in range(5):
            row = begin(store, f"operations/{number}", client=f"client {number % 2}", count=10 * CHUNKS)
            for chunk in range(CHUNKS):
                rows = draw.randbytes(ROWS * (1 + number % 3))
                ended = 77 if number < 3 and chunk == CHUNKS - 1 else None
                assert store.runs.add(
                    row.id, Chunk(10 * chunk, 10, b"part %d" % chunk, rows), b"sum %d" % chunk, ended=ended
                )
        store.runs.set_state(
            row.id, State.CANCELLED, 78, '{"reason": "CANCELLED", "message": "", "details": {}}'
        )
        for number in range(2):
            name = f"tournaments/{number}"
            entry = store.tournaments.begin(
                TournamentRow(name=name, client="client 0", created=5, spec=f"spec {number}", seeds="[1]")
            )
            store.tournaments.add_matches(entry.id, MATCHES[:9])
            store.tournaments.add_matches(entry.id, [*MATCHES[9:-1], MatchRow(*vars(MATCHES[-1]).values())])
            store.tournaments.set_progress(entry.id, "half")
        store.clock.note()


def contents(store: Store) -> Iterator[tuple[str, object]]:
    """Yield everything that a store serves, each with its name; errors are values, too."""
    for number in range(5):
        name = f"operations/{number}"
        row = attempt(lambda name=name: store.runs.get(name))
        yield name, row
        for place in range(0, 10 * CHUNKS, 10):
            yield (
                f"{name} rows {place}",
                attempt(lambda at=place, run=number + 1: store.runs.chunk_at(run, at)),
            )
        yield f"{name} sums", attempt(lambda run=number + 1: store.runs.sums(run, 0, 10 * CHUNKS))
    yield "unfinished", attempt(lambda: [row.name for row in store.runs.unfinished()])
    yield "page", attempt(lambda: [row.name for row in store.runs.page(most=9)])
    for number in range(2):
        name = f"tournaments/{number}"
        yield name, attempt(lambda name=name: store.tournaments.get(name))
        yield f"{name} matches", attempt(lambda at=number + 1: store.tournaments.matches(at))
        for match in MATCHES[::5]:
            yield (
                f"{name} {match.key}",
                attempt(lambda at=number + 1, key=match.key: store.tournaments.match(at, key)),
            )


def attempt(read: object) -> object:
    """Return a value, or the error instead of it."""
    try:
        return read()  # type: ignore[operator]
    except SengokuError as error:
        return error


def is_damage(value: object) -> bool:
    """Return whether a value says that it is damaged."""
    if isinstance(value, SengokuError):
        return True
    return "DATA_CORRUPT" in str(getattr(value, "error", ""))


def flip(file: Path, draw: random.Random, bits: int) -> list[int]:
    """Flip some bits of a file; return where."""
    data = bytearray(file.read_bytes())
    places = [draw.randrange(8 * len(data)) for _ in range(bits)]
    for place in places:
        data[place // 8] ^= 1 << place % 8
    file.write_bytes(data)
    return places


def copy(source: Path, target: Path) -> Path:
    """Copy a store that is not in use."""
    for old in target.parent.glob(f"{target.name}*"):
        old.unlink()
    shutil.copyfile(source, target)
    return target


def change(file: Path, statement: str, *values: object) -> None:
    """Change a store behind its back."""
    with sqlite3.connect(file) as connection:
        assert connection.execute(statement, values).rowcount > 0
    connection.close()


def restore(dump: Path, file: Path) -> None:
    """Make a store from a dump."""
    connection = sqlite3.connect(file)
    connection.executescript(dump.read_text("utf-8"))
    connection.close()
