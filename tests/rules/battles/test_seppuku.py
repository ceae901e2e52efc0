"""Leaders who commit seppuku (SEPPUKU)."""

import pytest

from differential.model_battles_decks import dragon_deck
from rules.battles.board import HAND, Board, Play

DRAGONS = dragon_deck()


def fate(board: Board) -> Play:
    """A leader of the bottom army has been attacked alone and survived."""
    return board.top("SSp@4,5").bottom("LF@5,5").fight("4,5", "5,5", "CCCC")


def test_seppuku_instead_of_a_retreat() -> None:
    # DP-22, BT-SEPPUKU-01: a choice beside retreating, after an attack and with the last block of his unit
    assert fate(Board()).choices > {"seppuku"}
    play = Board().top("SSp@4,5").bottom("ASp:1+LF@5,5").fight("4,5", "5,5", "TCCC", "C")
    assert play.choices > {"seppuku"}
    assert play.do("seppuku").at("5,5") is None


def test_what_seppuku_brings() -> None:
    # BT-SEPPUKU-02: 5 honor for a command card at random; no banner, but a dragon card at once
    play = fate(Board().deck("D-15", "D-01")).do("seppuku")
    assert (play.at("5,5"), play.banners, play.honor) == (
        None,
        {"top": 0, "bottom": 0},
        {"top": 5, "bottom": 10},
    )
    lost = play.events("command_lost", side="bottom")
    assert len(lost) == 1
    assert sorted([*play.hand("bottom"), lost[0]["card"]]) == sorted(HAND)
    assert play.state["command"]["discards"][-1] == lost[0]["card"]
    assert (play.dragons("top"), play.dragons("bottom")) == (["D-15"], [])
    assert play.quiet().question == "take_ground"


@pytest.mark.parametrize(("top", "gained"), [(21, 4), (25, 0), (10, 5)])
def test_the_pool_limits_the_honor(top: int, gained: int) -> None:
    # BT-SEPPUKU-02, BT-HONOR-01
    assert fate(Board().honor(top=top)).do("seppuku").honor == {"top": top, "bottom": 5 + gained}


def test_the_dragon_card_can_be_played_in_the_same_turn() -> None:
    # BT-SEPPUKU-02, BT-DRAGON-USE-09: Legendary Combat after the melee that brought it
    play = fate(Board().bottom("ASp@6,5").deck("D-19")).do("seppuku")
    assert (play.asked, play.window, play.choices) == ("top", "W-SUCCESS-A", {"pass", "D-19"})


def test_the_dragon_card_comes_from_the_discards_if_the_deck_is_empty() -> None:
    # BT-SEPPUKU-02, BT-END-OF-TURN-05: shuffled first, in the midst of the turn
    held = [card for card in DRAGONS if card not in ("D-14", "D-15")]
    board = Board().dragons("bottom", *held).discards("D-14", "D-15").honor(bottom=0)
    play = fate(board).do("seppuku")
    (drawn,) = play.dragons("top")
    assert sorted([drawn, *play.state["dragon"]["deck"]]) == ["D-14", "D-15"]
    assert play.discarded() == []
