"""Every decision of the ledger: who is asked, when, and exactly what is offered."""

from collections.abc import Iterator

import pytest

from rules.swords.board import Board, army, begin, declare, events, options, plan, play, point, units
from sengoku import Match


def choices(match: Match) -> list[str]:
    """All that is legal now, each as its name and its arguments."""
    return [" ".join([action["name"], *(str(value) for name, value in action.items() if name != "name")])
            for action in options(match)]  # fmt: skip


def provinces(match: Match, name: str = "province") -> set[str]:
    """The provinces offered by actions of a kind."""
    return {option["province"] for option in options(match, name)}


def owned(match: Match, clan: int) -> set[str]:
    """The provinces of a clan."""
    return {key for key, province in match.state()["provinces"].items() if province["owner"] == clan}


def setup_points(name: str, seats: int, seed: int) -> Iterator[Match]:
    """A match of first choices, as it stands at each of its points of a kind during setup."""
    match = Match.create("swords", seats=seats, seed=seed)
    while match.state()["round"] == 0:
        if point(match) == name:
            yield match
        match.play(match.legal_actions()[-1])


def test_dividing_the_cards_of_two_players() -> None:
    # SW-D-01: any 17 of the 34 cards, named one by one; each player in his turn, about his own hand
    left = {0: 34, 1: 34}
    for match in setup_points("divide", 2, 4):
        player = match.to_act
        assert player is not None
        undecided = owned(match, 2 * player + 1)
        assert (provinces(match), len(undecided)) == (undecided, left[player])
        left[player] -= 1
    assert left == {0: 17, 1: 17}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_reinforcements(seats: int) -> None:
    # SW-D-02: six times each in sword order, an owned province with exactly one spearman
    asked = []
    for match in setup_points("reinforce", seats, 7):
        clan = match.state()["decider"]
        asked.append(match.state()["clans"][clan]["sword"])
        board = match.state()["provinces"]
        single = {key for key in owned(match, clan) if board[key]["units"]["spear"] == 1}
        assert provinces(match) == single
        assert len(options(match)) == len(provinces(match))
    clans = 4 if seats == 2 else seats
    assert asked == list(range(1, clans + 1)) * 6


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_army_markers(seats: int) -> None:
    # SW-D-03: three times each in sword order, an owned province without a marker
    asked = []
    for match in setup_points("place_armies", seats, 8):
        clan = match.state()["decider"]
        asked.append(match.state()["clans"][clan]["sword"])
        taken = {army(match, clan, number)["province"] for number in (1, 2, 3)}
        assert provinces(match) == owned(match, clan) - taken
        assert len(options(match)) == len(provinces(match))
    clans = 4 if seats == 2 else seats
    assert asked == list(range(1, clans + 1)) * 3


def test_spying() -> None:
    # SW-D-04: asked of the holder after all others have planned: nobody, or one other clan
    match = begin(Board(4).set(ninja=1), "plan", *[{"ninja": 1}] * 4).match()
    for clan in (0, 2, 3):
        assert match.state()["decider"] == clan
        plan(match)
    assert (match.to_act, choices(match)) == (1, ["pass", "clan 0", "clan 2", "clan 3"])
    play(match, "clan", clan=2)
    assert (match.to_act, point(match)) == (1, "plan")


def test_planning() -> None:
    # SW-D-05: all koku of the clan, box by box, BUILD 0 or 2; what is left over is for the ninja
    match = begin(Board(), "plan", {"ninja": 4}, {"ninja": 3}, {"ninja": 1}).match()
    assert (match.to_act, choices(match)) == (0, [f"amount {koku}" for koku in range(5)])
    play(match, "amount", amount=1)
    assert choices(match) == ["amount 0", "amount 2"]
    play(match, "amount", amount=2)
    assert choices(match) == ["amount 0", "amount 1"]
    play(match, "amount", amount=1)
    assert choices(match) == ["amount 0"]
    play(match, "amount", amount=0)
    assert (match.to_act, choices(match)) == (1, [f"amount {koku}" for koku in range(4)])
    plan(match)
    play(match, "amount", amount=0)
    assert choices(match) == ["amount 0"]  # one koku is not enough for a building
    for _ in range(3):
        play(match, "amount", amount=0)
    plans = [event["plan"] for event in events(match, "plan")]
    assert plans[0] == {"swords": 1, "build": 2, "levy": 1, "ronin": 0, "ninja": 0}
    assert [plan["ninja"] for plan in plans] == [0, 3, 1]


