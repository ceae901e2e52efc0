"""Action 6 (NINJA): assassinations in the middle of a battle, and what becomes of its target."""

import pytest

from rules.swords.board import (
    Board,
    army,
    attack,
    events,
    options,
    owner,
    play,
    units,
)
from rules.swords.ninjas import HOLES, held, kill, lost, mino, three_armies, wait
from sengoku import Match


def attacked(window: int) -> Match:
    """Army 1 of level 2 attacks over land or sea, and a window of its battle is open."""
    naval = window == 7
    place, target, other = ("bungo", "iyo", "higo") if naval else ("mino", "owari", "ise")
    board = Board(phase="b").army(0, 1, place, hole=3, bow=1, spear=3)
    board.province(target, 1, spear=2).province(other, 1, spear=1)
    first_strike = [12, 12] if naval else []
    fought = {5: [], 6: [], 7: [], 8: [12], 9: [12] + [12] * 6}[window]
    match = held(board).match(dice=first_strike + fought + [8])
    attack(match, 1, target)
    return wait(match, window)


@pytest.mark.parametrize("window", [5, 6, 7, 8, 9])
def test_an_attack_ends_with_the_death_of_its_daimyo(window: int) -> None:
    # SW-R-36: at once, also in the middle of a combat round; no further attack, no move
    match = attacked(window)
    before = army(match, 0, 1)
    kill(match, 0, 1)
    assert match.dice_left == 0
    assert (match.state()["phase"], match.state()["fight"]) == ("d", None)
    assert army(match, 0, 1)["units"] == {"bow": 1, "spear": 3}
    assert army(match, 0, 1)["province"] == before["province"]
    assert army(match, 0, 1)["hole"] == 3
    assert not options(match, "call_off")


def test_a_daimyo_killed_after_his_victory_makes_no_conquest_move() -> None:
    # SW-R-36, SW-R-65: window 10 comes before the move; no experience either
    match = held(mino(2, bow=1, spear=1).province("owari", 1, spear=1)).match(dice=[1, 8])
    attack(match, 1, "owari")
    kill(wait(match, 10), 0, 1)
    assert owner(match, "owari") is None
    assert (match.state()["phase"], army(match, 0, 1)["province"]) == ("d", "mino")
    assert not events(match, "experience")
    assert match.dice_left == 0


def test_revenge_can_end_the_attack_of_whoever_sent_the_ninja() -> None:
    # SW-R-36, SW-NINJA-05: clan 0 strikes at the defending daimyo in its own battle, and fails
    board = mino(2, bow=1, spear=3).army(1, 1, "owari", spear=3)
    match = held(board, 0).match(dice=[12, 9, 9])
    attack(match, 1, "owari")
    kill(wait(match, 8), 1, 1)
    assert match.to_act == 1
    kill(match, 0, 1)
    assert (match.state()["phase"], match.state()["fight"]) == ("d", None)
    assert army(match, 0, 1)["disrupted"]
    assert match.dice_left == 0


def test_a_defence_goes_on_without_its_daimyo() -> None:
    # SW-R-36: he would roll in step 4 of the second half
    board = Board(phase="b").province("owari", 0, spear=1).army(1, 1, "mino", spear=1)
    match = held(board, 2).match(dice=[8, 12, 12])
    attack(match, "owari", "mino")
    kill(wait(match, 8), 1, 1)
    assert {event["step"] for event in events(match, "dice")} == {6}
    assert options(match) == [{"name": "continue"}, {"name": "call_off"}]
    assert match.dice_left == 0


# SW-R-90: a battle that loses a side, or whose target changes hands, otherwise than by its dice


def alone_in_owari(level: int) -> Board:
    """Army 1 attacks a daimyo who stands alone in Owari, with a castle; more enemies are in Ise."""
    board = mino(level, spear=3).province("owari", None, fort="castle").army(1, 1, "owari")
    return held(board.province("ise", 1, spear=1), 2)


@pytest.mark.parametrize("window", [5, 6])
@pytest.mark.parametrize("level", [1, 2])
def test_a_target_emptied_before_the_first_die(level: int, window: int) -> None:
    # SW-R-90, SW-R-53, SW-R-34: for a beginner the attack lapses, an experienced army may move in
    match = alone_in_owari(level).match(dice=[8])
    attack(match, 1, "owari")
    kill(wait(match, window), 1, 1)
    assert owner(match, "owari") is None
    assert not events(match, "battle")
    assert options(match, "step") == ([{"to": "owari", "hidden": 0}] if level == 2 else [])
    assert (match.state()["phase"] == "d") is (level == 1)
    assert match.dice_left == 0


