"""Elimination (ELIM): lost daimyo, clans that go out, and what the eliminator gains."""

import pytest

from rules.swords.board import Board, army, declare, end_round, events, fill, options, owner, play, units
from sengoku import Match

WON = [1, 12, 12, 12]
"""Four bowmen, one of whom hits: enough for a daimyo without followers."""


def hunt(*, lost: bool = False, phase: str = "b", seats: int = 3) -> Board:
    """Army 1 of clan 0 stands beside the last daimyo of clan 1; with `lost`, clan 0 has lost its army 2.

    Clan 1 also has Chikugo, beside the army, and a castle in far Kai.
    """
    board = Board(seats, phase=phase, homes=False).army(2, 3, "sado", spear=1)
    board.army(0, 1, "chikuzen", bow=4).army(0, 3, "tsushima", spear=1)
    if not lost:
        board.army(0, 2, "oki", spear=1)
    if seats == 4:
        board.army(3, 3, "osumi", spear=1)
    return (
        board.army(1, 1, "hizen").province("chikugo", 1, spear=2).province("kai", 1, "castle", bow=1, sword=1)
    )


def owned(match: Match, clan: int) -> set[str]:
    """The provinces of a clan."""
    return {key for key, province in match.state()["provinces"].items() if province["owner"] == clan}


def lost(match: Match, clan: int, number: int) -> bool:
    """Whether an army is off the board, with its daimyo, marker and experience."""
    found = army(match, clan, number)
    return (found["province"], found["units"], found["disrupted"], found["hole"]) == (None, {}, False, 0)


def fallen(match: Match) -> list[tuple[int, int | None]]:
    """Who went out, and by whom."""
    return [(event["clan"], event["by"]) for event in events(match, "eliminated")]


def test_a_daimyo_is_lost_as_the_last_casualty() -> None:
    # SW-ELIM-01: he, his marker and his experience are gone, and no new round brings them back
    board = hunt().army(1, 1, "hizen", hole=5, spear=1).army(1, 2, "sanuki", spear=1)
    match = declare(board.match(dice=[1, 1, 12, 12]), 1, "hizen")
    assert (match.dice_left, owner(match, "hizen"), fallen(match)) == (0, None, [])
    assert lost(match, 1, 1)
    end_round(match)
    assert lost(match, 1, 1)
    assert not lost(match, 1, 2)


def test_a_daimyo_is_lost_with_the_last_unit_of_his_disrupted_army() -> None:
    # SW-ELIM-01: assassinated earlier in this round, he has nobody left to succeed him
    board = hunt().army(1, 1, "hizen", hole=5, daimyo=0, spear=1).army(1, 2, "sanuki", spear=1)
    match = declare(board.match(dice=WON), 1, "hizen")
    assert lost(match, 1, 1)
    assert events(match, "daimyo_lost") == [{"event": "daimyo_lost", "clan": 1, "army": 1}]
    assert lost(end_round(match), 1, 1)


def test_a_clan_without_daimyo_is_out_at_once() -> None:
    # SW-ELIM-02: although it has provinces and units
    match = declare(hunt().match(dice=WON), 1, "hizen")
    assert (match.dice_left, fallen(match)) == (0, [(1, 0)])
    clan = match.state()["clans"][1]
    assert (clan["out"], owned(match, 1), any(clan["tray"].values())) == (1, set(), False)
    end_round(match)
    assert [event["clan"] for event in events(match, "war_turn")] == [2]
    while "plan" in match.state()["point"]:
        play(match, "amount", amount=0)
    assert [event["clan"] for event in events(match, "plan")] == [0, 2]


def test_a_clan_with_another_daimyo_plays_on() -> None:
    # SW-ELIM-02
    match = declare(hunt().army(1, 2, "sanuki").match(dice=WON), 1, "hizen")
    assert (fallen(match), owned(match, 1)) == ([], {"chikugo", "kai", "sanuki"})


