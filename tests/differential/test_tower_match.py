"""Random matches of `tower`, entry by entry, against a referee that knows only the log and the board file."""

import itertools
import random

import pytest

from differential.model_tower_match import Referee
from sengoku import Match

SETUPS = [
    {},
    {"court": True},
    {"side": "moon", "court": True, "reveal": "per_action"},
    {"mode": "draft", "allow_zero_move": True, "bump_probability": 0.5, "event12_rice_loss": 1},
    {"side": "moon", "court": True, "favour_deck": "hidden", "bump_probability": 1, "tower_model": "ledger"},
]


def follow(seats: int, setup: dict[str, object], seed: int) -> None:
    rng = random.Random(seed)
    match = Match.create("tower", seats=seats, seed=seed, setup=setup)
    referee = Referee(match.state())
    read = 0
    for decision in itertools.count():
        if match.over or decision % 13 == 0:  # the log grows long; it is read in pieces
            log = match.log
            for entry in log[read:]:
                referee.read(entry)
            read = len(log)
            referee.compare(match.state())
        if match.over:
            break
        match.play(rng.choice(match.legal_actions()))


@pytest.mark.parametrize("setup", SETUPS, ids=str)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_entry_of_the_log_keeps_the_rules(seats: int, setup: dict[str, object]) -> None:
    # TW-ACT-02, TW-ACT-03, TW-ACT-05, TW-BATTLE-17, TW-WINTER-01, TW-SCORE-01, TW-TOWER-03, TW-TOWER-04,
    # CT-COURT-05, CT-COURT-06, CT-COURT-08, CT-R-04: each entry by itself, all together the state
    for seed in range(3):
        follow(seats, setup, seed)


@pytest.mark.system
@pytest.mark.parametrize("setup", SETUPS, ids=str)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_many_matches_keep_the_rules(seats: int, setup: dict[str, object]) -> None:
    for seed in range(100, 200):
        follow(seats, setup, seed)
