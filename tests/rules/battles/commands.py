"""Helpers for tests of command cards."""

from rules.battles.board import Board, hexes

ROWS = [*hexes(4), *hexes(5)]
"""Two rows full of pieces: x 0 to 22."""


def full_board(card: str, side: str = "bottom", *others: str) -> Board:
    """The rows are full of units of one side, which plays a card (bottom: left = west)."""
    return (
        Board(active=side)
        .pieces(side, *(f"ASp@{hex_}" for hex_ in ROWS))
        .hand(side, card, *(others or ("C-FIRST",)))
    )
