"""Components, constants and set-up (COMP)."""

import random
from collections import Counter
from typing import Any

import pytest

from rules.battles.board import FACES, HAND, SIDES, Board, Play, faces, hexes, shuffled
from sengoku import Match
from sengoku.errors import SetupError

COMMAND = {
    "C-ONE-L": 2, "C-ONE-C": 2, "C-ONE-R": 2, "C-TWO-L": 3, "C-TWO-C": 4, "C-TWO-R": 3, "C-THREE-L": 3,
    "C-THREE-C": 3, "C-THREE-R": 3, "C-ADV-L": 2, "C-ADV-C": 2, "C-ADV-R": 2, "C-CRANE": 2, "C-GEESE": 2,
    "C-FLANKS": 2, "C-TIGER-L": 1, "C-TIGER-R": 1, "C-CIRCLE": 2, "C-TRIANGLE": 2, "C-SQUARE": 2,
    "C-CAVALRY": 2, "C-COUNTER": 2, "C-FIRST": 2, "C-HOLD": 2, "C-ASSAULT": 2, "C-LEADER": 2, "C-SNAKE": 2,
    "C-SHOGUN": 1,
}  # fmt: skip
"""Copies of the command cards (BT-CMD-01)."""
COPIES = {2: ["a", "b"], 4: ["", ""], 22: ["", ""]}
DRAGON = [f"D-{number:02}{part}" for number in range(1, 38) for part in COPIES.get(number, [""])]
"""The dragon cards in the order of their table (BT-DRAGON-01)."""
BOX = {
    "SSp": (5, 5), "SB": (3, 3), "ASp": (8, 8), "AB": (4, 4), "AA": (5, 4), "LI": (3, 3), "SSpC": (4, 5),
    "SBC": (4, 4), "LM": (4, 4), "LF": (5, 5),
}  # fmt: skip
"""Units and leaders of the top and of the bottom army (BT-COMP-04)."""


def cards(state: dict[str, Any], kind: str) -> Counter[str]:
    """All cards of a kind, wherever they are."""
    piles = state[kind]
    found = [*piles["deck"], *piles["discards"], *piles["hands"]["top"], *piles["hands"]["bottom"]]
    turn = state["turn"]
    if kind == "command":
        found += [turn["command"]] if turn["command"] else []
        found += ["C-FIRST"] * turn["first_strikes"]
    else:
        found += turn["played"]
    return Counter(found)


def test_the_two_armies() -> None:
    # BT-COMP-01, BT-R-81: battle 8 lists Imagawa (6 command cards, 5 honor) first and Oda (5, 6) second
    match = Match.create("battles", seats=2, seed=1, setup={"scenario": 8})
    state = match.state()
    assert [len(state["command"]["hands"][side]) for side in SIDES] == [6, 5]
    assert [state["honor"][side] for side in SIDES] == [5, 6]
    rows = {
        side: [int(unit["hex"].split(",")[0]) for unit in state["units"] if unit["side"] == side]
        for side in SIDES
    }
    assert max(rows["top"]) < min(rows["bottom"])
    assert match.to_act == 1  # Oda moves first, and is seat 1


def test_faces_of_the_die() -> None:
    # BT-COMP-02: 0 to 5 are C, T, S, F, H, X
    assert FACES == "CTSFHX"
    for face in FACES:
        play = Board().top("ASp@5,5").hand("top", "C-SHOGUN", "C-ONE-L").play(face, face)
        play.command("C-SHOGUN")
        assert play.rolls("shogun") == [face * 2]


def test_the_die_is_fair() -> None:
    # BT-COMP-02: 6,000 dice; each face is 1,000 of them with a standard deviation of 29
    fallen: Counter[str] = Counter()
    hand = [
        *HAND,
        *HAND,
        "C-FIRST",
        "C-FIRST",
        "C-HOLD",
        "C-HOLD",
        "C-CRANE",
        "C-CRANE",
        "C-FLANKS",
        "C-FLANKS",
    ]
    board = (
        Board().top("ASp@5,5").hand("bottom", "C-ONE-L", "C-ONE-C").hand("top", "C-SHOGUN", "C-ONE-R", *hand)
    )
    for seed in range(300):
        play = Play(Match.create("battles", seats=2, seed=seed, setup=board.table()))
        fallen.update(play.command("C-SHOGUN").rolls("shogun")[0])
    assert sum(fallen.values()) == 6000
    assert set(fallen) == set(FACES)
    assert all(abs(count - 1000) < 120 for count in fallen.values())


