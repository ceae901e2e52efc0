"""How the command line starts: help, version, completion, and what these import."""

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from sengoku import __version__
from sengoku.bots.check import DECISIONS
from sengoku.cli import bots, runs, tournament
from sengoku.cli.commands import COMMANDS
from sengoku.cli.main import app
from sengoku.engine.run_status import STATES
from sengoku.tournament import FORMATS
from support.cli import run

HEAVY = ("grpc", "google.protobuf", "numpy", "scipy", "matplotlib", "sengoku.engine", "sengoku.client")
HEAVY += ("sengoku.server", "sengoku.tournament", "sengoku.bots", "sengoku.v1", "sengoku.cli.tables")
WITH_RICH = (*HEAVY, "rich")
"""Modules that help, version and completion do not need; typer writes the help itself with rich."""


def commands(command: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command and group with its path."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, *path, name)


EVERY = dict(commands(typer.main.get_command(app)))


def test_help_and_version() -> None:
    for command in (
        (),
        ("odds",),
        ("odds", "swords"),
        ("odds", "battles"),
        ("tower", "film"),
        ("serve",),
        ("bench",),
        ("demo",),
        ("version",),
    ):
        assert "Usage" in run(*command, "--help").stdout
    assert json.loads(run("version", "--json").stdout)["rules_versions"] == {
        "battles": 2,
        "swords": 1,
        "tower": 2,
    }


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_help_is_complete(path: tuple[str, ...]) -> None:
    shown = run(*path, "--help", COLUMNS="200").stdout
    assert run(*path, "-h", COLUMNS="200").stdout == shown
    assert f"Usage: {' '.join(('sengoku', *path))} " in shown
    assert "<bool>" not in shown
    for parameter in EVERY[path].params:
        assert getattr(parameter, "help", None), parameter.name


def test_the_version_as_an_option() -> None:
    assert run("--version").stdout == run("-V").stdout == f"sengoku {__version__}\n"


def test_the_table_of_commands_says_what_the_commands_say() -> None:
    group: Any = typer.main.get_command(app)
    assert list(group.commands) == [entry.name for entry in COMMANDS]
    for entry in COMMANDS:
        first = (EVERY[(entry.name,)].help or "").partition("\n\n")[0]
        assert " ".join(first.split()) == entry.help
        assert EVERY[(entry.name,)].rich_help_panel == entry.panel


def test_commands_are_listed_in_the_order_of_use() -> None:
    shown = run("--help").stdout
    places = [shown.index(f"│ {entry.name} ") for entry in COMMANDS]
    assert places == sorted(places)
    names = [entry.name for entry in COMMANDS]
    assert names[:2] == ["odds", "run"]
    assert names.index("serve") < names.index("top") < names.index("health")


def test_what_the_help_repeats_is_true() -> None:
    assert runs.STATES == STATES
    assert tuple(FORMATS) == tournament.FORMATS
    assert bots.DECISIONS == DECISIONS


def loaded(*arguments: str, **environment: str) -> tuple[str, set[str]]:
    """Run a command in a new process; return its output and the modules it imported."""
    code = (
        "import sys, sengoku.cli.main as cli\n"
        "try:\n    cli.main(sys.argv[1:])\n"
        "finally:\n    print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={"PATH": "", "PYTHONPATH": ":".join(sys.path), **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, set(done.stderr.split())


def check_modules(modules: set[str], unwanted: tuple[str, ...]) -> None:
    parents = {".".join(name.split(".")[:depth]) for name in modules for depth in (1, 2, 3)}
    assert not parents & set(unwanted)


@pytest.mark.parametrize(
    ("arguments", "words", "unwanted"),
    [
        (["--help"], "Compute the odds of a battle.", HEAVY),
        (["-h"], "Compute the odds of a battle.", HEAVY),
        (["--version"], __version__, WITH_RICH),
        (["-V"], __version__, WITH_RICH),
        (["run", "--help"], "--matches", HEAVY),
        (["runs", "--help"], "Start a run", HEAVY),
        (["serve", "--help"], "--max-calls", ("grpc", "google.protobuf", "sengoku.v1", "sengoku.storage")),
    ],
)
def test_help_and_version_import_only_what_they_need(
    arguments: list[str], words: str, unwanted: tuple[str, ...]
) -> None:
    shown, modules = loaded(*arguments)
    assert words in shown
    check_modules(modules, unwanted)


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("", "tournament"),
        ("tour", "tournament"),
        ("odds ", "battles"),
        ("run --", "--first-match"),
        ("tournament ", "resume"),
        ("bot play --", "--against"),
    ],
)
def test_completion_imports_only_what_it_needs(typed: str, completed: str) -> None:
    place = str(len(f"{typed}|".split()))
    shown, modules = loaded(
        _SENGOKU_COMPLETE="complete_bash", COMP_WORDS=f"sengoku {typed}", COMP_CWORD=place
    )
    assert completed in shown.split()
    check_modules(modules, WITH_RICH)


def test_the_script_for_completion() -> None:
    shown, modules = loaded(_SENGOKU_COMPLETE="source_bash")
    assert "_SENGOKU_COMPLETE=complete_bash" in shown
    check_modules(modules, WITH_RICH)
