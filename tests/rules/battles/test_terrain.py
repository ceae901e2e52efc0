"""Terrain (TERRAIN)."""

import pytest

from rules.battles.board import TILES, Board, Play, hexes

NONE, P = 9, 0
"""No cap; prohibited."""
PASSABLE = [name for name in TILES if name not in {"RIVER", "TENT"}]
STOPS = {"FOREST", "FORD", "BUILDINGS", "FIELDS", "GORGE", "TENT", "FENCE", "PALISADE", "CASTLE"}
TABLE = {
    #            out m inf, cav, out r inf, cav, in m inf, cav, in r inf, cav
    "OPEN": (NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE),
    "FOREST": (2, 2, 2, 2, 2, 2, 1, 1),
    "HILL": (3, 3, NONE, NONE, 2, 2, NONE, NONE),
    "FORD": (2, 2, 1, 1, 2, 2, 2, 2),
    "SHALLOW": (NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE),
    "BRIDGE": (NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE),
    "BUILDINGS": (2, 1, 1, 1, 2, 2, 1, 1),
    "FIELDS": (NONE, 2, NONE, 2, NONE, 2, NONE, 2),
    "GORGE": (1, 1, 1, 1, 2, 1, 1, 1),
    "TENT": (NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE),
    "FENCE": (2, 2, 2, 2, 2, 2, 2, 2),
    "PALISADE": (2, 2, 2, 2, 2, 2, 2, 2),
    "CASTLE": (3, P, 3, P, 2, P, 1, 1),
}
"""BT-TERRAIN-02."""


def board_with(terrain: str, owner: str = "bottom") -> Board:
    """A board with one hex of a terrain, 5,5; a tent has an owner, and no commander."""
    return Board(tents={owner: "5,5"}) if terrain == "TENT" else Board(terrain={"5,5": terrain})


def battle_or_none(play: Play, unit: str, target: str, dice: int) -> None:
    """Checks the number of dice of the unit; with 0 it may not battle."""
    play.do("pass").quiet()
    if dice == 0:
        assert play.question != "battle"
        return
    play.attack(unit, target)
    assert [len(roll) for roll in play.rolls("melee", "ranged")] == [dice]


@pytest.mark.parametrize("terrain", TABLE)
@pytest.mark.parametrize(("unit", "base"), [("SSp", 4), ("SSpC", 4)])
def test_melee_out_of(terrain: str, unit: str, base: int) -> None:
    # BT-TERRAIN-01, BT-TERRAIN-02, BT-R-55, BT-R-58: a unit that has been there since before this turn
    cap = TABLE[terrain][1 if unit == "SSpC" else 0]
    board = board_with(terrain, "top").top(f"{unit}@5,5").bottom("ASp@5,6")
    dice = min(base, cap)
    battle_or_none(board.play("H" * dice).command("C-ADV-C").order("5,5"), "5,5", "5,6", dice)


@pytest.mark.parametrize("terrain", TABLE)
@pytest.mark.parametrize(("unit", "base"), [("SSp", 4), ("SSpC", 4)])
def test_melee_into(terrain: str, unit: str, base: int) -> None:
    # BT-TERRAIN-01, BT-TERRAIN-02, BT-R-56, BT-R-57
    cap = TABLE[terrain][5 if unit == "SSpC" else 4]
    board = board_with(terrain).top(f"{unit}@5,4").bottom("SSp@5,5")
    dice = min(base, cap)
    battle_or_none(board.play("H" * dice).command("C-ADV-C").order("5,4"), "5,4", "5,5", dice)


@pytest.mark.parametrize("terrain", TABLE)
@pytest.mark.parametrize("unit", ["SB", "SBC"])
def test_ranged_out_of(terrain: str, unit: str) -> None:
    # BT-TERRAIN-02, BT-R-54, BT-R-55
    cap = TABLE[terrain][3 if unit == "SBC" else 2]
    board = board_with(terrain, "top").top(f"{unit}@5,5").bottom("ASp@5,7")
    dice = min(3, cap)
    battle_or_none(board.play("H" * dice).command("C-ADV-C").order("5,5"), "5,5", "5,7", dice)


