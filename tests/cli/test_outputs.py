"""Every file that a command is to write is checked before it begins; a refusal leaves nothing behind."""

from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from typer.main import get_command

from sengoku.cli.main import app
from support.cli import run

BATTLE = ("odds", "swords", "--attacker", "spear=1", "--defender", "spear=1")
OUTPUTS: dict[str, tuple[tuple[str, ...], str, bool]] = {
    "run --csv": (("run", "swords", "--matches", "1000000", "--csv", "{}"), ".csv", False),
    "run --parquet": (("run", "swords", "--matches", "1000000", "--parquet", "{}"), ".parquet", False),
    "run --markdown": (
        ("run", "battles", "--all-scenarios", "--matches", "1000000", "--markdown", "{}"),
        ".md",
        False,
    ),
    "replay show --svg": (("replay", "show", "missing.replay", "--svg", "{}"), ".svg", False),
    "scenarios show --svg": (("scenarios", "show", "1", "--game", "battles", "--svg", "{}"), ".svg", False),
    "tower film FILE": (("tower", "film", "{}", "--cubes", "blue=1"), ".gif", True),
    "runs report --save": (("runs", "report", "operations/x", "--save", "{}"), ".parquet", False),
    "tournament table --output": (("tournament", "table", "missing.toml", "--output", "{}"), ".md", False),
    "tournament plot PICTURE": (("tournament", "plot", "missing.toml", "{}"), ".svg", True),
    "tournament replay --output": (("tournament", "replay", "missing.toml", "--output", "{}"), ".txt", False),
    "bot check --save-replays": (("bot", "check", "missing.py:Bot", "--save-replays", "{}"), "", True),
    "run --replays": (("run", "swords", "--matches", "1", "--replays", "{}"), ".replays", False),
    "analyse --svg": (("analyse", "missing.replay", "--svg", "{}"), ".svg", False),
    "bench --history": (("bench", "--history", "{}"), ".jsonl", False),
    "store backup TARGET": (("store", "backup", "missing.sqlite3", "{}"), ".sqlite3", False),
    "demo --output": (("demo", "--output", "{}"), "", True),
}
"""By its name: a command, the suffix of what it writes, and whether missing folders are created."""
READ = {
    *("FILE", "FILE|NAME", "STORE", "MEASUREMENTS", "--like", "--partial", "--store", "--token-file"),
    *("--tls-ca", "--tls-cert", "--tls-key", "--tls-client-ca"),
}


def commands() -> Iterator[tuple[str, object]]:
    """Every option and argument of every command that is a path."""

    def walk(command: object, name: str) -> Iterator[tuple[str, object]]:
        for child, found in getattr(command, "commands", {}).items():
            yield from walk(found, f"{name} {child}".strip())
        for parameter in getattr(command, "params", []):
            if "Path" in str(parameter.type_descriptor.annotation):
                flag = max(parameter.opts, key=len)
                shown = flag if flag.startswith("--") else (parameter.metavar or flag.upper())
                yield f"{name} {shown}", parameter

    return walk(get_command(app), "")


def left(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("name", OUTPUTS)
def test_what_cannot_be_written_is_refused_at_once(name: str, tmp_path: Path) -> None:
    arguments, suffix, parents = OUTPUTS[name]
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    if suffix:
        (tmp_path / f"folder{suffix}").mkdir()
    before = left(tmp_path)
    wrong = [tmp_path / "file" / f"x{suffix}", tmp_path / ("\N{SNOWMAN}" * 200 + suffix)]
    wrong += [] if parents else [tmp_path / "none" / f"x{suffix}"]
    wrong += [tmp_path / f"folder{suffix}"] if suffix else [tmp_path / "file"]
    option = next(part for part in name.split() if part.startswith("--") or part.isupper())
    for path in wrong:
        done = run(*(part.format(path) for part in arguments), code=2)
        assert f"{option} is" in done.words, done
        assert left(tmp_path) == before
    with mock.patch("os.access", return_value=False):
        done = run(*(part.format(tmp_path / f"x{suffix}") for part in arguments), code=2)
    assert "may be written" in done.words or "may not be written" in done.words
    assert left(tmp_path) == before


def test_the_list_is_complete() -> None:
    """A path is in the list, or a plot of odds, or something that is only read or is a store."""
    paths = dict(commands())
    checked = {name for name, parameter in paths.items() if parameter.callback is not None}  # type: ignore[attr-defined]
    plots = {name for name in checked if name.endswith("--plot")}
    assert plots
    assert checked - plots == set(OUTPUTS)
    others = {name.rpartition(" ")[2] for name in paths.keys() - checked}
    assert others <= READ, others - READ


def test_pyarrow_is_missed_before_the_matches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    arguments = ("run", "swords", "--matches", "1000000", "--parquet", str(tmp_path / "x.parquet"))
    assert "sengoku[parquet]" in run(*arguments, code=1).words
    assert left(tmp_path) == []
