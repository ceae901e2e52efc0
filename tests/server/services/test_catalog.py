"""Scenarios of every game: in process, over the network, on the command line, and from files of one's own."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from sengoku import (
    Client,
    Match,
    engine,
    games,
    read_scenario,
    run_matches,
    run_scenarios,
    scenario,
    scenarios,
)
from sengoku.engine.scenarios import Scenario, parse_scenario
from sengoku.errors import ArgumentError, SetupError
from sengoku.server import Server
from sengoku.v1 import catalog_service_pb2
from support import cli

ROOT = Path(__file__).parents[3]
FORMAT = (ROOT / "rust/battles/data/deployments/FORMAT.md").read_text("utf-8")
OWN = re.findall(r"```toml\n(.*?)```", FORMAT, re.DOTALL)[1]
"""The battle of one's own that the format shows."""
MAP = (ROOT / "rust/swords/data/map.toml").read_text("utf-8")
BOARD = (ROOT / "rust/tower/data/tower_boards.toml").read_text("utf-8")
KNOWN = scenarios()


def run(*arguments: str, code: int = 0, columns: int = 120) -> cli.Done:
    return cli.run("scenarios", *arguments, code=code, COLUMNS=str(columns))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "my.toml"
    file.write_text(OWN, "utf-8")
    return file


def test_what_there_is() -> None:
    ids = {game.name: [one.id for one in KNOWN if one.game == game.name] for game in games()}
    assert ids["battles"] == [str(number) for number in range(1, 41)]
    assert ids["tower"] == ["sun", "moon"]
    assert ids["swords"] == ["japan"]
    assert scenarios("tower") == [one for one in KNOWN if one.game == "tower"]
    for game in games():
        columns = {tuple(one.facts) for one in KNOWN if one.game == game.name}
        assert len(columns) == 1


@pytest.mark.parametrize("one", [pytest.param(one, id=f"{one.game}-{one.id}") for one in KNOWN])
def test_every_scenario_can_be_looked_at_and_played(one: Scenario) -> None:
    assert one.name
    assert one.source
    assert one.picture.startswith("<svg ")
    match = Match.create(one.game, setup=one.setup)
    assert match.legal_actions()
    assert json.loads(json.dumps(one.as_dict())) == one.as_dict()
    if one.game == "battles":
        assert one.details["number"] == int(one.id)
        assert match.state()["scenario"] == int(one.id)
        assert str(one.sketch).count("\n") > 25


def test_what_is_uncertain_is_called_so() -> None:
    # BT-R-82, BT-R-83
    doubtful = [int(one.id) for one in KNOWN if "first player uncertain" in one.source]
    assert doubtful == [4, 7, 16, 18, 20, 25, 32, 33]
    battles = [one for one in KNOWN if one.game == "battles"]
    assert all("deployment reconstructed" in one.source for one in battles)
    assert all(one.facts["deployment"] == "reconstructed" for one in battles)
    assert all("deployment reconstructed" in one.picture for one in battles[:3])
    assert "printed" in " ".join(scenario(39).chapters["Basis"])
    remarks = " ".join(next(game for game in games() if game.name == "battles").scenario_remarks)
    assert "reconstructed" in remarks
    assert "31 of 38 dragon cards are proposed" in remarks
    assert "reconstructed" in scenario("moon").source
    assert "reconstructed" in scenario("japan").source


def test_names_that_do_not_exist() -> None:
    with pytest.raises(
        ArgumentError,
        match=r"scenario is '41': there is none, must be one of swords: japan; .*battles: 1 to 40",
    ):
        scenario("41")
    with pytest.raises(ArgumentError, match="scenario is 8: there is none, must be one of tower: sun, moon"):
        scenario(8, "tower")
    with pytest.raises(ArgumentError, match="game is 'chess'"):
        scenarios("chess")


def test_a_server_says_the_same(client: Client, own: Path) -> None:
    assert client.scenarios() == KNOWN
    assert client.scenarios("tower") == scenarios("tower")
    for name in ("8", "moon", "japan"):
        there, here = client.scenario(name), scenario(name)
        assert (there, there.picture, there.sketch) == (here, here.picture, here.sketch)
    listed = next(one for one in client.scenarios("battles") if one.id == "34")
    assert listed.picture == scenario(34).picture
    assert client.read_scenario(own) == read_scenario(own)
    assert client.read_scenario(own).sketch == read_scenario(own).sketch
    about = {game["id"]: game for game in client.games()}
    for game in games():
        assert game.scenario_file is not None
        assert about[game.name]["scenario_file"]["mark"] == game.scenario_file.mark
        assert about[game.name].get("scenario_remarks", []) == list(game.scenario_remarks)
    for ask in (client.scenario, scenario):
        with pytest.raises(ArgumentError, match="scenario is '41'"):
            ask("41")
    with pytest.raises(ArgumentError, match="which is not set"):
        client.ask(catalog_service_pb2.GetScenarioRequest(game="battles"))


