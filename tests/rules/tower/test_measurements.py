"""What counted throws of a real tower imply about the fast one (TW-TOWER-21, TW-TOWER-35)."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from sengoku import tower
from sengoku.engine import tower_fit
from sengoku.engine.tower_fit import FORM_SIZES, HOLD, LEVEL, SLIP, Counted, fit_measurements
from sengoku.errors import ArgumentError
from support.cli import run


def simulated(parameters: str | dict, seed: int, sizes: tuple[int, ...] = FORM_SIZES) -> list[Counted]:
    """Throws of the fast model, counted as a person would."""
    device = tower.CubeTower(seed=seed, parameters=parameters)
    outs = [sum(device.throw({"red": size}).values()) for size in sizes]
    return [Counted(line, size, out) for line, (size, out) in enumerate(zip(sizes, outs, strict=True), 2)]


def csv_of(throws: list[Counted]) -> str:
    rows = [f"{number},{counted.thrown},{counted.out}" for number, counted in enumerate(throws, 1)]
    return "\n".join(["throw,thrown,out", *rows, ""])


def moved(hold: float, slip: float) -> dict:
    """The ledger's tower with the movements that are fitted."""
    shelves = tower.CubeTower(parameters="ledger").parameters["shelves"]
    for shelf in shelves:
        stick = shelf["stick_per_mille"] / 1000
        shelf["stick_per_mille"] = max(1, round(1000 / (1 + (1 - stick) / stick * np.exp(-hold))))
        shelf["dislodge"] = min(65_470, max(1, round(shelf["dislodge"] * np.exp(slip))))
    return {"shelves": shelves}


@pytest.mark.parametrize(("hold", "slip"), [(0.0, 0.0), (-1.5, 0.5)])
def test_the_likelihood_is_that_of_the_fast_model(hold: float, slip: float) -> None:
    """TW-TOWER-32: the law on counts against throws of the model itself."""
    parameters = moved(hold, slip)
    shelves = parameters["shelves"]
    towers = tower_fit._Towers.build(shelves, np.zeros(1), np.zeros(1))
    state = towers.throw(towers.empty(), 38)
    thrown = tower.simulate_throws({"red": 38}, count=40_000, parameters=parameters, seed=5)
    held = thrown.contents.sum(axis=1)
    assert state.sum() == pytest.approx(1, abs=1e-6)
    assert float(towers.kept(state)[0]) == pytest.approx(held.mean(), abs=0.05)
    sums = np.add.outer(*(np.arange(size) for size in state.shape[1:]))
    law = np.bincount(sums.ravel(), weights=state[0].ravel(), minlength=60)
    assert np.abs(law - np.bincount(held, minlength=len(law)) / len(held)).max() < 0.01
    throws = [Counted(2, 38, 38 - int(held[0]))]
    *_, score = tower_fit._log_likelihood(towers, throws)
    assert float(score[0]) == pytest.approx(float(np.log(law[held[0]])))


def test_one_fit() -> None:
    """TW-TOWER-35: it names the set that fits, and gives parameters that a tower takes."""
    throws = simulated("ledger", seed=11)
    found = fit_measurements(throws)
    assert found.throws == 20
    assert found.base == max(found.log_likelihoods, key=lambda name: found.log_likelihoods[name])
    assert set(found.log_likelihoods) | set(found.not_compared) == set(tower.parameter_sets()) - {"default"}
    for interval in (*found.stick_per_mille, *found.dislodge, found.fill_kept):
        assert interval.low < interval.value < interval.high
    assert 15 < found.fill_kept.value < 38
    tower.CubeTower(parameters=found.parameters).throw({"red": 3})
    assert fit_measurements(throws[:2], sets=["ledger"]).throws == 2


