"""Helpers for tests of dragon cards in a combat."""

from rules.battles.board import Board, Play


def attack(
    top: str,
    bottom: str,
    *script: str,
    own: str = "",
    other: str = "",
    honor: int = 9,
    command: str = "C-ADV-C",
) -> Play:
    """A unit in 4,5 attacks one in 5,5, or shoots at it from 3,5; the players hold these dragon cards."""
    board = Board().top(top).bottom(bottom).honor(top=honor, bottom=honor)
    board.dragons("top", *own.split()).dragons("bottom", *other.split())
    board.hand("top", command, "C-GEESE", "C-SNAKE", "C-ADV-L", "C-ADV-R")
    unit = top.rsplit("@", 1)[1]
    return board.play(*script).command(command).order(unit).declare(unit, bottom.rsplit("@", 1)[1])


def at_once(play: Play, *cards: str) -> Play:
    """Plays cards one after the other and passes the other windows."""
    return play.do(*cards).quiet()
