"""Strikes with scripted faces: one combat by the rules, roll by roll."""

import pytest

from rules.battles.strikes import dice, end, fight
from sengoku.battles import Piece, Strike

# --- dice ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("SSp", 4), ("SB", 3), ("ASp", 3), ("AB", 2), ("AA", 2), ("LI", 2), ("SSpC", 4), ("SBC", 3), ("BG", 4)],
)
def test_melee_dice(kind: str, expected: int) -> None:
    # BT-UNITS-01, BT-MELEE-03; casualties change nothing, BT-UNITS-02, but for the BG, BT-ARMY-COMMANDER-04
    assert dice(Strike(kind, "LI", battle_back=False)) == expected
    assert dice(Strike(Piece(kind, 1), "LI", battle_back=False)) == (1 if kind == "BG" else expected)


@pytest.mark.parametrize(
    ("kind", "distance", "moved", "expected"),
    [
        ("SB", 2, False, 3),
        ("SB", 3, True, 1),
        ("AB", 3, False, 2),
        ("AB", 2, True, 1),
        ("AA", 3, False, 2),
        ("AA", 4, False, 1),
        ("SBC", 2, False, 3),
        ("SBC", 2, True, 1),
    ],
)
def test_ranged_dice(kind: str, distance: int, moved: bool, expected: int) -> None:
    # BT-UNITS-01, BT-RANGED-04, BT-R-06, BT-R-07, BT-R-08
    assert dice(Strike(kind, "LI", ranged=True, distance=distance, moved=moved)) == expected


@pytest.mark.parametrize(
    ("attacker", "defender", "expected"),
    [
        (Piece("SSp", terrain="hill"), "open", 3),
        (Piece("SSp", terrain="hill"), "hill", 3),  # BT-TERRAIN-04
        (Piece("SSp"), "hill", 2),
        (Piece("SSp", terrain="forest"), "gorge", 2),
        (Piece("SSp", terrain="gorge"), "forest", 1),
        (Piece("SSpC"), "gorge", 1),  # BT-R-56
        (Piece("SSpC"), "fields", 2),  # BT-R-57
        (Piece("SSp", terrain="fields"), "fields", 4),
        (Piece("SSpC", terrain="buildings"), "open", 1),
        (Piece("SSp", terrain="castle"), "open", 3),
        (Piece("SSp"), "castle", 2),
        (Piece("SSp"), "palisade", 2),
        (Piece("BG"), "forest", 2),  # BT-TERRAIN-03: a bodyguard as infantry
    ],
)
def test_terrain_caps_the_dice(attacker: Piece, defender: str, expected: int) -> None:
    # BT-MELEE-04, BT-TERRAIN-01, BT-TERRAIN-02
    strike = Strike(attacker, "LI", terrain=defender, battle_back=False)
    assert dice(strike) == expected
    # BT-MELEE-05: what cards add is not capped
    assert dice(Strike(attacker, "LI", terrain=defender, battle_back=False, dice_bonus=2)) == expected + 2


def test_terrain_caps_shots() -> None:
    # BT-RANGED-06, BT-RANGED-07, BT-R-54, BT-R-55, BT-TERRAIN-09
    def shot(start: str, goal: str, **more: object) -> int:
        return dice(Strike(Piece("SB", terrain=start), "LI", ranged=True, terrain=goal, **more))

    assert shot("open", "forest") == 1
    assert shot("forest", "open") == 2
    assert shot("ford", "open") == 1
    assert shot("open", "ford") == 2
    assert shot("hill", "hill") == 3
    assert shot("open", "forest", attacker_cards=["fire_arrows", "shogun"]) == 3
    assert dice(Strike("SBC", "LI", ranged=True, terrain="castle")) == 1


