"""Bots of a server, frames of matches, and who may watch what."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sengoku import AsyncClient, Client, Decision, Match, games
from sengoku.engine.frames import Frame
from sengoku.errors import (
    BusyError,
    DiceScriptError,
    LimitError,
    MatchNotFoundError,
    NotAllowedError,
    NotYourTurnError,
    QuotaError,
    SengokuError,
    ShuttingDownError,
    TournamentNotOverError,
)
from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.v1 import match_service_pb2 as pb2
from support.bots import First
from support.matches import CAP, Clock, serving
from support.players import connected
from support.process import soon

NAMES = [game.name for game in games()]
SLOW = "mcts:iterations=10000"


@contextmanager
def background(work: Callable[[], object]) -> Iterator[list[BaseException]]:
    """Runs something in a thread for the block, and yields what it raises."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - the test looks at it
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    yield raised
    thread.join(120)
    assert not thread.is_alive()


def bots_of(game: str) -> dict[int, str]:
    return {1: "greedy"} if game == "battles" else {1: "greedy", 2: "mcts:iterations=20"}


def seats_of(game: str) -> int:
    return len(bots_of(game)) + 1


@pytest.mark.parametrize("game", NAMES)
def test_bots_of_a_server_are_those_in_process(client: Client, game: str) -> None:
    key: dict[str, Any] = {"seats": seats_of(game), "seed": 5, "setup": CAP, "bots": bots_of(game)}
    here = Match.create(game, **key)
    with client.create_match(game, **key) as there:
        assert there.bots == here.bots
        for step in range(12):
            assert (there.to_act, there.decisions) == (here.to_act, here.decisions)
            if here.over:
                break
            action = here.suggest("random", seed=step)
            assert there.suggest("random", seed=step) == action
            here.play(action)
            there.play(action)
        assert there.replay() == here.replay()
        assert there.save() == here.save()
        for seat in (None, 0, 1, "public"):
            assert list(there.frames(seat=seat)) == list(here.frames(seat=seat))
        with client.load_match(here.save()) as again:
            assert again.bots == here.bots
            assert again.replay() == here.replay()


@pytest.mark.parametrize("game", NAMES)
def test_a_watcher_sees_every_decision_once(client: Client, game: str) -> None:
    with client.create_match(game, seats=seats_of(game), seed=5, setup=CAP, bots=bots_of(game)) as match:
        seen: dict[Any, list[Frame]] = {seat: [] for seat in (None, 0, 1, "public")}
        tokens = {None: match.token, 0: match.seat_tokens[0], 1: match.seat_tokens[1]}
        threads = []
        for seat, frames in seen.items():
            token = tokens.get(seat, match.spectator_token)
            watch = client.spectate(match.match_id, token, first=0, parts=["story", "view", "actions"])
            threads.append(threading.Thread(target=lambda w=watch, f=frames: f.extend(w)))
            threads[-1].start()
        while not match.over:
            match.play(match.suggest("random", seed=match.decisions))
        for thread in threads:
            thread.join(120)
        here = Match.load(match.save())
        for seat, frames in seen.items():
            assert frames == list(here.frames(seat=seat, parts=["story", "view", "actions"]))
        assert seen["public"][-1].outcome == here.outcome


def test_a_watcher_begins_where_it_likes(client: Client) -> None:
    with client.create_match("battles", seed=5) as match:
        for _ in range(6):
            match.play(match.legal_actions()[0])
        watch = match.watch()
        assert next(watch).decision == 6
        resumed = match.watch(4)
        assert [next(resumed).decision for _ in range(3)] == [4, 5, 6]
        following = match.watch(7)
        match.play(match.legal_actions()[0])
        assert next(following).decision == next(resumed).decision == next(watch).decision == 7
        for stream in (watch, resumed, following):
            stream.close()


