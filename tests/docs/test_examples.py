"""The examples print what they promise; `make test-system` also builds those in Go and TypeScript."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from examples.build import BUILDERS, EXAMPLES, UnreachableError, missing
from sengoku import run_matches, swords
from sengoku.server import Server

MATCHES = 300


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(server: Server, name: str, *options: str) -> str:
    return run([sys.executable, str(EXAMPLES / "python" / name), "--server", server.address, *options])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[str]]:
    """A function that builds an example once, or skips, and returns the command that runs it."""
    folder = tmp_path_factory.mktemp("examples")
    commands: dict[str, list[str]] = {}

    def build(language: str) -> list[str]:
        if absent := missing(language):
            pytest.skip(f"{', '.join(absent)} not found")
        if language not in commands:
            try:
                commands[language] = BUILDERS[language](folder)
            except UnreachableError as error:
                pytest.skip(f"packages cannot be fetched: {str(error)[-300:]}")
        return commands[language]

    return build


def test_every_python_example_is_here() -> None:
    names = {"async_many.py", "bulk.py", "odds.py", "program_bot.py", "random_bot.py", "train.py"}
    names.add("train_rllib.py")  # needs torch; `tests/interfaces/test_rllib.py` runs its environments
    names.add("train_sb3.py")  # needs torch too; `tests/interfaces/test_stable_baselines3.py` runs it
    assert {path.name for path in EXAMPLES.glob("python/*.py")} == names


def test_odds(server: Server) -> None:
    output = python(server, "odds.py")
    exact = swords.Battle(
        swords.Force(daimyo=1, bow=2, gun=2, sword=2, spear=3), swords.Force(bow=1, spear=4), fort="castle"
    ).exact()
    assert f"battle: attacker wins {exact.attacker_wins:.6f} (exact, error 0)" in output
    assert len(re.findall(r"^\d guns: +\d+\.\d% #*$", output, re.MULTILINE)) == 6


def test_bulk(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "rows.parquet"
    output = python(server, "bulk.py", "--matches", str(MATCHES), "--out", str(out))
    assert f"succeeded: {MATCHES} of {MATCHES} matches" in output
    assert re.search(r"^seat 3, random: wins +\d+\.\d\d% ± \d\.\d\d%", output, re.MULTILINE)
    assert f"{MATCHES} rows of " in output
    assert out.read_bytes()[:4] == b"PAR1"


def test_async_many(server: Server) -> None:
    output = python(server, "async_many.py", "--questions", "100")
    assert re.search(r"^100 questions in \d+\.\d\d s, attackers win \d+\.\d%$", output, re.MULTILINE)
    assert "2000 matches meanwhile" in output


def test_random_bot(server: Server) -> None:
    output = python(server, "random_bot.py")
    mine, other = output.splitlines()
    assert re.fullmatch(r"@my-random: \d+ of 20 won, forfeits \{\}", mine)
    assert re.fullmatch(r"greedy: \d+ of 20 won, forfeits \{\}", other)


def test_train(server: Server, tmp_path: Path) -> None:
    """A few moves of the policy: the same here and on a server, with a curve that can be looked at."""
    short = ("--updates", "2", "--measures", "2", "--matches", "4", "--longest", "40")
    curve = tmp_path / "curve.svg"
    there = python(server, "train.py", *short, "--out", str(curve))
    here = run([sys.executable, str(EXAMPLES / "python" / "train.py"), *short])
    shape = r"^ *([\d,]+) decisions, +\d+ s: wins against (greedy \S+ ± \S+, random \S+ ± \S+)$"
    rows = re.findall(shape, there, re.MULTILINE)
    assert rows == re.findall(shape, here, re.MULTILINE)
    assert [row[0] for row in rows] == ["0", "6,144", "12,288"]
    assert curve.read_text().startswith("<?xml")


@pytest.mark.system
@pytest.mark.timeout(900)  # packages are fetched and compiled: half a minute on two idle cores
@pytest.mark.parametrize("language", BUILDERS)
def test_generated(server: Server, language: str, built: Callable[[str], list[str]]) -> None:
    """Starts, watches and finishes a run, with the result that the engine has in process."""
    dash = "-" if language == "go" else "--"
    output = run([*built(language), f"{dash}server={server.address}", f"{dash}matches={MATCHES}"])
    lines = output.splitlines()
    assert re.fullmatch(r"attacker wins 0\.\d{6}, defender wins 0\.\d{6} \(error 0\)", lines[0])
    assert re.fullmatch(r"started operations/[0-9a-f]{32}", lines[1])
    assert any(line.startswith(f"RUN_STATE_SUCCEEDED: {MATCHES} of {MATCHES} matches") for line in lines)
    report = run_matches("tower", bots=["greedy", "greedy", "random"], seats=4, match_count=MATCHES, seed=7)
    for seat, (bot, wins) in enumerate(zip(report.bots, report.wins, strict=True)):
        assert f"seat {seat}, {bot}: {wins} of {MATCHES} matches won" in lines
    assert lines[-1] == f"digest {int(report.digest.sum(dtype='u8')):016x}"


@pytest.mark.system
@pytest.mark.timeout(900)
@pytest.mark.parametrize("language", BUILDERS)
def test_generated_clients_tell_the_reason(
    server: Server, language: str, built: Callable[[str], list[str]]
) -> None:
    dash = "-" if language == "go" else "--"
    command = [*built(language), f"{dash}server={server.address}", f"{dash}matches={2**63}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert re.match(r"[A-Z_]+: ", done.stderr.splitlines()[-1]), done.stderr