def test_a_battle_of_ones_own(own: Path, client: Client) -> None:
    found = read_scenario(own)
    assert (found.game, found.id, found.setup) == ("battles", "", None)
    assert "Skirmish at the stream" in found.picture
    here = Match.create("battles", seed=3, setup={"scenario_file": str(own)})
    assert here.setup == {"scenario_text": OWN}
    with client.create_match("battles", seed=3, setup={"scenario_file": own}) as there:
        assert there.save() == here.save()
        assert there.sketch() == here.sketch()
        assert there.sketch(1) == here.sketch(1)
    wish = {"bots": ["random"], "match_count": 5, "setup": {"scenario_file": str(own)}}
    assert client.run_matches("battles", **wish) == run_matches("battles", **wish)  # type: ignore[arg-type]
    assert Match.from_replay(here.replay()).digest == here.digest


@pytest.mark.parametrize(
    ("game", "text", "setup"),
    [
        pytest.param("swords", MAP, {"map_file": "own.toml"}, id="swords"),
        pytest.param("tower", BOARD, {"board_file": "own.toml"}, id="tower"),
        pytest.param("battles", OWN, {"scenario_file": "own.toml"}, id="battles"),
    ],
)
def test_files_of_every_game(
    game: str, text: str, setup: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text(text, "utf-8")
    found = read_scenario("own.toml")
    assert (found.game, found.id) == (game, "")
    assert found.picture.startswith("<svg ")
    assert Match.create(game, setup=setup).legal_actions()


FAULTS = [
    (
        "terrain[3]",
        '   "...........",\n  "............",\n   "rrrr',
        '   "..........q",\n  "............",\n   "rrrr',
    ),
    ("bottom[1]", "SSpC+LM@8,5", "SSpC+LF@8,5"),
    ("top[0]", "ASp@3,3", "ASp@3,11"),
    ("top[1]", "SSp+LF(Taro)@3,4", "SSp+LF(Taro)@3,3"),
]


@pytest.mark.parametrize(("place", "good", "bad"), FAULTS)
def test_faults_of_a_file_are_named(place: str, good: str, bad: str, own: Path, client: Client) -> None:
    assert good in OWN
    own.write_text(OWN.replace(good, bad), "utf-8")
    with pytest.raises(SetupError) as here:
        read_scenario(own)
    assert here.value.details["field"] == f"deployment.{place}"
    with pytest.raises(SetupError) as there:
        client.read_scenario(own)
    assert (str(there.value), there.value.details) == (str(here.value), here.value.details)
    with pytest.raises(SetupError, match=re.escape(f"scenario_text.deployment.{place}")):
        Match.create("battles", setup={"scenario_file": str(own)})
    told = run("check", str(own), code=2).stderr
    assert f"deployment.{place}" in told.replace("\n", "")
    error = json.loads(run("check", str(own), "--json", code=2).stderr)["error"]
    assert error["reason"] == "INVALID_SETUP"
    assert error["details"]["field"] == f"deployment.{place}"


PLACES = [
    ("terrain[2]", '"..f......f..",', '"..f......f.",', "row 2 has 12 hexes, not 11"),
    ("terrain[2]", '"..f......f..",', '"..f...z..f..",', "2,6: unknown terrain 'z'"),
    ("terrain", '   "....h......",\n', "", "10 rows instead of 11"),
    ("top[0]", "ASp@3,3", "ASp@11,0", "11,0 is off the board, which has the rows 0 to 10"),
    ("top[0]", "ASp@3,3", "AC+BG@3,3", "the commander stands in his tent, and 3,3 is not it"),
    ("top[0]", "ASp@3,3", "ASp3,3", "write it like ASp@1,3"),
    ("top[2]", '"AB@3,5"', '"AB@3,4"', "3,4 is taken by SSp+LF of the top army"),
    ("bottom[2]", "AA@7,5", "XX@7,5", 'unknown unit "XX", expected one of SSp, '),
    ("bottom[6]", "ASp@7,6", 'LI@7,6", "LI@8,0", "LI@8,1", "LI@8,2', "has only 3 units LI"),
    ("tents", '"..f......f..",', '"..f...t..f..",', "2,6 is a tent tile of no army"),
    ("banks", '"rrrrdrrrrrr"', '"rrrrd......"', "nothing separates the board"),
]


@pytest.mark.parametrize(("place", "good", "bad", "reason"), PLACES)
def test_faults_name_row_and_hex(place: str, good: str, bad: str, reason: str) -> None:
    assert good in OWN
    with pytest.raises(SetupError) as caught:
        parse_scenario(OWN.replace(good, bad), "battles")
    assert caught.value.details["field"] == f"deployment.{place}"
    assert reason in caught.value.details["reason"]


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="No such file"):
        read_scenario(tmp_path / "missing.toml")
    with pytest.raises(SetupError, match=r"scenario_file is .*No such file"):
        Match.create("battles", setup={"scenario_file": str(tmp_path / "missing.toml")})
    with pytest.raises(SetupError, match="scenario_file is 8: must be the name of a file"):
        Match.create("battles", setup={"scenario_file": 8})
    with pytest.raises(SetupError, match=r"scenario_file is 'a\\x00b': embedded null"):
        Match.create("battles", setup={"scenario_file": "a\0b"})
    with pytest.raises(SetupError, match="must not both be set"):
        Match.create("battles", setup={"scenario_file": "a", "scenario_text": "b"})
    file = tmp_path / "own.toml"
    for content, fault in (
        (b"\xff\xfe", "not UTF-8 text"),
        (b"name = ", "not valid TOML"),
        (b"name = 'x'", r"the game is unknown: .*deployment \(battles\)"),
    ):
        file.write_bytes(content)
        with pytest.raises(SetupError, match=fault):
            read_scenario(file)
    file.write_text("[deployment]\n" + "#" * 1_000_000, "utf-8")
    with pytest.raises(SetupError, match="too long"):
        read_scenario(file, "battles")