def test_a_sword_for_the_highest_bidder() -> None:
    # SW-D-06: any that remains; the last bidder has the choice of what the others left
    match = begin(Board(4), "swords", {"swords": 1}, {"swords": 3}, {"swords": 2}, {}).match()
    assert (match.to_act, choices(match)) == (1, ["sword 1", "sword 2", "sword 3", "sword 4"])
    play(match, "sword", sword=3)
    assert (match.to_act, choices(match)) == (2, ["sword 1", "sword 2", "sword 4"])
    play(match, "sword", sword=1)
    assert (match.to_act, choices(match)) == (0, ["sword 2", "sword 4"])


def test_a_wish_of_each_tied_bidder() -> None:
    # SW-D-07: the others' wishes are not seen; a clan that loses the lot wishes again
    match = begin(Board(4), "swords", {"swords": 1}, {"swords": 1}, {"swords": 1}, {}).match()
    for clan in (0, 1, 2):
        assert (match.to_act, choices(match)) == (clan, ["sword 1", "sword 2", "sword 3", "sword 4"])
        assert [one["wish"] for one in match.view(clan)["clans"]][:clan] == [None] * clan
        play(match, "sword", sword=2)
    winner = events(match, "sword")[0]["clan"]
    again = [clan for clan in (0, 1, 2) if clan != winner]
    assert (match.to_act, choices(match)) == (again[0], ["sword 1", "sword 3", "sword 4"])
    play(match, "sword", sword=1)
    assert (match.to_act, choices(match)) == (again[1], ["sword 1", "sword 3", "sword 4"])


def test_building() -> None:
    # SW-D-08: nothing, a castle where there is no building, a base under a castle; not in a fortress
    board = begin(Board(), "build", {"build": 2}, {}, {"build": 2})
    board.province("mino", 0, spear=1).province("hida", 0, "castle", spear=1)
    match = board.province("kai", 0, "fortress", spear=1).province("omi", 1, "castle", spear=1).match()
    assert (match.to_act, choices(match)) == (
        0,
        ["pass", "province mino", "province hida", "province tsushima"],
    )
    play(match, "pass")
    assert (match.to_act, choices(match)) == (2, ["pass", "province sado"])  # clan 1 has planned nothing


def test_buying() -> None:
    # SW-D-09: a bundle or less for each koku, within the tray: no bowman, one gunner, two spearmen are left
    board = begin(Board(), "levy", {"levy": 2}, {}, {"levy": 1})
    for key, force in (("mino", {"bow": 5}), ("hida", {"bow": 4}), ("kai", {"gun": 5}), ("omi", {"gun": 3})):
        board.province(key, 0, **force)
    for key in ("ise", "iga", "owari", "mikawa", "totomi", "suruga"):
        board.province(key, 0, spear=5)
    match = board.province("izu", 0, spear=3).match()
    bundles = [option["units"] for option in options(match)]
    assert match.to_act == 0
    assert bundles == [
        {}, {"sword": 1}, {"sword": 2}, {"gun": 1}, {"gun": 1, "sword": 1}, {"spear": 1}, {"spear": 2},
    ]  # fmt: skip
    play(match, "bundle", units={"gun": 1})
    bundles = [option["units"] for option in options(match)]
    assert bundles == [{}, {"sword": 1}, {"sword": 2}, {"spear": 1}, {"spear": 2}]
    play(match, "bundle", units={})
    bundles = [option["units"] for option in options(match)]
    assert match.to_act == 2
    assert bundles == [
        {}, {"bow": 1}, {"sword": 1}, {"sword": 2}, {"gun": 1}, {"gun": 2}, {"gun": 1, "sword": 1},
        {"spear": 1}, {"spear": 2}, {"spear": 3},
    ]  # fmt: skip


