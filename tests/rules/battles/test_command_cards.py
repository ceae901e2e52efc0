"""The command cards one by one (CMD), except Counterattack and First Strike."""

import pytest

from rules.battles.board import HAND, Board, Play, shuffled
from rules.battles.commands import ROWS, full_board


def part(name: str) -> set[str]:
    """A section of these rows (BT-BOARD-08)."""
    low, high = {"west": (0, 7), "middle": (7, 15), "east": (15, 22)}[name]
    return {hex_ for hex_ in ROWS if low <= 2 * int(hex_.split(",")[1]) + int(hex_[0]) % 2 <= high}


SECTION_CARDS = {
    "C-ONE-L": (1, 0, 0), "C-ONE-C": (0, 1, 0), "C-ONE-R": (0, 0, 1), "C-TWO-L": (2, 0, 0),
    "C-TWO-C": (0, 2, 0),
    "C-TWO-R": (0, 0, 2), "C-THREE-L": (3, 0, 0), "C-THREE-C": (0, 3, 0), "C-THREE-R": (0, 0, 3),
    "C-ADV-L": (4, 0, 0), "C-ADV-C": (0, 4, 0), "C-ADV-R": (0, 0, 4), "C-CRANE": (1, 1, 1),
    "C-GEESE": (2, 2, 2),
    "C-FLANKS": (2, 0, 2), "C-TIGER-L": (1, 2, 0), "C-TIGER-R": (0, 2, 1),
}  # fmt: skip
"""Orders to the left, in the centre and to the right; an Advance has one for each command card, here 4."""
INNER = {
    "left": ["4,0", "4,1", "4,2", "4,3"],
    "center": ["4,4", "4,5", "4,6", "4,7"],
    "right": ["4,8", "4,9", "4,10", "4,11"],
}


@pytest.mark.parametrize("card", SECTION_CARDS)
def test_section_cards(card: str) -> None:
    # BT-CMD-01, BT-R-67: each section gets its number of orders and no more (C-TWO-R is right in spite of its
    # foot)
    board = full_board(card, "bottom", "C-FIRST", "C-FIRST", "C-HOLD")
    slots = dict(zip(INNER, SECTION_CARDS[card], strict=True))
    play = board.play().command(card)
    sections = {"left": "west", "center": "middle", "right": "east"}
    reached = set().union(*(part(sections[flank]) for flank, orders in slots.items() if orders))
    assert play.choices == reached | {"pass"}
    for flank, orders in slots.items():
        for hex_ in INNER[flank][:orders]:
            play.do(hex_)
        if play.question == "order":
            assert not play.choices & set(INNER[flank])
    assert (play.question, len(play.ordered)) == ("move", sum(slots.values()))


@pytest.mark.parametrize("card", SECTION_CARDS)
def test_section_cards_of_the_top_army(card: str) -> None:
    # BT-CMD-01, BT-BOARD-09: the same from the other side of the table
    left, center, right = SECTION_CARDS[card]
    play = full_board(card, "top", "C-FIRST", "C-FIRST", "C-HOLD").play().command(card)
    reached = set().union(
        *(part(name) for name, n in (("east", left), ("middle", center), ("west", right)) if n)
    )
    assert play.choices == reached | {"pass"}


@pytest.mark.parametrize("card", SECTION_CARDS)
def test_section_cards_order_leaders(card: str) -> None:
    # BT-CMD-01: units or leaders, and the helmet: an attached leader by himself
    flank = next(flank for flank, orders in zip(INNER, SECTION_CARDS[card], strict=True) if orders)
    one, two = INNER[flank][:2]
    board = Board(active="bottom").bottom(f"LM@{one}", f"ASp+LF@{two}").hand("bottom", card, "C-FIRST")
    assert board.play().command(card).choices == {"pass", one, two, f"leader {two}"}


