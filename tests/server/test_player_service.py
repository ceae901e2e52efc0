"""PlayerService: a remote player equals one in process, and what it does costs only its own matches."""

import asyncio
import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from sengoku import AsyncClient, Cancel, Client, Clock, Match, play_matches, run_matches
from sengoku.bots.serve import serve
from sengoku.client._flow import Ask
from sengoku.errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    DeadlineError,
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
from support.bots import First, Middle, Trouble, crash, illegal, sleep
from support.process import soon
from support.wire import error_of

SHORT: dict[str, dict[str, Any]] = {"swords": {"max_rounds": 2}, "tower": {}, "battles": {"scenario": 1}}
TABLES = [("swords", 3), ("tower", 3), ("battles", 2)]
CONNECT = "/sengoku.v1.PlayerService/Connect"


@contextmanager
def connected(server: Server, *bots: Any, **options: Any) -> Iterator[list[SengokuError]]:
    """Bots that are players of a server; gives what ended their connections."""
    stop, ended = Cancel(), []

    def run(bot: Any) -> None:
        with Client(server.address, **options) as client:
            try:
                client.serve_bot(bot, stop=stop)
            except SengokuError as error:
                ended.append(error)

    threads = [threading.Thread(target=run, args=(bot,)) for bot in bots]
    for thread in threads:
        thread.start()
    with Client(server.address, timeout=30, **options) as client:
        assert soon(lambda: sum(player["streams"] for player in client.players()) >= len(bots) or bool(ended))
        try:
            yield ended
        finally:
            stop.cancel()
            for thread in threads:
                thread.join(30)
                assert not thread.is_alive()


class Raw:
    """A player that says whatever the test wants it to."""

    def __init__(self, address: str, token: str | None = None, **hello: Any) -> None:
        self._channel = grpc.insecure_channel(address)
        self._out: queue.SimpleQueue[Any] = queue.SimpleQueue()
        call = self._channel.stream_stream(
            CONNECT,
            request_serializer=lambda message: (
                message if isinstance(message, bytes) else message.SerializeToString()
            ),
            response_deserializer=pb2.ConnectResponse.FromString,
        )
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self.call = call(iter(self._out.get, None), metadata=metadata, timeout=60)
        if hello:
            self.say(hello=pb2.PlayerHello(**hello))

    def say(self, **message: Any) -> None:
        """Sends a message."""
        self._out.put(pb2.ConnectRequest(**message))

    def send(self, data: bytes) -> None:
        """Sends bytes as they are."""
        self._out.put(data)

    def answer(self, *answers: tuple[int, int]) -> None:
        """Answers decisions."""
        some = [pb2.PlayerAnswer(id=number, action=action) for number, action in answers]
        self.say(answers=pb2.PlayerAnswers(answers=some))

    def hear(self, kind: str) -> Any:
        """Waits for the next message of a kind; heartbeats are answered on the way."""
        try:
            for message in self.call:
                found = message.WhichOneof("message")
                if found == kind:
                    return getattr(message, found)
                if found == "heartbeat":
                    self.say(heartbeat=message.heartbeat)
        except grpc.RpcError as failure:
            raise error_of(failure) from None
        raise EOFError

    def play(self, stop: Callable[[pb2.PlayerDecision], bool] = lambda _: False) -> pb2.PlayerDecision | None:
        """Takes the first action everywhere, until a decision that it shall stop at, or the goodbye."""
        with suppress(EOFError):
            while True:
                for decision in self.hear("decisions").decisions:
                    if stop(decision):
                        return decision
                    self.answer((decision.id, decision.legal[0]))
        return None

    def end(self) -> None:
        """Says no more."""
        self._out.put(None)

    def close(self) -> None:
        """Breaks off."""
        self.call.cancel()
        self._out.put(None)
        self._channel.close()

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Asking:
    """A call of PlayMatches in a thread of its own."""

    def __init__(self, server: Server, game: str = "battles", **wish: Any) -> None:
        self.report: Any = None
        self.error: BaseException | None = None
        self.cancel = Cancel()
        self._thread = threading.Thread(target=self._run, args=(server, game, wish))
        self._thread.start()

    def _run(self, server: Server, game: str, wish: dict[str, Any]) -> None:
        wish = {"match_count": 1, "seed": 3, "setup": SHORT[game]} | wish
        with Client(server.address, timeout=60) as client:
            try:
                self.report = client.play_matches(game, cancel=self.cancel, **wish)
            except SengokuError as error:
                self.error = error

    def wait(self) -> Any:
        """Gives the report, or raises what was in its way."""
        self._thread.join(60)
        assert not self._thread.is_alive()
        if self.error is not None:
            raise self.error
        return self.report


