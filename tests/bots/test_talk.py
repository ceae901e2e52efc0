"""Bots that talk: in process, as programs, and over a network."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sengoku import Client, Match, Proposal, play_matches
from sengoku.bots.bot import Decision
from sengoku.bots.program import ProgramBot, python_bot
from sengoku.server import Limits, Server
from sengoku.tournament import parse_spec
from support.players import connected

TABLE: dict[str, Any] = {"seats": 3, "match_count": 2, "seed": 5, "setup": {"max_rounds": 1}}


class Talker:
    """Offers a truce to the next seat, accepts what it is offered, and remembers what it reads."""

    name = "talker"

    def __init__(self) -> None:
        self.read: list[tuple[str, int, list[dict[str, Any]]]] = []
        self.could: list[bool] = []

    def decide(self, decision: Decision) -> int:
        """Decides."""
        self.read.append((decision.match_id, decision.seat, [m.to_row() for m in decision.messages]))
        if decision.decisions < 30:
            other = (decision.seat + 1) % decision.seats
            heard = [m for m in decision.messages if m.proposal and m.seat != decision.seat]
            if heard:
                decision.say("agreed", answers=heard[-1].number, accepts=True)
            self.could.append(decision.say(f"to {other}", to=other, proposal=Proposal("truce", rounds=1)))
            decision.say("bad\x1b[31m")
        return int(decision.legal[0])


def check(report: Any) -> None:
    assert report.forfeits == {}
    assert len(report.matches) == 2
    for row in report.matches:
        match = Match.from_replay(row.replay)
        assert match.digest == row.digest
        said = match.messages()
        assert {message.seat for message in said} == {0, 1, 2}
        assert any(message.accepts for message in said)
        assert all(message.text in {"agreed", *(f"to {seat}" for seat in range(3))} for message in said)


def test_bots_read_what_is_for_them_once() -> None:
    bot = Talker()
    report = play_matches("swords", players=[bot], talk=True, replays=True, **TABLE)
    check(report)
    by_seat: dict[str, tuple[int, list[dict[str, Any]]]] = {}
    for match_id, seat, rows in bot.read:
        by_seat.setdefault(match_id, (seat, []))[1].extend(rows)
    replays = [Match.from_replay(row.replay) for row in report.matches]
    for seat, rows in by_seat.values():
        assert rows, "messages reach the seat"
        assert all(row["to"] is None or seat in (row["seat"], *row["to"]) for row in rows)
        assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
        listed = [[message.to_row() for message in match.messages(seat)] for match in replays]
        assert any(rows == some[: len(rows)] for some in listed)


def test_without_talk_nothing_is_said() -> None:
    bot = Talker()
    report = play_matches("swords", players=[bot], replays=True, **TABLE)
    assert not any(bot.could)
    assert not any(rows for _, _, rows in bot.read)
    silent = play_matches("swords", players=[Talker()], talk=True, replays=True, **TABLE)
    assert [row.digest for row in report.matches] == [row.digest for row in silent.matches]
    for row in report.matches:
        assert Match.from_replay(row.replay).messages() == []


def test_programs_talk() -> None:
    check(
        play_matches(
            "swords", players=[python_bot("bots.test_talk:Talker")], talk=True, replays=True, **TABLE
        )
    )


BOT = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "own"}), flush=True)
    elif message["type"] == "decide":
        answer = {"type": "action", "id": message["id"], "action": message["legal"][0]}
        if message.get("messages") is not None and message["decisions"] < 20:
            answer["say"] = SAY
        print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize(
    ("say", "forfeits"),
    [
        ('[{"text": "hello"}, {"seat": 0, "text": "mine"}, 7, {"x": 1}, {"text": 7}]', 0),
        ('[{"text": "x"}] * 99', 3),
        ('"hello"', 3),
    ],
)
def test_what_programs_say_is_theirs(tmp_path: Path, say: str, forfeits: int) -> None:
    file = tmp_path / "bot.py"
    file.write_text(BOT.replace("SAY", say))
    bot = ProgramBot([sys.executable, str(file)])
    report = play_matches(
        "swords", players=["random", bot], talk=True, replays=True, **{**TABLE, "match_count": 1}
    )
    assert bool(report.forfeits) == bool(forfeits)
    if not forfeits:
        said = Match.from_replay(report.matches[0].replay or "").messages()
        assert {message.text for message in said} == {"hello", "mine"}
        assert 0 not in {message.seat for message in said}, "nobody speaks in the name of another seat"


def test_players_of_a_server_talk() -> None:
    bot = Talker()
    with Server(port=0) as server, Client(server.address, timeout=120) as client, connected(server, bot):
        report = client.play_matches("swords", players=["@talker"], talk=True, replays=True, **TABLE)
        page = server.metrics.page().decode()
    check(report)
    assert any(rows for _, _, rows in bot.read)
    said = sum(len(Match.from_replay(row.replay or "").messages()) for row in report.matches)
    assert f'sengoku_messages_said_total{{game="swords"}} {said}.0' in page


def test_a_server_may_allow_less() -> None:
    with (
        Server(port=0, limits=Limits(messages=1)) as server,
        Client(server.address, timeout=120) as client,
        connected(server, Talker()),
    ):
        report = client.play_matches("swords", players=["@talker"], talk=True, replays=True, **TABLE)
    for row in report.matches:
        said = Match.from_replay(row.replay or "").messages()
        assert sorted(message.seat for message in said) == [0, 1, 2]


def test_tournaments_talk_only_if_their_file_says_so() -> None:
    text = 'bots = [{name = "greedy"}, {name = "random"}]\ngames = [{game = "battles"}]\n'
    plain, talking = parse_spec(text), parse_spec("talk = true\n" + text)
    assert (plain.talk, talking.talk) == (False, True)
    assert "talk" not in json.loads(plain.to_json()), "older files keep their digest"
    assert plain.from_json(talking.to_json()) == talking
    assert plain.digest != talking.digest
