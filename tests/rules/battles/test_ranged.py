"""Ranged combat (RANGED), step by step."""

import pytest

from rules.battles.board import Board, Play


def shot(shooter: str, target: str, faces: str, *more: str) -> Play:
    """A unit in 3,5 shoots at what stands two hexes away in 5,5."""
    return Board().top(f"{shooter}@3,5").bottom(f"{target}@5,5").fight("3,5", "5,5", faces, *more)


@pytest.mark.parametrize("unit", ["AB", "AA", "SB", "SBC"])
def test_ordered_missile_units_shoot(unit: str) -> None:
    # BT-RANGED-01: of two units that could, the one with an order
    play = Board().top(f"{unit}@3,5", f"{unit}@3,6").bottom("ASp@5,5").play().command("C-ADV-C")
    assert play.order("3,6").battlers() == {"3,6"}


@pytest.mark.parametrize("unit", ["SSp", "ASp", "LI", "SSpC"])
def test_others_do_not_shoot(unit: str) -> None:
    # BT-RANGED-01
    play = Board().top(f"{unit}@3,5").bottom("ASp@5,5").play().command("C-ADV-C").order("3,5")
    assert play.battlers() == set()


@pytest.mark.parametrize(
    ("unit", "to", "shoots"),
    [
        ("AB", "3,5", True),  # two hexes
        ("SB", "2,5", True),
        ("SBC", "3,5", True),
        ("AA", "2,5", False),
        ("AB", "3,4", False),  # into buildings
    ],
)
def test_a_move_that_is_too_long_or_ends_in_buildings_bars_shooting(unit: str, to: str, shoots: bool) -> None:
    # BT-RANGED-01: the conditions of a melee hold here too
    board = Board(terrain={"3,4": "BUILDINGS"}).top(f"{unit}@1,5").bottom("ASp@5,5")
    play = board.play().command("C-ADV-C").order("1,5").move("1,5", to)
    assert play.battlers() == ({to} if shoots else set())


def test_cavalry_does_not_shoot_out_of_a_castle() -> None:
    # BT-RANGED-01
    for unit, shoots in (("SBC", set()), ("SB", {"3,5"})):
        board = Board(terrain={"3,5": "CASTLE"}).top(f"{unit}@3,5").bottom("ASp@5,5")
        assert board.play().command("C-ADV-C").order("3,5").battlers() == shoots


def test_a_bodyguard_is_never_shot_at() -> None:
    # BT-RANGED-01, BT-ARMY-COMMANDER-07: of three enemies in range, the two others
    board = Board(tents={"bottom": "5,5"}).top("AB@3,5").bottom("AC+BG@5,5", "ASp@5,4", "LF@5,6")
    play = board.play().command("C-ADV-C").order("3,5").do("pass", "3,5")
    assert (play.question, play.choices) == ("target", {"5,4", "5,6"})


def test_next_to_an_enemy_a_missile_unit_melees_or_does_not_battle() -> None:
    # BT-RANGED-02, BT-R-28: a lone leader next to it is enough
    for first, second in (("ASp@4,5", "ASp@3,4"), ("LF@4,5", "LM@3,4")):
        play = Board().top("AB@3,5").bottom(first, second, "ASp@5,6").play()
        play.command("C-ADV-C").order("3,5").do("pass", "3,5")
        assert (play.question, play.choices) == ("target", {"4,5", "3,4"})


def test_without_a_neighbour_it_shoots() -> None:
    # BT-RANGED-02: the same enemies one hex farther
    play = Board().top("AB@3,5").bottom("LF@5,5", "LM@3,3", "ASp@5,6").play()
    play.command("C-ADV-C").order("3,5").do("pass", "3,5")
    assert (play.question, play.choices) == ("target", {"5,5", "3,3", "5,6"})


def test_a_unit_battles_once_and_against_one_target() -> None:
    # BT-RANGED-03: both dice on the first target; then nobody is left who may battle
    play = Board().top("AB@3,5").bottom("ASp@5,5", "ASp@5,6").fight("3,5", "5,5", "TT")
    assert (play.at("5,5"), play.at("5,6")) == ("bottom ASp:2", "bottom ASp:4")
    assert play.question == "replenish"


def test_a_unit_that_has_shot_does_not_melee() -> None:
    # BT-RANGED-03: the enemy, shot at from behind, retreats up to the shooter
    play = Board().top("AB@6,5").bottom("ASp@4,5").fight("6,5", "4,5", "FC").do("5,5")
    assert play.at("5,5") == "bottom ASp:4"
    assert play.question == "replenish"


