"""The state (S): its items and their ranges."""

import random

from rules.swords.board import (
    LEVIED,
    Board,
    army,
    begin,
    declare,
    end_round,
    events,
    fill,
    plan,
    play,
    point,
)
from rules.swords.states import State, battle, place_of_play, random_matches
from sengoku import Match

POINTS = {
    "divide", "reinforce", "place_armies", "spy", "plan", "swords", "build", "buy", "levy", "ronin",
    "choose_army", "move", "detach", "garrison", "leave_ronin", "divide_rest", "declare", "declare_target",
    "choose_battle", "reveal_attacker", "reveal_defender", "casualties", "call_off", "conquest",
    "next_target", "choose_force", "choose_units", "into_army", "over",
}  # fmt: skip
"""Decision points. Between two decisions there is no point of play, unless a ninja window is open."""


def regulars(units: dict[str, int]) -> int:
    """Units without ronin."""
    return sum(units.values()) - units["ronin"]


def check_provinces(state: State) -> None:
    """SW-S-01 to SW-S-07."""
    armies = {one["province"] for clan in state["clans"] for one in clan["armies"]}
    for key, province in state["provinces"].items():
        units, owner = province["units"], province["owner"]
        assert owner is None or state["clans"][owner]["out"] == 0
        assert province["fort"] in {"none", "castle", "fortress"}
        assert units["daimyo"] == 0
        assert regulars(units) <= 5
        if place_of_play(state) != "divide":
            assert (regulars(units) > 0 or key in armies) == (owner is not None)
        assert units["ronin"] <= 25
        assert province["hidden"] <= 18
        assert province["bonus_lost"] <= {"none": 0, "castle": 4, "fortress": 5}[province["fort"]]
        assert all(0 <= province["moved"][unit] <= units[unit] for unit in units)
        if state["phase"] == "none":
            assert province["bonus_lost"] == 0


def check_armies(state: State) -> None:
    """SW-S-08 to SW-S-14."""
    for number, clan in enumerate(state["clans"]):
        for one in clan["armies"]:
            units = one["units"]
            status = (units["daimyo"], one["disrupted"])
            assert status in {(1, False), (0, True), (0, False)}  # in play, assassinated, lost
            if status == (0, False):
                assert (one["province"], sum(units.values())) == (None, 0)
            elif state["round"] > 0:
                assert state["provinces"][one["province"]]["owner"] == number
            assert 0 <= one["hole"] <= 9
            assert units["bow"] + units["sword"] <= 4
            assert units["gun"] + units["spear"] <= 10
            assert units["ronin"] <= 25
            assert isinstance(one["moved"], bool)


def check_clans(state: State) -> None:
    """SW-S-15 to SW-S-20."""
    at, march = place_of_play(state), state["march"]
    for number, clan in enumerate(state["clans"]):
        assert 0 <= clan["koku"] <= 22
        assert clan["plan"]["build"] in {0, 2}
        if at in {"plan", "spy"}:
            assert sum(clan["plan"].values()) <= clan["koku"]
            assert not clan["committed"] or sum(clan["plan"].values()) == clan["koku"]
        assert clan["sword"] <= len(state["clans"])
        assert at in {"buy", "levy"} or not any(clan["bought"].values())
        assert at == "ronin" or clan["hired"] == 0
        if clan["out"]:
            assert not any(clan["tray"].values())
            continue
        assert 1 <= clan["colours"] <= 5
        owned = [one["units"] for one in state["provinces"].values() if one["owner"] == number]
        forces = owned + [one["units"] for one in clan["armies"]] + [clan["tray"]]
        forces += [] if at == "buy" else [clan["bought"]]
        forces += [march["units"]] if march and number == state["active"] else []
        for unit in LEVIED:
            assert sum(units[unit] for units in forces) == (36 if unit == "spear" else 9) * clan["colours"]


