"""How many matches are needed, and ratings from which luck is taken out: both against simulations."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from sengoku.errors import ArgumentError
from sengoku.tournament import Tables, elo_ratings, matches_needed, measured_effect
from sengoku.tournament.ratings import ELO, student
from sengoku.tournament.results import TournamentMatch
from support import cli
from tournament.kit import play, result, spec, stronger

LUCK = 0.8
"""Deviation of the luck of a seat, on the logistic scale."""


def found_share(elo: float, blocks: int, luck: float, tournaments: int) -> float:
    """Share of made-up tournaments of two bots whose interval of the difference does not contain 0."""
    made, found = spec(2, blocks=blocks), 0
    for seed in range(tournaments):
        rating = elo_ratings(
            [
                m
                for block in play(made, stronger([elo / ELO, 0.0], luck=luck), seed=seed).values()
                for m in block
            ],
            2,
        )
        gap, error = rating.difference(0, 1)
        found += gap - student(0.95, rating.clusters) * error > 0
    return found / tournaments


@pytest.mark.parametrize(("elo", "power"), [(110.0, 0.8), (120.0, 0.5)])
def test_so_many_matches_find_the_lead_as_often_as_said(elo: float, power: float) -> None:
    needed = matches_needed(elo, power=power)
    assert needed.matches == 2 * needed.blocks
    share = found_share(elo, needed.blocks, 0.0, 150)
    assert share == pytest.approx(power, abs=0.11)  # three standard errors


def law(elo: float, luck: float) -> tuple[float, float]:
    """Return the lead that scores show, and the effect of blocks, where seats have luck of this deviation."""
    points, weights = np.polynomial.hermite_e.hermegauss(80)
    gap = elo / ELO
    one, other = (1 / (1 + np.exp(-gap - side * math.sqrt(2) * luck * points)) for side in (1, -1))
    share = weights / weights.sum()
    score = float(share @ one)
    # The mean of two matches: of its variance, half the products of those under the same luck, and chance.
    chance = float(share @ (one * (1 - one) + other * (1 - other))) / 4
    luckily = float(share @ np.square((one + other) / 2 - score))
    return ELO * math.log(score / (1 - score)), (chance + luckily) / (score * (1 - score) / 2)


@pytest.mark.system
@pytest.mark.parametrize("luck", [0.0, 1.0])
@pytest.mark.parametrize("elo", [80.0, 160.0])
def test_the_power_is_that_of_simulations(elo: float, luck: float) -> None:
    # Luck that hides strength makes the lead smaller than that of the law: what is seen is what counts.
    seen, effect = law(elo, luck)
    assert effect == pytest.approx(1.0) if luck == 0 else effect < 0.9
    needed = matches_needed(seen, effect=effect)
    assert found_share(elo, needed.blocks, luck, 1000) == pytest.approx(0.8, abs=0.06)


def test_the_effect_of_blocks_is_measured() -> None:
    wide = spec(2, blocks=1500)
    for luck in (0.0, 1.0):
        effect = measured_effect(Tables(wide, play(wide, stronger([0.5, 0.0], luck=luck))))
        assert effect == pytest.approx(law(0.5 * ELO, luck)[1], abs=0.1)


def test_more_is_needed_for_less() -> None:
    one, other = matches_needed(10), matches_needed(20)
    assert one.matches == pytest.approx(4 * other.matches, rel=0.02)
    assert matches_needed(20, effect=0.5).matches == pytest.approx(other.matches / 2, rel=0.02)
    assert matches_needed(-20).blocks == other.blocks
    assert matches_needed(20, power=0.95).blocks > other.blocks < matches_needed(20, level=0.99).blocks
    assert matches_needed(2000).blocks >= 2


@pytest.mark.parametrize("wrong", [{"power": 1.0}, {"level": 0.2}, {"block": 0}, {"effect": 0.0}])
def test_wrong_wishes_are_named(wrong: dict[str, float]) -> None:
    (name,) = wrong
    with pytest.raises(ArgumentError, match=name):
        matches_needed(20, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="elo is"):
        matches_needed(math.nan)


def lucky_matches(seed: int, blocks: int, gap: float) -> tuple[list[TournamentMatch], list[list[float]]]:
    """Matches of two bots in which luck decides much, of which an estimate with an error is known."""
    chance, matches, luck = np.random.default_rng(seed), [], []
    for number in range(blocks):
        for arrangement, bots in enumerate(((0, 1), (1, 0))):
            gift = chance.normal(0, LUCK)
            lead = gap if bots == (0, 1) else -gap
            first = chance.random() < 1 / (1 + math.exp(-lead - 2 * gift))
            ranks = (1, 2) if first else (2, 1)
            matches.append(result(board=0, number=number, arrangement=arrangement, bots=bots, ranks=ranks))
            measured = 0.2 * (gift + chance.normal(0, 0.2))
            luck.append([measured, -measured])
    return matches, luck


def test_luck_shrinks_the_errors_of_ratings_and_they_still_hold() -> None:
    many = elo_ratings(lucky_matches(10**6, 8_000, 0.6)[0], 2).difference(0, 1)[0]
    covered, errors, tournaments = np.zeros(2), np.zeros(2), 200
    for seed in range(tournaments):
        matches, luck = lucky_matches(seed, 40, 0.6)
        for place, known in enumerate((None, luck)):
            gap, error = elo_ratings(matches, 2, known).difference(0, 1)
            covered[place] += abs(gap - many) <= student(0.95, 40) * error
            errors[place] += error / tournaments
    assert all(0.9 < share < 0.99 for share in covered / tournaments), covered / tournaments
    assert errors[1] < 0.9 * errors[0]
    matches, luck = lucky_matches(1, 40, 0.6)
    none = [[0.0, 0.0]] * len(luck)
    assert elo_ratings(matches, 2, none).difference(0, 1) == elo_ratings(matches, 2).difference(0, 1)


def test_the_command_line_estimates(tmp_path: Path) -> None:
    rows = json.loads(cli.run("tournament", "needed", "--elo", "50,100", "--json").stdout)
    assert [row["matches"] for row in rows] == [matches_needed(50).matches, matches_needed(100).matches]
    assert "expected score" in cli.run("tournament", "needed", "--luck", "0.3").stdout
    assert "--luck is 1" in cli.run("tournament", "needed", "--luck", "1", code=2).stderr
    assert "--elo is" in cli.run("tournament", "needed", "--elo", "ten", code=2).stderr
    file = tmp_path / "small.toml"
    file.write_text(
        'blocks = 12\nseed = 3\nbots = [{name = "greedy"}, {name = "mix:greedy=90"}]\n'
        'games = [{game = "battles", setup = {scenario = 1, max_rounds = 3}}]\n'
    )
    cli.run("tournament", "run", str(file))
    (row,) = json.loads(cli.run("tournament", "needed", "--elo", "50", "--like", str(file), "--json").stdout)
    assert row["effect"] != 1.0
    assert row["matches"] == 2 * row["blocks"]