@pytest.mark.parametrize("terrain", TABLE)
@pytest.mark.parametrize("unit", ["SB", "SBC"])
def test_ranged_into(terrain: str, unit: str) -> None:
    # BT-TERRAIN-02, BT-R-54, BT-R-56
    cap = TABLE[terrain][7 if unit == "SBC" else 6]
    board = board_with(terrain).top(f"{unit}@5,3").bottom("ASp@5,5")
    dice = min(3, cap)
    battle_or_none(board.play("H" * dice).command("C-ADV-C").order("5,3"), "5,3", "5,5", dice)


@pytest.mark.parametrize("terrain", TABLE)
def test_stops(terrain: str) -> None:
    # BT-TERRAIN-02 (stop), BT-TERRAIN-13: by ordered moves, for units and leaders alike
    ring = [f"LI@{hex_}" for hex_ in ("5,3", "4,4", "4,5", "6,4", "6,5")]
    for mover in ("LI", "LM", "SSpC"):
        board = board_with(terrain).top(f"{mover}@5,4").bottom(*ring)
        found = board.play().command("C-ADV-C").order("5,4").do("5,4").quiet().choices
        assert ("5,5" in found, "5,6" in found) == (True, terrain not in STOPS), mover


def test_rivers_are_impassable() -> None:
    # BT-TERRAIN-02, BT-TERRAIN-06: for everybody
    for mover in ("LI", "LM", "SSpC"):
        board = board_with("RIVER").top(f"{mover}@5,4")
        assert "5,5" not in board.play().command("C-ADV-C").order("5,4").do("5,4").quiet().choices


NO_BATTLE = {
    "BUILDINGS": "both",
    "GORGE": "both",
    "CASTLE": "both",
    "FENCE": "cavalry",
    "PALISADE": "cavalry",
}


@pytest.mark.parametrize("terrain", TABLE)
@pytest.mark.parametrize("unit", ["SSp", "SSpC"])
def test_battle_after_entry(terrain: str, unit: str) -> None:
    # BT-TERRAIN-02 (battle after entry), BT-TERRAIN-13
    board = board_with(terrain).top(f"{unit}@5,4").bottom("ASp@5,6")
    play = board.play().command("C-ADV-C").order("5,4").move("5,4", "5,5").quiet()
    forbidden = NO_BATTLE.get(terrain) in ("both", "cavalry" if unit == "SSpC" else "both")
    assert (play.question == "battle") == (not forbidden)


@pytest.mark.parametrize("terrain", ["BUILDINGS", "GORGE", "FENCE", "PALISADE"])
def test_who_starts_there_battles(terrain: str) -> None:
    # BT-R-58: also cavalry behind a fence
    for unit in ("SSp", "SSpC"):
        board = board_with(terrain).top(f"{unit}@5,5").bottom("ASp@5,6")
        assert board.play().command("C-ADV-C").order("5,5").do("pass").quiet().question == "battle"


def test_lowest_cap_counts() -> None:
    # BT-TERRAIN-01: out of a wood (2) into a gorge (2 by infantry, 1 by cavalry); out of a castle (3) into a
    # wood (2)
    for here, there, unit, dice in [
        ("FOREST", "GORGE", "SSp", 2), ("FOREST", "GORGE", "SSpC", 1), ("CASTLE", "FOREST", "SSp", 2),
        ("GORGE", "FOREST", "SSp", 1), ("HILL", "FIELDS", "SSp", 3),
    ]:  # fmt: skip
        board = Board(terrain={"5,5": here, "5,6": there}).top(f"{unit}@5,5").bottom("SSp@5,6")
        battle_or_none(board.play("H" * dice).command("C-ADV-C").order("5,5"), "5,5", "5,6", dice)


def test_caps_limit_the_base_only() -> None:
    # BT-TERRAIN-01: dice of cards and of inspiring come after the cap
    board = Board(terrain={"5,6": "FOREST"}).top("SSpC+LM@5,5").bottom("SSp@5,6")
    board.hand("top", "C-CAVALRY", "C-ONE-L")
    play = board.play("HHHH").command("C-CAVALRY").order("5,5").declare("5,5", "5,6").until("inspire")
    play.do("yes").quiet()
    assert play.rolls("melee") == ["HHHH"]  # 2, and 1, and 1
    board = Board(terrain={"5,7": "FOREST"}).top("SB@5,5").bottom("SSp@5,7").dragons("top", "D-12")
    play = board.play("HH").command("C-ADV-C", "D-12").order("5,5").attack("5,5", "5,7")
    assert play.rolls("ranged") == ["HH"]


