"""A tournament as it is written down: what was to be played, the seeds, and what came of every match."""

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
from sengoku.tournament.results import MatchResult
from sengoku.tournament.schedule import BlockKey, Results, Schedule
from sengoku.tournament.spec import Spec

__all__ = ["Record", "find_wish", "page", "records", "retire"]

_FIELDS = "id, name, client, spec, seeds, created, ended, state, error"
Place = tuple[str, int, int, int]
"""Where a match is in the store: its bots, board, number and place in its block."""


@dataclass(frozen=True)
class Record:
    """A tournament in a store. Whatever is asked of it is read from the file, so it is as it stands there."""

    store: Store
    id: int
    name: str
    client: str
    spec: Spec
    seeds: tuple[int, ...]
    """The seed of each board, drawn in advance; no bot is told."""
    created: int
    """Nanoseconds since 1970."""
    ended: int | None
    state: State
    error: str
    hidden: bool = False
    """Whether reports leave the seeds out: somebody may still play who must not know them."""

    @classmethod
    def create(
        cls, store: Store, spec: Spec, *, name: str | None = None, client: str = "", request_id: str = ""
    ) -> "Record":
        """Writes down a new tournament; there can be only one of a name."""
        name = spec.name if name is None else name
        seed = secrets.randbits(64) if spec.seed is None else spec.seed
        seeds = json.dumps([_seed(seed, board.name) for board in spec.boards])
        values = (name, client, request_id, spec.to_json(), seeds, time.time_ns(), int(State.RUNNING))
        with store.write() as writer:
            if writer.execute("SELECT 1 FROM tournaments WHERE name = ?", (name,)).fetchone():
                details = {"field": "name", "value": name}
                raise ArgumentError(f"name is {name!r}: the store has a tournament of that name", details)
            writer.execute(
                "INSERT INTO tournaments (name, client, request_id, spec, seeds, created, state, error) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, '')",
                values,
            )
        return cls.open(store, name)

    @classmethod
    def open(cls, store: Store, name: str) -> "Record":
        """Finds a tournament."""
        with store.read() as reader:
            found = reader.execute(f"SELECT {_FIELDS} FROM tournaments WHERE name = ?", (name,)).fetchone()  # noqa: S608
        if found is None:
            raise TournamentNotFoundError(f"there is no tournament {name!r}", {"tournament": name})
        return _record(store, found)

    def check_rules(self) -> None:
        """Refuses to go on by other rules than those that the tournament began with."""
        for board in self.spec.boards:
            now = find_game(board.game).rules_version
            if now != board.rules_version:
                details = {
                    "game": board.game,
                    "rules_version": str(now),
                    "run_rules_version": str(board.rules_version),
                }
                message = (
                    f"the tournament began by version {board.rules_version} of the rules of {board.game}, "
                    f"this program plays by {now}"
                )
                raise RulesChangedError(message, details)

    def add(self, results: Iterable[tuple[tuple[int, ...], MatchResult, str | None]]) -> None:
        """Writes down matches, each with the bots that meet and, where some are not ours, its replay."""
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

    def played(self) -> dict[BlockKey, dict[int, MatchResult]]:
        """Gives all matches so far: those of each block, by their place in it."""
        blocks: dict[BlockKey, dict[int, MatchResult]] = {}
        for key, match in self._matches():
            blocks.setdefault(key, {})[match.arrangement] = match
        return blocks

    def results(self) -> Results:
        """Gives the matches of every block that has been played whole."""
        schedule = Schedule(self.spec)
        return {
            key: list(matches.values())
            for key, matches in self.played().items()
            if len(matches) == len(schedule.seatings(key))
        }

    def count(self) -> int:
        """Counts the matches so far."""
        with self.store.read() as reader:
            found = reader.execute("SELECT count(*) FROM matches WHERE tournament = ?", (self.id,))
            return int(found.fetchone()[0])

    def _matches(self, after: Place | None = None, most: int = -1) -> Iterator[tuple[BlockKey, MatchResult]]:
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
                MatchResult.from_json(text, board=board, number=number, arrangement=arrangement, bots=seated),
            )

    def matches(self, after: str | None = None, most: int = -1) -> Iterator[tuple[str, MatchResult]]:
        """Gives every match with the name that `replay` knows it by, or so many after that of a name."""
        place = None if after is None else _place(after)[1:]
        for (bots, board, number), match in self._matches(place, most):
            yield f"{'-'.join(map(str, bots))}.{board}.{number}.{match.arrangement}", match

    def replay(self, match: str, cancel: _core.Cancel | None = None) -> Match:
        """Plays a match again: by its decisions, or by our bots, who decide as they did."""
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
        """Says that nothing more is to be played, or with RUNNING that it goes on; gives how it stands then.

        A tournament that is over stays as it ended, and only one that did not come to its end goes on.
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
        """Writes down how far the tournament is, for who lists many; `wish` tells it."""
        with self.store.write(durable=False) as writer:
            writer.execute("UPDATE tournaments SET progress = ? WHERE id = ?", (progress, self.id))

    def wish(self) -> tuple[str, str]:
        """Gives the id of the wish that began it, and how far it was when that was last written down."""
        with self.store.read() as reader:
            found = reader.execute(
                "SELECT request_id, progress FROM tournaments WHERE id = ?", (self.id,)
            ).fetchone()
        return found or ("", "")

    def delete(self) -> None:
        """Removes the tournament and its matches."""
        with self.store.write() as writer:
            writer.execute("DELETE FROM matches WHERE tournament = ?", (self.id,))
            writer.execute("DELETE FROM tournaments WHERE id = ?", (self.id,))


def find_wish(store: Store, client: str, request_id: str) -> Record | None:
    """Finds the tournament of a wish."""
    with store.read() as reader:
        found = reader.execute(
            f"SELECT {_FIELDS} FROM tournaments WHERE client = ? AND request_id = ? AND request_id <> ''",  # noqa: S608
            (client, request_id),
        ).fetchone()
    return None if found is None else _record(store, found)


def retire(store: Store, *, keep: int) -> int:
    """Removes the oldest tournaments of clients of a server where more than `keep` are over.

    The client that has most loses its oldest, so that none can drive out what others keep.
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
    """Lists tournaments of clients of a server, newest first, older than that with the id `before`."""
    where, bound = ["client <> ''"], list[int | str]()
    wishes: dict[str, int | str | None] = {"id < ?": before, "client = ?": client, "state = ?": state}
    for text, value in wishes.items():
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
    """Lists the tournaments of a store, newest first."""
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
        spec=Spec.from_json(str(spec)),
        seeds=tuple(json.loads(str(seeds))),
        created=created,  # type: ignore[arg-type]
        ended=ended,  # type: ignore[arg-type]
        state=State(state),  # type: ignore[arg-type]
        error=str(error),
    )


def _seed(seed: int, board: str) -> int:
    """The seed of a board: nobody who knows some of its dice can tell those of another."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{board}".encode()).digest()[:8], "little")


def _place(name: str) -> tuple[tuple[int, ...], str, int, int, int]:
    """Reads the name of a match: its bots, also as the store writes them, board, number and place."""
    group, board, number, arrangement = name.split(".")
    bots = tuple(int(bot) for bot in group.split("-"))
    return bots, _key(bots), int(board), int(number), int(arrangement)


def _key(bots: tuple[int, ...]) -> str:
    return json.dumps(list(bots), separators=(",", ":"))


def _packed(replay: str | None) -> bytes | None:
    return None if replay is None else zlib.compress(replay.encode())