def test_placing_a_levy() -> None:
    # SW-D-10: one unit for a province, into the force or the army there, within their limits; or give it up
    board = begin(Board(), "levy", {"levy": 2}, {}, {}).army(0, 1, "mino", bow=2, sword=2).army(0, 2, "kai")
    match = board.province("kai", 0, spear=5).province("omi", 0, spear=4).match()
    play(match, "bundle", units={"bow": 1})
    play(match, "bundle", units={"spear": 3})
    # the bowman: no box in Mino's army, no room in Kai's force
    assert choices(match) == [
        "pass", "province omi", "province mino", "province tsushima", "into_army kai", "into_army tsushima",
    ]  # fmt: skip
    play(match, "into_army", province="kai")
    assert choices(match) == [
        "pass", "province omi", "province mino", "province tsushima", "into_army mino", "into_army tsushima",
    ]  # fmt: skip
    play(match, "province", province="omi")
    play(match, "pass")
    play(match, "into_army", province="mino")
    assert (units(match, "omi"), units(match, "kai")) == ({"spear": 5}, {"spear": 5})
    assert army(match, 0, 2)["units"] == {"daimyo": 1, "bow": 1}
    assert match.state()["clans"][0]["tray"]["spear"] == 36 - 5 - 4 - 1 - 2


def test_placing_ronin() -> None:
    # SW-D-11: one by one into owned provinces within the limit, or back to the pool
    board = (
        begin(Board(), "ronin", {"ronin": 2}, {}, {}).province("mino", 0, spear=3).province("omi", 0, spear=1)
    )
    match = board.province("kai", 1, spear=5).match()
    assert (match.to_act, choices(match)) == (0, ["pass", "province mino", "province tsushima"])
    play(match, "province", province="mino")
    play(match, "province", province="mino")
    assert choices(match) == ["pass", "province tsushima"]  # three spearmen lead two
    play(match, "province", province="tsushima")
    assert choices(match) == ["pass"]
    play(match, "pass")
    assert (match.state()["pool"]["ronin"], match.state()["cards"]) == (22, [[2, 1], [], []])


def test_the_ninja() -> None:
    # SW-D-12: wait, or one enemy daimyo in play and not assassinated; never in round 1
    board = Board(phase="a", active=1).army(1, 1, "mino", spear=1).army(2, 2, "kai", daimyo=0, spear=1)
    board.set(ninja=0, ninja_fresh=True, window=2)
    match = board.match(dice=[])
    assert (match.to_act, choices(match)) == (0, ["pass", "daimyo 1 1", "daimyo 1 3", "daimyo 2 3"])
    board.set(round=1, window=None)
    match = play(board.match(dice=[]), "done")
    assert (match.to_act, match.state()["phase"]) == (1, "d")  # the windows on the way have not opened
    assert match.state()["ninja"] == 0


def test_revenge() -> None:
    # SW-D-13: any living daimyo of the clan that sent the ninja
    board = Board(phase="a").army(0, 1, "mino", spear=1).army(0, 2, "kai", daimyo=0, spear=1)
    board.army(1, 1, "omi", spear=1).set(ninja=0, ninja_fresh=True, window=2)
    match = play(board.match(dice=[9, 9]), "daimyo", clan=1, army=1)
    assert (match.to_act, choices(match), match.dice_left) == (1, ["daimyo 0 1", "daimyo 0 3"], 0)
    match = play(board.match(dice=[9, 8]), "daimyo", clan=1, army=1)
    assert (match.to_act, point(match), match.dice_left) == (0, "choose_army", 0)  # nothing happens


@pytest.mark.parametrize(("phase", "after"), [("a", "d"), ("d", "a")])
def test_which_army_moves(phase: str, after: str) -> None:
    # SW-D-14, SW-D-28: each that has not moved and is not disrupted, or no further one
    board = Board(phase=phase).army(0, 1, "mino", spear=2).army(0, 2, "kai", daimyo=0, spear=1)
    match = board.province("mino", 0, spear=1).province("hida", 0, spear=1).match(dice=[])
    assert (match.to_act, choices(match)) == (0, ["done", "army 1", "army 3"])
    play(match, "army", army=1)
    play(match, "stop")
    assert choices(match) == ["done", "army 3"]
    play(match, "done")
    if phase == "d":
        assert point(match) == "choose_force"
        play(match, "done")
        assert match.state()["active"] == 1
    assert match.state()["phase"] == after