@pytest.mark.parametrize(
    "card", [*SECTION_CARDS, "C-CIRCLE", "C-CAVALRY", "C-FIRST", "C-HOLD", "C-ASSAULT", "C-SNAKE"]
)
def test_draws(card: str) -> None:
    # BT-CMD-01 (draw): Order One draws two, keeps one, and draws a dragon card; every other card draws one
    board = Board().top("ASp@5,5").bottom("ASp@9,5").hand("top", card, "C-TWO-L")
    board = board.deck("C-SQUARE", "C-TRIANGLE", "D-01", "D-03")
    play = board.play().command(card).until("keep_one", "replenish")
    if card.startswith("C-ONE"):
        assert (play.asked, play.choices) == ("top", {"C-SQUARE", "C-TRIANGLE"})
        play.do("C-TRIANGLE")
        assert (play.hand("top"), play.dragons("top")) == (["C-TWO-L", "C-TRIANGLE"], ["D-01"])
        assert play.state["command"]["discards"] == [card, "C-SQUARE"]
    else:
        assert (play.hand("top"), play.dragons("top")) == (["C-TWO-L", "C-SQUARE"], [])


# Tactic cards.

KINDS = {"SSp": "S", "SB": "S", "ASp": "T", "AB": "C", "AA": "C", "LI": "C", "SSpC": "S", "SBC": "S"}
PLACES = {kind: f"4,{place}" for place, kind in enumerate(KINDS)}
EVERYBODY = [f"{kind}@{hex_}" for kind, hex_ in PLACES.items()]


@pytest.mark.parametrize(("card", "symbol"), [("C-CIRCLE", "C"), ("C-TRIANGLE", "T"), ("C-SQUARE", "S")])
def test_symbol_cards(card: str, symbol: str) -> None:
    # BT-CMD-01, BT-ORDERS-06: Order Circle, Triangle and Square Units: N units with the symbol, anywhere
    play = Board().top(*EVERYBODY).hand("top", card, "C-ONE-L", "C-ONE-C").play().command(card)
    assert play.choices == {"pass"} | {PLACES[kind] for kind, own in KINDS.items() if own == symbol}
    for _ in range(min(3, sum(own == symbol for own in KINDS.values()))):
        play.do(max(play.choices - {"pass"}))
    assert play.question == "move"
    assert len(play.ordered) == {"C": 3, "T": 1, "S": 3}[symbol]


@pytest.mark.parametrize("card", ["C-CIRCLE", "C-TRIANGLE", "C-SQUARE"])
def test_symbol_cards_have_no_other_effect(card: str) -> None:
    # BT-CMD-01: the usual moves and dice
    unit, dice = {"C-CIRCLE": ("LI", 2), "C-TRIANGLE": ("ASp", 3), "C-SQUARE": ("SSp", 4)}[card]
    board = Board().top(f"{unit}@5,5").bottom("SSp@5,6").hand("top", card, "C-ONE-L")
    play = board.play("H" * dice).command(card).order("5,5").attack("5,5", "5,6")
    assert play.rolls("melee") == ["H" * dice]


def test_cavalry_charge() -> None:
    # BT-CMD-01: up to 4 cavalry units, anywhere; 3 hexes and battle, a die more in melee
    riders = [f"SSpC@4,{place}" for place in range(0, 10, 2)]
    board = Board().top(*riders, "ASp@0,0").hand("top", "C-CAVALRY", "C-ONE-L")
    play = board.play().command("C-CAVALRY")
    assert play.choices == {"pass", "4,0", "4,2", "4,4", "4,6", "4,8"}
    assert play.do("4,0", "4,2", "4,4", "4,6").question == "move"
    for unit, dice in [("SSpC", 5), ("SBC", 4)]:
        board = Board().top(f"{unit}@5,2").bottom("SSp@5,6").hand("top", "C-CAVALRY", "C-ONE-L")
        play = (
            board.play("H" * dice).command("C-CAVALRY").order("5,2").move("5,2", "5,5").attack("5,5", "5,6")
        )
        assert play.rolls("melee") == ["H" * dice]


