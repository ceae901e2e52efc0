"""`sengoku replay`: the story of a match and its position."""

import json
from pathlib import Path

import pytest

from sengoku import Match, draws
from support.cli import run


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, str]:
    """A battle of 120 random decisions, and the file with its replay."""
    match = Match.create("battles", seed=7, setup={"scenario": 8})
    for draw in draws("bots", seed=7, count=120, sides=2**20):
        legal = match.legal_actions()
        match.play(legal[int(draw) % len(legal)])
    file = tmp_path_factory.mktemp("replay") / "match.replay"
    file.write_text(match.replay(), "utf-8")
    return match, str(file)


def test_a_replay_is_told_and_drawn(replayed: tuple[Match, str]) -> None:
    match, file = replayed
    text = run("replay", "show", file).stdout
    assert text.startswith(str(match.story()))
    assert str(match.sketch()).splitlines()[3].strip() in text
    assert text.splitlines()[-1] == f"seat {match.to_act} is to act"
    assert str(match.story(long=True)) in run("replay", "show", file, "--long").stdout
    assert run("replay", "show", file, "--decisions").stdout.startswith(match.replay())


def test_a_part_of_a_replay(replayed: tuple[Match, str]) -> None:
    match, file = replayed
    text = run("replay", "show", file, "--from", "50", "--to", "80", "--long").stdout
    assert text.startswith(str(match.story(since=49, until=80, long=True)))
    rows = json.loads(run("replay", "show", file, "--from", "1", "--to", "60", "--json").stdout)["story"]
    assert {1} <= {row["decision"] for row in rows} <= set(range(1, 61))
    before = Match.create("battles", seed=7, setup={"scenario": 8})
    for index in match.history[:60]:
        before.play(index)
    there = json.loads(run("replay", "show", file, "--at", "60", "--json").stdout)
    assert (there["decisions"], there["digest"]) == (60, f"{before.digest:016x}")
    assert there["state"] == before.state()
    assert str(before.story()) in run("replay", "show", file, "--at", "60").stdout


def test_a_replay_for_a_seat(replayed: tuple[Match, str]) -> None:
    match, file = replayed
    text = run("replay", "show", file, "--seat", "1", "--long").stdout
    assert text.startswith(str(match.story(1, long=True)))
    there = json.loads(run("replay", "show", file, "--seat", "1", "--json").stdout)
    assert there["state"] == match.view(1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--at", "121"), "--at is 121: must be 0 to 120"),
        (("--from", "121"), "--from is 121: must be 0 to 120"),
        (("--to", "4", "--from", "5"), "--to is 4: must be 5 to 120"),
        (("--seat", "2"), "seat is 2"),
        (("--seat", "1", "--decisions"), "leave out --seat"),
    ],
)
def test_parts_that_there_are_not(
    replayed: tuple[Match, str], options: tuple[str, ...], message: str
) -> None:
    assert message in run("replay", "show", replayed[1], *options, code=2).stderr


def test_a_part_of_a_replay_with_dice(tmp_path: Path) -> None:
    match = Match.create("swords", seats=3, seed=3, dice=[1] * 50)
    for _ in range(30):
        match.play(match.legal_actions()[0])
    file = tmp_path / "match.replay"
    file.write_text(match.replay(), "utf-8")
    there = json.loads(run("replay", "show", str(file), "--at", "20", "--json").stdout)
    assert there["decisions"] == 20


def test_the_replays_of_a_run(tmp_path: Path) -> None:
    file = str(tmp_path / "run.zip")
    options = (
        "run",
        "battles",
        "--bots",
        "greedy,random",
        "--matches",
        "3",
        "--seed",
        "7",
        "--first-match",
        "4",
    )
    here = json.loads(run(*options, "--json").stdout)
    assert json.loads(run(*options, "--replays", file, "--json").stdout) == here
    rows = json.loads(run("replay", "list", file, "--json").stdout)
    assert [row["match_index"] for row in rows] == [4, 5, 6]
    assert rows[1]["digest"] in run("replay", "list", file).stdout
    shown = json.loads(run("replay", "show", file, "--match", "5", "--json").stdout)
    assert (shown["match_index"], shown["digest"]) == (5, rows[1]["digest"])
    assert rows[2]["digest"] in run("replay", "verify", file, "--match", "6").stdout
    assert "--match is missing" in run("replay", "show", file, code=2).stderr
    assert "matches 4 to 6" in run("replay", "show", file, "--match", "7", code=2).stderr
    for other in (("--server", "localhost:1"), ("--all-scenarios",)):
        assert "exclude each other" in run(*options, "--replays", file, *other, code=2).stderr


def test_one_replay_has_no_number(replayed: tuple[Match, str]) -> None:
    assert "leave out --match" in run("replay", "show", replayed[1], "--match", "0", code=2).stderr
