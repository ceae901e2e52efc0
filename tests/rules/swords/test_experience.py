"""Daimyo experience (EXP): what moves the marker, when, and what a level is good for."""

import pytest

from rules.swords.board import Board, army, declare, events, options, owner, play
from sengoku import Match

HOLES = {1: 0, 2: 3, 3: 6, 4: 9}
"""The first hole of each level."""

WON = [1, 12, 12, 12]
"""Four bowmen, one of whom hits: enough for a single spearman, who falls in step 3 and never rolls."""


def archers(hole: int, *, phase: str = "b") -> Board:
    """Army 1 in Chikuzen with four bowmen, and a spearman of the enemy in each province around it."""
    board = Board(phase=phase).army(0, 1, "chikuzen", hole=hole, bow=4)
    for neighbour in ("hizen", "chikugo", "buzen", "bungo"):
        board.province(neighbour, 1, spear=1)
    return board


def attack(match: Match, target: str) -> Match:
    """Army 1 declares; nobody else can, so its attacks begin."""
    return declare(match, 1, target)


def steps_taken(hole: int, phase: str) -> int:
    """How many steps an army takes that goes to and fro between two own provinces."""
    board = Board(phase=phase).army(0, 1, "mino", hole=hole, spear=1)
    board.province("mino", 0, bow=1).province("hida", 0, bow=1)
    match = play(board.match(dice=[]), "army", army=1)
    taken = 0
    while options(match, "step"):
        play(match, "step", to="hida" if taken % 2 == 0 else "mino")
        taken += 1
    return taken


def attacks_made(hole: int) -> int:
    """The number of attacks of an army that stays where it is and always continues."""
    match = archers(hole).match(dice=WON * 4)
    attack(match, "hizen")
    for target in ("chikugo", "buzen", "bungo"):
        if options(match, "pass"):
            play(match, "pass")
            play(match, "province", province=target)
    assert match.dice_left == 4 * (4 - len(events(match, "battle")))
    return len(events(match, "battle"))


def test_the_hole_gives_the_level() -> None:
    # SW-EXP-01, SW-R-48: three holes each for the levels 1 to 3, the last hole is level 4
    assert [steps_taken(hole, "a") for hole in range(10)] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4]


@pytest.mark.parametrize(("level", "hole"), HOLES.items())
def test_the_level_is_steps_and_attacks(level: int, hole: int) -> None:
    # SW-EXP-02: steps in Phase A, attacks in Phase C, steps in Phase D
    assert steps_taken(hole, "a") == level
    assert attacks_made(hole) == level
    assert steps_taken(hole, "d") == level


def test_a_victory_moves_the_marker_one_hole() -> None:
    # SW-EXP-03
    match = attack(archers(0).match(dice=WON), "hizen")
    assert (army(match, 0, 1)["hole"], match.dice_left) == (1, 0)
    assert events(match, "experience") == [
        {"event": "experience", "clan": 0, "army": 1, "hole": 1, "level": 1}
    ]


def test_three_victories_in_a_turn_move_it_once_and_at_the_end() -> None:
    # SW-EXP-03: nothing moves before the army has finished all its attacks
    match = attack(archers(6).match(dice=WON * 3), "hizen")
    play(match, "pass")
    play(match, "province", province="chikugo")
    play(match, "pass")
    assert (len(events(match, "battle")), army(match, 0, 1)["hole"]) == (2, 6)
    play(match, "province", province="buzen")
    assert (match.dice_left, army(match, 0, 1)["hole"], len(events(match, "experience"))) == (0, 7, 1)


def test_an_army_that_stops_early_has_finished_too() -> None:
    # SW-EXP-03: the second of its attacks is not made
    match = attack(archers(3).match(dice=WON), "hizen")
    play(match, "pass")
    assert army(match, 0, 1)["hole"] == 3
    play(match, "stop")
    assert army(match, 0, 1)["hole"] == 4


def test_the_marker_stays_in_the_last_hole() -> None:
    # SW-EXP-03
    match = attack(archers(9).match(dice=WON), "hizen")
    play(match, "pass")
    play(match, "stop")
    assert (owner(match, "hizen"), army(match, 0, 1)["hole"]) == (None, 9)


def test_one_success_among_failures_is_enough() -> None:
    # SW-EXP-03, SW-EXP-04: won against Hizen, called off against Chikugo
    board = archers(3).province("chikugo", 1, spear=2)
    match = attack(board.match(dice=WON + [12] * 4 + [12] + [12, 12]), "hizen")
    play(match, "pass")
    play(match, "province", province="chikugo")
    play(match, "call_off")
    assert (match.dice_left, army(match, 0, 1)["hole"]) == (0, 4)


def test_an_empty_province_is_no_success() -> None:
    # SW-EXP-04: entered or not
    for enter in (False, True):
        board = Board(phase="b").army(0, 1, "chikuzen", hole=3, spear=2)
        match = attack(board.match(dice=[]), "hizen")
        if enter:
            play(match, "step", to="hizen")
            play(match, "from_army", unit="spear")
            play(match, "done")
        else:
            play(match, "pass")
        play(match, "stop")
        assert owner(match, "hizen") == (0 if enter else None)
        assert (army(match, 0, 1)["hole"], events(match, "experience")) == (3, [])


