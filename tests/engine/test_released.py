"""Files that releases wrote are read by this one, or refused with both rules versions."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sengoku import Match, run_matches
from sengoku._core import build_info
from sengoku.errors import DecodeError
from tools import released

RULES: dict[str, int] = dict(build_info()["rules_versions"])
FOLDERS = released.folders()
CASES = [(folder, name) for folder in FOLDERS for name in released.MATCHES]


def about(folder: Path) -> Any:
    return json.loads((folder / "released.json").read_text("utf-8"))


def test_there_are_files_of_every_release() -> None:
    changes = (released.ROOT / "CHANGELOG.md").read_text("utf-8")
    named = re.findall(r"(?m)^## (\d+\.\d+\.\d+)", changes)
    assert sorted(named) == sorted(folder.name for folder in FOLDERS)
    assert all((folder / "protos.binpb").exists() for folder in FOLDERS)


@pytest.mark.parametrize(("folder", "name"), CASES, ids=lambda value: getattr(value, "name", value))
def test_matches_of_a_release_open_or_are_refused(folder: Path, name: str) -> None:
    game = released.MATCHES[name][0]
    written = about(folder)["rules_versions"][game]
    expected = about(folder)["matches"][name]
    save = (folder / f"{name}.save").read_bytes()
    replay = (folder / f"{name}.replay").read_text("utf-8")
    if written == RULES[game]:
        for match in (Match.load(save), Match.from_replay(replay)):
            assert (match.digest, match.decisions) == (expected["digest"], expected["decisions"])
        return
    for read, data in ((Match.load, save), (Match.from_replay, replay)):
        with pytest.raises(DecodeError, match=rf"\b{written}\b.*\b{RULES[game]}\b"):
            read(data)  # type: ignore[operator]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_the_same_rules_give_the_same_rows_as_in_a_release(folder: Path) -> None:
    blocks = re.split(r"(?m)^(?=match)", (folder / "rows.csv").read_text("utf-8"))
    for game, rows in zip(("swords", "tower", "battles"), [block for block in blocks if block], strict=True):
        if about(folder)["rules_versions"][game] == RULES[game]:
            assert run_matches(game, **released.RUN).to_csv() == rows
