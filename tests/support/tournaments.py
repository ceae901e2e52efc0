"""Tournaments on servers, for tests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sengoku import Client, RemoteTournament
from sengoku.server import Limits, Server
from sengoku.storage import Store
from sengoku.tournament import FORMATS, MatchResult, Record, Table, Tables, parse_spec, play
from support.process import soon as _soon

TEXT = """
name = "small"
seed = 5
blocks = 6
bots = [{name = "greedy"}, {name = "random"}, {name = "other", bot = "random"}]
games = [{game = "battles", scenarios = [1, 8]}, {game = "tower", seats = 3, blocks = 3}]
"""


LONG = """
name = "long"
seed = 5
blocks = 40_000
bots = [{name = "greedy"}, {name = "random"}]
games = [{game = "battles", scenarios = [1]}]
"""


MIDDLE = LONG.replace("40_000", "300")
"""A second or two, in several pieces."""


PLAYERS = """
name = "players"
seed = 5
blocks = 3
bots = [{name = "far", player = "first"}, {name = "random"}]
games = [{game = "swords", seats = 2, setup = {max_rounds = 1}}]
clock = {decision = 5, bank = 20}
"""


class Whole:
    """A tournament played in process, to compare with."""

    def __init__(self, text: str, **options: Any) -> None:
        with Store() as store:
            record = play(Record.create(store, parse_spec(text)), **options)
            tables = Tables(record.spec, record.results())
            self.texts = {form: write(record, tables) for form, write in FORMATS.items()}
            self.tables: list[Table] = tables.all()
            self.matches: list[tuple[str, MatchResult]] = list(record.matches())
            self.replays = [record.replay(name).replay() for name, _ in self.matches[::20]]

    def check(self, tournament: RemoteTournament) -> None:
        """Compares every byte."""
        assert tournament.standings() == self.tables
        assert tournament.matches() == self.matches
        assert {form: tournament.table(form) for form in FORMATS} == self.texts
        for (name, match), text in zip(self.matches[::20], self.replays, strict=True):
            again = tournament.replay(name)
            assert (again.replay(), again.digest) == (text, match.digest)


@contextmanager
def served(store: str | Path = ":memory:", **limits: int) -> Iterator[tuple[Server, Client]]:
    with Server(port=0, store=store, limits=Limits(**limits)) as server:
        with Client(server.address, timeout=60, retries=0) as client:
            yield server, client
        server.stop(0).wait()


def soon(condition: Callable[[], bool], seconds: float = 30) -> bool:
    return _soon(condition, seconds, 0.01)


def more_than(tournament: RemoteTournament, done: int) -> int:
    """Waits until more matches are played, or all of them; returns their number."""
    assert soon(lambda: tournament.metadata().matches_done > done or tournament.status.over)
    return tournament.status.matches_done
