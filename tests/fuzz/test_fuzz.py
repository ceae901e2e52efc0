"""Every method of every service with generated requests, over real sockets and by callers of all roles.

`SENGOKU_FUZZ_SECONDS` sets the seconds that all kinds of fuzzing share, `SENGOKU_FUZZ_SEED` the seed.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fuzz import corpus
from fuzz.attack import Attack, Server, attacked
from support.process import MIB

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux")

SECONDS = float(os.environ.get("SENGOKU_FUZZ_SECONDS", "60"))
SEED = int(os.environ.get("SENGOKU_FUZZ_SEED", "1"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with attacked(tmp_path_factory.mktemp("fuzz")) as running:
        yield running


def attack(server: Server, seconds: float, *, seed: int = SEED, by_bytes: bool = False) -> Attack:
    """Call for some seconds, print the figures, and fail with what was found."""
    made = Attack(server, seed, by_bytes=by_bytes)
    made.run(seconds)
    early, late = made.memory
    sys.stderr.write(
        f"\n  seed {seed}: {made.counts.total()} calls in {seconds:g} s, {dict(made.counts)}, "
        f"{len(made.reached)} of {len(corpus.methods())} methods answered, "
        f"memory {early / MIB:.0f} to {late / MIB:.0f} MiB\n"
    )
    made.check()
    return made


def test_messages_generated_from_descriptors(server: Server) -> None:
    attack(server, SECONDS / 2)


def test_bytes_that_are_nearly_messages(server: Server) -> None:
    attack(server, SECONDS / 6, by_bytes=True)


@pytest.mark.system
@pytest.mark.parametrize("seed", range(100, 110))
def test_messages_of_many_seeds(tmp_path: Path, seed: int) -> None:
    with attacked(tmp_path) as server:
        made = attack(server, max(SECONDS, 120), seed=seed)
        attack(server, max(SECONDS / 4, 30), seed=seed, by_bytes=True)
    assert len(made.reached) > 0.9 * len(corpus.methods()), "an attack reaches nearly every method"
