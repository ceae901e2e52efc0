"""Tournaments with players, and tournaments from the command line."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sengoku import Cancel, Client, Match
from sengoku.errors import (
    NameTakenError,
    SengokuError,
    TournamentNotOverError,
)
from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.tournament import FORMATS
from support import cli
from support.bots import First, Trouble, crash
from support.tournaments import (
    PLAYERS,
    TEXT,
    Whole,
    served,
    soon,
)


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
    return Whole(text.replace('player = "first"', f'python = "{bot}", trusted = true'))


def test_players_take_part() -> None:
    there = in_process(PLAYERS, "support.bots:First")
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
    there = in_process(PLAYERS, "support.bots:First")
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
        honest = dict(in_process(PLAYERS, "support.bots:First").matches)
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
        tournament = client.create_tournament(PLAYERS.replace("blocks = 3", "blocks = 20"))
        assert soon(lambda: tournament.metadata().matches_done > 0)
        tournament.cancel()
        assert tournament.status.seeds == (None,)
        name, _ = tournament.matches()[0]
        with pytest.raises(TournamentNotOverError, match="a replay would reveal its seed"):
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
    text, store = PLAYERS.replace("blocks = 3", "blocks = 20"), tmp_path / "runs.sqlite3"
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
        assert again.matches() == in_process(text, "support.bots:First").matches


def run(*arguments: str, code: int = 0, server: Server) -> str:
    done = cli.run("tournament", *arguments, "--server", server.address, code=code, COLUMNS="200")
    return done.stdout + done.stderr


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
