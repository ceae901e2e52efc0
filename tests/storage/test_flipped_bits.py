"""Bits of a store are flipped at random: what is served is right, or says that it is damaged."""

import random
from collections import Counter
from pathlib import Path

import pytest

from sengoku.errors import ArgumentError
from sengoku.storage import Store
from support import damage

OUTCOMES = {"harmless", "detected", "reported", "refused"}
TRIALS, THOROUGH = 400, 6_000


def one_trial(whole: Path, file: Path, expected: dict[str, object], seed: int) -> str:
    """Damage a copy of a store; return whether that was harmless or detected, and fail if it was neither."""
    draw = random.Random(seed)
    damage.copy(whole, file)
    places = damage.flip(file, draw, draw.choice((1, 1, 2, 8, 64)))
    try:
        store = Store(file)
    except ArgumentError as error:
        return "refused" if str(file) in str(error) else f"the message does not name the store: {error}"
    with store:
        known = bool(store.damage) or store.quarantine.count() > 0
        found = dict(damage.contents(store))
    wrong = {name for name, value in found.items() if value != expected[name]}
    silent = {name for name in wrong if not damage.is_damage(found[name])}
    # What cannot be found is no wrong row if the store reports that something is damaged. Lists of names may
    # lack a run that is damaged, or have it under another name.
    served = {
        name
        for name in silent
        if name not in {"page", "unfinished"} and not (known and found[name] in (None, []))
    }
    assert not served, f"seed {seed}, bits {places}: {[(name, found[name]) for name in sorted(served)]}"
    assert not wrong or known or wrong != silent, f"seed {seed}, bits {places}: {sorted(wrong)}"
    return "detected" if wrong else "reported" if known else "harmless"


def trials(folder: Path, seeds: range) -> Counter[str]:
    whole = folder / "whole.sqlite3"
    damage.fill(whole)
    with Store(whole) as store:
        expected = dict(damage.contents(store))
    return Counter(one_trial(whole, folder / "copy.sqlite3", expected, seed) for seed in seeds)


def test_no_flipped_bit_is_served(tmp_path: Path) -> None:
    counts = trials(tmp_path, range(TRIALS))
    assert set(counts) <= OUTCOMES
    assert counts["detected"] > TRIALS / 4  # otherwise the trials would prove little
    assert counts["harmless"] > 0


@pytest.mark.system
def test_no_flipped_bit_is_served_in_many_trials(tmp_path: Path) -> None:
    counts = trials(tmp_path, range(2 * 10**6, 2 * 10**6 + THOROUGH))
    assert set(counts) <= OUTCOMES
