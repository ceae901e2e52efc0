"""Phase C (WAR-C): the eight steps of a combat round, die by die."""

import pytest

from sengoku.errors import DiceScriptError
from sengoku.swords import Battle, Force

# Every force here loses spearmen first, then gunners, swordsmen, ronin, bowmen, and the daimyo last.


def rolls(fight) -> list[tuple[int, int, str, tuple[int, ...], int]]:
    """Round, step, side, dice and hits of every roll of a fight."""
    return [(line.round, line.step, line.side, line.dice, line.hits) for line in fight.steps if line.dice]


def test_all_units_take_part_step_by_step() -> None:
    # SW-WAR-C-02, SW-WAR-C-04, SW-R-52: one die per unit, steps in order, the attacker's dice first
    army = Force(daimyo=1, bow=2, gun=1, sword=1, spear=2, ronin=1)
    fight = Battle(army, army, break_off_after=1).fight(
        dice=[7, 12, 8, 9]  # step 1: two bowmen each
        + [5, 12]  # step 2
        + [7, 12]  # step 4
        + [6, 12, 7, 8]  # step 5: a swordsman and a ronin each
        + [5, 12, 6, 7]  # step 6
    )
    assert rolls(fight) == [
        (1, 1, "attacker", (7, 12), 0),
        (1, 1, "defender", (8, 9), 0),
        (1, 2, "attacker", (5,), 0),
        (1, 2, "defender", (12,), 0),
        (1, 4, "attacker", (7,), 0),
        (1, 4, "defender", (12,), 0),
        (1, 5, "attacker", (6, 12), 0),
        (1, 5, "defender", (7, 8), 0),
        (1, 6, "attacker", (5, 12), 0),
        (1, 6, "defender", (6, 7), 0),
    ]
    assert (fight.winner, fight.attacker, fight.defender) == ("called_off", army, army)


def test_everything_in_the_province_defends() -> None:
    # SW-WAR-C-02: army, provincial force, their ronin and bonus units roll together, step by step
    defenders = [
        Force(daimyo=1, bow=1, gun=2, sword=1, spear=1, ronin=2),
        Force(bow=2, gun=1, spear=1, ronin=1),
    ]
    for fort, bonus_step in (("castle", 6), ("fortress", 5)):
        dice = {1: 3, 2: 3, 4: 1, 5: 4, 6: 2}
        dice[bonus_step] += 4 if fort == "castle" else 5
        battle = Battle(Force(spear=1), defenders, fort=fort, break_off_after=1)
        fight = battle.fight(dice=[12] * (sum(dice.values()) + 1))
        found = {line.step: len(line.dice) for line in fight.steps if line.side == "defender" and line.dice}
        assert found == dice


@pytest.mark.parametrize(
    ("unit", "value", "before"),
    [("bow", 6, 0), ("gun", 4, 0), ("daimyo", 6, 0), ("sword", 5, 1), ("spear", 4, 1)],
)
def test_a_die_hits_with_the_combat_value_or_less(unit: str, value: int, before: int) -> None:
    # SW-WAR-C-04, SW-COMP-02: against a daimyo, who may roll before the unit does, and a spearman
    battle = Battle(Force(**{unit: 1}), Force(daimyo=1, spear=1), break_off_after=1)
    for face, hits in ((value, 1), (value + 1, 0)):
        gone_before_rolling = hits if unit in {"bow", "gun"} else 0
        misses = [12] * (2 - before - gone_before_rolling)
        fight = battle.fight(dice=[12] * before + [face] + misses)
        assert fight.defender.spear == 1 - hits


def test_ronin_roll_with_the_swordsmen_on_both_sides() -> None:
    # SW-R-50: the defender rolls in step 5 too; a ronin hits on 5
    force = Force(spear=2, ronin=1)
    fight = Battle(force, force, break_off_after=1).fight(dice=[5, 5, 12, 12, 12, 12])
    assert [(line.side, line.dice, line.hits) for line in fight.steps[:2]] == [
        ("attacker", (5,), 1),
        ("defender", (5,), 1),
    ]
    assert fight.attacker == fight.defender == Force(spear=2)


def test_missile_casualties_do_not_strike_back() -> None:
    # SW-WAR-C-05: hit in steps 1 and 2, gone in step 3, no die in step 6
    fight = Battle(Force(bow=2), Force(spear=2), break_off_after=1).fight(dice=[6, 1])
    assert (fight.winner, fight.rounds) == ("attacker", 1)


def test_melee_casualties_strike_back() -> None:
    # SW-WAR-C-05: units hit in step 4 or 5 still roll in step 6; casualties are removed together in step 7
    fight = Battle(Force(sword=1), Force(spear=1)).fight(dice=[5, 4])
    assert (fight.winner, fight.attacker, fight.defender) == ("none", Force(), Force())
    assert [(line.step, line.side) for line in fight.steps] == [
        (5, "attacker"),
        (6, "defender"),
        (7, "attacker"),
        (7, "defender"),
    ]


def test_hits_beyond_the_enemys_number_are_lost() -> None:
    # SW-WAR-C-05
    fight = Battle(Force(gun=3), Force(spear=1)).fight(dice=[1, 2, 3])
    assert fight.steps[-1].hits == 3
    assert fight.steps[-1].casualties == Force(spear=1)