def test_the_eliminator_gains_units_provinces_and_tray() -> None:
    # SW-ELIM-03: what was clan 1's is clan 0's, also what lies in the tray
    match = hunt().match(dice=WON)
    before = match.state()["clans"]
    declare(match, 1, "hizen")
    after = match.state()["clans"][0]
    assert owned(match, 0) == {"chikuzen", "tsushima", "oki", "chikugo", "kai"}
    assert units(match, "chikugo") == {"spear": 2}
    assert units(match, "kai") == {"bow": 1, "sword": 1}
    assert match.state()["provinces"]["kai"]["fort"] == "castle"
    assert after["colours"] == 2
    for unit, count in after["tray"].items():
        assert count == before[0]["tray"][unit] + before[1]["tray"][unit]


def test_both_colours_are_levied_and_mixed() -> None:
    # SW-ELIM-03: all nine bowmen of its own colour are on the board, those of the other are its too
    board = hunt().army(0, 2, "oki", bow=4).province("oki", 0, bow=1)
    match = board.match(dice=WON)
    assert match.state()["clans"][0]["tray"]["bow"] == 0
    declare(match, 1, "hizen")
    play(match, "army", army=1)  # in Phase D it steps into Chikugo and takes a gained spearman in
    play(match, "step", to="chikugo")
    play(match, "from_army", unit="bow")
    play(match, "done")
    play(match, "from_province", unit="spear")
    play(match, "stop")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 3, "spear": 1}
    end_round(match)
    for amount in (0, 0, 3, 0, 0, 0, 0, 0):  # clan 0 levies, clan 2 hopes for the ninja
        play(match, "amount", amount=amount)
    play(match, "bundle", units={"bow": 1})
    play(match, "bundle", units={"spear": 3})
    play(match, "bundle", units={"bow": 1})
    for place in ("chikugo", "kai", "oki", "tsushima", "chikuzen"):
        play(match, "province", province=place)
    assert (units(match, "chikugo"), units(match, "kai")) == ({"bow": 1, "spear": 1}, {"bow": 2, "sword": 1})
    assert match.state()["clans"][0]["tray"]["bow"] == 8 - 2


def test_no_daimyo_is_gained() -> None:
    # SW-ELIM-04: with all three in play nothing is asked, and the three are those it had
    match = hunt().match(dice=WON)
    before = [army(match, 0, number) for number in (1, 2, 3)]
    declare(match, 1, "hizen")
    after = [army(match, 0, number) for number in (1, 2, 3)]
    assert [one["province"] for one in after] == [one["province"] for one in before]
    assert [one["units"]["daimyo"] for one in after] == [1, 1, 1]
    assert match.state()["clans"][0]["tray"]["daimyo"] == 0
    assert (match.state()["recovery"], events(match, "recovered")) == (None, [])


def test_a_lost_daimyo_comes_back() -> None:
    # SW-ELIM-05: into any province of the clan without an army, gained ones included; there he picks up units
    match = declare(hunt(lost=True).province("satsuma", 0, gun=1).match(dice=WON), 1, "hizen")
    assert (match.dice_left, match.to_act) == (0, 0)
    assert options(match) == [
        {"name": "province", "province": "kai"},
        {"name": "province", "province": "chikugo"},
        {"name": "province", "province": "satsuma"},
    ]
    play(match, "province", province="chikugo")
    assert army(match, 0, 2) == {
        "province": "chikugo", "hole": 0, "units": {"daimyo": 1}, "disrupted": False, "moved": False,
    }  # fmt: skip
    assert options(match) == [{"name": "done"}, {"name": "from_province", "unit": "spear"}]
    play(match, "from_province", unit="spear")
    play(match, "done")
    assert (army(match, 0, 2)["units"], units(match, "chikugo")) == ({"daimyo": 1, "spear": 1}, {"spear": 1})