def test_dice_of_cards() -> None:
    # BT-CMD-01, BT-CMD-60, BT-DRAGON-10, BT-DRAGON-21; BT-BATTLEBACK-05: they help the attack only
    def melee(kind: str, *cards: str, what: str = "attack") -> int:
        return dice(Strike(kind, kind, attacker_cards=cards), what)

    assert melee("SSpC", "cavalry_charge") == 5
    assert melee("SSpC", "cavalry_charge", what="battle_back") == 4
    assert melee("SB", "shogun") == 4
    assert melee("ASp", "ashigaru_attack") == 4
    assert dice(Strike("AB", "LI", ranged=True, attacker_cards=["fire_arrows"])) == 3
    # BT-DRAGON-19: one block, attacking or battling back
    assert dice(Strike(Piece("AB", 1), "SSp", attacker_cards=["desperate_charge"])) == 4
    assert dice(Strike(Piece("AB", 2), "SSp", attacker_cards=["desperate_charge"])) == 2
    back = Strike("SSp", Piece("ASp", 2), defender_cards=["desperate_charge"])
    assert len(fight(back, "THHH HHHHH").steps[-2].faces) == 5
    # BT-DRAGON-34, BT-DRAGON-50: two dice, whatever is added
    aikido = Strike("SSpC", "LI", attacker_cards=["cavalry_charge"], defender_cards=["aikido_training"])
    assert dice(aikido) == 2
    # BT-DRAGON-38: as many as were rolled, no caps
    vengeance = Strike("SSp", Piece("AB", terrain="gorge"), dice_bonus=2, defender_cards=["vengeance"])
    assert (dice(vengeance), dice(vengeance, "battle_back")) == (4, 4)


def test_inspiring() -> None:
    # BT-INSPIRE-01, BT-INSPIRE-02, BT-INSPIRE-06, BT-MELEE-11: a die more for an honor, and an H less
    led = Piece("ASp", leader="LF", inspire=True)
    inspired = Strike(led, "SSp", battle_back=False)
    assert dice(inspired) == 4
    assert end(inspired, "HHHH").attacker_honor == -1 + 3
    # BT-INSPIRE-04: attack and battle back, not from afar
    assert dice(Strike("SSp", led), "battle_back") == 4
    assert dice(Strike(Piece("AB", leader="LF", inspire=True), "LI", ranged=True)) == 2
    # BT-INSPIRE-05, BT-TERRAIN-08
    assert dice(Strike(Piece("ASp", leader="LF", inspire=True, terrain="buildings"), "SSp")) == 2
    # BT-INSPIRE-07
    assert dice(Strike(led, "SSp", attacker_honor=0)) == 3
    # BT-INSPIRE-01, BT-ARMY-COMMANDER-11: from an adjacent hex, and the bodyguard by its commander
    assert dice(Strike(Piece("ASp", adjacent_leader=True, inspire=True), "SSp")) == 4
    assert dice(Strike(Piece("BG", inspire=True), "SSp")) == 5
    # a leader who fell no longer inspires: BT-LEADER-LOSS-10
    fallen = fight(Strike("SSp", led), "THHH X HHH")
    assert [step.what for step in fallen.steps].count("inspire") == 0


# --- hits and honor -----------------------------------------------------------------------------------------


def test_swords_that_do_not_count() -> None:
    # BT-MELEE-07, BT-MELEE-08, BT-MELEE-10, BT-EX-05, BT-UNITS-08
    def blocks(attacker: str, defender: str, faces: str) -> int:
        strike = Strike(attacker, defender, dice_bonus=len(faces) - 2, battle_back=False)
        return 4 - end(strike, faces).defender_blocks

    assert blocks("LI", "SSpC", "XXXX") == 1
    assert blocks("AB", "SSp", "XXX") == 1
    assert blocks("AA", "ASp", "XX") == 1
    assert blocks("LI", "AB", "XX") == 2
    assert blocks("LI", "SSpC", "SX") == 1  # a symbol always hits
    assert end(Strike("SSp", "SSpC", battle_back=False), "XXHH").defender_blocks == 3  # stature
    assert end(Strike("SSpC", "SSpC", battle_back=False), "XXHH").defender_blocks == 2
    assert end(Strike("SSp", Piece("LI", 2)), "XXCC").defender_blocks == 0  # excess hits are lost


