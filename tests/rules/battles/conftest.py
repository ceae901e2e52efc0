"""Dice that are scripted and not rolled are an error."""

from collections.abc import Iterator

import pytest

from rules.battles.board import PLAYS


@pytest.fixture(autouse=True)
def every_die_falls() -> Iterator[None]:
    """At the end of a test nothing is left of the scripts."""
    PLAYS.clear()
    yield
    left = [play.match.dice_left for play in PLAYS if play.match.dice_left]
    assert not left, f"dice are left: {left}"