def test_cavalry_charge_all_turn() -> None:
    # BT-CMD-01, BT-R-49: the bonus melee too; not the enemy who battles back (BT-BATTLEBACK-05)
    board = Board().top("SSpC@5,4").bottom("AB:1@5,5", "SSpC@5,6").hand("top", "C-CAVALRY", "C-ONE-L")
    play = board.play("CCCCC", "HHHHH", "HHHH").command("C-CAVALRY").order("5,4").attack("5,4", "5,5")
    play.do("5,4", "5,6").do("5,5").quiet()
    assert play.rolls("melee", "battle_back") == ["CCCCC", "HHHHH", "HHHH"]


def test_cavalry_charge_and_bows() -> None:
    # BT-CMD-01, BT-R-65: ordered bow cavalry does not shoot, whether it moved or not
    for to in ("5,5", "5,6"):
        board = Board().top("SBC@5,5").bottom("SSp@5,8").hand("top", "C-CAVALRY", "C-ONE-L")
        assert board.play().command("C-CAVALRY").order("5,5").move("5,5", to).quiet().question != "battle"


@pytest.mark.parametrize(("unit", "dice"), [("SSp", 4), ("ASp", 3)])
def test_cavalry_charge_without_cavalry(unit: str, dice: int) -> None:
    # BT-CMD-01, BT-R-65: one unit of choice without bonus; moves as usual
    board = Board().top(f"{unit}@5,5", "AB@5,4").bottom("SSp@5,7").hand("top", "C-CAVALRY", "C-ONE-L")
    play = board.play("H" * dice).command("C-CAVALRY").do("5,5").quiet()
    assert (play.question, play.choices) == ("move", {"pass", "5,5"})
    play.do("5,5").quiet()
    assert "5,8" not in play.choices
    assert play.do("5,6").attack("5,6", "5,7").rolls("melee") == ["H" * dice]


def test_cavalry_charge_without_cavalry_does_not_silence_bows() -> None:
    # BT-R-65: the unit of choice has none of the restrictions either
    board = Board().top("AB@5,5").bottom("SSp@5,7").hand("top", "C-CAVALRY", "C-ONE-L")
    play = board.play("CC").command("C-CAVALRY").order("5,5").attack("5,5", "5,7")
    assert play.rolls("ranged") == ["CC"]


# Hold and Shoot.


def test_hold_and_shoot() -> None:
    # BT-CMD-01, BT-CMD-70: up to 4 missile units without an enemy next to them; each may shoot twice
    archers = [f"AB@4,{place}" for place in range(0, 10, 2)]
    board = Board().top(*archers, "AA@4,11", "SSp@0,0").bottom("ASp@5,0").hand("top", "C-HOLD", "C-ONE-L")
    play = board.play().command("C-HOLD")
    assert play.choices == {"pass", "4,2", "4,4", "4,6", "4,8", "4,11"}  # 4,0 is next to an enemy
    assert play.do("4,2", "4,4", "4,6", "4,8").question != "order"
    board = Board().top("AB@5,5").bottom("LF@4,5").hand("top", "C-HOLD", "C-ONE-L")
    assert board.play().command("C-HOLD").quiet().question == "replenish"  # a leader counts as well


def test_two_shots() -> None:
    # BT-CMD-70: one directly after the other, each at a target of its own; the second is optional
    board = (
        Board().top("SB@5,5", "AB@5,2").bottom("ASp@5,7", "LI@3,5", "LI@5,0").hand("top", "C-HOLD", "C-ONE-L")
    )
    play = board.play("THH", "CCH").command("C-HOLD").order("5,5", "5,2").attack("5,5", "5,7")
    assert (play.question, play.choices) == ("second_shot", {"pass", "5,7", "3,5"})
    play.do("3,5").quiet()
    assert (play.at("5,7"), play.at("3,5"), play.rolls()) == ("bottom ASp:3", "bottom LI:2", ["THH", "CCH"])
    assert (play.question, play.choices) == ("battle", {"pass", "5,2"})
    play = board.play("THH").command("C-HOLD").order("5,5", "5,2").attack("5,5", "5,7").do("pass")
    assert (play.question, play.choices) == ("battle", {"pass", "5,2"})


