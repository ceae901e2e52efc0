"""Castles and fortresses in battle (FORT)."""

import pytest

from sengoku.errors import SetupError
from sengoku.swords import Battle, Force


def test_a_castle_has_four_spearmen() -> None:
    # SW-FORT-01, SW-R-63: they roll in step 6 with the others
    fight = Battle(Force(spear=1), Force(spear=1), fort="castle", break_off_after=1).fight(
        dice=[12] + [12] * 5
    )
    assert [(line.step, line.side, len(line.dice)) for line in fight.steps[:2]] == [
        (6, "attacker", 1),
        (6, "defender", 5),
    ]


def test_a_fortress_has_five_ronin_instead() -> None:
    # SW-FORT-01: they roll in step 5 and hit on 5
    fight = Battle(Force(spear=4), Force(spear=1), fort="fortress", break_off_after=1).fight(
        dice=[5, 6, 6, 6, 6] + [12] * 4 + [12]
    )
    assert [(line.step, line.side, len(line.dice), line.hits) for line in fight.steps[:3]] == [
        (5, "defender", 5, 1),
        (6, "attacker", 4, 0),
        (6, "defender", 1, 0),
    ]


def test_bonus_units_only_defend_and_hold_nothing() -> None:
    # SW-FORT-02: they are no part of the force, and a province is not held by them
    fight = Battle(Force(bow=4, spear=1), Force(spear=1), fort="castle").fight(
        dice=[1, 1, 1, 1] + [12] + [12] + [1, 1, 1, 1]
    )
    assert (fight.winner, fight.defender, fight.fort_bonus_left) == ("attacker", Force(), 0)
    odds = Battle(Force(bow=4, spear=1), Force(spear=1), fort="castle").exact()
    assert len(odds.defender_units_left) == 2
    assert odds.defender_units_left[0] == pytest.approx(odds.attacker_wins + odds.both_eliminated, abs=1e-15)


def test_bonus_units_of_a_war_turn_and_of_the_next() -> None:
    # SW-FORT-03, SW-R-64: the second attack of the same clan meets the survivors of the first
    castle = {"fort": "castle", "break_off_after": 1}
    first = Battle(Force(bow=3), Force(spear=1), **castle).fight(dice=[1, 1, 12] + [12] * 3)
    assert first.fort_bonus_left == 2
    second = Battle(Force(bow=1), first.defender, fort_lost=2, **castle).fight(dice=[1] + [12] * 2)
    assert len(second.steps[-2].dice) == 1 + 1
    assert second.fort_bonus_left == 1
    # SW-FORT-04: the next clan meets all four, whatever the first has killed
    third = Battle(Force(spear=1), second.defender, **castle).fight(dice=[12] + [12] * 5)
    assert len(third.steps[1].dice) == 1 + 4
    assert third.fort_bonus_left == 4


def test_an_empty_province_is_not_defended() -> None:
    # SW-FORT-05: a building without units does not defend
    with pytest.raises(SetupError, match="defender: regular units are 0"):
        Battle(Force(spear=1), Force(), fort="fortress")


@pytest.mark.parametrize(("fort", "lost"), [("none", 1), ("castle", 5), ("fortress", 6)])
def test_no_more_bonus_units_are_lost_than_there_are(fort: str, lost: int) -> None:
    with pytest.raises(SetupError, match=f"fort_lost is {lost}") as refused:
        Battle(Force(spear=1), Force(spear=1), fort=fort, fort_lost=lost)
    assert refused.value.details["limit"] == str(lost - 1)


def test_an_unknown_building() -> None:
    with pytest.raises(SetupError, match='fort is "pagoda"'):
        Battle(Force(spear=1), Force(spear=1), fort="pagoda")
