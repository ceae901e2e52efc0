"""Action 6: the ninja, assassinated daimyo and their disrupted armies (NINJA)."""

import random

import pytest

from rules.swords.board import (
    Board,
    army,
    attack,
    begin,
    declare,
    end_round,
    events,
    options,
    owner,
    plan,
    play,
    units,
)
from rules.swords.ninjas import held, kill, lost, mino, three_armies, wait, war
from sengoku import Match


@pytest.mark.parametrize(
    ("bids", "holder"),
    [
        ((0, 0, 0), None),
        ((0, 1, 0), 1),
        ((2, 1, 1), 0),
        ((1, 1, 2), 2),
        ((2, 2, 1), None),
        ((3, 3, 3), None),
    ],
)
def test_the_highest_bid_hires_the_ninja(bids: tuple[int, ...], holder: int | None) -> None:
    # SW-NINJA-01: alone, with at least 1 koku; all koku are lost by everybody
    match = begin(Board(), "plan", *({"ninja": bid} for bid in bids)).match()
    for _ in bids:
        plan(match)
    assert match.state()["ninja"] == holder
    assert [clan["koku"] for clan in match.state()["clans"]] == [0, 0, 0]


def test_an_unused_ninja_may_spy_in_the_next_round() -> None:
    # SW-NINJA-02: it is clan 1's to use or not to use
    match = war(Board()).match()
    end_round(match)
    assert match.state()["ninja"] == 1
    plan(match, levy=3)
    plan(match, levy=3)
    assert match.to_act == 1
    assert options(match) == [{"name": "pass"}, {"name": "clan", "clan": 0}, {"name": "clan", "clan": 2}]


@pytest.mark.parametrize("dice", [[8], [9, 8]])
def test_a_ninja_that_has_struck_does_not_spy(dice: list[int]) -> None:
    # SW-NINJA-02, SW-NINJA-04: it is used once and goes back to the pool, whatever came of it
    match = war(Board()).match(dice=dice)
    kill(match, 2, 3)
    assert match.state()["ninja"] is None
    end_round(match)
    for clan in range(3):
        assert match.to_act == clan
        plan(match, levy=3)
    assert not events(match, "spied")
    assert match.dice_left == 0


def test_no_attempt_in_the_first_round() -> None:
    # SW-NINJA-03: the holder is never asked; it still holds the ninja in round 2
    match = war(Board(round_=1)).match(dice=[])
    while match.state()["round"] == 1:
        assert not options(match, "daimyo")
        play(match, "done")
    assert match.state()["ninja"] == 1


@pytest.mark.parametrize("die", range(1, 13))
def test_eight_or_less_kills(die: int) -> None:
    # SW-NINJA-04: also in the war turn of a clan that has nothing to do with it
    match = war(Board()).match(dice=[die] if die <= 8 else [die, 1])
    kill(match, 2, 3)
    assert army(match, 2, 3)["disrupted"] is (die <= 8)
    assert army(match, 2, 3)["units"] == ({"spear": 1} if die <= 8 else {"daimyo": 1, "spear": 1})
    assert match.state()["active"] == 0
    assert match.dice_left == 0


@pytest.mark.parametrize("die", range(1, 13))
def test_revenge_on_nine_or_more(die: int) -> None:
    # SW-NINJA-05, SW-R-37: the victim rolls at once and unasked; what it chooses is the daimyo
    match = war(Board().army(1, 1, "mino", spear=1)).match(dice=[12, die])
    kill(match, 2, 3)
    assert match.dice_left == 0
    if die >= 9:
        assert (match.to_act, {option["name"] for option in options(match)}) == (2, {"daimyo"})
        kill(match, 1, 1)
    assert army(match, 1, 1)["disrupted"] is (die >= 9)
    assert not army(match, 1, 3)["disrupted"]
    assert not army(match, 2, 3)["disrupted"]


def test_revenge_on_an_only_daimyo_needs_no_choice() -> None:
    # SW-NINJA-05
    match = war(Board()).match(dice=[9, 9])
    kill(match, 2, 3)
    assert army(match, 1, 3)["disrupted"]
    assert match.to_act == 0
    assert match.dice_left == 0


