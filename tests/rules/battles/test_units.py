"""Units (UNITS)."""

import pytest

from rules.battles.board import Board, Play

FOOT = ("SSp", "SB", "ASp", "AB", "AA", "LI")
MISSILES = ("SB", "AB", "AA", "SBC")
CAVALRY = ("SSpC", "SBC")
KINDS = (*FOOT, *CAVALRY)


def ordered(unit: str, *enemies: str, at: str = "5,5") -> Board:
    """The top army's turn with one unit of it."""
    return Board().top(f"{unit}@{at}").bottom(*enemies)


def may_battle(play: Play) -> bool:
    """Whether anybody may battle after the moves."""
    return (
        play.do("pass").quiet().question == "battle" if play.question == "move" else play.question == "battle"
    )


@pytest.mark.parametrize(
    ("kind", "moves", "battles"),
    [
        ("SSp", 1, 1), ("SB", 1, 1), ("ASp", 2, 1), ("AB", 2, 2), ("AA", 2, 0), ("LI", 2, 2), ("SSpC", 2, 2),
        ("SBC", 2, 2),
    ],
)  # fmt: skip
def test_moves(kind: str, moves: int, battles: int) -> None:
    # BT-UNITS-01 (mv, mb), BT-UNITS-03, BT-UNITS-04
    row = ["5,2", "5,3", "5,4", "5,5"]
    for far, to in enumerate(row):
        row_number, column = to.split(",")
        enemy = f"ASp@{row_number},{int(column) + 1}"  # in front of where it goes, and two hexes behind that
        play = Board().top(f"{kind}@5,2").bottom(enemy).play().command("C-ADV-R").order("5,2").do("5,2")
        assert (to in play.choices) == (far <= moves)
        if far <= moves:
            play.do(to).quiet()
            assert may_battle(play) == (far <= battles)


@pytest.mark.parametrize(
    ("kind", "dice"),
    [("SSp", 4), ("SB", 3), ("ASp", 3), ("AB", 2), ("AA", 2), ("LI", 2), ("SSpC", 4), ("SBC", 3)],
)
@pytest.mark.parametrize("blocks", [4, 1])
def test_melee_dice(kind: str, dice: int, blocks: int) -> None:
    # BT-UNITS-01 (melee), BT-UNITS-02: one block fights like four, in attack and battling back
    play = ordered(f"{kind}:{blocks}", "SSp@4,5").play("H" * dice)
    assert play.command("C-ADV-C").order("5,5").attack("5,5", "4,5").rolls("melee") == ["H" * dice]
    play = Board().top("AB@5,5").bottom(f"{kind}:{blocks}@4,5").play("HH", "H" * dice)
    play.command("C-ADV-C").order("5,5").attack("5,5", "4,5").do("5,5").quiet()
    assert play.rolls("battle_back") == ["H" * dice]


@pytest.mark.parametrize("blocks", [1, 2, 3, 4])
def test_bodyguards_fight_with_a_die_per_block(blocks: int) -> None:
    # BT-UNITS-01, BT-UNITS-02
    board = Board(tents={"top": "5,5"}).top(f"AC+BG:{blocks}@5,5").bottom("SSp@4,5")
    play = board.play("H" * blocks).command("C-ADV-C").order("5,5").attack("5,5", "4,5")
    assert play.rolls("melee") == ["H" * blocks]