@pytest.mark.parametrize("seed", range(6))
def test_nothing_gets_lost(seed: int) -> None:
    # BT-COMP-03: 30 tokens, 60 command cards and 40 dragon cards, whatever happens
    chance = random.Random(seed)
    match = Match.create("battles", seats=2, seed=seed, setup={"scenario": 8})
    dragons = cards(match.state(), "dragon")
    assert (sum(dragons.values()), len(dragons), len({card.rstrip("ab") for card in dragons})) == (40, 38, 37)
    while not match.over:
        state = match.state()
        assert sum(state["honor"].values()) + state["pool"] + state["tokens"] == 30
        assert cards(state, "command") == COMMAND
        assert cards(state, "dragon") == dragons
        assert all(1 <= unit["blocks"] <= 4 for unit in state["units"])
        match.play(chance.choice(match.legal_actions()))


def test_units_begin_with_four_blocks() -> None:
    # BT-COMP-03: every type, the bodyguard too
    for scenario in (1, 8, 25):
        state = Match.create("battles", seats=2, seed=1, setup={"scenario": scenario}).state()
        assert {unit["blocks"] for unit in state["units"]} == {4}
        assert scenario == 1 or "BG" in {unit["unit"] for unit in state["units"]}


def test_dragon_cards_and_honor_without_limit() -> None:
    # BT-COMP-03: a player may hold any number of dragon cards, and all of the honor there is
    most = [f"D-{number:02}" for number in range(5, 25)]
    play = Board().top("ASp@5,5").dragons("top", *most).deck("D-03").play()
    play.command("C-ADV-C").end_turn("draw_dragon")
    assert play.dragons("top") == [*most, "D-03"]
    play = Board().top("ASp@5,5").honor(top=29, bottom=0).play()
    play.command("C-ADV-C").end_turn()
    assert play.honor == {"top": 30, "bottom": 0}


def test_banners_are_not_limited_by_the_counters() -> None:
    # BT-COMP-03: the 18 counters in the box are not a limit
    board = Board(banners_to_win=20).top("SSp@5,5").bottom("AB:1@4,5").banners(top=18)
    play = board.play("CCCC").command("C-ADV-C").order("5,5").attack("5,5", "4,5")
    assert play.banners["top"] == 19


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", BOX)
def test_armies_are_no_larger_than_the_box(kind: str, side: str) -> None:
    # BT-COMP-04
    most = BOX[kind][SIDES.index(side)]
    row = 1 if side == "top" else 9

    def create(count: int) -> Match:
        text = Board(banners_to_win=4).text()
        pieces = ", ".join(f'"{kind}@{at}"' for at in hexes(row)[:count])
        others = (
            '"ASp@0,0", "SSp@0,1", "AB@0,2", "SB@0,3"'
            if side == "top"
            else '"ASp@10,0", "SSp@10,1", "AB@10,2", "SB@10,3"'
        )
        lines = [
            f"{side} = [{pieces}, {others}]" if line.startswith(f"{side} = [") else line
            for line in text.splitlines()
        ]
        return Match.create("battles", seats=2, setup={"scenario_text": "\n".join(lines)})

    one = kind in {"ASp", "SSp", "AB", "SB"}  # is among the others already
    state = create(most - one).state()
    rows = state["leaders"] if kind in {"LF", "LM"} else state["units"]
    assert sum(kind in row.values() and row["side"] == side for row in rows) == most
    with pytest.raises(SetupError, match=f"only {most} "):
        create(most - one + 1)


