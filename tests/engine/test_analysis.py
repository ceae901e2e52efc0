"""Analysis of a match: what moves were worth, and luck."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from sengoku import Cancel, Match, MatchAnalysis, draws, games
from sengoku.engine.analysis import check_threshold
from sengoku.errors import ArgumentError, CancelledError, DecodeError

SETUPS: dict[str, dict[str, Any]] = {"swords": {}, "tower": {}, "battles": {"scenario": 8}}
SEATS = {"swords": 3, "tower": 3, "battles": 2}


def played(game: str, decisions: int, seed: int = 7) -> Match:
    """Play random decisions."""
    match = Match.create(game, seats=SEATS[game], seed=seed, setup=SETUPS[game])
    for draw in draws("bots", seed=seed, count=decisions, sides=2**20):
        if match.over:
            break
        legal = match.legal_actions()
        match.play(legal[int(draw) % len(legal)])
    return match


@pytest.fixture(scope="module")
def battle() -> Match:
    return played("battles", 60)


@pytest.fixture(scope="module")
def analysis(battle: Match) -> MatchAnalysis:
    return battle.analyse(iterations=16, luck=4)


def test_every_decision_of_every_game_is_analysed() -> None:
    assert {game.name for game in games()} == set(SETUPS)
    for game in SETUPS:
        match = played(game, 40)
        found = match.analyse(iterations=8, luck=2)
        assert found.complete
        assert [move.decision for move in found.moves] == list(range(1, match.decisions + 1))
        for move in found.moves:
            for shares in (move.before, move.expected, move.after):
                assert len(shares) == match.seats
                assert math.isclose(sum(shares), 1, abs_tol=1e-4)
            assert min(*move.before_error, *move.after_error, move.loss, move.loss_error) >= 0
            assert 1 <= move.rank <= max(move.tried, 2)
            assert (move.best == move.action) == (move.loss == 0)
        for draw in found.draws:
            assert math.isclose(sum(draw.change), 0, abs_tol=1e-4)
            assert set(draw.kinds) <= {"dice", "tower", "cards", "lots"}


def test_threads_interruptions_and_storing_change_nothing(battle: Match, analysis: MatchAnalysis) -> None:
    assert battle.analyse(iterations=16, luck=4, threads=1).to_json() == analysis.to_json()
    parts: list[MatchAnalysis] = []
    stop = Cancel()

    def save(part: MatchAnalysis) -> None:
        parts.append(part)
        stop.cancel()

    with pytest.raises(CancelledError):
        battle.analyse(iterations=16, luck=4, save=save, cancel=stop)
    (part,) = parts
    assert not part.complete
    assert "partial" in str(part)
    again = MatchAnalysis.from_json(part.to_json())
    assert again == part
    assert battle.analyse(iterations=16, luck=4, partial=again).to_json() == analysis.to_json()
    assert battle.analyse(iterations=16, luck=4, seed=1).to_json() != analysis.to_json()


def test_a_partial_result_belongs_to_its_match_and_options(battle: Match, analysis: MatchAnalysis) -> None:
    with pytest.raises(ArgumentError, match="partial is of match"):
        played("battles", 60, seed=8).analyse(iterations=16, luck=4, partial=analysis)
    with pytest.raises(ArgumentError, match="partial is of iterations 16"):
        battle.analyse(iterations=17, luck=4, partial=analysis)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"iterations": -1}, "iterations"),
        ({"iterations": 10**7}, "iterations"),
        ({"iterations": 0, "luck": 0}, "iterations"),
        ({"iterations": 1, "seconds": 1.0}, "seconds"),
        ({"seconds": 0.0}, "seconds"),
        ({"seconds": math.nan}, "seconds"),
        ({"luck": -1}, "luck"),
        ({"cards": "marked"}, "cards"),
        ({"seat": 2}, "seat"),
        ({"seat": 1, "cards": "open"}, "seat"),
        ({"seed": -1}, "seed"),
        ({"horizon": -1}, "horizon"),
    ],
)
def test_options_that_cannot_be(battle: Match, options: dict[str, Any], field: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        battle.analyse(**options)
    assert caught.value.details["field"] == field


@pytest.mark.parametrize("threshold", ["catastrophe", 0, -0.1, 1.5, math.nan, None])
def test_unknown_thresholds(analysis: MatchAnalysis, threshold: Any) -> None:
    with pytest.raises(ArgumentError, match=r"threshold is .*slip, mistake, blunder") as caught:
        analysis.mistakes(threshold)
    assert caught.value.details["field"] == "threshold"


def test_mistakes_are_those_of_the_threshold(analysis: MatchAnalysis) -> None:
    counts = [len(analysis.mistakes(name)) for name in ("slip", "mistake", "blunder")]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 0, "sixty random moves lose something"
    assert analysis.mistakes("slip") == analysis.mistakes(0.02)
    for move in analysis.mistakes():
        assert move.loss >= check_threshold("mistake")
        assert move.loss > 2 * move.loss_error


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}', '{"format": 1, "moves": 3}', "[" * 99_999])
def test_a_text_that_is_no_analysis(text: str) -> None:
    with pytest.raises(DecodeError, match="not an analysis"):
        MatchAnalysis.from_json(text)


def test_a_seat_gets_its_own_decisions_and_no_luck(battle: Match) -> None:
    found = battle.analyse(iterations=8, seat=1)
    assert {move.seat for move in found.moves} == {1}
    assert (found.draws, found.luck, found.luck_by_seat) == ((), 0, [])
    assert f"{battle.digest:016x}" not in found.to_json()
    assert "only what seat 1 may know" in str(found)


@pytest.mark.parametrize("game", list(SETUPS))
def test_what_a_seat_may_not_know_does_not_change_its_analysis(game: str) -> None:
    # Two worlds that the seat to act cannot tell apart, the same seeds of dice, and the same decision.
    compared = 0
    for decisions in range(4, 60, 8):
        match = played(game, decisions)
        seat = match.to_act
        if seat is None:
            continue
        texts = set()
        for world in range(3):
            other = match.resample(seat, seed=world)
            # The same future for all: only what is hidden differs.
            setup = other.setup
            begun = Match.create(game, seats=match.seats, seed=5, setup=setup)
            action = begun.legal_actions()[-1].index
            begun.play(action)
            view = json.dumps(begun.view(seat), sort_keys=True)
            texts.add((view, begun.analyse(iterations=8, seat=seat).to_json()))
        views = {view for view, _ in texts}
        assert len(texts) == len(views), "equal views, equal bytes"
        compared += 3 - len(views)
    assert compared > 0, "some worlds looked the same after the decision"


def test_a_time_chooses_the_iterations(battle: Match) -> None:
    found = battle.analyse(seconds=0.5)
    assert found.complete
    assert found.iterations >= 8
    assert battle.analyse(iterations=found.iterations, luck=found.luck).to_json() == found.to_json()


def test_progress_and_open_cards(battle: Match, analysis: MatchAnalysis) -> None:
    heard: list[tuple[int, int]] = []
    found = battle.analyse(iterations=16, luck=4, cards="open", progress=lambda *done: heard.append(done))
    assert heard == sorted(heard)
    assert heard[-1] == (61, 61)
    assert "all hands open" in str(found)
    assert "what its seat could know" in str(analysis)
    assert found.draws == analysis.draws, "luck is with open cards anyway"
    assert found.moves != analysis.moves


def test_the_picture_has_a_line_and_a_band_for_each_seat(analysis: MatchAnalysis) -> None:
    picture = analysis.picture()
    assert picture.startswith("<svg ")
    assert picture.count("<polyline ") == picture.count("<polygon ") == 2
    assert picture.count("<circle ") == len(analysis.turning_points())
    with pytest.raises(ArgumentError, match="swing"):
        analysis.turning_points(swing=0)


def test_the_cause_of_a_turning_point_is_what_made_most_of_it(analysis: MatchAnalysis) -> None:
    move = replace(
        analysis.moves[0],
        before=(0.3, 0.7),
        expected=(0.3, 0.7),
        after=(0.6, 0.4),
        before_error=(0.01, 0.01),
        after_error=(0.01, 0.01),
        loss=0.0,
    )
    drawn = replace(analysis.draws[0], decision=move.decision, change=(0.2, -0.2))
    assert math.isclose(move.swing[0], 0.3)
    for changed, draws_of_it, cause in (
        (move, (drawn,), "draw"),
        (replace(move, loss=0.2), (), "mistake"),
        (move, (), "hidden"),
        (replace(move, expected=(0.6, 0.4)), (), "play"),
    ):
        (point,) = replace(analysis, moves=(changed,), draws=draws_of_it).turning_points()
        assert point.cause == cause


def test_rounds_are_named_once_below_the_curves(analysis: MatchAnalysis) -> None:
    headings = ((0, "A battle"), (1, "Round 1, turn of Oda"), (30, "Round 1, turn of Imagawa"))
    picture = replace(analysis, headings=headings).picture()
    assert "turn of" not in picture
    assert picture.count("rotate(30") == 1, "names that would overlap are left out"


def test_luck_of_a_seat_is_the_sum_of_its_draws(analysis: MatchAnalysis) -> None:
    for row in analysis.luck_by_seat:
        assert math.isclose(row.luck, sum(draw.change[row.seat] for draw in analysis.draws), abs_tol=1e-9)
        assert math.isclose(row.luck, sum(row.by_kind.values()), abs_tol=1e-9)
        assert row.hits == sum(draw.hits[row.seat] for draw in analysis.draws)


@pytest.mark.parametrize(("game", "matches"), [("swords", 6), ("tower", 24), ("battles", 12)])
def test_the_mean_of_luck_is_zero(game: str, matches: int) -> None:
    mean, error = mean_luck(game, matches)
    assert abs(mean) < 5 * error + 0.01


@pytest.mark.system
@pytest.mark.parametrize(("game", "matches"), [("swords", 100), ("tower", 1000), ("battles", 600)])
def test_the_mean_of_luck_is_zero_over_many_matches(game: str, matches: int) -> None:
    # It tests dice, decks and the tower against the values of the positions that they lead to.
    mean, error = mean_luck(game, matches)
    print(f"{game}: mean luck {mean:+.4f} ± {error:.4f} over {matches} matches")  # noqa: T201
    assert abs(mean) < 4 * error
    assert error < 0.05


def mean_luck(game: str, matches: int) -> tuple[float, float]:
    """Return the mean luck of seat 0 over matches of random players, and its standard error."""
    sums = []
    for seed in range(matches):
        match = played(game, 400, seed=seed)
        rows = match.analyse(iterations=0, luck=1).luck_by_seat
        assert math.isclose(sum(row.luck for row in rows), 0, abs_tol=1e-3)
        sums.append(rows[0].luck)
    mean = math.fsum(sums) / matches
    variance = math.fsum((value - mean) ** 2 for value in sums) / (matches - 1)
    return mean, math.sqrt(variance / matches)