def test_bodyguards_use_the_column_of_infantry() -> None:
    # BT-TERRAIN-03: into fields 4 dice and not 2, into a castle 2 dice
    for terrain, dice in [("FIELDS", 4), ("CASTLE", 2), ("GORGE", 2)]:
        board = Board(terrain={"5,6": terrain}, tents={"top": "5,5"}).top("AC+BG@5,5").bottom("SSp@5,6")
        play = board.play("H" * dice).command("C-ADV-C").order("5,5").attack("5,5", "5,6")
        assert play.rolls("melee") == ["H" * dice]


def test_hills() -> None:
    # BT-TERRAIN-04: hill to hill 3 dice, up the hill 2, down the hill 3; shots are not affected
    for hills, dice in [({"5,5", "5,6"}, 3), ({"5,6"}, 2), ({"5,5"}, 3)]:
        board = Board(terrain=dict.fromkeys(hills, "HILL")).top("SSp@5,5").bottom("SSp@5,6")
        battle_or_none(board.play("H" * dice).command("C-ADV-C").order("5,5"), "5,5", "5,6", dice)
    for hills in ({"5,5"}, {"5,7"}, {"5,5", "5,6", "5,7"}):
        board = Board(terrain=dict.fromkeys(hills, "HILL")).top("SB@5,5").bottom("SSp@5,7")
        battle_or_none(board.play("HHH").command("C-ADV-C").order("5,5"), "5,5", "5,7", 3)


def test_ground_taken_in_a_ford() -> None:
    # BT-TERRAIN-05: and cavalry goes on from there with at most 2 dice
    board = Board(terrain={"5,6": "FORD"}).top("SSpC@5,5").bottom("AB:1@5,6", "ASp@5,7")
    play = (
        board.play("CC", "HH").command("C-ADV-C").order("5,5").attack("5,5", "5,6").do("5,5", "5,7").quiet()
    )
    assert (play.at("5,6"), play.rolls("melee")) == ("top SSpC:4", ["CC", "HH"])


def crossing(rules: dict[str, object], place: int) -> str:
    """What a river hex (row 5) is to a piece in front of it: a bar, a stop, or a way through.

    Place 2 has a ford tile, place 8 a bridge.
    """
    river = dict.fromkeys(hexes(5), "RIVER") | {"5,2": "FORD", "5,8": "BRIDGE"}
    start = f"4,{place}"
    board = Board(terrain=river, rules=rules).top(f"LI@{start}")
    choices = board.play().command("C-GEESE").order(start).do(start).quiet().choices
    if f"5,{place}" not in choices:
        return "bar"
    return "way" if f"6,{place}" in choices else "stop"


@pytest.mark.parametrize(
    ("rules", "river", "ford"),
    [
        ({}, "bar", "stop"),
        ({"river_impassable": True}, "bar", "stop"),
        ({"river_impassable": True, "ford_tiles": "ford"}, "bar", "stop"),
        ({"river_impassable": True, "ford_tiles": "shallow"}, "bar", "way"),
        ({"river_fordable": True}, "stop", "way"),
        ({"river_fordable": True, "ford_tiles": "shallow"}, "stop", "way"),
    ],
)
def test_rivers_fords_and_bridges(rules: dict[str, object], river: str, ford: str) -> None:
    # BT-TERRAIN-06, BT-TERRAIN-07: a fordable river is FORD everywhere and its ford tiles SHALLOW; otherwise
    # it is impassable and ford tiles are FORD unless they have no restrictions; a bridge is always a way
    assert (crossing(rules, 5), crossing(rules, 2), crossing(rules, 8)) == (river, ford, "way")


def test_no_inspiring_in_buildings() -> None:
    # BT-TERRAIN-08: neither in attack nor battling back
    board = Board(terrain={"5,5": "BUILDINGS"}).top("SSp+LF@5,5").bottom("ASp@5,6")
    play = (
        board.play("HH").command("C-ADV-C").order("5,5").declare("5,5", "5,6").until("inspire", "battle_back")
    )
    assert play.question == "battle_back"
    board = Board(terrain={"5,6": "BUILDINGS"}).top("AB@5,5").bottom("SSp+LF@5,6")
    play = board.play("HH", "HH").command("C-ADV-C").order("5,5").attack("5,5", "5,6").do("5,5")
    assert play.until("inspire", "replenish").question == "replenish"


