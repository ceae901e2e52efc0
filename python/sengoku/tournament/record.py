"""A tournament as it is written down: what was to be played, the seeds, and what came of every match."""

import hashlib
import json
import secrets
import time
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sengoku import _core
from sengoku.bots.host import MAX_DECISIONS, Seating, make_match
from sengoku.engine.games import find_game
from sengoku.engine.match import Match
from sengoku.errors import ArgumentError, RulesChangedError, TournamentNotFoundError
from sengoku.storage import MatchRow, NewTournament, State, Store, TournamentRow
from sengoku.storage.tournaments import MatchKey
from sengoku.tournament.results import MatchResult
from sengoku.tournament.schedule import BlockKey, Results, Schedule
from sengoku.tournament.spec import Spec

__all__ = ["Record", "find_wish", "page", "records"]


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
        new = NewTournament(name, client, request_id, spec.to_json(), seeds, time.time_ns())
        row = store.tournaments.begin(new)
        if row is None:
            details = {"field": "name", "value": name}
            raise ArgumentError(f"name is {name!r}: the store has a tournament of that name", details)
        return _record(store, row)

    @classmethod
    def open(cls, store: Store, name: str) -> "Record":
        """Finds a tournament."""
        found = store.tournaments.get(name)
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
            MatchRow(
                (_key(bots), match.board, match.number, match.arrangement), match.to_json(), _packed(replay)
            )
            for bots, match, replay in results
        ]
        self.store.tournaments.add_matches(self.id, rows)

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
        return self.store.tournaments.match_count(self.id)

    def _matches(
        self, after: MatchKey | None = None, most: int = -1
    ) -> Iterator[tuple[BlockKey, MatchResult]]:
        schedule = Schedule(self.spec)
        for row in self.store.tournaments.matches(self.id, after, most):
            bots, board, number, arrangement = row.key
            key = tuple(json.loads(bots)), board, number
            seated = schedule.seatings(key)[arrangement]
            yield (
                key,
                MatchResult.from_json(
                    row.result, board=board, number=number, arrangement=arrangement, bots=seated
                ),
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
            found = self.store.tournaments.match(self.id, (key, board, number, arrangement))
        except (ValueError, OverflowError):
            found = None
        if found is None:
            details = {"tournament": self.name, "match": match[:60]}
            raise TournamentNotFoundError(f"{self.name} has no match {match[:60]!r}", details)
        if found.replay is not None:
            return Match.from_replay(zlib.decompress(found.replay).decode())
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
        before = (State.RUNNING,) if state.over else (State.FAILED, State.CANCELLED)
        changed = self.store.tournaments.set_state(self.id, state, ended, error, before=before)
        if not changed:
            return Record.open(self.store, self.name)
        return replace(self, state=state, ended=ended, error=error)

    def note(self, progress: str) -> None:
        """Writes down how far the tournament is, for who lists many; `wish` tells it."""
        self.store.tournaments.set_progress(self.id, progress)

    def wish(self) -> tuple[str, str]:
        """Gives the id of the wish that began it, and how far it was when that was last written down."""
        return self.store.tournaments.request_and_progress(self.id)

    def delete(self) -> None:
        """Removes the tournament and its matches."""
        self.store.tournaments.delete(self.id)


def find_wish(store: Store, client: str, request_id: str) -> Record | None:
    """Finds the tournament of a wish."""
    found = store.tournaments.find(client, request_id)
    return None if found is None else _record(store, found)


def page(
    store: Store,
    *,
    before: int | None = None,
    most: int = -1,
    client: str | None = None,
    state: State | None = None,
) -> list[Record]:
    """Lists tournaments of clients of a server, newest first, older than that with the id `before`."""
    found = store.tournaments.page(before=before, most=most, client=client, state=state)
    return [_record(store, row) for row in found]


def records(store: Store) -> list[Record]:
    """Lists the tournaments of a store, newest first."""
    return [_record(store, row) for row in store.tournaments.all()]


def _record(store: Store, row: TournamentRow) -> Record:
    return Record(
        store=store,
        id=row.id,
        name=row.name,
        client=row.client,
        spec=Spec.from_json(row.spec),
        seeds=tuple(json.loads(row.seeds)),
        created=row.created,
        ended=row.ended,
        state=row.state,
        error=row.error,
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
