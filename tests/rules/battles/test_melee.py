"""Melee (MELEE): who fights whom, how many dice are rolled, and what they do."""

import pytest

from rules.battles.board import Board, Play, Side


def melee(attacker: str, defender: str, *script: str) -> Play:
    """A unit in 4,5 attacks its neighbour in 5,5."""
    return Board().top(f"{attacker}@4,5").bottom(f"{defender}@5,5").fight("4,5", "5,5", *script)


def windows(play: Play) -> list[tuple[Side | None, str | None, list[str]]]:
    """Passes windows and inspiring: who was asked for what, after which rolls."""
    seen = []
    while play.question in ("window", "inspire"):
        seen.append((play.asked, play.window or play.question, play.rolls()))
        play.do("pass")
    return seen


@pytest.mark.parametrize("target", ["3,4", "3,5", "4,4", "4,6", "5,4", "5,5"])
def test_a_neighbour_in_any_direction_is_attacked(target: str) -> None:
    # BT-MELEE-01: of two units with the same neighbour, the one with an order
    around = ["3,4", "3,5", "4,4", "4,6", "5,4", "5,5"]
    board = Board().top("ASp@4,5").bottom(*(f"LI@{hex_}" for hex_ in around), "SSp@6,5")
    play = board.play("CTT").command("C-ADV-C").order("4,5")
    assert play.battlers() == {"4,5"}
    play.do("4,5")
    assert play.choices == set(around)
    assert play.do(target).quiet().at(target) == "bottom LI:3"


def test_only_ordered_units_attack() -> None:
    # BT-MELEE-01
    play = Board().top("ASp@4,5", "ASp@5,4").bottom("LI@5,5").play().command("C-ADV-C").order("5,4")
    assert play.battlers() == {"5,4"}


@pytest.mark.parametrize(
    ("unit", "to", "attacks"),
    [
        ("ASp", "3,5", True),
        ("ASp", "4,5", False),  # two hexes
        ("LI", "4,5", True),
        ("AA", "3,5", False),
        ("SSpC", "4,5", True),
        ("SSp", "3,5", True),
        ("SSp", "3,4", False),  # into buildings
        ("SSpC", "3,6", False),  # over a fence
        ("SSp", "3,6", True),
    ],
)
def test_a_move_that_is_too_long_or_ends_badly_bars_the_attack(unit: str, to: str, attacks: bool) -> None:
    # BT-MELEE-01: a unit at 4,6 is next to 3,5, 3,6 and 4,5
    start = "2,6" if to == "3,6" else "2,5"
    board = (
        Board(terrain={"3,4": "BUILDINGS", "3,6": "FENCE"}).top(f"{unit}@{start}").bottom("LI@4,6", "LI@4,4")
    )
    play = board.play().command("C-ADV-C").order(start).move(start, to)
    assert play.battlers() == ({to} if attacks else set())


@pytest.mark.parametrize(("unit", "attacks"), [("SSpC", False), ("SSp", True)])
@pytest.mark.parametrize("castle", ["4,5", "5,5"])
def test_cavalry_fights_neither_from_a_castle_nor_against_one(unit: str, attacks: bool, castle: str) -> None:
    # BT-MELEE-01
    board = Board(terrain={castle: "CASTLE"}).top(f"{unit}@4,5").bottom("LI@5,5")
    assert board.play().command("C-ADV-C").order("4,5").battlers() == ({"4,5"} if attacks else set())


def test_several_units_attack_the_same_enemy_one_after_the_other() -> None:
    # BT-MELEE-02, BT-MELEE-14: each attack is a roll of its own with its own battle back
    board = Board().top("ASp@4,5", "ASp@5,4").bottom("SSp@5,5")
    play = board.play("SCC", "HHHH", "SCC").command("C-ADV-C").order("4,5", "5,4").attack("4,5", "5,5")
    assert (play.question, play.at("5,5")) == ("battle_back", "bottom SSp:3")
    play.do("4,5").quiet()
    assert play.battlers() == {"5,4"}
    assert play.attack("5,4", "5,5").at("5,5") == "bottom SSp:2"
    assert [event["from"] for event in play.events("attack")] == [["4,5"], ["5,4"]]


def test_windows_before_the_first_roll() -> None:
    # BT-MELEE-03: the challenge, for the attacker first, then the first strike; nothing has been rolled yet
    board = Board().top("ASp+LF@4,5").bottom("SSp+LF@5,5").dragons("top", "D-22").dragons("bottom", "D-07")
    play = board.play("CCC", "CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    assert windows(play)[:3] == [
        ("top", "W-MELEE-START", []),
        ("bottom", "W-MELEE-START", []),
        ("bottom", "W-FIRST", []),
    ]
    play.do("4,5").quiet()