@pytest.mark.parametrize(
    ("unit", "by_range", "moved"),
    [
        ("SB", {2: 3, 3: 3}, 1),
        ("AB", {2: 2, 3: 2}, 1),
        ("AA", {2: 2, 3: 2, 4: 1}, None),
        ("SBC", {2: 3, 3: 3}, 1),
    ],
)
def test_dice_depend_on_range_and_moving(unit: str, by_range: dict[int, int], moved: int | None) -> None:
    # BT-RANGED-04, BT-RANGED-05: the target's hex counts, the shooter's does not
    targets = {2: "5,5", 3: "6,5", 4: "7,5", 5: "8,5"}
    for distance, target in targets.items():
        board = Board().top(f"{unit}@3,5").bottom(f"LI@{target}")
        if distance in by_range:
            dice = "S" * by_range[distance]
            assert board.fight("3,5", target, dice).rolls("ranged") == [dice]
        else:
            assert board.play().command("C-ADV-C").order("3,5").battlers() == set()
    if moved:
        board = Board().top(f"{unit}@2,5").bottom("LI@5,5")
        play = board.play("S" * moved).command("C-ADV-C").order("2,5").move("2,5", "3,5")
        assert play.attack("3,5", "5,5").rolls("ranged") == ["S" * moved]


def test_range_and_line_of_sight_choose_the_targets() -> None:
    # BT-RANGED-05: 5,5 in the way of 7,5 and a forest in the way of 3,2; 8,8 is five hexes away
    board = Board(terrain={"3,3": "FOREST"}).top("AA@3,5")
    play = board.bottom("ASp@5,5", "ASp@7,5", "ASp@3,2", "ASp@8,8", "ASp@3,8", "ASp@3,9").play()
    play.command("C-ADV-C").order("3,5").do("pass", "3,5")
    assert play.choices == {"5,5", "3,8"}


@pytest.mark.parametrize(
    ("shooter", "target", "dice"),
    [
        ("OPEN", "OPEN", 3),
        ("FOREST", "OPEN", 2),
        ("OPEN", "FOREST", 1),
        ("FORD", "OPEN", 1),
        ("OPEN", "FORD", 2),
        ("FOREST", "GORGE", 1),
        ("FORD", "FENCE", 1),
        ("FENCE", "FORD", 2),
    ],
)
def test_the_lowest_cap_of_both_hexes_holds(shooter: str, target: str, dice: int) -> None:
    # BT-RANGED-06
    board = Board(terrain={"3,5": shooter, "5,5": target}).top("SB@3,5").bottom("ASp@5,5")
    assert board.fight("3,5", "5,5", "S" * dice).rolls("ranged") == ["S" * dice]


def test_dice_of_cards_come_after_the_caps() -> None:
    # BT-RANGED-07: one die into a forest, one more by Fire Arrows, one more by Shogun
    board = (
        Board(terrain={"5,5": "FOREST"}).top("SB@3,5").bottom("ASp@5,5").hand("top", "C-SHOGUN", "C-ADV-C")
    )
    plain = board.play("C").command("C-ADV-C").order("3,5").attack("3,5", "5,5")
    assert plain.rolls("ranged") == ["C"]
    play = board.dragons("top", "D-12").play("SX", "CCC").command("C-SHOGUN", "D-12").order("3,5")
    assert play.attack("3,5", "5,5").rolls("ranged") == ["CCC"]


def test_shooting_is_not_inspired() -> None:
    # BT-RANGED-07, BT-INSPIRE-04: the dice fall without a question
    play = Board().top("SB+LF@3,5", "LM@2,5").bottom("ASp@5,5").play("SSS").command("C-ADV-C").order("3,5")
    play.do("pass", "3,5")
    assert play.rolls("ranged") == ["SSS"]
    assert (play.question, play.honor["top"]) == ("replenish", 5)


def test_windows_of_a_shot() -> None:
    # BT-RANGED-08: the shooter's side, its opponent, the dice, and the opponent again before anything happens
    board = Board().top("AB@3,5").bottom("ASp@5,5").dragons("top", "D-14").dragons("bottom", "D-15", "D-30")
    play = board.play("TT").command("C-ADV-C").order("3,5").do("pass", "3,5")
    seen = []
    while play.question == "window":
        seen.append((play.asked, play.window, play.choices - {"pass"}, play.rolls()))
        play.do("pass")
    assert seen == [
        ("top", "W-PRE-R", {"D-14"}, []),
        ("bottom", "W-PRE-O", {"D-15"}, []),
        ("bottom", "W-POST-O", {"D-30"}, ["TT"]),
    ]
    assert play.at("5,5") == "bottom ASp:2"


