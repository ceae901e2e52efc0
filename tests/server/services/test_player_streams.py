"""Streams of players: hello and goodbye, limits, ends, the command line."""

import json
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from sengoku import Cancel, Client, Clock, play_matches
from sengoku.bots.serve import serve
from sengoku.client._flow import Open
from sengoku.errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    LimitError,
    NameTakenError,
    NotAllowedError,
    PlayerNotFoundError,
    QuotaError,
    SengokuError,
    ShuttingDownError,
    UnavailableError,
)
from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.v1 import player_service_pb2 as pb2
from support import cli
from support.bots import First, Middle
from support.players import (
    SHORT,
    Asking,
    Raw,
    connected,
    limited,
    suppressed,
)
from support.process import soon
from support.wire import error_of


@pytest.mark.parametrize(
    ("hello", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "a b"}, "name"),
        ({"name": "@x"}, "name"),
        ({"name": "x" * 65}, "name"),
        ({"name": "x", "games": ["chess"]}, "game"),
        ({"name": "x", "capacity": -1}, "capacity"),
    ],
)
def test_hellos_that_cannot_be(server: Server, hello: dict[str, Any], field: str) -> None:
    with Raw(server.address, **hello) as raw, pytest.raises(ArgumentError) as told:
        raw.hear("welcome")
    assert told.value.details["field"] == field


def test_the_first_message_is_a_hello_and_no_other(server: Server) -> None:
    with Raw(server.address) as raw:
        raw.answer((1, 1))
        with pytest.raises(ArgumentError, match="must be hello"):
            raw.hear("welcome")
    with Raw(server.address, name="twice") as raw:
        raw.hear("welcome")
        raw.say(hello=pb2.PlayerHello(name="twice"))
        with pytest.raises(ArgumentError, match="hello may only be the first message"):
            raw.hear("fault")
    with Raw(server.address, name="empty") as raw:
        raw.hear("welcome")
        raw.say()
        with pytest.raises(ArgumentError, match="message is not set"):
            raw.hear("fault")
    with Raw(server.address, name="garbage") as raw:
        raw.hear("welcome")
        raw.send(b"\xff\xff\xff")
        with pytest.raises(SengokuError) as told:
            raw.hear("fault")
        assert told.value.reason == "UNREADABLE_DATA"


def test_an_orderly_goodbye(alone: Server) -> None:
    with Raw(alone.address, name="polite", capacity=8) as polite:
        polite.hear("welcome")
        asking = Asking(alone, players=["@polite", "random"], match_count=3, clock=Clock(2))
        assert polite.play(lambda decision: decision.decisions > 5) is not None
        polite.say(goodbye=pb2.PlayerGoodbye())
        with Client(alone.address, timeout=30) as client:
            assert soon(lambda: refused(client, "@polite"))
        # Decisions that it was asked before are its own to take; the one that it left out is late.
        polite.play()
        with pytest.raises(EOFError):
            polite.hear("goodbye")
        asking.cancel.cancel()


def refused(client: Client, name: str) -> bool:
    """Whether no matches can be had with a player."""
    try:
        client.play_matches(
            "battles", players=[name], match_count=1, clock=Clock(0.01), setup=SHORT["battles"]
        )
    except PlayerNotFoundError:
        return True
    return False


def test_matches_are_spread_over_the_streams_of_a_player(alone: Server) -> None:
    bots = [Middle(), Middle()]
    with connected(alone, *bots), Client(alone.address, timeout=60) as client:
        (listed,) = client.players()
        assert (listed["streams"], listed["capacity"]) == (2, 512)
        report = client.play_matches(
            "battles", players=["@middle", "random"], match_count=10, seed=3, setup=SHORT["battles"]
        )
    assert report.forfeits == {}
    # Every match stays where it began.
    homes = [{decision.match_id for decision in bot.seen} for bot in bots]
    assert [len(home) for home in homes] == [5, 5]