@pytest.mark.parametrize("phase", ["a", "d"])
def test_the_phase_does_not_end_while_two_armies_share_a_province(phase: str) -> None:
    # SW-D-14, SW-D-28: army 2 must be moved next, and away; the end is not offered
    board = Board(phase=phase).army(0, 1, "izu", spear=2).army(0, 2, "sagami", spear=2)
    for key in ("izu", "sagami", "suruga"):
        board.province(key, 0, spear=1)
    for key in ("kai", "musashi", "totomi", "shinano"):
        board.province(key, 1, spear=1)
    match = play(board.match(dice=[]), "army", army=1)
    play(match, "step", to="sagami")
    play(match, "stop")
    assert match.state()["point"]["move"]["army"] == 1  # counted from 0
    assert choices(match) == ["from_province spear", "step suruga 0", "step izu 0"]


def test_the_move_of_an_army() -> None:
    # SW-D-15: pick up, stop, step with any number of hidden ronin; revealed ronin once a unit has joined
    board = Board(phase="a").army(0, 1, "mino", spear=2, sword=4, ronin=1)
    board.province("mino", 0, spear=3, bow=1, ronin=1, hidden=2).province("hida", 0, spear=1)
    match = play(board.province("omi", 1, spear=1).match(dice=[]), "army", army=1)
    stay, go = ["stop", "from_province spear"], [f"step hida {hidden}" for hidden in range(3)]
    assert choices(match) == stay + go  # no box is free for the bowman
    play(match, "from_province", unit="spear")
    assert choices(match) == ["stop", "from_province ronin", "from_province spear", *go]
    play(match, "step", to="hida", hidden=1)
    assert choices(match) == ["amount 0", "amount 1"]  # ronin of the army that stay behind
    play(match, "amount", amount=1)
    assert choices(match) == ["stop", "from_province spear"]  # level 1: no further step
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "sword": 4, "spear": 3, "ronin": 1}
    assert units(match, "mino") == {"bow": 1, "spear": 2, "ronin": 3}


def test_a_compulsory_garrison() -> None:
    # SW-D-15: one to five regular units of any kind, never the daimyo or ronin
    board = Board(phase="a").army(0, 1, "mino", spear=6, bow=1, ronin=1).province("hida", 0, spear=1)
    match = play(play(board.match(dice=[]), "army", army=1), "step", to="hida")
    assert choices(match) == ["from_army bow", "from_army spear"]
    play(match, "from_army", unit="spear")
    for _ in range(4):
        assert choices(match) == ["done", "from_army bow", "from_army spear"]
        play(match, "from_army", unit="spear")
    assert units(match, "mino") == {"spear": 5}
    assert choices(match) == ["amount 0", "amount 1"]  # five are enough; now the ronin


def test_the_rest_of_a_stack_is_divided() -> None:
    # SW-D-15: a hidden stack is taken from, and a force and an army stay behind
    board = Board(phase="a").army(0, 1, "sagami", spear=2).army(0, 2, "izu", spear=2)
    board.province("sagami", 0, spear=3, hidden=4).province("izu", 0, spear=1).province("kai", 0, spear=1)
    match = play(board.match(dice=[]), "army", army=2)
    play(match, "step", to="sagami")
    play(match, "stop")
    play(match, "step", to="kai", hidden=1)
    assert choices(match) == ["amount 0", "amount 1", "amount 2", "amount 3"]


def test_detachments_in_phase_d() -> None:
    # SW-D-15: into each empty province around, one to five units; enemy and own provinces are not offered
    board = Board(phase="d").army(0, 1, "owari", spear=2, sword=1).province("ise", 1, spear=1)
    match = play(board.province("mikawa", 0, spear=1).match(dice=[]), "army", army=1)
    assert choices(match) == ["stop", "province mino", "step mikawa 0", "step mino 0"]
    play(match, "province", province="mino")
    assert choices(match) == ["from_army sword", "from_army spear"]
    play(match, "from_army", unit="sword")
    assert choices(match) == ["done", "from_army spear"]
    play(match, "done")
    assert choices(match) == ["stop", "step mikawa 0", "step mino 0"]
    assert units(match, "mino") == {"sword": 1}