def test_cavalry_and_castles() -> None:
    # BT-TERRAIN-09: inside it does not battle at all, not even back; nobody on horseback melees into a
    # castle, but bows shoot, with one die
    board = Board(terrain={"5,6": "CASTLE"}).top("SSp@5,5").bottom("SSpC@5,6")
    play = board.play("HH").command("C-ADV-C").order("5,5").attack("5,5", "5,6")
    assert play.question == "replenish"
    board = Board(terrain={"5,5": "CASTLE"}).top("SBC@5,5").bottom("ASp@5,7")
    assert board.play().command("C-ADV-C").order("5,5").do("pass").quiet().question != "battle"
    board = Board(terrain={"5,6": "CASTLE"}).top("SSpC@5,5").bottom("SSp@5,6")
    assert board.play().command("C-ADV-C").order("5,5").do("pass").quiet().question != "battle"
    board = Board(terrain={"5,7": "CASTLE"}).top("SBC@5,5").bottom("SSp@5,7")
    assert board.play("S").command("C-ADV-C").order("5,5").attack("5,5", "5,7").at("5,7") == "bottom SSp:3"
    # Infantry in a castle is attacked by infantry; against cavalry outside it does fight.
    board = Board(terrain={"5,5": "CASTLE"}).top("SSp@5,5").bottom("SSpC@5,6")
    play = board.play("HHH").command("C-ADV-C").order("5,5").attack("5,5", "5,6")
    assert play.question == "replenish"  # cavalry does not battle back into a castle


def castle(defender: str, script: str) -> Play:
    """Infantry of the bottom army is attacked in a castle: two dice."""
    board = Board(terrain={"5,6": "CASTLE"}).top("SSp@5,5").bottom(f"{defender}@5,6")
    return board.play(script).command("C-ADV-C").order("5,5").attack("5,5", "5,6")


def test_infantry_does_not_leave_a_castle() -> None:
    # BT-TERRAIN-09, BT-R-42: one flag is ignored by itself, each other one is a hit without honor loss or
    # leader check
    play = castle("ASp", "FH")
    assert (play.at("5,6"), play.honor["bottom"], play.question) == ("bottom ASp:4", 5, "battle_back")
    play = castle("ASp", "FF")
    assert (play.at("5,6"), play.honor["bottom"]) == ("bottom ASp:3", 5)
    play = castle("LI", "FF")
    assert (play.at("5,6"), play.honor["bottom"]) == ("bottom LI:3", 5)
    play = castle("ASp:1+LF", "FF")
    assert (play.question, play.choices) == (
        "ignore_flags",
        {"1", "2"},
    )  # the leader may ignore the other one
    play.ignore(1)
    assert (play.at("5,6"), play.rolls("leader_loss"), play.banners["top"]) == ("bottom LF", [], 1)


def test_cavalry_retreats_from_a_castle() -> None:
    # BT-TERRAIN-09: only infantry holds it
    board = Board(terrain={"5,6": "CASTLE"}).top("SSp@5,5").bottom("SSpC@5,6")
    play = board.play("FF").command("C-ADV-C").order("5,5").attack("5,5", "5,6").ignore(1).do("6,6")
    assert (play.at("6,6"), play.honor["bottom"]) == ("bottom SSpC:4", 3)


@pytest.mark.parametrize("attacker", ["5,4", "5,6", "4,5", "4,6", "6,5", "6,6"])
def test_fences_protect_in_all_directions(attacker: str) -> None:
    # BT-TERRAIN-10
    board = Board(terrain={"5,5": "FENCE"}).top(f"SSp@{attacker}").bottom("SSp@5,5")
    play = board.play("HH").command("C-ADV-C").order(attacker).attack(attacker, "5,5")
    assert play.rolls("melee") == ["HH"]


@pytest.mark.parametrize(
    ("rules", "attacker", "ignores"),
    [
        ({}, "SSp", False), ({}, "SSpC", True), ({"fences_are_palisades": True}, "SSp", True),
        ({"fences_are_palisades": True}, "SSpC", True),
    ],
)  # fmt: skip
def test_fence_or_palisade(rules: dict[str, object], attacker: str, ignores: bool) -> None:
    # BT-TERRAIN-10, BT-TERRAIN-02 (flags): the tile is a fence unless the scenario says palisade; a fence
    # helps infantry against cavalry, a palisade against anybody
    board = Board(terrain={"5,5": "FENCE"}, rules=rules).top(f"{attacker}@5,4").bottom("ASp@5,5")
    play = board.play("FH").command("C-ADV-C").order("5,4").attack("5,4", "5,5")
    assert (play.question == "ignore_flags") == ignores
    board = Board(terrain={"5,5": "FENCE"}, rules=rules).top(f"{attacker}@5,4").bottom("SSpC@5,5")
    play = board.play("FF").command("C-ADV-C").order("5,4").attack("5,4", "5,5")
    assert play.choices == {"0", "1"}  # by its own rank only