def test_all_lost_daimyo_come_back_one_after_the_other() -> None:
    # SW-ELIM-05: the second may not stand where the first does; nobody need pick anything up
    board = hunt(lost=True)
    board.state["clans"][0]["armies"][2] = {}
    match = declare(board.province("tsushima", 0, spear=1).match(dice=WON), 1, "hizen")
    play(match, "province", province="kai")
    play(match, "done")
    assert options(match, "province") == [{"province": "chikugo"}, {"province": "tsushima"}]
    play(match, "province", province="tsushima")
    play(match, "from_province", unit="spear")  # an army is enough to hold a province
    assert (units(match, "tsushima"), owner(match, "tsushima")) == ({}, 0)
    assert [event["army"] for event in events(match, "recovered")] == [2, 3]
    assert match.state()["recovery"] is None


def test_a_daimyo_lost_in_the_same_casualty_step_comes_back() -> None:
    # SW-ELIM-05: both daimyo fall in step 7; clan 1 is out, and clan 0, which has another one, is not
    board = hunt().army(0, 1, "chikuzen")
    match = declare(board.match(dice=[6, 6]), 1, "hizen")
    assert (match.dice_left, fallen(match), owner(match, "chikuzen")) == (0, [(1, 0)], None)
    assert options(match, "province") == [{"province": "kai"}, {"province": "chikugo"}]
    play(match, "province", province="kai")
    play(match, "done")
    assert (army(match, 0, 1)["province"], army(match, 0, 1)["units"]) == ("kai", {"daimyo": 1})


def test_revealed_ronin_follow_the_units_a_recovered_daimyo_picks_up() -> None:
    # SW-ELIM-05, SW-R-69: not before a unit has joined him, and never more than he can lead
    board = hunt(lost=True).province("chikugo", 1, spear=3, ronin=2)
    match = play(declare(board.match(dice=WON), 1, "hizen"), "province", province="chikugo")
    assert options(match, "from_province") == [{"unit": "spear"}]
    play(match, "from_province", unit="spear")
    assert options(match, "from_province") == [{"unit": "ronin"}, {"unit": "spear"}]
    play(match, "from_province", unit="ronin")
    play(match, "done")
    assert army(match, 0, 2)["units"] == {"daimyo": 1, "spear": 1, "ronin": 1}
    assert units(match, "chikugo") == {"spear": 2, "ronin": 1}


def test_gained_units_may_move_in_phase_d_of_the_same_turn() -> None:
    # SW-ELIM-06: a spearman of Chikugo, just gained, enters Higo
    match = declare(hunt().match(dice=WON), 1, "hizen")
    play(match, "done")
    play(match, "province", province="chikugo")
    play(match, "from_province", unit="spear")
    play(match, "step", to="higo")
    assert (owner(match, "higo"), units(match, "higo"), units(match, "chikugo")) == (
        0,
        {"spear": 1},
        {"spear": 1},
    )


def test_victory_is_looked_at_before_any_daimyo_comes_back() -> None:
    # SW-ELIM-07: 33 provinces and two gained ones are 35; with 32 the lost daimyo is asked for first
    for count, over in ((33, True), (32, False)):
        match = fill(hunt(lost=True), 0, count).match(dice=WON)
        assert len(owned(match, 0)) == count
        declare(match, 1, "hizen")
        play(match, "done")  # some of the spearmen could attack as well
        assert (match.over, match.dice_left, events(match, "recovered")) == (over, 0, [])
        assert len(owned(match, 0)) == count + 2
        assert over or match.state()["recovery"]["clan"] == 0


def test_elimination_is_carried_out_before_anything_else() -> None:
    # SW-ELIM-07: daimyo come back before the ninja's window after the battle
    board = hunt(lost=True).set(ninja=2, ninja_fresh=True)
    match = declare(board.match(dice=WON), 1, "hizen")
    for window in (4, 5, 6):
        assert match.state()["window"] == window
        play(match, "pass")
    assert (match.to_act, match.state()["recovery"]["clan"]) == (0, 0)
    play(match, "province", province="kai")
    assert match.to_act == 0
    play(match, "done")
    assert (match.to_act, match.state()["window"]) == (2, 10)


