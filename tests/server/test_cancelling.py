"""A call that is cancelled, at whatever moment, stops its work. `make load` reports how soon."""

import sys

import pytest

from support.cancelling import PROMISED, Cancelling, cancelling

HANGS = 20.0
"""Seconds that no machine needs; how soon it is on a machine that does nothing else, `make load` measures."""


def check(trials: Cancelling) -> None:
    """Print the late ones and fail for those that went on."""
    count = sum(len(seconds) for seconds in trials.seconds.values())
    late = trials.late()
    sys.stderr.write(
        f"\n  {sum(one[0] for one in late.values())} of {count} went on for over {PROMISED:g} s\n"
    )
    for method, (some, of, longest) in sorted(late.items()):
        sys.stderr.write(f"    {method}: {some} of {of}, {longest:.2f} s at most\n")
    assert {method: longest for method, (_, _, longest) in late.items() if longest > HANGS} == {}


def test_cancelled_calls_of_every_method_stop() -> None:
    with cancelling(seed=1) as trials:
        trials.run(258)
    check(trials)


@pytest.mark.system
def test_cancelled_calls_stop_in_ten_thousand_trials() -> None:
    with cancelling(seed=2) as trials:
        trials.run(10_000)
    check(trials)