def test_idle_players_stay_and_the_silent_go() -> None:
    with (
        limited(player_silence=1) as server,
        Client(server.address, timeout=30) as client,
        connected(server, First()) as ended,
        Raw(server.address, name="mute") as mute,
    ):
        mute.hear("welcome")
        with pytest.raises(grpc.RpcError) as failure:
            list(mute.call)  # heartbeats, which it does not answer
        error = error_of(failure.value)
        assert (error.reason, "silent for 1 seconds" in str(error)) == ("DEADLINE_EXCEEDED", True)
        time.sleep(1.5)
        assert [player["name"] for player in client.players()] == ["first"]
        assert ended == []
        report = client.play_matches("battles", players=["@first"], match_count=1, setup=SHORT["battles"])
        assert report.forfeits == {}


def test_players_that_are_not_there(client: Client) -> None:
    wish: dict[str, Any] = {"match_count": 1, "setup": SHORT["battles"]}
    with pytest.raises(PlayerNotFoundError) as told:
        client.play_matches("battles", players=["@nobody", "random"], **wish)
    assert told.value.details["value"] == "'nobody'"


def test_a_player_of_other_games(alone: Server) -> None:
    class Swordsman(First):
        games = ("swords",)

    with connected(alone, Swordsman()), Client(alone.address, timeout=30) as client:
        with pytest.raises(ArgumentError, match="does not play battles"):
            client.play_matches("battles", players=["@first"], match_count=1)
        report = client.play_matches("swords", players=["@first"], match_count=1, setup=SHORT["swords"])
        assert report.forfeits == {}


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"game": "chess"}, "game is 'chess'"),
        ({"players": []}, "0 players for 2 seats"),
        ({"players": ["random"] * 3}, "3 players for 2 seats"),
        ({"players": ["deep"]}, 'bots is "deep"'),
        ({"match_count": 0}, "match_count is 0"),
        ({"setup": {"scenario": 99}}, "scenario"),
        ({"seats": 5}, "seats is 5"),
        ({"first_match": 2**64 - 1, "match_count": 2}, "must be 0 to 18446744073709551614"),
    ],
)
def test_wishes_that_cannot_be(client: Client, wish: dict[str, Any], said: str) -> None:
    wish = {"game": "battles", "players": ["random"], "match_count": 1} | wish
    with pytest.raises(SengokuError, match=said) as told:
        client.play_matches(**wish)
    assert told.value.reason in {"INVALID_ARGUMENT", "INVALID_SETUP"}


def test_raw_wishes_that_cannot_be(client: Client) -> None:
    """What our client does not even send."""
    base = {"game": "battles", "match_count": 1, "players": [pb2.SeatPlayer(bot="random")]}
    for wish, said in (
        ({"players": [pb2.SeatPlayer()]}, "either a bot or"),
        ({"players": [pb2.SeatPlayer(bot="@x")]}, "either a bot or"),
        ({"at_once": -1}, "at_once is -1"),
        ({"clock": pb2.PlayClock(decision={"seconds": -1})}, "clock.decision is -1"),
        ({"clock": pb2.PlayClock(decision={"nanos": 2 * 10**9})}, "must be less than 1000000000"),
        ({"players": [pb2.SeatPlayer(bot="random")] * 100}, "100 players for 2 seats"),
    ):
        stream = client._driver.take(Open(pb2.PlayMatchesRequest(**(base | wish)), 30))
        with pytest.raises(grpc.RpcError) as failure:
            list(stream._call)
        error = error_of(failure.value)
        assert error.reason == "INVALID_ARGUMENT"
        assert said in str(error)


def test_names_belong_to_clients_and_roles_are_kept(tmp_path: Path) -> None:
    tokens = {name: make_token(name, role) for name, role in (("a", "run"), ("b", "run"), ("r", "read"))}
    file = tmp_path / "tokens"
    file.write_text("".join(lines for _, lines in tokens.values()))
    access = Access(tokens=Tokens(file))
    with Server(port=0, access=access) as server, Raw(server.address, tokens["a"][0], name="mine") as mine:
        mine.hear("welcome")
        with Raw(server.address, tokens["b"][0], name="mine") as other, pytest.raises(NameTakenError):
            other.hear("welcome")
        with Raw(server.address, tokens["a"][0], name="mine") as second:
            second.hear("welcome")
        with Raw(server.address, tokens["r"][0], name="reader") as reader, pytest.raises(NotAllowedError):
            reader.hear("welcome")
        with Client(server.address, timeout=30, token=tokens["r"][0]) as looking:
            assert [player["client"] for player in looking.players()] == ["a"]
            with pytest.raises(NotAllowedError):
                looking.play_matches("battles", players=["random"], match_count=1)


