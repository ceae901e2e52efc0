"""Terms (GEN): clans, rounds, forces, provinces."""

from itertools import groupby

import pytest

from rules.swords.board import (
    HOMES,
    Board,
    army,
    attack,
    begin,
    events,
    options,
    owner,
    plan,
    play,
    point,
    quietly,
    units,
)
from rules.swords.plays import REGULAR, random_play
from sengoku import Match
from sengoku.errors import SetupError


def reach(match: Match) -> set[str]:
    """Where the army or force that is on the move may go."""
    return {step["to"] for step in options(match, "step")}


def named(match: Match) -> set[str]:
    """The provinces that may be named."""
    return {action["province"] for action in options(match, "province")}


# Clans and rounds


@pytest.mark.parametrize(("seats", "clans"), [(2, 4), (3, 3), (4, 4), (5, 5)])
def test_every_clan_has_its_own_of_everything(seats: int, clans: int) -> None:
    # SW-GEN-01: a player is one clan, with two players he runs two; clans are numbered in seat order
    board = begin(Board(seats), "plan", *[{"swords": number + 1} for number in range(clans)])
    match = board.match()
    asked = []
    for number in range(clans):
        asked.append(match.to_act)
        assert options(match, "amount")[-1] == {"amount": number + 1}  # its own koku
        plan(match, swords=number + 1)
    assert asked == ([0, 0, 1, 1] if seats == 2 else list(range(seats)))
    quietly(match, "choose_army")
    state = match.state()
    assert len(state["clans"]) == clans
    assert [clan["plan"]["swords"] for clan in state["clans"]] == [number + 1 for number in range(clans)]
    assert sorted(clan["sword"] for clan in state["clans"]) == [number + 1 for number in range(clans)]
    assert [clan["tray"]["spear"] for clan in state["clans"]] == [35] * clans
    assert [army(match, number, 3)["province"] for number in range(clans)] == list(HOMES[:clans])
    assert [owner(match, home) for home in HOMES[:clans]] == list(range(clans))


def test_a_round_is_nine_actions_in_order() -> None:
    # SW-GEN-02
    board = Board(3).province("hizen", 0, spear=3)
    koku = {"swords": 1, "build": 2, "levy": 1, "ronin": 1, "ninja": 1}
    match = begin(board, "plan", koku, {}, {}).match()
    plan(match, swords=1, build=2, levy=1, ronin=1)
    plan(match)
    plan(match)
    play(match, "sword", sword=1)  # 2
    play(match, "province", province="hizen")  # 3
    play(match, "bundle", units={"bow": 1})  # 4
    play(match, "province", province="hizen")
    play(match, "province", province="hizen")  # 5
    play(match, "pass")
    assert match.state()["window"] == 1  # 6: round 2, so the ninja may strike once all of it is done
    quietly(match, "plan")  # 7, 8, 9
    details = {"levied", "cards", "declarations"}
    order = [
        kind for kind, _ in groupby(event["event"] for event in match.log if event["event"] not in details)
    ]
    assert order == [
        "plan", "sword", "built", "bought", "hired", "ninja", "war_turn", "income", "round",
    ]  # fmt: skip
    state = match.state()
    assert state["pool"]["ronin"] == 25  # 8
    assert [clan["koku"] for clan in state["clans"]] == [3, 3, 3]  # 9
    assert state["round"] == 3  # and again from 1
    assert match.to_act == 1  # clan 0 holds the ninja and plans last


def test_rounds_repeat_while_nobody_wins() -> None:
    # SW-GEN-02
    match = begin(Board(3), "plan", {}, {}, {}).match()
    for number in (3, 4, 5):
        for _ in range(3):
            plan(match)
        quietly(match, "plan")
        assert (match.state()["round"], match.over) == (number, False)


