"""TournamentService: the tables of a process to the byte, whatever ends the server, for nobody else."""

import asyncio
import io
import json
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from sengoku import AsyncClient, Cancel, Client, Match, RemoteTournament
from sengoku.cli.main import main
from sengoku.errors import (
    ArgumentError,
    CancelledError,
    DeadlineError,
    LimitError,
    NameTakenError,
    RequestIdError,
    RulesChangedError,
    SengokuError,
    ShuttingDownError,
    StoreFullError,
    TournamentNotFoundError,
    TournamentNotOverError,
    UnavailableError,
)
from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.storage.store import Store
from sengoku.tournament import FORMATS, MatchResult, Record, Table, Tables, parse_spec, play
from sengoku.v1 import tournament_service_pb2 as pb2
from support.bots import First, Trouble, crash
from support.process import serving
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
    """What a tournament is in process."""

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


@pytest.fixture(scope="module")
def whole() -> Whole:
    return Whole(TEXT)


@pytest.fixture(scope="module")
def middle() -> Whole:
    return Whole(MIDDLE)


@contextmanager
def served(store: str | Path = ":memory:", **limits: int) -> Iterator[tuple[Server, Client]]:
    with Server(port=0, store=store, limits=Limits(**limits)) as server:
        with Client(server.address, timeout=60, retries=0) as client:
            yield server, client
        server.stop(0).wait()


def soon(condition: Callable[[], bool], seconds: float = 30) -> bool:
    return _soon(condition, seconds, 0.01)


def more_than(tournament: RemoteTournament, done: int) -> int:
    """Waits until more matches are played, or all are; gives how many."""
    assert soon(lambda: tournament.metadata().matches_done > done or tournament.status.over)
    return tournament.status.matches_done


def test_a_tournament_is_that_of_a_process(whole: Whole) -> None:
    with served() as (_, client):
        tournament = client.create_tournament(TEXT)
        told = list(tournament.watch())
        assert told[0].name.startswith("tournaments/")
        assert [status.over for status in told] == [False] * (len(told) - 1) + [True]
        assert told[-1].standings == whole.tables[0]
        assert (told[-1].state, told[-1].matches_done, told[-1].matches_due) == ("succeeded", 90, 90)
        assert tournament.wait(timeout=5) == tournament.metadata() == client.tournament(told[0].name).status
        assert told[-1].title == "small"
        assert told[-1].digest == parse_spec(TEXT).digest
        facts = json.loads(whole.texts["json"])
        assert list(told[-1].seeds) == [board["seed"] for board in facts["boards"]]
        assert [board.setup for board in told[-1].boards] == [board["setup"] for board in facts["boards"]]
        whole.check(tournament)
        assert [each.name for each in client.tournaments()] == [tournament.name]
        tournament.delete()
        assert client.tournaments() == []
        with pytest.raises(TournamentNotFoundError):
            tournament.metadata()


def test_the_same_for_a_program_with_a_loop(whole: Whole) -> None:
    async def ask(address: str) -> None:
        async with AsyncClient(address, timeout=60) as client:
            tournament = await client.create_tournament(TEXT)
            told = [status async for status in tournament.watch()]
            assert told[-1].over
            assert (await tournament.wait()).state == "succeeded"
            assert await tournament.standings() == whole.tables
            assert await tournament.matches() == whole.matches
            assert await tournament.table("csv") == whole.texts["csv"]
            assert (await tournament.replay(whole.matches[0][0])).replay() == whole.replays[0]
            assert (await tournament.cancel()).state == "succeeded"
            assert [each.name for each in await client.tournaments()] == [tournament.name]
            await tournament.delete()

    with served() as (server, _):
        asyncio.run(ask(server.address))