def test_a_spectator_may_only_look(client: Client) -> None:
    with client.create_match("battles", seed=5) as match:
        spectator = client.join_match(match.match_id, match.spectator_token)
        here = Match.load(match.save())
        assert spectator.view("public") == here.view("public")
        assert spectator.picture() == here.picture("public")
        assert spectator.sketch() == here.sketch("public")
        assert spectator.story() == here.story("public")
        assert spectator.log == here.log
        assert (spectator.seat, spectator.spectator, spectator.to_act) == (None, True, here.to_act)
        forbidden: list[Callable[[], object]] = [
            lambda: spectator.play(0),
            spectator.legal_actions,
            spectator.suggest,
            spectator.state,
            spectator.save,
            spectator.replay,
            lambda: spectator.history,
            spectator.clone,
            lambda: spectator.resample(0),
            lambda: spectator.view(0),
            lambda: spectator.picture(1),
            lambda: spectator.story(0),
            lambda: spectator.observe(0),
            lambda: list(spectator.frames(seat=0)),
            lambda: next(spectator.watch(seat=1)),
            lambda: client.ask_match("DeleteMatch", pb2.DeleteMatchRequest(**spectator._id)),
            lambda: client.ask_match("GetObservation", pb2.GetObservationRequest(**spectator._id)),
        ]
        for call in forbidden:
            with pytest.raises(NotAllowedError):
                call()
        spectator.close()
        assert match.decisions == 0
        seat = client.join_match(match.match_id, match.seat_tokens[0])
        with pytest.raises(NotAllowedError):
            next(seat.watch(seat=1))
        assert next(seat.watch(seat="public")).view == here.view("public")


def test_many_spectators_cost_little() -> None:
    """A hundred watch; each frame is made once, and all get the same."""

    async def watch(address: str, match_id: str, token: str, decisions: int) -> list[list[Frame]]:
        async with AsyncClient(address, timeout=60) as client:

            async def one() -> list[Frame]:
                frames = []
                async for frame in client.spectate(match_id, token, first=0):
                    frames.append(frame)
                    if frame.decision == decisions:
                        return frames
                return frames

            return await asyncio.gather(*(one() for _ in range(100)))

    with Server(port=0) as server, Client(server.address) as client:
        match = client.create_match("battles", seed=5, bots={1: "greedy"})
        for _ in range(10):
            match.play(match.legal_actions()[0])
        decisions = match.decisions
        found = asyncio.run(watch(server.address, match.match_id, match.spectator_token, decisions))
        assert server._broadcaster.made == decisions + 1
        assert all(frames == found[0] for frames in found)
        assert found[0] == list(Match.load(match.save()).frames(seat="public"))
        assert soon(lambda: server._broadcaster.watchers == 0)


def test_quotas_of_watchers() -> None:
    with serving(client_watchers=2) as client:
        match = client.create_match("battles")
        streams = [match.watch() for _ in range(3)]
        for stream in streams[:2]:
            next(stream)
        with pytest.raises(QuotaError) as refused:
            next(streams[2])
        assert refused.value.details["field"] == "client_watchers"
        streams[0].close()
        assert soon(lambda: next(match.watch()).decision == 0)
    with serving(match_watchers=1) as client:
        match, other = client.create_match("battles"), client.create_match("battles")
        stream = match.watch()
        next(stream)
        with pytest.raises(BusyError) as busy:
            next(match.watch())
        assert busy.value.details["field"] == "match_watchers"
        next(other.watch())


def test_frames_beyond_the_cache_are_made_again() -> None:
    with serving(frame_cache_bytes=1) as client:
        match = client.create_match("battles", seed=5)
        for _ in range(5):
            match.play(match.legal_actions()[0])
        assert list(match.frames()) == list(match.frames()) == list(Match.load(match.save()).frames())


def test_the_end_of_a_match_ends_its_watchers(client: Client) -> None:
    clock = Clock()
    with serving(clock, idle_seconds=60) as other:
        match = other.create_match("battles")
        watch = match.watch()
        next(watch)
        clock.now += 61
        with pytest.raises(MatchNotFoundError):
            _ = match.to_act
        with pytest.raises(MatchNotFoundError):
            next(watch)
    match = client.create_match("battles", bots={1: SLOW})
    watch = match.watch()
    next(watch)
    match.close()
    with pytest.raises(MatchNotFoundError):
        list(watch)


def test_a_server_that_stops_ends_watchers_and_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "sengoku.client._channel.MAX_OUTAGE_SECONDS", 0
    )  # else a watcher waits for a new server
    with Server(port=0, limits=Limits(search_iterations=10**7)) as server, Client(server.address) as client:
        match = client.create_match("battles", seed=5)
        watch = match.watch()
        next(watch)
        request = pb2.CreateMatchRequest(game="battles", bots={0: "mcts:iterations=10000000"})
        with background(lambda: client.ask(request)):
            assert soon(lambda: server._matches._bots.hosting == 1)
            began = time.monotonic()
            server.stop(grace=10)
            with pytest.raises(ShuttingDownError):
                list(watch)
            assert server._ended.wait(9)
            assert time.monotonic() - began < 9