def test_setup_in_order() -> None:
    # BT-COMP-05: pieces, command deal (top, then bottom), dragon deal, honor, who begins, first turn.
    # The top card of a deck is its last.
    script = faces("HCCCC", "HCCCC", "HCCCC", "HHCCC")  # a tie, then more H for the bottom army
    match = Match.create("battles", seats=2, seed=7, setup={"scenario": 22}, dice=script)
    assert match.dice_left == 0  # 22: 5/4/3 against 5/3/3, dice decide who begins
    state = match.state()
    deck = shuffled((card for card, copies in COMMAND.items() for _ in range(copies)), 0, seed=7)[::-1]
    assert state["command"]["hands"] == {"top": deck[:5], "bottom": deck[5:10]}
    assert state["command"]["deck"] == deck[:9:-1]
    deck = shuffled(DRAGON, 59, seed=7)[::-1]
    assert state["dragon"]["hands"] == {"top": deck[:4], "bottom": deck[4:7]}
    assert (state["honor"], state["pool"]) == ({"top": 3, "bottom": 3}, 24)
    assert (state["active"], match.to_act) == ("bottom", 1)
    kinds = [event["event"] for event in match.log]
    assert kinds.index("dealt") < kinds.index("rolled") < kinds.index("turn_begun")
    assert [event["side"] for event in match.log if event["event"] == "dealt"] == ["top", "bottom"]


def test_hands_are_hidden() -> None:
    # BT-COMP-06
    board = Board().top("ASp@5,5").bottom("ASp@8,5").dragons("top", "D-05").dragons("bottom", "D-20", "D-36")
    match = board.discards("C-CRANE", "D-01").deck("D-03", "C-ONE-L").match()
    for seat, (own, other) in enumerate([SIDES, SIDES[::-1]]):
        seen = match.view(seat)
        assert seen["command"]["hands"] == {own: list(HAND), other: 5}
        dragons = {"top": ["D-05"], "bottom": ["D-20", "D-36"]}
        assert seen["dragon"]["hands"] == {own: dragons[own], other: len(dragons[other])}
        assert (seen["command"]["deck"], seen["dragon"]["deck"]) == (49, 36)
        assert (seen["command"]["discards"], seen["dragon"]["discards"]) == (["C-CRANE"], ["D-01"])
        assert (seen["honor"], seen["pool"]) == ({"top": 5, "bottom": 5}, 20)
        assert seen["banners"] == {"top": 0, "bottom": 0}
    # Nothing that a seat sees distinguishes the hands.
    other_hand = board.dragons("bottom", "D-21", "D-37").match()
    assert other_hand.view(0) == match.view(0)
    assert (other_hand.observe(0) == match.observe(0)).all()
    assert not (other_hand.observe(1) == match.observe(1)).all()


def test_copies_of_command_cards() -> None:
    # BT-R-01: two copies of Infantry Assault, as 21 tactic cards require
    deck = cards(Match.create("battles", seats=2, seed=3).state(), "command")
    assert deck == COMMAND
    assert deck["C-ASSAULT"] == 2


def test_more_dice_than_in_the_box() -> None:
    # BT-R-02: Shogun with 15 command cards rolls 15 dice, 12 are in the box
    hand = [
        "C-TWO-L",
        "C-TWO-C",
        "C-TWO-R",
        "C-THREE-L",
        "C-THREE-C",
        "C-THREE-R",
        "C-ONE-L",
        "C-ONE-C",
        "C-ONE-R",
    ]
    board = Board().top("ASp@5,5").hand("top", "C-SHOGUN", *HAND, *hand).hand("bottom", "C-FIRST", "C-HOLD")
    play = board.play("X" * 15)
    assert play.command("C-SHOGUN").rolls("shogun") == ["X" * 15]


def test_blocks_do_not_run_out() -> None:
    # BT-R-03: the top army has all of its four spear cavalry units on the board and gets a fifth one by
    # Turncoats
    board = (
        Board().top(*(f"SSpC@2,{place}" for place in range(4))).bottom("SSpC:3@6,6").dragons("top", "D-11")
    )
    play = board.honor(bottom=0).play("HHHHH", "CCC").command("C-ADV-C", "D-11").do("yes")
    assert play.at("6,6") == "top SSpC:3"
    assert sum(piece.startswith("SSpC") for piece in play.pieces("top")) == 5
