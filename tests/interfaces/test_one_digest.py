"""The same decisions lead to one digest through every interface.

Matches are played in this process by random decisions, and then again with the same decisions over gRPC, over
HTTP, over MCP (HTTP and stdin/stdout), as states of OpenSpiel, and by a program on stdin/stdout.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as McpClient

from sengoku import Client, Match
from sengoku.bots import play_matches
from sengoku.bots.program import ProgramBot
from sengoku.openspiel import load_game
from sengoku.server import Server
from support.connect import Caller
from support.mcp_players import call, over_http, over_stdio, path_to, run
from support.players import SHORT, TABLES

SEED = 2026
SETUPS = SHORT | {"battles": {"scenario": 1, "max_rounds": 4}}
PROGRAM = """
import json, sys
histories, match = json.load(open(sys.argv[1])), -1
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "recorded"}), flush=True)
    elif message["type"] == "decide":
        match += message["decisions"] == 0
        action = histories[match][message["decisions"]]
        print(json.dumps({"type": "action", "id": message["id"], "action": action}), flush=True)
"""
"""Takes the decisions of a file; its matches are played one after the other."""


@dataclass(frozen=True)
class Record:
    """A match that was played in this process."""

    game: str
    seats: int
    number: int
    history: list[int]
    digest: int

    @property
    def options(self) -> dict[str, Any]:
        """How to begin it anew."""
        setup = SETUPS[self.game]
        return {"seats": self.seats, "seed": SEED, "match_index": self.number, "setup": setup}

    def begin(self) -> Match:
        """Begin it anew in this process."""
        return Match.create(self.game, **self.options)


def recorded(game: str, seats: int, number: int) -> Record:
    """Play a match by random decisions."""
    choose = random.Random(f"{game} {number}")
    match = Match.create(game, seats=seats, seed=SEED, match_index=number, setup=SETUPS[game])
    while not match.over:
        match.play(choose.choice(match.legal_actions()))
    return Record(game, seats, number, match.history, match.digest)


def in_process(records: list[Record], _server: Server, _folder: Path) -> Iterator[int]:
    for record in records:
        match = record.begin()
        for action in record.history:
            match.play(action, match.to_act)
        yield Match.from_replay(match.replay()).digest


def over_grpc(records: list[Record], server: Server, _folder: Path) -> Iterator[int]:
    with Client(server.address, timeout=60) as client:
        for record in records:
            with client.create_match(record.game, **record.options) as match:
                for decisions, action in enumerate(record.history):
                    match.play(action, expected_decisions=decisions)
                assert match.over
                yield match.digest


def over_connect(records: list[Record], server: Server, _folder: Path) -> Iterator[int]:
    with Caller(server) as caller:

        def ask(method: str, **fields: Any) -> Any:
            answer = caller.post(f"/sengoku.v1.MatchService/{method}", json.dumps(fields).encode(), "json")
            assert answer.status_code == 200, answer.text
            return answer.json()

        for record in records:
            begun = ask(
                "CreateMatch",
                game=record.game,
                seats=record.seats,
                seed=str(SEED),
                matchIndex=str(record.number),
                setupJson=json.dumps(SETUPS[record.game]),
            )
            access = {"matchId": begun["access"]["matchId"], "token": begun["access"]["ownerToken"]}
            for action in record.history:
                status = ask("Play", **access, action=str(action))["status"]
            assert "outcome" in status
            yield int(ask("GetRecord", **access)["digest"])
            ask("DeleteMatch", **access)


def over_mcp(
    connect: Callable[[Server], AbstractAsyncContextManager[McpClient]],
    records: list[Record],
    server: Server,
    _folder: Path,
) -> list[int]:
    """Play all seats, each by its own invitation, with the numbers and texts of choices in turn."""

    async def play(client: McpClient, record: Record) -> int:
        begun = await call(
            client, "begin_match", game=record.game, bots={}, seat=0, budget=300, **record.options
        )
        joined = [
            await call(client, "join_match", invitation=code, budget=300)
            for code in begun["invitations"].values()
        ]
        players = [begun["match"], *(one["match"] for one in joined)]
        replica = record.begin()
        for decisions, action in enumerate(record.history):
            (text,) = (one.text for one in replica.legal_actions() if one.index == action)
            answer = text if decisions % 2 else path_to(replica.choices(), action)
            told = await call(
                client, "play", match=players[replica.to_act], answer=answer, decisions=decisions, look=False
            )
            assert told["played"] == text
            replica.play(action)
        assert told["over"]
        replay = (await call(client, "replay", match=begun["match"]))["text"]
        for name in reversed(players):
            await call(client, "end_match", match=name)
        (digest,) = (line.split()[1] for line in replay.splitlines() if line.startswith("digest "))
        return int(digest, 16)

    async def play_all() -> list[int]:
        async with connect(server) as client:
            return [await play(client, record) for record in records]

    return run(play_all(), 3_600)


def in_openspiel(records: list[Record], _server: Server, _folder: Path) -> Iterator[int]:
    for record in records:
        game = load_game(record.game, seats=record.seats, setup=SETUPS[record.game], seed=SEED)
        state = game.new_initial_state()
        for action in (record.number, *record.history):  # chance chooses the match
            state.apply_action(action)
        assert state.is_terminal()
        yield state.match.digest


def by_a_program(records: list[Record], _server: Server, folder: Path) -> list[int]:
    script, histories = folder / "recorded.py", folder / "histories.json"
    script.write_text(PROGRAM, "utf-8")
    histories.write_text(json.dumps([record.history for record in records]), "utf-8")
    first = records[0]
    report = play_matches(
        first.game,
        players=[ProgramBot([sys.executable, "-I", "-S", str(script), str(histories)])],
        seats=first.seats,
        match_count=len(records),
        first_match=first.number,
        seed=SEED,
        setup=SETUPS[first.game],
        at_once=1,
    )
    assert not any(any(match.forfeits) for match in report.matches)
    return [match.digest for match in report.matches]


INTERFACES: dict[str, Callable[[list[Record], Server, Path], Any]] = {
    "process": in_process,
    "gRPC": over_grpc,
    "HTTP": over_connect,
    "MCP over HTTP": partial(over_mcp, over_http),
    "MCP over stdin/stdout": partial(over_mcp, lambda _server: over_stdio()),
    "OpenSpiel": in_openspiel,
    "stdin/stdout": by_a_program,
}


def compare(records: list[Record], folder: Path, interfaces: Iterable[str]) -> None:
    """Play recorded matches of one game through interfaces, and print how long it takes."""
    expected = [record.digest for record in records]
    assert len(set(expected)) == len(records)
    decisions = sum(len(record.history) for record in records)
    about = f"{records[0].game}: {len(records)} matches, {decisions} decisions"
    with Server(port=0, http_port=0) as server:
        for name in interfaces:
            start = time.perf_counter()
            found = list(INTERFACES[name](records, server, folder))
            assert found == expected, name
            print(f"{about}, {name}: one digest, {time.perf_counter() - start:.1f} s")  # noqa: T201


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_one_digest_through_every_interface(game: str, seats: int, tmp_path: Path) -> None:
    records = [recorded(game, seats, number) for number in range(3)]
    compare(records, tmp_path, [name for name in INTERFACES if "MCP" not in name])
    compare(records[:1], tmp_path, ["MCP over HTTP"])


@pytest.mark.system
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_one_hundred_matches_have_one_digest_through_every_interface(
    game: str, seats: int, tmp_path: Path
) -> None:
    compare([recorded(game, seats, number) for number in range(100)], tmp_path, INTERFACES)
