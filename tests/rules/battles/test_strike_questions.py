"""Strikes as values: shorthands, refused questions, scripts, odds and batches."""

import copy
import pickle

import numpy as np
import pytest

from sengoku import battles
from sengoku.battles import Piece, Strike
from sengoku.errors import ArgumentError, DiceScriptError, SetupError


def test_shorthands() -> None:
    strike = Strike("SSp", "ASp", terrain="forest", leader="LM")
    assert strike == Strike(Piece("SSp", leader="LM"), Piece("ASp", terrain="forest"))
    assert strike.attackers[0].leader == "LM"
    assert strike.defender.terrain == "forest"
    assert Piece("BG") == Piece("BG", 4, leader="AC", terrain="tent")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Piece("XX"), 'kind is "XX"'),
        (lambda: Piece("AC"), 'kind is "AC"'),
        (lambda: Piece("SSp", 5), "blocks is 5"),
        (lambda: Piece("SSp", 0), "blocks: 0"),
        (lambda: Piece("SSpC", leader="LF"), 'leader: "LF"'),  # BT-LEADERS-03
        (lambda: Piece("SSp", terrain="river"), 'terrain: "river"'),
        (lambda: Piece("SSp", terrain="moon"), 'terrain is "moon"'),
        (lambda: Piece("BG", terrain="open"), 'terrain: "open"'),
        (lambda: Piece("SSp", ignore_flags="some"), 'ignore_flags is "some"'),
        (lambda: Piece("SSp", ignore_flags=-1), "ignore_flags is -1"),
        (lambda: Piece("SSp", inspire=True), "inspire: true"),
        (lambda: Piece("SSp", room=11), "room is 11"),
        (lambda: Piece("LF", leader_fate="exile"), 'leader_fate is "exile"'),
        (lambda: Strike("LF", "SSp"), 'attacker: "LF"'),  # BT-LEADERS-06
        (lambda: Strike([], "SSp"), "attacker: 0 units"),
        (lambda: Strike(["LI"] * 7, "SSp"), "attacker: 7 units"),
        (lambda: Strike(["LI", "AB"], "SSp"), 'attacker: "AB"'),
        (lambda: Strike(["LI", "LI"], "LF"), 'defender: "LF"'),  # BT-R-37
        (lambda: Strike("SSp", "ASp", ranged=True), "ranged: true"),
        (lambda: Strike("SB", "BG", ranged=True), 'defender: "BG"'),  # BT-RANGED-01
        (lambda: Strike("SB", "LI", ranged=True, distance=4), "distance: 4"),  # BT-UNITS-05
        (lambda: Strike("SB", "LI", ranged=True, distance=1), "distance: 1"),
        (lambda: Strike("SB", "LI", ranged=True, distance=9), "distance is 9"),
        (lambda: Strike("SB", "LI", distance=2), "distance: which is for ranged combat"),
        (lambda: Strike("SB", "LI", moved=True), "moved: which is for ranged combat"),
        (lambda: Strike("AA", "LI", ranged=True, moved=True), "moved: true"),  # BT-UNITS-04, BT-R-93
        (lambda: Strike("SSpC", "LI", terrain="castle"), 'attacker: "SSpC"'),  # BT-TERRAIN-09
        (lambda: Strike("SSp", Piece("LI", terrain="hill"), terrain="forest"), 'terrain: "forest"'),
        (lambda: Strike(Piece("SSp", leader="LF"), "LI", leader="LM"), 'leader: "LM"'),
        (lambda: Strike(["LI", "LI"], "SSp", leader="LM"), 'leader: "LM"'),
        (lambda: Strike("SSp", "LI", dice_bonus=7), "dice_bonus is 7"),
        (lambda: Strike(["LI"] * 6, "SSp", dice_bonus=4), "attacker: up to 36 dice"),
        (lambda: Strike("SSp", "LI", attacker_cards=["tea"]), 'attacker_cards is "tea"'),
        (lambda: Strike("SSp", "LI", attacker_cards=["ambush"]), 'attacker_cards: "ambush"'),
        (lambda: Strike("SSp", "LI", defender_cards=["first_strike", "ambush"]), 'defender_cards: "ambush"'),
        (lambda: Strike("SSp", "LI", against=1), "against: 1"),
        (lambda: Strike("SSp", "LI", attacker_honor=31), "attacker_honor is 31"),
        (lambda: Strike("SSp", "LI", attacker_honor=20, defender_honor=11), "defender_honor: 11"),
        (lambda: Strike("SSp", "LI", pool=-1), "pool is -1"),
    ],
)
def test_what_the_rules_do_not_allow(make, message: str) -> None:
    with pytest.raises(SetupError) as refused:
        make()
    assert str(refused.value).startswith(message)
    assert refused.value.details["field"]


