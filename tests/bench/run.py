"""Measures everything next to the numpy reference and writes a table and build/bench/bench.json."""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import load
import numpy as np
from rich.console import Console

from sengoku import Client, Match, build_info, games, run_matches
from sengoku._core import cores
from sengoku.cli import reference_numpy
from sengoku.cli.measure import LANES, REFERENCE_ARMY, REFERENCE_BATTLE, Row, measure_all, rate
from sengoku.cli.tables import figures
from sengoku.v1 import odds_service_pb2
from sengoku.wire.swords import battle_to_proto

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / "build" / "bench" / "bench.json"
SECONDS = 2.0


def numpy_reference() -> Row:
    """The yardstick, checked against the exact odds."""
    army = tuple(getattr(REFERENCE_ARMY, unit) for unit in ("spear", "gun", "sword", "bow", "daimyo"))
    battles = 200_000
    wins, losses, neither = reference_numpy.simulate(army, army, battles, seed=1)
    assert wins + losses + neither == battles
    exact = REFERENCE_BATTLE.exact()
    assert abs(wins / battles - exact.attacker_wins) < 5 * 0.5 / battles**0.5
    speed = rate(lambda: reference_numpy.simulate(army, army, battles, seed=1), battles, SECONDS)
    return Row("swords: the same in numpy, 1 thread", speed, "battles/s")


def envpool_reference() -> list[Row]:
    """Steps of the yardstick for batches, where the package is installed: CartPole in as many lanes."""
    try:
        import envpool  # noqa: PLC0415 - not among what is installed for the tests
    except ImportError:
        return []
    env = envpool.make("CartPole-v1", env_type="gymnasium", num_envs=LANES, num_threads=cores())
    env.reset()
    actions = np.random.default_rng(7).integers(0, 2, LANES, np.int32)

    def steps() -> None:
        for _ in range(20):
            assert len(env.step(actions)[0]) == LANES

    steps()
    speed = rate(steps, 20 * LANES, SECONDS)
    return [Row(f"EnvPool: CartPole of {LANES} lanes, {cores()} threads", speed, "steps/s")]


def exact_cold() -> Row:
    """The first exact answer of a fresh process, module already imported."""
    code = (
        "import time; from sengoku.cli.measure import REFERENCE_BATTLE as battle; "
        "start = time.perf_counter(); odds = battle.exact(); odds.attacker_units_left; "
        "print(time.perf_counter() - start)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    return Row("swords: reference battle, exact, first in a process", 1e6 * statistics.median(times), "µs")


def imports() -> list[Row]:
    """Time that imports add to a bare interpreter, by turns in one run, and their ratio to numpy's."""
    codes = {
        "import numpy": "import numpy",
        "import sengoku": "import sengoku",
        "from sengoku import Match, swords": "from sengoku import Match, swords",
        "from sengoku import Client": "from sengoku import Client",
    }
    times: dict[str, list[float]] = {name: [] for name in codes}
    for _ in range(9):
        for name, code in codes.items():
            timed = f"import time; start = time.perf_counter(); {code}; print(time.perf_counter() - start)"
            done = subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True)
            times[name].append(float(done.stdout))
    medians = {name: statistics.median(found) for name, found in times.items()}
    rows = [Row(name, 1e3 * seconds, "ms") for name, seconds in medians.items()]
    numpy_seconds = medians["import numpy"]
    rows += [
        Row(f"{name}, over import numpy", seconds / numpy_seconds, "x")
        for name, seconds in medians.items()
        if name != "import numpy"
    ]
    return rows


def flight(call: Callable[..., Any], data: bytes) -> None:
    """Makes 2,000 calls, 100 of them in flight at a time."""
    for _ in range(20):
        for answer in [call.future(data) for _ in range(100)]:
            answer.result()


def service() -> list[Row]:
    """Calls of a client in Python, and odds in bulk; `load` measures the rest."""
    rows = []
    with load.serving() as address, Client(address) as client:
        assert client.exact(REFERENCE_BATTLE) == REFERENCE_BATTLE.exact()
        with grpc.insecure_channel(address) as channel:
            question = battle_to_proto(REFERENCE_BATTLE)
            request = odds_service_pb2.EvaluateRequest(swords_battle=question).SerializeToString()
            evaluate = channel.unary_unary("/sengoku.v1.OddsService/Evaluate")
            speed = rate(lambda: flight(evaluate, request), 2_000, SECONDS)
            rows.append(Row("gRPC: Evaluate, 100 in flight", speed, "calls/s"))
            health = channel.unary_unary("/grpc.health.v1.Health/Check")
            speed = rate(lambda: flight(health, b""), 2_000, SECONDS)
            rows.append(Row("gRPC: a health check for comparison, 100 in flight", speed, "calls/s"))
        battles = [REFERENCE_BATTLE] * 2_000
        speed = rate(lambda: client.batch_odds(battles, method="exact"), len(battles), SECONDS)
        rows.append(Row("gRPC: BatchEvaluate of 2,000, exact", speed, "battles/s"))
        count = 100_000_000 * cores()
        here = there = 0.0
        for _ in range(3):  # by turns, so that a change of the machine's mood meets both
            here = max(here, rate(lambda: REFERENCE_BATTLE.sample(count, seed=7), count, 0))
            there = max(there, rate(lambda: client.sample(REFERENCE_BATTLE, count, seed=7), count, 0))
        rows.append(Row("gRPC: bulk sampling, share of the rate in process", there / here, "x"))
        wanted = {"bots": ["random"], "seats": 4, "match_count": 500, "seed": 7}
        assert client.run_matches("swords", **wanted) == run_matches("swords", **wanted)
    return rows