def test_a_server_reads_no_files(client: Client, own: Path) -> None:
    with pytest.raises(SetupError, match="scenario_file"):
        client.create_match("battles", setup=json.dumps({"scenario_file": str(own)}))


def test_the_list() -> None:
    text = run().stdout
    for word in (
        "Azukizaka",
        "moon side",
        "Japan",
        "*?",
        "reconstructed",
        "proposed",
        "Order One",
        "6 / 3 / 5",
    ):
        assert word in text, word
    rows = json.loads(run("--json", "--game", "battles").stdout)
    assert [row["id"] for row in rows] == [str(number) for number in range(1, 41)]
    assert rows == [json.loads(json.dumps(one.as_dict())) for one in scenarios("battles")]


@pytest.mark.parametrize("game", ["battles", "tower", "swords"])
def test_the_list_fits_a_terminal(game: str) -> None:
    lines = run("--game", game, columns=80).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    told = "".join("".join(lines).split())
    assert "…" not in told
    rows = [one for one in KNOWN if one.game == game]
    for word in {word for one in rows for fact in one.facts.values() for word in fact.split()}:
        if len(word) <= 8:  # longer ones may be broken
            assert word in told, word
    if game == "battles":  # what is so in all of them is said once
        assert "deploymentofall:reconstructed" in told


def test_one_of_them(tmp_path: Path, server: Server) -> None:
    picture = tmp_path / "map.svg"
    text = run("show", "8", "--svg", str(picture)).stdout
    assert picture.read_text("utf-8") == scenario(8).picture
    for word in (
        "First Battle of Azukizaka",
        "deployment reconstructed",
        "SSpCM",
        " v4 t",
        "Yuhara",
        "banners",
    ):
        assert word in text, word
    assert json.loads(run("show", "8", "--json").stdout)["setup"] == {"scenario": 8}
    assert run("show", "8", "--server", server.address, "--svg", str(picture)).stdout == text
    assert run("--json", "--server", server.address).stdout == run("--json").stdout
    assert "scenario is" in run("show", "99", code=2).stderr
    run("show", "8", "--svg", str(tmp_path / "none" / "map.svg"), code=2)