def test_a_disrupted_army_neither_moves_nor_declares() -> None:
    # SW-NINJA-06: in Phases A, B and D
    board = Board().province("mino", 0, spear=1).province("hida", 0, spear=1).army(0, 1, "mino", spear=2)
    match = war(board.province("owari", 1, spear=1)).match(dice=[8])
    kill(match, 0, 1)
    assert options(match, "army") == [{"army": 3}]
    play(match, "done")
    assert options(match) == [{"name": "done"}, {"name": "province", "province": "mino"}]
    play(match, "done")
    assert match.state()["phase"] == "d"
    assert options(match, "army") == [{"army": 3}]


def test_a_disrupted_army_defends_with_all_its_other_units() -> None:
    # SW-NINJA-06: no die in step 4; the dead daimyo is not a casualty, two hits take the two units
    board = Board(phase="b").province("owari", 0, spear=2).army(1, 1, "mino", gun=1, spear=1)
    match = held(board, 2).match(dice=[8] + [12] + [1, 1, 12])
    declare(match, "owari", "mino")
    kill(match, 1, 1)
    rolled = [(event["role"], event["step"], len(event["dice"])) for event in events(match, "dice")]
    assert rolled == [("defender", 2, 1), ("attacker", 6, 2), ("defender", 6, 1)]
    assert owner(match, "mino") is None
    assert match.dice_left == 0


def test_a_battle_of_a_disrupted_army_is_not_fought() -> None:
    # SW-NINJA-07: the force of the same province fights
    board = mino(2, bow=1).province("mino", 0, bow=1)
    match = held(board.province("owari", 1, spear=1).province("ise", 1, spear=1)).match(dice=[8, 1])
    declare(match, 1, "owari")
    attack(match, "mino", "ise")
    kill(match, 0, 1)  # window 4
    assert [event["target"] for event in events(match, "battle")] == ["ise"]
    assert (owner(match, "owari"), owner(match, "ise")) == (1, None)
    assert match.dice_left == 0


def test_a_successor_takes_over_before_the_next_round() -> None:
    # SW-NINJA-08, SW-R-37: unasked, in hole 0; until then the army is disrupted
    match = war(Board().army(2, 1, "mino", hole=7, spear=1)).match(dice=[8])
    kill(match, 2, 1)
    while match.state()["round"] == 2:
        assert army(match, 2, 1)["disrupted"]
        play(match, "done")
    assert army(match, 2, 1) == {
        "province": "mino",
        "hole": 0,
        "units": {"daimyo": 1, "spear": 1},
        "disrupted": False,
        "moved": False,
    }
    order = [event["event"] for event in match.log]
    assert order.index("successor") < len(order) - 1 - order[::-1].index("round")


def test_a_disrupted_army_that_is_wiped_out_is_lost() -> None:
    # SW-NINJA-09: no successor comes, though the force of its province lives on
    board = Board(phase="b").province("owari", 0, bow=1).province("mino", 1, spear=1)
    match = held(board.army(1, 1, "mino", spear=1), 2).match(dice=[8, 1, 12, 12])
    declare(match, "owari", "mino")
    kill(match, 1, 1)
    play(match, "from_army", unit="spear")
    assert lost(match, 1, 1)
    assert (owner(match, "mino"), units(match, "mino")) == (1, {"spear": 1})
    play(match, "call_off")
    end_round(match)
    assert lost(match, 1, 1)
    assert not events(match, "successor")


def test_losing_the_last_daimyo_to_the_ninja_ends_a_clan() -> None:
    # SW-NINJA-10, SW-R-34: clan 2's only daimyo has no other unit; clan 1 made the kill and gains
    board = Board().army(2, 3, "sado").province("echigo", 2, spear=1)
    match = war(board).match(dice=[8])
    kill(match, 2, 3)
    assert events(match, "eliminated") == [{"event": "eliminated", "clan": 2, "by": 1}]
    assert match.state()["clans"][2]["out"] == 1
    assert (owner(match, "sado"), owner(match, "echigo")) == (None, 1)


def test_losing_the_last_daimyo_to_revenge_ends_a_clan() -> None:
    # SW-NINJA-10, SW-R-34: the avenger is the eliminator
    board = Board().army(1, 3, "oki").province("izumo", 1, spear=1)
    match = war(board).match(dice=[9, 9])
    kill(match, 2, 3)
    assert events(match, "eliminated") == [{"event": "eliminated", "clan": 1, "by": 2}]
    assert owner(match, "izumo") == 2