def test_declaring() -> None:
    # SW-D-16: for each force no target or one; an army of level 2 also an empty province
    board = Board(phase="b").army(0, 1, "mino", hole=3, spear=1).army(0, 2, "kai", daimyo=0, spear=1)
    board.province("mino", 0, spear=2).province("omi", 1, spear=1).army(2, 1, "hida", spear=1)
    match = board.province("musashi", 2, spear=1).match(dice=[])
    assert (match.to_act, choices(match)) == (0, ["done", "army 1", "province mino"])
    play(match, "army", army=1)
    around = {"ise", "owari", "mikawa", "omi", "hida", "shinano", "echizen"}
    assert (provinces(match), len(options(match))) == (around, 7)
    play(match, "province", province="owari")
    assert choices(match) == ["done", "province mino"]
    play(match, "province", province="mino")
    assert choices(match) == ["province omi", "province hida"]
    board.set(round=1)
    match = play(board.match(dice=[]), "army", army=1)
    assert provinces(match) == around - {"hida"}  # no army is attacked in round 1


def test_which_battle_comes_next() -> None:
    # SW-D-17: of those declared; what can only lapse is dropped unasked, an army of level 2 is still chosen
    board = Board(phase="b").army(0, 1, "chikuzen", hole=3, bow=4).army(0, 2, "chikugo", hole=3, bow=1)
    board.province("chikuzen", 0, spear=1).province("chikugo", 0, spear=1)
    match = board.province("hizen", 1, spear=1).match(dice=[1, 12, 12, 12])
    for force in (1, 2, "chikuzen", "chikugo"):
        declare(match, force, "hizen")
    assert choices(match) == ["army 1", "army 2", "province chikuzen", "province chikugo"]
    play(match, "army", army=1)
    play(match, "step", to="hizen")
    assert point(match) == "next_target"
    play(match, "stop")
    # Hizen is friendly now: the forces have nothing to attack, army 2 continues with its second attack
    assert (point(match), match.state()["series"][0]) == ("next_target", {"army": 1})
    assert len(events(match, "lapsed")) == 1
    play(match, "stop")
    assert (match.state()["phase"], match.dice_left, len(events(match, "battle"))) == ("d", 0, 1)


def test_the_attacker_reveals_ronin() -> None:
    # SW-D-18: keep them hidden if the other force could lead them all, or divide; also asked without a stack
    board = Board(phase="b").army(0, 1, "mino", spear=2).province("mino", 0, spear=2, hidden=2)
    board.province("omi", 1, spear=1).province("hida", 0, spear=2, hidden=1)
    match = board.match(dice=[])
    declare(match, 1, "omi")
    play(match, "done")
    assert (match.to_act, choices(match)) == (0, ["amount 1", "amount 2"])  # two are too many for the force
    board.province("mino", 0, spear=2, hidden=1)
    match = play(declare(board.match(dice=[]), 1, "omi"), "done")
    assert choices(match) == ["pass", "amount 0", "amount 1"]
    board.province("mino", 0, spear=2)
    match = play(declare(board.match(dice=[]), 1, "omi"), "done")
    assert choices(match) == ["pass"]  # a stack lies elsewhere, and nobody shall know that it does


def test_the_defender_divides_his_ronin() -> None:
    # SW-D-18: within the limits of both forces; there is no keeping them hidden
    board = Board(phase="b").province("mino", 0, spear=1).army(1, 1, "omi", spear=2)
    match = board.province("omi", 1, spear=2, hidden=2).match(dice=[])
    declare(match, "mino", "omi")
    assert (match.to_act, choices(match)) == (1, ["amount 1", "amount 2"])


def test_casualties_of_a_first_strike() -> None:
    # SW-D-19: the attacker of a naval attack, unit by unit; regular units stay more than ronin
    board = Board(phase="b").army(0, 1, "iki", bow=1, spear=1, ronin=2).province("hizen", 1, spear=2)
    match = declare(board.match(dice=[1, 1]), 1, "hizen")
    assert (match.to_act, choices(match), match.dice_left) == (0, ["from_army ronin"], 0)
    play(match, "from_army", unit="ronin")
    assert choices(match) == ["from_army bow", "from_army ronin", "from_army spear"]


def two_forces(dice: list[int]) -> Match:
    """A bowman and two spearmen attack an army and a provincial force."""
    board = Board(phase="b").province("mino", 0, bow=1, spear=2)
    board.army(1, 1, "omi", bow=1, gun=1, ronin=1).province("omi", 1, sword=1, spear=2)
    return declare(board.match(dice=dice), "mino", "omi")


