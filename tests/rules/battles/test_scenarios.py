"""The forty battles (SCEN): headers, leaders, river banks, objectives, tents."""

import tomllib
from typing import Any

import pytest

from rules.battles.board import SIDES, Board
from rules.battles.scenarios import DATA, begun, start
from sengoku.errors import SetupError

HEADERS: dict[int, dict[str, Any]] = {
    header["number"]: header for header in tomllib.loads((DATA / "scenarios.toml").read_text())["scenario"]
}
FORTY = range(1, 41)


@pytest.mark.parametrize("number", FORTY)
def test_headers_are_dealt(number: int) -> None:
    # BT-SCEN-01, BT-R-81: cards, honor, banners needed and first player as the header says, top first-listed
    state, header = begun(number).state(), HEADERS[number]
    for side in SIDES:
        army = header[side]
        dealt = [len(state[deck]["hands"][side]) for deck in ("command", "dragon")]
        assert (*dealt, state["honor"][side]) == (army["command_cards"], army["dragon_cards"], army["honor"])
        assert state["banners_to_win"][side] == header["flags_to_win"]
    assert [header[side]["color"] for side in SIDES] == ["red", "blue"]
    if header["first_player"] != "roll":
        assert (state["first"], state["active"]) == (header["first_player"],) * 2


def test_first_movers() -> None:
    # BT-R-82: those of the ledger's table, and which of them are assumed
    bottom = [number for number in FORTY if begun(number).state()["first"] == "bottom"]
    assert [number for number in bottom if number not in (22, 23)] == [
        8,
        9,
        12,
        21,
        34,
        35,
        36,
        37,
        38,
        39,
        40,
    ]
    doubtful = [number for number in FORTY if HEADERS[number]["first_player_confidence"] == "low"]
    assert doubtful == [4, 7, 16, 18, 20, 25, 32, 33]


def test_numbers_that_look_odd() -> None:
    # BT-R-83, BT-R-84
    state = begun(39).state()
    assert len(state["command"]["hands"]["bottom"]) == 6
    state = begun(10).state()
    assert [len(state[deck]["hands"]["top"]) for deck in ("command", "dragon")] == [3, 5]
    armies = [[HEADERS[number][side] for side in SIDES] for number in (32, 33)]
    cards = [[(a["command_cards"], a["dragon_cards"], a["honor"]) for a in both] for both in armies]
    assert cards[0] == cards[1] == [(5, 3, 7), (6, 2, 4)]


def test_a_unit_or_a_leader_is_a_banner() -> None:
    # BT-SCEN-02
    board = Board().top("SSp@4,5").bottom("ASp:1+LF@5,5")
    play = board.fight("4,5", "5,5", "TCCC", "X")
    assert play.banners["top"] == 2


@pytest.mark.parametrize(("number", "leader", "banners"), [(6, "LF", 1), (2, "LF", 2), (2, "LM", 2)])
def test_leaders_of_arita_castle(number: int, leader: str, banners: int) -> None:
    # BT-SCEN-02: in battle 2 leaders count 2, of either side
    for active, (first, second) in (("top", SIDES), ("bottom", SIDES[::-1])):
        board = Board(scenario=number, active=active).pieces(first, "SSp@5,5").pieces(second, f"{leader}@6,5")
        play = board.fight("5,5", "6,5", "XCCC")
        assert play.banners == {first: banners, second: 0}


def test_motoshige() -> None:
    # BT-SCEN-02: in battle 3 he counts 2, the others 1
    leaders = [row for row in begun(3).state()["leaders"] if row["side"] == "bottom"]
    values = {}
    for leader in leaders:
        board = Board(scenario=3).top("SSp@8,5").bottom("ASp@10,11")
        board.state["leaders"].append({**leader, "hex": "9,5"})
        values[leader["name"]] = board.fight("8,5", "9,5", "XCCC").banners["top"]
    assert values == {leader["name"]: 1 + (leader["name"] == "Motoshige") for leader in leaders}
    assert "Motoshige" in values


@pytest.mark.parametrize("named_first", [True, False])
def test_a_named_leader_among_others(named_first: bool) -> None:
    # BT-LEADERS-09: what is said of one leader goes before what is said of all, wherever it stands in the
    # file, and an enemy of the same name is another leader
    named = {
        "kind": "named_leader_value",
        "side": "top",
        "leader": "Taro",
        "leader_side": "bottom",
        "flags": 3,
    }
    rules = [named, {"kind": "leader_value", "flags": 2}]
    board = Board(header={"victory": rules if named_first else rules[::-1]})
    board.top("SSp@4,5", "ASp+LF(Taro)@0,0").bottom("LM(Taro)@5,5", "ASp+LF(Jiro)@10,0")
    assert board.fight("4,5", "5,5", "XCCC").banners == {"top": 3, "bottom": 0}