def test_losing_the_last_disrupted_army_in_battle_ends_a_clan() -> None:
    # SW-NINJA-10, SW-NINJA-09
    board = Board(phase="b").province("oki", None).army(1, 3, "mino", spear=1).province("iga", 1, spear=1)
    match = held(board.province("owari", 0, bow=1), 2).match(dice=[8, 1])
    attack(match, "owari", "mino")
    kill(match, 1, 3)
    assert events(match, "eliminated") == [{"event": "eliminated", "clan": 1, "by": 0}]
    assert (owner(match, "mino"), owner(match, "iga")) == (None, 0)
    assert match.dice_left == 0


@pytest.mark.parametrize("seed", range(3))
def test_windows_open_on_settled_positions_only(seed: int) -> None:
    # SW-R-33: no hits wait to be removed, no move is half made, no two armies share a province
    chance = random.Random(seed)
    match = Match.create("swords", seats=3 + seed, seed=seed)
    opened = 0
    for _ in range(1500):
        legal = match.legal_actions()
        if not legal:
            break
        if legal[0].name == "pass" and legal[-1].name == "daimyo":
            opened += 1
            state = match.state()
            assert (state["march"], state["must_move"]) == (None, None)
            fight = state["fight"]
            assert fight is None or (fight["owed"] == [0, 0] and fight["combat"]["hits"] == [0, 0])
            for clan in state["clans"]:
                stand = [army["province"] for army in clan["armies"] if army["province"]]
                assert len(stand) == len(set(stand))
            legal = legal[:1]  # the holder waits, so that there are more windows
        match.play(chance.choice(legal))
    assert opened > 20


def test_a_daimyo_without_other_units_is_lost_at_once() -> None:
    # SW-R-34: Mino held nobody else, so it is empty; a castle and hidden ronin do not hold it
    board = Board().province("mino", None, fort="castle").army(2, 1, "mino")
    board.province("sado", 2, spear=2, hidden=1)
    match = war(board).match(dice=[8])
    kill(match, 2, 1)
    assert lost(match, 2, 1)
    assert owner(match, "mino") is None
    assert match.state()["provinces"]["mino"]["fort"] == "castle"
    assert match.state()["pool"]["ronin"] == 24


def test_where_a_force_stands_the_province_is_kept() -> None:
    # SW-R-34: with the ronin of the force
    board = Board().province("mino", 2, spear=2, ronin=1).army(2, 1, "mino")
    match = war(board).match(dice=[8])
    kill(match, 2, 1)
    assert lost(match, 2, 1)
    assert (owner(match, "mino"), units(match, "mino")) == (2, {"spear": 2, "ronin": 1})


def test_a_hidden_stack_of_the_emptied_province_goes_back() -> None:
    # SW-R-34: army 2 has left its ronin hidden in Mino, where only the daimyo of army 1 stands now
    board = Board().province("hida", 0, spear=1).army(0, 1, "hida")
    board.army(0, 2, "mino", spear=3).province("mino", 0, hidden=2).province("echizen", 0, spear=1)
    match = held(board).match(dice=[8])
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "step", to="echizen")  # army 2 makes way
    play(match, "stop")
    assert (match.state()["window"], match.state()["provinces"]["mino"]["hidden"]) == (3, 2)
    kill(match, 0, 1)
    assert owner(match, "mino") is None
    assert match.state()["provinces"]["mino"]["hidden"] == 0
    assert match.state()["pool"]["ronin"] == 25
    assert match.dice_left == 0


def test_ronin_are_no_survivors() -> None:
    # SW-R-35, SW-R-34: the daimyo left his only spearman in Mino and took a ronin to Hida
    board = Board().army(0, 1, "mino", spear=1, ronin=1).province("hida", 0, spear=1)
    match = held(board).match(dice=[8])
    play(match, "army", army=1)
    play(match, "step", to="hida")
    play(match, "amount", amount=0)
    play(match, "stop")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "ronin": 1}
    kill(match, 0, 1)  # window 3
    assert lost(match, 0, 1)
    assert match.state()["pool"]["ronin"] == 25
    assert (owner(match, "hida"), units(match, "hida")) == (0, {"spear": 1})


def test_units_may_join_a_disrupted_army() -> None:
    # SW-R-38: provincial units moving in Phase D; the army itself picks nothing up
    board = Board(phase="d").province("mino", 0, gun=1).army(0, 1, "mino", daimyo=0, spear=1)
    match = board.province("hida", 0, spear=2).match()
    assert options(match, "army") == [{"army": 3}]
    play(match, "done")
    play(match, "province", province="hida")
    play(match, "from_province", unit="spear")
    play(match, "step", to="mino")
    play(match, "amount", amount=1)
    assert army(match, 0, 1)["units"] == {"spear": 2}
    assert units(match, "mino") == {"gun": 1}


