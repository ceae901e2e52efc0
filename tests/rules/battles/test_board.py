"""The board (BOARD)."""

import pytest

from rules.battles.board import SIDES, Board, Play, hexes
from sengoku.errors import SetupError

ALL = [hex_ for row in range(11) for hex_ in hexes(row)]


def place(hex_: str) -> tuple[int, int]:
    """Row and doubled coordinate (BT-BOARD-02)."""
    row, column = map(int, hex_.split(","))
    return row, 2 * column + row % 2


def index(hex_: str) -> int:
    """Number of a hex (BT-BOARD-03)."""
    row, column = map(int, hex_.split(","))
    return 23 * (row // 2) + (12 if row % 2 else 0) + column


def neighbours(hex_: str) -> set[str]:
    """The hexes around a hex (BT-BOARD-05)."""
    row, x = place(hex_)
    around = [(row, x - 2), (row, x + 2), *((row + dr, x + dx) for dr in (-1, 1) for dx in (-1, 1))]
    return {other for other in ALL if place(other) in around}


def distance(one: str, other: str) -> int:
    """Steps between two hexes (BT-BOARD-06)."""
    (r1, x1), (r2, x2) = place(one), place(other)
    dy, dx = abs(r1 - r2), abs(x1 - x2)
    return max(dy, (dx + dy) // 2)


def destinations(play: Play, hex_: str) -> set[str]:
    """Where the piece in a hex can go, its own hex left out."""
    play.order(hex_).do(hex_).quiet()
    return play.choices - {hex_}


def test_shape() -> None:
    # BT-BOARD-01, BT-R-04: eleven rows of 12 and 11 hexes in turn, both baselines of 12; 127 hexes
    assert len(ALL) == 127
    for row in range(11):
        for column in range(13):
            fits = column < 12 - row % 2
            if fits:
                Board().top(f"ASp@{row},{column}").match()
            else:
                with pytest.raises(SetupError, match="off the board"):
                    Board().top(f"ASp@{row},{column}")
    with pytest.raises(SetupError, match="off the board"):
        Board().top("ASp@11,0").match()


@pytest.mark.parametrize("hex_", ALL)
def test_neighbours(hex_: str) -> None:
    # BT-BOARD-02, BT-BOARD-05, BT-BOARD-04, BT-MOVE-10: one step goes to (r, x±2) and (r±1, x±1), and never
    # into a half hex (x -1 and 23 in odd rows)
    play = Board().top(f"ASp@{hex_}").play().command("C-SNAKE")
    assert destinations(play, hex_) == neighbours(hex_)


def test_corners_and_edges() -> None:
    # BT-BOARD-05, by hand: a corner has two neighbours, the end of an odd row five
    assert neighbours("0,0") == {"0,1", "1,0"}
    assert neighbours("10,11") == {"10,10", "9,10"}
    assert neighbours("5,0") == {"5,1", "4,0", "4,1", "6,0", "6,1"}
    assert neighbours("4,0") == {"4,1", "3,0", "5,0"}
    for hex_ in ("0,0", "10,11", "5,0", "4,0"):
        play = Board().bottom(f"LI@{hex_}").set(active="bottom").play().command("C-SNAKE")
        assert destinations(play, hex_) == neighbours(hex_)


@pytest.mark.parametrize("hex_", ["0,0", "5,5", "4,0", "9,10", "10,6", "3,8"])
def test_distance(hex_: str) -> None:
    # BT-BOARD-06: on open ground a move of 2 or 3 hexes reaches every hex at that distance
    play = Board().top(f"LI@{hex_}").hand("top", "C-CIRCLE", "C-ONE-L").play().command("C-CIRCLE")
    assert destinations(play, hex_) == {other for other in ALL if 1 <= distance(hex_, other) <= 2}
    play = Board().top(f"SSpC@{hex_}").hand("top", "C-CAVALRY", "C-ONE-L").play().command("C-CAVALRY")
    assert destinations(play, hex_) == {other for other in ALL if 1 <= distance(hex_, other) <= 3}


def test_distance_of_a_shot() -> None:
    # BT-BOARD-06: an arquebus reaches what is 2 to 4 hexes away; everything else of the board is out of its
    # reach
    hand = ("C-HOLD", "C-ONE-L")
    for hex_ in ALL:
        if (far := distance("5,5", hex_)) < 2:
            continue
        board = Board().top("AA@5,5").bottom(f"ASp@{hex_}").hand("top", *hand)
        play = board.play().command("C-HOLD").order("5,5")
        assert (play.question == "battle") == (far <= 4), hex_


def test_order_of_the_hexes() -> None:
    # BT-BOARD-03: row by row, the number of a hex is its place in every list of hexes
    some = ALL[::4]
    play = Board().top(*(f"ASp@{hex_}" for hex_ in reversed(some))).play().command("C-SNAKE")
    actions = [action for action in play.match.legal_actions() if action.name == "hex"]
    assert [action.args["hex"] for action in actions] == some
    assert [action.index - actions[0].index for action in actions] == [index(hex_) for hex_ in some]
    assert (index("0,0"), index("1,0"), index("2,0"), index("10,11")) == (0, 12, 23, 126)


@pytest.mark.parametrize(("shooter", "target", "beside"), [("4,0", "6,0", "5,0"), ("6,11", "8,11", "7,10")])
def test_half_hexes_obstruct(shooter: str, target: str, beside: str) -> None:
    # BT-BOARD-04: the line runs between a half hex and the hex beside it; the half hex blocks its side
    hand = ("C-HOLD", "C-ONE-L")
    play = Board().top(f"AB@{shooter}").bottom(f"AB@{target}").hand("top", *hand).play()
    assert play.command("C-HOLD").order(shooter).question == "battle"
    play = Board().top(f"AB@{shooter}", f"ASp@{beside}").bottom(f"AB@{target}").hand("top", *hand).play()
    assert play.command("C-HOLD").order(shooter).question != "battle"


def test_one_side_of_a_line_is_not_enough_elsewhere() -> None:
    # BT-BOARD-04: the same in the middle of the board, where no half hex blocks the other side
    play = Board().top("AB@4,5", "ASp@5,5").bottom("AB@6,5").hand("top", "C-HOLD", "C-ONE-L").play()
    assert play.command("C-HOLD").order("4,5").question == "battle"


@pytest.mark.parametrize(("side", "baseline", "other"), [("top", "0,5", "10,5"), ("bottom", "10,5", "0,5")])
def test_baselines(side: str, baseline: str, other: str) -> None:
    # BT-BOARD-07: a leader leaves the board by his own baseline
    for hex_ in (baseline, other):
        play = Board(active=side).pieces(side, f"LF@{hex_}").play().command("C-ADV-C").order(hex_).do(hex_)
        assert ("leave" in play.choices) == (hex_ == baseline)


@pytest.mark.parametrize(("attacker", "retreats"), [("top", {"6,5", "6,6"}), ("bottom", {"4,5", "4,6"})])
def test_backwards(attacker: str, retreats: set[str]) -> None:
    # BT-BOARD-07: toward the own baseline is a row down for the top army and a row up for the bottom army;
    # the direction of the attack makes no difference
    defender = "bottom" if attacker == "top" else "top"
    board = Board(active=attacker).pieces(attacker, "AB@5,4").pieces(defender, "AB@5,5")
    play = board.play("FH").command("C-ADV-C").order("5,4").attack("5,4", "5,5")
    assert (play.asked, play.question, play.choices) == (defender, "retreat", retreats)


WEST = {hex_ for hex_ in ALL if place(hex_)[1] <= 7}
MIDDLE = {hex_ for hex_ in ALL if 7 <= place(hex_)[1] <= 15}
EAST = {hex_ for hex_ in ALL if place(hex_)[1] >= 15}


@pytest.mark.parametrize("rows", [(0, 1), (4, 5), (9, 10)])
@pytest.mark.parametrize(
    ("side", "card", "section"),
    [
        ("top", "C-ONE-L", EAST), ("top", "C-ONE-C", MIDDLE), ("top", "C-ONE-R", WEST),
        ("bottom", "C-ONE-L", WEST), ("bottom", "C-ONE-C", MIDDLE), ("bottom", "C-ONE-R", EAST),
    ],
)  # fmt: skip
def test_sections(side: str, card: str, section: set[str], rows: tuple[int, int]) -> None:
    # BT-BOARD-08, BT-BOARD-09, BT-R-04: left and right are those of the owner; the hexes with x 7 and 15 are
    # in two
    here = [hex_ for row in rows for hex_ in hexes(row)]
    board = Board(active=side).pieces(side, *(f"ASp@{hex_}" for hex_ in here)).hand(side, card, "C-TWO-L")
    assert board.play().command(card).choices == (set(here) & section) | {"pass"}


def test_sections_by_hand() -> None:
    # BT-BOARD-08: even rows split 4/4/4; in odd rows places 3 and 7 are shared
    assert [sum(hex_ in section for hex_ in hexes(4)) for section in (WEST, MIDDLE, EAST)] == [4, 4, 4]
    assert {f"{row},3" for row in range(1, 11, 2)} == WEST & MIDDLE
    assert {f"{row},7" for row in range(1, 11, 2)} == MIDDLE & EAST
    assert not WEST & EAST


def test_one_piece_a_hex() -> None:
    # BT-BOARD-10
    for pieces, reason in [
        (("ASp@5,5", "SSp@5,5"), "another unit"),
        (("LF@5,5", "LM@5,5"), "another leader"),
        (("SSp+LF@5,5", "LM@5,5"), "another leader"),
    ]:
        with pytest.raises(SetupError, match=reason):
            Board().top(*pieces).match()
    for top, bottom in [("ASp", "ASp"), ("ASp", "LF"), ("LF", "ASp"), ("LF", "LM")]:
        with pytest.raises(SetupError):
            Board().top(f"{top}@5,5").bottom(f"{bottom}@5,5").match()
    # Neither does a move end where a unit, another leader, or an enemy is.
    board = Board().top("LI@5,5", "LI@5,4", "LI+LF@4,5", "LF@2,5").bottom("LI@5,6", "LF@4,6")
    play = board.play().command("C-ADV-C").order("5,5", "2,5")
    assert not destinations_of(play, "5,5") & {"5,4", "4,5", "5,6", "4,6"}
    assert not destinations_of(play.do("5,5"), "2,5") & {"4,5", "4,6"}


def destinations_of(play: Play, hex_: str) -> set[str]:
    """Where an ordered piece can go."""
    return play.do(hex_).quiet().choices


def test_shared_hexes_and_empty_sections() -> None:
    # BT-R-05: in battle 18 Hojo (bottom) gains a banner for a section without enemies; a unit in a shared hex
    # is in the centre then, although it can be ordered from both sections
    for enemies, banners in [
        (("ASp@5,3", "ASp@4,9"), 1),  # x 7 and 18: nobody in the west
        (("ASp@5,7", "ASp@4,1"), 1),  # x 15 and 2: nobody in the east
        (("ASp@5,3", "ASp@4,9", "ASp@4,3"), 0),
        (("ASp@5,3", "ASp@5,7"), 1),
    ]:
        board = Board(scenario=18, active="bottom").top(*enemies).bottom("ASp@9,5").set(round=2)
        assert board.play().banners == {"top": 0, "bottom": banners}
    board = Board(scenario=18).top("ASp@5,3").bottom("ASp@9,5").hand("top", "C-ONE-R", "C-ONE-C")
    for card in ("C-ONE-R", "C-ONE-C"):
        assert board.play().command(card).choices == {"pass", "5,3"}


def test_both_armies_sit_opposite() -> None:
    # BT-BOARD-09: the same hex is left of one army and right of the other, the centre is the centre of both
    for side, other in (SIDES, SIDES[::-1]):
        for card, mirrored in [("C-ONE-L", "C-ONE-R"), ("C-ONE-C", "C-ONE-C"), ("C-ONE-R", "C-ONE-L")]:
            boards = [
                Board(active=active)
                .pieces(active, *(f"ASp@{hex_}" for hex_ in hexes(5)))
                .hand(active, played, "C-TWO-L")
                for active, played in ((side, card), (other, mirrored))
            ]
            one, two = (
                board.play().command(board.state["command"]["hands"][active][0])
                for board, active in zip(boards, (side, other), strict=True)
            )
            assert one.choices == two.choices
