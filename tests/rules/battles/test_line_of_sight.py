"""Line of sight (LOS)."""

import random

import pytest

from rules.battles.board import Board, hexes

Offset = tuple[int, int]
"""Doubled columns to the east and rows down."""
ALL = [hex_ for row in range(11) for hex_ in hexes(row)]
TABLE: dict[Offset, tuple[set[Offset], set[Offset], set[Offset]]] = {
    (4, 0): ({(2, 0)}, set(), set()),
    (3, 1): (set(), {(1, 1)}, {(2, 0)}),
    (2, 2): ({(1, 1)}, set(), set()),
    (0, 2): (set(), {(-1, 1)}, {(1, 1)}),
    (6, 0): ({(2, 0), (4, 0)}, set(), set()),
    (5, 1): ({(2, 0), (3, 1)}, set(), set()),
    (4, 2): ({(1, 1), (3, 1)}, set(), set()),
    (3, 3): ({(1, 1), (2, 2)}, set(), set()),
    (1, 3): ({(1, 1), (0, 2)}, set(), set()),
    (8, 0): ({(2, 0), (4, 0), (6, 0)}, set(), set()),
    (7, 1): ({(2, 0), (4, 0), (3, 1), (5, 1)}, set(), set()),
    (6, 2): ({(3, 1)}, {(1, 1), (4, 2)}, {(2, 0), (5, 1)}),
    (5, 3): ({(1, 1), (3, 1), (2, 2), (4, 2)}, set(), set()),
    (4, 4): ({(1, 1), (2, 2), (3, 3)}, set(), set()),
    (2, 4): ({(1, 1), (0, 2), (2, 2), (1, 3)}, set(), set()),
    (0, 4): ({(0, 2)}, {(-1, 1), (-1, 3)}, {(1, 1), (1, 3)}),
}
"""BT-LOS-09: for each offset of the target the hexes in the line and on its two edges."""
MIRRORS = [(1, 1), (-1, 1), (1, -1), (-1, -1)]
SHOOTER = "5,5"


def at(offset: Offset, mirror: Offset = (1, 1), start: str = SHOOTER) -> str:
    """The hex at an offset."""
    row, column = map(int, start.split(","))
    row, x = row + offset[1] * mirror[1], 2 * column + row % 2 + offset[0] * mirror[0]
    return f"{row},{x // 2}"


def shot(target: str, *friends: str, board: Board | None = None) -> bool:
    """Whether arquebuses at 5,5 can shoot at the only enemy."""
    board = (
        (board or Board()).top(f"AA@{SHOOTER}", *(f"LI@{hex_}" for hex_ in friends)).bottom(f"ASp@{target}")
    )
    play = board.hand("top", "C-HOLD", "C-ONE-L").play().command("C-HOLD").order(SHOOTER)
    return play.question == "battle"


# What follows from BT-LOS-01 to BT-LOS-03 by geometry.


def vertices(row: int, x: int) -> list[tuple[int, int]]:
    """The corners of a hex in whole numbers (BT-LOS-01)."""
    return [(x, 3 * row - 2), (x, 3 * row + 2), *((x + dx, 3 * row + dy) for dx in (-1, 1) for dy in (-1, 1))]