def test_hits_of_both_missile_steps_are_kept_until_step_3() -> None:
    # SW-WAR-C-05
    fight = Battle(Force(bow=1, gun=1), Force(spear=2)).fight(dice=[6, 4])
    assert fight.steps[-1].casualties == Force(spear=2)


def test_the_battle_ends_at_once() -> None:
    # SW-WAR-C-06, SW-WAR-C-07: decided in step 3, steps 4 to 8 are not made; the attackers stay as they are
    army = Force(daimyo=1, bow=1, sword=2)
    fight = Battle(army, Force(spear=1)).fight(dice=[1])
    assert (fight.winner, fight.attacker, fight.steps[-1].step) == ("attacker", army, 3)


def test_attackers_eliminated() -> None:
    # SW-WAR-C-08
    fight = Battle(Force(spear=1), Force(bow=1)).fight(dice=[6])
    assert (fight.winner, fight.attacker, fight.defender) == ("defender", Force(), Force(bow=1))


def test_both_eliminated_is_nobodys_victory() -> None:
    # SW-R-56
    fight = Battle(Force(bow=1), Force(bow=1)).fight(dice=[1, 1])
    assert fight.winner == "none"


def test_only_step_8_calls_off() -> None:
    # SW-WAR-C-09, SW-R-49, SW-R-57: below the number from the start, yet a whole round is fought first
    battle = Battle(Force(spear=2), Force(spear=2), break_off_below=3)
    fight = battle.fight(dice=[4, 12, 4, 12])
    assert (fight.winner, fight.rounds) == ("called_off", 1)
    assert (fight.attacker, fight.defender) == (Force(spear=1), Force(spear=1))
    assert (fight.steps[-1].step, fight.steps[-1].side) == (8, "attacker")


def test_calling_off_after_some_rounds() -> None:
    # SW-WAR-C-09
    battle = Battle(Force(spear=1), Force(spear=1), break_off_after=3)
    fight = battle.fight(dice=[12, 12] * 3)
    assert (fight.winner, fight.rounds) == ("called_off", 3)


def test_calling_off_for_either_reason() -> None:
    battle = Battle(Force(spear=3), Force(spear=3), break_off_below=3, break_off_after=2)
    assert battle.fight(dice=[12, 12, 12, 4, 12, 12]).rounds == 1
    assert battle.fight(dice=[12] * 12).rounds == 2


def test_needless_dice_are_not_rolled() -> None:
    # SW-R-51: enough hits after step 1, so no gunner rolls; enough after step 5, so no spearman rolls
    fight = Battle(Force(bow=2, gun=2), Force(bow=1, gun=1)).fight(dice=[1, 1, 12, 12])
    assert rolls(fight) == [
        (1, 1, "attacker", (1, 1), 2),
        (1, 1, "defender", (12,), 0),
        (1, 2, "defender", (12,), 0),
    ]
    # hits of the missile half do not count in the melee half
    fight = Battle(Force(bow=1, sword=1, spear=1), Force(spear=2), break_off_after=1).fight(
        dice=[1, 5, 12]  # one falls to the bow; the swordsman hits the other, the spearmen need not roll
    )
    assert fight.winner == "attacker"


def test_within_a_step_all_dice_are_rolled() -> None:
    # SW-R-51, SW-WAR-C-17: three dice against one unit, and more dice than the box holds
    assert Battle(Force(bow=3), Force(spear=1)).fight(dice=[1, 2, 3]).steps[0].hits == 3
    many = Force(daimyo=1, gun=10)
    assert len(Battle(many, Force(spear=1)).fight(dice=[1] * 10).steps[0].dice) == 10


@pytest.mark.parametrize(
    ("dice", "words", "details"),
    [
        ([], "0 dice given, at least 2 needed", {"given": "0", "needed": "2"}),
        ([12], "1 dice given, at least 2 needed", {"given": "1", "needed": "2"}),
        ([4, 4, 4], "3 dice given, only 2 needed, 1 left over", {"given": "3", "left_over": "1"}),
        ([0, 4], "die 0 is 0, a die shows 1 to 12", {"place": "0", "value": "0"}),
        ([4, 13], "die 1 is 13, a die shows 1 to 12", {"place": "1", "value": "13"}),
        ([4, -(10**30)], "a die shows 1 to 12", {"place": "1", "value": str(-(10**30))}),
    ],
)
def test_a_script_that_does_not_fit(dice: list[int], words: str, details: dict[str, str]) -> None:
    # SW-RND-05
    with pytest.raises(DiceScriptError, match=words) as refused:
        Battle(Force(bow=1), Force(bow=1), break_off_after=1).fight(dice=dice)
    assert details.items() <= refused.value.details.items()


def test_the_account_reads_like_one() -> None:
    fight = Battle(Force(bow=1, spear=1), Force(spear=2), fort="castle", naval=True, break_off_after=1).fight(
        dice=[4, 12, 6, 12, 12, 12, 12, 12]
    )
    assert str(fight).splitlines() == [
        "naval attack by 1 bow, 1 spear",
        "against 2 spear and 4 of the castle",
        "first strike",
        "  step 6  defender's spearmen roll 4 12: 1 hit",
        "  step 7  attacker loses 1 spear",
        "round 1",
        "  step 1  attacker's bowmen roll 6: 1 hit",
        "  step 3  defender loses 1 bonus",
        "  step 6  defender's spearmen roll 12 12 12 12 12: no hit",
        "  step 8  attacker calls the battle off",
        "called off: 1 bow against 2 spear and 3 of the castle",
    ]
