"""Tournaments with bots in processes of their own: the same matches, whatever hostile bots do beside them."""

import json
import logging
import sys
from pathlib import Path

import pytest

from sengoku.bots.process import Isolation
from sengoku.errors import ArgumentError
from sengoku.storage import State, Store
from sengoku.tournament import FORMATS, Record, Tables, parse_spec, play
from support import cli
from support.hostile_bots import PROGRAM

GAMES = """
name = "programs"
blocks = 1
clock = {decision = 1.0, bank = 0}
games = [{game = "battles", setup = {scenario = 1, max_rounds = 3}, group = 2}]
"""
FIRST = '{name = "first", python = "tournament.entrants:First"}'
TRUSTED = FIRST.replace("}", ", trusted = true}")


def text(*bots: str) -> str:
    return f"seed = 5\n{GAMES}\nbots = [{', '.join(bots)}]\n"


def played(spec: str) -> Record:
    return play(Record.create(Store(), parse_spec(spec)))


def script(folder: Path, name: str, body: str) -> str:
    """An entry of a program that runs some lines at each of its decisions."""
    file = folder / f"{name}.py"
    file.write_text(PROGRAM.replace("BODY", f"        {body}"), "utf-8")
    return f'{{name = "{name}", program = {json.dumps([sys.executable, "-I", str(file)])}}}'


def test_isolated_bots_play_as_in_process(tmp_path: Path) -> None:
    others = ('{name = "random"}', '{name = "greedy"}')
    isolated, trusted = played(text(FIRST, *others)), played(text(TRUSTED, *others))
    assert isolated.results() == trusted.results()
    program = played(text(script(tmp_path, "first", "pass"), *others))
    assert program.results() == trusted.results()


def test_hostile_bots_cost_only_their_own_matches(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "sengoku.bots")
    honest = played(text('{name = "greedy"}', '{name = "random"}'))
    record = played(
        text(
            '{name = "greedy"}',
            '{name = "random"}',
            '{name = "exits", python = "support.hostile_bots:ExitsHard"}',
            script(tmp_path, "loops", "while True: pass"),
            script(tmp_path, "garbage", "print('no')"),
            script(tmp_path, "kills", "os.kill(-1, 9) if sys.platform == 'linux' else os.abort()"),
        )
    )
    assert record.state is State.SUCCEEDED
    tables = Tables(record.spec, record.results())
    assert {bot: set(tables.faults[bot]) for bot in (2, 3, 4, 5)} == {
        2: {"crashed"},
        3: {"late"},
        4: {"crashed"},
        5: {"crashed"},
    }
    found = {block: matches for block, matches in record.results().items() if block.bots == (0, 1)}
    assert found == honest.results()
    assert "the bot exits failed: it ended with exit code 3" in caplog.text
    assert "the bot garbage failed: it wrote 'no', which is not a JSON object" in caplog.text


def test_reports_say_where_bots_were_played() -> None:
    record = played(text(FIRST, TRUSTED.replace('"first"', '"known"'), '{name = "random"}'))
    tables = Tables(record.spec, record.results())
    isolated, trusted, built_in = json.loads(FORMATS["json"](record, tables))["bots"]
    assert "a process of its own" in isolated["played_in"][0]
    assert "4,096 MB" in isolated["played_in"][0]
    assert trusted["played_in"] == [
        "the process of the tournament, where it can read everything: the file trusts it"
    ]
    assert "played_in" not in built_in
    for form in ("md", "html"):
        shown = FORMATS[form](record, tables)
        assert "played in a process of its own" in shown
        assert "the file trusts it" in shown


def test_the_store_with_the_seed_is_not_read(tmp_path: Path) -> None:
    """A bot beside the store of a tournament, whose seed nobody has written down elsewhere."""
    from sengoku.bots.process import isolation_level  # noqa: PLC0415 - it is measured, which takes time

    if isolation_level() != "namespaces":
        pytest.skip("this machine does not allow namespaces")
    store, file = tmp_path / "programs.sqlite3", tmp_path / "programs.toml"
    paths = [str(store), f"{store}-wal", str(file)]
    body = f"assert not any(os.path.exists(path) and open(path, 'rb').read() for path in {paths})"
    file.write_text(text(script(tmp_path, "reads", body), '{name = "random"}'), "utf-8")
    cli.run("tournament", "run", str(file), code=0)
    shown = json.loads(cli.run("tournament", "table", str(file), "--format", "json").stdout)
    assert [row for table in shown["tables"].values() for row in table if "reason" in row] == []


@pytest.mark.parametrize(
    ("bot", "field"),
    [
        ('{name = "x", program = "./x"}', "bots[0].program"),
        ('{name = "x", program = []}', "bots[0].program"),
        ('{name = "x", program = ["a", 3]}', "bots[0].program"),
        ('{name = "x", program = ["a"], python = "m:B"}', "bots[0].program"),
        ('{name = "x", program = ["a"], trusted = true}', "bots[0].trusted"),
        ('{name = "greedy", trusted = true}', "bots[0].trusted"),
        ('{name = "x", python = "m:B", trusted = 1}', "bots[0].trusted"),
        ('{name = "x", python = "m:B", trusted = true, network = true}', "bots[0].network"),
        ('{name = "greedy", network = true}', "bots[0].network"),
    ],
)
def test_wrong_entries_name_the_field(bot: str, field: str) -> None:
    with pytest.raises(ArgumentError) as told:
        parse_spec(text(bot, '{name = "random"}'))
    assert told.value.details["field"] == field


def test_bounds_are_part_of_the_file() -> None:
    entries = (FIRST, '{name = "random"}')
    usual = parse_spec(text(*entries))
    assert "isolation" not in usual.to_json()  # digests of older files stay
    small = parse_spec(text(*entries) + "[isolation]\nmemory_mb = 600\n")
    assert small.isolation == Isolation(memory_mb=600)
    again = type(small).from_json(small.to_json())
    assert (again.isolation, again.bots, again.digest) == (small.isolation, small.bots, small.digest)
    assert small.digest != usual.digest
    for wrong in ("memory_mb = 1", "files = 'x'", "cpus = 3"):
        with pytest.raises(ArgumentError) as told:
            parse_spec(text(*entries) + f"[isolation]\n{wrong}\n")
        assert told.value.details["field"] == f"isolation.{wrong.partition(' ')[0]}"


def test_a_program_that_cannot_be_started_is_an_error_before_anything_is_played() -> None:
    spec = parse_spec(text('{name = "x", program = ["no-such-program"]}', '{name = "random"}'))
    with Store() as store:
        record = Record.create(store, spec)
        with pytest.raises(ArgumentError, match="No such file") as told:
            play(record)
        assert told.value.details == {"field": "bots[0].program", "value": "no-such-program"}
        assert record.played() == {}