@pytest.mark.parametrize("level", [1, 2])
def test_a_target_emptied_after_the_first_die(level: int) -> None:
    # SW-R-90: the battle ends, is not a success and has used up an attack; castle spearmen do not hold Owari
    match = alone_in_owari(level).match(dice=[8])
    attack(match, 1, "owari")
    kill(wait(match, 8), 1, 1)
    assert events(match, "battle_broken") == [{"event": "battle_broken", "target": "owari"}]
    assert owner(match, "owari") is None
    assert options(match, "step") == ([{"to": "owari", "hidden": 0}] if level == 2 else [])
    if level == 2:
        play(match, "step", to="owari")
        play(match, "from_army", unit="spear")
        play(match, "done")
        assert owner(match, "owari") == 0
        play(match, "stop")
    assert match.state()["phase"] == "d"
    assert army(match, 0, 1)["hole"] == HOLES[level]
    assert not events(match, "experience")
    assert match.dice_left == 0


def last_daimyo(holder: int, level: int = 2) -> Board:
    """Army 1 attacks clan 1's force in Owari while clan 1's last daimyo stands alone on Oki."""
    board = mino(level, bow=1, spear=3).province("owari", 1, spear=3).province("ise", 2, spear=1)
    return three_armies(three_armies(held(board.army(1, 3, "oki"), holder), 0), 2)


@pytest.mark.parametrize("window", [5, 6])
def test_a_target_that_belongs_to_another_enemy_before_the_first_die(window: int) -> None:
    # SW-R-90: clan 2 eliminates clan 1 and takes Owari over; it is attacked all the same
    match = last_daimyo(2).match(dice=[8] + [12] * 8)
    attack(match, 1, "owari")
    kill(wait(match, window), 1, 3)
    assert owner(match, "owari") == 2
    assert [(event["target"], event["defender"]) for event in events(match, "battle")] == [("owari", 2)]
    assert options(match, "call_off")
    assert match.dice_left == 0


@pytest.mark.parametrize("window", [5, 6])
def test_a_target_that_is_the_attackers_own_before_the_first_die(window: int) -> None:
    # SW-R-90, SW-R-53: clan 0 sent the ninja itself; the attack lapses, and one is left
    match = last_daimyo(0).match(dice=[8])
    attack(match, 1, "owari")
    kill(wait(match, window), 1, 3)
    assert (owner(match, "owari"), units(match, "owari")) == (0, {"spear": 3})
    assert not events(match, "battle")
    assert {"province": "ise"} in options(match, "province")
    assert {"province": "owari"} not in options(match, "province")
    assert match.dice_left == 0


@pytest.mark.parametrize(("holder", "window"), [(2, 8), (2, 9), (0, 8), (0, 9)])
def test_a_target_that_changes_hands_after_the_first_die(holder: int, window: int) -> None:
    # SW-R-90: the battle ends, losses stand; one attack is used up, it was no success, and bars nothing
    dice = [1] + ([12] * 6 if window == 9 else [])
    match = last_daimyo(holder).match(dice=dice + [8])
    attack(match, 1, "owari")
    kill(wait(match, window), 1, 3)
    assert (owner(match, "owari"), units(match, "owari")) == (holder, {"spear": 2})
    assert match.state()["fight"] is None
    assert not options(match, "step")
    assert ({"province": "owari"} in options(match, "province")) is (holder == 2)
    assert {"province": "ise"} in options(match, "province")
    play(match, "stop")
    assert army(match, 0, 1)["hole"] == 3
    assert match.dice_left == 0


def test_a_lone_attacker_who_is_killed_leaves_his_province_empty() -> None:
    # SW-R-90, SW-WAR-C-08
    match = held(mino(2).province("owari", 1, spear=1)).match(dice=[8])
    attack(match, 1, "owari")
    kill(wait(match, 8), 0, 1)
    assert lost(match, 0, 1)
    assert (owner(match, "mino"), owner(match, "owari")) == (None, 1)
    assert (match.state()["phase"], match.state()["fight"]) == ("d", None)
    assert match.dice_left == 0


def test_a_clan_that_gives_up_its_last_army_in_defence() -> None:
    # SW-R-90: the last unit of its disrupted army falls, the two provincial ones change sides
    board = mino(2, bow=1, spear=3).province("oki", None).province("ise", 2, spear=1)
    board.province("owari", 1, spear=2).army(1, 3, "owari", daimyo=0, spear=1)
    match = three_armies(board, 0).match(dice=[1])
    attack(match, 1, "owari")
    assert match.to_act == 1
    play(match, "from_army", unit="spear")
    assert events(match, "eliminated") == [{"event": "eliminated", "clan": 1, "by": 0}]
    assert (owner(match, "owari"), units(match, "owari")) == (0, {"spear": 2})
    assert match.state()["fight"] is None
    assert {"province": "ise"} in options(match, "province")  # an attack is left
    play(match, "stop")
    assert army(match, 0, 1)["hole"] == 3
    assert match.dice_left == 0