def test_wrong_types() -> None:
    for make in (
        lambda: Piece(3),
        lambda: Strike(3, "LI"),
        lambda: Strike("SSp", None),
        lambda: Strike("SSp", "LI", attacker_cards="shogun"),
        lambda: Strike("SSp", "LI").fight(faces=[1]),
        lambda: Strike("SSp", "LI").fight(faces=7),
    ):
        with pytest.raises(TypeError):
            make()


def test_scripts() -> None:
    strike = Strike("ASp", "AB")
    with pytest.raises(DiceScriptError, match="2 faces given, at least 3 needed") as refused:
        strike.fight(faces=["C", "X"])
    assert refused.value.details == {"given": "2", "needed": "3"}
    with pytest.raises(DiceScriptError, match="3 faces given, at least 5 needed"):
        strike.fight(faces="CXT")
    with pytest.raises(DiceScriptError, match="6 faces given, only 5 needed, 1 left over") as refused:
        strike.fight(faces="CXTHHH")
    assert refused.value.details["left_over"] == "1"
    with pytest.raises(DiceScriptError, match='face 1 is "Q", faces are C, T, S, F, H and X') as refused:
        strike.fight(faces=["C", "Q"])
    assert refused.value.details == {"place": "1", "value": '"Q"'}
    with pytest.raises(DiceScriptError, match='face 0 is "CX"'):
        strike.fight(faces=["CX"])
    with pytest.raises(ArgumentError, match="longer than"):
        strike.fight(faces="C" * 100_000)


def test_questions_and_answers_are_values() -> None:
    strike = Strike(
        [Piece("LI", 3, leader="LF", inspire=True), "LI"],
        Piece("SSp", 2, terrain="hill", support=True, ignore_flags="none", room=2, leader_fate="seppuku"),
        attacker_cards=["terror_strike", "shogun"],
        defender_cards=["vengeance"],
        dice_bonus=1,
        against=1,
        attacker_honor=4,
        pool=9,
    )
    for value in (strike, strike.defender, strike.exact(), strike.sample(100, seed=2)):
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own
    assert eval(repr(strike), vars(battles)) == strike  # noqa: S307 - our own
    assert hash(strike) == hash(copy.deepcopy(strike))
    shot = Strike("SB", "LI", ranged=True, distance=3, moved=True)
    assert eval(repr(shot), vars(battles)) == shot  # noqa: S307


def test_odds_and_their_numbers() -> None:
    odds = Strike("SSp", Piece("ASp", leader="LF"), attacker_honor=5).odds(max_error=1e-3, seed=3)
    assert (odds.method, odds.samples, odds.standard_error) == ("exact", 0, 0.0)
    chances = np.array(list(odds.outcomes.values()))
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    assert odds.outcome_rows.shape == (len(chances), len(battles.OUTCOME_COLUMNS))
    for array, mean in ((odds.hits, 4 / 3), (odds.flags, 4 / 6), (odds.honor, 4 / 6)):
        assert float(array @ np.arange(len(array))) == pytest.approx(mean)
    assert odds.roll.sum(axis=(1, 2)) == pytest.approx(odds.hits)
    assert odds.defender_blocks_left[0] == pytest.approx(odds.defender_eliminated)
    assert sum(odds.attacker_honor.values()) == pytest.approx(1)
    assert odds.percentiles("defender", [0, 50, 100]) == [0, 3, 4]
    sampled = odds.strike.sample(200_000, seed=5)
    assert sampled.method == "sampled"
    assert abs(sampled.takes_ground - odds.takes_ground) < 5 * sampled.standard_error
    assert sampled == odds.strike.sample(200_000, seed=5, threads=1)
    assert sampled != odds.strike.sample(200_000, seed=6)
    described = battles.describe(odds)
    assert described["outcomes"][0].keys() == {*battles.OUTCOME_COLUMNS, "probability"}


def test_batches_are_single_answers() -> None:
    strikes = [Strike(kind, "ASp") for kind in ("SSp", "LI", "BG")]
    batch = battles.batch_odds(strikes)
    for row, strike in enumerate(strikes):
        odds = strike.exact()
        for name in battles.EVENTS:
            assert getattr(batch, name)[row] == getattr(odds, name)
        assert batch.hits_mean[row] == pytest.approx(float(odds.hits @ np.arange(len(odds.hits))))
        assert batch.defender_blocks_left[row].tolist() == odds.defender_blocks_left.tolist()
    sampled = battles.batch_odds(strikes, method="sampled", samples=1000, seed=4)
    assert sampled.takes_ground[2] == strikes[2].sample(1000, seed=4).takes_ground
    with pytest.raises(ArgumentError, match="method"):
        battles.batch_odds(strikes, method="guessed")
    with pytest.raises(TypeError, match="row 0 must be a Strike"):
        battles.batch_odds(["SSp"])
