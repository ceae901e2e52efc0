"""`sengoku analyse`: tables, JSON and pictures of recorded matches."""

import json
from pathlib import Path

import pytest

from sengoku import Match, MatchAnalysis, draws
from support.cli import run


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A battle of 50 random decisions."""
    match = Match.create("battles", seed=7, setup={"scenario": 8})
    for draw in draws("bots", seed=7, count=50, sides=2**20):
        legal = match.legal_actions()
        match.play(legal[int(draw) % len(legal)])
    path = tmp_path_factory.mktemp("analyse") / "match.replay"
    path.write_text(match.replay(), "utf-8")
    return path


def test_text_json_and_picture(file: Path, tmp_path: Path) -> None:
    match = Match.from_replay(file.read_text("utf-8"))
    analysis = match.analyse(iterations=8)
    svg = tmp_path / "curve.svg"
    assert run("analyse", str(file), "--iterations", "8", "--svg", str(svg)).stdout == f"{analysis}\n"
    assert svg.read_text("utf-8") == analysis.picture()
    rows = json.loads(run("analyse", str(file), "--iterations", "8", "--threshold", "0.02", "--json").stdout)
    assert rows == json.loads(json.dumps(analysis.to_rows(0.02)))
    assert rows["mistakes"] == [move.decision for move in analysis.mistakes("slip")]


def test_a_saved_result_is_continued(file: Path, tmp_path: Path) -> None:
    saved = tmp_path / "partial.json"
    first = run("analyse", str(file), "--iterations", "8", "--partial", str(saved)).stdout
    whole = MatchAnalysis.from_json(saved.read_text("utf-8"))
    assert whole.complete
    assert run("analyse", str(file), "--iterations", "8", "--partial", str(saved)).stdout == first
    assert list(tmp_path.iterdir()) == [saved]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threshold", "huge"), "threshold is huge: must be more than 0"),
        (("--seat", "2"), "seat is 2: must be 0 to 1"),
        (("--iterations", "8", "--seconds", "1"), "must not both be set"),
    ],
)
def test_options_that_cannot_be(file: Path, options: tuple[str, ...], message: str) -> None:
    assert message in run("analyse", str(file), *options, code=2).words


def test_a_broken_replay(file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.replay"
    broken.write_text(file.read_text("utf-8").replace("seats 2", "seats 9"), "utf-8")
    assert "line 7" in run("analyse", str(broken), code=2).words