def test_simultaneous_actions_and_war_turns() -> None:
    # SW-GEN-03: in sword order each clan plays phases A to D, and only then the next one begins
    seen_phases: set[str] = set()
    for seed in range(2):
        rounds: dict[int, list[tuple[int, str]]] = {}
        for match in random_play(4, seed, 500):
            state = match.state()
            if state["phase"] != "none":
                rounds.setdefault(state["round"], []).append((state["active"], state["phase"]))
                swords = [clan["sword"] for clan in state["clans"]]
                assert state["turn"] == swords[state["active"]]
        for asked in rounds.values():
            turns = [clan for clan, _ in groupby(clan for clan, _ in asked)]
            assert len(turns) == len(set(turns))  # one whole turn each
            for clan in turns:
                phases = [phase for phase, _ in groupby(phase for active, phase in asked if active == clan)]
                assert phases == sorted(phases)
                seen_phases.update(phases)
    assert seen_phases == {"a", "b", "c", "d"}


def test_the_lowest_sword_begins() -> None:
    # SW-GEN-03
    board = begin(Board(4), "swords", {"swords": 1}, {"swords": 2}, {"swords": 3}, {"swords": 4})
    match = board.match()
    for sword in (3, 1, 2):  # clan 3, clan 2, clan 1; clan 0 takes what is left
        play(match, "sword", sword=sword)
    quietly(match, "plan")
    assert [event["clan"] for event in events(match, "war_turn")] == [2, 1, 3, 0]


# Pieces and provinces


def test_the_fallen_can_be_levied_again() -> None:
    # SW-GEN-04: regular units return to their owner's tray, ronin to the pool
    board = Board(3, phase="b", active=0)
    board.province("hizen", 0, bow=4, spear=1)
    board.province("chikuzen", 1, bow=3, ronin=1).province("aki", 1, bow=5).province("sado", 2, bow=1)
    board.army(1, 3, "oki", bow=1)  # all nine bowmen of clan 1 are on the board
    match = board.match(dice=[1, 1, 12, 12, 12, 12, 12, 12])
    attack(match, "hizen", "chikuzen")
    assert match.state()["clans"][1]["tray"]["bow"] == 0
    assert options(match, "from_province") == [{"unit": "bow"}, {"unit": "ronin"}]
    play(match, "from_province", unit="ronin")
    play(match, "from_province", unit="bow")
    play(match, "call_off")
    assert match.dice_left == 0
    state = match.state()
    assert (state["clans"][1]["tray"]["bow"], state["pool"]["ronin"]) == (1, 25)
    assert state["clans"][0]["tray"]["bow"] == 5
    quietly(match, "plan")
    plan(match)
    plan(match, levy=2)
    plan(match)
    quietly(match, "buy")
    assert {"units": {"bow": 1}} in options(match, "bundle")
    play(match, "bundle", units={"bow": 1})
    assert {"units": {"bow": 1}} not in options(match, "bundle")  # there was only that one


@pytest.mark.parametrize("kind", REGULAR)
def test_regular_units_are_those_that_count(kind: str) -> None:
    # SW-GEN-05: two of a kind lead one ronin; ronin, castle and bonus units do not count
    board = Board(3).province("hizen", 0, fort="fortress", **{kind: 2}).province("chikuzen", 0, spear=1)
    match = begin(board, "ronin", {"ronin": 1}).match()
    assert {"province": "hizen"} in options(match, "province")
    play(match, "province", province="hizen")
    assert {"province": "hizen"} not in options(match, "province")
    assert {"province": "chikuzen"} not in options(match, "province")


def test_the_daimyo_is_a_regular_unit() -> None:
    # SW-GEN-05: he and a spearman lead one ronin
    match = begin(Board(3), "ronin", {"ronin": 1}).match()
    assert options(match, "province") == [{"province": "tsushima"}]
    play(match, "province", province="tsushima")
    assert options(match, "province") == []


def test_ronin_alone_hold_nothing() -> None:
    # SW-GEN-05, SW-GEN-09: a province without a regular unit cannot have an owner
    with pytest.raises(SetupError, match="no regular unit there"):
        Board(3).province("hizen", 0, fort="fortress", ronin=2).match()