def test_bridges_hold() -> None:
    # BT-TERRAIN-02 (flags): any unit ignores one flag on a bridge
    for unit in ("ASp", "LI"):
        board = Board(terrain={"5,5": "BRIDGE"}).top("AB@5,4").bottom(f"{unit}@5,5")
        play = board.play("FF").command("C-ADV-C").order("5,4").attack("5,4", "5,5")
        assert (play.question, play.choices) == ("ignore_flags", {"0", "1"})


@pytest.mark.parametrize("stands", [True, False])
def test_a_unit_in_a_gorge_obstructs(stands: bool) -> None:
    # BT-TERRAIN-11, BT-LOS-08: the gorge does not
    board = Board(terrain={"5,6": "GORGE"}).top("SB@5,5", *(["LI@5,6"] if stands else [])).bottom("ASp@5,7")
    play = board.play().command("C-ADV-C").order("5,5").do("pass").quiet()
    assert (play.question == "battle") == (not stands)


@pytest.mark.parametrize("terrain", [*PASSABLE, "RIVER"])
def test_water(terrain: str) -> None:
    # BT-TERRAIN-12: Blue Dragon rolls for units in or next to RIVER, FORD, SHALLOW and BRIDGE
    wet = terrain in {"RIVER", "FORD", "SHALLOW", "BRIDGE"}
    board = Board(terrain={"5,5": terrain}).top("ASp@0,0").bottom("ASp@5,6", "LI@5,7").dragons("top", "D-08")
    play = board.play("T" if wet else "").command("C-ADV-R")
    assert ("D-08" in play.choices) == wet
    if wet:
        assert play.do("D-08").quiet().at("5,6") == "bottom ASp:3"


@pytest.mark.parametrize("terrain", ["FOREST", "FORD", "BUILDINGS", "GORGE", "CASTLE", "FENCE", "PALISADE"])
def test_retreats_do_not_stop(terrain: str) -> None:
    # BT-TERRAIN-13: two hexes of a levy's flag through whatever lies behind it
    rear = {"6,5": terrain, "6,6": terrain}
    board = Board(terrain=rear).top("AB@4,5").bottom("LI@5,5")
    play = board.play("FH").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    assert play.choices == {"7,4", "7,5", "7,6"}
    assert play.do("7,5").at("7,5") == "bottom LI:4"


@pytest.mark.parametrize("terrain", ["BUILDINGS", "GORGE", "FENCE", "PALISADE", "FOREST", "FORD", "FIELDS"])
def test_bonus_melee_and_terrain(terrain: str) -> None:
    # BT-TERRAIN-13: "battle after entry" binds a unit that takes ground, stops do not matter
    caps = {"FOREST": 2, "FORD": 2, "BUILDINGS": 2, "GORGE": 1, "FENCE": 2, "PALISADE": 2, "FIELDS": 2}
    board = Board(terrain={"5,5": terrain}).top("SSpC@5,4").bottom("AB:1@5,5", "ASp@5,6")
    play = (
        board.play("C" * caps[terrain]).command("C-ADV-C").order("5,4").attack("5,4", "5,5").do("5,4").quiet()
    )
    assert play.at("5,5") == "top SSpC:4"
    assert (play.question == "bonus_melee") == (terrain in {"FOREST", "FORD", "FIELDS"})


def test_cards_do_not_lift_terrain() -> None:
    # BT-TERRAIN-14: Cavalry Charge stops at a wood, Katchu Keiba too, and gives no battle in buildings;
    # Haya-ji lifts stops
    ring = [f"LI@{hex_}" for hex_ in ("5,3", "4,4", "4,5", "6,4", "6,5")]
    board = Board(terrain={"5,5": "FOREST"}).top("SSpC@5,4").bottom(*ring).hand("top", "C-CAVALRY", "C-ONE-L")
    board.dragons("top", "D-18", "D-31")
    play = board.play().command("C-CAVALRY").order("5,4").do("5,4", "D-18")
    assert play.choices == {"5,4", "5,5"}
    play = board.play().command("C-CAVALRY").order("5,4").do("5,4", "D-31")
    assert {"5,6", "5,7", "5,8"} <= play.choices
    board = Board(terrain={"5,5": "BUILDINGS"}).top("SSp@5,4").bottom("ASp@5,6")
    board.hand("top", "C-ASSAULT", "C-ONE-L")
    play = board.play().command("C-ASSAULT").order("5,4").move("5,4", "5,5").quiet()
    assert play.question != "battle"


