"""Chance (RAND): which draws there are, how they are read and in which order they come."""

import pytest

from rules.battles.board import FACES, HAND, Board, Play, drawn, faces, shuffled
from rules.battles.test_dragon import CARDS
from sengoku import Match

COMMAND = {
    "C-ONE-L": 2, "C-ONE-C": 2, "C-ONE-R": 2, "C-TWO-L": 3, "C-TWO-C": 4, "C-TWO-R": 3,
    "C-THREE-L": 3, "C-THREE-C": 3, "C-THREE-R": 3, "C-ADV-L": 2, "C-ADV-C": 2, "C-ADV-R": 2,
    "C-CRANE": 2, "C-GEESE": 2, "C-FLANKS": 2, "C-TIGER-L": 1, "C-TIGER-R": 1,
    "C-CIRCLE": 2, "C-TRIANGLE": 2, "C-SQUARE": 2, "C-CAVALRY": 2, "C-COUNTER": 2, "C-FIRST": 2,
    "C-HOLD": 2, "C-ASSAULT": 2, "C-LEADER": 2, "C-SNAKE": 2, "C-SHOGUN": 1,
}  # fmt: skip
"""The command cards in the order of the table BT-CMD-01, with their copies."""


def by_seed(board: Board, seed: int) -> Play:
    """A play whose dice are those of the seed."""
    return Play(Match.create("battles", seats=2, seed=seed, setup=board.table()))


def fall(first: int, dice: int, seed: int) -> str:
    """The faces that fall by the draws from this one on."""
    return "".join(FACES[drawn(draw, 6, seed)] for draw in range(first, first + dice))


@pytest.mark.parametrize("seed", range(6))
def test_dice_from_left_to_right(seed: int) -> None:
    # BT-RAND-01, BT-COMP-02: an attack, one die after the other
    play = by_seed(Board().top("SSp@4,5").bottom("ASp@5,5"), seed).command("C-ADV-C").order("4,5")
    play.attack("4,5", "5,5")
    assert play.rolls()[0] == fall(0, 4, seed)


@pytest.mark.parametrize("seed", range(6))
def test_dice_rolled_again_come_after_all_others(seed: int) -> None:
    # BT-RAND-01: four bodyguards, then as many dice as there are swords
    board = Board(tents={"top": "4,5"}).top("AC+BG@4,5").bottom("SSp@5,5")
    play = by_seed(board, seed).command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    first = fall(0, 4, seed)
    swords = first.count("X")
    assert play.rolls("melee", "again") == [first, *([fall(4, swords, seed)] if swords else [])]


def test_every_face_is_as_likely() -> None:
    # BT-RAND-01: 6000 dice; four standard deviations are 116
    dice = "".join(fall(0, 1000, seed) for seed in range(6))
    counts = [dice.count(face) for face in FACES]
    assert sum(counts) == 6000
    assert all(abs(count - 1000) < 116 for count in counts)


@pytest.mark.parametrize("seed", range(4))
def test_shuffle_and_deal(seed: int) -> None:
    # BT-RAND-02, BT-RAND-03, BT-RAND-05: table order; command cards first; the last card is on top
    state = Match.create("battles", seats=2, seed=seed, setup={"scenario": 1}).state()
    command = shuffled((card for card, copies in COMMAND.items() for _ in range(copies)), first=0, seed=seed)
    dragon = shuffled((card for card, row in CARDS.items() for _ in range(row[1])), first=59, seed=seed)
    for pile, deck, cards in (("command", command, 5), ("dragon", dragon, 3)):
        assert state[pile]["hands"]["top"] == deck[: -cards - 1 : -1]
        assert state[pile]["hands"]["bottom"] == deck[-cards - 1 : -2 * cards - 1 : -1]
        assert state[pile]["deck"] == deck[: -2 * cards]


