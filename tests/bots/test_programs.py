"""Programs on standard input and output: the same matches as in process and over the network."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sengoku import Client, play_matches
from sengoku.bots.check import check_bot
from sengoku.bots.lines import decision_from_line, decisions_to_lines, over_from_line, over_to_line, read_line
from sengoku.bots.program import ProgramBot, python_bot
from sengoku.cli.main import app
from sengoku.server import Server
from support.bots import First, Hashing, Middle
from support.hostile_bots import program
from support.players import SHORT, TABLES, connected

EXAMPLES = Path(__file__).parents[2] / "examples"


def digests(report: Any) -> list[int]:
    assert report.forfeits == {}
    return [match.digest for match in report.matches]


def check_digests(game: str, seats: int, matches: int) -> None:
    """The decisions of a bot that depend on everything it is shown lead to the same matches everywhere."""
    wish: dict[str, Any] = {"seats": seats, "match_count": matches, "seed": 5, "setup": SHORT[game]}
    here = digests(play_matches(game, players=[Hashing(), "random"], **wish))
    assert len(set(here)) == matches
    assert digests(play_matches(game, players=[python_bot("support.bots:Hashing"), "random"], **wish)) == here
    with Server(port=0) as server, Client(server.address, timeout=600) as client:
        with connected(server, Hashing()):
            assert digests(client.play_matches(game, players=["@hashing", "random"], **wish)) == here
        other = python_bot("support.bots:Hashing", name="program")
        with connected(server, other):
            assert digests(client.play_matches(game, players=["@program", "random"], **wish)) == here
        other.close()


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_one_digest_in_process_over_pipes_and_over_the_network(game: str, seats: int) -> None:
    check_digests(game, seats, 2)


@pytest.mark.system
@pytest.mark.timeout(1800)  # three minutes for swords on two busy cores
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_one_digest_for_a_hundred_matches(game: str, seats: int) -> None:
    check_digests(game, seats, 100)


def test_many_decisions_at_once() -> None:
    wish: dict[str, Any] = {"match_count": 20, "seed": 5, "setup": SHORT["battles"]}
    middle = play_matches("battles", players=[Middle(), "random"], **wish)
    batches = python_bot("support.bots:Middle")
    assert batches.capacity > 1
    assert digests(play_matches("battles", players=[batches, "random"], **wish)) == digests(middle)


def test_lines_are_read_as_they_were_written() -> None:
    seen = Middle()
    play_matches("tower", players=[seen], seats=3, match_count=1, seed=5, setup=SHORT["tower"])
    text = decisions_to_lines(seen.seen, 1)
    assert text.count(b"\n") == len(seen.seen)
    for number, (line, decision) in enumerate(zip(text.splitlines(), seen.seen, strict=True), 1):
        message = read_line(line)
        assert (message["id"], message["pending"]) == (number, len(seen.seen) - number)
        read = decision_from_line(message)
        assert (read.view, read.actions) == (decision.view, decision.actions)
        assert read.observation is not None
        assert read.observation.tolist() == decision.observation.tolist()  # type: ignore[union-attr]
        assert read.legal.tolist() == decision.legal.tolist()
        for name in ("match_id", "game", "seats", "seat", "decisions", "seconds_left"):
            assert getattr(read, name) == getattr(decision, name)
    for over in seen.over:
        assert over_from_line(read_line(over_to_line(over))) == over


# Examples


def play(argv: list[str], game: str = "battles") -> Any:
    wish: dict[str, Any] = {"match_count": 3, "seed": 5, "setup": SHORT[game]}
    return play_matches(game, players=[ProgramBot(argv), "random"], **wish)


def test_the_shell_bots() -> None:
    wish: dict[str, Any] = {"match_count": 3, "seed": 5, "setup": SHORT["battles"]}
    report = play([str(EXAMPLES / "shell" / "first_bot.sh")])
    assert digests(report) == digests(play_matches("battles", players=[First(), "random"], **wish))
    if shutil.which("jq"):
        last = play([str(EXAMPLES / "shell" / "last_bot.sh")], "tower")
        assert last.players[0] == "last"
        assert last.forfeits == {}


def test_the_python_program() -> None:
    report = play([sys.executable, str(EXAMPLES / "python" / "program_bot.py")])
    assert report.players == ("keen", "random")
    assert report.forfeits == {}


@pytest.mark.system
@pytest.mark.timeout(600)
def test_the_go_bot(tmp_path: Path) -> None:
    go = shutil.which("go")
    if go is None:
        pytest.skip("go not found")
    out = tmp_path / "bot"
    env = os.environ | {"GOFLAGS": "-mod=readonly"}
    subprocess.run([go, "build", "-o", str(out), "."], cwd=EXAMPLES / "go_bot", env=env, check=True)
    wish: dict[str, Any] = {"match_count": 3, "seed": 5, "setup": SHORT["battles"]}
    here = digests(play_matches("battles", players=[Middle(), "random"], **wish))
    assert digests(play([str(out)])) == here


# Checks and commands


def test_the_check_isolates_a_bot_that_would_end_it(tmp_path: Path) -> None:
    """`os._exit` in a bot ended the check silently."""
    body = "if message['decisions'] > 60:\n    os._exit(3)"
    report = check_bot(lambda: program(tmp_path, body), game="battles", decisions=1)
    assert not report.passed
    (game,) = report.games
    assert {failure.reason for failure in game.failures} == {"crashed"}
    assert any("it ended with exit code 3" in failure.text for failure in game.failures)


def command(*words: str) -> Any:
    return CliRunner().invoke(app, ["bot", *words])


def test_commands() -> None:
    shell = str(EXAMPLES / "shell" / "first_bot.sh")
    wish = ("--game", "battles", "--matches", "1", "--setup", "max_rounds=3", "--json")
    played = command("play", "--program", shell, *wish)
    assert played.exit_code == 0, played.output
    assert json.loads(played.stdout)["players"] == ["first", "greedy"]
    for options in ((), ("--trusted",)):
        same = command("play", "support.bots:First", *wish, *options)
        assert [match["digest"] for match in json.loads(same.stdout)["matches"]] == [
            match["digest"] for match in json.loads(played.stdout)["matches"]
        ]
    checked = command("check", "--program", shell, "--game", "battles", "--decisions", "1")
    assert (checked.exit_code, "first: passed" in checked.output) == (0, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "give one of BOT, --program and --llm"),
        (("m:B", "--program", "x"), "give one of BOT, --program and --llm"),
        (("--program", "x", "--trusted"), "--trusted is for Python bots"),
        (("--program", "'"), "No closing quotation"),
        (("--program", ""), "--program is ''"),
        (("--program", "no-such-program"), "No such file"),
        (("--program", "false"), "exit code 1"),
        (("tournament.entrants:Stillborn",), "no weights"),
    ],
)
def test_wrong_commands(words: tuple[str, ...], said: str) -> None:
    refused = command("check", *words)
    assert refused.exit_code == 2 or isinstance(refused.exception, ValueError), refused.output
    assert said in f"{refused.output} {refused.exception}"
