"""The stored record of a tournament: its specification, its seeds, and the result of every match."""

import hashlib
import json
import secrets
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sengoku import _core
from sengoku.bots.host import MAX_DECISIONS
from sengoku.bots.port import Seating, make_match
from sengoku.engine.games import find_game
from sengoku.engine.match import Match
from sengoku.errors import DataCorruptError, RulesChangedError, TournamentNotFoundError
from sengoku.storage import RESUMABLE, MatchRow, State, Store, TournamentRow
from sengoku.storage.tournaments import MatchKey
from sengoku.tournament.interrupt import look
from sengoku.tournament.results import TournamentMatch
from sengoku.tournament.schedule import Block, Results, Schedule
from sengoku.tournament.spec import TournamentSpec
from sengoku.tournament.standings import Tables

__all__ = ["Record", "find_request", "page", "records"]


@dataclass(frozen=True)
class Record:
    """A tournament in a store. Every method reads from the file, so results are current."""

    store: Store
    id: int
    name: str
    client: str
    spec: TournamentSpec
    seeds: tuple[int, ...]  # the seed of each board, drawn in advance and kept from the bots
    created: int  # nanoseconds since 1970
    ended: int | None
    state: State
    error: str
    hidden: bool = False
    """Whether reports leave the seeds out: somebody may still play who must not know them."""
    lost: DataCorruptError | None = None
    """Why the specification cannot be read; then there is only what else the store has of the tournament."""

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
        seed = secrets.randbits(64) if spec.seed is None else spec.seed
        seeds = json.dumps([_seed(seed, board.name) for board in spec.boards])
        row = TournamentRow(
            name=spec.name if name is None else name,
            client=client,
            request_id=request_id,
            created=time.time_ns(),
            spec=spec.to_json(),
            seeds=seeds,
        )
        return _record(store, store.tournaments.begin(row))

    @classmethod
    def open(cls, store: Store, name: str) -> "Record":
        """Open a tournament by name."""
        found = store.tournaments.get(name)
        if found is None:
            raise TournamentNotFoundError(f"there is no tournament {name!r}", {"tournament": name})
        return _record(store, found)

    def check_readable(self) -> None:
        """Raise an error if the specification cannot be read."""
        if self.lost is not None:
            raise self.lost

    def check_rules(self) -> None:
        """Raise an error if the rules have changed since the tournament started."""
        self.check_readable()
        for board in self.spec.boards:
            now, then = find_game(board.game).rules_version, board.rules_version
            if now != then:
                details = {"game": board.game, "rules_version": str(now), "run_rules_version": str(then)}
                message = f"the tournament started with rules version {then} of {board.game}, "
                raise RulesChangedError(f"{message}but this program has version {now}", details)

    def add(
        self, results: Iterable[tuple[tuple[int, ...], TournamentMatch, str | None]], notes: str | None = None
    ) -> None:
        """Store matches, each with the bots that meet and, where custom bots play, its replay.

        `notes` are those of the players, if it is a single match.
        """
        self.store.tournaments.add_matches(
            self.id,
            [
                MatchRow(
                    (_key(bots), match.board, match.number, match.arrangement),
                    match.to_json(),
                    None if replay is None else _pack(replay, notes),
                )
                for bots, match, replay in results
            ],
        )

    def played(self) -> dict[Block, dict[int, TournamentMatch]]:
        """Return all matches so far by block, and in it by index."""
        self.check_readable()
        blocks: dict[Block, dict[int, TournamentMatch]] = {}
        for key, match in self._matches():
            look()
            blocks.setdefault(key, {})[match.arrangement] = match
        return blocks

    def results(self) -> Results:
        """Return the matches of every complete block."""
        return self._blocks()[0]

    def tables(self) -> Tables:
        """Return the tables of all matches so far."""
        return Tables(self.spec, *self._blocks())

    def _blocks(self) -> tuple[Results, Results]:
        """Return the matches of every complete block, and those of the others."""
        schedule = Schedule(self.spec)
        complete: dict[Block, list[TournamentMatch]] = {}
        unfinished: dict[Block, list[TournamentMatch]] = {}
        for key, matches in self.played().items():
            whole = len(matches) == len(schedule.seatings(key))
            (complete if whole else unfinished)[key] = [matches[place] for place in sorted(matches)]
        return complete, unfinished

    def count(self) -> int:
        """Return the number of matches so far."""
        return self.store.tournaments.match_count(self.id)

    def _matches(
        self, after: MatchKey | None = None, most: int = -1
    ) -> Iterator[tuple[Block, TournamentMatch]]:
        schedule = Schedule(self.spec)
        for row in self.store.tournaments.matches(self.id, after, most):
            bots, board, number, arrangement = row.key
            block = Block(tuple(json.loads(bots)), board, number)
            place = {"board": board, "number": number, "arrangement": arrangement}
            seated = schedule.seatings(block)[arrangement]
            yield block, TournamentMatch.from_json(row.result, **place, bots=seated)

    def matches(self, after: str | None = None, most: int = -1) -> Iterator[tuple[str, TournamentMatch]]:
        """Iterate over matches and their names for `replay`: at most `most`, after the match `after`."""
        self.check_readable()
        place = None if after is None else _place(after)[1:]
        for (bots, board, number), match in self._matches(place, most):
            yield f"{'-'.join(map(str, bots))}.{board}.{number}.{match.arrangement}", match

    def notes(self, match: str) -> list[dict[str, Any]]:
        """Return the notes of the players of a match, such as prompts and answers, in order."""
        _, found = self._find(match)
        notes = "" if found.replay is None else _unpack(found.replay)[1]
        return [json.loads(line) for line in notes.splitlines()]

    def _find(self, match: str) -> tuple[tuple[tuple[int, ...], int, int, int], MatchRow]:
        """Return the bots, board, number and index of a match by its name, and what is stored of it."""
        self.check_readable()
        try:
            bots, key, board, number, arrangement = _place(match)
            found = self.store.tournaments.match(self.id, (key, board, number, arrangement))
        except (ValueError, OverflowError):
            found = None
        if found is None:
            details = {"tournament": self.name, "match": match[:60]}
            raise TournamentNotFoundError(f"{self.name} has no match {match[:60]!r}", details)
        return (bots, board, number, arrangement), found

    def replay(self, match: str, cancel: _core.Cancel | None = None) -> Match:
        """Replay a match: from its stored decisions, or with built-in bots, which decide as they did."""
        (bots, board, number, arrangement), found = self._find(match)
        if found.replay is not None:
            return Match.from_replay(_unpack(found.replay)[0])
        played = self.spec.boards[board]
        seated = Schedule(self.spec).seatings(Block(bots, board, number))[arrangement]
        names = tuple(str(self.spec.bots[bot].bot) for bot in seated)
        setup, seed = json.dumps(played.setup), self.seeds[board]
        again = make_match(
            Seating(played.game, played.seats, setup, seed, number, names), dict(enumerate(names))
        )
        _core.play_bots([again], max_decisions=MAX_DECISIONS, cancel=cancel)
        return Match(again)

    def end(self, state: State, error: str = "") -> "Record":
        """Store that the tournament has ended, or with RUNNING that it resumes; return the new record.

        A tournament that succeeded stays so; only one that failed or was cancelled can resume.
        """
        ended = time.time_ns() if state.over else None
        before = (State.RUNNING,) if state.over else RESUMABLE
        changed = self.store.tournaments.set_state(self.id, state, ended, error, before=before)
        if not changed:
            return Record.open(self.store, self.name)
        return replace(self, state=state, ended=ended, error=error)

    def note(self, progress: str) -> None:
        """Store a progress text for listings; `request` returns it."""
        self.store.tournaments.set_progress(self.id, progress)

    def isolation(self) -> dict[str, list[str]]:
        """Return where each bot of this machine was played, by name: everything that was ever so."""
        if not any(bot.local for bot in self.spec.bots):
            return {}
        _, noted = self.request()
        found: dict[str, list[str]] = json.loads(noted).get("isolation", {}) if noted else {}
        return found

    def note_isolation(self, bot: str, text: str) -> None:
        """Store where a bot is played from now on."""
        found = self.isolation()
        if text not in found.get(bot, []):
            self.note(json.dumps({"isolation": found | {bot: [*found.get(bot, []), text]}}))

    def request(self) -> tuple[str, str]:
        """Return the request id that created the tournament, and the last stored progress."""
        return self.store.tournaments.request_and_progress(self.id)

    def delete(self) -> None:
        """Delete the tournament and its matches."""
        self.store.tournaments.delete(self.id)


