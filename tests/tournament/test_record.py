"""Tournaments that are written down: resumed after any end, nothing twice, nothing lost, same bytes."""

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sengoku import Cancel, Match
from sengoku.engine import find_game
from sengoku.errors import ArgumentError, CancelledError, RulesChangedError, TournamentNotFoundError
from sengoku.storage import State, Store
from sengoku.storage.checksums import TOURNAMENTS
from sengoku.storage.migrations import sign_rows
from sengoku.tournament import FORMATS, Progress, Record, Tables, parse_spec, play, records

TEXT = """
name = "small"
seed = 5
blocks = 6
bots = [{name = "greedy"}, {name = "random"}, {name = "other", bot = "random"}]
games = [{game = "battles", scenarios = [1, 8]}, {game = "tower", seats = 3, blocks = 3}]
"""


def written(record: Record) -> dict[str, str]:
    tables = Tables(record.spec, record.results())
    return {form: write(record, tables) for form, write in FORMATS.items()}


@pytest.fixture(scope="module")
def whole() -> dict[str, str]:
    with Store() as store:
        return written(play(Record.create(store, parse_spec(TEXT))))


def test_a_tournament_is_played_and_written_down(whole: dict[str, str]) -> None:
    told = json.loads(whole["json"])
    assert told["state"] == "succeeded"
    assert told["matches"] == 3 * 2 * 6 * 2 + 3 * 6
    assert told["tables"]["standings"][0]["bot"] == "greedy"
    assert len(told["digest"]) == 64
    assert all(board["rules_version"] and 0 <= board["seed"] < 2**64 for board in told["boards"])
    assert len({board["seed"] for board in told["boards"]}) == 3


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(whole: dict[str, str], threads: int) -> None:
    with Store() as store:
        assert written(play(Record.create(store, parse_spec(TEXT)), threads=threads)) == whole


def after(calls: int, cancel: Cancel) -> Callable[[Progress], None]:
    """Stops the work when it has been told of so often."""
    left = [None] * calls

    def tell(_: Progress) -> None:
        if left:
            left.pop()
        else:
            cancel.cancel()

    return tell


def test_stopped_anywhere_it_goes_on(tmp_path: Path, whole: dict[str, str]) -> None:
    chance = random.Random(2)
    stops = 0
    for _ in range(200):
        with Store(tmp_path / "t.sqlite3") as store:
            record = records(store)[0] if records(store) else Record.create(store, parse_spec(TEXT))
            cancel = Cancel()
            try:
                record = play(record, cancel=cancel, progress=after(chance.randrange(4), cancel))
            except CancelledError:
                stops += 1
                assert Record.open(store, "small").state is State.RUNNING
                continue
            assert written(record) == whole
            break
    assert stops > 5


