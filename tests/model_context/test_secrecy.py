"""No answer over MCP depends on what its seat may not know: not a byte of any tool, resource or error."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from mcp import Client

from properties.test_frames_secrecy import SETUPS, TABLES
from sengoku import Match
from sengoku.server import Server
from support.mcp_players import RefusedError, call, here, over_http, run

TOOLS: dict[str, dict[str, Any]] = {
    "look": {},
    "list_actions": {},
    "play": {"answer": "what nobody can choose"},
    "wait_for_turn": {"seconds": 0},
    "read_messages": {},
    "analyse": {"iterations": 2},
    "replay": {},
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(port=0, http_port=0) as running:
        yield running


async def everything(client: Client, match: str, order: str) -> str:
    """All that a seat gets, as text; names of analyses are drawn."""
    found: list[object] = []
    for tool, arguments in TOOLS.items():
        try:
            answer = await call(client, tool, match=match, **arguments)
        except RefusedError as error:
            answer = {"text": str(error), "details": error.details}
        found.append({name: value for name, value in answer.items() if name != "analysis"})
    for form in ("svg", "txt"):
        read = await client.read_resource(f"sengoku://match/{match}/board.{form}")
        found.append([content.text for content in read.contents])
    return order + json.dumps(found)


def worlds(match: Match, seat: int) -> list[Match]:
    """Matches in the same position as far as a seat knows, with different secrets."""
    found = [match.resample(seat, seed=seed) for seed in range(4)]
    assert len({json.dumps(world.view(seat)) for world in found}) == 1
    return found


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_seat_gets_the_same_bytes_whatever_it_may_not_know(game: str, seats: int) -> None:
    async def compare() -> None:
        hidden = 0
        for number, setup in enumerate(SETUPS[game]):
            match = Match.create(game, seats=seats, seed=31 + number, setup=setup)
            for step in range(4):
                seat = (number + step) % seats
                alike = worlds(match, seat)
                hidden += len({json.dumps(world.state()) for world in alike}) > 1
                answers = set()
                for world in alike:
                    async with here() as client:
                        begun = await call(
                            client,
                            "begin_match",
                            game=game,
                            seats=seats,
                            seat=seat,
                            bots={},
                            setup=world.setup,
                            seed=world.seed,
                        )
                        first = begun["text"].partition("\n\n")[2]
                        answers.add(await everything(client, begun["match"], first))
                assert len(answers) == 1, (game, seats, match.decisions)
                if match.over:
                    break
                match.play_on(("greedy", "random")[step % 2], until=match.decisions + 9 + 40 * step)
        assert hidden

    run(compare())


@pytest.mark.parametrize(("game", "seats"), [("swords", 2), ("tower", 3), ("battles", 2)])
@pytest.mark.parametrize("transport", ["process", "http"])
def test_every_seat_sees_its_view_and_no_other(game: str, seats: int, transport: str, server: Server) -> None:
    """The texts of all seats of one match differ, and each is that of its own view."""

    async def look() -> None:
        async with here() if transport == "process" else over_http(server) as client:
            begun = await call(client, "begin_match", game=game, seats=seats, bots={}, seed=9)
            joined = [
                await call(client, "join_match", invitation=code) for code in begun["invitations"].values()
            ]
            players = [begun["match"], *(one["match"] for one in joined)]
            replica = Match.create(game, seats=seats, seed=9)
            for step in range(12):
                texts = [(await call(client, "look", match=name))["text"] for name in players]
                for seat, text in enumerate(texts):
                    assert text == replica.tell(seat)
                assert len(set(texts)) == seats
                to_act = replica.to_act
                assert to_act is not None
                for seat, name in enumerate(players):
                    if seat != to_act:
                        with pytest.raises(RefusedError, match="NOT_YOUR_TURN"):
                            await call(client, "list_actions", match=name)
                actions = replica.legal_actions()
                action = actions[step % len(actions)]
                replica.play(action)
                await call(client, "play", match=players[to_act], answer=action.text)

    run(look())


def test_what_is_said_in_private_is_in_no_answer_to_others() -> None:
    said = "what-two-know"

    async def whisper() -> None:
        async with here() as client:
            begun = await call(client, "begin_match", game="tower", seats=3, bots={}, seed=9)
            second, third = [
                await call(client, "join_match", invitation=code) for code in begun["invitations"].values()
            ]
            await call(client, "say", match=begun["match"], text=said, to=[1])
            actions = await call(client, "list_actions", match=begun["match"])
            await call(client, "play", match=begun["match"], answer=actions["choices"][0].partition(". ")[2])
            assert said in await everything(client, second["match"], "")
            assert said not in await everything(client, third["match"], "")

    run(whisper())