@contextmanager
def limited(limits: Limits | None = None, **more: int) -> Iterator[Server]:
    with Server(port=0, limits=limits or Limits(**more)) as server:
        yield server
        server.stop(0).wait()


@pytest.fixture
def alone() -> Iterator[Server]:
    """A server that no other test has players on."""
    with Server(port=0) as server:
        yield server


# Remote equals in process


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_remote_player_equals_one_in_process(alone: Server, game: str, seats: int) -> None:
    wish: dict[str, Any] = {"seats": seats, "match_count": 3, "seed": 11, "setup": SHORT[game]}
    wish |= {"rotate": True, "replays": True}
    with connected(alone, First(), Middle()), Client(alone.address, timeout=60) as client:
        remote = client.play_matches(game, players=["@first", "greedy", "@middle"][:seats], **wish)
    local = play_matches(game, players=[First(), "greedy", Middle()][:seats], **wish)
    assert remote.forfeits == {}
    assert len(remote) == 3 * seats
    for here, there in zip(local.matches, remote.matches, strict=True):
        assert there.players == tuple(
            {"first": "@first", "middle": "@middle"}.get(n, n) for n in here.players
        )
        assert (there.digest, there.ranks, there.winner) == (here.digest, here.ranks, here.winner)
        assert there.replay == here.replay
        assert Match.from_replay(there.replay or "").digest == there.digest
        assert (there.scores, there.rounds, there.reason) == (here.scores, here.rounds, here.reason)


def test_bots_alone_play_as_in_a_run(client: Client) -> None:
    wish: dict[str, Any] = {"match_count": 20, "seed": 7, "setup": SHORT["battles"]}
    report = client.play_matches("battles", players=["greedy", "random"], **wish)
    run = run_matches("battles", bots=["greedy", "random"], **wish)
    assert [match.digest for match in report.matches] == run.digest.tolist()


def test_many_matches_are_asked_together(alone: Server) -> None:
    middle = Middle()
    told: list[tuple[int, int]] = []
    with connected(alone, middle), Client(alone.address, timeout=60) as client:
        report = client.play_matches(
            "battles",
            players=["@middle", "random"],
            match_count=40,
            seed=1,
            setup=SHORT["battles"],
            progress=lambda done, total: told.append((done, total)),
        )
    assert len(report) == 40
    assert report.forfeits == {}
    assert max(middle.batches) > 10
    assert told[0] == (0, 40)
    assert told[-1] == (40, 40)
    assert len(middle.over) == 40
    assert b'sengoku_matches_played_total{game="battles"} 40.0' in alone.metrics.page()
    assert soon(
        lambda: b"sengoku_players 0.0" in alone.metrics.page()
    )  # that it went is heard a moment later


def test_awaited(alone: Server) -> None:
    """The asynchronous client has the same calls, also that of the bot."""

    async def main() -> Any:
        stop = Cancel()
        async with AsyncClient(alone.address, timeout=60) as client:
            serving = asyncio.ensure_future(client.serve_bot(First(), stop=stop))
            while not await client.players():
                await asyncio.sleep(0.01)
            listed = await client.players()
            report = await client.play_matches(
                "battles", players=["@first", "random"], match_count=2, seed=3, setup=SHORT["battles"]
            )
            stop.cancel()
            await serving
            return listed, report

    listed, report = asyncio.run(main())
    (player,) = listed
    assert player == {
        "name": "first",
        "client": "local",
        "games": ["battles", "swords", "tower"],
        "streams": 1,
        "capacity": 1,
        "asked": 0,
    }
    local = play_matches(
        "battles", players=[First(), "random"], match_count=2, seed=3, setup=SHORT["battles"]
    )
    assert [match.digest for match in report.matches] == [match.digest for match in local.matches]