def test_pages(whole: Whole) -> None:
    with served() as (_, client):
        made = [client.create_tournament(TEXT) for _ in range(3)]
        for tournament in made:
            tournament.wait(timeout=60)
        found, token = [], ""
        while True:
            page = client.ask(pb2.ListTournamentsRequest(page_size=2, page_token=token))
            assert len(page.tournaments) <= 2
            found += [each.name for each in page.tournaments]
            if not (token := page.next_page_token):
                break
        assert found == [each.name for each in reversed(made)]
        name, names, tokens = made[0].name, [], [""]
        while tokens[-1] or not names:
            page = client.ask(pb2.ListTournamentMatchesRequest(name=name, page_size=7, page_token=tokens[-1]))
            names += [match.name for match in page.matches]
            tokens.append(page.next_page_token)
        assert names == [listed for listed, _ in whole.matches]
        last = page.matches[-1]
        assert (last.board, set(last.bots)) == ("battles/8", {"random", "other"})
        for request in (
            pb2.ListTournamentMatchesRequest(name=made[1].name, page_token=tokens[1]),  # of another list
            pb2.ListTournamentMatchesRequest(name=name, page_token="no token"),  # noqa: S106
            pb2.ListTournamentMatchesRequest(name=name, page_size=-1),
            pb2.ListTournamentsRequest(page_token=tokens[1]),
            pb2.ListTournamentsRequest(page_size=-1),
        ):
            with pytest.raises(ArgumentError, match="page_"):
                client.ask(request)


