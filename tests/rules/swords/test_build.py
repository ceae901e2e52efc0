"""Action 3: build (BUILD): castles and fortresses."""

import random

import numpy as np
import pytest

from rules.swords.board import Board, attack, begin, events, options, owner, plan, play, point, quietly
from sengoku import Match

TAKEN = ("iyo", "tosa", "sanuki", "bungo", "buzen", "higo", "hyuga", "satsuma", "osumi", "awa_shikoku")
"""Provinces of clan 1 for castles that are already built."""


def fort(match: Match, key: str) -> str:
    """The building of a province."""
    found: str = match.state()["provinces"][key]["fort"]
    return found


def sites(match: Match) -> set[str]:
    """Where the clan that is asked may build."""
    return {action["province"] for action in options(match, "province")}


def building(board: Board, *clans: int) -> Match:
    """A match in Action 3 in which these clans have 2 koku in BUILD."""
    plans = [{"build": 2 if clan in clans else 0} for clan in range(board.seats)]
    return begin(board, "build", *plans).match()


def test_a_castle_or_a_base() -> None:
    # SW-BUILD-01: in a province of its own without a building, or under a castle of its own
    board = Board(3).province("hizen", 0, spear=1).province("aki", 0, fort="castle", spear=1)
    board.province("suo", 0, fort="fortress", spear=1).province("iwami", 1, spear=1)
    match = building(board, 0, 1)
    assert sites(match) == {"tsushima", "hizen", "aki"}  # not the fortress, nothing empty, nothing of others
    play(match, "province", province="hizen")
    assert match.to_act == 1  # one building action, then the next clan
    play(match, "province", province="iwami")
    assert (fort(match, "hizen"), fort(match, "iwami"), fort(match, "aki")) == ("castle", "castle", "castle")
    assert match.state()["pool"] == {"castles": 6, "bases": 4, "ronin": 25}

    match = building(board, 0)
    play(match, "province", province="aki")
    assert (fort(match, "aki"), fort(match, "hizen")) == ("fortress", "none")
    assert match.state()["pool"] == {"castles": 8, "bases": 3, "ronin": 25}


def test_who_has_not_paid_does_not_build() -> None:
    # SW-BUILD-01
    match = building(Board(3), 1)
    assert match.to_act == 1
    play(match, "province", province="oki")
    assert point(match) != "build"
    assert (fort(match, "tsushima"), fort(match, "oki"), fort(match, "sado")) == ("none", "castle", "none")


@pytest.mark.parametrize(
    ("swords", "served"), [((1, 2, 3), 0), ((2, 1, 3), 1), ((3, 2, 1), 2), ((2, 3, 1), 2)]
)
def test_the_last_castle(swords: tuple[int, ...], served: int) -> None:
    # SW-BUILD-02: it goes by the swords; the others lose their koku
    board = Board(3)
    for clan, sword in enumerate(swords):
        board.clan(clan, sword=sword)
    for key in TAKEN[:9]:
        board.province(key, 1, fort="castle", spear=1)
    match = building(board, 0, 1, 2)
    homes = ("tsushima", "oki", "sado")
    for home in homes:
        play(match, "province", province=home)
    forts = [fort(match, home) for home in homes]
    assert forts == ["castle" if clan == served else "none" for clan in range(3)]
    assert match.state()["pool"]["castles"] == 0
    assert [event["clan"] for event in events(match, "built")] == [served]
    assert len(events(match, "build_refused")) == 2
    assert [clan["koku"] for clan in match.state()["clans"]] == [0, 0, 0]


def test_the_last_base() -> None:
    # SW-BUILD-02: bases run short in the same way, castles or not
    board = Board(3).clan(0, sword=3).clan(2, sword=1).province("tsushima", 0, fort="castle")
    board.province("sado", 2, fort="castle")
    for key in TAKEN[:4]:
        board.province(key, 1, fort="fortress", spear=1)
    match = building(board, 0, 1, 2)
    for home in ("tsushima", "oki", "sado"):
        play(match, "province", province=home)
    assert [fort(match, home) for home in ("tsushima", "oki", "sado")] == ["castle", "castle", "fortress"]
    assert match.state()["pool"] == {"castles": 3, "bases": 0, "ronin": 25}


