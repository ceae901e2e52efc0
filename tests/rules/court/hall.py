"""Positions of the court for rule tests: favours on the places of the hall, officers in the entrance.

Without plans the ten actions after the court ask nothing, so a match begun here runs on to the planning of
the next season as soon as the court closes.
"""

from collections.abc import Iterable
from typing import Any

from rules.tower.board import Board, play, player
from sengoku import Match

FILLERS = (19, 13, 6)
"""Favours that only give points."""


def beside(card: int) -> tuple[int, int, int]:
    """A card as it lies with two others that only give points, on the places 4, 3, 2 (CT-FAV-01)."""
    others = [filler for filler in FILLERS if filler != card][:2]
    first, second, third = sorted([card, *others], reverse=True)
    return first, second, third


def court(seats: int = 3, **place: Any) -> Board:
    """An empty board with the expansion."""
    return Board(seats, court=True, **place)


def audience(board: Board, *entrance: int, favours: Iterable[int] = FILLERS) -> Board:
    """Begins the court actions with some officers of each seat in the entrance."""
    for seat, officers in enumerate(entrance):
        board.officers(seat, officers)
    return board.favours(*favours).begin("court")


def take(match: Match, card: int) -> Match:
    """The player in the hall takes a card."""
    return play(match, "favour", card=card)


def taken(card: int, position: Board | None = None, /, **setup: Any) -> Match:
    """Seat 0 has just taken a card; unless it has to choose, seat 1 is in the hall with 4 officers."""
    match = audience(position or court(), 7, 4, favours=beside(card)).match(**setup)
    return take(match, card)


def officers(match: Match, seat: int) -> tuple[int, int, int]:
    """The officers of a player in supply, entrance and hall."""
    found = player(match, seat)["officers"]
    return found["supply"], found["entrance"], found["hall"]


def kept(match: Match) -> list[list[int]]:
    """The favours that each player keeps."""
    return [found["kept"] for found in match.state()["players"]]


def targets(match: Match) -> list[str]:
    """The provinces that can be chosen now."""
    return [action.args["province"] for action in match.legal_actions() if action.name == "province"]