def check_globals(state: State) -> None:
    """SW-S-22 to SW-S-33."""
    assert set(state["options"]) == {"seats", "long_game", "two_player_early_attacks", "max_rounds"}
    at, clans = place_of_play(state), range(len(state["clans"]))
    assert (state["round"] == 0) == (at in {"divide", "reinforce", "place_armies"})
    interrupted = state["window"] or state["revenge"] or state["recovery"]
    assert interrupted or at in POINTS
    assert state["window"] is None or 1 <= state["window"] <= 13
    assert state["active"] in clans
    assert state["phase"] in {"none", "a", "b", "c", "d"}
    forts = [province["fort"] for province in state["provinces"].values()]
    assert state["pool"]["castles"] == 10 - forts.count("castle") - forts.count("fortress")
    assert state["pool"]["bases"] == 5 - forts.count("fortress")
    ronin = state["pool"]["ronin"]
    for number, clan in enumerate(state["clans"]):
        hidden = [one["hidden"] for one in state["provinces"].values() if one["owner"] == number]
        ronin += max(clan["hired"], sum(hidden))  # while they are placed they are among the hired
        ronin += sum(one["units"]["ronin"] for one in clan["armies"])
    ronin += sum(province["units"]["ronin"] for province in state["provinces"].values())
    ronin += state["march"]["units"]["ronin"] + state["march"]["rest"] if state["march"] else 0
    assert ronin == 25
    assert state["ninja"] is None or state["clans"][state["ninja"]]["out"] == 0
    assert state["spied"] is None or (at == "plan" and state["spied"] in clans)
    if state["phase"] not in {"b", "c", "d"} and at != "over":
        assert (state["declared_armies"], state["declared_forces"]) == ([None] * 3, {})
    if state["series"]:
        assert state["phase"] == "c"
        assert 0 <= state["series"][1]["attacks_left"] <= 4
        assert len(state["series"][1]["barred"]) == 4
    if state["fight"]:
        assert state["series"]
        assert state["fight"]["combat"]["round"] >= 0
        assert all(0 <= hits <= 29 for hits in state["fight"]["combat"]["hits"])


def test_every_item_stays_in_its_range() -> None:
    """Random matches of 2 to 5 players keep the ranges and totals of all items.

    SW-S-01, SW-S-02, SW-S-03, SW-S-04, SW-S-05, SW-S-06, SW-S-07, SW-S-08, SW-S-09, SW-S-10, SW-S-11,
    SW-S-12, SW-S-13, SW-S-14, SW-S-16, SW-S-17, SW-S-18, SW-S-19, SW-S-20, SW-S-22, SW-S-23, SW-S-24,
    SW-S-25, SW-S-26, SW-S-27, SW-S-30, SW-S-31, SW-S-32
    """
    seen = set()
    for match in random_matches(6):
        state = match.state()
        seen.add(place_of_play(state))
        assert len(state["provinces"]) == 68
        check_provinces(state)
        check_armies(state)
        check_clans(state)
        check_globals(state)
    assert {"plan", "buy", "levy", "ronin", "move", "declare", "casualties", "choose_units", "over"} <= seen


def test_ronin_are_within_their_limits_after_phase_a() -> None:
    # SW-S-04, SW-S-05, SW-S-13: while battles are declared nothing of the active clan is over the limit
    found = 0
    for match in random_matches(3, tables=(3, 4)):
        state = match.state()
        if state["phase"] != "b":
            continue
        mine = state["clans"][state["active"]]["armies"]
        for key, province in state["provinces"].items():
            if province["owner"] != state["active"]:
                continue
            forces = [province["units"], *(one["units"] for one in mine if one["province"] == key)]
            room = [max(regulars(units) - 1, 0) - units["ronin"] for units in forces]
            assert min(room) >= 0
            assert province["hidden"] <= sum(room)
            found += province["hidden"] + province["units"]["ronin"]
    assert found > 50


def test_what_is_constant_stays_so() -> None:
    # SW-S-22: players and variants
    for seats, setup in ((2, {"two_player_early_attacks": True}), (3, {"long_game": True}), (5, {})):
        match = Match.create("swords", seats=seats, setup=setup | {"max_rounds": 2})
        agreed = match.state()["options"]
        expected = {"seats": seats, "long_game": False, "two_player_early_attacks": False, "max_rounds": 2}
        assert agreed == expected | setup
        while not match.over:
            match.play(match.legal_actions()[0])
        assert match.state()["options"] == agreed