def test_honor_faces() -> None:
    # BT-MELEE-11, BT-R-34, BT-RANGED-10, BT-HONOR-02
    def honor(attacker: str, defender: str, faces: str, **more: object) -> int:
        return end(Strike(attacker, defender, battle_back=False, **more), faces).attacker_honor

    assert honor("SSp", "ASp", "HHHH") == 4
    assert honor("SSpC", "ASp", "HHHH") == 0
    assert honor("SSpC", "SSp", "HHHH") == 4
    assert honor("SSp", "LI", "HHHH") == 0
    assert honor("AB", "LI", "HH", ranged=True) == 2
    assert honor("SBC", "ASp", "HHH", ranged=True) == 3
    assert honor("AA", "SSp", "HH", ranged=True) == 0
    # a unit that battles back is bound alike
    back = Strike("ASp", "SSpC")
    assert end(back, "CCC HHHH").defender_honor == 0
    # BT-HONOR-01: no more than the pool has
    assert honor("SSp", "ASp", "HHHH", pool=1) == 1


def test_shots() -> None:
    # BT-RANGED-09, BT-UNITS-06, BT-RANGED-13: bows hit by the symbol, arquebuses also by swords
    bows, guns = Strike("SB", "SSp", ranged=True), Strike("AA", "SSp", ranged=True)
    assert end(bows, "SXX").defender_blocks == 3
    assert end(guns, "SX").defender_blocks == 2
    # BT-DRAGON-25, BT-R-80: a die more, swords once more, their honor gives nothing
    volley = Strike("AA", "SSp", ranged=True, attacker_cards=["volley_by_ranks"])
    assert end(volley, "XSX XH").defender_blocks == 0
    assert end(volley, "CCX F").defender_blocks == 3
    # BT-DRAGON-39: hits do nothing, flags do
    armored = Strike("AB", "ASp", ranged=True, defender_cards=["bulletproof_armor"])
    assert (end(armored, "TF").defender_blocks, end(armored, "TF").defender_retreat) == (4, 1)


def test_bodyguards() -> None:
    # BT-ARMY-COMMANDER-05: swords are rolled once more, and count twice
    guard = Strike("BG", "SSpC", battle_back=False)
    assert end(guard, "XXCC XS").defender_blocks == 0  # BT-ARMY-COMMANDER-06: nothing is ignored
    assert end(guard, "HHHX F").defender_retreat == 0  # one flag, which S ignores
    # BT-ARMY-COMMANDER-07, BT-ARMY-COMMANDER-08, BT-R-15: only swords hit; the commander falls to X X
    struck = Strike("SSp", Piece("BG", 3), battle_back=False)
    assert end(struck, "CTSH").defender_blocks == 3
    assert end(struck, "XCTS XT").defender_blocks == 2
    fallen = end(struck, "XCTS XX")  # BT-ARMY-COMMANDER-09: the rest surrenders, one banner for the commander
    assert (fallen.defender_blocks, fallen.defender_leader, fallen.attacker_banners) == (0, "eliminated", 1)
    # BT-ARMY-COMMANDER-10: the last block is no banner; he retreats as a leader for 3 honor
    last = end(Strike("SSp", Piece("BG", 1)), "XCTS XT")
    assert (last.defender_leader, last.attacker_banners, last.defender_honor) == ("retreated", 0, -3)
    # BT-ARMY-COMMANDER-03, BT-MORALE-09: all flags are ignored, whatever the cards
    cowards = Strike("SSp", "BG", battle_back=False, attacker_cards=["cowards", "panic"])
    assert end(cowards, "FFFF").defender_retreat == 0
    # fewer blocks, fewer dice back: BT-ARMY-COMMANDER-04
    assert len(fight(Strike("SSp", "BG"), "XXCC CC CC").steps[-1].faces) == 2