def test_two_shots_at_the_same_target() -> None:
    # BT-CMD-70: also with the full dice each
    board = Board().top("AA@5,5").bottom("ASp@5,8").hand("top", "C-HOLD", "C-ONE-L")
    play = board.play("TH", "TH").command("C-HOLD").order("5,5").attack("5,5", "5,8").do("5,8").quiet()
    assert (play.at("5,8"), play.question) == ("bottom ASp:2", "replenish")


def test_an_enemy_comes_near_between_the_shots() -> None:
    # BT-CMD-70: a levy retreats to the shooter's side: no second shot
    board = Board().top("SB@7,5", "ASp@9,5").bottom("LI@5,5", "ASp@8,3").hand("top", "C-HOLD", "C-ONE-L")
    board.state["units"] = [unit for unit in board.state["units"] if unit["unit"] != "ASp"]
    board.bottom("ASp@7,8")
    play = board.play("FHH").command("C-HOLD").order("7,5").attack("7,5", "5,5").do("7,4").quiet()
    assert play.at("7,4") == "bottom LI:4"
    assert play.question == "replenish"


def test_an_enemy_comes_near_before_the_shots() -> None:
    # BT-CMD-70: a unit that has not shot yet may melee then
    board = Board().top("SB@7,5", "AB@7,3").bottom("LI@5,5").hand("top", "C-HOLD", "C-ONE-L")
    play = (
        board.play("FHH", "CC").command("C-HOLD").order("7,5", "7,3").attack("7,5", "5,5").do("7,4").quiet()
    )
    assert (play.question, play.choices) == ("battle", {"pass", "7,3"})
    play.attack("7,3", "7,4")
    assert (play.rolls("melee"), play.at("7,4")) == (["CC"], "bottom LI:2")


def test_hold_and_shoot_without_missile_units() -> None:
    # BT-CMD-01, BT-R-65: one unit of choice, which moves and fights as usual
    board = Board().top("SSp@5,5", "ASp@0,0").bottom("ASp@5,7").hand("top", "C-HOLD", "C-ONE-L")
    play = board.play("HHHH").command("C-HOLD").do("5,5").move("5,5", "5,6").attack("5,6", "5,7")
    assert play.rolls("melee") == ["HHHH"]


# Infantry Assault.


def test_infantry_assault_orders_a_group() -> None:
    # BT-CMD-01, BT-CMD-30: up to 4 infantry units whose hexes hang together
    board = Board().top("SSp@5,2", "ASp@5,3", "AB@5,4", "LI@5,5", "AA@5,6", "SB@5,8", "SSpC@4,3")
    play = board.hand("top", "C-ASSAULT", "C-ONE-L").play().command("C-ASSAULT")
    assert play.choices == {"pass", "5,2", "5,3", "5,4", "5,5", "5,6", "5,8"}
    play.do("5,4")
    assert play.choices == {"pass", "5,3", "5,5"}
    play.do("5,3")
    assert play.choices == {"pass", "5,2", "5,5"}
    assert play.do("5,2", "5,5").question == "move"


@pytest.mark.parametrize(
    ("unit", "moves", "battles"),
    [("SSp", 2, 2), ("ASp", 2, 2), ("SB", 2, -1), ("AB", 2, -1), ("AA", 2, -1), ("LI", 2, 2)],
)
def test_infantry_assault_moves(unit: str, moves: int, battles: int) -> None:
    # BT-CMD-30: spears move 2 and battle; missile units may not battle at all; levies as usual
    for far in range(4):
        board = Board().top(f"{unit}@5,2").bottom(f"ASp@5,{3 + far}").hand("top", "C-ASSAULT", "C-ONE-L")
        play = board.play().command("C-ASSAULT").order("5,2").do("5,2").quiet()
        assert (f"5,{2 + far}" in play.choices) == (far <= moves)
        if far <= moves:
            assert (play.do(f"5,{2 + far}").quiet().question == "battle") == (far <= battles)