def test_a_province_in_the_state() -> None:
    # SW-S-01, SW-S-02, SW-S-03, SW-S-04, SW-S-05
    match = Board().province("mino", 0, "fortress", hidden=1, bow=1, sword=2, ronin=1).match()
    province = match.state()["provinces"]["mino"]
    assert (province["owner"], province["fort"], province["hidden"]) == (0, "fortress", 1)
    assert province["units"] == {"bow": 1, "gun": 0, "daimyo": 0, "sword": 2, "ronin": 1, "spear": 0}
    empty = match.state()["provinces"]["owari"]
    assert (empty["owner"], empty["fort"], set(empty["units"].values())) == (None, "none", {0})


def test_bonus_units_lost_in_the_state() -> None:
    # SW-S-06: until the war turn is over
    match = battle()
    assert match.state()["provinces"]["hizen"]["bonus_lost"] == 1
    play(match, "from_army", unit="bow")
    play(match, "from_army", unit="bow")
    play(match, "call_off")
    play(match, "stop")
    play(match, "done")
    assert match.state()["provinces"]["hizen"]["bonus_lost"] == 0


def test_units_that_have_moved_in_the_state() -> None:
    # SW-S-07: dropped, detached or moved, by kind, in this phase
    match = play(Board(phase="d").army(0, 1, "mino", spear=3, bow=1).match(dice=[]), "army", army=1)
    play(match, "province", province="omi")
    play(match, "from_army", unit="bow")
    play(match, "done")
    play(match, "step", to="owari")
    play(match, "from_army", unit="spear")
    play(match, "done")
    moved = {
        key: one["moved"] for key, one in match.state()["provinces"].items() if any(one["moved"].values())
    }
    assert {key: (units["bow"], units["spear"]) for key, units in moved.items()} == {
        "omi": (1, 0),
        "mino": (0, 1),
    }
    play(match, "stop")
    play(match, "done")
    play(match, "done")
    assert not any(any(one["moved"].values()) for one in match.state()["provinces"].values())


def test_an_army_in_the_state() -> None:
    # SW-S-08, SW-S-09, SW-S-10, SW-S-11, SW-S-12, SW-S-13: in play, assassinated, lost
    board = Board().army(0, 1, "mino", hole=7, bow=1, sword=3, gun=4, spear=6, ronin=14)
    match = board.army(0, 2, "kai", hole=2, daimyo=0, spear=1).army(1, 1, "omi", spear=1).match()
    assert army(match, 0, 1) == {
        "province": "mino", "hole": 7, "disrupted": False, "moved": False,
        "units": {"daimyo": 1, "bow": 1, "sword": 3, "gun": 4, "spear": 6, "ronin": 14},
    }  # fmt: skip
    assert (army(match, 0, 2)["disrupted"], army(match, 0, 2)["units"]) == (True, {"spear": 1})
    lost = army(match, 1, 2)
    assert (lost["province"], lost["disrupted"], lost["units"]) == (None, False, {})


def test_whether_an_army_has_moved() -> None:
    # SW-S-14: in this phase
    board = Board(phase="a").army(0, 1, "mino", spear=1).province("mino", 0, spear=1)
    match = play(play(board.match(dice=[]), "army", army=1), "stop")
    assert (army(match, 0, 1)["moved"], army(match, 0, 3)["moved"]) == (True, False)
    play(match, "done")
    assert (match.state()["phase"], army(match, 0, 1)["moved"]) == ("d", False)


def test_who_is_in_play_and_who_runs_a_clan() -> None:
    # SW-S-15: with two players the clans 0, 1 and 2, 3
    board = Board(homes=False).army(0, 3, "oki").army(1, 3, "sado").clan(2, out=1, colours=0, sword=0)
    assert [clan["out"] for clan in board.match().state()["clans"]] == [0, 0, 1]
    seats = []
    for clan in range(4):
        match = Board(2, active=clan).match()
        seats.append((match.state()["active"], match.to_act))
    assert seats == [(0, 0), (1, 0), (2, 1), (3, 1)]