# --- leaders ------------------------------------------------------------------------------------------------


def test_leader_checks() -> None:
    # BT-LEADER-LOSS-01, BT-LEADER-LOSS-04, BT-LEADER-LOSS-05: one die in melee
    led = Strike("SSp", Piece("ASp", leader="LM"), battle_back=False)
    assert end(led, "THHH T").defender_leader == "stands"
    assert (end(led, "THHH X").defender_leader, end(led, "THHH X").attacker_banners) == ("eliminated", 1)
    assert end(led, "HHHH").defender_leader == "stands"  # no block, no check
    assert end(led, "THHH H").attacker_honor == 3  # BT-LEADER-LOSS-09
    # BT-LEADER-LOSS-02, BT-LEADER-LOSS-03: from afar two dice, one if the unit falls
    shot = Strike("SB", Piece("ASp", 2, leader="LM"), ranged=True)
    assert end(shot, "TCC XC").defender_leader == "stands"
    assert end(shot, "TCC XX").defender_leader == "eliminated"
    assert end(shot, "TTC X").attacker_banners == 2
    # the attacker's leader is in danger, too
    assert end(Strike("ASp", "SSp", leader="LF"), "HHH TCCC X").attacker_leader == "eliminated"


def test_leaders_left_alone() -> None:
    # BT-LEADER-LOSS-06, BT-RETREAT-24, BT-SEPPUKU-02
    last = Piece("ASp", 1, leader="LM")
    retreated = end(Strike("SSp", last), "THFF T")  # flags do not concern him: BT-MELEE-16
    assert (retreated.defender_leader, retreated.defender_honor) == ("retreated", -3)
    assert (retreated.defender_retreat, retreated.attacker_banners) == (0, 1)
    seppuku = Strike("SSp", Piece("ASp", 1, leader="LM", leader_fate="seppuku"))
    assert (end(seppuku, "THHC T").defender_leader, end(seppuku, "THHC T").defender_honor) == ("seppuku", 5)
    # BT-LACK-OF-HONOR-03: he cannot pay, and swords kill him
    poor = Strike("SSp", last, defender_honor=1)
    short = end(poor, "THHH T  FHCTSS")
    assert (short.defender_leader, short.defender_others, short.defender_honor) == ("retreated", 4, -1)
    killed = end(poor, "THHH T  FHCTSX")
    assert (killed.defender_leader, killed.attacker_banners) == ("eliminated", 2)
    # BT-LEADERS-24: the hex is free
    assert Strike("SSp", last).fight(faces="THHHT").takes_ground


def test_lone_leaders() -> None:
    # BT-LEADERS-20, BT-LEADERS-21, BT-LEADERS-22, BT-LEADERS-23, BT-R-11, BT-R-14, BT-R-18
    lone = Strike("SSpC", "LF")
    fallen = end(lone, "XHHC")
    assert (fallen.defender_leader, fallen.attacker_banners, fallen.attacker_honor) == ("eliminated", 1, 2)
    lived = end(lone, "FFCS")
    assert (lived.defender_leader, lived.attacker_banners, lived.defender_honor) == ("retreated", 0, -3)
    assert end(Strike("SB", "LM", ranged=True), "XCC").defender_leader == "eliminated"
    assert end(Strike("SSp", Piece("LM", leader_fate="seppuku")), "CCCC").defender_honor == 5
    assert end(Strike("BG", "LM"), "CCCC").defender_leader == "retreated"
    assert lone.fight(faces="FFCS").takes_ground  # BT-LEADERS-24
    assert not Strike("SB", "LM", ranged=True).fight(faces="XCC").takes_ground
    assert dice(Strike("SSp", Piece("LM", terrain="forest"))) == 2