def test_ones_own(own: Path, tmp_path: Path, server: Server) -> None:
    picture = tmp_path / "own.svg"
    text = run("show", str(own), "--svg", str(picture)).stdout
    assert "Skirmish at the stream" in text
    assert picture.read_text("utf-8") == read_scenario(own).picture
    assert run("show", str(own), "--server", server.address).stdout == text
    assert "scenario_file" in run("check", str(own)).stdout
    checked = json.loads(run("check", str(own), "--json").stdout)
    assert Match.create(checked["game"], setup=checked["setup"]).legal_actions()


def test_the_board_of_a_match() -> None:
    match = Match.create("battles", setup={"scenario": 8})
    assert "SSpCM" in str(match.sketch())
    assert match.sketch() == match.sketch(0) == match.sketch(1)  # BT-COMP-06: the board is public
    assert engine.Sketch.from_json(match.sketch().to_json()) == match.sketch()
    for game, name in (("swords", "Mikawa"), ("tower", "Omi")):
        assert name[:4] in str(Match.create(game).sketch(0))


def test_the_board_of_a_replay(tmp_path: Path) -> None:
    match = Match.create("battles", setup={"scenario": 8})
    file, picture = tmp_path / "match.txt", tmp_path / "board.svg"
    file.write_text(match.replay(), "utf-8")
    command = ["replay", "show", str(file), "--svg", str(picture)]
    assert "SSpCM" in cli.run(*command).stdout
    assert picture.read_text("utf-8") == match.picture()
    cli.run(*command, "--seat", "1")
    assert picture.read_text("utf-8") == match.picture(1)


WISH: dict[str, Any] = {"bots": ["greedy", "random"], "match_count": 3, "seed": 11}


def test_the_same_run_in_every_scenario() -> None:
    told: list[tuple[int, int]] = []
    survey = run_scenarios("battles", **WISH, setup={"max_rounds": 3}, progress=lambda *far: told.append(far))
    assert [one.id for one in survey.scenarios] == [str(number) for number in range(1, 41)]
    for one, report in survey:
        assert report == run_matches("battles", **WISH, setup={**one.setup, "max_rounds": 3})
    assert told[-1] == (120, 120)
    assert told == sorted(told)
    lines = survey.to_csv().splitlines()
    assert lines[0] == "scenario," + survey.reports[0].to_csv().splitlines()[0]
    assert len(lines) == 121
    assert lines[-1] == "40," + survey.reports[39].to_csv().splitlines()[-1]


def test_seats_have_names_where_the_scenario_gives_them() -> None:
    assert scenario("8").seats == ["Imagawa", "Oda"]
    assert scenario("sun").seats == []
    survey = run_scenarios("battles", **WISH, setup={"max_rounds": 1})
    row = survey.to_markdown().splitlines()[9]
    assert row.startswith("| 8 | First Battle of Azukizaka | Imagawa 0.00% ± ")
    assert " | Oda 0.00% ± " in row
    assert row.endswith(" | 3 | 1.0 | round_limit 3 |")


def test_the_survey_fits_a_terminal() -> None:
    survey = run_scenarios("battles", **WISH, setup={"max_rounds": 1})
    console = Console(width=80, file=io.StringIO())
    console.print(survey)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert text.count("round limit 3") == 40


def test_a_run_in_every_scenario_of_a_server(server: Server) -> None:
    with Client(server.address) as client:
        there = client.run_scenarios("tower", **WISH)
    assert there == run_scenarios("tower", **WISH)


def test_options_that_scenarios_set_by_themselves() -> None:
    with pytest.raises(SetupError, match="scenario: must not be set, since every scenario sets it") as caught:
        run_scenarios("battles", **WISH, setup={"scenario": 3})
    assert caught.value.details["field"] == "scenario"


def test_all_scenarios_on_the_command_line(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "balance.md"
    wish = ["run", "tower", "--all-scenarios", "--bots", "greedy,random", "--matches", "3", "--seed", "11"]
    survey = run_scenarios("tower", **WISH)
    told = cli.run(*wish, "--json").stdout
    assert json.loads(told) == json.loads(json.dumps(survey.summary()))
    assert cli.run(*wish, "--json", "--server", server.address).stdout == told
    shown = cli.run(*wish, "--markdown", str(file))
    assert file.read_text("utf-8") == survey.to_markdown()
    assert "moon side" in shown.stdout
    cli.run("run", "tower", "--matches", "1", "--markdown", str(file), code=2)