def test_a_wish_is_one_tournament(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(TEXT, "utf-8")
    with served() as (_, client):
        first = client.create_tournament(file, request_id="nightly")
        again = client.create_tournament(str(file), request_id="nightly")
        other = client.create_tournament(TEXT + "# a remark changes nothing\n", request_id="nightly")
        assert first.name == again.name == other.name
        assert first.status.request_id == "nightly"
        assert client.create_tournament(TEXT).name != first.name
        with pytest.raises(RequestIdError, match="began another tournament") as told:
            client.create_tournament(MIDDLE, request_id="nightly")
        assert told.value.details == {"request_id": "nightly", "name": first.name}
        with pytest.raises(ArgumentError, match="request_id has 129 characters"):
            client.create_tournament(TEXT, request_id="x" * 129)
        assert len(client.tournaments()) == 2


GAMES = 'games = [{game = "battles", scenarios = [1]}]\n'
BOTS = 'bots = [{name = "greedy"}, {name = "random"}]\n'
REFUSED = {
    "no TOML": ("= what", "spec", "not valid TOML"),
    "nothing": (" ", "bots", "a list of tables"),
    "code": (
        GAMES + 'bots = [{name = "a", python = "os:getcwd"}, {name = "random"}]',
        "bots[0].python",
        "no code",
    ),
    "file": (
        BOTS + 'games = [{game = "battles", setup = {scenario_file = "/etc/passwd"}}]',
        "games[0].setup.scenario_file",
        "no files are read here",
    ),
    "map": (
        BOTS + 'games = [{game = "swords", setup = {map_file = "/etc/passwd"}}]',
        "games[0].setup.map_file",
        "no files are read here",
    ),
    "board": (
        BOTS + 'games = [{game = "tower", seats = 3, setup = {board_file = "/etc/passwd"}}]',
        "games[0].setup.board_file",
        "no files are read here",
    ),
    "player": (
        GAMES + 'bots = [{name = "a", player = "no name"}, {name = "random"}]',
        "bots[0].player",
        "not 1 to 64",
    ),
    "option": (
        GAMES + 'bots = [{name = "a", bot = "mcts:nonsense=1"}, {name = "random"}]',
        "bots[0].bot",
        "nonsense",
    ),
    "endless": (BOTS + GAMES + 'format = "ladder"', "rounds", "a ladder has an end"),
    "unknown": (BOTS + GAMES + "what = 1", "what", "there is no field of that name"),
    "setup": (BOTS + 'games = [{game = "battles", setup = {scenario = 99}}]', "games[0].setup", "99"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_server_does_not_play(client: Client, name: str) -> None:
    text, field, said = REFUSED[name]
    before = len(client.tournaments())
    with pytest.raises(ArgumentError, match=said) as told:
        client.ask(pb2.CreateTournamentRequest(spec_toml=text))
    assert told.value.details["field"] == field
    assert len(client.tournaments()) == before
    assert "root:" not in str(told.value)


def test_clocks_are_bounded() -> None:
    with served(clock_seconds=20) as (_, client):
        with pytest.raises(LimitError, match="a decision may take 25 seconds, this server allows 20"):
            client.create_tournament(PLAYERS)
        client.create_tournament(TEXT + "clock = {decision = 100}").cancel()  # nobody has that clock


def test_errors(client: Client) -> None:
    tournament = client.create_tournament(LONG)
    try:
        with pytest.raises(TournamentNotOverError, match="cancel it first"):
            tournament.delete()
        with pytest.raises(ArgumentError, match=r"format is 'pdf', there is md, csv, json, html"):
            tournament.table("pdf")
        with pytest.raises(DeadlineError, match="is not over yet, it goes on"):
            tournament.wait(timeout=0.3)
        stop = Cancel()
        stop.cancel()
        with pytest.raises(CancelledError):
            tournament.wait(cancel=stop)
        for match in ("", "x", "0-1.0.0", "0-1.9.9.9", "0-1.0.99999999999999999999.0", "a-b.0.0.0"):
            with pytest.raises(TournamentNotFoundError, match="has no match"):
                tournament.replay(match)
    finally:
        tournament.cancel()
    for name in ("", "tournaments/", "what", "operations/x", "\0", "x" * 10_000):
        with pytest.raises(TournamentNotFoundError, match="there is no tournament"):
            client.tournament(name)
    with pytest.raises(SengokuError, match="No such file"):
        client.create_tournament("nowhere.toml")


def test_tables_before_anything_is_played() -> None:
    with served() as (_, client):
        tournament = client.create_tournament(PLAYERS)  # nobody comes
        assert [row[1] for row in tournament.standings()[0].rows] == ["far", "random"]
        assert tournament.matches() == []
        for form in FORMATS:
            assert "far" in tournament.table(form)
        assert next(iter(tournament.watch())).standings is None
        tournament.cancel()


def test_lists_with_long_files_have_short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sengoku.server.jobs.tournaments._PAGE_BYTES", 1_000)
    with served() as (_, client):
        made = [client.create_tournament(TEXT).name for _ in range(5)]
        assert len(client.ask(pb2.ListTournamentsRequest()).tournaments) < 5
        assert [each.name for each in client.tournaments()] == made[::-1]


def test_stopped_it_goes_on_where_it_was(middle: Whole) -> None:
    with served() as (_, client):
        tournament = client.create_tournament(MIDDLE)
        stops = 0
        for _ in range(5):
            more_than(tournament, tournament.metadata().matches_done)
            stopped = tournament.cancel()
            if stopped.state == "succeeded":
                break
            stops += 1
            assert stopped.state == "cancelled"
            assert stopped.end_time is not None
            assert tournament.cancel().state == "cancelled"  # one that is over does not mind
            with pytest.raises(CancelledError, match="the tournament was cancelled"):
                tournament.wait(timeout=30)
            assert client.tournaments()[0].status.state == "cancelled"
            assert tournament.resume().state in {"queued", "running"}
            assert tournament.resume().error is None
        tournament.wait(timeout=60)
        assert stops
        assert tournament.resume().state == "succeeded"
        middle.check(tournament)


def test_a_tournament_that_waits_is_stopped_at_once() -> None:
    with served(tournaments_at_once=1) as (_, client):
        first, second = client.create_tournament(LONG), client.create_tournament(LONG)
        assert second.cancel().state == "cancelled"
        second.delete()
        first.cancel()
        first.delete()
        assert client.tournaments() == []


def test_tournaments_take_turns_with_others() -> None:
    """While a long one is played, a short one of somebody else and a run come to their ends."""
    with served(heavy_calls=1) as (_, client):
        long = client.create_tournament(LONG)
        client.create_tournament(LONG.replace("40_000", "4")).wait(timeout=60)
        client.start_run("battles", bots=["random"], match_count=200).wait(timeout=60)
        assert not long.metadata().over
        long.cancel()


def test_a_server_that_is_started_anew_goes_on(tmp_path: Path, middle: Whole) -> None:
    store = tmp_path / "runs.sqlite3"
    name, done = "", 0
    for number in range(4):
        with Server(port=0, store=store) as server, Client(server.address, timeout=60) as client:
            tournament = client.tournament(name) if name else client.create_tournament(MIDDLE)
            name = tournament.name
            done = more_than(tournament, done)
            if number == 3:
                tournament.wait(timeout=60)
                middle.check(tournament)


def test_a_killed_server_goes_on(tmp_path: Path, middle: Whole) -> None:
    store, chance, name = tmp_path / "runs.sqlite3", random.Random(3), ""
    kept: list[int] = []
    while True:
        with serving(tmp_path, store=store) as server, Client(server.address, timeout=60) as client:
            # Whether the answer came or not, the wish is one tournament.
            tournament = client.create_tournament(MIDDLE, request_id="once")
            assert name in {"", tournament.name}
            name = tournament.name
            if len(kept) == 3:
                tournament.wait(timeout=60)
                middle.check(tournament)
                break
            kept.append(more_than(tournament, max(kept, default=0)))
            time.sleep(chance.uniform(0, 0.1))
            server.process.kill()
            server.process.wait()
    assert kept[0] > 0
    assert len(kept) == 3


def test_a_drained_server_tells_so_and_keeps_what_is_played(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    with serving(tmp_path, store=store) as server, Client(server.address, timeout=60, retries=0) as client:
        tournament = client.create_tournament(LONG)
        before = more_than(tournament, 0)
        with ThreadPoolExecutor(1) as threads:
            stream = client._door.iterate(_raw_watch(tournament.name))
            next(stream)
            waiting = threads.submit(list, stream)
            begun = time.monotonic()
            server.process.terminate()
            assert server.process.wait(30) == 0
            assert time.monotonic() - begun < 15
            with pytest.raises((ShuttingDownError, UnavailableError)):
                waiting.result(30)
        assert not server.faults()
    with Store(store, reading=True) as opened:
        kept = Record.open(opened, tournament.name).count()
        assert kept >= before
    with serving(tmp_path, store=store) as server, Client(server.address, timeout=60) as client:
        tournament = client.tournament(tournament.name)
        assert more_than(tournament, kept) > kept
        tournament.cancel()


def _raw_watch(name: str) -> Iterator[Any]:
    """Watches without patience for a server that is away."""
    from sengoku.client._flow import Ask, Give, Next  # noqa: PLC0415

    stream = yield Ask(pb2.WatchTournamentRequest(name=name), float("inf"))
    while (message := (yield Next(stream))) is not None:
        yield Give(message)


def test_who_watches_outlasts_the_server(tmp_path: Path, middle: Whole) -> None:
    store = tmp_path / "runs.sqlite3"
    first = Server(port=0, store=store)
    port = first.port
    with Client(first.address, timeout=60) as client:
        tournament = client.create_tournament(MIDDLE)
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(lambda: [status.state for status in tournament.watch()])
            assert soon(lambda: tournament.metadata().matches_done > 0)
            first.stop(1).wait()
            with Server(port=port, store=store):
                assert waiting.result(60)[-1] == "succeeded"
                middle.check(tournament)


def test_other_rules_are_refused(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    with served(store) as (_, client):
        tournament = client.create_tournament(LONG)
    with Store(store) as opened, opened.write() as writer:
        changed = writer.execute(
            "UPDATE tournaments SET spec = replace(spec, '\"rules_version\":1', '\"rules_version\":0')"
        )
        assert changed.rowcount == 1
    with served(store) as (_, client):
        again = client.tournament(tournament.name)
        with pytest.raises(RulesChangedError, match="started with rules version 0"):
            again.wait(timeout=30)
        assert again.metadata().state == "failed"
        with pytest.raises(RulesChangedError, match="started with rules version 0"):
            again.resume()
        again.delete()


def test_a_full_store_is_waited_for(monkeypatch: pytest.MonkeyPatch, whole: Whole) -> None:
    full = threading.Event()
    add = Record.add

    def refuse(self: Record, results: Any) -> None:
        if full.is_set():
            raise StoreFullError("the disk is full")
        add(self, results)

    monkeypatch.setattr(Record, "add", refuse)
    with served() as (_, client):
        full.set()
        tournament = client.create_tournament(TEXT)
        assert soon(lambda: tournament.metadata().state == "stalled")
        assert tournament.status.obstacle == "the disk is full"
        full.clear()
        tournament.wait(timeout=60)
        assert tournament.status.obstacle == ""
        whole.check(tournament)


def test_there_is_no_room() -> None:
    with (
        served(store_bytes=10_000) as (_, client),
        pytest.raises(StoreFullError, match="the tournament needs"),
    ):
        client.create_tournament(TEXT)


# Who sees what


def test_clients_see_their_own(tmp_path: Path) -> None:
    tokens, lines = {}, []
    for name, role in (("ann", "run"), ("bob", "run"), ("eve", "read"), ("root", "admin")):
        tokens[name], line = make_token(name, role)
        lines.append(line)
    file = tmp_path / "tokens.toml"
    file.write_text("".join(lines), "utf-8")
    file.chmod(0o600)
    with Server(port=0, access=Access(Tokens(file))) as server:
        ann, bob, eve, root = (
            Client(server.address, timeout=60, token=tokens[name]) for name in ("ann", "bob", "eve", "root")
        )
        mine = ann.create_tournament(TEXT, request_id="same")
        his = bob.create_tournament(TEXT, request_id="same")
        assert mine.name != his.name
        mine.wait(timeout=60)
        his.wait(timeout=60)
        for stranger in (bob, eve):
            assert mine.name not in [each.name for each in stranger.tournaments()]
            with pytest.raises(TournamentNotFoundError, match="there is no tournament"):
                stranger.tournament(mine.name)
            theirs = RemoteTournament(stranger, mine.status)
            for wish in (
                theirs.standings,
                theirs.matches,
                theirs.table,
                *((theirs.cancel, theirs.resume, theirs.delete) if stranger is bob else ()),
                lambda theirs=theirs: list(theirs.watch()),
            ):
                with pytest.raises(TournamentNotFoundError):
                    wish()
        with pytest.raises(TournamentNotFoundError):
            RemoteTournament(bob, mine.status).replay(mine.matches()[0][0])
        with pytest.raises(SengokuError, match="is for the role run"):
            eve.create_tournament(TEXT)
        assert {each.name for each in root.tournaments()} == {mine.name, his.name}
        assert root.tournament(mine.name).status.client == "ann"
        root.tournament(mine.name).delete()
        assert ann.tournaments() == []
        assert [each.name for each in bob.tournaments()] == [his.name]
        for client in (ann, bob, eve, root):
            client.close()


def test_tournaments_of_the_command_line_are_not_for_callers(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite3"
    with Store(store) as opened:
        Record.create(opened, parse_spec(LONG))
    with served(store) as (_, client):
        assert client.tournaments() == []
        with pytest.raises(TournamentNotFoundError):
            client.ask(pb2.GetTournamentRequest(name="long"))


# Players


@contextmanager
def playing(address: str, *bots: Any) -> Iterator[list[SengokuError]]:
    """Bots that connect as players."""
    stop, ended = Cancel(), []

    def run(bot: Any) -> None:
        with Client(address) as client:
            try:
                client.serve_bot(bot, stop=stop)
            except SengokuError as error:
                ended.append(error)

    threads = [threading.Thread(target=run, args=(bot,)) for bot in bots]
    for thread in threads:
        thread.start()
    try:
        yield ended
    finally:
        stop.cancel()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()


def in_process(text: str, bot: str) -> Whole:
    return Whole(text.replace('player = "first"', f'python = "{bot}"'))


def test_players_take_part() -> None:
    there = in_process(PLAYERS, "service.bots:First")
    with served() as (server, client), playing(server.address, First()):
        assert soon(lambda: len(client.players()) == 1)
        tournament = client.create_tournament(PLAYERS)
        tournament.wait(timeout=60)
        assert tournament.matches() == there.matches
        assert tournament.standings() == there.tables
        assert tournament.status.bots[0].player == "first"
        name, match = there.matches[0]
        again = tournament.replay(name)
        assert (again.replay(), again.digest) == (there.replays[0], match.digest)
        assert Match.from_replay(again.replay()).over


def test_a_player_that_comes_later_is_waited_for() -> None:
    there = in_process(PLAYERS, "service.bots:First")
    with served() as (server, client):
        tournament = client.create_tournament(PLAYERS)
        assert soon(lambda: tournament.metadata().state == "running")
        time.sleep(0.3)
        with playing(server.address, First()):
            tournament.wait(timeout=60)
        assert tournament.matches() == there.matches


class Seeing:
    """A bot that needs to see everything, also at its first decision."""

    name = "first"
    wants = ("observation", "view", "actions")

    def decide(self, decision: Any) -> int:
        """Decides by what it sees."""
        assert decision.observation is not None
        assert decision.view
        return int(decision.actions[0].index)


def test_who_comes_later_sees_all_it_wants() -> None:
    with served() as (server, client):
        tournament = client.create_tournament(PLAYERS)
        assert soon(lambda: tournament.metadata().state == "running")
        time.sleep(0.2)
        with playing(server.address, Seeing()):
            tournament.wait(timeout=60)
        assert not any(match.faults for _, match in tournament.matches())


def test_a_player_that_never_comes_forfeits() -> None:
    text = PLAYERS.replace("decision = 5, bank = 20", "decision = 0.2, bank = 0.3")
    with served() as (_, client):
        tournament = client.create_tournament(text)
        begun = time.monotonic()
        tournament.wait(timeout=60)
        assert time.monotonic() - begun < 20
        for _, match in tournament.matches():
            (fault,) = match.faults
            assert (match.bots[fault.seat], fault.reason) == (0, "disconnected")
            assert match.ranks[fault.seat] == 2
        assert tournament.standings()[-1].rows == (("far", "disconnected", 6),)


def test_a_player_that_goes_away_loses_its_own_matches_only() -> None:
    """Of two players one leaves in the midst of a match: those without it come out as they would have."""
    text = PLAYERS.replace("decision = 5, bank = 20", "decision = 1, bank = 0.5").replace(
        '{name = "random"}', '{name = "random"}, {name = "shaky", player = "shaky"}'
    )
    release = threading.Event()
    with served() as (server, client):
        stop, seen = Cancel(), [0]

        def leave(decision: Any) -> int:
            seen[0] += 1
            if seen[0] > 20:
                shaky.close()  # the connection breaks, and it does not come back
                release.set()
            return int(decision.legal[0])

        shaky = Client(server.address)
        bot = Trouble(leave, lambda _: True, "shaky")

        def run() -> None:
            with pytest.raises(SengokuError):
                shaky.serve_bot(bot, stop=stop)

        thread = threading.Thread(target=run)
        thread.start()
        with playing(server.address, First()):
            tournament = client.create_tournament(text)
            tournament.wait(timeout=90)
        thread.join(30)
        assert release.is_set()
        found = tournament.matches()
        faults = {(match.bots[fault.seat], fault.reason) for _, match in found for fault in match.faults}
        assert faults == {(2, "disconnected")}
        honest = dict(in_process(PLAYERS, "service.bots:First").matches)
        assert {name: match for name, match in found if 2 not in match.bots} == honest


def test_players_that_fail_are_counted() -> None:
    with served() as (server, client), playing(server.address, Trouble(crash, lambda _: True, "first")):
        tournament = client.create_tournament(PLAYERS)
        tournament.wait(timeout=60)
        assert tournament.standings()[-1].rows == (("far", "crashed", 6),)


def test_a_name_belongs_to_who_comes_first(tmp_path: Path) -> None:
    tokens, lines = [], []
    for name in ("ann", "bob"):
        token, line = make_token(name, "run")
        tokens.append(token)
        lines.append(line)
    file = tmp_path / "tokens.toml"
    file.write_text("".join(lines), "utf-8")
    file.chmod(0o600)
    with Server(port=0, access=Access(Tokens(file))) as server:
        with (
            Client(server.address, timeout=60, token=tokens[0]) as ann,
            Client(server.address, timeout=60, token=tokens[1]) as bob,
        ):
            tournament = ann.create_tournament(PLAYERS.replace("blocks = 3", "blocks = 40"))
            assert soon(lambda: tournament.metadata().state == "running")
            stop = Cancel()
            thread = threading.Thread(target=bob.serve_bot, args=(First(),), kwargs={"stop": stop})
            thread.start()
            assert soon(lambda: len(ann.players()) == 1)
            assert ann.players()[0]["client"] == "bob"
            with pytest.raises(NameTakenError):
                ann.serve_bot(First())
            tournament.cancel()
            stop.cancel()
            thread.join(30)
        server.stop(0).wait()


def test_seeds_are_secret_while_players_play() -> None:
    with served() as (server, client), playing(server.address, First()):
        tournament = client.create_tournament(PLAYERS.replace("blocks = 3", "blocks = 400"))
        assert soon(lambda: tournament.metadata().matches_done > 0)
        tournament.cancel()
        assert tournament.status.seeds == (None,)
        name, _ = tournament.matches()[0]
        with pytest.raises(TournamentNotOverError, match="a replay tells its seed"):
            tournament.replay(name)
        assert json.loads(tournament.table("json"))["boards"][0]["seed"] is None
        assert "seed hidden" in tournament.table("md")
        whole = client.create_tournament(PLAYERS)
        whole.wait(timeout=60)
        (seed,) = whole.metadata().seeds
        assert seed == json.loads(whole.table("json"))["boards"][0]["seed"]
        assert str(seed) not in "".join(tournament.table(form) for form in FORMATS)
        assert whole.replay(whole.matches()[0][0]).seed == seed


def test_a_server_that_stops_lets_players_go(tmp_path: Path) -> None:
    """Players hear a goodbye, and their tournament goes on with them on the next server."""
    text, store = PLAYERS.replace("blocks = 3", "blocks = 100"), tmp_path / "runs.sqlite3"
    with Server(port=0, store=store) as server, Client(server.address, timeout=60) as client:
        with playing(server.address, First()) as ended:
            tournament = client.create_tournament(text)
            assert soon(lambda: tournament.metadata().matches_done > 0)
            begun = time.monotonic()
            assert server.stop(20).wait(30)
            assert time.monotonic() - begun < 15
        assert ended == []  # it was sent away politely
    with served(store) as (server, client), playing(server.address, First()):
        again = client.tournament(tournament.name)
        again.wait(timeout=60)
        assert again.matches() == in_process(text, "service.bots:First").matches


# The command line


def run(*arguments: str, code: int = 0, server: Server) -> str:
    said, complained = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["sengoku", "tournament", *arguments, "--server", server.address]),
        mock.patch.dict(os.environ, {"COLUMNS": "200"}),
        redirect_stdout(said),
        redirect_stderr(complained),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    assert ended.value.code in {code, None if code == 0 else code}, complained.getvalue()
    return said.getvalue() + complained.getvalue()


def test_commands(tmp_path: Path, whole: Whole) -> None:
    file = tmp_path / "small.toml"
    file.write_text(TEXT, "utf-8")
    with served() as (server, _):
        assert run("list", server=server) == "no tournaments\n"
        name = run("start", str(file), "--request-id", "x", server=server).strip()
        assert run("start", str(file), "--request-id", "x", server=server).strip() == name
        lines = [json.loads(line) for line in run("watch", name, "--json", server=server).splitlines()]
        assert lines[-1]["state"] == "succeeded"
        assert lines[-1]["standings"][0]["bot"] == "greedy"
        assert "greedy" in run("watch", name, server=server)
        assert f"{name}: succeeded, round 1, 90 of 90 matches" in run("status", name, server=server)
        assert json.loads(run("status", name, "--json", server=server))["title"] == "small"
        for form, text in whole.texts.items():
            assert run("table", name, "--format", form, server=server) == text
        run("table", name, "--format", "html", "--output", str(tmp_path / "t.html"), server=server)
        assert (tmp_path / "t.html").read_text("utf-8") == whole.texts["html"]
        listed = run("replay", name, server=server).splitlines()
        assert [line.partition("\t")[0] for line in listed] == [match for match, _ in whole.matches]
        assert run("replay", name, whole.matches[0][0], server=server) == whole.replays[0]
        assert run("resume", name, server=server).strip() == name
        assert run("list", server=server).split("\t")[:3] == [name, "small", "succeeded"]
        assert len(json.loads(run("list", "--json", server=server))) == 1
        assert run("cancel", name, server=server).strip() == name
        run("delete", name, "--cancel", server=server)
        assert "there is no tournament" in " ".join(run("status", name, code=1, server=server).split())