def test_infantry_assault_without_infantry() -> None:
    # BT-CMD-01, BT-R-65: one unit of choice; bow cavalry that shoots
    board = Board().top("SBC@5,5", "SSpC@0,0").bottom("ASp@5,8").hand("top", "C-ASSAULT", "C-ONE-L")
    play = board.play("HHH").command("C-ASSAULT").do("5,5").attack("5,5", "5,8")
    assert play.rolls("ranged") == ["HHH"]


# Leadership.


def test_leadership() -> None:
    # BT-CMD-40, BT-R-62: a leader's hex and up to four more that hang together with it, leaders too; no
    # detaching
    board = Board().top("ASp+LF@5,2", *(f"LI@5,{place}" for place in range(3, 9)), "LM@4,3", "SSpC@9,9")
    play = board.hand("top", "C-LEADER", "C-ONE-L").play().command("C-LEADER")
    assert play.choices == {"pass", "5,2", "4,3", "9,9", *(f"5,{place}" for place in range(3, 9))}
    play.do("5,2")
    assert play.choices == {"pass", "5,3", "4,3"}
    play.do("5,3", "5,4", "5,5")
    assert play.choices == {"pass", "4,3", "5,6"}
    play.do("5,6")
    assert (play.question, len(play.ordered)) == ("move", 5)


def test_leadership_of_a_lone_leader_and_of_the_commander() -> None:
    # BT-CMD-40: alone, attached, or the AC
    board = Board().top("LM@5,4", "LI@5,5", "LI@5,7").hand("top", "C-LEADER", "C-ONE-L")
    play = board.play().command("C-LEADER").do("5,4")
    assert play.choices == {"pass", "5,5"}
    assert play.do("5,5").ordered == {"leader 5,4", "5,5"}
    board = (
        Board(tents={"top": "5,4"}).top("AC+BG@5,4", "LI@5,5", "LI@5,7").hand("top", "C-LEADER", "C-ONE-L")
    )
    play = board.play().command("C-LEADER").do("5,4")
    assert play.choices == {"pass", "5,5"}


def test_leadership_for_one_unit() -> None:
    # BT-CMD-40: or one unit of choice and nobody else
    board = Board().top("LI@5,4", "LI@5,5", "ASp+LF@5,7").hand("top", "C-LEADER", "C-ONE-L")
    play = board.play().command("C-LEADER").do("5,4").quiet()
    assert (play.question, play.ordered) == ("move", {"5,4"})


def test_leadership_gives_no_bonus() -> None:
    # BT-CMD-40: the usual dice and moves
    board = Board().top("ASp+LF@5,4").bottom("SSp@5,6").hand("top", "C-LEADER", "C-ONE-L")
    play = board.play("HHH").command("C-LEADER").order("5,4").move("5,4", "5,5").attack("5,5", "5,6")
    assert play.rolls("melee") == ["HHH"]


# Snake Command.


def test_snake_command() -> None:
    # BT-CMD-50: a group of any size, one hex each; then they battle as usual
    board = Board().top(*(f"LI@5,{place}" for place in range(8)), "LM@4,3", "LI@5,9").bottom("ASp@3,1")
    play = board.play("HH").command("C-SNAKE").do("5,0")
    assert play.choices == {"pass", "5,1"}
    play.do(*(f"5,{place}" for place in range(1, 8)))
    assert play.choices == {"pass", "4,3"}
    play.do("4,3")
    assert (play.question, len(play.ordered)) == ("move", 9)
    assert play.do("5,7").quiet().choices == {"5,7", "4,7", "4,8", "5,8", "6,7", "6,8"}
    play.do("4,7").move("5,2", "4,2").attack("4,2", "3,1")
    assert play.rolls("melee") == ["HH"]