@pytest.mark.parametrize(
    ("rule", "terrain"), [("hills_impassable", "HILL"), ("buildings_impassable", "BUILDINGS")]
)
def test_impassable_hills_and_buildings(rule: str, terrain: str) -> None:
    # BT-R-59: nobody enters or retreats into them, but they obstruct sight as ever
    board = Board(terrain={"5,5": terrain}, rules={rule: True}).top("LI@5,4")
    assert "5,5" not in board.play().command("C-ADV-C").order("5,4").do("5,4").quiet().choices
    board = Board(terrain={"5,5": terrain}, rules={rule: True}).top("SB@5,4").bottom("ASp@5,6")
    assert board.play().command("C-ADV-C").order("5,4").do("pass").quiet().question != "battle"
    board = (
        Board(terrain={"5,5": terrain, "5,4": terrain}, rules={rule: True}).top("AB@3,4").bottom("ASp@4,5")
    )
    play = board.play("FH").command("C-ADV-C").order("3,4").attack("3,4", "4,5")
    assert (play.at("4,5"), play.honor["bottom"]) == ("bottom ASp:3", 5)


def test_open_ground_is_the_default() -> None:
    # BT-TERRAIN-01: where no tile lies nothing stops, caps or obstructs
    board = Board().top("SSpC@5,4").bottom("ASp@5,7")
    play = board.play("HHHH").command("C-ADV-C").order("5,4").move("5,4", "5,6").attack("5,6", "5,7")
    assert play.rolls("melee") == ["HHHH"]


@pytest.mark.parametrize("terrain", ["BUILDINGS", "GORGE", "CASTLE", "FENCE", "PALISADE", "FOREST"])
def test_bonus_melee_of_infantry_and_terrain(terrain: str) -> None:
    # BT-TERRAIN-13: infantry with a leader goes on from behind a fence, but not from buildings, a gorge or a
    # castle
    board = Board(terrain={"5,5": terrain}).top("SSp+LF@5,4").bottom("AB:1@5,5", "ASp@5,6")
    play = board.play("CC").command("C-ADV-C").order("5,4").attack("5,4", "5,5").do("5,4").quiet()
    assert play.at("5,5") == "top SSp:4+LF"
    assert (play.question == "bonus_melee") == (terrain in {"FENCE", "PALISADE", "FOREST"})


def test_caps_hold_for_who_battles_back() -> None:
    # BT-TERRAIN-01, BT-TERRAIN-04: computed anew with the roles exchanged: down from a hill 3, up the hill 2
    board = Board(terrain={"5,6": "HILL"}).top("SSp@5,5").bottom("SSp@5,6")
    play = board.play("HH", "HHH").command("C-ADV-C").order("5,5").attack("5,5", "5,6").do("5,5").quiet()
    assert play.rolls("melee", "battle_back") == ["HH", "HHH"]
    board = Board(terrain={"5,6": "FIELDS"}).top("SSpC@5,5").bottom("SSp@5,6")
    play = board.play("HH", "HHHH").command("C-ADV-C").order("5,5").attack("5,5", "5,6").do("5,5").quiet()
    assert play.rolls("melee", "battle_back") == ["HH", "HHHH"]


def test_arquebuses_far_away() -> None:
    # BT-TERRAIN-01: a cap does not raise the one die at range 4
    board = Board(terrain={"5,9": "FORD"}).top("AA@5,5").bottom("ASp@5,9")
    assert board.play("H").command("C-ADV-C").order("5,5").attack("5,5", "5,9").rolls("ranged") == ["H"]


def test_castles_that_are_buildings() -> None:
    # BT-TERRAIN-02: where a scenario treats its castle as buildings (21) cavalry does fight there, with one
    # die
    board = (
        Board(terrain={"5,5": "CASTLE"}, rules={"castle_treated_as": "buildings"})
        .top("SSpC@5,5")
        .bottom("SSp@5,6")
    )
    assert board.play("H").command("C-ADV-C").order("5,5").attack("5,5", "5,6").rolls("melee") == ["H"]
