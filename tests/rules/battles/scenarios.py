"""Helpers for tests of the forty battles."""

from pathlib import Path
from typing import Any

from rules.battles.board import Board, Play
from sengoku import Match

DATA = Path(__file__).parents[3] / "rust" / "battles" / "data"


def begun(number: int, *, seed: int = 1, **setup: Any) -> Match:
    """A battle before its first decision."""
    return Match.create("battles", seats=2, seed=seed, setup={"scenario": number, **setup})


def start(board: Board) -> Play:
    """The start of the turn, after everything that happens by itself."""
    return board.play()