def test_koku_and_plan_in_the_state() -> None:
    # SW-S-16, SW-S-17: a plan is committed once it is complete, and spent action by action
    match = begin(Board(), "plan", {"ninja": 6}, {"ninja": 1}, {"ninja": 1}).match()
    for amount in (1, 2, 0):
        play(match, "amount", amount=amount)
    clan = match.state()["clans"][0]
    assert (clan["koku"], clan["committed"], clan["plan"]["build"]) == (6, False, 2)
    play(match, "amount", amount=1)
    clan = match.state()["clans"][0]
    assert (clan["committed"], clan["plan"]) == (
        True, {"swords": 1, "build": 2, "levy": 0, "ronin": 1, "ninja": 2},
    )  # fmt: skip
    plan(match)
    plan(match)
    assert point(match) == "swords"
    assert match.state()["clans"][0]["koku"] == 5


def test_most_koku_of_a_clan() -> None:
    # SW-S-16: 22 for all the provinces but the last enemy's; with 34, the most before a match ends, 11
    board = Board(phase="d", homes=False).clan(2, out=1, colours=0, sword=0).army(1, 2, "sado", spear=1)
    state = fill(board.army(0, 3, "oki").clan(0, colours=2), 0, 67).position()
    match = Match.create("swords", seats=3, setup={"position": state, "long_game": True})
    end_round(match)
    assert (match.over, match.state()["clans"][0]["koku"]) == (True, 22)
    match = end_round(fill(Board(phase="d", active=2), 0, 34).match())
    assert match.state()["clans"][0]["koku"] == 11


def test_swords_in_the_state() -> None:
    # SW-S-18: none while planning, then 1 to the number of clans
    match = begin(Board(5), "plan", *[{"ninja": 1}] * 5).match()
    assert [clan["sword"] for clan in match.state()["clans"]] == [0] * 5
    for _ in range(5):
        plan(match)
    assert sorted(clan["sword"] for clan in match.state()["clans"]) == [1, 2, 3, 4, 5]


def test_trays_in_the_state() -> None:
    # SW-S-19: what is not on the board; twice as much with two colours
    board = Board().army(0, 1, "mino", bow=2, spear=3).province("kai", 0, gun=4, spear=1).clan(1, colours=2)
    clans = board.match().state()["clans"]
    assert clans[0]["tray"] == {"bow": 7, "gun": 5, "daimyo": 0, "sword": 9, "ronin": 0, "spear": 31}
    assert clans[1]["tray"] == {"bow": 18, "gun": 18, "daimyo": 0, "sword": 18, "ronin": 0, "spear": 71}


def test_bought_units_and_hired_ronin_in_the_state() -> None:
    # SW-S-20: from the purchase until they are placed
    board = begin(Board(), "levy", {"levy": 1, "ronin": 1}, {}, {}).province("mino", 0, spear=3)
    match = play(board.match(), "bundle", units={"gun": 1, "sword": 1})
    clan = match.state()["clans"][0]
    assert ({unit: count for unit, count in clan["bought"].items() if count}, clan["hired"]) == (
        {"gun": 1, "sword": 1}, 0,
    )  # fmt: skip
    play(match, "province", province="mino")
    play(match, "pass")
    clan = match.state()["clans"][0]
    assert (any(clan["bought"].values()), clan["hired"]) == (False, 2)
    play(match, "province", province="mino")
    play(match, "pass")
    assert match.state()["clans"][0]["hired"] == 0


def test_the_number_of_provinces_is_derived() -> None:
    # SW-S-21: income and scores count the owners
    for match in random_matches(10**9):
        state, outcome = match.state(), match.outcome
        if outcome is None:
            continue
        owners = [province["owner"] for province in state["provinces"].values()]
        counts = [owners.count(clan) for clan in range(len(state["clans"]))]
        last = {event["clan"]: event["provinces"] for event in events(match, "income")}
        if outcome.reason == "round_limit":  # nothing has changed since Action 9
            assert all(last[clan] == counts[clan] for clan in last if state["clans"][clan]["out"] == 0)
        if match.seats == 2:
            counts = [counts[0] + counts[1], counts[2] + counts[3]]
        assert list(outcome.scores) == counts