def test_pages_of_frames(client: Client) -> None:
    match = Match.create("swords", seats=3, seed=1)
    match.play_on("random", until=40)
    reference = {"replay": match.replay()}
    first = client.ask(pb2.GetReplayFramesRequest(**reference, max_frames=7))
    assert ([frame.decision for frame in first.frames], first.next_decision) == ([*range(7)], 7)
    assert first.decisions == 40
    last = client.ask(pb2.GetReplayFramesRequest(**reference, first_decision=38, max_frames=7))
    assert [frame.decision for frame in last.frames] == [38, 39, 40]
    assert not last.HasField("next_decision")
    pictures = client.ask(pb2.GetReplayFramesRequest(**reference))
    assert 1 < len(pictures.frames) < 41  # a page of pictures ends early
    assert len(list(client.replay_frames(match.replay()))) == 41
    assert list(client.replay_frames(match.replay(), 5, 9)) == list(match.frames(5, 9))


def test_long_replays_are_refused() -> None:
    match = Match.create("battles", seed=1)
    match.play_on("random", until=60)
    with serving(match_decisions=50) as client, pytest.raises(LimitError) as refused:
        list(client.replay_frames(match.replay()))
    assert refused.value.details["field"] == "match_decisions"


def test_limits_of_bots() -> None:
    with serving(search_iterations=100, match_decisions=40) as client:
        match = Match.create("battles", seed=1, bots={1: "mcts:iterations=101"})
        for call in (
            lambda: client.create_match("battles", bots={1: "mcts:iterations=101"}),
            lambda: client.load_match(match.save()),
            lambda: client.match_from_replay(match.replay()),
        ):
            with pytest.raises(LimitError) as refused:
                call()
            assert refused.value.details["field"] == "search_iterations"
        there = client.create_match("battles", seed=1, bots={1: "random"})

        def play() -> None:
            while True:
                there.play(there.suggest())

        with pytest.raises(LimitError) as ended:
            play()
        assert ended.value.details["field"] == "match_decisions"
        assert there.decisions == 40


def test_dice_that_end_in_a_decision_of_a_bot(client: Client) -> None:
    match = client.create_match("battles", seed=5, dice=[1, 2, 3, 4, 5, 6] * 2, bots={1: "greedy"})
    seat = client.join_match(match.match_id, match.seat_tokens[0])

    def play() -> None:
        for step in range(400):
            match.play(match.suggest("random", seed=step))

    with pytest.raises(DiceScriptError) as told:
        play()
    assert "needed" in told.value.details
    if match._client.ask(pb2.GetMatchRequest(**match._id)).status.bot_to_act:
        with pytest.raises(DiceScriptError, match="the owner's scripted dice") as hidden:
            client.ask(pb2.GetMatchRequest(**seat._id, wait=True))
        assert hidden.value.details == {}


def test_a_slow_bot_blocks_nobody() -> None:
    with Server(port=0, limits=Limits(search_iterations=10**7)) as server, Client(server.address) as client:
        quick = client.create_match("battles", seed=5)
        request = pb2.CreateMatchRequest(game="battles", bots={0: "mcts:iterations=10000000"})
        with background(lambda: client.ask(request, timeout=2)) as raised:
            assert soon(lambda: server._matches._bots.hosting == 1)
            began = time.monotonic()
            for _ in range(20):
                quick.play(quick.legal_actions()[0])
            assert time.monotonic() - began < 2
        assert raised == []  # it answers before its deadline, with a bot still to act
        # Whoever waits for the bot may give up, and the bot goes on.
        assert server._matches._bots.hosting == 1
        (opened,) = [table for table in server._matches._matches._open.values() if table.bots]
        access = {"match_id": opened.tokens.match_id, "token": opened.tokens.owner_token}
        assert client.ask(pb2.GetMatchRequest(**access)).status.bot_to_act
        with pytest.raises(NotYourTurnError):
            client.ask(pb2.PlayRequest(**access, action=0))
        client.ask(pb2.DeleteMatchRequest(**access))
        assert soon(lambda: server._matches._bots.hosting == 0)


class Waiting(First):
    """A player that waits until it may answer."""

    name = "waiting"

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.asked: list[Decision] = []

    def decide(self, decision: Decision) -> int:
        """Decides, when it may."""
        self.asked.append(decision)
        self.go_on.wait(30)
        return super().decide(decision)