def test_the_defender_is_the_eliminator_of_an_attacker() -> None:
    # SW-R-66: clan 0 attacks with its last daimyo and loses him
    board = Board(phase="b", homes=False).army(1, 3, "oki").army(2, 3, "sado")
    board.army(0, 1, "chikuzen").province("hizen", 1, bow=1).province("satsuma", 0, spear=2)
    match = declare(board.match(dice=[1]), 1, "hizen")
    assert (fallen(match), match.dice_left) == ([(0, 1)], 0)
    assert (owner(match, "satsuma"), owner(match, "chikuzen")) == (1, None)


def test_the_last_unit_of_the_last_disrupted_army_makes_an_eliminator_too() -> None:
    # SW-R-66: its daimyo was assassinated before, by whomever
    board = hunt().army(1, 1, "hizen", daimyo=0, spear=1)
    match = declare(board.match(dice=WON), 1, "hizen")
    assert fallen(match) == [(1, 0)]


def test_the_ninja_makes_an_eliminator() -> None:
    # SW-R-66, SW-R-34: clan 2 strikes during the war turn of clan 0
    board = hunt(phase="a").set(ninja=2, ninja_fresh=True, window=2)
    match = board.match(dice=[8])
    play(match, "daimyo", clan=1, army=1)
    assert (fallen(match), match.dice_left) == ([(1, 2)], 0)
    assert (owned(match, 2), owner(match, "hizen")) == ({"sado", "chikugo", "kai"}, None)


def test_revenge_makes_an_eliminator() -> None:
    # SW-R-66, SW-R-34: the attempt of clan 2 fails, and clan 1 strikes at its only daimyo
    board = hunt(phase="a").set(ninja=2, ninja_fresh=True, window=2).army(2, 3, "sado")
    match = board.province("mino", 2, spear=1).match(dice=[9, 9])
    play(match, "daimyo", clan=1, army=1)
    assert (fallen(match), match.dice_left) == ([(2, 1)], 0)
    assert (owner(match, "mino"), owner(match, "sado")) == (1, None)


def test_an_assassinated_daimyo_with_units_keeps_his_clan_in_play() -> None:
    # SW-R-67: the only living daimyo falls, the other one has a successor at the end of the round
    board = hunt().army(1, 2, "kai", hole=4, daimyo=0, spear=1)
    match = declare(board.match(dice=WON), 1, "hizen")
    assert (fallen(match), lost(match, 1, 1)) == ([], True)
    end_round(match)
    assert army(match, 1, 2)["units"] == {"daimyo": 1, "spear": 1}


def test_empty_provinces_are_not_gained() -> None:
    # SW-R-68: the one just fought over has no owner; it is entered like any other
    match = declare(hunt().match(dice=WON), 1, "hizen")
    assert (fallen(match), owner(match, "hizen")) == ([(1, 0)], None)
    play(match, "army", army=1)
    play(match, "step", to="hizen")
    play(match, "from_army", unit="bow")
    play(match, "done")
    assert owner(match, "hizen") == 0


def test_ronin_pass_with_their_forces() -> None:
    # SW-R-69: hidden stacks stay hidden from the others, and all leave in Action 8
    board = hunt().province("chikugo", 1, spear=3, hidden=2).province("kai", 1, sword=2, ronin=1)
    match = declare(board.match(dice=WON), 1, "hizen")
    assert (owner(match, "chikugo"), match.state()["provinces"]["chikugo"]["hidden"]) == (0, 2)
    assert units(match, "kai") == {"sword": 2, "ronin": 1}
    assert match.view(0)["provinces"]["chikugo"]["hidden"] == 2
    assert match.view(2)["provinces"]["chikugo"]["hidden"] is None
    assert (match.view(2)["cards"], events(match, "revealed")) == ([[2], [], []], [])
    end_round(match)
    assert match.state()["pool"]["ronin"] == 25
    assert (units(match, "kai"), match.state()["provinces"]["chikugo"]["hidden"]) == ({"sword": 2}, 0)