def steps(one: Offset, other: Offset) -> int:
    """Distance of two places (BT-BOARD-06), half hexes included."""
    dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
    return max(dy, (dx + dy) // 2)


def kind_of(place: Offset, target: Offset) -> str | None:
    """What a place is to the line from (0, 0) to an offset: `in`, `left`, `right`, or nothing."""
    if steps((0, 0), place) + steps(place, target) != steps((0, 0), target) or place in ((0, 0), target):
        return None
    crosses = [target[0] * y - 3 * target[1] * x for x, y in vertices(place[1], place[0])]
    positive, negative = sum(c > 0 for c in crosses), sum(c < 0 for c in crosses)
    if positive and negative:
        return "in"
    if crosses.count(0) == 2:
        return "left" if positive else "right"
    return None


def blocked(shooter: str, target: str, obstructs: set[tuple[int, int]]) -> bool:
    """Whether obstructions (row, doubled column) and half hexes block a line (BT-LOS-04, BT-LOS-05)."""
    (row, column), (row_to, column_to) = (tuple(map(int, hex_.split(","))) for hex_ in (shooter, target))
    x, x_to = 2 * column + row % 2, 2 * column_to + row_to % 2
    found = set()
    for r in range(11):
        for place in range(-1, 24):
            if (place - r) % 2:
                continue
            if (r, place) in obstructs or place in (-1, 23):
                found.add(kind_of((place - x, r - row), (x_to - x, row_to - row)))
    return "in" in found or {"left", "right"} <= found


@pytest.mark.parametrize("target", TABLE)
@pytest.mark.parametrize("mirror", MIRRORS)
def test_the_table_is_the_geometry(target: Offset, mirror: Offset) -> None:
    # BT-LOS-01, BT-LOS-02, BT-LOS-03, BT-LOS-09, BT-R-32: a line that only touches a corner does not pass
    # through a hex
    inside, left, right = TABLE[target]

    def mirrored(offset: Offset) -> Offset:
        return offset[0] * mirror[0], offset[1] * mirror[1]

    near = [(dx, dr) for dr in range(-5, 6) for dx in range(-10, 11) if (dx - dr) % 2 == 0]
    found = {
        kind: {place for place in near if kind_of(place, mirrored(target)) == kind}
        for kind in ("in", "left", "right")
    }
    assert found["in"] == set(map(mirrored, inside))
    assert {frozenset(found["left"]), frozenset(found["right"])} == {
        frozenset(map(mirrored, left)),
        frozenset(map(mirrored, right)),
    }


@pytest.mark.parametrize("target", TABLE)
@pytest.mark.parametrize("mirror", MIRRORS)
def test_lines(target: Offset, mirror: Offset) -> None:
    # BT-LOS-02, BT-LOS-03, BT-LOS-04, BT-LOS-09, BT-R-31: one obstruction in the line blocks; on the edges it
    # takes one on either side, which need not face each other
    inside, left, right = ([at(offset, mirror) for offset in sorted(part)] for part in TABLE[target])
    goal = at(target, mirror)
    assert shot(goal)
    for hex_ in inside:
        assert not shot(goal, hex_)
    for hex_ in (*left, *right):
        assert shot(goal, hex_)
    assert shot(goal, *left)
    assert shot(goal, *right)
    for one in left:
        for other in right:
            assert not shot(goal, one, other)


@pytest.mark.parametrize("target", TABLE)
@pytest.mark.parametrize("mirror", MIRRORS)
def test_nothing_else_matters(target: Offset, mirror: Offset) -> None:
    # BT-LOS-06, BT-R-32: all other hexes around may be full; the shooter's and the target's own never
    # obstruct
    inside, left, right = TABLE[target]
    goal = at(target, mirror)
    counted = {at(offset, mirror) for offset in inside | left | right} | {SHOOTER, goal}
    rows = range(11)
    others = sorted(
        (hex_ for row in rows for hex_ in hexes(row) if hex_ not in counted),
        key=lambda hex_: min(far(hex_, SHOOTER), far(hex_, goal)),
    )
    assert shot(goal, *others[:38])


def far(one: str, other: str) -> int:
    """Distance of two hexes."""
    (r1, c1), (r2, c2) = (map(int, hex_.split(",")) for hex_ in (one, other))
    return steps((2 * c1 + r1 % 2, r1), (2 * c2 + r2 % 2, r2))


@pytest.mark.parametrize(
    "piece",
    ["top ASp", "top SSpC", "top LF", "top LM", "bottom ASp", "bottom LF", "bottom ASp+LF", "bottom LM"],
)
def test_pieces_obstruct(piece: str) -> None:
    # BT-LOS-05: friend or foe, unit or leader
    side, kind = piece.split()
    board = (
        Board().top("AA@5,5").bottom("ASp@5,9").hand("top", "C-HOLD", "C-ONE-L").pieces(side, f"{kind}@5,7")
    )
    if side == "top":
        assert board.play().command("C-HOLD").order("5,5").question != "battle"
    else:  # the nearer one is the only target
        play = board.play("HH").command("C-HOLD").order("5,5").do("5,5").quiet()
        assert [event["target"] for event in play.events("attack")] == ["5,7"]


BLOCKING = {"FOREST", "HILL", "BUILDINGS", "CASTLE", "TENT"}


@pytest.mark.parametrize(
    "terrain",
    [
        "OPEN", "FOREST", "HILL", "RIVER", "FORD", "SHALLOW", "BRIDGE", "BUILDINGS", "FIELDS", "GORGE",
        "TENT", "FENCE",
        "PALISADE", "CASTLE",
    ],
)  # fmt: skip
def test_terrain_obstructs(terrain: str) -> None:
    # BT-LOS-05, BT-LOS-08, BT-R-29, BT-R-30: wood, hill, buildings, castle and a standing tent do; fields do
    # not
    tents = {"bottom": "5,6"} if terrain == "TENT" else {}
    board = Board(terrain={} if tents else {"5,6": terrain}, tents=tents)
    assert shot("5,7", board=board) == (terrain not in BLOCKING)


def test_terrain_on_the_edges() -> None:
    # BT-LOS-04, BT-LOS-05: (3,1): a wood on one side, a unit or a wood on the other
    left, right = at((1, 1)), at((2, 0))
    assert shot(at((3, 1)), board=Board(terrain={left: "FOREST"}))
    assert not shot(at((3, 1)), right, board=Board(terrain={left: "FOREST"}))
    assert not shot(at((3, 1)), board=Board(terrain={left: "FOREST", right: "BUILDINGS"}))


def test_a_removed_tent_does_not_obstruct() -> None:
    # BT-LOS-05: a standing tent does
    board = Board(tents={"bottom": "5,6"}).set(tents={"bottom": False})
    assert shot("5,7", board=board)


@pytest.mark.parametrize("terrain", ["FOREST", "HILL", "BUILDINGS", "CASTLE"])
def test_own_hexes_do_not_obstruct(terrain: str) -> None:
    # BT-LOS-06: out of a wood, into a castle
    assert shot("5,7", board=Board(terrain={"5,5": terrain}))
    assert shot("5,7", board=Board(terrain={"5,7": terrain}))


def hill(*places: str) -> Board:
    """A board with hills."""
    return Board(terrain=dict.fromkeys(places, "HILL"))


def test_hills() -> None:
    # BT-LOS-07: the first hill hex is seen from the ground, and the ground from it
    assert shot("5,7", board=hill("5,7"))
    assert shot("5,7", board=hill("5,5"))
    assert not shot("5,8", board=hill("5,7", "5,8"))  # nobody sees over the first hill hex
    assert not shot("5,8", board=hill("5,5", "5,6"))
    assert not shot("5,7", board=hill("5,6"))
    # On one plateau hill hexes do not obstruct.
    assert shot("5,8", board=hill("5,5", "5,6", "5,7", "5,8"))
    assert shot("5,7", board=hill("5,5", "4,6", "4,7", "5,7"))  # over lower ground
    # From the plateau down past its own edge: the hex between is hill, the target is not.
    assert not shot("5,8", board=hill("5,5", "5,6", "5,7"))


def test_hills_of_another_group() -> None:
    # BT-R-33: between two hexes of one plateau only that plateau's hexes are no obstruction
    ring = ("5,5", "4,6", "3,6", "2,7", "2,8", "3,8", "4,9", "5,9")  # a bow from 5,5 to 5,9
    assert shot("5,9", board=hill(*ring))
    assert not shot("5,9", board=hill(*ring, "5,7"))  # a hill by itself in the middle
    assert shot("5,9", board=hill(*ring, "5,7", "4,7"))  # which belongs to them now


def test_units_obstruct_on_hills_too() -> None:
    # BT-R-33: also on the plateau, and on lower ground between
    assert not shot("5,7", "5,6", board=hill("5,5", "5,6", "5,7"))
    assert not shot("5,7", "5,6", board=hill("5,5", "4,6", "4,7", "5,7"))


def test_two_hills_do_not_see_through_a_third() -> None:
    # BT-LOS-07, BT-R-33: shooter and target on different hills
    assert shot("5,7", board=hill("5,5", "5,7"))
    assert not shot("5,9", board=hill("5,5", "5,7", "5,9"))


@pytest.mark.parametrize("seed", range(40))
def test_random_boards(seed: int) -> None:
    # BT-LOS-01, BT-LOS-02, BT-LOS-03, BT-LOS-04, BT-BOARD-04: anywhere, at the edges with their half hexes
    # too
    chance = random.Random(seed)
    shooter = chance.choice(ALL[:: 11 if seed % 2 else 1])
    targets = [hex_ for hex_ in ALL if 2 <= far(hex_, shooter) <= 4]
    target = chance.choice(targets)
    between = [hex_ for hex_ in ALL if far(hex_, shooter) <= 4 and hex_ not in (shooter, target)]
    friends = chance.sample(between, chance.randrange(2, 9))
    board = Board().top(f"AA@{shooter}", *(f"LI@{hex_}" for hex_ in friends)).bottom(f"ASp@{target}")
    play = board.hand("top", "C-HOLD", "C-ONE-L").play().command("C-HOLD")
    play.order(*({shooter} & play.choices))
    places = {(row, 2 * column + row % 2) for row, column in (map(int, hex_.split(",")) for hex_ in friends)}
    assert (play.question == "battle") == (not blocked(shooter, target, places))


def test_a_clipped_corner_counts() -> None:
    # BT-R-32: at (5,3) the line cuts corners of four hexes, each of which blocks; (0,2) is touched by none of
    # its corners
    goal = at((5, 3))
    for offset in ((1, 1), (3, 1), (2, 2), (4, 2)):
        assert not shot(goal, at(offset))
    for offset in ((2, 0), (0, 2), (4, 0), (3, 3)):
        assert shot(goal, at(offset))