def test_a_battle_called_off_is_no_success() -> None:
    # SW-EXP-04, whatever it has cost the enemy
    board = archers(0).province("hizen", 1, spear=3)
    match = attack(board.match(dice=[1, 1, 12, 12] + [12] + [12]), "hizen")
    play(match, "call_off")
    assert match.dice_left == 0
    assert match.state()["provinces"]["hizen"]["units"]["spear"] == 1
    assert army(match, 0, 1)["hole"] == 0


def test_a_battle_that_could_not_be_fought_is_no_success() -> None:
    # SW-EXP-04: army 1 has emptied the province before army 2 got there
    board = Board(phase="b").province("hizen", 1, spear=1)
    board.army(0, 1, "chikuzen", bow=4).army(0, 2, "chikugo", bow=4)
    match = board.match(dice=WON)
    declare(match, 1, "hizen")
    declare(match, 2, "hizen")
    play(match, "army", army=1)
    assert (len(events(match, "declared")), match.dice_left) == (2, 0)
    assert (army(match, 0, 1)["hole"], army(match, 0, 2)["hole"]) == (1, 0)


def test_a_defence_is_no_success() -> None:
    # SW-EXP-04: the attackers are eliminated by an army that stays where its marker is
    board = Board(phase="b").province("chikuzen", 0, spear=1).army(1, 1, "hizen", bow=4)
    match = board.match(dice=WON)
    play(match, "province", province="chikuzen")
    assert (owner(match, "chikuzen"), army(match, 1, 1)["hole"], match.dice_left) == (None, 0, 0)


def test_killing_each_other_is_no_success() -> None:
    # SW-EXP-04, with SW-R-56: there is no army left to gain anything
    board = Board(phase="b").army(0, 1, "chikuzen", hole=3).province("hizen", 1, sword=1)
    match = board.match(dice=[6, 5])
    attack(match, "hizen")
    assert (owner(match, "hizen"), owner(match, "chikuzen"), match.dice_left) == (None, None, 0)
    assert events(match, "experience") == []


def test_a_new_level_gives_no_attack_but_a_step_in_phase_d() -> None:
    # SW-EXP-05: from hole 2 to hole 3, level 2
    match = attack(archers(2).match(dice=WON), "hizen")
    assert (army(match, 0, 1)["hole"], match.state()["phase"]) == (3, "d")
    assert len(events(match, "battle")) == 1  # no second attack was offered: Phase C is over
    play(match, "army", army=1)
    play(match, "step", to="hizen")
    play(match, "from_army", unit="bow")
    play(match, "done")
    assert owner(match, "hizen") == 0
    assert {"to": "chikuzen", "hidden": 0} in options(match, "step")  # the second step


def test_a_successor_begins_in_the_first_hole() -> None:
    # SW-EXP-06
    board = Board(phase="d", active=2).army(0, 1, "chikuzen", hole=5, daimyo=0, spear=2)
    match = play(board.match(dice=[]), "done")
    assert match.state()["round"] == 3
    assert (army(match, 0, 1)["units"], army(match, 0, 1)["hole"]) == ({"daimyo": 1, "spear": 2}, 0)


def test_a_recovered_daimyo_begins_in_the_first_hole() -> None:
    # SW-EXP-06: lost in hole 8 and back in hole 0, in the same casualty step
    board = Board(phase="b", homes=False).army(0, 3, "tsushima", spear=1).army(2, 3, "sado", spear=1)
    board.army(0, 1, "chikuzen", hole=8).army(1, 1, "hizen").province("chikuzen", 0, spear=1)
    match = board.match(dice=[6, 6])
    attack(match, "hizen")
    play(match, "done")  # the spearman of Chikuzen does not attack
    assert [event["clan"] for event in events(match, "eliminated")] == [1]
    assert (army(match, 0, 1)["province"], army(match, 0, 1)["hole"], match.dice_left) == ("chikuzen", 0, 0)


def test_the_marker_moves_before_other_forces_fight() -> None:
    # SW-R-65: while the next battle is chosen, the marker has moved
    board = archers(0).army(0, 2, "higo", bow=4).province("satsuma", 1, spear=1).province("higo", 0, spear=1)
    match = board.match(dice=WON)
    declare(match, 1, "hizen")
    declare(match, 2, "satsuma")
    declare(match, "higo", "bungo")
    play(match, "army", army=1)
    assert {"name": "army", "army": 2} in options(match)  # the next battle is still to be chosen
    assert (army(match, 0, 1)["hole"], len(events(match, "battle")), match.dice_left) == (1, 1, 0)


@pytest.mark.parametrize("hole", [0, 3])
def test_a_daimyo_assassinated_after_his_victory_gains_nothing(hole: int) -> None:
    # SW-R-65: the ninja strikes in the window after the battle, before the series of attacks is over
    board = archers(hole).set(ninja=1, ninja_fresh=True)
    match = attack(board.match(dice=WON + [8]), "hizen")
    for _ in range(3):  # after the declarations, before and after ronin are revealed
        play(match, "pass")
    assert (owner(match, "hizen"), match.state()["window"]) == (None, 10)
    play(match, "daimyo", clan=0, army=1)
    assert (match.dice_left, events(match, "experience")) == (0, [])
    assert (army(match, 0, 1)["disrupted"], army(match, 0, 1)["hole"]) == (True, hole)
