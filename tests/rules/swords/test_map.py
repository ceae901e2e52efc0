"""The map (MAP) in play: steps, attacks, sea routes, and a map of one's own."""

from pathlib import Path

import pytest

from rules.swords.board import HOMES, Board, army, attack, events, options, owner, play, point, quietly, units
from sengoku import Match
from sengoku.errors import SetupError

MAP = (Path(__file__).parents[3] / "rust/swords/data/map.toml").read_text("utf-8")


def reach(match: Match) -> set[str]:
    """Where the force that is on the move may step."""
    return {step["to"] for step in options(match, "step")}


def targets(match: Match) -> set[str]:
    """What the force that declares may attack."""
    return {action["province"] for action in options(match, "province")}


def test_a_step_goes_to_an_adjacent_province() -> None:
    # SW-MAP-04, SW-MAP-03: by land to Chikuzen and Chikugo, by sea to Iki, each in one step
    board = Board(3).army(0, 1, "hizen", spear=1).province("hizen", 0, spear=1)
    for key in ("chikuzen", "chikugo", "iki", "higo", "buzen", "nagato"):
        board.province(key, 0, spear=1)
    match = board.match()
    play(match, "army", army=1)
    assert reach(match) == {"chikuzen", "chikugo", "iki"}
    play(match, "step", to="iki")  # an army of level 1 has one step
    assert reach(match) == set()
    assert army(match, 0, 1)["province"] == "iki"


def test_provinces_that_meet_in_a_point() -> None:
    # SW-MAP-03, SW-MAP-04: Kozuke and Shimosa; no way leads from the one to the other in one step
    board = Board(3).army(0, 1, "kozuke", spear=1).province("kozuke", 0, spear=1)
    board.province("shimosa", 0, spear=1).province("shimotsuke", 0, spear=1).province("musashi", 0, spear=1)
    match = board.match()
    play(match, "army", army=1)
    assert reach(match) == {"shimotsuke", "musashi"}


def test_an_attack_goes_to_an_adjacent_province() -> None:
    # SW-MAP-04
    board = Board(3, phase="b").province("hizen", 0, spear=1)
    for key in ("chikuzen", "iki", "higo", "buzen"):
        board.province(key, 1, spear=1)
    match = board.match()
    play(match, "province", province="hizen")
    assert targets(match) == {"chikuzen", "iki"}


def test_an_attack_by_sea_is_a_naval_attack() -> None:
    # SW-MAP-05: over the sea the defender strikes first, alone; by land both roll together
    board = Board(3, phase="b").province("hizen", 0, bow=1).province("iki", 1, spear=1)
    match = board.match(dice=[4])  # the only attacker falls before he has rolled
    attack(match, "hizen", "iki")
    assert (match.dice_left, owner(match, "hizen"), owner(match, "iki")) == (0, None, 1)
    assert events(match, "battle")[0]["naval"] is True

    board = Board(3, phase="b").province("hizen", 0, bow=1).province("chikuzen", 1, spear=1)
    match = board.match(dice=[6])  # here the bowman is first
    attack(match, "hizen", "chikuzen")
    assert (match.dice_left, owner(match, "hizen"), owner(match, "chikuzen")) == (0, 0, None)
    assert events(match, "battle")[0]["naval"] is False


def test_moving_by_sea_has_no_penalty() -> None:
    # SW-MAP-05: provincial units cross like over a land border, nothing is rolled or lost
    board = Board(3, phase="d").province("hizen", 0, spear=3).province("iki", 0, spear=1)
    match = quietly(board.match(dice=[]), "choose_force")
    play(match, "province", province="hizen")
    play(match, "from_province", unit="spear")
    play(match, "from_province", unit="spear")
    assert {"chikuzen", "chikugo", "iki"} == reach(match)
    play(match, "step", to="iki")
    assert (units(match, "hizen"), units(match, "iki")) == ({"spear": 1}, {"spear": 3})


@pytest.mark.parametrize("last", ["mutsu", "izumo", "echigo"])
def test_any_35_provinces_win(last: str) -> None:
    # SW-R-08, SW-GEN-02: no province is worth more than another; the 35th ends the match, whichever it is
    near = {"mutsu": "dewa", "izumo": "hoki", "echigo": "etchu"}[last]
    board = Board(3, phase="d").province(near, 0, spear=2)
    others = [key for key in board.state["provinces"] if key not in {*HOMES[:3], near, last}]
    for key in others[-32:] if last != "mutsu" else others[:32]:
        board.province(key, 0, spear=1)
    assert sum(province["owner"] == 0 for province in board.state["provinces"].values()) == 34
    match = quietly(board.match(), "choose_force")
    assert not match.over
    play(match, "province", province=near)
    play(match, "from_province", unit="spear")
    play(match, "step", to=last)
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.reason, match.outcome.scores) == (0, "provinces", (35, 1, 1))
    assert point(match) == "over"


def own_map(old: str, new: str, title: str) -> str:
    """The map file with one thing changed."""
    assert MAP.count(old) == 1
    return MAP.replace(old, new).replace("schema = 1", f'schema = 1\ntitle = "{title}"')


HIZEN_IKI = '[[sea]]\na = "hizen"\nb = "iki"\n'


def hizen() -> Board:
    """An army in Hizen, and provinces on the islands around."""
    board = Board(3).army(0, 1, "hizen", spear=1).province("hizen", 0, spear=1)
    return board.province("iki", 0, spear=1).province("higo", 0, spear=1).province("chikugo", 1, spear=1)


def test_the_map_file_is_the_map() -> None:
    # SW-R-07: another board has a sea route from Hizen to Higo instead of Iki; the rules are the same
    text = own_map(HIZEN_IKI, '[[sea]]\na = "hizen"\nb = "higo"\n', "Hizen - Higo")
    match = hizen().match(map=text)
    play(match, "army", army=1)
    assert reach(match) == {"higo"}
    play(match, "step", to="higo")
    assert army(match, 0, 1)["province"] == "higo"

    match = hizen().match()  # the standard map as it was
    play(match, "army", army=1)
    assert reach(match) == {"iki"}


def test_a_new_sea_route_is_a_naval_attack_too() -> None:
    # SW-R-07, SW-MAP-05
    text = own_map(HIZEN_IKI, '[[sea]]\na = "hizen"\nb = "higo"\n', "Hizen - Higo")
    board = Board(3, phase="b").province("hizen", 0, bow=1).province("higo", 1, spear=1)
    match = board.match(dice=[4], map=text)
    attack(match, "hizen", "higo")
    assert (match.dice_left, owner(match, "hizen"), events(match, "battle")[0]["naval"]) == (0, None, True)
    assert options(board.match(), "province") == []  # on the standard map they are not adjacent


def test_a_map_must_hang_together() -> None:
    # SW-R-07: a map file with a fault is refused, and the place of the fault is named
    with pytest.raises(SetupError, match="hizn"):
        hizen().match(map=MAP.replace(HIZEN_IKI, HIZEN_IKI.replace("hizen", "hizn")))