def test_an_army_and_a_provincial_force() -> None:
    # SW-GEN-06: the marker goes with the units on the card; the provincial force stays on the board
    board = (
        Board(3).army(0, 1, "hizen", sword=2).province("hizen", 0, spear=2).province("chikugo", 0, spear=1)
    )
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="chikugo")
    play(match, "stop")
    assert army(match, 0, 1)["province"] == "chikugo"
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "sword": 2}
    assert (units(match, "hizen"), units(match, "chikugo")) == ({"spear": 2}, {"spear": 1})


@pytest.mark.parametrize(
    "board",
    [
        Board(3).province("hizen", 0, spear=1, daimyo=1),
        Board(3).army(0, 1, "hizen", daimyo=2, spear=1),
        Board(3).army(0, 1, "hizen", spear=1).province("hizen", 1, spear=1),
    ],
    ids=["provincial force with a daimyo", "army with two daimyo", "army in another clan's province"],
)
def test_forces_that_cannot_be(board: Board) -> None:
    # SW-GEN-06, SW-GEN-09
    with pytest.raises(SetupError):
        board.match()


def test_a_two_force_province() -> None:
    # SW-GEN-07: army and provincial force of one province act each for itself, and defend together
    board = Board(3, phase="b").army(0, 1, "hizen", bow=1).province("hizen", 0, spear=2)
    board.province("chikuzen", 1, spear=1)
    match = board.match()
    assert options(match) == [
        {"name": "done"},
        {"name": "army", "army": 1},
        {"name": "province", "province": "hizen"},
    ]
    board = Board(3, phase="b").province("chikuzen", 0, spear=1)
    board.army(1, 1, "hizen", bow=1).province("hizen", 1, spear=2)
    match = board.match(dice=[12, 12, 12, 12, 12])  # bowman; daimyo; attacking spearman, two defending
    attack(match, "chikuzen", "hizen")
    assert match.dice_left == 0


def test_friendly_enemy_and_empty_provinces() -> None:
    # SW-GEN-08: a unit on the board or an army makes a province friendly; an empty one has no owner
    board = Board(3).army(0, 1, "chikugo", hole=3, spear=1).province("chikugo", 0, spear=1)
    board.province("higo", 0, spear=1)  # friendly by a unit
    board.army(0, 2, "bungo", hole=3, spear=1)  # friendly by an army
    board.province("hizen", 1, spear=1)  # enemy by a unit
    board.army(1, 1, "hyuga", spear=1)  # enemy by an army
    match = board.match()
    assert owner(match, "chikuzen") is None
    play(match, "army", army=1)
    assert reach(match) == {"higo", "bungo"}  # neither Hizen (enemy) nor Chikuzen (empty)
    quietly(match, "declare")
    play(match, "army", army=1)
    assert options(match, "province") == [{"province": "chikuzen"}, {"province": "hizen"}]
    play(match, "province", province="hizen")
    play(match, "army", army=2)
    assert {"province": "hyuga"} in options(match, "province")
    assert {"province": "higo"} not in options(match, "province")


def test_a_province_whose_defenders_die_is_empty() -> None:
    # SW-GEN-08, SW-GEN-10: and the first clan to move in has it at once
    board = Board(3, phase="b").province("hizen", 0, bow=2, spear=1).province("chikuzen", 1, spear=1)
    match = board.match(dice=[6, 12])
    attack(match, "hizen", "chikuzen")
    assert match.dice_left == 0
    assert (owner(match, "chikuzen"), units(match, "chikuzen")) == (None, {})
    quietly(match, "choose_force")
    play(match, "province", province="hizen")
    play(match, "from_province", unit="bow")
    play(match, "step", to="chikuzen")
    assert point(match) == "choose_force"  # the turn is not over
    assert (owner(match, "chikuzen"), units(match, "chikuzen")) == (0, {"bow": 1})
    assert events(match, "conquered") == [{"event": "conquered", "clan": 0, "province": "chikuzen"}]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ownership_follows_units(seats: int) -> None:
    # SW-GEN-09: never units of two clans in a province, never an owner without a regular unit
    emptied = 0
    for seed in range(2):
        for match in random_play(seats, seed, 250):
            state = match.state()
            armies = [
                (number, force["province"])
                for number, clan in enumerate(state["clans"])
                for force in clan["armies"]
                if force["province"]
            ]
            for key, province in state["provinces"].items():
                there = {number for number, place in armies if place == key}
                if sum(province["units"][kind] for kind in REGULAR):
                    there.add(province["owner"])
                assert there == set() if province["owner"] is None else there == {province["owner"]}
            emptied = max(emptied, len(events(match, "emptied")))
    assert emptied > 0