def test_only_so_many_players() -> None:
    for limits, error in ((Limits(players=1), BusyError), (Limits(client_players=1), QuotaError)):
        with limited(limits) as server, Raw(server.address, name="one") as one:
            one.hear("welcome")
            with Raw(server.address, name="two") as two, pytest.raises(error) as told:
                two.hear("welcome")
            assert told.value.details["limit"] == "1"
            assert told.value.retry_after
    with limited(player_capacity=3) as server:
        with Raw(server.address, name="one", capacity=4) as one, pytest.raises(LimitError) as told:
            one.hear("welcome")
        assert told.value.details["limit"] == "3"


def test_no_more_is_asked_at_once_than_a_player_takes(alone: Server) -> None:
    with Raw(alone.address, name="few", capacity=3) as few:
        few.hear("welcome")
        asking = Asking(alone, players=["@few", "random"], match_count=10)
        held = list(few.hear("decisions").decisions)
        time.sleep(0.3)
        with Client(alone.address, timeout=30) as client:
            assert client.players()[0]["asked"] == len(held) <= 3
        # Their clocks have not begun: whoever waits is not late.
        for decision in held:
            few.answer((decision.id, decision.legal[0]))
        threading.Thread(target=lambda: suppressed(few.play)).start()
        assert asking.wait().forfeits == {}


def can_play(client: Client) -> bool:
    with suppress(BusyError, QuotaError):
        return len(client.play_matches("battles", players=["random"], match_count=1)) == 1
    return False


def test_only_so_many_calls_and_matches() -> None:
    for limits, error in ((Limits(plays=1), BusyError), (Limits(client_plays=1), QuotaError)):
        with limited(limits) as server, Raw(server.address, name="wait", capacity=2) as raw:
            raw.hear("welcome")
            asking = Asking(server, players=["@wait", "random"])
            raw.hear("decisions")
            with Client(server.address, timeout=30) as client, pytest.raises(error) as told:
                client.play_matches("battles", players=["random"], match_count=1)
            assert told.value.details["limit"] == "1"
            asking.cancel.cancel()
            with pytest.raises(CancelledError):
                asking.wait()
            with Client(server.address, timeout=30) as client:
                assert soon(lambda: can_play(client))
    with (
        limited(play_matches=3, play_at_once=2, clock_seconds=5) as server,
        Client(server.address, timeout=30) as client,
    ):
        wish: dict[str, Any]
        for wish, limit in (
            ({"match_count": 4}, "3"),
            ({"match_count": 2, "rotate": True}, "3"),
            ({"at_once": 3}, "2"),
            ({"clock": Clock(3, 3)}, "5"),
        ):
            base = {"players": ["random"], "match_count": 1, "setup": SHORT["battles"]}
            with pytest.raises(LimitError) as told:
                client.play_matches("battles", **(base | wish))
            assert told.value.details["limit"] == limit
        wish = {"match_count": 1, "rotate": True, "clock": Clock(3, 2), "at_once": 2}
        assert len(client.play_matches("battles", players=["random"], **wish)) == 2
    with limited(play_decisions=20) as server, Client(server.address, timeout=30) as client:
        (match,) = client.play_matches("battles", players=["random"], match_count=1).matches
        assert (match.reason, match.decisions, match.winner) == ("too_long", 20, None)


def test_whoever_gives_the_call_up_ends_its_matches(alone: Server) -> None:
    with Raw(alone.address, name="wait", capacity=4) as raw:
        raw.hear("welcome")
        asking = Asking(alone, players=["@wait", "random"], match_count=100, clock=Clock(60))
        raw.hear("decisions")
        begun = time.monotonic()
        asking.cancel.cancel()
        with pytest.raises(CancelledError):
            asking.wait()
        assert time.monotonic() - begun < 5
        assert soon(lambda: alone.work_under_way == 0)
        assert raw.hear("match_over").reason == "cancelled"
        with Client(alone.address, timeout=30) as client:
            assert soon(lambda: client.players()[0]["asked"] == 0)