def test_gained_in_the_own_phase_a() -> None:
    # SW-R-70: the provinces may be entered, their units picked up, and they may declare
    board = hunt(phase="a").set(ninja=0, ninja_fresh=True, window=2).province("higo", 2, spear=1)
    match = board.match(dice=[8])
    play(match, "daimyo", clan=1, army=1)
    play(match, "army", army=1)
    play(match, "step", to="chikugo")
    play(match, "from_army", unit="bow")
    play(match, "done")
    play(match, "from_province", unit="spear")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 3, "spear": 1}
    play(match, "stop")
    play(match, "done")
    assert options(match, "province") == [{"province": "chikugo"}]
    declare(match, "chikugo", "higo")


def test_gained_after_the_declarations() -> None:
    # SW-R-70: Chikugo could attack Higo, but declared nothing; it only moves in Phase D
    board = hunt().province("higo", 2, spear=1)
    match = declare(board.match(dice=WON), 1, "hizen")
    assert (match.state()["phase"], len(events(match, "battle"))) == ("d", 1)
    play(match, "done")
    assert {"province": "chikugo"} in options(match, "province")


@pytest.mark.parametrize(("picked_up", "battles"), [(2, 1), (1, 2)])
def test_a_force_picked_up_by_a_recovered_daimyo_does_not_fight(picked_up: int, battles: int) -> None:
    # SW-R-70: with all its units gone its declared battle is off; nor does the recovered army fight it
    board = hunt(lost=True).province("satsuma", 0, spear=2).province("higo", 2, spear=1)
    match = board.match(dice=WON + [12, 12] * (battles - 1))
    declare(match, 1, "hizen")
    declare(match, "satsuma", "higo")
    play(match, "army", army=1)
    play(match, "province", province="satsuma")
    for _ in range(picked_up):
        play(match, "from_province", unit="spear")
    if picked_up == 1:
        play(match, "done")
        play(match, "call_off")
    assert (match.dice_left, len(events(match, "battle")), match.state()["phase"]) == (0, battles, "d")


def attack_with_the_last_daimyo(active: int) -> Match:
    """The active clan loses its last daimyo to clan 1 or 0, and had another battle to fight."""
    victor = 1 if active == 0 else 0
    board = Board(phase="b", active=active, homes=False)
    board.army(active, 1, "chikuzen").province("hizen", victor, bow=1)
    board.army(victor, 1, "oki").army(victor, 2, "tsushima").army(victor, 3, "awa_honshu")
    third = 3 - active - victor
    board.army(third, 3, "sado").province("mino", active, spear=1).province("owari", third, spear=1)
    match = board.match(dice=[1])
    declare(match, 1, "hizen")
    declare(match, "mino", "owari")
    play(match, "army", army=1)
    assert (fallen(match), match.dice_left) == ([(active, victor)], 0)
    return match


def test_the_turn_of_an_eliminated_clan_ends_at_once() -> None:
    # SW-R-70: its second battle is not fought; the eliminator, next in order, uses what it gained
    match = attack_with_the_last_daimyo(active=0)
    assert (match.state()["active"], match.state()["phase"]) == (1, "a")
    assert len(events(match, "battle")) == 1
    play(match, "done")
    assert {"province": "mino"} in options(match, "province")  # against Owari, as clan 0 had meant to


def test_an_eliminator_whose_turn_is_over_waits_for_the_next_round() -> None:
    # SW-R-70: clan 2 was the last of the round
    match = attack_with_the_last_daimyo(active=2)
    assert (match.state()["round"], match.state()["point"]) == (3, {"plan": "swords"})
    assert owner(match, "mino") == 0
    assert events(match, "war_turn") == []


def test_an_eliminated_clan_has_no_further_war_turn() -> None:
    # SW-R-70: sword 2 was clan 1's; the turn after clan 0's is clan 2's
    match = declare(hunt().match(dice=WON), 1, "hizen")
    play(match, "done")
    play(match, "done")
    assert match.state()["active"] == 2
    assert [event["clan"] for event in events(match, "war_turn")] == [2]