def test_nobody_is_held_without_a_rule() -> None:
    # BT-SCEN-16: nothing would release them
    for number, hexes in ((1, ["3,3"]), (37, [begun(37).state()["units"][-1]["hex"]])):
        with pytest.raises(SetupError, match=r"position\.held\[0\]: the battle does not hold"):
            begun(number, position={"held": [hexes]})


def test_a_bank_is_what_joins_a_baseline_without_the_river() -> None:
    # BT-SCEN-03: a river of all kinds of water; a unit connected to the enemy's baseline is across
    river = {"4,0": "RIVER", "4,1": "FORD", "4,2": "BRIDGE"} | {
        f"4,{place}": "RIVER" for place in range(3, 12)
    }
    rule = {"kind": "units_across_river", "side": "bottom", "bank": "top", "flags_per_unit": 1}
    for hex_, across in (("3,1", 1), ("5,1", 0), ("0,0", 1)):
        board = Board(active="bottom", terrain=river, header={"victory": [rule]})
        assert start(board.top("ASp@1,9").bottom(f"ASp@{hex_}")).banners["bottom"] == across


def test_listed_banks_prevail() -> None:
    # BT-SCEN-03: the same river, but the scenario lists only one hex beyond it
    river = {f"4,{place}": "RIVER" for place in range(12)}
    rule = {"kind": "units_across_river", "side": "bottom", "bank": "top", "flags_per_unit": 1}
    board = Board(
        active="bottom", terrain=river, header={"victory": [rule]},
        deployment={"banks": {"top": [[3, 1]], "bottom": [[5, 1]]}},
    )  # fmt: skip
    assert start(board.top("ASp@1,9").bottom("ASp@3,1", "ASp@3,2")).banners["bottom"] == 1


@pytest.mark.parametrize(("number", "fords"), [(4, ("5,5", "5,9")), (16, ("4,5", "4,6"))])
def test_units_across_the_river(number: int, fords: tuple[str, str]) -> None:
    # BT-SCEN-04, BT-SCEN-06: a banner for every unit on the enemy's bank, not in the water, not for a leader
    for pieces, banners in (
        (("ASp@2,2", "AB@3,6"), 2),
        (("ASp@2,2", "LF@3,6"), 1),
        ((f"ASp@{fords[0]}", f"AB@{fords[1]}"), 0),  # in a ford
        (("ASp@8,2",), 0),
    ):
        board = Board(scenario=number, active="bottom").top("ASp@0,0").bottom(*pieces)
        assert start(board).banners == {"top": 0, "bottom": banners}
    # at the start of a turn of its own only
    assert start(Board(scenario=number).top("ASp@0,0").bottom("ASp@2,2")).banners["bottom"] == 0


def test_a_banner_across_the_river_ends_with_its_condition() -> None:
    # BT-SCEN-06: it stays while the unit moves along the bank, and is lost when it is back in the water
    board = Board(scenario=16, active="bottom").top("ASp@0,0").bottom("AB@3,4")
    play = board.play().command("C-ADV-C").order("3,4").move("3,4", "3,5")
    assert play.banners["bottom"] == 1
    play = board.play().command("C-ADV-C").order("3,4").move("3,4", "4,5")
    assert play.banners["bottom"] == 0
    assert play.events("banners")[-1]["change"] == -1


@pytest.mark.parametrize(("faces", "left"), [("CCC", 0), ("FHH", 0), ("HHH", 1)])
def test_a_banner_across_the_river_ends_with_the_unit(faces: str, left: int) -> None:
    # BT-SCEN-06: eliminated, or driven into the ford
    board = Board(scenario=16, active="bottom").top("SB@1,5").bottom("AB:3@3,5")
    play = board.play(faces).command("C-ADV-L").end_turn()
    play.command("C-ADV-C").order("1,5").attack("1,5", "3,5").quiet()
    if faces[0] == "F":
        play.do("4,5")
    assert play.banners["bottom"] == left


def test_a_banner_across_the_river_ends_with_treason() -> None:
    # BT-SCEN-06, BT-DRAGON-20: the unit has turned
    board = Board(scenario=16, active="bottom").top("ASp@0,0").bottom("AB@2,2").dragons("top", "D-11")
    play = board.honor(top=8, bottom=3).play("HHH", "CCCC").command("C-ADV-L").end_turn()
    assert play.banners["bottom"] == 1  # which is one more than the enemy has: a fourth die
    play.command("C-ADV-L", "D-11").until("turncoat").do("yes")
    assert (play.at("2,2"), play.banners["bottom"]) == ("top AB:4", 0)


OCCUPIED = [(21, "2,2", 1), (34, "5,2", 1), (34, "6,8", 0), (34, "4,6", 0)]


