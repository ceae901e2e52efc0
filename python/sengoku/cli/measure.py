"""Measure throughput; every result is checked before its speed is reported."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from sengoku import battles, swords, tower
from sengoku._core import cores
from sengoku.engine.batch import BatchEnv
from sengoku.engine.features import features
from sengoku.engine.frames import USUAL_PARTS, FrameReader, check_parts
from sengoku.engine.games import SEARCHING, games
from sengoku.engine.match import Match
from sengoku.engine.runs import run_matches
from sengoku.engine.words import count_text

REFERENCE_ARMY = swords.Force(daimyo=1, bow=2, gun=2, sword=2, spear=3)
REFERENCE_BATTLE = swords.Battle(REFERENCE_ARMY, REFERENCE_ARMY)
"""The battle that every `swords` throughput is measured with, fought to the end."""


REFERENCE_CONTENTS = {"red": 7, "blue": 7, "yellow": 7, "purple": 6, "farmer": 10}
REFERENCE_THROW = {"blue": 4, "yellow": 3, "farmer": 3}
"""The throw that every tower throughput is measured with: 10 cubes into a tower that holds 37."""
REFERENCE_CLASH = tower.Clash(("blue", 4), ("yellow", 3), tray={"farmer": 3}, contents=REFERENCE_CONTENTS)


REFERENCE_STRIKE = battles.Strike(
    battles.Piece("SSpC", leader="LM", inspire=True), battles.Piece("SSp", leader="LF")
)
"""The strike that every `battles` odds throughput is measured with: a melee of two led units."""


@dataclass(frozen=True)
class Row:
    """One measured kind of work."""

    work: str
    figure: float
    unit: str

    def as_dict(self) -> dict[str, Any]:
        """Return the row as plain values."""
        return asdict(self)


def rate(work: Callable[[], object], amount: float, seconds: float) -> float:
    """Return the best rate seen while repeating work for some seconds, at least three times."""
    best, spent, runs = math.inf, 0.0, 0
    while spent < seconds or runs < 3:
        start = time.perf_counter()
        work()
        taken = time.perf_counter() - start
        best, spent, runs = min(best, taken), spent + taken, runs + 1
    return amount / best


def _check(found: bool, what: object) -> None:
    if not found:
        raise AssertionError(what)


def _threads() -> Iterator[tuple[int, str]]:
    """Yield the numbers of threads to measure with, and how a row names them."""
    for threads in sorted({1, cores()}):
        yield threads, count_text(threads, "thread")


def _sampled(question: Any, name: str, chance: str, count: int, unit: str, seconds: float) -> list[Row]:
    """Measure exact and sampled odds; `chance` is the probability that is compared."""
    rows, exact = [], question.exact()
    for threads, label in _threads():
        sample = partial(question.sample, count * threads, seed=7, threads=threads)
        odds = sample()
        error = 5 * odds.standard_error + 1e-12
        close = math.isclose(getattr(odds, chance), getattr(exact, chance), abs_tol=error)
        _check(close, f"{odds} instead of {exact}")
        rows.append(Row(f"{name} sampled, {label}", rate(sample, count * threads, seconds), unit))
    return [*rows, Row(f"{name}, exact", rate(question.exact, 1, seconds), "answers/s")]


def _matches(seconds: float) -> list[Row]:
    """Measure whole matches of every game, with the same bot in all seats."""
    rows = []
    for game in games():
        for bot in game.bots:
            if bot == SEARCHING:
                continue  # its speed is its search budget
            # Bots that evaluate positions are slower and need fewer matches for a figure.
            seats, matches = min(4, game.seats[1]), 2_000 if bot == "random" else 40
            asked: dict[str, Any] = {"bots": [bot], "seats": seats, "match_count": matches, "seed": 7}
            counted = None
            for threads, label in _threads():
                play = partial(run_matches, game.name, **asked, threads=threads)
                report = play()
                _check(counted is None or report == counted, f"{game.name} differs on {threads} threads")
                counted, decisions = report, int(report.decisions.sum())
                name = f"{game.name}: matches of {seats} {bot}, {label}"
                speed = rate(play, 1, seconds)
                rows.append(Row(name, decisions * speed, "decisions/s"))
                rows.append(Row(name, matches * speed, "matches/s"))
    return rows


LANES = 4096
"""Matches in the measured batches."""


_STEPS = 20
"""Steps of a batch that are measured at once."""


def _step(env: BatchEnv, actions: "np.ndarray[Any, Any]") -> None:
    for _ in range(_STEPS):
        env.step(env.sample_actions(actions))


def _begin(env: BatchEnv) -> Callable[[], None]:
    """Play from the start, where lanes are alike, into the middle of the matches; return further steps."""
    work = partial(_step, env, np.empty(LANES, np.int64))
    env.reset()
    for _ in range(10):
        work()
    return work


def _batches(seconds: float) -> list[Row]:
    """Measure batch steps that write observations and both masks, with the choice of random actions."""
    rows = []
    for game in games():
        seats = min(4, game.seats[1])
        seen: list[tuple[int, ...]] = []
        for threads, label in _threads():
            with BatchEnv(game.name, LANES, seed=7, seats=seats, threads=threads) as env:
                work = _begin(env)
                seen.append(tuple(env.digest(lane) for lane in range(0, LANES, 97)))
                filled = bool(env.observation.any() and env.legal.any())
                _check(seen[0] == seen[-1] and filled, f"{game.name} differs on {threads} threads")
                speed = rate(work, _STEPS * LANES, seconds)
            rows.append(Row(f"{game.name}: batch of {LANES} lanes, {seats} seats, {label}", speed, "steps/s"))
    return rows


def _features(seconds: float) -> list[Row]:
    """Measure batch steps that write features, and their ratio to steps that write bytes, by turns."""
    rows, turns = [], 6
    for game in games():
        seats = min(4, game.seats[1])
        name = f"{game.name}: the same with features, {count_text(cores(), 'thread')}"
        with (
            BatchEnv(game.name, LANES, seed=7, seats=seats) as plain,
            BatchEnv(game.name, LANES, seed=7, seats=seats, observation="features") as env,
        ):
            works = (_begin(plain), _begin(env))
            _check(np.array_equal(env.observation_bytes, plain.observation), game.name)
            _check(np.array_equal(env.observation, features(game.name).encode(plain.observation)), game.name)
            best = [0.0, 0.0]
            for _ in range(turns):
                speeds = [rate(work, _STEPS * LANES, seconds / turns) for work in works]
                best = [max(pair) for pair in zip(best, speeds, strict=True)]
        rows.append(Row(name, best[1], "steps/s"))
        rows.append(Row(f"{name}, share of the rate with bytes", best[1] / best[0], "x"))
    return rows


def _tower(seconds: float) -> list[Row]:
    """Measure throws and clashes of the cube tower."""
    rows, count = [], 200_000
    asked: dict[str, Any] = {"count": count, "contents": REFERENCE_CONTENTS, "seed": 7}
    counted: tuple[tower.Throws, tower.ClashOdds] | None = None
    for threads, label in _threads():
        throw = partial(tower.simulate_throws, REFERENCE_THROW, **asked, threads=threads)
        sample = partial(REFERENCE_CLASH.sample, count, seed=7, threads=threads)
        found = throw(), sample()
        mean = float(found[0].tray.sum(axis=1).mean())
        right = math.isclose(mean, 10.0, abs_tol=0.2) and (counted is None or found == counted)
        _check(right, f"{mean} cubes out of 10, or a different result on {threads} threads")
        counted = found
        speed = rate(throw, count, seconds)
        rows.append(Row(f"tower: 10 cubes into a filled tower, {label}", speed, "throws/s"))
        rows.append(Row(f"tower: odds of a clash, {label}", rate(sample, count, seconds), "samples/s"))
    exact, sampled = REFERENCE_CLASH.exact(), REFERENCE_CLASH.sample(count, seed=7)
    close = math.isclose(exact.attacker_wins, sampled.attacker_wins, abs_tol=5 * sampled.standard_error)
    _check(close, f"{sampled} instead of {exact}")
    rows.append(Row("tower: odds of a clash, exact", rate(REFERENCE_CLASH.exact, 1, seconds), "answers/s"))
    for name, inside in (("37 cubes inside", REFERENCE_CONTENTS), ("a fresh fill", None)):
        cold = partial(_cold, inside, count_from=iter(range(1 << 14)))
        rows.append(Row(f"tower: first exact odds, {name}", rate(cold, 1, seconds), "answers/s"))
    return rows + _rigid(seconds)


def _cold(contents: dict[str, int] | None, *, count_from: Iterator[int]) -> tower.ClashOdds:
    """Find the odds of a clash in a tower that no answer before was about."""
    parameters = dict(tower.CubeTower(parameters="ledger").parameters)
    upper, lower = parameters["shelves"]
    unseen = {"shelves": [upper | {"burst": upper["burst"] + next(count_from)}, lower]}
    size = (("blue", 4), ("yellow", 3))
    return tower.Clash(*size, contents=contents, parameters=unseen).exact()


def _rigid(seconds: float) -> list[Row]:
    """Measure consecutive throws of ten cubes into a filled rigid tower."""
    device = tower.CubeTower("rigid", seed=7)
    device.throw(tower.fill(4))
    count, lost = 10, 0

    def throws() -> None:
        nonlocal lost
        thrown = device.clone()
        for _ in range(count):
            before = len(thrown)
            out = sum(thrown.throw(REFERENCE_THROW).values())
            lost += before + sum(REFERENCE_THROW.values()) - out - len(thrown)

    speed = rate(throws, count, seconds)
    _check(not lost, f"{lost} cubes were lost")
    return [Row("tower: 10 cubes into a rigid tower, 1 thread", speed, "throws/s")]


def _frames(seconds: float) -> list[Row]:
    """Measure the story of a match of each game, and frames of its middle, for what everybody may see.

    Whole matches without a story are the rows about `random` and `greedy`: those note no events.
    """
    rows = []
    for game in games():
        match = Match.create(game.name, seats=game.seats[1], seed=7)
        match.play_on("greedy", until=300)
        speed = rate(partial(match.story, "public"), match.decisions, seconds)
        rows.append(Row(f"{game.name}: story of a match, 1 thread", speed, "decisions/s"))
        reader = FrameReader.of(match._core)
        for label, parts in (("stories", ["story"]), ("stories, views and pictures", list(USUAL_PARTS))):
            wanted = check_parts(parts)
            numbers = range(max(reader.last - 50, 0), reader.last + 1)

            def read(numbers: range = numbers, wanted: frozenset[str] = wanted) -> None:
                for number in numbers:
                    frame = reader.raw(number, "public", wanted)  # noqa: B023 - called before the next game
                    _check(frame.decision == number, frame)

            name = f"{game.name}: frames with {label}, 1 thread"
            rows.append(Row(name, rate(read, len(numbers), seconds), "frames/s"))
    return rows


def _tells(seconds: float) -> list[Row]:
    """Measure positions told to the seat to act, with the last ten decisions and its choices."""
    rows = []
    for game in games():
        match = Match.create(game.name, seats=min(4, game.seats[1]), seed=7)
        positions = []
        for decisions in range(25, 301, 25):
            match.play_on("greedy", until=decisions)
            positions.append(match.clone())

        def tell(positions: list[Match] = positions) -> None:
            for position in positions:
                text = position.tell(since=position.decisions - 10)
                _check("Your choices:" in text, text)

        told = rate(tell, len(positions), seconds)
        rows.append(Row(f"{game.name}: tell with since, 1 thread", 1e6 / told, "µs"))
    return rows


def measure_all(seconds: float) -> list[Row]:
    """Measure every kind of work in this process."""
    return [
        *_sampled(
            REFERENCE_BATTLE, "swords: reference battle", "attacker_wins", 1 << 22, "battles/s", seconds
        ),
        *_tower(seconds),
        *_sampled(
            REFERENCE_STRIKE, "battles: reference strike", "takes_ground", 1 << 17, "strikes/s", seconds
        ),
        *_matches(seconds),
        *_batches(seconds),
        *_features(seconds),
        *_frames(seconds),
        *_tells(seconds),
    ]
