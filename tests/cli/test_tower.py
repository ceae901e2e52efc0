"""The `tower` commands: throws, films and models."""

import json
from pathlib import Path

from sengoku import tower
from sengoku.server import Server
from support.cli import run
from support.questions import FILM, THROW


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
    assert "board 3" in text
    assert "at rest after" in text
    assert "shaken by 0." in text
    plates = [*THROW, "--model", "rigid", "--contents", "red=2", "--parameters", "plates"]
    text = run(*plates).stdout
    assert "upper plate" in text
    assert "shaken" not in text
    assert run(*plates, "--server", server.address).stdout == text


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
    geometry = Path(__file__).parents[2] / "rust/tower-physics/data/boards.toml"
    rigid = [*THROW, *wish, "--model", "rigid"]
    assert run(*rigid, "--parameters", str(geometry)).stdout == run(*rigid).stdout
    for text, model, words in (
        ("shelves = 3", "shelves", "parameters.shelves: "),
        ("shelves = [", "shelves", "mine.toml: "),
        ('default = "b"\n[sets.a]\nshelves = []', "shelves", "default is 'b': must be one of a"),
        (geometry.read_text("utf-8"), "shelves", 'parameters.shaft: belongs to the model "rigid"'),
        ("shelves = []", "rigid", 'this file is for the model "shelves"'),
        ("[shaft]\ninner_mm = 0\n", "rigid", "parameters.shaft: missing field"),
        ("\udcff", "shelves", "mine.toml: "),
    ):
        file.write_text(text, "utf-8", errors="surrogateescape")
        failed = run(*THROW, "--model", model, "--parameters", str(file), code=2)
        assert words in failed.words
    missing = run(*THROW, "--parameters", str(tmp_path / "none.toml"), code=2)
    assert "No such file" in missing.words


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
        assert words in run(*wrong, code=2).words
    assert sorted(path.name for path in tmp_path.iterdir()) == ["film.gif", "still.png"]


def test_models_of_the_tower() -> None:
    assert [model["name"] for model in json.loads(run("tower", "models", "--json").stdout)] == [
        *("shelves", "rigid")
    ]
    assert "ledger" in run("tower", "models").stdout
    assert "plates" in run("tower", "models").stdout