@pytest.mark.system
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Towers whose truth is drawn from all that was held possible: nine of ten intervals hold it."""
    chance, hits, count = random.Random(21), [0, 0, 0], 60
    base = tower.CubeTower(parameters="ledger").parameters["shelves"][0]
    for seed in range(count):
        parameters = moved(chance.uniform(HOLD[0], HOLD[-1]), chance.uniform(SLIP[0], SLIP[-1]))
        found = fit_measurements(simulated(parameters, seed), sets=["ledger"])
        truth = parameters["shelves"][0]
        shelves = tower_fit._Towers.build(parameters["shelves"], np.zeros(1), np.zeros(1))
        kept = float(shelves.kept(shelves.throw(shelves.empty(), 38))[0])
        for place, (value, interval) in enumerate(
            (
                (truth["stick_per_mille"], found.stick_per_mille[0]),
                (truth["dislodge"], found.dislodge[0]),
                (kept, found.fill_kept),
            )
        ):
            hits[place] += interval.low <= value <= interval.high
    assert base["capacity"] == 26
    spread = 3 * np.sqrt(LEVEL * (1 - LEVEL) / count)
    for hit in hits:
        assert abs(hit / count - LEVEL) < spread, hits


def test_the_command(tmp_path: Path) -> None:
    """`sengoku tower fit`: the form, a filled form, and the numbers as JSON."""
    form = run("tower", "fit", "--form").stdout
    assert next(line for line in form.splitlines() if line.endswith(",")) == "1,38,"
    file = tmp_path / "mine.csv"
    throws = simulated("ledger", seed=2)[:4]
    filled = iter(throws)
    lines = [line + str(next(filled).out) if line.endswith(",") else line for line in form.splitlines()[:7]]
    file.write_text("\n".join(lines))
    told = json.loads(run("tower", "fit", str(file), "--json").stdout)
    found = fit_measurements(throws)
    assert told["base"] == found.base
    assert told["fill_kept"]["value"] == pytest.approx(found.fill_kept.value)
    assert told["parameters"] == found.parameters
    text = run("tower", "fit", str(file)).stdout
    for words in ("4 throws", "kept of a fill of 38", "explains the throws best", "--parameters"):
        assert words in text
    assert "give a file of measurements" in run("tower", "fit", code=2).words
    assert "give a file of measurements" in run("tower", "fit", str(file), "--form", code=2).words


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "no header"),
        ("# nothing\n\n", 1, "no header"),
        ("throw,thrown\n1,38,9\n", 1, "expected throw,thrown,out"),
        ("throw,thrown,fell\n1,38,9\n", 1, "expected throw,thrown,out"),
        ("throw,thrown,out\n", 1, "no throws after the header"),
        ("throw,thrown,out\n1,38,9\n2,3\n", 3, "2 values: expected 3"),
        ("# a\nthrow,thrown,out\n1,38,9\n\n2,3,x\n", 5, "out is 'x': must be a whole number"),
        ("throw,thrown,out\n1,38,\n", 2, "out is '': must be a whole number"),
        ("throw,thrown,out\n1,38,-9\n", 2, "out is '-9': must be a whole number"),
        ("throw,thrown,out\n1,38,9.5\n", 2, "must be a whole number"),
        ("throw,thrown,out\n1,38,9\n3,3,1\n", 3, "throw is 3: expected 2"),
        ("throw,thrown,out\n1,0,0\n", 2, "thrown is 0: must be 1 to 330"),
        ("throw,thrown,out\n1,38,9\n2,3,33\n", 3, "out is 33: there were only 32 cubes"),
        ("throw,thrown,out\n1,330,0\n2,1,0\n", 3, "331 cubes would be inside: there are 330"),
    ],
)
def test_a_file_that_cannot_be(tmp_path: Path, text: str, line: int, words: str) -> None:
    """Errors name the line, what was wrong, and what would be accepted."""
    file = tmp_path / "mine.csv"
    file.write_text(text)
    with pytest.raises(ArgumentError) as refused:
        tower_fit.read_measurements(file)
    assert refused.value.details == {"field": "measurements", "value": str(file), "line": str(line)}
    assert f"line {line}: " in str(refused.value)
    assert words in str(refused.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="No such file"):
        tower_fit.read_measurements(tmp_path / "none.csv")
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ArgumentError, match="utf-8"):
        tower_fit.read_measurements(tmp_path / "bytes.csv")
    many = "throw,thrown,out\n" + "".join(f"{number},1,1\n" for number in range(1, 502))
    (tmp_path / "many.csv").write_text(many)
    with pytest.raises(ArgumentError, match="line 502: more than 500 throws"):
        tower_fit.read_measurements(tmp_path / "many.csv")


def test_counts_that_no_tower_explains() -> None:
    """The error names the line of the throw that the fast model cannot make."""
    with pytest.raises(ArgumentError, match="line 2: no tower of the fast model lets 0 cubes out here"):
        fit_measurements([Counted(2, 120, 0)], sets=["ledger"])