def test_a_garrison_stays() -> None:
    # SW-GEN-11: one or more regular units, never the daimyo, never ronin
    board = Board(3).army(0, 1, "hizen", hole=0, bow=1, spear=2, ronin=2).province("chikugo", 0, spear=1)
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="chikugo")
    assert options(match) == [{"name": "from_army", "unit": "bow"}, {"name": "from_army", "unit": "spear"}]
    play(match, "from_army", unit="spear")
    assert {"name": "done"} in options(match)
    play(match, "done")
    play(match, "amount", amount=0)  # no ronin stay
    assert (owner(match, "hizen"), units(match, "hizen")) == (0, {"spear": 1})
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 1, "spear": 1, "ronin": 2}


def test_no_movement_leaves_a_province_empty() -> None:
    # SW-GEN-11: a daimyo alone cannot leave, nor can the last unit of a province
    board = Board(3).army(0, 1, "hizen").province("chikugo", 0, spear=1)
    match = board.match()
    play(match, "army", army=1)
    assert army(match, 0, 1)["moved"]  # nothing could be chosen
    board = Board(3, phase="d").province("hizen", 0, spear=1).province("chikugo", 0, spear=2)
    match = quietly(board.match(), "choose_force")
    assert options(match, "province") == [{"province": "chikugo"}]
    play(match, "province", province="chikugo")
    play(match, "from_province", unit="spear")
    assert options(match, "from_province") == []


def test_combat_position() -> None:
    # SW-GEN-12: next to an enemy, or to an empty province for an army that may attack it
    board = Board(3, phase="b")
    board.province("osumi", 0, spear=1).province("satsuma", 0, spear=1).province("hyuga", 0, spear=1)
    board.province("higo", 1, spear=1)
    match = board.match()
    # Osumi lies behind the other two; Hyuga and Satsuma touch Higo; nobody is next to Tsushima
    assert named(match) == {"satsuma", "hyuga"}
    assert options(match, "army") == []
    board.army(0, 1, "hyuga", hole=3, spear=1).army(0, 2, "osumi", hole=3, spear=1)
    match = board.match()
    assert options(match, "army") == [{"army": 1}]  # Bungo, beside Hyuga, is empty
    play(match, "army", army=1)
    assert {"province": "bungo"} in options(match, "province")


def test_agreements_are_no_part_of_the_game() -> None:
    # SW-GEN-13: no action makes one, a position has no place for one, and everybody may attack everybody
    board = Board(3, phase="b").province("hizen", 0, spear=2)
    board.province("chikuzen", 1, spear=1).province("chikugo", 2, spear=1)
    position = board.position() | {"agreements": [[0, 1]]}
    with pytest.raises(SetupError, match="agreements"):
        Match.create("swords", seats=3, setup={"position": position})
    match = board.match()
    play(match, "province", province="hizen")
    assert named(match) == {"chikuzen", "chikugo"}
    kinds = {action.name for match in random_play(3, 5, 300) for action in match.legal_actions()}
    assert kinds <= {
        "pass", "done", "stop", "continue", "call_off", "amount", "clan", "sword", "bundle", "army",
        "daimyo", "from_army", "from_province", "province", "into_army", "step",
    }  # fmt: skip
