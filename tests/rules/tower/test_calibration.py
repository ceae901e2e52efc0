"""The fast model against the rigid one (TW-TOWER-44, TW-TOWER-45), and the work that compares them."""

import gzip
import json
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sengoku import _core, tower
from sengoku.errors import ArgumentError, DecodeError
from tools.calibration import calibrate, fit, measure, report
from tools.calibration.statistics import chance, fitted, statistics

CRATES = Path(__file__).parents[3] / "rust"
COMMITTED: dict[str, Any] = json.loads((CRATES / "tower-physics/data/calibration.json").read_text())
RIGID, SHELVES = COMMITTED["rigid"], COMMITTED["shelves"]


def test_the_set_of_the_ledger_is_the_default() -> None:
    """TW-TOWER-35, TW-TOWER-45: until a set fits a rigid tower that meets its targets."""
    assert tower.CubeTower().parameters == tower.CubeTower(parameters="ledger").parameters
    assert tower.CubeTower(parameters="fitted").parameters == COMMITTED["parameters"]
    assert tower.CubeTower().parameters != COMMITTED["parameters"]


def test_the_rigid_statistics_are_those_of_this_tower() -> None:
    """TW-TOWER-44: a changed geometry needs a new calibration; the committed one is that of the plates."""
    assert COMMITTED["tower"] == measure.digest("plates")


def test_every_cell_was_measured() -> None:
    """TW-TOWER-44: S1 to S8, every size at every content, with standard errors."""
    names = {f"k={size} N={content}" for size in (2, 4, 6, 8, 12, 16) for content in range(15, 50, 5)}
    assert set(RIGID["S2, S3"]) == names
    for cell in [*RIGID["S2, S3"].values(), *RIGID["S1"].values()]:
        assert cell["throws"] == sum(cell["counts"]) > 100
        assert cell["mean"][1] > 0
    assert {f"{size}:{size}" for size in range(1, 9)} < set(RIGID["S8"])
    assert {f"{size + 1}:{size}" for size in range(1, 9)} < set(RIGID["S8"])


def test_the_trials_to_go_on_from_are_of_the_tower_with_boards(tmp_path: Path) -> None:
    """TW-TOWER-43 T1, TW-TOWER-44: `make calibrate` goes on from them; fills keep 65 to 85 %."""
    file = tmp_path / "trials.jsonl"
    file.write_bytes(gzip.decompress((CRATES / "tower-physics/data/trials.jsonl.gz").read_bytes()))
    header = json.loads(file.read_text().partition("\n")[0])
    assert header == {"tower": measure.digest("boards"), "seed": 20}
    found = measure.measure(tmp_path, trials={}, seed=20, parameters="boards")
    for size, fill in fitted(found)["S1"].items():
        assert fill["throws"] == 2000
        assert 0.65 < fill["mean"][0] / int(size) < 0.85
    again = _core.tower_trials(
        "fill", first=7, count=1, model="rigid", seed=20, parameters="boards", threads=1
    )
    assert again["rows"].tolist() == found["fill"].rows[21:24].tolist()


def test_clashes_count_chances_and_not_wins() -> None:
    """TW-TOWER-37, TW-TOWER-44 S8: the chance given what came out, against every choice of colours."""
    size, fresh, older, inside = 5, 2, 1, 3
    wins = draws = 0
    cubes = 6
    for new in combinations(range(size), fresh):
        for old in combinations(range(cubes), older):
            first = sum(place < 3 for place in new) + sum(place < inside for place in old)
            wins += 2 * first > fresh + older
            draws += 2 * first == fresh + older
    choices = comb(size, fresh) * comb(cubes, older)
    assert chance(size, fresh, older, inside, cubes) == pytest.approx(wins / choices)
    assert draws == 0
    assert chance(2, 1, 1, 3, cubes) == pytest.approx(0.5)
    assert chance(2, 0, 0, 3, cubes) == 1


def test_colours_have_no_preference() -> None:
    """TW-TOWER-44 S7, TW-TOWER-06: within 1 % or three standard errors, in both models."""
    for model in (RIGID, SHELVES):
        difference, error = model["S7"]["difference"]
        assert abs(difference) <= max(0.01, 3 * error)
        assert model["S7"]["chi_square"] < 10.83  # 0.1 % of one degree of freedom


def test_pushed_cubes_are_rare() -> None:
    """TW-TOWER-42: a cube that rests in the funnel is pushed down and counted."""
    assert RIGID["pushed"] < 0.001 * sum(RIGID["throws"].values())


