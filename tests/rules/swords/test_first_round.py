"""The first round of the rulebooks, played on the whole map."""

from rules.swords.board import Board, army, begin, declare, events, options, owner, plan, play, units
from sengoku import Match

ARMY = {"bow": 1, "sword": 1, "gun": 2}
"""An army as it begins, besides its daimyo."""


def attacks_left(match: Match) -> bool:
    """Whether the active clan is still in Phase C."""
    return bool(match.state()["phase"] == "c")


def test_chikuzen_attacks_hizen() -> None:
    # SW-X-03: army 1 stays, picks up the whole provincial force, and its gunners take the lone spearman
    board = (
        Board(4, phase="a", round_=1).army(0, 1, "chikuzen", **ARMY).province("chikuzen", 0, gun=1, spear=3)
    )
    match = board.province("hizen", 1, spear=1).match(dice=[9, 2, 3, 4])
    play(match, "army", army=1)
    for unit in ("gun", "spear", "spear", "spear"):
        play(match, "from_province", unit=unit)
    after_a = {"daimyo": 1, "bow": 1, "sword": 1, "gun": 3, "spear": 3}
    assert (army(match, 0, 1)["units"], units(match, "chikuzen")) == (after_a, {})
    play(match, "done")  # army 3 stays at home
    declare(match, 1, "hizen")
    assert (owner(match, "hizen"), match.dice_left) == (None, 0)
    assert (army(match, 0, 1)["units"], army(match, 0, 1)["province"]) == (after_a, "chikuzen")
    assert (army(match, 0, 1)["hole"], attacks_left(match)) == (1, False)


def test_awa_attacks_sanuki() -> None:
    # SW-X-04: army 3 attacks out of a two-force province, its provincial force does not take part
    board = (
        Board(4, phase="b", round_=1).army(0, 3, "awa_shikoku", **ARMY).province("awa_shikoku", 0, spear=3)
    )
    board.state["provinces"]["tsushima"]["owner"] = None  # army 3 is not at home
    match = board.province("sanuki", 2, spear=1).match(dice=[10, 3, 8])
    declare(match, 3, "sanuki")
    play(match, "done")
    assert (owner(match, "sanuki"), match.dice_left) == (None, 0)
    assert army(match, 0, 3)["units"] == {"daimyo": 1, **ARMY}
    assert units(match, "awa_shikoku") == {"spear": 3}
    assert (army(match, 0, 3)["hole"], attacks_left(match)) == (1, False)


def test_two_levies() -> None:
    # SW-X-05: after setup with 17 provinces each, pink levies for 4 koku and grey for 3
    match = Match.create("swords", seats=4, seed=1)
    while match.state()["round"] == 0:
        match.play(match.legal_actions()[0])
    full = {"bow": 6, "sword": 6, "gun": 3, "spear": 7, "daimyo": 0, "ronin": 0}
    assert [clan["tray"] for clan in match.state()["clans"]] == [full] * 4
    for levy in (4, 3, 0, 0):
        plan(match, levy=levy)
    for bundle in ("gun 2", "sword 2", "bow 1", "bow 1", "gun 2", "sword 2", "bow 1"):
        unit, count = bundle.split()
        play(match, "bundle", units={unit: int(count)})
    while "levy" in match.state()["point"]:
        match.play(next(action for action in match.legal_actions() if action.name == "province"))
    places = [
        [event["province"] for event in events(match, "levied") if event["clan"] == clan] for clan in (0, 1)
    ]
    assert [(len(keys), len(set(keys))) for keys in places] == [
        (6, 6),
        (5, 5),
    ]  # each unit in another province
    trays = [clan["tray"] for clan in match.state()["clans"]]
    assert trays[0] == full | {"bow": 4, "sword": 4, "gun": 1}
    assert trays[1] == full | {"bow": 5, "sword": 4, "gun": 1}


def test_eight_provinces_take_eight_units() -> None:
    # SW-X-06: the ninth spearman of 3 koku goes back to the tray
    board = begin(Board(), "levy", {"levy": 3}, {}, {})
    places = ["mino", "hida", "kai", "owari", "omi", "iga", "ise"]
    for key in places:
        board.province(key, 0, spear=1)
    match = board.match()
    for _ in range(3):
        play(match, "bundle", units={"spear": 3})
    for key in [*places, "tsushima"]:
        play(match, "province", province=key)
    assert options(match) == [{"name": "pass"}]  # no province is left for the ninth
    play(match, "pass")
    assert match.state()["clans"][0]["tray"]["spear"] == 36 - 8 - 8
    assert [units(match, key)["spear"] for key in places] == [2] * 7