# --- flags and retreats -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("defender", "ignored"),
    [
        (Piece("ASp"), 0),
        (Piece("ASp", support=True), 1),  # BT-MORALE-03, BT-LEADERS-08
        (Piece("ASp", leader="LF"), 1),  # BT-MORALE-04, BT-LEADERS-07
        (Piece("SB"), 1),  # BT-MORALE-05
        (Piece("ASp", terrain="bridge"), 1),  # BT-MORALE-06
        (Piece("SSp", terrain="bridge", leader="LF", support=True), 2),  # BT-MORALE-02
        (Piece("ASp", terrain="fence"), 0),  # BT-MORALE-07
        (Piece("ASp", terrain="palisade"), 1),
        (Piece("SSpC", terrain="palisade"), 1),
        (Piece("SSp", support=True, ignore_flags="none"), 0),  # BT-MORALE-01
        (Piece("SSp", support=True, ignore_flags=1), 1),
    ],
)
def test_flags_ignored(defender: Piece, ignored: int) -> None:
    strike = Strike("SSp", defender, dice_bonus=2, battle_back=False)
    flags = dice(strike)
    assert end(strike, "F" * flags).defender_retreat == flags - ignored


def test_fences_are_for_cavalry() -> None:
    # BT-MORALE-07: infantry behind a fence, attacked by cavalry
    behind = Piece("ASp", terrain="fence")
    assert end(Strike("SSpC", behind), "FF").defender_retreat == 1
    assert end(Strike("SSp", behind), "FF").defender_retreat == 2


def test_cards_and_flags() -> None:
    # BT-MORALE-08, BT-DRAGON-USE-07, BT-DRAGON-50, BT-R-68, BT-R-72
    def retreat(*cards: str, defends: tuple[str, ...] = (), unit: Piece | None = None) -> int:
        unit = unit or Piece("SSp", support=True)
        strike = Strike("SSp", unit, attacker_cards=cards, defender_cards=defends, battle_back=False)
        return end(strike, "FFFH").defender_retreat

    assert retreat() == 1
    assert retreat("cowards") == 3  # BT-DRAGON-23
    assert retreat("panic") == 3  # BT-DRAGON-35
    assert retreat(defends=("courage",)) == 0  # BT-DRAGON-24
    assert retreat(defends=("followers_of_bishamon",)) == 0  # BT-DRAGON-29
    assert retreat(defends=("courageous_leader",), unit=Piece("ASp", leader="LF")) == 0  # BT-DRAGON-11
    assert retreat("panic", defends=("courage",)) == 0
    assert retreat("panic", defends=("followers_of_bishamon",)) == 0
    assert retreat("cowards", defends=("courage",)) == 3
    assert retreat("terror_strike") == 4  # BT-DRAGON-15: six flags less two
    assert retreat("terror_strike", defends=("courage",)) == 0


def test_retreats() -> None:
    # BT-RETREAT-01, BT-HONOR-06, BT-HONOR-07, BT-EX-02, BT-EX-04
    def fled(piece: Piece, faces: str) -> tuple[int, int, int]:
        outcome = end(Strike("SSp", piece, battle_back=False), faces)
        return outcome.defender_retreat, outcome.defender_blocks, outcome.defender_honor

    assert fled(Piece("ASp", leader="LF"), "FFHC") == (1, 4, -2)
    assert fled(Piece("ASp", leader="LF", ignore_flags="none"), "FFHC") == (2, 4, -4)
    assert fled(Piece("AB"), "FFHT") == (2, 4, -2)
    assert fled(Piece("SB"), "FFHT") == (1, 4, -2)
    assert fled(Piece("LI"), "FHHT") == (2, 4, -2)
    assert fled(Piece("LI"), "FFHT") == (4, 4, -2)
    assert fled(Piece("LI", leader="LF", ignore_flags="none"), "FHHT") == (2, 4, -4)
    # BT-RETREAT-06, BT-HONOR-08, BT-R-41: hexes not completed cost blocks, hexes moved honor
    assert fled(Piece("LI", room=0), "FHHT") == (0, 2, 0)
    assert fled(Piece("ASp", room=1), "FFHC") == (1, 3, -1)
    # BT-RETREAT-10
    gone = end(Strike("SSp", Piece("LI", 2, room=0)), "FHHT")
    assert (gone.defender_blocks, gone.attacker_banners) == (0, 1)
    # BT-MELEE-16: an eliminated unit ignores its flags
    assert fled(Piece("ASp", 2), "TTFF") == (0, 0, 0)