def find_request(store: Store, client: str, request_id: str) -> Record | None:
    """Return the tournament that a client created with a request id, if there is one."""
    found = store.tournaments.find(client, request_id)
    return None if found is None else _record(store, found)


def page(store: Store, *, before: int | None = None, most: int = -1, **where: Any) -> list[Record]:
    """List tournaments of server clients, newest first; `before` is an id, `where` a `client` or `state`."""
    return [_record(store, row) for row in store.tournaments.page(before=before, most=most, **where)]


def records(store: Store) -> list[Record]:
    """List the tournaments of a store, newest first."""
    return [_record(store, row) for row in store.tournaments.all()]


def _record(store: Store, row: TournamentRow) -> Record:
    values: dict[str, Any] = vars(row)
    try:
        lost, spec = row.damage, _LOST if row.damage else TournamentSpec.from_json(row.spec)
        seeds = tuple(json.loads(row.seeds))
    except Exception as error:  # noqa: BLE001 - written by another version, or by another program
        details = {"store": store.label, "table": "tournaments", "id": str(row.id), "name": row.name}
        why = f"{type(error).__name__}: {error}"
        message = f"the specification of {row.name} in the store {store.label} cannot be read: {why}"
        lost, spec, seeds = DataCorruptError(message, details), _LOST, ()
    if lost is not None:
        spec = replace(spec, name=row.name)
    values = values | {"spec": spec, "seeds": seeds, "lost": lost}
    return Record(
        store=store, **{name: values[name] for name in Record.__dataclass_fields__ if name in values}
    )


