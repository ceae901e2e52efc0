"""Naval attack (NAVAL): the defender's first strike."""

from sengoku.swords import Battle, Force


def test_the_defender_alone_strikes_first() -> None:
    # SW-NAVAL-01, SW-R-61: one die for each defending unit, in the order of the steps, and none else
    army = Force(daimyo=1, bow=2, gun=1, sword=1, spear=1, ronin=1)
    battle = Battle(army, army, naval=True, break_off_after=1)
    strike = [7, 12] + [5] + [7] + [6, 12] + [5]
    fight = battle.fight(dice=strike + [12] * 14)
    first = [(line.step, line.side, line.dice) for line in fight.steps if line.round == 0]
    assert first == [
        (1, "defender", (7, 12)),
        (2, "defender", (5,)),
        (4, "defender", (7,)),
        (5, "defender", (6, 12)),
        (6, "defender", (5,)),
    ]


def test_casualties_are_removed_once_after_the_whole_strike() -> None:
    # SW-NAVAL-02: hits of bowmen and spearmen together, removed in one step
    fight = Battle(Force(spear=4), Force(bow=1, spear=1), naval=True, break_off_after=1).fight(
        dice=[6, 4] + [12] + [12, 12, 12]
    )
    strike = [line for line in fight.steps if line.round == 0]
    assert [(line.step, line.side, line.casualties) for line in strike[2:]] == [
        (7, "attacker", Force(spear=2))
    ]
    assert fight.attacker == Force(spear=2)


def test_a_strike_can_end_the_battle() -> None:
    # SW-NAVAL-02: nobody is left to attack, so no combat round begins
    fight = Battle(Force(spear=1), Force(bow=1), naval=True).fight(dice=[6])
    assert (fight.winner, fight.rounds) == ("defender", 0)


def test_bonus_units_do_not_strike_first() -> None:
    # SW-NAVAL-03: two spearmen and a ronin roll, the castle's four do not; in round 1 six spearmen roll
    fight = Battle(
        Force(spear=4), Force(spear=2, ronin=1), naval=True, fort="castle", break_off_after=1
    ).fight(dice=[12, 12, 12] + [12] + [12] * 4 + [12] * 6)
    assert [(line.round, line.step, line.side, len(line.dice)) for line in fight.steps if line.dice] == [
        (0, 5, "defender", 1),
        (0, 6, "defender", 2),
        (1, 5, "defender", 1),
        (1, 6, "attacker", 4),
        (1, 6, "defender", 6),
    ]


def test_no_calling_off_after_the_first_strike() -> None:
    # SW-NAVAL-04, SW-R-60: with one unit left of five the attacker must fight a whole round
    fight = Battle(Force(spear=5), Force(bow=4), naval=True, break_off_below=4).fight(
        dice=[1, 1, 1, 1] + [12] * 4 + [12]
    )
    assert (fight.winner, fight.rounds, fight.attacker) == ("called_off", 1, Force(spear=1))


def test_the_strike_is_one_half() -> None:
    # SW-R-62, SW-R-51: the bowman has hit the only attacker, so the spearman does not roll
    fight = Battle(Force(spear=1), Force(bow=1, spear=1), naval=True).fight(dice=[6])
    assert fight.winner == "defender"


def test_it_comes_again_in_every_battle_over_a_sea_route() -> None:
    # SW-R-62: a second force attacks what the first has left of the same province, and is struck first too
    first = Battle(Force(spear=2), Force(spear=3), naval=True, break_off_after=1).fight(
        dice=[12, 12, 12] + [4, 12] + [12, 12, 12]
    )
    assert (first.winner, first.defender) == ("called_off", Force(spear=2))
    second = Battle(Force(bow=1, spear=1), first.defender, naval=True, break_off_after=1).fight(
        dice=[4, 12] + [12] + [12, 12]
    )
    strike = second.steps[0]
    assert (strike.round, strike.side, strike.dice) == (0, "defender", (4, 12))
    assert second.attacker == Force(bow=1)


def test_ronin_are_there_before_the_first_die() -> None:
    # SW-R-57: revealed and divided before the strike, they roll in it and count as enemies in it
    fight = Battle(Force(spear=2, ronin=1), Force(spear=2, ronin=1), naval=True, break_off_after=1).fight(
        dice=[5] + [4, 4]
    )
    assert [(line.step, line.dice) for line in fight.steps[:2]] == [(5, (5,)), (6, (4, 4))]
    assert (fight.winner, fight.rounds) == ("defender", 0)
