"""Casualties (CASUALTY): which units fall."""

from itertools import product

import pytest

from sengoku.errors import SetupError
from sengoku.swords import Battle, Force

ORDERS = {
    "cheapest": ("spear", "gun", "sword", "ronin", "bow"),
    "hired_first": ("ronin", "spear", "gun", "sword", "bow"),
}


def struck(defender: Force | list[Force], hits: int, losses: str | tuple[str, ...], **options: object):
    """The battle after bowmen have made some hits on the defender, who never hits back."""
    army = Force(daimyo=1, bow=4)
    battle = Battle(army, defender, defender_losses=losses, break_off_after=1, **options)
    forces = battle.defenders
    dice = [1] * hits + [12] * (4 - hits) + [12] * sum(force.bow for force in forces)
    while True:
        try:
            return battle.fight(dice=dice)
        except ValueError as error:
            dice += [12] * (int(error.details["needed"]) - len(dice))


@pytest.mark.parametrize("name", list(ORDERS))
def test_named_orders(name: str) -> None:
    # SW-CASUALTY-01: the side chooses by its order, one unit for each hit
    force = Force(bow=1, gun=1, sword=1, spear=1, ronin=1)
    for hits in range(1, 5):
        by_name = struck(force, hits, name).defender
        by_list = struck(force, hits, ORDERS[name]).defender
        assert by_name == by_list
        assert by_name.total == force.total - hits


def test_the_order_is_followed() -> None:
    # SW-CASUALTY-01, SW-CASUALTY-02: also units that have not rolled yet fall
    army = Force(daimyo=1, bow=1, gun=1, sword=1, spear=1)
    assert struck(army, 1, "cheapest").defender == Force(daimyo=1, bow=1, gun=1, sword=1)
    assert struck(army, 3, "cheapest").defender == Force(daimyo=1, bow=1)
    assert struck(army, 2, ("bow", "spear", "gun", "ronin", "sword")).defender == Force(
        daimyo=1, gun=1, sword=1
    )


@pytest.mark.parametrize(
    "order", ["dearest", "bow", ["bow"], ["bow", "gun", "sword", "spear", "daimyo"], ["bow"] * 5, []]
)
def test_an_order_that_is_none(order: str | list[str]) -> None:
    with pytest.raises(SetupError, match="attacker_losses is"):
        Battle(Force(spear=1), Force(spear=1), attacker_losses=order)


def test_both_sides_remove_together_and_unseen() -> None:
    # SW-CASUALTY-03, SW-R-59: each side's order decides its own losses and does not touch the other's
    force = Force(gun=1, sword=2)
    left = {
        ("gun", "sword", "spear", "ronin", "bow"): Force(sword=2),
        ("sword", "gun", "spear", "ronin", "bow"): Force(gun=1, sword=1),
    }
    for (attacker_losses, attacker), (defender_losses, defender) in product(left.items(), repeat=2):
        battle = Battle(
            force, force, attacker_losses=attacker_losses, defender_losses=defender_losses, break_off_after=1
        )
        fight = battle.fight(dice=[4, 4] + [12] * (attacker.sword + defender.sword))
        assert (fight.attacker, fight.defender) == (attacker, defender)
        removals = [(line.step, line.side) for line in fight.steps if line.casualties.total]
        assert removals == [(3, "attacker"), (3, "defender")]


def test_bonus_units_go_first() -> None:
    # SW-CASUALTY-04
    fight = struck(Force(spear=2), 3, "cheapest", fort="castle")
    assert (fight.fort_bonus_left, fight.defender) == (1, Force(spear=2))
    fight = struck(Force(spear=2), 4, "cheapest", fort="castle", fort_lost=1)
    assert (fight.fort_bonus_left, fight.defender) == (0, Force(spear=1))


def test_the_daimyo_falls_last() -> None:
    # SW-CASUALTY-05: also when he defends together with a provincial force
    fight = struck([Force(daimyo=1, gun=1), Force(spear=2)], 3, ("bow", "ronin", "sword", "gun", "spear"))
    assert fight.defenders == (Force(daimyo=1), Force())
    fight = struck([Force(daimyo=1, gun=1), Force(spear=2)], 4, "cheapest")
    assert fight.winner == "attacker"


def test_ronin_never_outnumber_those_who_lead_them() -> None:
    # SW-CASUALTY-06: three spearmen lead two ronin, two lead one, one leads none
    left = [struck(Force(spear=3, ronin=2), hits, "cheapest").defender for hits in range(1, 5)]
    assert left == [
        Force(spear=3, ronin=1),
        Force(spear=2, ronin=1),
        Force(spear=2),
        Force(spear=1),
    ]


def test_the_limit_is_kept_by_each_force() -> None:
    # SW-CASUALTY-06: the army could lead the ronin of both, but the provincial force must lead its own
    fight = struck([Force(daimyo=1, bow=2), Force(spear=2, ronin=1)], 1, "cheapest")
    assert fight.defenders == (Force(daimyo=1, bow=2), Force(spear=2))


def test_fortress_ronin_are_exempt() -> None:
    # SW-CASUALTY-06: one spearman beside five bonus ronin
    fight = struck(Force(spear=1), 2, "cheapest", fort="fortress")
    assert (fight.fort_bonus_left, fight.defender) == (3, Force(spear=1))


def test_an_army_over_the_limit_gives_up_ronin() -> None:
    # SW-R-58: its daimyo is dead, so two spearmen stand with two ronin
    army = Force(spear=2, ronin=2, disrupted=True)
    assert [struck(army, hits, "cheapest").defender for hits in range(4)] == [
        army,
        Force(spear=2, ronin=1, disrupted=True),
        Force(spear=2, disrupted=True),
        Force(spear=1, disrupted=True),
    ]


def test_casualties_are_counted_by_what_they_are() -> None:
    # SW-CASUALTY-07: fallen units are recorded by kind, so that regular units and ronin return correctly
    fight = struck(Force(spear=3, ronin=2), 2, "cheapest")
    fallen = next(line.casualties for line in fight.steps if line.casualties.total)
    assert fallen == Force(spear=1, ronin=1)