# What a player is told


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_message_has_what_the_seat_may_see_and_no_more(alone: Server, game: str, seats: int) -> None:
    with Raw(alone.address, name="spy", capacity=4, observation=True, view=True, actions=True) as spy:
        assert spy.hear("welcome").capacity == 4
        asking = Asking(alone, game, players=["@spy"], seats=seats, seed=987_654_321_987, first_match=77_777)
        match = Match.create(game, seats=seats, seed=987_654_321_987, match_index=77_777, setup=SHORT[game])
        ids: dict[int, set[str]] = {}
        while not match.over:
            (decision,) = spy.hear("decisions").decisions
            seat = decision.seat
            left = decision.time_left
            expected = pb2.PlayerDecision(
                id=decision.id,
                match_id=decision.match_id,
                game=game,
                seats=seats,
                seat=match.to_act,
                decisions=match.decisions,
                legal=match._core.legal_indices(),
                observation=match.observe(seat).tobytes(),
                view_json=match._core.describe(seat),
                time_left=left,
            )
            assert 9 < left.seconds + left.nanos / 1e9 <= 10
            texts = [action.text for action in decision.actions]
            assert texts == [action.text for action in match.legal_actions()]
            del decision.actions[:]
            assert decision == expected  # nothing else, not even in a field that we forgot
            assert len(decision.match_id) == 16
            for secret in (b"987654321987", b"77777"):
                assert secret not in decision.SerializeToString()
            ids.setdefault(seat, set()).add(decision.match_id)
            choice = decision.legal[len(decision.legal) // 3]
            spy.answer((decision.id, choice))
            match.play(choice)
        assert all(len(names) == 1 for names in ids.values())
        assert len(set.union(*ids.values())) == seats
        for _ in range(seats):
            over = spy.hear("match_over")
            assert over.match_id in ids[over.seat]
            assert match.outcome is not None
            assert (tuple(over.ranks), over.reason) == (match.outcome.ranks, match.outcome.reason)
        assert asking.wait().matches[0].digest == match.digest


def test_what_is_not_wanted_is_not_sent(alone: Server) -> None:
    with Raw(alone.address, name="plain") as plain:
        plain.hear("welcome")
        asking = Asking(alone, players=["@plain", "random"])
        decision = plain.hear("decisions").decisions[0]
        assert (decision.observation, decision.view_json, list(decision.actions)) == (b"", "", [])
        assert decision.legal
        asking.cancel.cancel()
        with pytest.raises(CancelledError):
            asking.wait()
        over = plain.hear("match_over")
        assert (over.reason, list(over.ranks), over.match_id) == ("cancelled", [], decision.match_id)
        # The answer comes too late for anybody, but that is no fault of the player.
        plain.answer((decision.id, decision.legal[0]))
        plain.say(goodbye=pb2.PlayerGoodbye())
        with pytest.raises(EOFError):
            plain.hear("fault")


# Trouble


@pytest.mark.parametrize(
    ("what", "why"),
    [(crash, "crashed"), (illegal, "illegal"), (lambda _: None, "illegal"), (lambda _: 10**30, "illegal")],
    ids=["crash", "illegal", "none", "huge"],
)
def test_trouble_forfeits_the_match(alone: Server, what: Any, why: str) -> None:
    bot = Trouble(what, lambda decision: decision.decisions > 20)
    with connected(alone, bot) as ended, Client(alone.address, timeout=60) as client:
        report = client.play_matches(
            "battles",
            players=["@trouble", "random"],
            match_count=2,
            seed=3,
            setup=SHORT["battles"],
            rotate=True,
        )
        assert report.forfeits == {why: 4}
        for match in report.matches:
            seat = match.players.index("@trouble")
            assert (match.winner, match.reason, match.forfeits[seat]) == (1 - seat, "forfeit", why)
    assert ended == []


def test_a_late_answer_forfeits_and_is_no_second_fault(alone: Server) -> None:
    with Raw(alone.address, name="slow", capacity=2) as slow:
        slow.hear("welcome")
        asking = Asking(alone, players=["@slow", "random"], clock=Clock(0.2))
        decision = slow.hear("decisions").decisions[0]
        fault = slow.hear("fault")
        assert (fault.id, fault.kind) == (decision.id, pb2.FAULT_KIND_LATE)
        over = slow.hear("match_over")
        assert (over.forfeit, over.winner) == (pb2.FORFEIT_REASON_LATE, 1)
        report = asking.wait()
        assert report.matches[0].forfeits == ("late", "")
        assert 0.2 <= report.matches[0].seconds[0] < 5
        slow.answer((decision.id, decision.legal[0]))
        slow.answer((decision.id, decision.legal[0]))
        again = slow.hear("fault")
        assert (again.id, again.kind) == (decision.id, pb2.FAULT_KIND_TWICE)


def test_a_slow_bot_is_in_time_with_its_bank(alone: Server) -> None:
    bot = Trouble(sleep(0.3), lambda decision: decision.decisions == 0)
    wish: dict[str, Any] = {"match_count": 1, "seed": 3, "setup": SHORT["battles"]}
    with connected(alone, bot), Client(alone.address, timeout=60) as client:
        assert (
            client.play_matches("battles", players=["@trouble"], **wish, clock=Clock(0.2, 5)).forfeits == {}
        )
        late = client.play_matches("battles", players=["@trouble"], **wish, clock=Clock(0.2))
        assert late.forfeits == {"late": 1}


def test_answers_that_have_no_question(alone: Server) -> None:
    with Raw(alone.address, name="odd", capacity=8) as odd:
        odd.hear("welcome")
        asking = Asking(alone, players=["@odd", "random"])
        decision = odd.hear("decisions").decisions[0]
        odd.answer((999, 0))
        fault = odd.hear("fault")
        assert (fault.id, fault.kind) == (999, pb2.FAULT_KIND_UNKNOWN)
        odd.say(heartbeat=pb2.PlayerHeartbeat(number=77))
        assert odd.hear("fault").kind == pb2.FAULT_KIND_UNKNOWN
        odd.answer((decision.id, decision.legal[0]), (decision.id, decision.legal[-1]))
        fault = odd.hear("fault")
        assert (fault.id, fault.kind) == (decision.id, pb2.FAULT_KIND_TWICE)
        # None of it has changed anything.
        threading.Thread(target=lambda: suppressed(odd.play)).start()
        report = asking.wait()
        assert report.forfeits == {}
        assert (
            Match.from_replay(Match.create("battles", seed=3, setup=SHORT["battles"]).replay()).decisions == 0
        )


def suppressed(work: Callable[[], Any]) -> None:
    """Does something that ends with its connection."""
    with suppress(SengokuError, ValueError, AssertionError):  # cancelled calls tell no reason
        work()


def hear_for_ever(raw: Raw) -> None:
    while True:
        raw.hear("fault")


def test_a_flood_of_answers_ends_the_stream() -> None:
    with limited(player_faults=5) as server, Raw(server.address, name="flood", capacity=8) as flood:
        flood.hear("welcome")
        asking = Asking(server, players=["@flood", "random"], clock=Clock(0.5))
        flood.hear("decisions")
        for number in range(5000):
            flood.answer((10_000 + number, 0))
        with pytest.raises(LimitError) as told:
            hear_for_ever(flood)
        assert told.value.details["limit"] == "5"
        assert asking.wait().matches[0].forfeits == ("disconnected", "")
        with Client(server.address, timeout=30) as client:
            assert client.players() == []


def test_a_player_that_goes_away_forfeits_when_its_clock_is_over(alone: Server) -> None:
    with Raw(alone.address, name="leaver", capacity=8) as leaver:
        leaver.hear("welcome")
        asking = Asking(alone, players=["@leaver", "random"], match_count=30, clock=Clock(0.5))
        assert leaver.play(lambda decision: decision.decisions > 30) is not None
        begun = time.monotonic()
        leaver.close()
        report = asking.wait()
    assert time.monotonic() - begun < 10
    assert report.forfeits == {"disconnected": 30}


def test_a_player_that_comes_back_plays_on(alone: Server) -> None:
    with Raw(alone.address, name="back", capacity=8) as first:
        first.hear("welcome")
        asking = Asking(alone, players=["@back", "random"], match_count=5, clock=Clock(10), replays=True)
        assert first.play(lambda decision: decision.decisions > 50) is not None
    with Raw(alone.address, name="back", capacity=8) as second:
        second.hear("welcome")
        threading.Thread(target=lambda: suppressed(second.play)).start()
        report = asking.wait()
    assert report.forfeits == {}
    whole = play_matches(
        "battles", players=[First(), "random"], match_count=5, seed=3, setup=SHORT["battles"]
    )
    assert [match.digest for match in report.matches] == [match.digest for match in whole.matches]


def test_who_does_not_read_nor_answer_is_sent_away(alone: Server) -> None:
    """A player that hangs: a few of its decisions run out, then the rest is not even asked."""
    with Raw(alone.address, name="deaf", capacity=4, view=True) as deaf:
        deaf.hear("welcome")
        begun = time.monotonic()
        report = Asking(alone, players=["@deaf", "random"], match_count=60, clock=Clock(0.3)).wait()
        assert time.monotonic() - begun < 20
        assert set(report.forfeits) == {"late", "disconnected"}
        assert sum(report.forfeits.values()) == 60
        with pytest.raises(DeadlineError):
            deaf.hear("goodbye")


def test_trouble_of_one_is_no_trouble_of_others(alone: Server) -> None:
    middle = Middle()
    with Raw(alone.address, name="deaf", capacity=1) as deaf, connected(alone, middle):
        deaf.hear("welcome")
        bad = Asking(alone, players=["@deaf", "@middle"], match_count=10, clock=Clock(0.5))
        good = Asking(alone, players=["@middle", "random"], match_count=10)
        assert good.wait().forfeits == {}
        report = bad.wait()
        assert all(match.forfeits[1] == "" for match in report.matches)
        assert all(match.winner == 1 for match in report.matches)


# Coming and going


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
        with pytest.raises(ArgumentError, match="is a hello"):
            raw.hear("welcome")
    with Raw(server.address, name="twice") as raw:
        raw.hear("welcome")
        raw.say(hello=pb2.PlayerHello(name="twice"))
        with pytest.raises(ArgumentError, match="only once"):
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
        asking = Asking(alone, players=["@polite", "random"], match_count=3)
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
        ({"first_match": 2**64 - 1, "match_count": 2}, "beyond the last number"),
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
        ({"players": [pb2.SeatPlayer()]}, "neither a bot nor"),
        ({"players": [pb2.SeatPlayer(bot="@x")]}, "neither a bot nor"),
        ({"at_once": -1}, "at_once is -1"),
        ({"clock": pb2.PlayClock(decision={"seconds": -1})}, "clock.decision is -1"),
        ({"clock": pb2.PlayClock(decision={"nanos": 2 * 10**9})}, "more than a second"),
        ({"players": [pb2.SeatPlayer(bot="random")] * 100}, "100 players for 2 seats"),
    ):
        stream = client._door._take(Ask(pb2.PlayMatchesRequest(**(base | wish)), 30))
        with pytest.raises(grpc.RpcError) as failure:
            list(stream.call)
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


