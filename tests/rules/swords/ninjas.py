"""Helpers for tests of the ninja."""

from rules.swords.board import (
    Board,
    army,
    play,
)
from sengoku import Match

HOLES = {1: 0, 2: 3, 3: 6, 4: 9}
"""The first hole of each level."""


def held(board: Board, holder: int = 1) -> Board:
    """The same board; a clan holds the ninja."""
    return board.set(ninja=holder, ninja_fresh=True)


def war(board: Board, holder: int = 1) -> Board:
    """The same board at the start of clan 0's war turn; the holder is asked first."""
    return held(board, holder).set(phase="none", point="war_turn", turn=0)


def wait(match: Match, window: int) -> Match:
    """The holder passes windows until this one; the attacker of a battle continues."""
    while match.state()["window"] != window:
        play(match, "pass" if match.state()["window"] else "continue")
    return match


def three_armies(board: Board, clan: int) -> Board:
    """Gives a clan all three of its daimyo, far away, so that none can come back to it (SW-ELIM-05)."""
    places = {0: ("hitachi", "kazusa"), 2: ("dewa", "shimosa")}[clan]
    for number, place in zip((1, 2), places, strict=True):
        if not board.state["clans"][clan]["armies"][number - 1]:
            board.army(clan, number, place, spear=1)
    return board


def kill(match: Match, clan: int, number: int) -> Match:
    """The ninja strikes."""
    return play(match, "daimyo", clan=clan, army=number)


def lost(match: Match, clan: int, number: int) -> bool:
    """Whether a daimyo is lost."""
    found = army(match, clan, number)
    return found["province"] is None and not found["disrupted"] and not found["units"]


def mino(level: int = 1, **force: int) -> Board:
    """Clan 0's army 1 stands in Mino and is about to declare."""
    return Board(phase="b").army(0, 1, "mino", hole=HOLES[level], **force)