def test_casualties_of_step_3() -> None:
    # SW-D-20: both sides choose by kind, the defender also by force; neither sees the other's choice
    match = two_forces([1, 1, 12])  # a bowman of each side hits, the gunner misses
    assert (match.to_act, choices(match)) == (0, ["from_province bow", "from_province spear"])
    play(match, "from_province", unit="bow")
    assert match.view(1)["fight"]["losses"][0] is None
    assert (match.to_act, choices(match)) == (
        1,
        [
            "from_army bow", "from_army gun", "from_army ronin",
            "from_province sword", "from_province spear",
        ],
    )  # fmt: skip
    assert units(match, "mino") == {"bow": 1, "spear": 2}  # nothing is removed before both have chosen
    assert match.dice_left == 0


def test_casualties_of_step_7() -> None:
    # SW-D-21: the same after steps 4 to 6; a unit may fall that has rolled
    match = two_forces([12] * 3 + [12] + [12, 1] + [1, 12, 12, 12])
    # the ronin and one of the attackers' spearmen hit
    assert (match.to_act, choices(match)) == (0, ["from_province bow", "from_province spear"])
    play(match, "from_province", unit="spear")
    assert match.to_act == 1
    play(match, "from_province", unit="sword")
    assert (units(match, "mino"), units(match, "omi")) == ({"bow": 1, "spear": 1}, {"spear": 2})
    assert match.dice_left == 0


def test_step_8() -> None:
    # SW-D-22: the attacker alone, after a whole round
    match = two_forces([12] * 3 + [12] + [12, 12] + [12] * 4)
    assert (match.to_act, choices(match), match.dice_left) == (0, ["continue", "call_off"], 0)


def series(**garrison: int) -> Board:
    """An army of level 2 in Chikuzen, an enemy in Hizen and one in Buzen, Chikugo and Bungo empty."""
    board = Board(phase="b").army(0, 1, "chikuzen", hole=3, bow=4).province("hizen", 1, spear=1)
    return board.province("buzen", 2, spear=1).province("chikuzen", 0, **garrison)


def test_after_a_victory() -> None:
    # SW-D-23: stay, or move in with as many of the hidden ronin as wanted; then the garrison
    match = declare(series(spear=3, hidden=1).match(dice=[1, 12, 12, 12]), 1, "hizen")
    play(match, "done")
    play(match, "pass")  # the ronin stay hidden
    assert (match.to_act, choices(match)) == (0, ["pass", "step hizen 0", "step hizen 1"])
    match = declare(series().match(dice=[1, 12, 12, 12]), 1, "hizen")
    assert choices(match) == ["pass", "step hizen 0"]
    play(match, "step", to="hizen")
    # one bowman must stay, and there are only bowmen: that much is settled
    assert choices(match) == ["done", "from_army bow"]


def test_the_next_target() -> None:
    # SW-D-24: stop, or an enemy or empty province beside the army, but not one it has called off
    board = series().army(0, 1, "chikuzen", hole=6, bow=4)
    match = declare(board.match(dice=[12] * 4 + [12] + [12] + [1, 12, 12, 12]), 1, "hizen")
    play(match, "call_off")
    assert (match.to_act, choices(match)) == (
        0, ["stop", "province chikugo", "province buzen", "province bungo"],
    )  # fmt: skip
    play(match, "province", province="buzen")
    play(match, "pass")
    assert choices(match) == ["stop", "province chikugo", "province buzen", "province bungo"]
    assert match.dice_left == 0


def test_an_empty_target() -> None:
    # SW-D-25: stay, or move in; not without an attack left after it
    match = declare(series().match(dice=[]), 1, "chikugo")
    assert (match.to_act, choices(match)) == (0, ["pass", "step chikugo 0"])
    play(match, "pass")
    play(match, "province", province="bungo")
    assert match.state()["phase"] == "d"


def eliminated() -> Match:
    """Clan 0, whose army 2 is lost, has just taken the last daimyo of clan 1."""
    board = Board(phase="b", homes=False).army(0, 1, "chikuzen", bow=4).army(0, 3, "tsushima", spear=1)
    board.army(1, 1, "hizen").province("kai", 1, spear=3, sword=1, ronin=1).army(2, 3, "sado", spear=1)
    match = board.province("mino", 0, spear=1).match(dice=[1, 12, 12, 12])
    return declare(match, 1, "hizen")