def test_an_assassination_removes_no_ronin_at_once() -> None:
    # SW-R-39, SW-R-31: the limit falls from 1 to 0; the check at the end of his Phase A takes the ronin
    match = war(Board().army(0, 1, "mino", spear=1, ronin=1)).match(dice=[8])
    kill(match, 0, 1)
    assert army(match, 0, 1)["units"] == {"spear": 1, "ronin": 1}
    play(match, "done")
    assert army(match, 0, 1)["units"] == {"spear": 1}
    assert match.state()["pool"]["ronin"] == 25


def test_a_stack_joins_a_disrupted_defender_beyond_the_limit() -> None:
    # SW-R-39: two spearmen could lead one ronin, two were hidden there
    board = Board(phase="b").province("owari", 0, spear=1).army(1, 1, "mino", spear=2)
    match = held(board.province("mino", 1, hidden=2), 2).match(dice=[8] + [12] * 5)
    attack(match, "owari", "mino")
    kill(wait(match, 5), 1, 1)
    assert army(match, 1, 1)["units"] == {"spear": 2, "ronin": 2}
    assert [len(event["dice"]) for event in events(match, "dice")] == [2, 1, 2]
    assert match.dice_left == 0


def test_in_a_two_force_province_the_excess_joins_the_disrupted_army() -> None:
    # SW-R-39: two spearmen in the force lead one ronin, two in the army one; the third is over the limit
    board = Board(phase="b").province("owari", 0, spear=1).army(1, 1, "mino", spear=2)
    match = held(board.province("mino", 1, spear=2, hidden=3), 2).match(dice=[8] + [12] * 8)
    attack(match, "owari", "mino")
    kill(wait(match, 5), 1, 1)
    assert army(match, 1, 1)["units"] == {"spear": 2, "ronin": 2}
    assert units(match, "mino") == {"spear": 2, "ronin": 1}
    assert match.dice_left == 0


def test_an_army_over_the_limit_loses_ronin_first() -> None:
    # SW-R-39, SW-R-58: the defender has no choice as long as it has too many
    board = Board(phase="b").province("owari", 0, bow=1, spear=1).army(1, 1, "mino", spear=2, ronin=2)
    match = held(board, 2).match(dice=[8, 1] + [12] * 4)
    attack(match, "owari", "mino")
    kill(wait(match, 6), 1, 1)
    assert events(match, "casualties")[0]["army"]["ronin"] == 1
    assert army(match, 1, 1)["units"] == {"spear": 2, "ronin": 1}
    assert match.dice_left == 0


def test_nobody_is_assassinated_twice() -> None:
    # SW-R-40: not by the ninja, not by revenge
    board = Board().army(2, 1, "mino", daimyo=0, spear=1).army(1, 1, "hida", daimyo=0, spear=1)
    match = war(board.army(1, 2, "kaga", spear=1)).match(dice=[9, 9])
    assert {"clan": 2, "army": 1} not in options(match, "daimyo")
    assert {"clan": 2, "army": 3} in options(match, "daimyo")
    kill(match, 2, 3)
    assert options(match, "daimyo") == [{"clan": 1, "army": 2}, {"clan": 1, "army": 3}]


def test_an_eliminated_holder_gives_the_ninja_back() -> None:
    # SW-R-41: clan 1's last daimyo falls in battle
    board = Board(phase="b").province("oki", None).army(1, 3, "owari").province("mino", 0, bow=1)
    match = three_armies(held(board), 0).match(dice=[1])
    attack(match, "mino", "owari")
    wait(match, 6)
    play(match, "pass")
    assert events(match, "eliminated") == [{"event": "eliminated", "clan": 1, "by": 0}]
    assert (match.state()["ninja"], match.state()["window"]) == (None, None)
    assert match.dice_left == 0


def test_a_window_closes_with_the_elimination_of_the_holder() -> None:
    # SW-R-41, SW-D-12: clan 0 is asked where its lost daimyo return, and the match can be kept meanwhile
    board = Board(phase="b").province("oki", None).army(1, 3, "owari").province("mino", 0, bow=1)
    match = held(board.province("kaga", 0, spear=1)).match(dice=[1])
    attack(match, "mino", "owari")
    wait(match, 6)
    play(match, "pass")
    assert match.state()["recovery"]["clan"] == 0
    assert (match.state()["ninja"], match.state()["window"]) == (None, None)
    assert Match.load(match.save()).state() == match.state()
