"""`sengoku store check` and `repair`: they name what cannot be trusted, and save everything else."""

import json
import random
from pathlib import Path

import pytest

from sengoku.errors import ArgumentError, DataCorruptError
from sengoku.storage import State, Store
from sengoku.storage.check import check
from sengoku.storage.migrations import VERSION
from sengoku.storage.repair import repair
from support import damage
from support.cli import call

TRIALS, THOROUGH = 120, 1_500


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "runs.sqlite3"
    damage.fill(file)
    return file


def everything(file: Path) -> dict[str, object]:
    with Store(file) as store:
        return dict(damage.contents(store))


def test_a_whole_store_has_no_findings_and_is_not_changed(file: Path) -> None:
    before = file.read_bytes()
    with Store(file):
        assert check(file) == []  # beside a server
    assert repair(file) == ([], None)
    assert file.read_bytes() == before
    assert {path.name for path in file.parent.iterdir()} == {file.name}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE chunks SET rows = x'00' WHERE run = 2 AND first = 10",
         "chunk operations/1 (first 10, count 10): matches 10 to 19 are damaged or missing; its matches "
         "are played again"),
        ("DELETE FROM chunks WHERE run = 3 AND first >= 20",
         "chunk operations/2 (first 20, count 20): matches 20 to 39 are damaged or missing"),
        ("DELETE FROM chunk_checksums WHERE run = 1 AND first = 0",
         "chunk operations/0 (first 0, count 10): matches 0 to 9 are damaged or missing"),
        ("UPDATE runs SET request = x'00' WHERE id = 2",
         "run operations/1 (row 2): what was requested fails its checksum; the row goes into quarantine"),
        ("UPDATE runs SET done = 39 WHERE id = 2",
         "run operations/1 (row 2): its state fails its checksum; its state is restored"),
        ("UPDATE tournaments SET seeds = '[2]' WHERE id = 1",
         "tournament tournaments/0 (row 1): what was requested fails its checksum"),
        ("""UPDATE matches SET result = '"7"' WHERE tournament = 2 AND number = 5 AND bots = '[0,1]'""",
         "match tournaments/1 (bots [0,1], board 0, number 5, arrangement 0): it fails its checksum; "
         "it is played again when the tournament goes on"),
        ("DELETE FROM matches WHERE tournament = 1 AND number > 6",
         "tournament tournaments/0: 4 matches are missing"),
    ],
)  # fmt: skip
def test_what_is_damaged_is_named_and_repaired(file: Path, statement: str, expected: str) -> None:
    before = everything(file)
    damage.change(file, statement)
    (finding,) = check(file)
    assert str(finding).startswith(expected)
    findings, copy = repair(file)
    assert findings == [finding]
    assert copy == file.with_name("runs.sqlite3.before-repair-1")
    assert {path.name for path in file.parent.iterdir()} == {file.name, copy.name}
    assert {path.stat().st_mode & 0o777 for path in file.parent.iterdir()} == {0o600}
    assert check(copy) == [finding]
    # What is missing of runs is played again by a server; everything else is whole.
    assert {each.kind for each in check(file)} <= {"chunk", "quarantine"}
    jobs = {finding.name, "unfinished"}
    for name, value in everything(file).items():
        if name.partition(" ")[0] not in jobs:
            assert value == before[name]


def test_a_tournament_that_lost_matches_goes_on(file: Path) -> None:
    specs = ['{"bots": [{"bot": "random"}]}', '{"bots": [{"bot": "random"}, {"player": "ann"}]}']
    with Store(file) as store:
        for number, spec in enumerate(specs):
            row = store.tournaments.get(f"tournaments/{number}")
            assert row is not None
            store.tournaments.delete(row.id)
            again = store.tournaments.begin(
                type(row)(name=row.name, client="c", created=1, spec=spec, seeds="[]")
            )
            store.tournaments.add_matches(again.id, damage.MATCHES)
            store.tournaments.set_state(again.id, State.SUCCEEDED, 5, "")
    damage.change(file, "DELETE FROM matches WHERE number = 3")
    assert ["it is played again" in str(each) for each in check(file)] == [True, False]
    repair(file, backup=False)
    with Store(file) as store:
        one, other = (store.tournaments.get(f"tournaments/{number}") for number in (0, 1))
        assert one is not None
        assert other is not None
        assert (one.state, one.ended, one.match_count) == (State.RUNNING, None, len(damage.MATCHES) - 2)
        assert (other.state, "DATA_CORRUPT" in other.error) == (State.FAILED, True)
        for row in (one, other):
            assert [match.key[2] for match in store.tournaments.matches(row.id)].count(3) == 0
    assert check(file) == []
    assert not list(file.parent.glob("*before-repair*"))  # no copy was wanted


