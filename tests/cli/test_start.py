"""How the command line starts: help, version, completion, and what these import."""

import json

from support.cli import run


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
        "battles": 1,
        "swords": 1,
        "tower": 1,
    }