def test_castles() -> None:
    # BT-TERRAIN-09, BT-R-42: one flag is ignored in any case, the others are hits; cavalry retreats
    castle = Piece("LI", terrain="castle", ignore_flags="none")
    held = end(Strike("SSp", castle, battle_back=False), "FF")
    assert (held.defender_blocks, held.defender_retreat, held.defender_honor) == (3, 0, 0)
    fled = end(Strike("SB", Piece("SSpC", terrain="castle", ignore_flags="none"), ranged=True), "F")
    assert (fled.defender_blocks, fled.defender_retreat) == (4, 1)
    # BT-LEADER-LOSS-08, BT-R-40: no check, and the leader who stays holds the hex
    last = Strike(
        "SSp", Piece("LI", 1, leader="LF", terrain="castle", ignore_flags="none"), battle_back=False
    )
    stays = fight(last, "FF")
    assert (stays.outcome.defender_blocks, stays.outcome.defender_leader) == (0, "stands")
    assert not stays.takes_ground


def test_lack_of_honor() -> None:
    # BT-LACK-OF-HONOR-01, BT-LACK-OF-HONOR-02, BT-EX-01, BT-R-45, BT-HONOR-10: 1 honor, 2 due, 5 dice
    spears = Piece("SSp", ignore_flags="none")
    strike = Strike("SSp", spears, defender_honor=1, battle_back=False)
    short = end(strike, "FHHH  SSCTX")
    assert (short.defender_blocks, short.defender_others, short.defender_honor) == (2, 2, -1)
    gone = end(Strike("SSp", Piece("SSp", 1, ignore_flags="none"), defender_honor=1), "FHHH SSSSS")
    assert (gone.defender_blocks, gone.attacker_banners, gone.defender_others) == (0, 1, 0)
    # BT-R-46: a unit that fell on the way takes no more
    fell = end(Strike("SSp", Piece("AB", 1, room=1), defender_honor=0), "FFHH CCTHX")
    assert (fell.defender_blocks, fell.defender_retreat, fell.defender_others) == (0, 1, 3)
    # BT-LACK-OF-HONOR-05: its leader stays
    led = Strike("SSp", Piece("AB", 1, leader="LF", ignore_flags="none"), defender_honor=0)
    assert end(led, "FHHH CCCCHH").defender_leader == "stands"


# --- the course ---------------------------------------------------------------------------------------------


def test_battle_back() -> None:
    # BT-BATTLEBACK-01, BT-BATTLEBACK-02, BT-BATTLEBACK-03, BT-BATTLEBACK-04
    strike = Strike("ASp", "SSp")
    assert end(strike, "CCC TTXH").attacker_blocks == 1
    assert end(strike, "FFC").defender_retreat == 1  # no battle back after a retreat
    cornered = Strike("ASp", Piece("SSp", room=0))
    assert end(cornered, "FFC TCCC").attacker_blocks == 3  # one that could not go battles back
    fled = strike.fight(faces="CCCFFCC")
    assert (fled.outcome.attacker_retreat, fled.outcome.attacker_honor, fled.takes_ground) == (2, -2, False)
    assert end(Strike("ASp", "SSp", battle_back=False), "CCC").attacker_blocks == 4
    # BT-BATTLEBACK-06: cavalry does not battle from a castle, nor into one
    assert end(Strike("SSp", Piece("SSpC", terrain="castle")), "CC").attacker_blocks == 4
    assert end(Strike(Piece("SSp", terrain="castle"), "SSpC"), "CCC").attacker_blocks == 4
    # terrain counts the other way round
    assert dice(Strike(Piece("SSp", terrain="forest"), "SSp"), "battle_back") == 2