_LOST = TournamentSpec("", "", (), ())
"""The specification of a tournament whose own cannot be read."""


def _seed(seed: int, board: str) -> int:
    """Derive the seed of a board; knowing the dice of one board does not reveal those of another."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{board}".encode()).digest()[:8], "little")


def _pack(replay: str, notes: str | None) -> bytes:
    """Return a replay and the notes about it, as one or two streams."""
    packed = zlib.compress(replay.encode())
    return packed if notes is None else packed + zlib.compress(notes.encode())


def _unpack(data: bytes) -> tuple[str, str]:
    """Read what `_pack` wrote."""
    unpacker = zlib.decompressobj()
    replay = unpacker.decompress(data).decode()
    return replay, zlib.decompress(unpacker.unused_data).decode() if unpacker.unused_data else ""


_LONGEST_NAME = 100


def _place(name: str) -> tuple[tuple[int, ...], str, int, int, int]:
    """Parse the name of a match: its bots, also in the form of the store, board, number and index."""
    if not name.isascii() or len(name) > _LONGEST_NAME:
        raise ValueError("no name of a match")
    group, board, number, arrangement = name.split(".")
    bots = tuple(int(bot) for bot in group.split("-"))
    return bots, _key(bots), int(board), int(number), int(arrangement)


def _key(bots: tuple[int, ...]) -> str:
    return json.dumps(list(bots), separators=(",", ":"))