def test_placing_a_recovered_daimyo() -> None:
    # SW-D-26: any province of the eliminator without an army
    match = eliminated()
    assert (match.to_act, choices(match), match.dice_left) == (0, ["province kai", "province mino"], 0)


def test_what_a_recovered_daimyo_picks_up() -> None:
    # SW-D-27: any units of that force that have a box, and then of its revealed ronin
    match = play(eliminated(), "province", province="kai")
    assert (match.to_act, choices(match)) == (0, ["done", "from_province sword", "from_province spear"])
    play(match, "from_province", unit="sword")
    assert choices(match) == ["done", "from_province ronin", "from_province spear"]


def test_units_of_provincial_forces() -> None:
    # SW-D-29: which force, which of its units, how many ronin, where to; one unit must stay
    board = (
        Board(phase="d").province("mino", 0, spear=2, bow=1, ronin=1, hidden=1).province("kai", 0, spear=1)
    )
    for key in ("ise", "mikawa", "omi", "shinano", "echizen"):
        board.province(key, 1, spear=1)
    match = play(board.province("hida", 0, spear=4).match(dice=[]), "done")
    assert (match.to_act, choices(match)) == (0, ["done", "province mino", "province hida"])
    play(match, "province", province="mino")
    assert choices(match) == ["from_province bow", "from_province spear"]
    play(match, "from_province", unit="bow")
    to_both = ["step owari 0", "step hida 0"]
    assert choices(match) == ["from_province spear", *to_both]  # a single unit leads no ronin
    play(match, "from_province", unit="spear")
    # a third unit cannot go; two units find room in empty Owari, not beside four in Hida
    assert choices(match) == ["from_province ronin", "step owari 0", "step owari 1"]
    play(match, "from_province", unit="ronin")
    assert choices(match) == ["step owari 0"]
    play(match, "step", to="owari")
    assert (units(match, "owari"), units(match, "mino")) == ({"bow": 1, "spear": 1, "ronin": 1}, {"spear": 1})
    assert choices(match) == ["done", "province hida"]  # units that have moved stay, and one must
    play(match, "done")
    assert match.state()["active"] == 1


def test_units_that_arrive_where_an_army_stands() -> None:
    # SW-D-29: how many of each kind go into the army, as far as there is room on either side
    board = Board(phase="d").army(0, 1, "izu", bow=3, gun=1).province("izu", 0, spear=4)
    match = play(board.province("sagami", 0, bow=2, spear=2).match(dice=[]), "done")
    play(match, "province", province="sagami")
    for unit in ("bow", "bow", "spear"):
        play(match, "from_province", unit=unit)
    play(match, "step", to="izu")
    # one box and one place for two bowmen: the spearman then has a box of his own
    assert units(match, "sagami") == {"spear": 1}
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 4, "gun": 1, "spear": 1}
    board.province("izu", 0, spear=2)
    match = play(board.match(dice=[]), "done")
    play(match, "province", province="sagami")
    for unit in ("bow", "bow", "spear"):
        play(match, "from_province", unit=unit)
    play(match, "step", to="izu")
    assert choices(match) == ["amount 0", "amount 1"]  # bowmen
    play(match, "amount", amount=0)
    assert choices(match) == ["amount 0", "amount 1"]  # spearmen
    play(match, "amount", amount=0)
    assert units(match, "izu") == {"bow": 2, "spear": 3}


@pytest.mark.parametrize("phase", ["a", "d"])
def test_a_stack_over_the_limit_of_two_forces_is_never_divided(phase: str) -> None:
    # SW-D-30: five ronin where two and two can be led: both forces are filled up unasked, the rest goes back
    board = Board(phase=phase).army(0, 1, "mino", spear=2).province("mino", 0, spear=3, hidden=5)
    match = play(board.match(dice=[]), "done")
    if phase == "d":
        assert point(match) == "choose_force"
        play(match, "done")
    assert point(match) == "choose_army"  # of Phase D, or of the next clan
    assert (army(match, 0, 1)["units"]["ronin"], units(match, "mino")["ronin"]) == (2, 2)
    assert match.state()["pool"]["ronin"] == 21