def one_trial(whole: Path, file: Path, expected: dict[str, object], seed: int) -> str:
    """Damage a store, repair it, and compare what is served then."""
    draw = random.Random(seed)
    damage.copy(whole, file)
    places = damage.flip(file, draw, draw.choice((1, 2, 8, 64)))
    try:
        findings, _ = repair(file, backup=False)
    except (ArgumentError, DataCorruptError) as error:
        assert str(file) in str(error), f"seed {seed}: {error}"  # noqa: PT017
        return "hopeless"
    left = {finding.kind for finding in check(file)}
    assert left <= {"chunk", "quarantine"}, f"seed {seed}, bits {places}: {left}"
    assert findings or not left, f"seed {seed}, bits {places}"
    with Store(file) as store:
        found = dict(damage.contents(store))
    for name, value in found.items():
        if name.startswith("operations") and " " in name and value != expected[name]:
            gone = found[name.split()[0]] is None or damage.is_damage(found[name.split()[0]])
            assert damage.is_damage(value) or gone, f"seed {seed}, bits {places}: {name} is {value}"
        if name.endswith("matches") and isinstance(value, list):
            rows = expected[name]
            assert isinstance(rows, list)
            assert all(row in rows for row in value), f"seed {seed}, bits {places}: {name}"
    return "repaired" if findings else "harmless"


def trials(folder: Path, seeds: range) -> None:
    whole, file = folder / "whole.sqlite3", folder / "copy.sqlite3"
    damage.fill(whole)
    expected = everything(whole)
    ends = [one_trial(whole, file, expected, seed) for seed in seeds]
    assert ends.count("repaired") > len(ends) / 3
    assert ends.count("hopeless") < len(ends) / 2  # a tenth of so small a file are its definitions


def test_what_a_repair_leaves_can_be_trusted(tmp_path: Path) -> None:
    trials(tmp_path, range(TRIALS))


@pytest.mark.system
def test_what_many_repairs_leave_can_be_trusted(tmp_path: Path) -> None:
    trials(tmp_path, range(2 * 10**6, 2 * 10**6 + THOROUGH))


def test_nobody_repairs_a_store_in_use(file: Path) -> None:
    damage.change(file, "UPDATE chunks SET rows = x'00' WHERE run = 2 AND first = 10")
    with Store(file), pytest.raises(ArgumentError, match="another server uses it"):
        repair(file)


def test_what_is_no_store(tmp_path: Path) -> None:
    missing = tmp_path / "none.sqlite3"
    for work in (check, repair):
        with pytest.raises(ArgumentError, match="there is no such file"):
            work(missing)
    assert not missing.exists()
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be looked at " * 100)
    (finding,) = check(text)
    assert "nothing of it can be read: restore a backup" in str(finding)
    with pytest.raises(DataCorruptError, match="restore a backup"):
        repair(text)


def test_the_commands(file: Path) -> None:
    code, done = call("store", "check", str(file))
    assert (code, done.stdout) == (0, f"{file}: everything can be trusted\n")
    assert (
        call("store", "repair", str(file))[1].stdout == f"{file}: nothing is damaged, nothing was changed\n"
    )
    damage.change(file, "UPDATE chunks SET rows = x'00' WHERE run = 2 AND first = 10")
    code, done = call("store", "check", str(file), "--json")
    found = json.loads(done.stdout)
    assert (code, found["whole"]) == (1, False)
    assert found["findings"][0]["place"] == {"first": 10, "count": 10}
    with Store(file):
        code, done = call("store", "repair", str(file))
        assert code == 2
        assert "another server uses it" in done.stderr
    code, done = call("store", "repair", str(file), "--json")
    found = json.loads(done.stdout)
    assert (code, found["repaired"]) == (0, True)
    assert Path(found["backup"]).exists()
    code, done = call("store", "check", str(file.parent / "none"))
    assert code == 2
    assert "there is no such file" in done.stderr


def test_old_stores_are_migrated_by_a_command(tmp_path: Path) -> None:
    old = tmp_path / "old.sqlite3"
    damage.restore(Path(__file__).parent / "versions" / "v3.sql", old)
    code, done = call("store", "check", str(old))
    assert code == 2
    assert "`sengoku store migrate`" in " ".join(done.stderr.split())
    assert call("store", "migrate", str(old))[1].stdout == f"{old}: version {VERSION}\n"
    assert call("store", "check", str(old))[0] == 0
    assert call("store", "migrate", str(tmp_path / "none"))[0] == 2