def test_the_round_in_the_state() -> None:
    # SW-S-23: from 1 on; 0 while the board is set up
    match = Match.create("swords", seats=3)
    rounds = [match.state()["round"]]
    while point(match) != "declare":
        match.play(match.legal_actions()[0])
        rounds.append(match.state()["round"])
    assert (rounds[0], rounds[-1]) == (0, 1)
    assert [event["round"] for event in events(match, "round")] == [1]


def test_the_decision_and_the_active_clan_in_the_state() -> None:
    # SW-S-24, SW-S-25
    match = play(Board(phase="a", active=1).match(dice=[]), "army", army=3)
    state = match.state()
    assert (state["active"], state["phase"], point(match), match.to_act) == (1, "d", "choose_army", 1)
    match = Board(active=1).set(ninja=2, ninja_fresh=True, window=3).match()
    assert (match.state()["window"], match.state()["active"], match.to_act) == (3, 1, 2)


def test_the_pool_in_the_state() -> None:
    # SW-S-26: pieces that are nowhere else
    board = (
        Board()
        .province("mino", 0, "fortress", spear=3, hidden=2)
        .province("kai", 1, "castle", spear=2, ronin=1)
    )
    assert board.match().state()["pool"] == {"castles": 8, "bases": 4, "ronin": 22}


def hired() -> Match:
    """Clan 1 has hired the ninja in this round."""
    match = begin(Board(round_=2), "plan", {}, {"ninja": 1}, {}).match()
    for _ in range(3):
        plan(match)
    return match


def test_the_ninja_in_the_state() -> None:
    # SW-S-27: with its holder, or in the pool
    match = hired()
    assert (match.state()["ninja"], match.state()["window"]) == (1, 1)
    while match.state()["window"] == 1:
        play(match, "pass")
    play(match, "daimyo", clan=0, army=3)
    assert match.state()["ninja"] is None


def test_the_ninja_of_this_round() -> None:
    # SW-S-28: he was hired in this round
    assert hired().state()["ninja_fresh"] is True
    assert Board(round_=2).match().state()["ninja_fresh"] is False


def test_the_ninja_of_the_previous_round() -> None:
    # SW-S-28: the clan that still holds him in Action 1 has hired him in the round before
    match = end_round(hired())
    assert (match.state()["ninja"], point(match)) == (1, "plan")
    assert match.state()["ninja_fresh"] is False


def test_the_plan_spied_on_in_the_state() -> None:
    # SW-S-29: known to the holder; nothing is left of it once plans are revealed
    match = begin(Board().set(ninja=1), "plan", *[{"ninja": 2}] * 3).match()
    plan(match, swords=1)
    plan(match, swords=2)
    assert match.state()["spied"] is None
    play(match, "clan", clan=2)
    assert match.state()["spied"] == 2
    assert match.view(1)["clans"][2]["plan"]["swords"] == 2
    assert match.view(0)["clans"][2]["plan"] is None
    assert match.view(1)["clans"][0]["plan"] is None
    plan(match)
    assert match.state()["spied"] is None


def test_declarations_in_the_state() -> None:
    # SW-S-30: one target for each force, none any more once it is fought
    board = (
        Board(phase="b").army(0, 1, "mino", bow=4).province("mino", 0, spear=1).province("omi", 1, spear=1)
    )
    match = board.province("hida", 2, spear=1).match(dice=[1, 12, 12, 12] + [12, 12])
    declare(match, 1, "omi")
    assert (match.state()["declared_armies"], match.state()["declared_forces"]) == (["omi", None, None], {})
    declare(match, "mino", "hida")
    state = match.state()
    assert (state["declared_armies"], state["declared_forces"]) == (["omi", None, None], {"mino": "hida"})
    play(match, "army", army=1)
    state = match.state()
    assert (state["declared_armies"], state["declared_forces"]) == ([None] * 3, {})  # the second is under way
    assert (state["fight"]["target"], match.dice_left) == ("hida", 0)


