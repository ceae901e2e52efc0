"""Both clients have the same methods, with the same arguments and results."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import pytest

from sengoku import (
    AsyncClient,
    Client,
    Match,
    RemoteBatchEnv,
    RemoteCubeTower,
    RemoteMatch,
    RemoteRun,
    RemoteTournament,
    battles,
    run_matches,
    run_scenarios,
    tower,
)
from sengoku.client import (
    AsyncRemoteBatchEnv,
    AsyncRemoteCubeTower,
    AsyncRemoteMatch,
    AsyncRemoteRun,
    AsyncRemoteTournament,
)
from sengoku.client._channel import RPCS
from sengoku.errors import ArgumentError, MatchNotFoundError, NotAllowedError, RunNotFoundError, SengokuError
from sengoku.server import Server
from sengoku.v1 import catalog_service_pb2, match_service_pb2, odds_service_pb2
from support.clients import DUEL, OPTIONS, awaited

CLASH = tower.Clash(("blue", 4), ("yellow", 3))
STRIKE = battles.Strike("SSp", "ASp")


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Client, AsyncClient),
        (RemoteMatch, AsyncRemoteMatch),
        (RemoteCubeTower, AsyncRemoteCubeTower),
        (RemoteRun, AsyncRemoteRun),
        (RemoteBatchEnv, AsyncRemoteBatchEnv),
        (RemoteTournament, AsyncRemoteTournament),
    ],
)
def test_the_same_names_with_the_same_arguments(one: type, other: type) -> None:
    assert public(one) == public(other)
    for name in (*public(one), "__init__"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.__doc__ == theirs.__doc__
        assert mine.__doc__ or name == "__init__"
        if not isinstance(mine, property):
            assert inspect.signature(mine) == inspect.signature(theirs)
            assert "Flow[" not in str(inspect.signature(mine))  # the result as the caller gets it
            assert "Call[" not in str(inspect.signature(mine))


def test_names_that_others_build_on() -> None:
    assert {
        *("ask_match", "ask_tower", "batch_odds", "close", "create_match", "cube_tower", "exact", "games"),
        *("join_match", "load_match", "match_from_replay", "odds", "read_scenario", "run_matches"),
        *("run_scenarios", "sample", "scenario", "scenarios", "simulate_throws", "spec", "tower_models"),
        *("version",),
        *("start_run", "run", "runs"),
        *("create_tournament", "tournament", "tournaments"),
    } <= public(Client)
    assert {"name", "metadata", "watch", "wait", "report", "read", "save", "cancel", "delete"} <= public(
        RemoteRun
    )


CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "ask": ((odds_service_pb2.EvaluateRequest(),), {}),
    "ask_match": (("GetMatch", match_service_pb2.GetMatchRequest()), {}),
    "ask_tower": ((), {}),
    "batch_odds": (([STRIKE, STRIKE],), {"method": "sampled", "samples": 1000, "seed": 5}),
    "exact": ((DUEL,), {}),
    "games": ((), {}),
    "health": ((), {}),
    "odds": ((CLASH,), {"max_error": 0.01, "seed": 9}),
    "play_matches": (("battles",), {"players": ["greedy", "random"], "match_count": 3, "rotate": True}),
    "players": ((), {}),
    "read_scenario": (("no such file",), {}),
    "run": (("operations/none",), {}),
    "run_matches": (("battles",), OPTIONS),
    "run_scenarios": (("tower",), {"bots": ["random"], "match_count": 2, "seed": 1}),
    "runs": (("lost",), {}),
    "sample": ((DUEL, 5000), {"seed": 4}),
    "scenario": ((8,), {}),
    "scenarios": ((), {}),
    "simulate_throws": (({"blue": 3},), {"count": 50, "seed": 2}),
    "spec": (("tower",), {}),
    "tower_models": ((), {}),
    "version": ((), {}),
    "join_match": (("nobody", "knows"), {}),
    "load_match": ((b"nothing",), {}),
    "match_from_replay": (("nothing",), {}),
    "create_match": (("chess",), {}),
    "start_run": (("battles",), OPTIONS | {"match_count": 0}),
    "create_tournament": (("bots = 1",), {}),
    "tournament": (("none",), {}),
    "start_analysis": (("nothing",), {}),
    "analysis": (("none",), {}),
    "live_matches": ((), {}),
}
"""Arguments of each method whose result or error is the same every time."""
ELSEWHERE = {
    *("close", "cube_tower", "film", "status", "serve_bot", "batch_env", "tournaments"),
    *("spectate", "replay_frames", "tournament_frames"),
}
"""Methods with their own tests: below, and with those of players, environments and tournaments."""


def outcome_of(call: Callable[[], Any]) -> Any:
    """Return the result of a call, or its error."""
    try:
        return call()
    except (SengokuError, TypeError) as error:
        return type(error), str(error), getattr(error, "details", None)


def test_every_method_gives_the_same_answer(server: Server, client: Client) -> None:
    assert {*CALLS} | ELSEWHERE == public(Client)

    async def ask() -> dict[str, Any]:
        answers = {}
        async with AsyncClient(server.address, timeout=60) as other:
            for name, (args, options) in CALLS.items():
                try:
                    answers[name] = await getattr(other, name)(*args, **options)
                except (SengokuError, TypeError) as error:
                    answers[name] = type(error), str(error), getattr(error, "details", None)
        return answers

    answers = awaited(ask())
    for name, (args, options) in CALLS.items():
        here = outcome_of(
            lambda name=name, args=args, options=options: getattr(client, name)(*args, **options)
        )
        if name == "run_scenarios":
            here, answers[name] = here.summary(), answers[name].summary()
            assert here == run_scenarios(*args, **options).summary()
        assert here == answers[name], name
    assert answers["run_matches"] == run_matches("battles", **OPTIONS)
    assert (answers["exact"], answers["sample"]) == (DUEL.exact(), DUEL.sample(5000, seed=4))
    assert answers["runs"][0] is answers["start_run"][0] is ArgumentError
    assert answers["run"][0] is RunNotFoundError


def test_pictures_of_scenarios(server: Server, client: Client) -> None:
    async def ask() -> None:
        async with AsyncClient(server.address, timeout=60) as other:
            one = await other.scenario("sun")
            assert one.picture == client.scenario("sun").picture
            first = (await other.scenarios("tower"))[0]
            assert first == client.scenarios("tower")[0]
            with pytest.raises(ArgumentError, match=r"await client.scenario\('sun'\)"):
                first.picture.save("nowhere")

    awaited(ask())


def test_a_match_awaited(server: Server, client: Client) -> None:
    async def play() -> None:
        async with AsyncClient(server.address, timeout=60) as other:
            options = {"seed": 11, "seats": 2, "match_index": 3}
            with client.create_match("battles", **options) as here:
                async with await other.create_match("battles", **options) as there:
                    for _ in range(20):
                        actions = await there.legal_actions()
                        assert actions == here.legal_actions()
                        assert ((await there.legal_mask()) == here.legal_mask()).all()
                        await there.play(actions[0], expected_decisions=await there.decisions)
                        here.play(actions[0])
                    asked = ("to_act", "over", "outcome", "decisions", "history", "digest", "dice_left")
                    for name in (*asked, "log", "seed", "match_index", "setup"):
                        assert await getattr(there, name) == getattr(here, name), name
                    for name in ("game", "seats", "seat"):
                        assert getattr(there, name) == getattr(here, name)
                    assert await there.state() == here.state()
                    assert await there.view(1) == here.view(1)
                    assert (await there.observe(0) == here.observe(0)).all()
                    assert await there.picture() == here.picture()
                    assert await there.sketch(0) == here.sketch(0)
                    assert await there.save() == here.save()
                    assert await there.replay() == here.replay()
                    assert await there.count_sequences(1) == here.count_sequences(1)
                    logs = await asyncio.gather(*(there.log for _ in range(5)))
                    assert all(log == here.log for log in logs)
                    copy = await there.clone()
                    assert isinstance(copy, AsyncRemoteMatch)
                    assert await copy.digest == here.digest
                    await copy.close()
                    seat = await other.join_match(there.match_id, there.seat_tokens[0])
                    with pytest.raises(NotAllowedError):
                        await seat.state()
                    assert "AsyncRemoteMatch" in repr(seat)
                with pytest.raises(MatchNotFoundError):
                    await there.to_act
            with pytest.raises(KeyError, match="mine"):
                async with await other.create_match("battles"):
                    raise KeyError("mine")

    awaited(play())


def test_a_match_with_bots_awaited(server: Server, client: Client) -> None:
    async def play() -> None:
        options: dict[str, Any] = {"seed": 3, "bots": {1: "greedy"}}
        here = Match.create("battles", **options)
        async with AsyncClient(server.address, timeout=60) as other:
            with client.create_match("battles", **options) as plain:
                async with await other.create_match("battles", **options) as there:
                    for _ in range(4):
                        action = await there.suggest("random", seed=2)
                        assert action == plain.suggest("random", seed=2) == here.suggest("random", seed=2)
                        await there.play(action)
                        plain.play(action)
                        here.play(action)
                    assert await there.bots == plain.bots == here.bots == {1: "greedy"}
                    assert await there.replay() == plain.replay() == here.replay()
                    frames = list(here.frames(seat=1))
                    assert [frame async for frame in there.frames(seat=1)] == frames
                    assert list(plain.frames(seat=1)) == frames
                    spectator = await other.join_match(there.match_id, there.spectator_token)
                    assert spectator.spectator
                    seen = [frame async for frame in spectator.frames(2)]
                    assert seen == list(here.frames(2, seat="public"))
                    watch = other.spectate(there.match_id, there.spectator_token, first=2)
                    assert [await anext(watch) for _ in seen] == seen
                    replay = here.replay()
                    assert [frame async for frame in other.replay_frames(replay, 2, seat="public")] == seen
                    assert list(client.replay_frames(here.save(), 2, seat="public")) == seen

    awaited(play())


def test_a_tower_awaited(server: Server, client: Client) -> None:
    async def throw() -> None:
        async with AsyncClient(server.address, timeout=60) as other:
            here, there = client.cube_tower(seed=5), other.cube_tower(seed=5)
            for cubes in ({"blue": 4, "red": 3}, {"yellow": 5}):
                assert await there.throw(cubes) == here.throw(cubes)
            assert there.save() == here.save()
            copy = there.clone()
            assert isinstance(copy, AsyncRemoteCubeTower)
            assert await copy.throw({"blue": 1}) == here.clone().throw({"blue": 1})
            assert (there.contents, there.throws, len(there)) == (here.contents, here.throws, len(here))

    awaited(throw())


def test_what_a_server_does(server: Server, client: Client) -> None:
    before = client.status()
    client.run_matches("tower", bots=["random"], match_count=7, seed=1)
    with client.create_match("battles"), client.batch_env("battles", lanes=2):
        after = client.status()

        async def ask() -> dict[str, Any]:
            async with AsyncClient(server.address) as other:
                return await other.status()

        assert {*awaited(ask())} == {*after}
    earlier = before["plays"].get("tower", {"matches": 0})
    assert after["plays"]["tower"]["matches"] == earlier["matches"] + 7
    assert after["plays"]["tower"]["decisions"] > 7
    assert after["uptime"] > before["uptime"] >= 0
    assert after["start_time"] == before["start_time"]
    assert (after["stopping"], after["calls"] >= 1) == (False, True)
    assert after["open_matches"] == before["open_matches"] + 1
    assert (before["environments"], after["environments"]) == (0, 1)
    assert (after["players"], after["tournaments"]) == (0, {})


def test_requests_of_each_method_are_told_apart() -> None:
    assert len(RPCS) == len({rpc.path for rpc in RPCS.values()})
    assert RPCS[catalog_service_pb2.GetStatusRequest.DESCRIPTOR.full_name].method == "GetStatus"
    with (
        Client("localhost:1") as client,
        pytest.raises(TypeError, match="Play takes a PlayRequest, not a GetMatchRequest"),
    ):
        client.ask_match("Play", match_service_pb2.GetMatchRequest())
