"""Random legal play of `tower`, every number of players, side, mode and option, keeps what is always true."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.tower.board import GLASS
from rules.tower.sound import check, point_of
from sengoku import Match, run_matches
from sengoku.errors import IllegalActionError

SHELF = {"capacity": 12, "stick_per_mille": 600, "dislodge": 1500, "burst": 4000}


@st.composite
def setups(draw: st.DrawFn) -> dict[str, Any]:
    """Any setup there is, positions and boards aside."""
    side = draw(st.sampled_from(["sun", "moon"]))
    return {
        "side": side,
        "mode": "draft" if side == "moon" else draw(st.sampled_from(["fixed", "draft"])),
        "court": draw(st.booleans()),
        "reveal": draw(st.sampled_from(["sequential", "per_action"])),
        "allow_zero_move": draw(st.booleans()),
        "event12_rice_loss": draw(st.sampled_from([4, 1])),
        "bump_probability": draw(st.sampled_from([0, 0.1, 1])),
        "favour_deck": draw(st.sampled_from(["open_top", "hidden"])),
        "tower_model": draw(st.sampled_from(["default", "ledger", GLASS, {"shelves": [SHELF] * 3}])),
    }


def look(match: Match, choose: random.Random) -> None:
    """Legal list, mask and play agree; a copy by position, bytes or replay is the same match."""
    legal = [action.index for action in match.legal_actions()]
    mask = match.legal_mask()
    assert legal == np.flatnonzero(mask).tolist()
    for index in choose.sample(range(len(mask)), 30):
        if not mask[index]:
            with pytest.raises(IllegalActionError):
                match.play(index)
    for index in choose.sample(legal, min(3, len(legal))):
        copy = match.clone()
        copy.play(index)
        assert copy.history == [*match.history, index]
        check(copy.state())
    loaded, replayed = Match.load(match.save()), Match.from_replay(match.replay())
    assert match.digest == loaded.digest == replayed.digest
    assert match.log == loaded.log == replayed.log
    placed = Match.create("tower", seats=match.seats, seed=match.seed, setup={"position": match.state()})
    assert placed.state() == match.state()
    assert [action.index for action in placed.legal_actions()] == legal


@settings(deadline=None, max_examples=10)
@given(
    seats=st.integers(3, 5),
    seed=st.integers(0, 2**64 - 1),
    setup=setups(),
    choices=st.integers(0, 2**32),
    bold=st.booleans(),
)
def test_random_play_keeps_the_invariants(
    seats: int, seed: int, setup: dict[str, Any], choices: int, bold: bool
) -> None:
    # TW-TOWER-04, TW-TOWER-05 and the rest of `sound`, after every decision of a whole match
    choose = random.Random(choices)
    match = Match.create("tower", seats=seats, seed=seed, setup=setup)
    while not match.over:
        legal = match.legal_actions()
        state = match.state()
        check(state)
        if point_of(state) != "plan" and choose.random() < 0.03:
            look(match, choose)
        match.play(legal[-1] if bold and point_of(state) == "battle" else choose.choice(legal))
    check(match.state())
    throws = sum(event["event"] == "thrown" for event in match.log)
    assert throws > 0
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.rounds) == ("second_winter", 8)
    assert Match.from_replay(match.replay()).digest == match.digest


@settings(deadline=None, max_examples=10)
@given(seats=st.integers(3, 5), seed=st.integers(0, 2**64 - 1), setup=setups())
def test_threads_and_ranges_change_nothing(seats: int, seed: int, setup: dict[str, Any]) -> None:
    whole = run_matches(
        "tower", bots=["random"], seats=seats, seed=seed, match_count=12, setup=setup, threads=1
    )
    again = run_matches(
        "tower", bots=["random"], seats=seats, seed=seed, match_count=12, setup=setup, threads=2
    )
    assert whole == again
    parts = [
        run_matches(
            "tower", bots=["random"], seats=seats, seed=seed, first_match=first, match_count=4, setup=setup
        )
        for first in (0, 4, 8)
    ]
    assert parts[0] + parts[1] + parts[2] == whole


@pytest.mark.system
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize(("side", "mode"), [("sun", "fixed"), ("sun", "draft"), ("moon", "draft")])
@pytest.mark.parametrize("court", [False, True])
def test_ten_thousand_random_matches(seats: int, side: str, mode: str, court: bool) -> None:
    setup = {"side": side, "mode": mode, "court": court}
    report = run_matches("tower", bots=["random"], seats=seats, match_count=10_000, seed=seats, setup=setup)
    assert report.reason_counts["second_winter"] == 10_000
    assert (report.ranks.min(axis=1) == 1).all()