# Limits


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


# Ends


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


# The command line


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
    command = sengoku("bot", "play", f"{my_bot}:MyBot", "--game", "battles", "--against", "random")
    command += ["--matches", "2", "--setup", "scenario=1", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout
    assert "4 matches of battles, seed 3" in done.stdout
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=120, check=True)
    local = play_matches(
        "battles", players=[First(), "random"], match_count=2, seed=3, setup={"scenario": 1}, rotate=True
    )
    told = json.loads(done.stdout)
    assert [match["digest"] for match in told["matches"]] == [match.digest for match in local.matches]
    bad = subprocess.run(
        sengoku("bot", "play", "nothing", "--game", "battles"), capture_output=True, text=True, check=False
    )
    assert (bad.returncode, "module:Name" in bad.stderr) == (2, True)


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_bot_serves_on_the_command_line(alone: Server, my_bot: Path, number: str) -> None:
    command = sengoku("bot", "serve", f"{my_bot}:MyBot", "--server", alone.address, "--verbose")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        with Client(alone.address, timeout=60) as client:
            assert soon(lambda: bool(client.players()))
            listed = subprocess.run(
                sengoku("bot", "list", "--server", alone.address), capture_output=True, text=True, check=True
            )
            assert listed.stdout.startswith("@mine of local: battles, swords, tower; 1 streams")
            match = sengoku("bot", "match", "--game", "battles", "--players", "@mine,random")
            match += ["--matches", "1", "--setup", "scenario=1", "--server", alone.address]
            shown = subprocess.run(match, capture_output=True, text=True, timeout=120, check=True)
            assert "@mine" in shown.stdout
        process.send_signal(getattr(signal, number))
        told, said = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0, said
    lines = told.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("match ") and " of battles, seat " in line for line in lines)