def analyses() -> list[Row]:
    """The analysis of one match of each game between greedy bots, at the default budget."""
    rows = []
    for game, seats, setup in (("swords", 4, {}), ("tower", 4, {}), ("battles", 2, {"scenario": 8})):
        match = Match.create(game, seats=seats, seed=7, setup=setup)
        match.play_on("greedy")
        begun = time.perf_counter()
        match.analyse()
        seconds = time.perf_counter() - begun
        rows.append(Row(f"analysis of a match of {game}, {match.decisions} decisions", seconds, "s"))
    return rows


def example(package: str, name: str) -> Path:
    """Build an example program of a crate."""
    build = ["cargo", "build", "--release", "--quiet", "--package", package, "--example", name]
    subprocess.run(build, cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "examples" / name


def counted(valgrind: str, program: Path, *arguments: str) -> tuple[int, str]:
    """Instructions of a program on one thread, and what it printed."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [
            valgrind,
            "--tool=callgrind",
            f"--callgrind-out-file={scratch}/out",
            str(program),
            *arguments,
        ]
        environment = os.environ | {"RAYON_NUM_THREADS": "1"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    assert found is not None, done.stderr
    return int(found.group(1)), done.stdout


def instructions() -> list[Row]:
    """Instructions for one unit of work, counted by callgrind where it is installed (it knows no AVX-512)."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        return []
    work = example("sengoku-swords", "work")
    rows = []
    for kind, few, many, instruction_set in (
        ("sampled", 4_096, 65_536, "baseline"),
        ("sampled", 4_096, 65_536, "avx2"),
        ("exact", 1, 21, "baseline"),
        ("fight", 100, 1_100, "baseline"),
    ):
        if instruction_set in build_info()["instruction_sets"]:
            more, less = (
                counted(valgrind, work, kind, str(number), instruction_set)[0] for number in (many, few)
            )
            name = {"sampled": "sampled battle", "exact": "exact answer", "fight": "battle die by die"}[kind]
            rows.append(
                Row(f"swords: {name}, {instruction_set}", (more - less) / (many - few), "instructions")
            )
    return rows + greedy_instructions(valgrind)


def greedy_instructions(valgrind: str) -> list[Row]:
    """Instructions for a decision of `greedy` and what the rules do with it, after the first matches."""
    program, rows = example("sengoku-bots", "greedy"), []
    for game in games():
        totals = []
        for matches in ("2", "4"):
            count, printed = counted(valgrind, program, game.name, "0", matches)
            found = re.search(r"^all: (\d+) decisions", printed, re.MULTILINE)
            assert found is not None, printed
            totals.append((count, int(found.group(1))))
        (few, before), (many, after) = totals
        rows.append(
            Row(f"{game.name}: a decision of greedy", (many - few) / (after - before), "instructions")
        )
    return rows


def ratios(rows: list[Row]) -> list[Row]:
    """Ratios between the figures."""
    speed = {row.work: row.figure for row in rows}
    numpy_speed = speed["swords: the same in numpy, 1 thread"]
    one = speed["swords: reference battle sampled, 1 thread"]
    found = [Row("swords: sampled, 1 thread, over numpy", one / numpy_speed, "x")]
    threads = cores()
    if threads > 1:
        many = speed[f"swords: reference battle sampled, {threads} threads"]
        found.append(Row(f"swords: sampled, {threads} threads over 1", many / one, "x"))
    return found


def by_instruction_set() -> list[Row]:
    """The sampler under every instruction set of this machine."""
    count = 1 << 21
    return [
        Row(
            f"swords: reference battle sampled, 1 thread, {name}",
            rate(
                lambda name=name: REFERENCE_BATTLE.sample(count, seed=7, threads=1, instruction_set=name),
                count,
                SECONDS,
            ),
            "battles/s",
        )
        for name in build_info()["instruction_sets"]
    ]


def main() -> None:
    """Measures, prints and writes."""
    rows = [*measure_all(SECONDS), numpy_reference()]
    rows += [
        *ratios(rows),
        *by_instruction_set(),
        exact_cold(),
        *imports(),
        *envpool_reference(),
        *analyses(),
        *service(),
        *load.measure(5 * SECONDS),
        *instructions(),
    ]
    title = f"build {build_info()['profile']}, {build_info()['instruction_set']}"
    Console().print(figures(rows, title))
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(json.dumps({"build": build_info(), "rows": [row.as_dict() for row in rows]}, indent=2))
    Console().print(f"written to {OUTPUT.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))
    main()
