"""The stored record of a tournament: its specification, its seeds, and the result of every match."""

import hashlib
import json
import secrets
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sengoku import _core
from sengoku.bots.host import MAX_DECISIONS
from sengoku.bots.port import Seating, make_match
from sengoku.engine.games import find_game
from sengoku.engine.match import Match
from sengoku.errors import ArgumentError, RulesChangedError, TournamentNotFoundError
from sengoku.storage.store import State, Store
from sengoku.tournament.results import TournamentMatch
from sengoku.tournament.schedule import BlockKey, Results, Schedule
from sengoku.tournament.spec import TournamentSpec

__all__ = ["Record", "find_request", "page", "records", "retire"]

_FIELDS = "id, name, client, spec, seeds, created, ended, state, error"
Place = tuple[str, int, int, int]
"""Key of a match in the store: its bots, board, number and index in its block."""


@dataclass(frozen=True)
class Record:
    """A tournament in a store. Every method reads from the file, so results are current."""

    store: Store
    id: int
    name: str
    client: str
    spec: TournamentSpec
    seeds: tuple[int, ...]
    """The seed of each board, drawn in advance and not known to any bot."""
    created: int
    """Nanoseconds since 1970."""
    ended: int | None
    state: State
    error: str
    hidden: bool = False
    """Whether reports leave out the seeds, because a player that must not know them may still play."""

    @classmethod
    def create(
        cls,
        store: Store,
        spec: TournamentSpec,
        *,
        name: str | None = None,
        client: str = "",
        request_id: str = "",
    ) -> "Record":
        """Store a new tournament; names are unique."""
        name = spec.name if name is None else name
        seed = secrets.randbits(64) if spec.seed is None else spec.seed
        seeds = json.dumps([_seed(seed, board.name) for board in spec.boards])
        values = (name, client, request_id, spec.to_json(), seeds, time.time_ns(), int(State.RUNNING))
        with store.write() as writer:
            if writer.execute("SELECT 1 FROM tournaments WHERE name = ?", (name,)).fetchone():
                details = {"field": "name", "value": name}
                message = f"name is {name!r}: the store already has a tournament of this name"
                raise ArgumentError(message, details)
            writer.execute(
                "INSERT INTO tournaments (name, client, request_id, spec, seeds, created, state, error) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, '')",
                values,
            )
        return cls.open(store, name)

    @classmethod
    def open(cls, store: Store, name: str) -> "Record":
        """Open a tournament by name."""
        with store.read() as reader:
            found = reader.execute(f"SELECT {_FIELDS} FROM tournaments WHERE name = ?", (name,)).fetchone()  # noqa: S608
        if found is None:
            raise TournamentNotFoundError(f"there is no tournament {name!r}", {"tournament": name})
        return _record(store, found)

    def check_rules(self) -> None:
        """Raise an error if the rules have changed since the tournament started."""
        for board in self.spec.boards:
            now = find_game(board.game).rules_version
            if now != board.rules_version:
                details = {
                    "game": board.game,
                    "rules_version": str(now),
                    "run_rules_version": str(board.rules_version),
                }
                message = (
                    f"the tournament started with rules version {board.rules_version} of {board.game}, "
                    f"but this program has version {now}"
                )
                raise RulesChangedError(message, details)

    def add(self, results: Iterable[tuple[tuple[int, ...], TournamentMatch, str | None]]) -> None:
        """Store matches, each with the bots that meet and, where custom bots play, its replay."""
        rows = [
            (
                self.id,
                _key(bots),
                match.board,
                match.number,
                match.arrangement,
                match.to_json(),
                _packed(replay),
            )
            for bots, match, replay in results
        ]
        with self.store.write(durable=False) as writer:
            writer.executemany("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def played(self) -> dict[BlockKey, dict[int, TournamentMatch]]:
        """Return all matches so far by block, and in it by index."""
        blocks: dict[BlockKey, dict[int, TournamentMatch]] = {}
        for key, match in self._matches():
            blocks.setdefault(key, {})[match.arrangement] = match
        return blocks

    def results(self) -> Results:
        """Return the matches of every complete block."""
        schedule = Schedule(self.spec)
        return {
            key: list(matches.values())
            for key, matches in self.played().items()
            if len(matches) == len(schedule.seatings(key))
        }

    def count(self) -> int:
        """Return the number of matches so far."""
        with self.store.read() as reader:
            found = reader.execute("SELECT count(*) FROM matches WHERE tournament = ?", (self.id,))
            return int(found.fetchone()[0])

    def _matches(
        self, after: Place | None = None, most: int = -1
    ) -> Iterator[tuple[BlockKey, TournamentMatch]]:
        schedule = Schedule(self.spec)
        with self.store.read() as reader:
            rows = reader.execute(
                "SELECT bots, board, number, arrangement, result FROM matches WHERE tournament = ? "
                "AND (bots, board, number, arrangement) > (?, ?, ?, ?) "
                "ORDER BY bots, board, number, arrangement LIMIT ?",
                (self.id, *(after or ("", 0, 0, 0)), most),
            ).fetchall()
        for bots, board, number, arrangement, text in rows:
            key = tuple(json.loads(bots)), board, number
            seated = schedule.seatings(key)[arrangement]
            yield (
                key,
                TournamentMatch.from_json(
                    text, board=board, number=number, arrangement=arrangement, bots=seated
                ),
            )

    def matches(self, after: str | None = None, most: int = -1) -> Iterator[tuple[str, TournamentMatch]]:
        """Iterate over matches and their names for `replay`: at most `most`, after the match `after`."""
        place = None if after is None else _place(after)[1:]
        for (bots, board, number), match in self._matches(place, most):
            yield f"{'-'.join(map(str, bots))}.{board}.{number}.{match.arrangement}", match

    def replay(self, match: str, cancel: _core.Cancel | None = None) -> Match:
        """Replay a match: from its stored decisions, or with built-in bots, which decide as they did."""
        try:
            bots, key, board, number, arrangement = _place(match)
            values = (self.id, key, board, number, arrangement)
            with self.store.read() as reader:
                found = reader.execute(
                    "SELECT replay FROM matches WHERE tournament = ? AND bots = ? AND board = ? "
                    "AND number = ? AND arrangement = ?",
                    values,
                ).fetchone()
        except (ValueError, OverflowError):
            found = None
        if found is None:
            details = {"tournament": self.name, "match": match[:60]}
            raise TournamentNotFoundError(f"{self.name} has no match {match[:60]!r}", details)
        if found[0] is not None:
            return Match.from_replay(zlib.decompress(found[0]).decode())
        played = self.spec.boards[board]
        seated = Schedule(self.spec).seatings((bots, board, number))[arrangement]
        names = tuple(str(self.spec.bots[bot].bot) for bot in seated)
        setup, seed = json.dumps(played.setup), self.seeds[board]
        seating = Seating(played.game, played.seats, setup, seed, number, names)
        again = make_match(seating, dict(enumerate(names)))
        _core.play_bots([again], max_decisions=MAX_DECISIONS, cancel=cancel)
        return Match(again)

    def end(self, state: State, error: str = "") -> "Record":
        """Store that the tournament has ended, or with RUNNING that it resumes; return the new record.

        A tournament that succeeded stays so; only one that failed or was cancelled can resume.
        """
        ended = time.time_ns() if state.over else None
        before = (State.RUNNING,) * 2 if state.over else (State.FAILED, State.CANCELLED)
        with self.store.write() as writer:
            changed = writer.execute(
                "UPDATE tournaments SET state = ?, ended = ?, error = ? WHERE id = ? AND state IN (?, ?)",
                (int(state), ended, error, self.id, *map(int, before)),
            ).rowcount
        if not changed:
            return Record.open(self.store, self.name)
        return replace(self, state=state, ended=ended, error=error)

    def note(self, progress: str) -> None:
        """Store a progress text for listings; `request` returns it."""
        with self.store.write(durable=False) as writer:
            writer.execute("UPDATE tournaments SET progress = ? WHERE id = ?", (progress, self.id))

    def request(self) -> tuple[str, str]:
        """Return the request id that created the tournament, and the last stored progress."""
        with self.store.read() as reader:
            found = reader.execute(
                "SELECT request_id, progress FROM tournaments WHERE id = ?", (self.id,)
            ).fetchone()
        return found or ("", "")

    def delete(self) -> None:
        """Delete the tournament and its matches."""
        with self.store.write() as writer:
            writer.execute("DELETE FROM matches WHERE tournament = ?", (self.id,))
            writer.execute("DELETE FROM tournaments WHERE id = ?", (self.id,))


def find_request(store: Store, client: str, request_id: str) -> Record | None:
    """Return the tournament that a client created with a request id, if there is one."""
    with store.read() as reader:
        found = reader.execute(
            f"SELECT {_FIELDS} FROM tournaments WHERE client = ? AND request_id = ? AND request_id <> ''",  # noqa: S608
            (client, request_id),
        ).fetchone()
    return None if found is None else _record(store, found)


def retire(store: Store, *, keep: int) -> int:
    """Delete the oldest finished tournaments of server clients while there are more than `keep`.

    The client with the most loses its oldest first, so that no client can displace the others' tournaments.
    """
    over = f"client <> '' AND state BETWEEN {State.SUCCEEDED:d} AND {State.CANCELLED:d}"
    # ruff: disable[S608]
    with store.write() as writer:
        kept = writer.execute(f"SELECT count(*) FROM tournaments WHERE {over}").fetchone()[0]
        if kept <= keep:
            return 0
        gone = writer.execute(
            f"SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY client ORDER BY id DESC) AS nth "
            f"FROM tournaments WHERE {over}) ORDER BY nth DESC, id LIMIT ?",
            (kept - keep,),
        ).fetchall()
        writer.executemany("DELETE FROM matches WHERE tournament = ?", gone)
        writer.executemany("DELETE FROM tournaments WHERE id = ?", gone)
    # ruff: enable[S608]
    return len(gone)


def page(
    store: Store,
    *,
    before: int | None = None,
    most: int = -1,
    client: str | None = None,
    state: State | None = None,
) -> list[Record]:
    """List tournaments of server clients, newest first; with `before`, only those older than that id."""
    where, bound = ["client <> ''"], list[int | str]()
    filters: dict[str, int | str | None] = {"id < ?": before, "client = ?": client, "state = ?": state}
    for text, value in filters.items():
        if value is not None:
            where.append(text)
            bound.append(value)
    with store.read() as reader:
        found = reader.execute(
            f"SELECT {_FIELDS} FROM tournaments WHERE {' AND '.join(where)} ORDER BY id DESC LIMIT ?",  # noqa: S608
            (*bound, most),
        ).fetchall()
    return [_record(store, row) for row in found]


def records(store: Store) -> list[Record]:
    """List the tournaments of a store, newest first."""
    with store.read() as reader:
        found = reader.execute(f"SELECT {_FIELDS} FROM tournaments ORDER BY id DESC").fetchall()  # noqa: S608
    return [_record(store, row) for row in found]


def _record(store: Store, values: tuple[object, ...]) -> Record:
    number, name, client, spec, seeds, created, ended, state, error = values
    return Record(
        store=store,
        id=number,  # type: ignore[arg-type]
        name=str(name),
        client=str(client),
        spec=TournamentSpec.from_json(str(spec)),
        seeds=tuple(json.loads(str(seeds))),
        created=created,  # type: ignore[arg-type]
        ended=ended,  # type: ignore[arg-type]
        state=State(state),  # type: ignore[arg-type]
        error=str(error),
    )


def _seed(seed: int, board: str) -> int:
    """Derive the seed of a board; knowing the dice of one board does not reveal those of another."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{board}".encode()).digest()[:8], "little")


def _place(name: str) -> tuple[tuple[int, ...], str, int, int, int]:
    """Parse the name of a match: its bots, also in the form of the store, board, number and index."""
    group, board, number, arrangement = name.split(".")
    bots = tuple(int(bot) for bot in group.split("-"))
    return bots, _key(bots), int(board), int(number), int(arrangement)


def _key(bots: tuple[int, ...]) -> str:
    return json.dumps(list(bots), separators=(",", ":"))


def _packed(replay: str | None) -> bytes | None:
    return None if replay is None else zlib.compress(replay.encode())