@pytest.mark.parametrize(("number", "objective", "cards"), OCCUPIED)
def test_objectives_count_when_a_unit_has_moved_there(number: int, objective: str, cards: int) -> None:
    # BT-SCEN-05, BT-SCEN-07, BT-R-91: at once, and only once; the castles cost a command card
    row, place = map(int, objective.split(","))
    beside = f"{row + 1},{place}"
    board = Board(scenario=number, active="bottom").top("ASp@0,11").bottom(f"AB@{beside}", "ASp@10,0")
    play = board.play().command("C-GEESE").order(beside).move(beside, objective)
    assert play.banners["bottom"] == 1
    assert len(play.hand("top")) == 5 - cards
    play.end_turn().end_turn()
    play.command("C-ADV-R" if place > 7 else "C-ADV-C" if place > 3 else "C-ADV-L")
    play.order(objective).move(objective, beside).end_turn()
    play.end_turn()
    assert play.banners["bottom"] == 1
    again = play.command("C-SNAKE").order(beside).move(beside, objective)
    assert (again.banners["bottom"], len(again.hand("top"))) == (1, 5 - cards)


def test_objectives_need_a_unit_of_the_named_side() -> None:
    # BT-SCEN-07, BT-R-91: neither a lone leader nor the side that holds it
    board = Board(scenario=21, active="bottom").top("ASp@0,11").bottom("LF@3,2", "ASp@10,0")
    play = board.play().command("C-GEESE").order("3,2").move("3,2", "2,2")
    assert (play.banners["bottom"], len(play.hand("top"))) == (0, 5)
    board = Board(scenario=21).top("AB@3,2", "ASp@0,11").bottom("ASp@10,0")
    play = board.play().command("C-GEESE").order("3,2").move("3,2", "2,2")
    assert play.banners == {"top": 0, "bottom": 0}


def test_objectives_are_taken_with_ground() -> None:
    # BT-SCEN-07: an advance
    board = Board(scenario=34, active="bottom").top("ASp:1@4,6", "ASp@0,0").bottom("SSp@5,6")
    play = board.fight("5,6", "4,6", "TCCC").do("5,6")
    assert (play.at("4,6"), play.banners["bottom"]) == ("bottom SSp:4", 2)


def test_objectives_count_after_a_retreat_is_paid_for() -> None:
    # BT-SCEN-07: the Allied unit is driven onto the bridge; the lack-of-honor roll comes first and removes it
    for honor, fall, at, banners in (
        (5, ("FHH",), "bottom ASp:1", 1),
        (0, ("FHH", "TCHHH"), None, 0),
    ):
        board = Board(scenario=34).top("SB@1,6").bottom("ASp:1@3,6", "SSp@9,9").honor(bottom=honor)
        play = board.play(*fall).command("C-ADV-C").order("1,6").attack("1,6", "3,6").quiet()
        if play.question == "retreat":
            play.do("4,6")
        assert (play.at("4,6"), play.banners["bottom"]) == (at, banners)


def test_objectives_count_for_turncoats() -> None:
    # BT-SCEN-07, BT-DRAGON-20: the garrison of the castle turns
    board = (
        Board(scenario=34, active="bottom")
        .top("ASp@5,2", "ASp@0,0")
        .bottom("ASp@9,9")
        .dragons("bottom", "D-11")
    )
    play = board.honor(bottom=8).play("HHH", "CCC").command("C-ADV-L", "D-11").do("5,2", "yes")
    assert (play.at("5,2"), play.banners["bottom"], len(play.hand("top"))) == ("bottom ASp:4", 1, 4)


@pytest.mark.parametrize(
    ("number", "owner", "tent"),
    [(7, "bottom", "8,6"), (39, "top", "0,4"), (8, "top", "1,6"), (8, "bottom", "9,4")],
)
def test_every_tent_can_be_captured(number: int, owner: str, tent: str) -> None:
    # BT-SCEN-08, BT-R-92, BT-ARMY-COMMANDER-12: at the start of a turn; it is removed, its owner loses a card
    taker = SIDES[owner == "top"]
    board = Board(scenario=number, active=taker).pieces(taker, f"ASp@{tent}")
    board.pieces(owner, "ASp@10,0").banners(**{taker: 1})
    play = start(board)
    assert play.banners[taker] == 4
    assert play.state["tents"][owner] is False
    assert len(play.hand(owner)) == 4


def test_a_tent_of_no_record_can_be_captured() -> None:
    # BT-SCEN-08: the rule holds where neither table nor data repeat it
    board = Board(active="top", tents={"bottom": "8,5"}).top("ASp@8,5").bottom("ASp@10,0")
    assert start(board).banners["top"] == 3


def test_the_amako_tent_is_a_tent() -> None:
    # BT-R-90: no commander is in it, an Amako unit may enter and stops there
    board = Board(scenario=7, active="bottom").top("ASp@0,0").bottom("AB@10,6")
    play = board.play().command("C-ADV-C").order("10,6").do("10,6")
    assert "8,6" in play.choices
    assert "7,6" not in play.choices
    assert play.state["tents"]["bottom"] is True
    assert not [
        row for row in begun(7).state()["leaders"] if row["leader"] == "AC" and row["side"] == "bottom"
    ]