def test_the_fast_model_is_as_far_from_the_rigid_one_as_the_report_says() -> None:
    """TW-TOWER-45: made again with other chance, every cell agrees with the committed one."""
    again = fitted(measure.shelves("fitted", trials={"fill": 4000, "grid": 800}, seed=99))
    cells = [(again["S2, S3"][name], cell) for name, cell in SHELVES["S2, S3"].items()]
    cells += [(again["S1"][size], fill) for size, fill in SHELVES["S1"].items()]
    for found, wanted in cells:
        for field in ("mean", "variance", "sd"):
            if field in wanted:
                (value, error), (other, other_error) = found[field], wanted[field]
                assert abs(value - other) < 5 * np.hypot(error, other_error)
    committed = (CRATES / "tower-physics/CALIBRATION.md").read_text()
    assert committed == report._markdown(COMMITTED)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A calibration of seconds."""
    monkeypatch.setattr(calibrate, "FULL", {"fill": 30, "grid": 12, "long_run": 4})
    monkeypatch.setattr(calibrate, "_CHECK", {"fill": 50, "grid": 20, "long_run": 10})
    monkeypatch.setattr(fit, "_TRIALS", {"fill": 50, "grid": 10})


def pretend(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials of the fast model where those of the rigid one would be: they take no time."""
    trials = _core.tower_trials

    def quick(kind: str, **arguments: Any) -> dict[str, Any]:
        if arguments.get("model") == "rigid":
            arguments |= {"model": "shelves", "parameters": "ledger"}
        return trials(kind, **arguments)

    monkeypatch.setattr(_core, "tower_trials", quick)


def test_a_whole_calibration(small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """TW-TOWER-45: from trials to parameters and a report; what was measured is not measured again."""
    pretend(tmp_path, monkeypatch)
    steps: list[str] = []

    def step(name: str) -> Any:
        return lambda done, total: steps.append(f"{name} {done}/{total}")

    found, files = calibrate.calibrate(tmp_path, generations=1, note="A test.", step=step)
    assert "rigid tower 46/46" in steps
    assert {file.name for file in files} >= {"calibration.json", "tower_fitted.toml", "CALIBRATION.md"}
    assert all(file.stat().st_size > 100 for file in files)
    text = (tmp_path / "CALIBRATION.md").read_text()
    assert "A test." in text
    assert "| 45 | 30 |" in text
    tower.CubeTower(parameters=found["parameters"]).throw({"red": 3})
    kept = (tmp_path / "trials.jsonl").read_bytes()
    steps.clear()
    again, _ = calibrate.calibrate(tmp_path, generations=1, note="A test.", step=step)
    assert (tmp_path / "trials.jsonl").read_bytes() == kept
    assert "rigid tower" not in " ".join(steps)
    assert json.dumps(again) == json.dumps(found)


def test_a_run_that_was_killed_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that was cut off is made again; threads and the order of the work change nothing."""
    pretend(tmp_path, monkeypatch)
    trials = {"fill": 8, "grid": 3, "long_run": 3}
    whole_run = measure.measure(tmp_path / "one", trials=trials, threads=1)
    path = tmp_path / "two" / "trials.jsonl"
    measure.measure(path.parent, trials=dict.fromkeys(trials, 2), threads=2)
    path.write_bytes(path.read_bytes()[:-40])
    resumed = measure.measure(path.parent, trials=trials, threads=3)
    assert json.dumps(statistics(resumed)) == json.dumps(statistics(whole_run))
    with pytest.raises(DecodeError, match="another tower or seed"):
        measure.measure(path.parent, trials=trials, seed=2)


def test_trials_of_the_rigid_tower_are_the_same_on_any_thread(tmp_path: Path) -> None:
    """TW-TOWER-08: really rigid this time."""
    runs = [
        measure.measure(tmp_path / str(threads), trials={"fill": 3}, threads=threads)["fill"].rows.tolist()
        for threads in (1, 2)
    ]
    assert runs[0] == runs[1]
    assert len(runs[0]) == 9


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(ArgumentError, match="kind"):
        _core.tower_trials("juggling", first=0, count=1)
    with pytest.raises(ArgumentError, match="count"):
        _core.tower_trials("fill", first=0, count=10_000_000)


def test_standard_errors_are_honest() -> None:
    """The jackknife over trials agrees with the spread of repeated measurements."""
    means, errors = [], []
    for seed in range(40):
        cells = fitted(measure.shelves("ledger", trials={"fill": 3, "grid": 30}, seed=seed))["S2, S3"]
        means.append(cells["k=8 N=25"]["mean"][0])
        errors.append(cells["k=8 N=25"]["mean"][1])
    assert np.std(means, ddof=1) == pytest.approx(np.mean(errors), rel=0.4)