def test_a_server_that_stops_sends_idle_players_away() -> None:
    server = Server(port=0)
    with Raw(server.address, name="idle") as idle:
        idle.hear("welcome")
        ended = server.stop(grace=20)
        idle.hear("goodbye")
        assert ended.wait(10)


def test_a_server_that_stops_lets_matches_end_within_its_grace() -> None:
    server = Server(port=0)
    # One decision at a time: whoever stops in the midst of several does not answer those that follow.
    with Raw(server.address, name="busy", capacity=1) as busy:
        busy.hear("welcome")
        asking = Asking(server, players=["@busy", "random"], match_count=3)
        stopped_at = busy.play(lambda decision: decision.decisions > 20)
        assert stopped_at is not None
        ended = server.stop(grace=30)
        busy.answer((stopped_at.id, stopped_at.legal[0]))
        busy.play()
        assert asking.wait().forfeits == {}
        assert ended.wait(20)


def test_a_server_that_stops_at_last_stops() -> None:
    server = Server(port=0)
    with Raw(server.address, name="hold", capacity=8) as hold:
        hold.hear("welcome")
        asking = Asking(server, players=["@hold", "random"], clock=Clock(60))
        hold.hear("decisions")
        assert server.stop(grace=0.5).wait(15)
        with pytest.raises((CancelledError, UnavailableError, ShuttingDownError)):
            asking.wait()


def test_a_bot_finds_its_server_again(alone: Server) -> None:
    port, stop, waits = alone.port, Cancel(), []
    over: list[Any] = []

    def run() -> None:
        with Client(alone.address) as client:
            serve(First(), client, stop=stop, told=over.append, away=lambda *why: waits.append(why))

    thread = threading.Thread(target=run)
    thread.start()
    with Client(alone.address, timeout=30) as client:
        assert soon(lambda: bool(client.players()))
    alone.stop(0).wait()
    alone._thread.join()
    assert soon(lambda: bool(waits))
    with Server(port=port) as again, Client(again.address, timeout=120) as client:
        assert soon(lambda: bool(client.players()), 40)
        client.play_matches("battles", players=["@first"], match_count=1, setup=SHORT["battles"])
        assert soon(lambda: len(over) == 2)
        stop.cancel()
        thread.join(20)
    assert not thread.is_alive()


@pytest.fixture
def my_bot(tmp_path: Path) -> Path:
    file = tmp_path / "my_bot.py"
    file.write_text(
        "class MyBot:\n    name = 'mine'\n    def decide(self, decision):\n        return decision.legal[0]\n"
    )
    return file


def sengoku(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "sengoku.cli", *arguments]


def test_a_bot_plays_on_the_command_line(my_bot: Path) -> None:
    command = ["bot", "play", f"{my_bot}:MyBot", "--game", "battles", "--against", "random"]
    command += ["--matches", "2", "--setup", "scenario=1", "--seed", "3"]
    done = cli.run(*command)
    assert "mine" in done.stdout
    assert "4 matches of battles, seed 3" in done.stdout
    done = cli.run(*command, "--json")
    local = play_matches(
        "battles", players=[First(), "random"], match_count=2, seed=3, setup={"scenario": 1}, rotate=True
    )
    told = json.loads(done.stdout)
    assert [match["digest"] for match in told["matches"]] == [match.digest for match in local.matches]
    bad = cli.run("bot", "play", "nothing", "--game", "battles", code=2)
    assert "module:Name" in bad.stderr


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_bot_serves_on_the_command_line(alone: Server, my_bot: Path, number: str) -> None:
    command = sengoku("bot", "serve", f"{my_bot}:MyBot", "--server", alone.address, "--verbose")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        with Client(alone.address, timeout=60) as client:
            assert soon(lambda: bool(client.players()))
            listed = cli.run("bot", "list", "--server", alone.address)
            assert listed.stdout.startswith("@mine of local: battles, swords, tower; 1 streams")
            match = ["bot", "match", "--game", "battles", "--players", "@mine,random"]
            match += ["--matches", "1", "--setup", "scenario=1", "--setup", "max_rounds=10"]
            match += ["--server", alone.address]
            shown = cli.run(*match)
            assert "@mine" in shown.stdout
        process.send_signal(getattr(signal, number))
        told, said = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0, said
    lines = told.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("match ") and " of battles, seat " in line for line in lines)