def test_matches_of_players_in_progress(alone: Server, tmp_path: Path) -> None:
    player = Waiting()
    with connected(alone, player), Client(alone.address, timeout=60) as client:
        play = {"players": ["@waiting", "random"], "match_count": 1, "seed": 3, "replays": True}
        play["setup"] = {"max_rounds": 2}
        reports: list[Any] = []
        with background(lambda: reports.append(client.play_matches("battles", **play))):
            assert soon(lambda: bool(client.live_matches()))
            (live,) = client.live_matches()
            assert (live.game, live.players, live.tournament) == ("battles", ("@waiting", "random"), "")
            frames: list[Frame] = []
            with background(lambda: frames.extend(client.spectate(live.match_id, first=0))):
                assert soon(lambda: bool(frames))
                with pytest.raises(NotAllowedError):
                    next(client.spectate(live.match_id, seat=0))
                player.go_on.set()
        here = Match.from_replay(reports[0].matches[0].replay)
        assert frames == list(here.frames(seat="public"))
        assert client.live_matches() == []
        with pytest.raises(MatchNotFoundError):
            next(client.spectate(live.match_id))


TOURNAMENT = """
name = "live"
seed = 5
blocks = 1
bots = [{name = "far", player = "waiting"}, {name = "random"}]
games = [{game = "battles", scenarios = [1], setup = {max_rounds = 1}}]
clock = {decision = 30}
"""


@contextmanager
def with_tokens(tmp_path: Path) -> Iterator[tuple[Server, dict[str, str]]]:
    """A server on which callers have names."""
    secrets, lines = {}, ""
    for name, role in (("owner", "run"), ("player", "run"), ("other", "run"), ("chief", "admin")):
        secrets[name], entry = make_token(name, role)
        lines += entry
    file = tmp_path / "tokens.toml"
    file.write_text(lines)
    file.chmod(0o600)
    with Server(port=0, access=Access(Tokens(file))) as server:
        yield server, secrets


def test_who_may_watch_a_match_of_a_tournament(tmp_path: Path) -> None:
    player = Waiting()
    with with_tokens(tmp_path) as (server, secrets):
        callers = {name: Client(server.address, token=token) for name, token in secrets.items()}
        owner = callers["owner"]
        with background(lambda: callers["player"].serve_bot(player)):
            assert soon(lambda: bool(owner.players()))
            tournament = owner.create_tournament(TOURNAMENT)
            assert soon(lambda: len(owner.live_matches(tournament.name)) == 2 and bool(player.asked))
            live = next(
                match for match in owner.live_matches() if match.players[player.asked[0].seat] == "far"
            )
            assert live.tournament == tournament.name
            assert callers["chief"].live_matches() == owner.live_matches()
            assert callers["other"].live_matches() == callers["player"].live_matches() == []
            assert callers["other"].live_matches(tournament.name) == []
            for caller in ("owner", "chief"):
                seen = next(callers[caller].spectate(live.match_id, first=0))
                assert isinstance(seen.view["command"]["hands"]["top"], int)  # type: ignore[index]
            for caller in ("player", "other"):
                with pytest.raises(MatchNotFoundError):
                    next(callers[caller].spectate(live.match_id))
            # The id that the player knows shows what its seat may see, to the client of this player alone.
            decision = player.asked[0]
            own = next(callers["player"].spectate(decision.match_id, first=0))
            hands = own.view["command"]["hands"]  # type: ignore[index]
            side = ("top", "bottom")[decision.seat]
            assert isinstance(hands.pop(side), list)
            assert all(isinstance(hand, int) for hand in hands.values())
            for caller in ("owner", "chief", "other"):
                with pytest.raises(MatchNotFoundError):
                    next(callers[caller].spectate(decision.match_id))
            with pytest.raises(NotAllowedError):
                next(callers["player"].spectate(decision.match_id, seat=1 - decision.seat))
            player.go_on.set()
            tournament.wait(timeout=60)
            name, _ = tournament.matches()[0]
            replay = tournament.replay(name)
            frames = list(owner.tournament_frames(tournament.name, name, seat=1))
            assert frames == list(replay.frames(seat=1))
            with pytest.raises(SengokuError):
                list(callers["other"].tournament_frames(tournament.name, name))
            server.stop(0)
        for client in callers.values():
            client.close()


def test_replays_of_a_tournament_with_players_are_secret_until_its_end(alone: Server) -> None:
    player = Waiting()
    text = TOURNAMENT.replace("blocks = 1", "blocks = 2")
    with connected(alone, player), Client(alone.address, timeout=60) as client:
        tournament = client.create_tournament(text)
        assert soon(lambda: bool(player.asked))
        with pytest.raises(TournamentNotOverError):
            list(client.tournament_frames(tournament.name, "0/0/0/0"))
        player.go_on.set()
        tournament.wait(timeout=60)
