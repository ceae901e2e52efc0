"""The command line, as a shell sees it."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from sengoku import Client, battles, spec, swords, tower
from sengoku.engine.spec import of_table
from sengoku.errors import UnavailableError
from sengoku.server import Limits, Server
from sengoku.server.limits import flag_of
from sengoku.swords import Battle, Force

SENGOKU = [sys.executable, "-m", "sengoku.cli"]
QUESTION = ["odds", "swords", "--attacker", "daimyo=1,bow=2,spear=3", "--defender", "bow=1,spear=4"]
BATTLE = Battle(Force(daimyo=1, bow=2, spear=3), Force(bow=1, spear=4))
CLASH = ["odds", "tower", "--attacker", "blue=4", "--defender", "yellow=3"]
STRIKE = ["odds", "battles", "--attacker", "SSp", "--defender", "ASp:blocks=3,leader=LF"]
THROW = ["tower", "throw", "--cubes", "blue=4,yellow=3,farmer=1", "--seed", "3"]


def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*SENGOKU, *arguments], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def test_a_table_and_histograms() -> None:
    text = run(*QUESTION, "--naval", "--fort", "castle").stdout
    odds = Battle(BATTLE.attacker, BATTLE.defenders, naval=True, fort="castle").exact()
    assert f"{odds.attacker_wins:.6f}" in text
    assert "units left to the defender" in text
    assert "█" in text


@pytest.mark.parametrize(
    ("options", "odds"),
    [
        (["--exact"], BATTLE.exact()),
        (["--samples", "10000", "--seed", "5"], BATTLE.sample(10_000, seed=5)),
        (["--max-error", "0.01"], BATTLE.odds(max_error=0.01)),
        ([], BATTLE.odds()),
    ],
)
def test_json(options: list[str], odds: swords.Odds, server: Server) -> None:
    expected = json.loads(json.dumps(swords.describe(odds)))
    assert json.loads(run(*QUESTION, *options, "--json").stdout) == expected
    remote = run(*QUESTION, *options, "--json", "--server", server.address)
    assert json.loads(remote.stdout) == expected
    assert remote.stderr == ""


def test_matches_of_a_server(server: Server) -> None:
    wish = ["run", "swords", "--seats", "3", "--matches", "30", "--seed", "7", "--setup", "max_rounds=5"]
    here = json.loads(run(*wish, "--json").stdout)
    assert json.loads(run(*wish, "--json", "--server", server.address).stdout) == here
    run(*wish, "--server", "127.0.0.1:1", code=3)


def test_flags_of_a_server_reach_its_limits() -> None:
    wanted = {field.name: number for number, field in enumerate(fields(Limits), 11)}
    options = [text for field in fields(Limits) for text in (flag_of(field), str(wanted[field.name]))]
    with serving(*options) as (_, address), Client(address, timeout=30) as client:
        assert client.version()["limits"] == wanted


@pytest.mark.parametrize(
    ("options", "odds"),
    [
        (["--samples", "3000", "--seed", "5"], tower.Clash(("blue", 4), ("yellow", 3)).sample(3000, seed=5)),
        (
            ["--max-error", "0.01", "--unrest", "--tray", "red=2,blue=1", "--contents", "red=20, farmer=9"],
            tower.Clash(
                ("blue", 4),
                ("yellow", 3),
                farmers_defend=False,
                tray={"red": 2, "blue": 1},
                contents={"red": 20, "farmer": 9},
            ).odds(max_error=0.01),
        ),
        (
            ["--max-error", "0.01", "--players", "5", "--parameters", "ledger"],
            tower.Clash(("blue", 4), ("yellow", 3), players=5, parameters="ledger").odds(max_error=0.01),
        ),
    ],
)
def test_odds_of_a_clash(options: list[str], odds: tower.Odds, server: Server) -> None:
    expected = json.loads(json.dumps(tower.describe(odds)))
    assert json.loads(run(*CLASH, *options, "--json").stdout) == expected
    assert json.loads(run(*CLASH, *options, "--json", "--server", server.address).stdout) == expected
    text = run(*CLASH, *options).stdout
    assert f"{odds.attacker_wins:.6f}" in text
    assert "armies left to the defender" in text


def test_other_kinds_of_clashes() -> None:
    for arguments, clash in (
        (["--attacker", "blue=2", "--neutral"], tower.Clash(("blue", 2), neutral=True)),
        (
            ["--attacker", "farmer=2", "--defender", "red=3", "--revolt"],
            tower.Clash(("farmer", 2), ("red", 3), revolt=True),
        ),
    ):
        text = run("odds", "tower", *arguments, "--samples", "1000", "--json").stdout
        assert json.loads(text)["attacker_wins"] == clash.sample(1000).attacker_wins


def test_a_throw(server: Server) -> None:
    told = json.loads(run(*THROW, "--json").stdout)
    device = tower.CubeTower(seed=3)
    device.throw(tower.fill(4))
    assert told["tray"] == device.throw({"blue": 4, "yellow": 3, "farmer": 1})
    assert told["contents"] == device.contents
    assert json.loads(run(*THROW, "--json", "--server", server.address).stdout) == told
    text = run(*THROW, "--contents", "red=9,black=4", "--parameters", "ledger").stdout
    assert "upper shelf" in text
    assert "4 blue, 3 yellow, 1 farmer" in text


def test_a_rigid_throw(server: Server) -> None:
    told = json.loads(run(*THROW, "--model", "rigid", "--json").stdout)
    device = tower.CubeTower("rigid", seed=3)
    device.throw(tower.fill(4))
    assert told["tray"] == device.throw({"blue": 4, "yellow": 3, "farmer": 1})
    assert (told["contents"], told["motion"]) == (device.contents, device.last_throw)
    remote = run(*THROW, "--model", "rigid", "--json", "--server", server.address)
    assert json.loads(remote.stdout) == told
    text = run(*THROW, "--model", "rigid", "--contents", "red=2").stdout
    assert "upper plate" in text
    assert "at rest after" in text


def test_parameters_from_a_file(tmp_path: Path) -> None:
    shelf = "{ capacity = 9, stick_per_mille = 700, dislodge = 1000, burst = 0 }"
    table = {"capacity": 9, "stick_per_mille": 700, "dislodge": 1000, "burst": 0}
    file, wish = tmp_path / "mine.toml", ["--contents", "red=2", "--json"]
    expected = tower.CubeTower(seed=3, contents={"red": 2}, parameters={"shelves": [table] * 3})
    tray = expected.throw({"blue": 4, "yellow": 3, "farmer": 1})
    for text in (
        f"shelves = [{shelf}, {shelf}, {shelf}]",
        f'default = "own"\n[sets.own]\nshelves = [{shelf}, {shelf}, {shelf}]\n[sets.other]\nshelves = []',
    ):
        file.write_text(text)
        told = json.loads(run(*THROW, *wish, "--parameters", str(file)).stdout)
        assert (told["tray"], told["contents"]) == (tray, expected.contents)
    geometry = Path(__file__).parents[2] / "rust/tower-physics/data/geometry.toml"
    rigid = [*THROW, *wish, "--model", "rigid"]
    assert run(*rigid, "--parameters", str(geometry)).stdout == run(*rigid).stdout
    for text, model, words in (
        ("shelves = 3", "shelves", "parameters.shelves: "),
        ("shelves = [", "shelves", "mine.toml: "),
        ('default = "b"\n[sets.a]\nshelves = []', "shelves", "default is 'b': must be one of a"),
        (geometry.read_text("utf-8"), "shelves", 'parameters.shaft: belongs to the model "rigid"'),
        ("shelves = []", "rigid", 'this is of the model "shelves"'),
        ("[shaft]\ninner_mm = 0\n", "rigid", "parameters.shaft: missing field"),
        ("\udcff", "shelves", "mine.toml: "),
    ):
        file.write_text(text, "utf-8", errors="surrogateescape")
        failed = run(*THROW, "--model", model, "--parameters", str(file), code=2)
        assert words in re.sub(r"\s+", " ", failed.stderr)
    missing = run(*THROW, "--parameters", str(tmp_path / "none.toml"), code=2)
    assert "No such file" in re.sub(r"\s+", " ", missing.stderr)


FILM = ["tower", "film", "--cubes", "blue=2,yellow=1", "--contents", "red=1", "--seed", "1"]


def test_a_film(tmp_path: Path) -> None:
    gif, png = tmp_path / "film.gif", tmp_path / "still.png"
    told = json.loads(run(*FILM, "--slow", "0.2", "--json", str(gif)).stdout)
    recorded = tower.film({"blue": 2, "yellow": 1}, seed=1, contents={"red": 1})
    assert (told["tray"], told["contents"]) == (recorded.tray, recorded.contents)
    assert told["motion"] == recorded.statistics
    assert gif.read_bytes().startswith(b"GIF89a")
    done = run(*FILM, "--at", "0.2", str(png))
    assert "1 picture of a throw" in done.stdout
    assert done.stderr == ""
    assert png.read_bytes().startswith(b"\x89PNG")
    for wrong, words in (
        ([*FILM, str(tmp_path / "film.avi")], "must end in .gif, .mp4, .png"),
        ([*FILM, "/proc/film.gif"], "cannot write the film"),
        ([*FILM, "--at", "99", str(png)], "at is 99"),
        ([*FILM, "--slow", "0", str(gif)], "slow is 0"),
        ([*FILM[:3], "green=1", str(gif)], "colours are red"),
        ([*FILM, "--parameters", "ledger", str(gif)], "a rigid tower takes"),
        ([*FILM[:4], "--players", "9", str(gif)], "players is 9"),
    ):
        assert words in re.sub(r"\s+", " ", run(*wrong, code=2).stderr)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.gif", "still.png"]


def test_a_film_shows_its_progress_to_a_person(tmp_path: Path) -> None:
    controller, terminal = os.openpty()
    with subprocess.Popen(
        [*SENGOKU, *FILM, "--slow", "0.2", str(tmp_path / "film.gif")],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm"},
    ) as process:
        os.close(terminal)
        seen = b""
        with suppress(OSError):  # the end of a terminal
            while piece := os.read(controller, 4096):
                seen += piece
    os.close(controller)
    assert process.returncode == 0
    assert b"drawing" in seen


def test_models_of_the_tower() -> None:
    assert [model["name"] for model in json.loads(run("tower", "models", "--json").stdout)] == [
        *("shelves", "rigid")
    ]
    assert "ledger" in run("tower", "models").stdout


def test_a_picture_of_a_clash(tmp_path: Path) -> None:
    file = tmp_path / "new" / "odds.svg"
    run(*CLASH, "--samples", "1000", "--plot", str(file))
    text = file.read_text("utf-8")
    assert "armies left to the defender" in text
    run(*CLASH, "--plot", str(tmp_path / "odds.doc"), code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


@pytest.mark.parametrize(
    ("options", "odds"),
    [
        ([], battles.Strike("SSp", battles.Piece("ASp", 3, leader="LF")).exact()),
        (
            ["--samples", "10000", "--seed", "5"],
            battles.Strike("SSp", battles.Piece("ASp", 3, leader="LF")).sample(10_000, seed=5),
        ),
    ],
)
def test_odds_of_a_strike(options: list[str], odds: battles.Odds, server: Server) -> None:
    expected = json.loads(json.dumps(battles.describe(odds)))
    assert json.loads(run(*STRIKE, *options, "--json").stdout) == expected
    assert json.loads(run(*STRIKE, *options, "--json", "--server", server.address).stdout) == expected
    text = run(*STRIKE, *options).stdout
    assert f"{odds.defender_eliminated:.6f}" in text
    assert "blocks left to the defender" in text
    assert "the attack rolls" in text


def test_every_option_reaches_the_strike() -> None:
    text = run(
        *("odds", "battles", "--attacker", "LI:blocks=2,inspire,adjacent_leader,terrain=hill"),
        *("--attacker", "LI:leader=LF,room=1,ignore_flags=none,leader_fate=seppuku", "--against", "1"),
        *("--defender", "SSp:support,ignore_flags=1", "--terrain", "forest", "--dice-bonus", "1"),
        *("--attacker-cards", "shogun, head_collector", "--defender-cards", "vengeance"),
        *("--attacker-honor", "3", "--defender-honor", "0", "--pool", "9", "--json"),
    ).stdout
    strike = battles.Strike(
        [
            battles.Piece("LI", 2, inspire=True, adjacent_leader=True, terrain="hill"),
            battles.Piece("LI", leader="LF", room=1, ignore_flags="none", leader_fate="seppuku"),
        ],
        battles.Piece("SSp", support=True, ignore_flags=1, terrain="forest"),
        against=1,
        dice_bonus=1,
        attacker_cards=["shogun", "head_collector"],
        defender_cards=["vengeance"],
        attacker_honor=3,
        defender_honor=0,
        pool=9,
    )
    assert json.loads(text)["strike"] == repr(strike)
    shot = [
        "odds",
        "battles",
        "--attacker",
        "SB",
        "--defender",
        "LM",
        "--ranged",
        "--distance",
        "3",
        "--moved",
    ]
    told = json.loads(run(*shot, "--json").stdout)["strike"]
    assert told == repr(battles.Strike("SB", "LM", ranged=True, distance=3, moved=True))
    back = json.loads(run(*STRIKE, "--leader", "LM", "--no-battle-back", "--json").stdout)
    assert back["attacker_eliminated"] == 0


def test_a_strike_with_scripted_faces() -> None:
    text = run(*STRIKE, "--faces", "TXHH T HHH").stdout
    assert "attacker attacks, T X H H: 2 hits, no flag, 2 honor" in text
    assert "defender rolls" not in text
    told = json.loads(run(*STRIKE, "--faces", "TXHHTHHH", "--json").stdout)
    assert told["outcome"]["defender_blocks"] == 1
    assert told["steps"][0]["faces"] == ["T", "X", "H", "H"]
    assert "at least 4 needed" in run(*STRIKE, "--faces", "TX", code=2).stderr


def test_a_picture_of_a_strike(tmp_path: Path) -> None:
    file = tmp_path / "new" / "odds.svg"
    run(*STRIKE, "--plot", str(file))
    assert "blocks left to the defender" in file.read_text("utf-8")
    run(*STRIKE, "--plot", str(tmp_path / "odds.doc"), code=2)


def test_every_option_reaches_the_battle() -> None:
    text = run(
        *("odds", "swords", "--attacker", "daimyo=1, gun=2", "--defender", "spear=2,ronin=1"),
        *("--defender", "bow=1,spear=2,ronin=3,disrupted", "--fort", "fortress", "--fort-lost", "2"),
        *("--attacker-losses", "gun,bow,sword,spear,ronin", "--defender-losses", "hired_first"),
        *("--break-off-below", "2", "--break-off-after", "3", "--naval", "--json"),
    ).stdout
    battle = Battle(
        Force(daimyo=1, gun=2),
        [Force(bow=1, spear=2, ronin=3, disrupted=True), Force(spear=2, ronin=1)],
        fort="fortress",
        fort_lost=2,
        attacker_losses=("gun", "bow", "sword", "spear", "ronin"),
        defender_losses="hired_first",
        break_off_below=2,
        break_off_after=3,
        naval=True,
    )
    assert json.loads(text)["attacker_wins"] == battle.exact().attacker_wins


def test_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "new" / "odds.png"
    run(*QUESTION, "--plot", str(file))
    assert file.read_bytes().startswith(b"\x89PNG")
    for wrong in ("odds.doc", "odds", ""):
        run(*QUESTION, "--plot", str(tmp_path / wrong), code=2)
    (tmp_path / "folder.png").mkdir()
    run(*QUESTION, "--plot", str(tmp_path / "folder.png"), code=2)
    run(*QUESTION, "--plot", "/proc/odds.png", code=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.png", "new"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([*QUESTION[:3], "bow=x", *QUESTION[4:]], 2, "write bow=NUMBER"),
        ([*QUESTION[:3], "cannon=1", *QUESTION[4:]], 2, "units are daimyo, bow, gun, sword, spear, ronin"),
        ([*QUESTION[:3], "bow=1,bow=2", *QUESTION[4:]], 2, "names bow twice"),
        ([*QUESTION[:3], "bow=-1", *QUESTION[4:]], 2, "bow is -1"),
        ([*QUESTION[:3], "", *QUESTION[4:]], 2, "regular units are 0"),
        ([*QUESTION, "--exact", "--samples", "5"], 2, "exclude each other"),
        ([*QUESTION, "--samples", "0"], 2, "samples is 0"),
        ([*QUESTION, "--fort", "moat"], 2, "fort is"),
        ([*QUESTION, "--fort", "[/x]"], 2, 'fort is "[/x]"'),
        ([*QUESTION, "--fort", "\udcff"], 2, "fort is"),
        ([*QUESTION, "--server", ""], 2, "target is ''"),
        ([*QUESTION, "--server", "\udcff:1"], 2, "target is"),
        (["serve", "--host", "[/x]"], 2, "host is '[/x]'"),
        (["serve", "--max-message-bytes", "99999999999"], 2, "message_bytes is 99999999999"),
        (["serve", "--threads", "5000"], 2, "threads is 5000"),
        ([*QUESTION, "--server", "127.0.0.1:1"], 3, "UNAVAILABLE"),
        (["odds", "swords"], 2, "Missing option"),
        (["odds", "tower", "--attacker", "blue=4,red=1"], 2, "write COLOUR=NUMBER"),
        (["odds", "tower", "--attacker", "blue=4"], 2, "only a neutral province has no defender"),
        (["odds", "battles", "--attacker", "XX", "--defender", "LI"], 2, 'kind is "XX"'),
        ([*STRIKE, "--attacker", "LI:blocks=x"], 2, "write blocks=NUMBER"),
        ([*STRIKE, "--attacker", "LI:support,support"], 2, "names support twice"),
        ([*STRIKE, "--attacker", "LI:horses=2"], 2, "a piece has blocks"),
        ([*STRIKE, "--attacker-cards", "tea"], 2, 'attacker_cards is "tea"'),
        ([*STRIKE, "--faces", "QQQQ"], 2, 'face 0 is "Q"'),
        ([*CLASH, "--tray", "blue=x"], 2, "write blue=NUMBER"),
        ([*CLASH, "--tray", "red=1,red=1"], 2, "names red twice"),
        ([*CLASH, "--parameters", "{"], 2, "no JSON"),
        ([*CLASH, "--max-error", "0"], 2, "max_error is 0"),
        (["tower", "throw", "--cubes", "green=1"], 2, "colours are red, blue"),
        (["tower", "throw", "--cubes", ""], 2, "no throw is empty"),
        ([*THROW, "--players", "9"], 2, "players is 9"),
        ([*THROW, "--server", "127.0.0.1:1"], 3, "UNAVAILABLE"),
        (["conquer"], 2, "No such command"),
    ],
)
def test_exit_codes(arguments: list[str], code: int, words: str) -> None:
    assert words in re.sub(r"\s+", " ", run(*arguments, code=code).stderr)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_terminals_that_know_no_blocks(encoding: str) -> None:
    done = subprocess.run(
        [*SENGOKU, *QUESTION],
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )
    assert b"####" in done.stdout


def test_output_that_cannot_be_written() -> None:
    if not Path("/dev/full").exists():  # a system without a disk that is always full
        return
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*SENGOKU, *QUESTION], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_specifications(server: Server) -> None:
    about = spec("tower")
    assert of_table(json.loads(run("spec", "tower", "--json").stdout)) == about
    assert run("spec", "tower", "--markdown", "--server", server.address).stdout == about.to_markdown()
    text = run("spec", "tower").stdout
    assert "tower, rules version 1: an observation has 674 bytes" in text
    assert "2821 actions, at most 2746 legal at once" in text
    assert "there is swords" in run("spec", "chess", code=2).stderr


def test_errors_as_json() -> None:
    failed = run(*QUESTION, "--fort", "moat", "--json", code=2)
    error = json.loads(failed.stderr)["error"]
    assert (error["reason"], error["details"]["field"]) == ("INVALID_SETUP", "fort")


def test_help_and_version() -> None:
    for command in (
        (),
        ("odds",),
        ("odds", "swords"),
        ("odds", "battles"),
        ("tower", "film"),
        ("serve",),
        ("bench",),
        ("demo",),
        ("version",),
    ):
        assert "Usage" in run(*command, "--help").stdout
    assert json.loads(run("version", "--json").stdout)["rules_versions"] == {
        "battles": 1,
        "swords": 1,
        "tower": 1,
    }


def test_bench() -> None:
    rows = json.loads(run("bench", "--seconds", "0.01", "--json").stdout)["rows"]
    assert all(row["figure"] > 0 for row in rows)


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [*SENGOKU, "serve", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.kill()


def test_sigterm_lets_calls_finish() -> None:
    with serving("--grace", "60") as (process, address), Client(address, timeout=60) as client:
        assert client.exact(BATTLE) == BATTLE.exact()
        answers: list[swords.Odds] = []
        work = threading.Thread(target=lambda: answers.append(client.sample(BATTLE, 60_000_000)))
        work.start()
        with grpc.insecure_channel(address) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            time.sleep(0.2)
            process.send_signal(signal.SIGTERM)
            for _ in range(600):  # until it says that it is going, or has stopped listening already
                try:
                    status = health.Check(health_pb2.HealthCheckRequest(), timeout=5).status
                except grpc.RpcError:
                    break
                if status == health_pb2.HealthCheckResponse.NOT_SERVING:
                    break
                time.sleep(0.05)
            else:
                pytest.fail("the server does not say that it is going")
        work.join(60)
        assert process.wait(60) == 0
    assert answers == [BATTLE.sample(60_000_000)]


def test_a_second_signal_stops_at_once() -> None:
    with serving("--grace", "600") as (process, address), Client(address, timeout=60) as client:
        failures: list[type] = []

        def ask() -> None:
            try:
                client.sample(BATTLE, 10_000_000_000)
            except UnavailableError as error:
                failures.append(type(error))

        work = threading.Thread(target=ask)
        work.start()
        time.sleep(0.5)
        for _ in range(2):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.3)
        assert process.wait(30) == 0
        work.join(30)
    assert failures == [UnavailableError]


def _wait_for_workers(process: int) -> None:
    """Waits until a process has threads of ours at work."""
    tasks = Path(f"/proc/{process}/task")
    if not tasks.exists():  # a system that does not tell
        time.sleep(5)
    for _ in range(600):
        with suppress(OSError):
            if any(task.joinpath("comm").read_text().startswith("sengoku-") for task in tasks.iterdir()):
                return
        time.sleep(0.05)


def test_interrupting_a_long_question() -> None:
    command = [*SENGOKU, *QUESTION, "--samples", str(10**10)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            _wait_for_workers(process.pid)
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130
        finally:
            process.kill()