@pytest.mark.parametrize("seed", range(6))
def test_a_random_card_by_its_place_in_the_hand(seed: int) -> None:
    # BT-RAND-04: a seppuku after an attack with three dice; the oldest card is the first
    board = Board().top("ASp@9,5").bottom("LF@10,5", "LI@9,1")
    play = board.play("CCC", seed=seed).command("C-ADV-C").order("9,5").attack("9,5", "10,5")
    assert play.events("command_lost")[0]["card"] == HAND[drawn(3, 5, seed)]


@pytest.mark.parametrize("seed", range(6))
def test_a_card_that_comes_back_is_the_newest(seed: int) -> None:
    # BT-RAND-04: Wild Winds, then a seppuku of the same player's leader against a first strike
    board = (
        Board()
        .top("ASp:1+LF@1,5")
        .bottom("SSp@2,5")
        .dragons("bottom", "D-36")
        .hand("top", "C-ADV-C", "C-GEESE", "C-CRANE")
    )
    board = board.hand("bottom", "C-FIRST", "C-ADV-L")
    play = board.play("TCCC", "C", seed=seed).command("C-ADV-C", "D-36").order("1,5").declare("1,5", "2,5")
    play.do("C-FIRST").quiet().do("seppuku")
    rest = ["C-GEESE", "C-CRANE"]
    rest.pop(drawn(0, 2, seed))
    assert play.events("command_lost")[0]["card"] == [*rest, "C-ADV-C"][drawn(6, 2, seed)]


@pytest.mark.parametrize(("script", "first"), [("HCCCC CCCCC", "top"), ("CCCCC CCCCH", "bottom")])
def test_dice_off(script: str, first: str) -> None:
    # BT-RAND-05, BT-SCEN-10: the top army first; a tie is rolled again by both
    tie = "HHCCC XHFHX "
    for rounds in (script, tie + script, tie + tie + script):
        match = Match.create("battles", seats=2, seed=1, setup={"scenario": 22}, dice=faces(rounds))
        assert match.dice_left == 0
        play = Play(match)
        assert [event["side"] for event in play.events("rolled")] == ["top", "bottom"] * (
            rounds.count(" ") // 2 + 1
        )
        assert play.state["active"] == first


@pytest.mark.parametrize("seed", range(4))
def test_a_dice_off_comes_after_the_shuffles(seed: int) -> None:
    # BT-RAND-05: 59 draws for command cards and 39 for dragon cards, then the dice
    play = Play(Match.create("battles", seats=2, seed=seed, setup={"scenario": 22}))
    rolls = play.rolls()
    assert rolls == [fall(98 + 5 * place, 5, seed) for place in range(len(rolls))]


@pytest.mark.parametrize("seed", range(3))
def test_a_turn_takes_its_draws_in_order(seed: int) -> None:
    # BT-RAND-05: the card that goes with Shogun, then Shogun's own dice
    board = Board().top("SSp@4,5", "ASp@4,6", "LI@4,4").bottom("LI+LF@5,5").hand("top", "C-SHOGUN", *HAND[:3])
    board = board.dragons("top", "D-33")
    play = by_seed(board, seed).command("C-SHOGUN", "D-33")
    assert play.rolls() == [fall(0, 4, seed), fall(4, 4, seed)]
    assert [event["roll"] for event in play.events("rolled")] == ["tea_ceremony", "shogun"]


def test_nothing_else_is_random() -> None:
    # BT-RAND-06: the same dice and decisions with other seeds: the same turn to the last detail
    def turn(seed: int) -> Play:
        board = Board().top("SSpC+LM@4,5", "AB@3,7").bottom("ASp+LF@5,5", "AB@5,7", "LI@6,6")
        board = board.dragons("top", "D-27").dragons("bottom", "D-29").deck("C-HOLD", "D-33")
        play = board.play("CH", "TFCC", "C", "FC", seed=seed).command("C-ADV-C", "D-27").do("5,7")
        play.order("4,5", "3,7").attack("4,5", "5,5").do("1").do("pass").attack("3,7", "5,7").do("6,7")
        return play.end_turn("draw_dragon")

    first = turn(1)
    for seed in range(2, 8):
        other = turn(seed)
        assert (other.state, other.match.log) == (first.state, first.match.log)