def test_two_clans_fall_together() -> None:
    # SW-R-71: nobody gains anything; provinces are empty, ronin return, buildings stay, the others play on
    board = Board(4, phase="b", homes=False).army(2, 3, "sado", spear=1).army(3, 3, "osumi", spear=1)
    board.army(0, 1, "chikuzen").province("satsuma", 0, "fortress", spear=2, hidden=1)
    board.army(1, 1, "hizen").province("kai", 1, "castle", sword=2, ronin=1)
    match = board.match(dice=[6, 6])
    trays = [clan["tray"] for clan in match.state()["clans"]]
    declare(match, 1, "hizen")
    play(match, "done")  # Satsuma has a target as well
    assert (fallen(match), match.dice_left) == ([(0, None), (1, None)], 0)
    state = match.state()
    for key, fort in (("chikuzen", "none"), ("hizen", "none"), ("satsuma", "fortress"), ("kai", "castle")):
        province = state["provinces"][key]
        assert (province["owner"], province["fort"], province["hidden"], units(match, key)) == (
            None,
            fort,
            0,
            {},
        )
    assert state["pool"] == {"castles": 8, "bases": 4, "ronin": 25}
    assert [clan["tray"] for clan in state["clans"]][2:] == trays[2:]
    assert [clan["colours"] for clan in state["clans"]] == [0, 0, 1, 1]
    assert (match.over, state["active"], state["phase"]) == (False, 2, "a")


def test_a_daimyo_without_a_free_province_stays_lost() -> None:
    # SW-R-72: both provinces of clan 0 hold an army, and the only one of clan 1 has become empty
    board = Board(phase="b", homes=False).army(2, 3, "sado").army(0, 3, "tsushima").army(1, 1, "hizen")
    match = declare(board.army(0, 1, "chikuzen", bow=4).match(dice=WON), 1, "hizen")
    assert (fallen(match), owned(match, 0)) == ([(1, 0)], {"chikuzen", "tsushima"})
    assert (match.state()["recovery"], match.state()["phase"]) == (None, "d")
    assert lost(end_round(match), 0, 2)


def third_clan(holder: int, misses: int = 0) -> Match:
    """Two spearmen of Chikuzen attack two of Hizen; the ninja's holder, who lost his army 1, ends clan 2.

    The strike comes after step 3, in window 8; all dice that follow miss.
    """
    board = Board(phase="b", homes=False).army(2, 3, "sado").province("kai", 2, spear=1)
    board.province("chikuzen", 0, spear=2).province("hizen", 1, spear=2)
    for clan, places in ((0, ("tsushima", "oki")), (1, ("osumi", "awa_honshu"))):
        board.army(clan, 2, places[0], spear=1).army(clan, 3, places[1], spear=1)
    board.set(ninja=holder, ninja_fresh=True)
    match = declare(board.match(dice=[8] + [12] * misses), "chikuzen", "hizen")
    while match.state()["window"] != 8:
        play(match, "pass")
    play(match, "daimyo", clan=2, army=3)
    assert fallen(match) == [(2, holder)]
    return match


def test_a_daimyo_recovered_in_the_attacked_province_defends() -> None:
    # SW-R-92: from the next step on, with the spearman he has picked up and the one he has not
    match = third_clan(1, misses=1 + 2 + 2)
    play(match, "province", province="hizen")
    play(match, "from_province", unit="spear")
    play(match, "done")
    rolled = [(event["role"], event["step"], len(event["dice"])) for event in events(match, "dice")]
    assert rolled == [("defender", 4, 1), ("attacker", 6, 2), ("defender", 6, 2)]
    assert (match.dice_left, options(match)) == (0, [{"name": "continue"}, {"name": "call_off"}])


