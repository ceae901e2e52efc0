"""Helpers for tests of batches."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from sengoku import BatchEnv, games

CAP = {"max_rounds": 2}
"""A host's cap that every game knows; it makes matches short."""
GAMES = [pytest.param(game, id=game.name) for game in games()]
ARRAYS = (
    *("observation", "legal_bits", "legal", "seat", "reward", "terminated", "truncated", "match_index"),
    *("decisions", "skipped", "final_observation", "final_match_index", "final_decisions"),
)


def arrays(env: BatchEnv) -> dict[str, npt.NDArray[Any]]:
    return {name: getattr(env, name).copy() for name in ARRAYS}


def same(one: Mapping[str, npt.NDArray[Any]], other: Mapping[str, npt.NDArray[Any]]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in ARRAYS)
