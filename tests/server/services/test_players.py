"""PlayerService: remote players equal those in process, what they are told, and their faults."""

import asyncio
import threading
import time
from typing import Any

import pytest

from sengoku import AsyncClient, Cancel, Client, Clock, Match, play_matches, run_matches
from sengoku.errors import (
    CancelledError,
    DeadlineError,
    LimitError,
)
from sengoku.server import Server
from sengoku.v1 import player_service_pb2 as pb2
from support.bots import First, Middle, Trouble, crash, illegal, sleep
from support.players import (
    SHORT,
    TABLES,
    Asking,
    Raw,
    connected,
    limited,
    suppressed,
)
from support.process import soon


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
