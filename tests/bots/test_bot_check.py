"""The check of bots before they enter: what it asks, what it finds, and what it says of it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sengoku import Clock, Match, games
from sengoku.bots.check import CHECKS, CheckReport, check_bot
from sengoku.cli.main import app
from sengoku.errors import ArgumentError
from tournament import entrants as bots

ASLEEP = {
    "swords": {"over"},
    "tower": {
        "season", "event", "court", "hall", "turn", "act", "clean_up", "winter", "revolts", "quell", "score",
        "over",
    },
    "battles": set(),
}  # fmt: skip
"""Points of play at which nobody is asked."""
RARE = {
    "swords": {"divide_rest", "attack", "end_round"},
    "tower": set(),
    "battles": {"duellist", "struck", "card_unit"},
}
"""Points that hundreds of matches of our bots do not come to, or only some."""


def timeless(report: CheckReport) -> CheckReport:
    return replace(report, games=tuple(replace(game, slowest=0.0) for game in report.games))


@pytest.fixture(scope="module")
def honest() -> CheckReport:
    return check_bot(bots.First, decisions=10)


def test_an_honest_bot_passes_and_is_asked_everything(honest: CheckReport) -> None:
    assert honest.passed
    assert [game.game for game in honest.games] == [game.name for game in games()]
    for game in honest.games:
        assert [row.name for row in game.rows] == list(CHECKS)
        assert all(row.passed and row.decisions for row in game.rows)
        assert game.kinds_open == ()
        assert set(game.questions_open) - RARE[game.game] == ASLEEP[game.game]
        assert game.fewest_legal == 1
        assert game.most_legal > 35
        assert (game.deterministic, game.independent, game.failures) == (True, True, ())


def test_every_seat_of_every_setup_is_played(honest: CheckReport) -> None:
    """`swords` has 2 to 5 seats, the long game 3 to 5, early attacks 2; `battles` 43 battles of two seats."""
    counts = {game.game: game.rows[0].matches for game in honest.games}
    assert counts == {"swords": 14 + 12 + 2 + 14, "tower": 12 * 12, "battles": 43 * 2}


def test_the_same_seed_asks_the_same(honest: CheckReport) -> None:
    alone = check_bot(bots.First, game="tower", decisions=10)
    again = check_bot(bots.First, game="tower", decisions=10)
    assert timeless(alone) == timeless(again)
    other = check_bot(bots.First, game="tower", decisions=10, seed=1)
    assert other.games[0].questions != alone.games[0].questions


FAULTS = [
    (bots.Illegal, "illegal", "the answer is"),
    (bots.Typed, "illegal", "type float and not an integer"),
    (bots.Nothing, "illegal", "type NoneType and not an integer"),
    (bots.Huge, "illegal", "the answer is 1000"),
    (bots.Raises, "crashed", "it raised RuntimeError: broken (entrants.py, line"),
    (bots.Exits, "crashed", "it raised SystemExit: 3"),
    (bots.Few, "crashed", "actions for"),
]


@pytest.mark.parametrize(("bot", "reason", "said"), FAULTS, ids=[bot.__name__ for bot, _, _ in FAULTS])
def test_what_is_wrong_is_found_and_can_be_replayed(bot: Any, reason: str, said: str) -> None:
    (game,) = check_bot(bot, game="tower", decisions=5).games
    assert not game.passed
    assert set(game.rows[0].failed) == {reason}
    assert game.failures
    for failure in game.failures:
        assert failure.reason == reason
        assert said in failure.text
        match = Match.from_replay(failure.replay)
        assert (match.game, match.seats, match.seed) == ("tower", failure.seats, failure.seed)
        assert match.setup == json.loads(failure.setup)
        assert (match.decisions, match.to_act) == (failure.decision, failure.seat)


def test_a_bot_that_fails_at_one_question_is_found_by_it() -> None:
    report = check_bot(bots.Corner, decisions=3)
    (game,) = report.games
    rows = {row.name: row for row in game.rows}
    assert rows["beginning"].passed  # nobody comes to it within three decisions of each seat
    assert rows["questions"].failed == {"crashed": rows["questions"].failed["crashed"]}
    assert {failure.question for failure in game.failures} == {"favour_building"}
    assert not report.passed


def test_a_bot_that_hangs_fails_and_the_check_ends() -> None:
    (game,) = check_bot(bots.Hangs, game="tower", clock=Clock(0.2)).games
    assert game.rows[0].failed == {"late": game.rows[0].matches}
    assert all(row.skipped and not row.passed for row in game.rows[1:])
    assert game.failures[0].text == "no answer within 0.2 seconds"
    assert game.deterministic is None


def test_memory_of_other_matches_is_noted_and_no_fault() -> None:
    (game,) = check_bot(bots.Leaky, game="tower", decisions=10).games
    assert game.passed
    assert (game.deterministic, game.independent) == (False, False)


def test_what_it_raises_after_a_match_is_found() -> None:
    report = check_bot(bots.Grumbles, game="tower", decisions=2)
    assert report.games[0].match_over.startswith("RuntimeError: unfair")
    assert not report.passed


def test_wishes_that_cannot_be() -> None:
    for options, field in (
        ({"game": "chess"}, "game"),
        ({"decisions": 0}, "decisions"),
        ({"seed": -1}, "seed"),
    ):
        with pytest.raises(ArgumentError) as refused:
            check_bot(bots.First, **options)  # type: ignore[arg-type]
        assert refused.value.details["field"] == field
    with pytest.raises(ArgumentError, match="plays swords"):
        check_bot(bots.OnlySwords, game="tower")


def test_the_command_line(tmp_path: Path) -> None:
    def run(*words: str) -> Any:
        return CliRunner().invoke(app, ["bot", "check", *words])

    good = run(
        "tournament.entrants:First", "--game", "tower", "--decisions", "2", "--clock", "5", "--trusted"
    )
    assert (good.exit_code, "first: passed" in good.output) == (0, True)
    assert "14 of 14 kinds were offered" in good.output
    bad = run(
        "tournament.entrants:Corner", "--decisions", "2", "--json", "--save-replays", str(tmp_path / "r")
    )  # in processes of its own
    assert bad.exit_code == 1
    told = json.loads(bad.stdout)
    assert (told["passed"], told["games"][0]["rows"][1]["passed"]) == (False, False)
    saved = sorted((tmp_path / "r").iterdir())
    assert len(saved) == len(told["games"][0]["failures"])
    for path in saved:
        verified = CliRunner().invoke(app, ["replay", "verify", str(path)])
        assert verified.exit_code == 0
    shown = run("tournament.entrants:Corner", "--decisions", "2", "--trusted")
    assert shown.exit_code == 1
    assert "LookupError: nobody told me of this" in shown.output.replace("\n", " ")