def test_no_challenge_where_a_leader_is_missing() -> None:
    # BT-MELEE-03
    board = Board().top("ASp@4,5").bottom("SSp+LF@5,5").dragons("top", "D-22").dragons("bottom", "D-07")
    play = board.play("CCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    assert windows(play)[0] == ("bottom", "W-FIRST", [])


@pytest.mark.parametrize(
    ("unit", "own", "other", "dice"),
    [
        ("SSp", "OPEN", "OPEN", 4),
        ("SSp", "FOREST", "OPEN", 2),
        ("SSp", "OPEN", "HILL", 2),
        ("SSp", "HILL", "OPEN", 3),
        ("SSp", "HILL", "HILL", 3),
        ("SSp", "HILL", "FOREST", 2),
        ("SSp", "OPEN", "FIELDS", 4),
        ("SSpC", "OPEN", "FIELDS", 2),
        ("SSpC", "FIELDS", "OPEN", 2),
        ("SSp", "BUILDINGS", "OPEN", 2),
        ("SSpC", "BUILDINGS", "OPEN", 1),
        ("SSp", "FOREST", "GORGE", 2),
        ("SSpC", "FOREST", "GORGE", 1),
        ("LI", "CASTLE", "OPEN", 2),
        ("SSp", "CASTLE", "OPEN", 3),
    ],
)
def test_the_lowest_cap_of_both_hexes_holds(unit: str, own: str, other: str, dice: int) -> None:
    # BT-MELEE-04
    board = Board(terrain={"4,5": own, "5,5": other}).top(f"{unit}@4,5").bottom("AB@5,5")
    assert board.fight("4,5", "5,5", "T" * dice).rolls("melee") == ["T" * dice]


def desperate_charge() -> Board:
    """The last block of cavalry in a forest, with its leader, charges."""
    board = Board(terrain={"4,5": "FOREST"}).top("SSpC:1+LM@4,5").bottom("AB@5,5")
    return board.hand("top", "C-CAVALRY", "C-ADV-C").dragons("top", "D-10").dragons("bottom", "D-25")


def test_dice_beyond_the_caps() -> None:
    # BT-MELEE-05: 2 in the forest, 1 inspired, 1 by Cavalry Charge, 2 by Desperate Charge
    play = desperate_charge().play("TTTTTT").command("C-CAVALRY").order("4,5").declare("4,5", "5,5")
    assert play.do("yes", "D-10").quiet().rolls("melee") == ["TTTTTT"]


def test_aikido_comes_last() -> None:
    # BT-MELEE-05
    play = desperate_charge().play("TT").command("C-CAVALRY").order("4,5").declare("4,5", "5,5")
    assert play.do("yes", "D-10", "D-25").quiet().rolls("melee") == ["TT"]


def test_inspiring_and_windows_around_a_roll() -> None:
    # DP-15, BT-MELEE-05, BT-MELEE-06: nothing is applied before the last window
    board = Board().top("ASp+LF@4,5").bottom("SSp+LF@5,5").dragons("top", "D-32").dragons("bottom", "D-02a")
    play = board.play("SCC", "C").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    play.until("inspire")
    assert windows(play) == [
        ("top", "inspire", []),
        ("top", "W-PRE-R", []),
        ("bottom", "W-PRE-O", []),
        ("top", "W-POST-R", ["SCC"]),
        ("bottom", "W-POST-O", ["SCC"]),
    ]
    assert play.course("melee", "blocks_lost", "leader_loss") == ["melee", "blocks_lost", "leader_loss"]


def test_a_bodyguard_rolls_its_swords_again_before_the_windows() -> None:
    # BT-MELEE-06, BT-ARMY-COMMANDER-05
    board = Board(tents={"top": "4,5"}).top("AC+BG:2@4,5").bottom("ASp@5,5").dragons("top", "D-32")
    play = board.play("XC", "T").command("C-ADV-C").order("4,5").declare("4,5", "5,5").until("W-POST-R")
    assert (play.rolls(), play.at("5,5")) == (["XC", "T"], "bottom ASp:4")
    assert play.do("pass").quiet().at("5,5") == "bottom ASp:2"


@pytest.mark.parametrize(
    ("attacker", "defender", "faces", "left"),
    [
        ("SSp", "ASp", "TXSC", 2),
        ("SSp", "AB", "CCXT", 1),
        ("SSpC", "SSp", "SSTC", 2),
        ("ASp", "SSp", "STC", 3),
        ("ASp", "ASp", "TXX", 1),
    ],
)
def test_hits(attacker: str, defender: str, faces: str, left: int) -> None:
    # BT-MELEE-07: the defender's symbol, and swords
    assert melee(attacker, defender, faces).at("5,5") == f"bottom {defender}:{left}"


def test_the_last_block_is_a_banner_and_excess_hits_are_lost() -> None:
    # BT-MELEE-07
    play = melee("SSp", "ASp:1", "TTXX")
    assert (play.at("5,5"), play.banners) == (None, {"top": 1, "bottom": 0})
    assert [event["lost"] for event in play.events("blocks_lost")] == [1]


def test_the_last_bodyguard_is_no_banner() -> None:
    # BT-MELEE-07
    board = Board(tents={"bottom": "5,5"}).top("SSp@4,5").bottom("AC+BG:1@5,5")
    play = board.fight("4,5", "5,5", "XXCC", "CC")
    assert (play.at("5,5"), play.banners["top"], play.question) == ("bottom LF", 0, "leader_fate")


def test_swords_and_nothing_else_hit_a_bodyguard() -> None:
    # BT-MELEE-08: those of levies, too, and none is ignored
    board = Board(tents={"bottom": "5,5"}).bottom("AC+BG@5,5")
    assert board.top("SSp@4,5", "LI@5,4").fight("4,5", "5,5", "STCX", "CC").at("5,5") == "bottom BG:3+AC"
    assert board.fight("5,4", "5,5", "XX", "CC").at("5,5") == "bottom BG:2+AC"


def test_nobody_ignores_swords_of_a_bodyguard() -> None:
    # BT-MELEE-08
    board = Board(tents={"top": "4,5"}).top("AC+BG:2@4,5").bottom("SSpC@5,5")
    assert board.fight("4,5", "5,5", "XX", "TC").at("5,5") == "bottom SSpC:2"


def test_melee_against_a_lone_leader() -> None:
    # BT-MELEE-09, BT-LEADERS-20, BT-LEADERS-22: levies may do it, no rank protects a leader
    fell = melee("LI", "LM", "XC")
    assert (fell.at("5,5"), fell.banners["top"]) == (None, 1)
    stood = melee("SSp", "LM", "CTSF")
    assert (stood.asked, stood.question, stood.banners["top"]) == ("bottom", "leader_fate", 0)


IGNORED = {"S": {"S": 0, "T": 1, "C": 2}, "T": {"S": 0, "T": 0, "C": 1}, "C": {"S": 0, "T": 0, "C": 0}}
"""Swords that a foot unit ignores, by its symbol and that of the unit that hits it."""


@pytest.mark.parametrize("hit", ["SSp", "SB", "ASp", "AB", "AA", "LI", "SSpC", "SBC"])
@pytest.mark.parametrize(
    ("by", "symbol", "dice"),
    [("SSp", "S", 4), ("SB", "S", 3), ("ASp", "T", 3), ("AB", "C", 2), ("AA", "C", 2), ("LI", "C", 2)]
    + [("SSpC", "S", 4), ("SBC", "S", 3)],
)
def test_ignored_swords(hit: str, by: str, symbol: str, dice: int) -> None:
    # BT-MELEE-10, BT-MELEE-08: circle units make a Desperate Charge, so that 4 swords are rolled
    cavalry = hit in ("SSpC", "SBC")
    rank = {"ASp": "T", "AB": "C", "AA": "C", "LI": "C"}.get(hit, "S")
    ignored = IGNORED[rank][symbol] + (cavalry and by not in ("SSpC", "SBC"))
    desperate = symbol == "C"
    board = (
        Board().top(f"{by}:1@4,5" if desperate else f"{by}@4,5").bottom(f"{hit}@5,5").dragons("top", "D-10")
    )
    play = board.play("X" * (dice + 2 * desperate)).command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    if desperate:
        play.do("D-10")
    left = 4 - (dice + 2 * desperate - ignored)
    assert play.quiet().at("5,5") == (f"bottom {hit}:{left}" if left else None)


@pytest.mark.parametrize(
    ("roller", "other", "gained"),
    [
        ("SSp", "SSp", 2),
        ("SSp", "ASp", 2),
        ("ASp", "AA", 2),
        ("AA", "SSp", 2),
        ("SSpC", "SSp", 2),
        ("SSpC", "SBC", 2),
        ("SSpC", "ASp", 0),
        ("SBC", "AB", 0),
        ("SSp", "LI", 0),
        ("LI", "LI", 0),
        ("LI", "ASp", 2),
    ],
)
def test_honor_collected(roller: str, other: str, gained: int) -> None:
    # BT-MELEE-11, BT-R-34: the same for an attack, a battle back and a first strike
    hits_nothing = {"SSp": "T", "SBC": "T", "AA": "S", "AB": "S", "LI": "S", "ASp": "S"}[other]
    dice = {"SSp": 4, "SSpC": 4, "ASp": 3, "SBC": 3}
    faces = "HH" + hits_nothing * (dice.get(roller, 2) - 2)
    before = ("T" if roller in ("SSp", "SBC", "SSpC") else "S") * dice.get(other, 2)
    assert melee(roller, other, faces).honor == {"top": 5 + gained, "bottom": 5}
    back = melee(other, roller, before, faces).do("4,5").quiet()
    assert back.honor == {"top": 5, "bottom": 5 + gained}
    board = Board().top(f"{other}@4,5").bottom(f"{roller}@5,5").hand("bottom", "C-FIRST", "C-ADV-C")
    play = board.play(faces, before).command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    assert play.do("C-FIRST").quiet().honor == {"top": 5, "bottom": 5 + gained}


@pytest.mark.parametrize(("faces", "gained"), [("TTTTT", 0), ("HTTTT", 0), ("HHTTT", 1), ("HHHTT", 2)])
def test_an_inspired_roll_collects_one_less(faces: str, gained: int) -> None:
    # BT-MELEE-11, BT-INSPIRE-06: one honor was paid
    board = Board().top("SSp+LF@4,5").bottom("SSp@5,5")
    play = board.play(faces).command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("yes").quiet()
    assert play.honor["top"] == 5 - 1 + gained


def test_the_leader_of_the_unit_hit_is_checked() -> None:
    # BT-MELEE-12
    fell = melee("SSp", "ASp+LF", "TCCC", "X")
    assert (fell.at("5,5"), fell.banners["top"]) == ("bottom ASp:3", 1)
    assert melee("SSp", "ASp+LF", "TCCC", "C").at("5,5") == "bottom ASp:3+LF"
    assert melee("SSp", "ASp+LF", "CCCC").rolls("leader_loss") == []


def test_results_come_in_order() -> None:
    # BT-MELEE-13, BT-MELEE-15: blocks, honor, leader check, flags
    play = melee("SSp", "ASp+LF", "THFC", "C").ignore(0).do("6,5")
    course = play.course("melee", "blocks_lost", "honor", "leader_loss", "flags", "retreated")
    assert course == ["melee", "blocks_lost", "honor", "leader_loss", "flags", "retreated", "honor"]
    assert [event["side"] for event in play.events("honor")] == ["top", "bottom"]
    assert play.at("6,5") == "bottom ASp:3+LF"


def test_a_leader_left_alone_goes_before_the_attacker_goes_on() -> None:
    # BT-MELEE-15, BT-MELEE-16: honor is collected, he survives the check and retreats; no flags
    play = melee("SSp", "ASp:1+LF", "THFF", "C")
    assert (play.question, play.asked, play.honor["top"]) == ("leader_fate", "bottom", 6)
    play.do("8,5")
    assert (play.question, play.asked) == ("take_ground", "top")
    assert play.events("flags") == []


def test_either_ground_or_battle_back() -> None:
    # BT-MELEE-14
    assert melee("SSp", "ASp", "TCCC").question == "battle_back"
    retreated = melee("SSp", "ASp", "FCCC").do("6,5")
    assert retreated.question == "take_ground"
    retreated.do("4,5")
    assert (retreated.at("5,5"), retreated.question) == ("top SSp:4", "replenish")


def test_flags_against_an_eliminated_unit_are_void() -> None:
    # BT-MELEE-16: no honor is lost either
    play = melee("SSp", "ASp:1", "TFFF")
    assert (play.question, play.honor["bottom"], play.events("flags")) == ("take_ground", 5, [])


def test_swords_of_a_charge_are_ignored_once() -> None:
    # BT-R-35: 2 of the 4 by samurai, not 2 for each levy
    board = Board().top("LI@4,5", "LI@5,4").bottom("SSp@5,5")
    play = board.play("XXXX").command("C-ADV-C").order("4,5", "5,4").attack("4,5", "5,5", "5,4")
    assert play.at("5,5") == "bottom SSp:2"
