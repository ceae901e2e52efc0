"""Files of replays: bounded, written as matches end, the same bytes for any number of threads."""

import json
import zipfile
from pathlib import Path

import pytest

from sengoku import Cancel, Match, ReplayFile, games, run_matches
from sengoku.engine import replays as module
from sengoku.errors import ArgumentError, CancelledError, DecodeError

CAP = {"max_rounds": 2}


@pytest.mark.parametrize("game", [game.name for game in games()])
def test_replays_are_the_matches_of_the_run(game: str, tmp_path: Path) -> None:
    wish = {"bots": ["greedy", "random"], "match_count": 5, "first_match": 7, "seed": 3, "setup": CAP}
    path = tmp_path / "replays.zip"
    report = run_matches(game, **wish, replays=path)
    assert report == run_matches(game, **wish)
    with ReplayFile(path) as file:
        assert len(file) == 5
        assert [match.digest for match in file] == report.digest.tolist()
        assert [row["decisions"] for row in file.index] == report.decisions.tolist()
        assert [row["match_index"] for row in file.index] == [7, 8, 9, 10, 11]
        match = file.match(9)
        assert (match.match_index, match.seed, match.setup) == (9, 3, CAP)
        assert match.replay() == file.text(9)
        with pytest.raises(ArgumentError, match="7 to 11"):
            file.match(12)
    assert [*tmp_path.iterdir()] == [path]


def test_the_file_depends_on_no_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = []
    for threads, at_once in ((1, 64), (2, 64), (2, 7)):
        monkeypatch.setattr("sengoku.engine.requests._KEPT_AT_ONCE", at_once)
        files.append(tmp_path / f"{threads}-{at_once}.zip")
        told: list[tuple[int, int]] = []
        run_matches(
            "battles", bots=["random"], match_count=20, seed=1, threads=threads, replays=files[-1],
            progress=lambda done, total, told=told: told.append((done, total)),
        )  # fmt: skip
        assert told[-1] == (20, 20)
        assert told == sorted(told)
    assert len({file.read_bytes() for file in files}) == 1


def test_a_run_that_fails_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "replays.zip"
    path.write_text("before")
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(CancelledError):
        run_matches("battles", bots=["random"], match_count=2, replays=path, cancel=cancel)
    with pytest.raises(ArgumentError):
        run_matches("battles", bots=["genius"], match_count=2, replays=path)
    assert path.read_text() == "before"
    assert [*tmp_path.iterdir()] == [path]


def test_too_many_replays(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError) as refused:
        run_matches("battles", bots=["random"], match_count=100_001, replays=tmp_path / "replays.zip")
    assert refused.value.details == {"field": "replays", "value": "100001", "limit": "100000"}


def test_files_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "replays.zip"
    path.write_text("no archive")
    with pytest.raises(DecodeError):
        ReplayFile(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("0.replay", "no index")
    with pytest.raises(DecodeError):
        ReplayFile(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("index.json", json.dumps([{"match_index": 0}]))
    with ReplayFile(path) as file, pytest.raises(DecodeError):
        file.match(0)
    run_matches("battles", bots=["random"], match_count=1, replays=path)
    monkeypatch.setattr(module, "MAX_REPLAY_BYTES", 300)
    with ReplayFile(path) as file, pytest.raises(DecodeError, match="at most 300"):
        file.match(0)
    with pytest.raises(FileNotFoundError):
        ReplayFile(tmp_path / "nothing")
    assert Match
