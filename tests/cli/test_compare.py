"""`sengoku bench --compare`: ratios to references of the same run, their history and their picture."""

import json
from pathlib import Path

import pytest

from sengoku.cli import compare
from sengoku.cli.compare import Compared
from support.cli import run

ROWS = [
    Compared("throws", 2_000_000.0, "throws/s", "numpy: random numbers", 500_000_000.0),
    Compared("battles", 57_500_000.0, "battles/s", "numpy: the same battle", 790_000.0),
]


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "compare", lambda _seconds: ROWS)


@pytest.mark.usefixtures("measured")
def test_a_comparison_is_a_table_json_and_markdown() -> None:
    text = run("bench", "--compare", COLUMNS="160").stdout
    assert "57.5 M" in text
    assert "72.8" in text
    plain = json.loads(run("bench", "--compare", "--json").stdout)
    assert plain["ratios"] == {
        "throws / numpy: random numbers": 0.004,
        "battles / numpy: the same battle": 72.7848,
    }
    assert plain["rows"][1]["ratio"] == pytest.approx(72.78, abs=0.01)
    lines = run("bench", "--compare", "--markdown").stdout.splitlines()
    assert len({line.count("|") for line in lines}) == 1
    assert lines[1].startswith("| --- | --: |")


@pytest.mark.usefixtures("measured")
def test_a_history_grows_by_a_line_and_can_be_drawn(tmp_path: Path) -> None:
    history, picture = tmp_path / "history.jsonl", tmp_path / "history.svg"
    for _ in range(2):
        run("bench", "--history", str(history), "--plot", str(picture))
    assert [line["ratios"] for line in compare.read(history)] == [compare.entry(ROWS)["ratios"]] * 2
    assert picture.read_text("utf-8").count("<svg") == 1


def test_a_file_that_is_no_history_is_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "compare", lambda _seconds: pytest.fail("it measured"))
    history = tmp_path / "history.jsonl"
    history.write_text('{"ratios": 3}\n')
    done = run("bench", "--history", str(history), code=2)
    assert "expected a file that" in " ".join(done.stderr.split())
    assert history.read_text() == '{"ratios": 3}\n'
    run("bench", "--plot", "history.txt", code=2)


@pytest.mark.system
def test_everything_is_compared() -> None:
    found = {row.work: row for row in compare.compare(0.01)}
    assert len(found) == 8
    assert all(row.figure > 0 and row.reference_figure > 0 for row in found.values())
