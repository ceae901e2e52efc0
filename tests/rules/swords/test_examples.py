"""The worked examples of the ledger as scripted fights."""

from sengoku.swords import Battle, Force


def test_chikuzen_attacks_hizen() -> None:
    # SW-X-03
    army = Force(daimyo=1, bow=1, sword=1, gun=3, spear=3)
    fight = Battle(army, Force(spear=1)).fight(dice=[9, 2, 3, 4])
    assert (fight.winner, fight.attacker, fight.defender, fight.rounds) == ("attacker", army, Force(), 1)


def test_awa_attacks_sanuki() -> None:
    # SW-X-04
    army = Force(daimyo=1, bow=1, sword=1, gun=2)
    fight = Battle(army, Force(spear=1)).fight(dice=[10, 3, 8])
    assert (fight.winner, fight.attacker) == ("attacker", army)


def test_a_naval_attack() -> None:
    # SW-X-07
    order = ("spear", "gun", "ronin", "sword", "bow")
    battle = Battle(
        Force(bow=1, spear=4),
        Force(gun=1, spear=2),
        naval=True,
        attacker_losses=order,
        defender_losses=order,
    )
    fight = battle.fight(dice=[4, 12, 3, 5, 9, 4, 11, 2, 6, 10])
    assert (fight.winner, fight.attacker, fight.rounds) == ("attacker", Force(bow=1, spear=1), 2)


def test_needless_dice() -> None:
    # SW-X-08
    fight = Battle(Force(sword=2, spear=2), Force(spear=2)).fight(dice=[5, 1, 4, 9])
    assert (fight.winner, fight.attacker) == ("attacker", Force(sword=2, spear=1))
