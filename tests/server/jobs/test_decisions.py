"""Every error of SQLite leads to what the table of decisions, and the documentation, say."""

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sengoku.errors import DataCorruptError
from sengoku.server.jobs.runs import Runs
from sengoku.storage import STALLS, State, Store
from sengoku.storage.failures import DECISIONS, explain
from sengoku.storage.runs import RunTable
from sengoku.wire.simulation import summary_to_proto
from support.runs import finished, in_process, until, wish

PAGE = Path(__file__).parents[3] / "docs" / "service" / "store.md"
CODES = {name: getattr(sqlite3, f"SQLITE_{name}") for name in DECISIONS}
REQUEST = wish(count=300)


def failure(name: str) -> sqlite3.OperationalError:
    """Return an error as SQLite raises it, with an extended code."""
    error: Any = sqlite3.OperationalError("something is wrong")
    error.sqlite_errorcode, error.sqlite_errorname = CODES[name] | 7 << 8, f"SQLITE_{name}_X"
    return error  # type: ignore[no-any-return]


@pytest.mark.usefixtures("small_chunks", "short_pauses")
@pytest.mark.parametrize("name", DECISIONS)
def test_what_an_error_leads_to(
    name: str, opened: Callable[..., Runs], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, add, times = opened(begin=False), RunTable.add, [3]

    def fail(table: RunTable, *values: Any, **more: Any) -> bool:
        # Three times in the middle of the run, within the transaction.
        if values[1].first > 50 and times[0]:
            times[0] -= 1
            with runs._store.write():
                raise failure(name)
        return add(table, *values, **more)

    monkeypatch.setattr(RunTable, "add", fail)
    run = runs.start(REQUEST, "me").row.name
    states = set()
    runs.begin()

    def over() -> bool:
        view = runs.get(run, None)
        states.add((view.state, view.obstacle != ""))
        return view.over

    until(over)
    view = runs.get(run, None)
    if DECISIONS[name].error in STALLS:
        assert (State.STALLED, True) in states
        assert view.state is State.SUCCEEDED
    else:
        assert view.state is State.FAILED
        assert isinstance(view.error, DataCorruptError)
        assert str(runs._store.path) in str(view.error)
        until(lambda: times[0] == 2)
        times[0] = 0
        runs.resume(run, None)
    assert finished(runs, run).row.summary == summary_to_proto(in_process(REQUEST)).SerializeToString()
    assert runs.problem == ""


def test_errors_that_are_bugs_stay_what_they_are(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite3") as store:
        with pytest.raises(sqlite3.OperationalError, match="no such table"), store.write() as writer:
            writer.execute("SELECT * FROM birds")
        with pytest.raises(sqlite3.OperationalError, match="no such table"), store.read() as reader:
            reader.execute("SELECT * FROM birds")
        assert store.trouble is None
        assert explain(ValueError("no"), "x") is None


def test_the_documentation_has_the_decisions() -> None:
    rows = re.findall(r"^\| (`[A-Z`, ]+`) \| `([A-Z_]+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    told = {name: reason for names, reason in rows for name in re.findall(r"\w+", names)}
    assert told == {name: decision.error.reason for name, decision in DECISIONS.items()}