def test_volleys_are_rolled_again_before_the_last_window() -> None:
    # BT-RANGED-08: both X count, and the die that one of them brought
    board = Board().top("AA@3,5").bottom("ASp@5,5").dragons("top", "D-16").dragons("bottom", "D-30")
    play = board.play("XXC", "TC").command("C-ADV-C", "D-16").order("3,5").do("pass", "3,5").until("W-POST-O")
    assert (play.rolls(), play.at("5,5")) == (["XXC", "TC"], "bottom ASp:4")
    assert play.do("pass").at("5,5") == "bottom ASp:1"


@pytest.mark.parametrize(
    ("shooter", "target", "faces", "left"),
    [
        ("AB", "ASp", "TX", 3),
        ("AB", "SSp", "TX", 4),
        ("SB", "SSp", "SXT", 3),
        ("SBC", "LI", "CCX", 2),
        ("AA", "ASp", "TX", 2),
        ("AA", "SSp", "XX", 2),
        ("AA", "SSpC", "XX", 2),
        ("SB", "SSpC", "SSS", 1),
    ],
)
def test_hits(shooter: str, target: str, faces: str, left: int) -> None:
    # BT-RANGED-09: the target's symbol; X for arquebuses only, and nothing is ignored
    assert shot(shooter, target, faces).at("5,5") == f"bottom {target}:{left}"


def test_the_last_block_is_a_banner_and_excess_hits_are_lost() -> None:
    # BT-RANGED-09
    play = shot("SB", "SSp:2", "SSS")
    assert (play.at("5,5"), play.banners) == (None, {"top": 1, "bottom": 0})
    assert play.events("blocks_lost") == [
        {
            "event": "blocks_lost",
            "side": "bottom",
            "hex": "5,5",
            "unit": "SSp",
            "lost": 2,
            "left": 0,
            "why": "hits",
        }
    ]


@pytest.mark.parametrize(
    ("shooter", "target", "faces", "gained"),
    [("AB", "ASp", "HH", 2), ("SB", "LI", "HHC", 2), ("SBC", "AB", "HHH", 3), ("AA", "ASp", "HH", 0)],
)
def test_bows_collect_honor(shooter: str, target: str, faces: str, gained: int) -> None:
    # BT-RANGED-10, BT-HONOR-02, BT-HONOR-03: against levies and lower ranks as well; arquebuses none
    assert shot(shooter, target, faces).honor == {"top": 5 + gained, "bottom": 5}


def test_the_leader_of_the_target_is_checked() -> None:
    # BT-RANGED-11
    play = shot("AB", "ASp+LF", "TC", "XX")
    assert (play.at("5,5"), play.banners["top"]) == ("bottom ASp:3", 1)
    assert shot("AB", "ASp+LF", "SC").rolls("leader_loss") == []


def test_flags_come_after_hits_and_checks() -> None:
    # BT-RANGED-12
    play = shot("AB", "ASp+LF", "TF", "CX").ignore(0).do("6,5")
    assert play.course("ranged", "blocks_lost", "leader_loss", "flags", "retreated") == [
        "ranged",
        "blocks_lost",
        "leader_loss",
        "flags",
        "retreated",
    ]
    assert play.at("6,5") == "bottom ASp:3+LF"


def test_nobody_battles_back_and_nobody_takes_ground() -> None:
    # BT-RANGED-13: neither is asked, the turn is over
    survived = shot("AB", "ASp", "TC")
    assert (survived.at("5,5"), survived.question) == ("bottom ASp:3", "replenish")
    fell = shot("AB", "ASp:1", "TC")
    assert (fell.at("5,5"), fell.at("3,5"), fell.question) == (None, "top AB:4", "replenish")


def test_shooting_a_lone_leader() -> None:
    # BT-RANGED-14, BT-LEADERS-20, BT-LEADERS-21, BT-LEADERS-22
    fell = shot("AB", "LF", "XC")
    assert (fell.at("5,5"), fell.banners["top"], fell.rolls("leader_loss")) == (None, 1, [])
    stood = shot("AB", "LF", "FC")
    assert (stood.asked, stood.question) == ("bottom", "leader_fate")
    assert stood.choices >= {"seppuku", "6,5", "8,5"}
