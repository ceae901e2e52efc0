"""A tournament as it is written down: what was to be played, the seeds, and what came of every match."""

import hashlib
import json
import secrets
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sengoku import _core
from sengoku.engine import Match, find_game
from sengoku.errors import ArgumentError, RulesChangedError, TournamentNotFoundError
from sengoku.host import MAX_DECISIONS, Seating, make_match
from sengoku.service.store import State, Store
from sengoku.tournament.results import MatchResult
from sengoku.tournament.schedule import BlockKey, Results, Schedule
from sengoku.tournament.spec import Spec

__all__ = ["Record", "records"]

_FIELDS = "id, name, client, spec, seeds, created, ended, state, error"


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

    @classmethod
    def create(cls, store: Store, spec: Spec, *, name: str | None = None, client: str = "") -> "Record":
        """Writes down a new tournament; there can be only one of a name."""
        name = spec.name if name is None else name
        seed = secrets.randbits(64) if spec.seed is None else spec.seed
        seeds = json.dumps([_seed(seed, board.name) for board in spec.boards])
        values = (name, client, spec.to_json(), seeds, time.time_ns(), None, int(State.RUNNING), "")
        with store.write() as writer:
            if writer.execute("SELECT 1 FROM tournaments WHERE name = ?", (name,)).fetchone():
                details = {"field": "name", "value": name}
                raise ArgumentError(f"name is {name!r}: the store has a tournament of that name", details)
            writer.execute(
                "INSERT INTO tournaments (name, client, spec, seeds, created, ended, state, error) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
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

    def _matches(self) -> Iterator[tuple[BlockKey, MatchResult]]:
        schedule = Schedule(self.spec)
        with self.store.read() as reader:
            rows = reader.execute(
                "SELECT bots, board, number, arrangement, result FROM matches WHERE tournament = ? "
                "ORDER BY bots, board, number, arrangement",
                (self.id,),
            ).fetchall()
        for bots, board, number, arrangement, text in rows:
            key = tuple(json.loads(bots)), board, number
            seated = schedule.seatings(key)[arrangement]
            yield (
                key,
                MatchResult.from_json(text, board=board, number=number, arrangement=arrangement, bots=seated),
            )

    def matches(self) -> Iterator[tuple[str, MatchResult]]:
        """Gives every match with the name that `replay` knows it by."""
        for (bots, board, number), match in self._matches():
            yield f"{'-'.join(map(str, bots))}.{board}.{number}.{match.arrangement}", match

    def replay(self, match: str) -> Match:
        """Plays a match again: by its decisions, or by our bots, who decide as they did."""
        try:
            group, place, turn, seating_place = match.split(".")
            bots = tuple(int(bot) for bot in group.split("-"))
            board, number, arrangement = int(place), int(turn), int(seating_place)
            values = (self.id, _key(bots), board, number, arrangement)
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
        _core.play_bots([again], max_decisions=MAX_DECISIONS)
        return Match(again)

    def end(self, state: State, error: str = "") -> "Record":
        """Says that nothing more is to be played, or with RUNNING that it goes on."""
        ended = time.time_ns() if state.over else None
        with self.store.write() as writer:
            writer.execute(
                "UPDATE tournaments SET state = ?, ended = ?, error = ? WHERE id = ?",
                (int(state), ended, error, self.id),
            )
        return replace(self, state=state, ended=ended, error=error)

    def delete(self) -> None:
        """Removes the tournament and its matches."""
        with self.store.write() as writer:
            writer.execute("DELETE FROM matches WHERE tournament = ?", (self.id,))
            writer.execute("DELETE FROM tournaments WHERE id = ?", (self.id,))


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


def _key(bots: tuple[int, ...]) -> str:
    return json.dumps(list(bots), separators=(",", ":"))


def _packed(replay: str | None) -> bytes | None:
    return None if replay is None else zlib.compress(replay.encode())
