"""Components (COMP): what a force is, and what is refused."""

import pytest

from sengoku.errors import SetupError
from sengoku.swords import Battle, Force

SPEAR = Force(spear=1)


def test_a_full_army_and_all_it_leads_may_attack() -> None:
    # SW-COMP-03, SW-COMP-04: fifteen units, the daimyo among them, lead fourteen ronin
    army = Force(daimyo=1, bow=2, sword=2, gun=4, spear=6, ronin=14)
    assert army.total == 29
    assert Battle(army, SPEAR).attacker == army


@pytest.mark.parametrize(
    ("force", "field", "value"),
    [
        (Force(daimyo=2), "attacker.daimyo", "2"),
        (Force(daimyo=1, bow=3, sword=2), "attacker.bow + sword", "5"),
        (Force(daimyo=1, gun=6, spear=5), "attacker.gun + spear", "11"),
        (Force(bow=2, gun=2, spear=2), "attacker.bow + gun + sword + spear", "6"),
        (Force(ronin=3), "attacker.regular units", "0"),
        (Force(spear=3, ronin=3), "attacker.ronin", "3"),
        (Force(daimyo=1, spear=10, ronin=11), "attacker.ronin", "11"),
        (Force(spear=3, disrupted=True), "attacker.disrupted", "true"),
    ],
)
def test_a_force_beyond_its_limits_is_refused_by_name_and_value(force: Force, field: str, value: str) -> None:
    # SW-COMP-03
    with pytest.raises(SetupError) as refused:
        Battle(force, SPEAR)
    assert refused.value.details["field"] == field
    assert refused.value.details["value"] == value


@pytest.mark.parametrize("count", [-1, 256, 10**30])
def test_numbers_no_force_has(count: int) -> None:
    with pytest.raises(SetupError, match=rf"bow is {count}, "):
        Force(bow=count)


def test_an_army_and_a_provincial_force_defend_together() -> None:
    # SW-COMP-03, with the largest numbers there are; SW-R-03: 25 ronin are all there are
    army, garrison = Force(daimyo=1, bow=4, spear=10, ronin=14), Force(bow=5, ronin=4)
    battle = Battle(SPEAR, [garrison, army], fort="fortress")
    assert battle.defenders == (army, garrison)
    with pytest.raises(SetupError, match="ronin: 26 on both sides together, there are 25"):
        Battle(Force(daimyo=1, spear=8, ronin=8), [army, garrison])


@pytest.mark.parametrize(
    ("defenders", "words"),
    [
        ([], "0 forces"),
        ([SPEAR, SPEAR], "two provincial forces"),
        ([Force(daimyo=1), Force(daimyo=1)], "two armies"),
        ([SPEAR, SPEAR, SPEAR], "3 forces"),
    ],
)
def test_a_province_holds_one_army_and_one_provincial_force(defenders: list[Force], words: str) -> None:
    with pytest.raises(SetupError, match=words):
        Battle(SPEAR, defenders)


def test_bonus_units_come_from_no_stock() -> None:
    # SW-R-04: all 25 ronin are in the battle, and the fortress has its five all the same
    defender = Force(daimyo=1, bow=4, spear=10, ronin=14)
    battle = Battle(Force(daimyo=1, spear=10, gun=0, bow=2, ronin=11), defender, fort="fortress")
    assert battle.exact().table.shape == (13 + 11 + 1, 15 + 14 + 5 + 1)