def test_taking_ground() -> None:
    # BT-MOMENTUM-01, BT-MOMENTUM-02: the hex is empty, and a bodyguard never takes it
    assert Strike("SSp", Piece("LI", 1)).fight(faces="CHHH").takes_ground
    assert Strike("SSp", "LI").fight(faces="FHHH").takes_ground
    assert not Strike("BG", Piece("LI", 1)).fight(faces="CHHH").takes_ground
    assert not Strike("SB", Piece("LI", 1), ranged=True).fight(faces="CHH").takes_ground  # BT-RANGED-13


def test_first_strike() -> None:
    # BT-CMD-20, BT-CMD-21, BT-DRAGON-16, BT-BATTLEBACK-07
    first = Strike("ASp", "AB", defender_cards=["first_strike"])
    assert end(first, "TC HHH").attacker_blocks == 3  # then it attacks, and is not battled back
    assert end(first, "FC").attacker_retreat == 1  # a unit that retreats does not attack
    assert end(Strike(Piece("ASp", 1), "AB", defender_cards=["first_strike"]), "TC").defender_banners == 1
    ambush = Strike("ASp", "AB", defender_cards=["ambush"])
    assert dice(ambush, "first_strike") == 3
    # a bodyguard that lost blocks attacks with fewer dice: BT-ARMY-COMMANDER-04
    guard = Strike("BG", "SSp", defender_cards=["first_strike"])
    assert len(fight(guard, "XXCC TT HH").steps[-2].faces) == 2
    # the attack may never be rolled
    odds = Strike(Piece("ASp", 1), "SSp", defender_cards=["first_strike"]).exact()
    assert odds.roll.sum() == pytest.approx(1 - odds.attacker_eliminated - odds.attacker_retreats)


def test_levy_charges() -> None:
    # BT-LEVY-CHARGE-01, BT-LEVY-CHARGE-02, BT-LEVY-CHARGE-03, BT-R-35
    levies = [Piece("LI"), Piece("LI", 2, terrain="gorge"), Piece("LI", leader="LF", inspire=True)]
    charge = Strike(levies, "SSp", against=1)
    assert dice(charge) == 2 + 1 + 3
    assert end(charge, "XXXXXH HH").defender_blocks == 1  # swords are ignored once: five less two
    assert end(charge, "SCCCCH CC").attacker_blocks == 0  # the second unit is battled back, into its gorge
    assert end(charge, "SHHCCC HH").attacker_honor == -1 + 1  # one inspired unit, one H less
    # BT-R-38: a unit eliminated by a first strike drops out
    struck = Strike(levies, "SSp", against=1, defender_cards=["first_strike"])
    assert [len(step.faces) for step in fight(struck, "CC HHHHH").steps if step.faces] == [2, 5]
    # BT-R-39: the cap of Aikido Training is for one unit
    assert dice(Strike(levies, "SSp", against=2, defender_cards=["aikido_training"])) == 2 + 1 + 2
    # BT-R-94: one of them collects heads, or charges desperately
    heads = Strike(levies, "SSp", attacker_cards=["head_collector"], battle_back=False)
    assert end(heads, "SSCCCC").attacker_honor == -1 + 4  # BT-DRAGON-26
    desperate = [Piece("LI", 1), Piece("LI", 1)]
    assert dice(Strike(desperate, "SSp", attacker_cards=["desperate_charge"])) == 2 + 2 + 2


def test_head_collector() -> None:
    # BT-DRAGON-26, BT-R-76: blocks that hits remove, no others
    strike = Strike("SSp", Piece("LI", 2, room=0), leader="LM", attacker_cards=["head_collector"])
    assert end(strike, "CFHH").attacker_honor == 2
    assert end(strike, "CCXX").attacker_honor == 4