def test_snake_command_and_battle() -> None:
    # BT-CMD-50: arquebuses that moved do not battle; cavalry takes ground and fights on
    board = Board().top("AA@5,4").bottom("ASp@5,6")
    assert board.play().command("C-SNAKE").order("5,4").move("5,4", "5,5").quiet().question != "battle"
    board = Board().top("SSpC@5,4").bottom("AB:1@5,6", "SSp@5,7")
    play = board.play("CCCC", "HHHH").command("C-SNAKE").order("5,4").move("5,4", "5,5").attack("5,5", "5,6")
    assert play.do("5,5", "5,7").quiet().rolls("melee") == ["CCCC", "HHHH"]


def test_leaders_in_a_snake() -> None:
    # BT-R-63, BT-CMD-50: a lone leader moves one hex at most; nobody is detached
    board = Board().top("LM@5,4", "LI+LF@5,5")
    play = board.play().command("C-SNAKE")
    assert play.choices == {"pass", "5,4", "5,5"}
    play.order("5,4").do("5,4")
    assert play.choices == {"5,4", "5,3", "4,4", "4,5", "6,4", "6,5"}


# Shogun.


def shogun(*script: str, hand: tuple[str, ...] = ("C-ONE-L", "C-ONE-C")) -> Play:
    """Shogun with everybody on the board, two leaders among them."""
    board = Board(tents={"top": "2,0"}).top(*EVERYBODY, "LM@8,4", "LI+LF@8,6", "AC+BG@2,0")
    return board.hand("top", "C-SHOGUN", *hand).play(*script).command("C-SHOGUN").quiet()


CIRCLES = {PLACES["AB"], PLACES["AA"], PLACES["LI"], "8,6"}
SQUARES = {PLACES[kind] for kind in ("SSp", "SB", "SSpC", "SBC")}


def test_shogun_slots() -> None:
    # BT-CMD-60: N dice, a slot for each C, T and S, anywhere
    play = shogun("CCX")
    assert (play.rolls("shogun"), play.choices) == (["CCX"], CIRCLES | {"pass"})
    play.do("8,6")
    assert play.choices == CIRCLES - {"8,6"} | {"pass"}
    assert play.do(PLACES["LI"]).question == "move"
    assert shogun("TSX").choices == SQUARES | {PLACES["ASp"], "pass"}


def test_shogun_swords_order_nobody() -> None:
    # BT-R-96: X is not a symbol here, although it is on the blocks of the bodyguard
    assert shogun("XXX").question == "replenish"
    assert PLACES["SSp"] in shogun("SXX").choices
    assert "2,0" not in shogun("SXX").choices


def test_shogun_flags() -> None:
    # BT-CMD-60, BT-ORDERS-10: a flag is for any unit or leader, and may detach; the bodyguard needs one
    play = shogun("FXX")
    everything = {*PLACES.values(), "8,4", "8,6", "2,0"}
    assert play.choices == everything | {"leader 8,6", "pass"}
    assert play.do("leader 8,6").question == "move"
    play = shogun("FCX").do("8,4")  # a leader by himself takes the flag
    assert play.choices == CIRCLES | {"pass"}
    play = shogun("FCX").do(PLACES["AB"])  # a circle takes the C; the flag is free for anything
    assert {"8,4", "2,0", PLACES["SSp"], "leader 8,6"} <= play.choices
    play = shogun("FCX").do(PLACES["SSp"])  # a square takes the flag
    assert play.choices == CIRCLES | {"pass"}
    assert shogun("CXX").choices == CIRCLES | {"pass"}  # without a flag no leader, no detaching


def test_shogun_honor() -> None:
    # BT-CMD-60: 1 for each H
    play = shogun("HHC")
    assert (play.honor["top"], play.choices) == (7, CIRCLES | {"pass"})


