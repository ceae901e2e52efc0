"""Whole matches over MCP: every game and transport, by players who read and answer nothing but text."""

import asyncio
import random
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from mcp import Client

from sengoku import Match
from sengoku.server import Server
from support.mcp_players import MODES, call, here, over_http, over_stdio, play_by_text, refusal, run
from support.players import SHORT, TABLES

TRANSPORTS = ("stdio", "stdio to a server", "http")
SOME = ("http", *(pytest.param(name, marks=pytest.mark.system) for name in TRANSPORTS[:2]))
PAIRS = [
    pytest.param(
        transport,
        mode,
        marks=[] if (transport, mode) in {("stdio", "auto"), ("http", "legacy")} else pytest.mark.system,
    )
    for transport in TRANSPORTS
    for mode in MODES
]
"""Connections of today's protocol and of the one before it; most of them only in the tier `system`."""


def connection(transport: str, server: Server, mode: str) -> AbstractAsyncContextManager[Client]:
    if transport == "http":
        return over_http(server, mode=mode)
    return over_stdio(*(["--server", server.address] if transport == "stdio to a server" else []), mode=mode)


@pytest.fixture(scope="module")
def server() -> Any:
    with Server(port=0, http_port=0) as running:
        yield running


def random_choice(seed: int) -> Any:
    chosen = random.Random(seed)
    return chosen.randrange


@pytest.mark.parametrize(("transport", "mode"), PAIRS)
def test_whole_matches_of_all_games(transport: str, mode: str, server: Server) -> None:
    async def play() -> None:
        async with connection(transport, server, mode) as client:
            for number, (game, seats) in enumerate(TABLES):
                begun = await call(
                    client,
                    "begin_match",
                    game=game,
                    seats=seats,
                    seed=number,
                    setup=SHORT[game],
                    bots="greedy",
                )
                told = await play_by_text(client, begun, random_choice(number))
                assert told["ranks"] is not None
                replay = await call(client, "replay", match=begun["match"])
                match = Match.from_replay(replay["text"])
                assert (match.over, match.game, match.seed) == (True, game, number)
                assert match.decisions == told["decisions"]
                await call(client, "end_match", match=begun["match"])
                assert (await refusal(client, "look", match=begun["match"])).reason == "MATCH_NOT_FOUND"

    run(play())
    assert server._mcp.seats == 0


@pytest.mark.parametrize("transport", SOME)
def test_players_meet_by_invitation_and_wait_for_each_other(transport: str, server: Server) -> None:
    async def play() -> None:
        async with connection(transport, server, "auto") as client:
            one = await call(
                client,
                "begin_match",
                game="tower",
                seats=3,
                seed=3,
                setup={"max_rounds": 1},
                bots={"2": "greedy"},
            )
            assert set(one["invitations"]) == {"1"}
            two = await call(client, "join_match", invitation=one["invitations"]["1"])
            assert (two["seat"], two["match"] != one["match"]) == (1, True)
            assert (await refusal(client, "replay", match=two["match"])).reason == "NOT_ALLOWED"
            ends = await asyncio.gather(
                *(play_by_text(client, begun, random_choice(place)) for place, begun in enumerate((one, two)))
            )
            assert ends[0]["ranks"] == ends[1]["ranks"]
            # Over: the one who began it may see everything, the other one may not.
            await call(client, "replay", match=one["match"])
            assert (await refusal(client, "replay", match=two["match"])).reason == "NOT_ALLOWED"
            analysed = await call(client, "analyse", match=two["match"], iterations=1)
            assert "only what seat 1 may know" in analysed["text"]
            analysed = await call(client, "analyse", match=one["match"], iterations=1)
            assert "only what seat" not in analysed["text"]
            # Whoever leaves ends nothing; whoever began it does.
            await call(client, "end_match", match=two["match"])
            assert (await call(client, "look", match=one["match"]))["over"]
            again = await call(client, "join_match", invitation=one["invitations"]["1"])
            await call(client, "end_match", match=one["match"])
            assert (await refusal(client, "look", match=again["match"])).reason == "MATCH_NOT_FOUND"
            if transport != "stdio":
                await call(client, "end_match", match=again["match"])

    run(play())


@pytest.mark.parametrize("transport", SOME)
def test_a_wait_ends_when_its_time_is_over(transport: str, server: Server) -> None:
    async def wait() -> None:
        async with connection(transport, server, "auto") as client:
            begun = await call(client, "begin_match", game="tower", seats=3, bots={}, seat=2, seed=1)
            assert not begun["your_turn"]
            told = await call(client, "wait_for_turn", match=begun["match"], seconds=0.3)
            assert not told["your_turn"]
            waiting = asyncio.create_task(call(client, "wait_for_turn", match=begun["match"], seconds=40))
            await asyncio.sleep(0.2)
            await call(client, "end_match", match=begun["match"])
            with pytest.raises(Exception, match="MATCH_NOT_FOUND"):
                await waiting

    run(wait())


def test_a_repeated_answer_is_played_once() -> None:
    async def play() -> None:
        async with here() as client:
            begun = await call(client, "begin_match", game="battles", scenario="8", seed=3)
            match, decisions = begun["match"], begun["decisions"]
            played = await call(client, "play", match=match, answer="1", decisions=decisions, look=False)
            assert played["text"] == f"You played: {played['played']}"
            assert played["decisions"] > decisions
            again = await refusal(client, "play", match=match, answer="1", decisions=decisions)
            assert again.reason in {"STALE_MATCH", "NOT_YOUR_TURN"}

    run(play())


def test_many_choices_are_chosen_in_two_steps() -> None:
    async def play() -> None:
        async with here() as client:
            begun = await call(client, "begin_match", game="swords", seats=2, seed=5)
            match = begun["match"]
            choices = (await call(client, "list_actions", match=match))["choices"]
            group = next(line for line in choices if line.endswith(" choices)"))
            number = group.partition(".")[0]
            inner = await call(client, "list_actions", match=match, group=number)
            assert all(line.startswith(f"{number}.") for line in inner["choices"])
            before = (await call(client, "look", match=match))["decisions"]
            step = await call(client, "play", match=match, answer=number)
            assert step["played"] is None
            assert step["choices"] == inner["choices"]
            assert (await call(client, "look", match=match))["decisions"] == before
            line = inner["choices"][1]
            path, _, text = line.partition(". ")
            assert (await call(client, "play", match=match, answer=path))["played"] == text
            refused = await refusal(client, "play", match=match, answer="1.1.1.1.1")
            assert (refused.reason, refused.field) == ("INVALID_ARGUMENT", "answer")

    run(play())


def test_talk_reaches_the_seats_that_it_is_for() -> None:
    async def talk() -> None:
        async with here() as client:
            one = await call(client, "begin_match", game="tower", seats=3, bots={}, seed=2)
            two, three = [
                await call(client, "join_match", invitation=code) for code in one["invitations"].values()
            ]
            offer = await call(
                client, "say", match=one["match"], text="quietly", to=[1], proposal="truce", rounds=2
            )
            seen = await call(client, "look", match=two["match"])
            assert seen["text"].count("quietly") == 1
            assert "quietly" not in (await call(client, "look", match=three["match"]))["text"]
            assert (await call(client, "read_messages", match=three["match"]))["messages"] == []
            number = (await call(client, "read_messages", match=two["match"]))["messages"][0]["number"]
            await call(client, "say", match=two["match"], answers=number, accepts=True)
            heard = await call(client, "read_messages", match=one["match"], since=offer["message"]["number"])
            assert heard["messages"][0]["accepts"] is True

    run(talk())