def test_who_is_refused_a_castle_gets_no_base() -> None:
    # SW-R-21: the request stands as made, though there are bases and an own castle
    board = Board(3).clan(0, sword=2).clan(1, sword=1).province("aki", 0, fort="castle", spear=1)
    for key in TAKEN[:8]:
        board.province(key, 1, fort="castle", spear=1)
    match = building(board, 0, 1)
    play(match, "province", province="tsushima")
    play(match, "province", province="oki")
    assert (fort(match, "oki"), fort(match, "tsushima"), fort(match, "aki")) == ("castle", "none", "castle")
    assert point(match) != "build"  # it is not asked again
    assert match.state()["pool"] == {"castles": 0, "bases": 5, "ronin": 25}
    assert match.state()["clans"][0]["koku"] == 0


def test_nobody_must_build() -> None:
    # SW-R-20: the koku are lost all the same
    match = building(Board(3), 0)
    assert options(match)[0] == {"name": "pass"}
    play(match, "pass")
    assert point(match) != "build"
    assert (match.state()["pool"]["castles"], match.state()["clans"][0]["koku"]) == (10, 0)
    assert events(match, "built") == []


def test_a_building_stays_and_belongs_to_whoever_owns_the_province() -> None:
    # SW-BUILD-03, SW-BUILD-04: its defenders die, it stays in the empty province, the next owner has it
    board = (
        Board(3, phase="b").province("hizen", 0, bow=4, gun=1).province("chikuzen", 1, fort="castle", spear=1)
    )
    board.province("buzen", 2, spear=1)
    match = board.match(dice=[1, 1, 1, 1, 1])  # four bonus spearmen and the regular one fall to missiles
    attack(match, "hizen", "chikuzen")
    assert match.dice_left == 0
    assert (owner(match, "chikuzen"), fort(match, "chikuzen")) == (None, "castle")
    quietly(match, "choose_force")
    play(match, "province", province="hizen")
    play(match, "from_province", unit="bow")
    play(match, "step", to="chikuzen")  # nobody defends an empty castle
    assert (owner(match, "chikuzen"), fort(match, "chikuzen"), match.dice_left) == (0, "castle", 0)
    quietly(match, "plan")
    for build in (2, 0, 0):
        plan(match, build=build)
    assert "chikuzen" in sites(match)
    play(match, "province", province="chikuzen")  # a captured castle
    assert fort(match, "chikuzen") == "fortress"
    assert match.state()["pool"]["castles"] == 9


def test_the_new_owner_is_defended_by_the_castle() -> None:
    # SW-BUILD-03: clan 1 has it now, so four bonus spearmen stand against clan 0
    board = Board(3, phase="b").province("hizen", 0, spear=1).province("chikuzen", 1, fort="castle", spear=1)
    match = board.match(dice=[12, 12, 12, 12, 12, 12])  # one attacker; one and four defenders
    attack(match, "hizen", "chikuzen")
    assert match.dice_left == 0


def test_no_building_ever_goes() -> None:
    # SW-BUILD-03: in random play they only ever grow
    rank = {"none": 0, "castle": 1, "fortress": 2}
    chance = random.Random(6)
    match = Match.create("swords", seats=5, seed=6)
    before = dict.fromkeys(match.state()["provinces"], 0)
    owners = set()
    for _ in range(1000):
        match.play(int(chance.choice(np.flatnonzero(match.legal_mask()))))
        provinces = match.state()["provinces"]
        now = {key: rank[province["fort"]] for key, province in provinces.items()}
        assert all(now[key] >= before[key] for key in now)
        owners.update((key, provinces[key]["owner"]) for key in now if now[key])
        before = now
    assert len(owners) > len([key for key in before if before[key]])  # some have changed hands, and stayed


def test_an_empty_castle_has_no_effect() -> None:
    # SW-BUILD-03: an army of level 2 attacks it without a die and walks in
    board = (
        Board(3, phase="b").army(0, 1, "hizen", hole=3, spear=2).province("chikuzen", None, fort="fortress")
    )
    board.province("chikugo", 1, spear=1)
    match = board.match(dice=[])
    attack(match, 1, "chikuzen")
    play(match, "step", to="chikuzen")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert (owner(match, "chikuzen"), fort(match, "chikuzen")) == (0, "fortress")


def test_a_fortress_takes_two_rounds() -> None:
    # SW-R-22, SW-BUILD-01: one building action each round, so the castle is there before its base
    match = begin(Board(3), "plan", {"build": 2}, {}, {}).match()
    plan(match, build=2)
    plan(match)
    plan(match)
    play(match, "province", province="tsushima")
    assert fort(match, "tsushima") == "castle"
    assert point(match) == "choose_army"  # no second building in this round
    quietly(match, "plan")
    plan(match, build=2)
    plan(match)
    plan(match)
    play(match, "province", province="tsushima")
    assert fort(match, "tsushima") == "fortress"
