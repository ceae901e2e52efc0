"""TournamentService: the same tables as in process, whatever interrupts a tournament."""

import asyncio
import json
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sengoku import AsyncClient, Cancel, Client, RemoteTournament
from sengoku.client._flow import Emit, read_stream
from sengoku.errors import (
    ArgumentError,
    CancelledError,
    DeadlineError,
    LimitError,
    RequestIdError,
    RulesChangedError,
    SengokuError,
    ShuttingDownError,
    StoreFullError,
    TournamentNotFoundError,
    TournamentNotOverError,
    UnavailableError,
)
from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.storage import Store
from sengoku.storage.checksums import TOURNAMENTS
from sengoku.storage.migrations import sign_rows
from sengoku.tournament import FORMATS, Record, parse_spec
from sengoku.v1 import tournament_service_pb2 as pb2
from support.process import serving
from support.tournaments import (
    LONG,
    MIDDLE,
    PLAYERS,
    TEXT,
    Whole,
    more_than,
    served,
    soon,
)


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
        with pytest.raises(RequestIdError, match="started a different tournament") as told:
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
    "endless": (BOTS + GAMES + 'format = "ladder"', "rounds", "a ladder on a server needs at least 1"),
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
        with pytest.raises(ArgumentError, match=r"format is 'pdf', expected one of md, csv, json, html"):
            tournament.table("pdf")
        with pytest.raises(DeadlineError, match="is not over yet and continues on the server"):
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
    monkeypatch.setattr("sengoku.server.paging.PAGE_BYTES", 1_000)
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


@pytest.mark.system
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
            stream = client._driver.iterate(_raw_watch(tournament.name))
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
    """Watch without reconnecting."""
    yield from read_stream(pb2.WatchTournamentRequest(name=name), Emit, float("inf"))


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
            "UPDATE tournaments SET spec = replace(spec, '\"rules_version\":2', '\"rules_version\":0')"
        )
        assert changed.rowcount == 1
        sign_rows(writer, TOURNAMENTS)
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

    def refuse(self: Record, *results: Any) -> None:
        if full.is_set():
            raise StoreFullError("the disk is full")
        add(self, *results)

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
        with pytest.raises(SengokuError, match="requires the role run"):
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