@pytest.mark.system
def test_killed_anywhere_it_resumes_with_the_same_bytes(tmp_path: Path, whole: dict[str, str]) -> None:
    (tmp_path / "small.toml").write_text(TEXT, "utf-8")
    command = [sys.executable, "-m", "sengoku.cli", "tournament"]
    chance, kills = random.Random(7), 0
    for number in range(60):
        action = "run" if number == 0 else "resume"
        process = subprocess.Popen(
            [*command, action, str(tmp_path / "small.toml"), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        lines = chance.randrange(1, 5)
        while lines and process.stdout.readline().startswith(b'{"round"'):
            lines -= 1
        if lines == 0 and kills < 6:
            time.sleep(chance.random() * 0.02)
            process.kill()
            kills += process.wait() == -signal.SIGKILL
            process.stdout.close()
            continue
        process.communicate(timeout=120)
        if process.returncode == 0 and kills:
            break
    assert kills > 2
    with Store(tmp_path / "small.sqlite3", reading=True) as store:
        record = Record.open(store, "small")
        names = [name for name, _ in record.matches()]
        assert len(names) == len(set(names)) == json.loads(whole["json"])["matches"]
        assert written(record) == whole


def test_every_match_has_a_replay_that_can_be_verified() -> None:
    with Store() as store:
        record = play(Record.create(store, parse_spec(TEXT)))
        listed = list(record.matches())
        for name, result in listed[::7]:
            again = Match.from_replay(record.replay(name).replay())
            assert again.digest == result.digest
            assert again.outcome is not None
            assert again.outcome.ranks == result.ranks
        for wrong in ("", "x", "0-1.0.99.0", "0-1.0.0.7", "0.0.0", "9" * 30 + ".0.0.0", "0-1.0.0.0.0"):
            with pytest.raises(TournamentNotFoundError):
                record.replay(wrong)


def test_seeds_are_drawn_where_none_is_named() -> None:
    text = TEXT.replace("seed = 5", "")
    with Store() as store:
        one = Record.create(store, parse_spec(text), name="one")
        other = Record.create(store, parse_spec(text), name="other")
        assert one.spec.digest == other.spec.digest
        assert set(one.seeds).isdisjoint(other.seeds)
        assert Record.open(store, "one").seeds == one.seeds


def test_names_are_for_one_tournament() -> None:
    with Store() as store:
        record = Record.create(store, parse_spec(TEXT))
        with pytest.raises(ArgumentError, match="has a tournament of this name"):
            Record.create(store, parse_spec(TEXT))
        assert [found.name for found in records(store)] == ["small"]
        record.delete()
        with pytest.raises(TournamentNotFoundError, match="small"):
            Record.open(store, "small")


def test_other_rules_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with Store() as store:
        spec = parse_spec(TEXT)
        record = Record.create(store, spec)
        now = find_game("tower").rules_version
        older = record.spec.to_json().replace(f'"rules_version":{now}', '"rules_version":0')
        with store.write() as writer:
            writer.execute("UPDATE tournaments SET spec = ?", (older,))
            sign_rows(writer, TOURNAMENTS)
        with pytest.raises(RulesChangedError, match="started with rules version 0"):
            play(Record.open(store, "small"))


def test_a_file_of_an_older_release_gains_the_tables(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite3"
    dump = Path(__file__).parents[1] / "storage" / "versions" / "v1.sql"
    connection = sqlite3.connect(path)
    connection.executescript(dump.read_text("utf-8"))
    connection.close()
    with pytest.raises(ArgumentError, match="it has version 1"):
        Store(path, reading=True)
    with Store(path) as store:
        assert records(store) == []
        Record.create(store, parse_spec(TEXT))


def test_who_only_reads_may_do_so_beside_a_player(tmp_path: Path) -> None:
    path = tmp_path / "t.sqlite3"
    with Store(path) as store:
        Record.create(store, parse_spec(TEXT))
        with Store(path, reading=True) as other:
            assert [record.name for record in records(other)] == ["small"]
        with pytest.raises(ArgumentError, match="another server uses it"):
            Store(path)
    assert not (tmp_path / "none.sqlite3").exists()
    with pytest.raises(ArgumentError, match="cannot be used"):
        Store(tmp_path / "none.sqlite3", reading=True)
    assert not (tmp_path / "none.sqlite3").exists()


def test_names_of_bots_are_data_in_every_format() -> None:
    """A spreadsheet computed a bot named "=1+1", and Markdown showed HTML."""
    text = """
        name = "[name](x)"
        seed = 1
        blocks = 1
        bots = [{name = "=1+1", bot = "greedy"}, {name = "a|b<i>$x^{", bot = "random"}]
        games = [{game = "battles", scenarios = [1]}]
    """
    with Store() as store:
        record = Record.create(store, parse_spec(text))
        play(record)
        shown = written(record)
    assert ",'=1+1," in shown["csv"]
    assert shown["md"].startswith("# \\[name\\](x)\n")
    assert "a\\|b\\<i\\>$x^{" in shown["md"]
    assert "<i>" not in shown["md"].replace("\\<i\\>", "")
    assert "a|b&lt;i&gt;$x^{" in shown["html"]
    assert json.loads(shown["json"])["bots"][0]["name"] == "=1+1"