def test_attacking_units_picked_up_leave_the_battle() -> None:
    # SW-R-92: one of the two spearmen is left to attack
    match = third_clan(0, misses=1 + 2)
    play(match, "province", province="chikuzen")
    play(match, "from_province", unit="spear")
    play(match, "done")
    rolled = [(event["role"], event["step"], len(event["dice"])) for event in events(match, "dice")]
    assert (rolled, match.dice_left) == ([("attacker", 6, 1), ("defender", 6, 2)], 0)


def test_a_battle_whose_attackers_were_all_picked_up_is_over() -> None:
    # SW-R-92, SW-R-90: Chikuzen is held by the daimyo, the defenders keep Hizen
    match = third_clan(0)
    play(match, "province", province="chikuzen")
    play(match, "from_province", unit="spear")
    play(match, "from_province", unit="spear")
    assert (match.state()["fight"], match.state()["phase"], match.dice_left) == (None, "d", 0)
    assert (owner(match, "chikuzen"), owner(match, "hizen")) == (0, 1)


def test_a_recovered_army_does_not_go_on_with_its_attacks() -> None:
    # SW-R-92: an army of level 2 falls with its victim in its first attack; back again, it has no second one
    board = hunt(lost=True).army(0, 1, "chikuzen", hole=3).province("chikuzen", 0, spear=1)
    board.army(0, 2, "oki", spear=1).province("buzen", 2, spear=1)
    match = declare(board.match(dice=[6, 6]), 1, "hizen")
    play(match, "done")
    play(match, "province", province="chikuzen")
    play(match, "from_province", unit="spear")
    assert (army(match, 0, 1)["province"], match.dice_left) == ("chikuzen", 0)
    assert (match.state()["phase"], len(events(match, "battle"))) == ("d", 1)


def test_a_recovered_army_does_not_fight_what_it_had_declared() -> None:
    # SW-R-92: the ninja of clan 2 kills the daimyo of army 1 after the declarations, army 2 ends clan 1
    board = Board(phase="b", homes=False).army(2, 3, "sado", spear=1).set(ninja=2, ninja_fresh=True)
    board.army(0, 1, "chikuzen").province("chikuzen", 0, spear=1).province("buzen", 2, spear=1)
    board.army(0, 2, "satsuma", bow=4).army(1, 1, "higo").army(0, 3, "tsushima", spear=1)
    match = board.match(dice=[8] + WON)
    declare(match, 1, "buzen")
    declare(match, 2, "higo")
    play(match, "done")
    play(match, "daimyo", clan=0, army=1)
    assert [(event["clan"], event["army"]) for event in events(match, "daimyo_lost")] == [(0, 1), (1, 1)]
    assert (match.dice_left, fallen(match)) == (0, [(1, 0)])
    assert army(match, 0, 1)["province"] == "chikuzen"  # the only province without an army
    play(match, "done")
    assert (match.state()["phase"], len(events(match, "battle"))) == ("d", 1)


@pytest.mark.parametrize(("phase", "window"), [("a", 2), ("a", 3), ("d", 12)])
def test_a_daimyo_recovered_in_the_own_phase_a_or_d_has_not_moved(phase: str, window: int) -> None:
    # SW-R-92: and in Phase A he declares afterwards like any other
    board = hunt(lost=True, phase=phase).set(ninja=0, ninja_fresh=True, window=window)
    board.state["clans"][0]["armies"][0]["moved"] = board.state["clans"][0]["armies"][2]["moved"] = True
    match = board.province("higo", 2, spear=1).match(dice=[8])
    play(match, "daimyo", clan=1, army=1)
    play(match, "province", province="chikugo")
    play(match, "from_province", unit="spear")
    play(match, "done")
    assert options(match) == [{"name": "done"}, {"name": "army", "army": 2}]
    play(match, "army", army=2)
    assert {"to": "chikuzen", "hidden": 0} not in options(match, "step")  # army 1 stands there and has moved
    play(match, "stop")
    if phase == "a":
        assert {"army": 2} in options(match, "army")
        declare(match, 2, "higo")
