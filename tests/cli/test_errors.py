"""Errors of commands: exit codes, flags in messages, and JSON."""

import json

import pytest

from support.cli import run
from support.questions import CLASH, QUESTION, STRIKE, THROW


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([*QUESTION[:3], "bow=x", *QUESTION[4:]], 2, "expected bow=NUMBER"),
        ([*QUESTION[:3], "cannon=1", *QUESTION[4:]], 2, "units are daimyo, bow, gun, sword, spear, ronin"),
        ([*QUESTION[:3], "bow=1,bow=2", *QUESTION[4:]], 2, "names bow twice"),
        ([*QUESTION[:3], "bow=-1", *QUESTION[4:]], 2, "bow is -1"),
        ([*QUESTION[:3], "", *QUESTION[4:]], 2, "regular units are 0"),
        ([*QUESTION, "--exact", "--samples", "5"], 2, "exclude each other"),
        ([*QUESTION, "--samples", "0"], 2, "--samples is 0"),
        ([*QUESTION, "--fort", "moat"], 2, "--fort is"),
        ([*QUESTION, "--fort", "[/x]"], 2, '--fort is "[/x]"'),
        ([*QUESTION, "--fort", "\udcff"], 2, "--fort is"),
        ([*QUESTION, "--server", ""], 2, "--server is ''"),
        ([*QUESTION, "--server", "\udcff:1"], 2, "--server is"),
        (["serve", "--host", "[/x]"], 2, "--host is '[/x]'"),
        (["serve", "--max-message-bytes", "99999999999"], 2, "--max-message-bytes is 99999999999"),
        (["serve", "--threads", "5000"], 2, "--threads is 5000"),
        ([*QUESTION, "--server", "127.0.0.1:1"], 3, "UNAVAILABLE"),
        (["odds", "swords"], 2, "Missing option"),
        (["odds", "tower", "--attacker", "blue=4,red=1"], 2, "expected COLOUR=NUMBER"),
        (["odds", "tower", "--attacker", "blue=4"], 2, "only a neutral province has no defender"),
        (["odds", "battles", "--attacker", "XX", "--defender", "LI"], 2, 'kind is "XX"'),
        ([*STRIKE, "--attacker", "LI:blocks=x"], 2, "expected blocks=NUMBER"),
        ([*STRIKE, "--attacker", "LI:support,support"], 2, "names support twice"),
        ([*STRIKE, "--attacker", "LI:horses=2"], 2, "expected one of blocks"),
        ([*STRIKE, "--attacker-cards", "tea"], 2, '--attacker-cards is "tea"'),
        ([*STRIKE, "--faces", "QQQQ"], 2, 'face 0 is "Q"'),
        ([*CLASH, "--tray", "blue=x"], 2, "expected blue=NUMBER"),
        ([*CLASH, "--tray", "red=1,red=1"], 2, "names red twice"),
        ([*CLASH, "--parameters", "{"], 2, "--parameters: invalid JSON"),
        ([*CLASH, "--max-error", "0"], 2, "--max-error is 0"),
        (["tower", "throw", "--cubes", "green=1"], 2, "colours are red, blue"),
        (["tower", "throw", "--cubes", ""], 2, "a throw has at least one cube"),
        ([*THROW, "--players", "9"], 2, "players is 9"),
        ([*THROW, "--server", "127.0.0.1:1"], 3, "UNAVAILABLE"),
        (["conquer"], 2, "No such command"),
    ],
)
def test_exit_codes(arguments: list[str], code: int, words: str) -> None:
    assert words in run(*arguments, code=code).words


def test_errors_as_json() -> None:
    failed = run(*QUESTION, "--fort", "moat", "--json", code=2)
    error = json.loads(failed.stderr)["error"]
    assert (error["reason"], error["details"]["field"]) == ("INVALID_SETUP", "fort")


@pytest.mark.parametrize(
    ("arguments", "field", "flag"),
    [
        (["run", "battles", "--matches", "0"], "match_count", "--matches"),
        (["run", "chess"], "game", "GAME"),
        (["run", "battles", "--seats", "9"], "seats", "--seats"),
        (["bot", "play", "no.such:Bot", "--game", "battles", "--seconds", "-1"], "bot", "BOT"),
        ([*QUESTION, "--server", ""], "target", "--server"),
        ([*QUESTION, "--max-error", "-1"], "max_error", "--max-error"),
        ([*QUESTION, "--exact", "--samples", "5"], "method", "--exact"),
        (["serve", "--max-message-bytes", "99999999999"], "message_bytes", "--max-message-bytes"),
        (["token", "a", "--role", "root"], "role", "--role"),
    ],
)
def test_errors_name_the_flag_and_keep_the_field(arguments: list[str], field: str, flag: str) -> None:
    assert flag in run(*arguments, code=2).words
    if arguments[0] == "serve":
        return  # it has no --json
    error = json.loads(run(*arguments, "--json", code=2).stderr)["error"]
    assert (error["details"]["field"], error["details"]["flag"]) == (field, flag)
    assert flag in error["message"]


def test_other_names_in_a_message_are_flags_too() -> None:
    failed = run("serve", "--metrics-port", "0", "--metrics-host", "0.0.0.0", code=2)  # noqa: S104
    assert "--metrics-host is '0.0.0.0'" in failed.words
    assert "--allow-public-metrics" in failed.words
    assert "allow_public_metrics" not in failed.words


def test_a_flag_that_was_not_given_is_not_blamed() -> None:
    failed = run(*STRIKE, "--attacker", "LI:terrain=lava", "--json", code=2)
    assert "flag" not in json.loads(failed.stderr)["error"]["details"]
    failed = run("run", "swords", "--setup", "seed=3", "--json", code=2)
    assert json.loads(failed.stderr)["error"]["details"].get("flag") != "--seed"


@pytest.mark.parametrize(
    ("arguments", "flag", "words"),
    [
        (["run", "battles", "--matches", "many"], "--matches", "Invalid value"),
        (["run", "battles", "--wings"], "--wings", "No such option"),
        (["run"], "GAME", "Missing argument"),
        (["odds", "swords"], "--attacker", "Missing option"),
        (["top", "--every", "0"], "--every", "Invalid value"),
        (["conquer"], None, "No such command"),
        (["runs", "conquer"], None, "No such command"),
    ],
)
def test_usage_errors_as_json(arguments: list[str], flag: str | None, words: str) -> None:
    failed = run(*arguments, "--json", code=2)
    assert failed.stdout == ""
    error = json.loads(failed.stderr)["error"]
    assert error["reason"] == "USAGE"
    assert words in error["message"]
    assert error["details"].get("flag") == flag
    assert error["details"]["command"].startswith("sengoku")
    text = run(*arguments, code=2)
    assert words in text.words
    assert "Usage: sengoku" in text.words