def test_a_series_in_the_state() -> None:
    # SW-S-31: the force, attacks left, success, the province just emptied, and what is barred
    board = Board(phase="b").army(0, 1, "mino", hole=6, bow=4).province("omi", 1, spear=1)
    board.province("hida", 1, spear=1).province("owari", 1, spear=1)
    match = declare(board.match(dice=[12] * 4 + [12] + [12] + [1, 12, 12, 12]), 1, "omi")
    play(match, "call_off")
    assert match.state()["series"] == [
        {"army": 0},
        {
            "attacks_left": 2,
            "success": False,
            "open": None,
            "won": False,
            "barred": ["omi", None, None, None],
        },
    ]
    play(match, "province", province="hida")
    assert match.state()["series"][1] == {
        "attacks_left": 1, "success": True, "open": "hida", "won": True, "barred": ["omi", None, None, None],
    }  # fmt: skip
    play(match, "pass")
    play(match, "stop")
    assert match.state()["series"] is None


def test_a_battle_in_the_state() -> None:
    # SW-S-32: the force, the province, the round, the step and the hits of this half
    state = battle().state()
    fight = state["fight"]
    assert (fight["target"], fight["defender"], state["series"][0]) == ("hizen", 1, {"army": 0})
    assert (fight["combat"]["round"], fight["combat"]["stage"]) == (1, {"casualties": "melee"})
    assert (fight["combat"]["hits"], fight["owed"]) == ([0, 2], [2, 0])
    board = Board(phase="b").province("iki", 0, spear=2, bow=1).province("hizen", 1, spear=2)
    match = declare(board.match(dice=[4, 12]), "iki", "hizen")
    combat = match.state()["fight"]["combat"]
    assert (combat["round"], combat["stage"]) == (0, {"casualties": "first_strike"})  # it is a naval attack


def test_the_winner_in_the_state() -> None:
    # SW-S-33: none yet, a player, a draw
    match = fill(Board(phase="d").army(0, 1, "mino", spear=1), 0, 34, "owari").match()
    assert "over" not in match.state()["point"]
    play(match, "army", army=1)
    play(match, "province", province="owari")
    play(match, "from_army", unit="spear")
    assert match.state()["point"] == {"over": {"provinces": 0}}
    board = (
        Board(phase="b", homes=False).clan(2, out=1, colours=0, sword=0).army(0, 1, "mino").army(1, 1, "omi")
    )
    assert declare(board.match(dice=[6, 7]), 1, "omi").state()["point"] == {"over": {"last_player": 0}}
    assert declare(board.match(dice=[6, 6]), 1, "omi").state()["point"] == {"over": "nobody_left"}


def test_the_random_stream_goes_on_from_a_position() -> None:
    # SW-S-34: seed and number of draws are all there is to it; another seed is another stream
    choose = random.Random(3)
    match = Match.create("swords", seats=3, seed=77, setup={"max_rounds": 4})
    while match.state()["draws"] < 120:
        match.play(choose.choice(match.legal_actions()))
    position = {"position": match.state()}
    same = Match.create("swords", seats=3, seed=77, setup=position)
    other = Match.create("swords", seats=3, seed=78, setup=position)
    differs = False
    for _ in range(400):
        if match.over or other.over:
            break
        action = choose.choice(match.legal_actions())
        match.play(action)
        same.play(action)
        assert same.digest == match.digest
        if not differs:
            other.play(action)
            differs = other.digest != match.digest
    assert differs


def test_nobody_sees_the_random_stream() -> None:
    # SW-S-34: a state holds the number of draws, and neither the seed nor a die to come
    one, two = (Board(phase="b").province("mino", 0, spear=1).match(seed=seed) for seed in (1, 2))
    assert one.state() == two.state()
    assert one.view(0) == two.view(0)