@pytest.mark.parametrize(
    ("kind", "ranged", "moved"),
    [
        ("SB", {2: 3, 3: 3}, 1), ("AB", {2: 2, 3: 2}, 1), ("AA", {2: 2, 3: 2, 4: 1}, 0),
        ("SBC", {2: 3, 3: 3}, 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("blocks", [4, 1])
def test_ranged_dice(kind: str, ranged: dict[int, int], moved: int, blocks: int) -> None:
    # BT-UNITS-01 (ranged, moved), BT-UNITS-05, BT-R-07, BT-R-08: the range is 2 to 3, of the arquebus 4
    for far in (2, 3, 4, 5):
        target = f"5,{2 + far}"
        dice = ranged.get(far, 0)
        play = Board().top(f"{kind}:{blocks}@5,2").bottom(f"LI@{target}").play("F" * dice)
        play.command("C-ADV-R").order("5,2").do("pass")
        if dice:
            play.attack("5,2", target)
        assert play.rolls("ranged") == (["F" * dice] if dice else [])
    for far in (2, 3):
        target = f"5,{3 + far}"
        play = Board().top(f"{kind}:{blocks}@5,2").bottom(f"LI@{target}").play("F" * moved)
        play.command("C-ADV-R").order("5,2").move("5,2", "5,3")
        if moved:
            play.attack("5,3", target)
        assert play.rolls("ranged") == (["F" * moved] if moved else [])


@pytest.mark.parametrize(("kind", "moves"), [("SB", 1), ("AB", 2), ("SBC", 2)])
def test_melee_dice_do_not_fall_by_moving(kind: str, moves: int) -> None:
    # BT-R-06: only shots are reduced to one die; BT-UNITS-01
    dice = {"SB": 3, "AB": 2, "SBC": 3}[kind]
    for far in range(1, moves + 1):
        play = Board().top(f"{kind}@5,2").bottom(f"LI@5,{3 + far}").play("H" * dice)
        play.command("C-ADV-R").order("5,2").move("5,2", f"5,{2 + far}").attack(
            f"5,{2 + far}", f"5,{3 + far}"
        )
        assert play.rolls("melee") == ["H" * dice]


@pytest.mark.parametrize(
    ("kind", "symbol"),
    [
        ("SSp", "S"),
        ("SB", "S"),
        ("ASp", "T"),
        ("AB", "C"),
        ("AA", "C"),
        ("LI", "C"),
        ("SSpC", "S"),
        ("SBC", "S"),
    ],
)
def test_symbols(kind: str, symbol: str) -> None:
    # BT-UNITS-01 (symbol): of a circle, a triangle, a square and an honor face one hits
    play = Board().top("SSp@5,5").bottom(f"{kind}@4,5").play("CTSH")
    assert play.command("C-ADV-C").order("5,5").attack("5,5", "4,5").at("4,5") == f"bottom {kind}:3"
    play = Board().top("SB@5,5").bottom(f"{kind}@3,5").play("CTS")
    assert play.command("C-ADV-C").order("5,5").attack("5,5", "3,5").at("3,5") == f"bottom {kind}:3"
    play = Board().top("SSp@5,5").bottom(f"{kind}@4,5").play(symbol * 3 + "H")
    assert play.command("C-ADV-C").order("5,5").attack("5,5", "4,5").at("4,5") == f"bottom {kind}:1"


@pytest.mark.parametrize(
    ("kind", "honor"),
    [("SSp", 2), ("SB", 2), ("ASp", 1), ("AB", 1), ("AA", 1), ("LI", 2), ("SSpC", 2), ("SBC", 2)],
)
def test_retreat_of_a_kind(kind: str, honor: int) -> None:
    # BT-UNITS-01 (hex/flag, honor lost, flags): a levy goes two hexes a flag for a flat 2 honor; squares may
    # ignore a flag by themselves
    flags = 2 if kind in {"SSp", "SB", "SSpC", "SBC"} else 1
    play = Board().top("SSp@5,5").bottom(f"{kind}@6,5").play("F" * flags + "H" * (4 - flags))
    play.command("C-ADV-C").order("5,5").attack("5,5", "6,5")
    if flags == 2:
        assert (play.asked, play.question, play.choices) == ("bottom", "ignore_flags", {"0", "1"})
        play.ignore(1)
    assert (play.asked, play.question) == ("bottom", "retreat")
    two = {"8,4", "8,5", "8,6"}
    assert play.choices == (two if kind == "LI" else {"7,4", "7,5"})
    play.do(min(play.choices)).quiet()
    assert play.honor["bottom"] == 5 - honor


def test_swords_that_are_ignored() -> None:
    # BT-UNITS-01 (X ignored), BT-UNITS-08: rank falls from square over triangle to circle, cavalry stands
    # above infantry
    for by, dice, against, left in [
        ("LI", 2, "SSp", 4), ("ASp", 3, "SSp", 2), ("ASp", 3, "SSpC", 3), ("SSp", 4, "SSpC", 1),
        ("SSp", 4, "SSp", 0),
        ("LI", 2, "ASp", 3), ("SSpC", 4, "SSpC", 0), ("SSp", 4, "LI", 0), ("ASp", 3, "LI", 1),
        ("LI", 2, "SSpC", 4),
    ]:  # fmt: skip
        play = Board().top(f"{by}@5,5").bottom(f"{against}@4,5").play("X" * dice)
        play.command("C-ADV-C").order("5,5").attack("5,5", "4,5")
        assert play.at("4,5") == (f"bottom {against}:{left}" if left else None), (by, against)


@pytest.mark.parametrize(
    ("kind", "against", "honor"),
    [
        ("SSpC", "SSp", 4), ("SSpC", "ASp", 0), ("SSpC", "AB", 0), ("SBC", "SB", 3), ("SBC", "ASp", 0),
        ("SSp", "AB", 4), ("ASp", "SSp", 3), ("AB", "SSp", 2), ("AA", "SSp", 2), ("LI", "SSp", 2),
        ("SSp", "LI", 0),
    ],
)  # fmt: skip
def test_honor_collected_in_melee(kind: str, against: str, honor: int) -> None:
    # BT-UNITS-01 (collects H): cavalry nothing from triangles and circles
    dice = {"SSpC": 4, "SBC": 3, "SSp": 4, "ASp": 3}.get(kind, 2)
    play = Board().top(f"{kind}@5,5").bottom(f"{against}@4,5").play("H" * dice)
    assert play.command("C-ADV-C").order("5,5").attack("5,5", "4,5").honor["top"] == 5 + honor


@pytest.mark.parametrize(("kind", "honor"), [("SB", 3), ("AB", 2), ("SBC", 3), ("AA", 0)])
def test_honor_collected_by_shots(kind: str, honor: int) -> None:
    # BT-UNITS-01 (collects H), BT-R-08: bows in ranged combat too, also cavalry against circles; arquebuses
    # do not
    play = Board().top(f"{kind}@5,5").bottom("LI@3,5").play("H" * (3 if kind in {"SB", "SBC"} else 2))
    assert play.command("C-ADV-C").order("5,5").attack("5,5", "3,5").honor["top"] == 5 + honor


def test_ashigaru_spears() -> None:
    # BT-UNITS-03: one hex and a battle, or two hexes and none
    for to, fights in [("5,6", True), ("5,7", False)]:
        play = ordered("ASp", "ASp@6,7", "ASp@6,8").play()
        play.command("C-ADV-C").order("5,5").move("5,5", to).quiet()
        assert (play.question == "battle") == fights


def test_arquebuses() -> None:
    # BT-UNITS-04: once it has moved it neither shoots nor attacks; it battles back as always
    for enemy in ("ASp@5,7", "ASp@5,8"):
        play = ordered("AA", enemy).play().command("C-ADV-C").order("5,5").move("5,5", "5,6").quiet()
        assert play.question != "battle"
    board = ordered("AA", "ASp@5,7")
    play = board.play("HHH", "TT").command("C-ADV-C").order("5,5").move("5,5", "5,6").end_turn()
    play.command("C-ADV-C").order("5,7").attack("5,7", "5,6").do("5,7").quiet()
    assert (play.rolls("battle_back"), play.at("5,7")) == (["TT"], "bottom ASp:2")


@pytest.mark.parametrize("kind", MISSILES)
def test_nobody_shoots_at_what_is_next_to_him(kind: str) -> None:
    # BT-UNITS-05: at a distance of 1 it is a melee
    play = ordered(kind, "ASp@4,5").play("H" * (3 if kind in {"SB", "SBC"} else 2))
    play.command("C-ADV-C").order("5,5").attack("5,5", "4,5")
    assert (len(play.rolls("melee")), play.rolls("ranged")) == (1, [])


@pytest.mark.parametrize(("kind", "blocks"), [("AA", 2), ("AB", 4), ("SB", 4), ("SBC", 4)])
def test_swords_of_a_shot(kind: str, blocks: int) -> None:
    # BT-UNITS-06: X of an arquebus hits besides the symbol, X of a bow does not; rank is nothing in ranged
    # combat
    play = ordered(kind, "SSp@3,5").play("XXX" if kind in {"SB", "SBC"} else "XX")
    assert play.command("C-ADV-C").order("5,5").attack("5,5", "3,5").at("3,5") == f"bottom SSp:{blocks}"


def test_symbol_and_swords_of_an_arquebus() -> None:
    # BT-UNITS-06
    play = ordered("AA", "SSp@3,5").play("SX").command("C-ADV-C").order("5,5").attack("5,5", "3,5")
    assert play.at("3,5") == "bottom SSp:2"


@pytest.mark.parametrize(
    ("card", "kinds"), [("C-HOLD", MISSILES), ("C-CAVALRY", CAVALRY), ("C-ASSAULT", FOOT)]
)
def test_classes(card: str, kinds: tuple[str, ...]) -> None:
    # BT-UNITS-07, BT-R-09: missile units, cavalry, infantry; the bodyguard is none of these
    places = {kind: f"5,{number + 1}" for number, kind in enumerate(KINDS)}
    board = Board(tents={"top": "6,1"}).top(*(f"{kind}@{at}" for kind, at in places.items()), "AC+BG@6,1")
    play = board.hand("top", card, "C-ONE-L").play().command(card)
    assert play.choices == {"pass"} | {places[kind] for kind in kinds}


def test_bow_units() -> None:
    # BT-UNITS-07: bow units are SB, AB and SBC; Fire Arrows is for them and not for arquebuses
    for kind, dice in [("SB", 4), ("AB", 3), ("SBC", 4), ("AA", 2)]:
        board = Board().top(f"{kind}@5,5", "AB@0,0").bottom("SSp@3,5").dragons("top", "D-12")
        play = board.play("F" * dice).command("C-ADV-C", "D-12").order("5,5").attack("5,5", "3,5")
        assert play.rolls("ranged") == ["F" * dice]


def test_units_stay_as_they_are() -> None:
    # BT-UNITS-09: no unit enters the hex of another, so none merge
    board = Board().top("AB:1@5,5", "AB:2@5,6", "AB:3@4,6").bottom()
    play = board.play().command("C-ADV-C").order("5,5", "5,6", "4,6").do("5,5")
    assert not play.choices & {"5,6", "4,6"}
    play.do("5,4").do("pass")
    assert play.pieces("top") == {"AB:1@5,4", "AB:2@5,6", "AB:3@4,6"}


def test_bodyguard_is_neither_infantry_nor_cavalry() -> None:
    # BT-R-09: no symbol card, no Infantry Assault, no Cavalry Charge reaches it; section cards and "one unit"
    # do
    tent = {"top": "5,5"}
    for card in ("C-CIRCLE", "C-TRIANGLE", "C-SQUARE", "C-CAVALRY", "C-ASSAULT", "C-HOLD"):
        board = Board(tents=tent).top("AC+BG@5,5", *(f"{kind}@2,{at}" for at, kind in enumerate(KINDS)))
        assert "5,5" not in board.hand("top", card, "C-ONE-L").play().command(card).choices
        # Without any unit of the kind it can be the one unit of choice.
        play = Board(tents=tent).top("AC+BG@5,5").hand("top", card, "C-ONE-L").play().command(card)
        assert play.choices == {"5,5", "pass"}
    assert "5,5" in Board(tents=tent).top("AC+BG@5,5").play().command("C-ADV-C").choices
    assert "5,5" in Board(tents=tent).top("AC+BG@5,5").play().command("C-SNAKE").choices


def test_bodyguard_supports() -> None:
    # BT-R-09: a bodyguard is a unit that supports its neighbours like any other
    board = Board(tents={"bottom": "6,5"}).top("AB@4,5").bottom("ASp@5,5", "AC+BG@6,5", "ASp@5,6")
    play = board.play("FH").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    assert (play.question, play.choices) == ("ignore_flags", {"0", "1"})


def test_what_a_move_is() -> None:
    # BT-R-10: a unit that retreated or took ground has not moved
    # An arquebus that is driven back in the enemy's turn shoots in its own one.
    board = Board(active="bottom").top("AA@5,5").bottom("AB@6,5", "ASp@9,5")
    play = board.play("FH", "CC").command("C-ADV-C").order("6,5").attack("6,5", "5,5").do("4,5").end_turn()
    play.command("C-ADV-C").order("4,5").attack("4,5", "6,5")
    assert (play.rolls("ranged"), play.at("6,5")) == (["CC"], "bottom AB:2")
    # Spear cavalry that moved 2 takes ground and melees once more.
    board = Board().top("SSpC@5,2").bottom("AB:1@5,5", "AB@5,6")
    play = board.play("CCCC", "HHHH").command("C-ADV-R").order("5,2").move("5,2", "5,4").attack("5,4", "5,5")
    play.do("5,4").quiet()
    assert (play.question, play.choices) == ("bonus_melee", {"pass", "5,6"})
    play.do("5,6").quiet()
    assert play.rolls("melee") == ["CCCC", "HHHH"]