def test_shogun_counts_itself() -> None:
    # BT-CMD-60, BT-ORDERS-06: N includes this card
    assert shogun("XX", hand=("C-ONE-L",)).rolls("shogun") == ["XX"]
    assert shogun("XXXXX", hand=("C-ONE-L", "C-ONE-C", "C-ONE-R", "C-CRANE")).rolls("shogun") == ["XXXXX"]


def test_shogun_dice_in_every_combat() -> None:
    # BT-CMD-60: a die more in melee and in ranged combat for ordered units; not for units that battle back
    board = Board().top("SB@5,5").bottom("ASp@5,7").hand("top", "C-SHOGUN", "C-ONE-L")
    play = board.play("SX", "HHHH").command("C-SHOGUN").order("5,5").attack("5,5", "5,7")
    assert play.rolls("ranged") == ["HHHH"]
    board = Board().top("SSpC@5,4").bottom("AB:1@5,5", "SSp@5,6").hand("top", "C-SHOGUN", "C-ONE-L")
    play = board.play("SX", "CCCCC", "HHHHH", "HHHH").command("C-SHOGUN").order("5,4").attack("5,4", "5,5")
    play.do("5,4", "5,6").do("5,5").quiet()
    assert play.rolls("melee", "battle_back") == ["CCCCC", "HHHHH", "HHHH"]


def test_shogun_with_one_order_left() -> None:
    # BT-CMD-60: all dice are rolled, also when White Fox leaves only one order; honor is gained all the same
    board = Board().top("LI@5,5", "LI@5,6").hand("top", "C-SHOGUN", "C-ONE-L", "C-ONE-C").bottom("ASp@9,9")
    play = board.dragons("bottom", "D-37").play("CCH").command("C-SHOGUN", "D-37")
    assert (play.honor["top"], play.choices) == (6, {"pass", "5,5", "5,6"})
    assert play.do("5,5").question == "move"


def test_shogun_rolls_after_the_cards_of_t1() -> None:
    # BT-CMD-60: White Dragon first
    board = Board().top("LI@5,5").hand("top", "C-SHOGUN", "C-ONE-L").dragons("top", "D-35").deck("C-CRANE")
    play = board.play("XXX").command("C-SHOGUN", "D-35").quiet()
    kinds = [event["event"] for event in play.events()]
    assert kinds.index("dragon_played") < kinds.index("command_drawn") < kinds.index("rolled")


def test_shogun_reshuffles() -> None:
    # BT-CMD-60, BT-R-66, BT-R-52: before drawing, both decks with their discards, Shogun and the dragon card
    # of the turn too
    board = Board().top("LI@5,5").bottom("ASp@9,9").hand("top", "C-SHOGUN", "C-ONE-L")
    board.hand("bottom", "C-ONE-C", "C-ONE-R")
    board.discards("C-CRANE", "D-02a", "D-03").dragons("top", "D-33")
    play = board.play("XX", "XX")
    command, dragon = (
        play.state[kind]["deck"] + play.state[kind]["discards"] for kind in ("command", "dragon")
    )
    play.command("C-SHOGUN", "D-33").until("replenish")
    command = shuffled([*command, "C-SHOGUN"], 4)  # after the four dice
    dragon = shuffled([*dragon, "D-33"], 4 + len(command) - 1)
    assert play.hand("top") == ["C-ONE-L", command.pop()]
    assert (play.state["command"]["deck"], play.state["dragon"]["deck"]) == (command, dragon)
    assert (play.state["command"]["discards"], play.state["dragon"]["discards"]) == ([], [])
    kinds = [event["event"] for event in play.events()]
    assert kinds.index("reshuffled") < kinds.index("command_drawn")


def test_no_other_card_reshuffles() -> None:
    # BT-R-66
    board = Board().top("LI@5,5").bottom("ASp@9,9").discards("C-CRANE", "D-01")
    play = board.play().command("C-ADV-C").until("replenish")
    assert play.state["command"]["discards"] == ["C-CRANE", "C-ADV-C"]


@pytest.mark.parametrize("card", ["C-CIRCLE", "C-TRIANGLE", "C-SQUARE", "C-CAVALRY", "C-HOLD", "C-ASSAULT"])
def test_no_leader_by_himself(card: str) -> None:
    # BT-R-64: neither with units of the kind beside him nor without
    for others in ((), tuple(EVERYBODY)):
        board = Board().top("LF@8,4", "LM@8,6", *others).hand("top", card, "C-ONE-L")
        play = board.play().command(card)
        assert not {"8,4", "8,6"} & play.choices


def test_every_card_can_be_played() -> None:
    # BT-CMD-01: all 28 of them, on a board with everybody
    names = [
        *SECTION_CARDS, "C-CIRCLE", "C-TRIANGLE", "C-SQUARE", "C-CAVALRY", "C-COUNTER", "C-FIRST", "C-HOLD",
        "C-ASSAULT",
        "C-LEADER", "C-SNAKE", "C-SHOGUN",
    ]  # fmt: skip
    assert len(names) == 28
    for card in names:
        board = Board().top(*EVERYBODY).bottom("ASp@9,9").hand("top", card, "C-ONE-L")
        script = "XX" if card == "C-SHOGUN" else ""
        play = board.hand("bottom", *HAND[:4]).play(script).command(card).until("replenish", "keep_one")
        assert play.events("command_counts")[-1]["card"] == (None if card == "C-COUNTER" else card)


def test_leadership_without_leaders() -> None:
    # BT-CMD-40: one unit of choice
    board = Board().top("LI@5,4", "LI@5,5").hand("top", "C-LEADER", "C-ONE-L")
    play = board.play().command("C-LEADER")
    assert play.choices == {"pass", "5,4", "5,5"}
    assert play.do("5,4").quiet().ordered == {"5,4"}


def test_leadership_reaches_other_leaders() -> None:
    # BT-CMD-40: lone leaders and units with leaders are hexes like others
    board = Board().top("LM@5,4", "LI+LF@5,5", "LF@5,6", "LI@5,8").hand("top", "C-LEADER", "C-ONE-L")
    play = board.play().command("C-LEADER").do("5,4", "5,5", "5,6")
    assert play.ordered == {"leader 5,4", "5,5", "leader 5,6"}
    assert play.question == "move"


def test_infantry_assault_goes_along_with_leaders() -> None:
    # BT-CMD-30: a leader shares the two hexes of his unit
    board = Board().top("SSp+LF@5,4").bottom("ASp@5,7").hand("top", "C-ASSAULT", "C-ONE-L")
    play = board.play("HHHH").command("C-ASSAULT").order("5,4").move("5,4", "5,6").attack("5,6", "5,7")
    assert (play.at("5,6"), play.rolls("melee")) == ("top SSp:4+LF", ["HHHH"])


def test_hold_and_shoot_of_a_unit_with_leader() -> None:
    # BT-CMD-70: the unit with its leader, in its hex; two shots at a lone leader end with the first that
    # kills him
    board = Board().top("SB+LF@5,5").bottom("LM@5,7", "ASp@9,9").hand("top", "C-HOLD", "C-ONE-L")
    play = board.play("XHH").command("C-HOLD").order("5,5").attack("5,5", "5,7")
    assert (play.at("5,7"), play.question) == (None, "replenish")


def test_shogun_gains_only_what_the_pool_has() -> None:
    # BT-CMD-60, BT-HONOR-01
    board = Board().top("LI@5,5").hand("top", "C-SHOGUN", "C-ONE-L", "C-ONE-C").honor(top=14, bottom=14)
    play = board.play("HHH").command("C-SHOGUN").until("replenish")
    assert play.honor == {"top": 16, "bottom": 14}
