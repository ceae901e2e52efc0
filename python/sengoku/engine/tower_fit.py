"""Fit the fast cube tower to throws that were counted on a real one.

The fast model is a chain on the numbers of cubes on its shelves, which nobody sees. A forward filter
carries the probability of every pair of numbers from throw to throw, so that the likelihood is exact.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.errors import ArgumentError

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], object]

FIELDS = ("throw", "thrown", "out")
"""Columns of a file of measurements."""
FORM_SIZES = (38, 3, 8, 5, 12, 4, 7, 10, 3, 6, 9, 4, 12, 5, 8, 3, 7, 10, 6, 9)
"""Cubes to throw in the form of twenty throws: the fill of four players first, then sizes of play."""
MOST_THROWS, MOST_CUBES = 500, 330
LEVEL = 0.9
"""Probability that an interval holds the value, if the tower behaves as the model does."""
HOLD = np.linspace(-4.0, 4.0, 17)
"""Shifts of the log odds that a cube stays on an empty shelf, all equally probable before the first throw."""
SLIP = np.linspace(-2.5, 3.0, 15)
"""Logarithms of the factor of the chance to slip, all equally probable before the first throw."""

_FILL = 38


@dataclass(frozen=True)
class Counted:
    """A throw that was counted."""

    line: int
    """Line of the file."""
    thrown: int
    out: int


def form() -> str:
    """Return the form: a file of measurements with the last column to fill in."""
    rows = (f"{number},{size}," for number, size in enumerate(FORM_SIZES, 1))
    return "\n".join(
        (
            "# Empty the tower. Throw the cubes of each line in one go, count those that come out, write the",
            "# count behind the last comma, and take them away. Do not tilt or empty the tower in between.",
            ",".join(FIELDS),
            *rows,
            "",
        )
    )


def _wrong(file: Path, line: int, reason: str) -> ArgumentError:
    details = {"field": "measurements", "value": str(file), "line": str(line)}
    return ArgumentError(f"{file}, line {line}: {reason}", details)


def read_measurements(file: Path) -> list[Counted]:
    """Read a file of measurements: throws in order into a tower that is empty before the first."""
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ArgumentError(f"{file}: {reason}", {"field": "measurements", "value": str(file)}) from error
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise _wrong(file, 1, f"no header: expected {','.join(FIELDS)}")
    number, header = lines[0]
    names = [name.strip() for name in next(csv.reader([header]))]
    if sorted(names) != sorted(FIELDS):
        raise _wrong(file, number, f"the header is {header!r}: expected {','.join(FIELDS)}")
    found: list[Counted] = []
    inside = 0
    for number, line in lines[1:]:
        counted = _row(file, number, names, line, len(found) + 1)
        inside += counted.thrown - counted.out
        if inside < 0:
            had = inside + counted.out
            reason = f"out is {counted.out}: there were only {had} cubes, those in the tower and those thrown"
            raise _wrong(file, number, reason)
        if inside > MOST_CUBES:
            raise _wrong(file, number, f"{inside} cubes would be inside: there are {MOST_CUBES}")
        found.append(counted)
        if len(found) > MOST_THROWS:
            raise _wrong(file, number, f"more than {MOST_THROWS} throws")
    if not found:
        raise _wrong(file, lines[0][0], "no throws after the header")
    return found


def _row(file: Path, line: int, names: list[str], text: str, expected: int) -> Counted:
    cells = [cell.strip() for cell in next(csv.reader([text]))]
    if len(cells) != len(names):
        raise _wrong(file, line, f"{len(cells)} values: expected {len(names)}, {','.join(names)}")
    values = {}
    for name, cell in zip(names, cells, strict=True):
        if not (cell.isascii() and cell.isdigit()):
            raise _wrong(file, line, f"{name} is {cell!r}: must be a whole number")
        values[name] = int(cell[:9])
    if values["throw"] != expected:
        raise _wrong(
            file, line, f"throw is {values['throw']}: expected {expected}, throws are counted from 1"
        )
    if not 1 <= values["thrown"] <= MOST_CUBES:
        raise _wrong(file, line, f"thrown is {values['thrown']}: must be 1 to {MOST_CUBES}")
    return Counted(line, values["thrown"], values["out"])


class _Shelf:
    """One shelf at many points at once: kernels of an arrival, by the number of cubes that leave it."""

    def __init__(self, capacity: int, stick: Floats, dislodge: Floats, burst: float) -> None:
        points, most = len(stick), capacity
        # kernels[x][point, m, n]: an arrival at m cubes leaves n on the shelf, and x go on down.
        kernels = np.zeros((most + 2, points, most + 1, most + 1))
        for held in range(most + 1):
            for gone, chance in enumerate(_gone(held, dislodge, burst)):
                kept = held - gone
                stays = stick * (1 - kept / capacity) if kept < capacity else np.zeros(points)
                if kept < capacity:
                    kernels[gone, :, held, kept + 1] += chance * stays
                kernels[gone + 1, :, held, kept] += chance * (1 - stays)
        likely = kernels.max(axis=(2, 3)) > 1e-9
        self.kernels = kernels[: int(likely.any(axis=1).nonzero()[0].max()) + 1]
        # The first point at which so many may leave: points come in the order of their chance to slip.
        self.first = [int(at.argmax()) for at in likely[: len(self.kernels)]]


def _gone(held: int, dislodge: Floats, burst: float) -> list[Floats]:
    """Probability of each number of cubes that slip or are dragged along, at every point."""
    slipped = _binomial(held, dislodge)
    total = [np.zeros(len(dislodge)) for _ in range(held + 1)]
    total[0] = slipped[0]
    for first in range(1, held + 1):
        for along, chance in enumerate(_binomial(held - first, np.array([burst]))):
            total[first + along] = total[first + along] + slipped[first] * chance
    return total


def _binomial(count: int, chance: Floats) -> list[Floats]:
    """Probabilities of 0 to `count` hits."""
    found = [np.ones_like(chance)]
    for _ in range(count):
        stay, more = [one * (1 - chance) for one in found], [one * chance for one in found]
        found = [a + b for a, b in zip([*stay, 0 * chance], [0 * chance, *more], strict=True)]
    return found


@dataclass(frozen=True)
class _Towers:
    """Two shelves at many points at once."""

    upper: _Shelf
    lower: _Shelf

    @classmethod
    def build(cls, shelves: Iterable[Mapping[str, Any]], hold: Floats, slip: Floats) -> "_Towers":
        made = []
        for shelf in shelves:
            base = min(shelf["stick_per_mille"], 999) / 1000
            stick = 1 / (1 + (1 - base) / base * np.exp(-hold))
            if not np.any(hold):
                stick = np.full(len(hold), shelf["stick_per_mille"] / 1000)
            dislodge = np.minimum(shelf["dislodge"] / 65536 * np.exp(slip), 0.999)
            made.append(_Shelf(shelf["capacity"], stick, dislodge, shelf["burst"] / 65536))
        return cls(*made)

    def empty(self) -> Floats:
        """The probability of every pair of numbers, for an empty tower: points x upper x lower."""
        upper, lower = self.upper.kernels.shape[-1], self.lower.kernels.shape[-1]
        state = np.zeros((self.upper.kernels.shape[1], upper, lower))
        state[:, 0, 0] = 1
        return state

    def arrive(self, state: Floats) -> Floats:
        """One cube falls onto the upper shelf, and what leaves that onto the lower one in turn."""
        fallen = np.zeros_like(state)
        drop = self.lower.kernels.sum(axis=0)
        # By Horner's rule: what x cubes do to the lower shelf is what x - 1 do, once more.
        for kernel, first in zip(self.upper.kernels[::-1], self.upper.first[::-1], strict=True):
            down = fallen[first:] @ drop[first:]
            fallen[first:] = down + np.swapaxes(kernel[first:], 1, 2) @ state[first:]
        return fallen

    def throw(self, state: Floats, cubes: int) -> Floats:
        for _ in range(cubes):
            state = self.arrive(state)
        return state

    def kept(self, state: Floats) -> Floats:
        """Expected content."""
        upper, lower = (np.arange(size) for size in state.shape[1:])
        return np.asarray((state * (upper[:, None] + lower)).sum(axis=(1, 2)))


def _log_likelihood(
    towers: _Towers, throws: list[Counted], progress: Progress | None = None
) -> Iterator[Floats]:
    """Iterate over the log likelihoods of the counts so far, after each throw."""
    state = towers.empty()
    sums = np.arange(state.shape[1])[:, None] + np.arange(state.shape[2])
    found, inside = np.zeros(len(state)), 0
    for number, counted in enumerate(throws, 1):
        inside += counted.thrown - counted.out
        state = towers.throw(state, counted.thrown) * (sums == inside)
        chance = state.sum(axis=(1, 2))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = found + np.log(chance)
            state = np.where(chance[:, None, None] > 0, state / chance[:, None, None], 0)
        if progress is not None:
            progress(number, len(throws))
        yield found


@dataclass(frozen=True)
class Interval:
    """An estimate, and the range that holds the value with probability `LEVEL`."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class TowerFit:
    """What counted throws imply."""

    throws: int
    base: str
    """The named set that explains the throws best."""
    log_likelihoods: dict[str, float]
    """Of each named set."""
    not_compared: tuple[str, ...]
    """Sets with jams or a third shelf, whose likelihood is not computed."""
    parameters: dict[str, Any]
    """The base with the best shift and factor, for `CubeTower`."""
    stick_per_mille: list[Interval]
    """Of each shelf."""
    dislodge: list[Interval]
    fill_kept: Interval
    """Cubes of a fill of 38 that stay, on average."""


def fit_measurements(
    throws: list[Counted], *, sets: Iterable[str] | None = None, progress: Progress | None = None
) -> TowerFit:
    """Compare the named sets, then move the best: its chances to stay by log odds, those to slip by a factor.

    Both movements are the same for all shelves. Before the first throw all of `HOLD` and `SLIP` are equally
    probable; estimates are medians, and intervals hold the value with probability `LEVEL`.
    """
    none = np.zeros(1)
    tables: dict[str, Any] = {}
    skipped = []
    for name in sets if sets is not None else _core.parameter_sets():
        if name == "default":  # another name of one of the others
            continue
        shelves = _core.CubeTower(parameters=name).parameters["shelves"]
        if len(shelves) != 2 or any(shelf.get("jam_per_mille") for shelf in shelves):
            skipped.append(name)
        else:
            tables[name] = shelves
    if not tables:
        raise ArgumentError(
            "sets: none with two shelves and without jams", {"field": "sets", "value": str(skipped)}
        )
    scores: dict[str, float] = {}
    for name, shelves in tables.items():
        *_, last = _log_likelihood(_Towers.build(shelves, none, none), throws)
        scores[name] = float(last[0])
    base = max(scores, key=lambda name: scores[name])
    slip, hold = (axis.ravel() for axis in np.meshgrid(SLIP, HOLD, indexing="ij"))
    towers = _Towers.build(tables[base], hold, slip)
    found = np.zeros(len(hold))
    for counted, found in zip(throws, _log_likelihood(towers, throws, progress), strict=True):
        if not np.isfinite(found).any():
            details = {
                "field": "measurements",
                "value": f"{counted.out} of {counted.thrown}",
                "line": str(counted.line),
            }
            reason = f"line {counted.line}: no tower of the fast model lets {counted.out} cubes out here"
            raise ArgumentError(f"measurements: {reason}", details)
    weight = np.exp(found - found.max())
    weight /= weight.sum()
    best = int(found.argmax())
    kept = towers.kept(towers.throw(towers.empty(), _FILL))

    def stick(shelf: Mapping[str, Any]) -> Floats:
        chance = min(shelf["stick_per_mille"], 999) / 1000
        return np.asarray(1000 / (1 + (1 - chance) / chance * np.exp(-hold)))

    def dislodge(shelf: Mapping[str, Any]) -> Floats:
        return np.asarray(np.minimum(shelf["dislodge"] * np.exp(slip), 65_470))

    chosen = [
        {
            **shelf,
            "stick_per_mille": max(1, min(1000, round(float(stick(shelf)[best])))),
            "dislodge": max(1, round(float(dislodge(shelf)[best]))),
        }
        for shelf in tables[base]
    ]
    return TowerFit(
        throws=len(throws),
        base=base,
        log_likelihoods=scores,
        not_compared=tuple(skipped),
        parameters={"shelves": chosen},
        stick_per_mille=[_interval(stick(shelf), weight) for shelf in tables[base]],
        dislodge=[_interval(dislodge(shelf), weight) for shelf in tables[base]],
        fill_kept=_interval(kept, weight),
    )


def _interval(values: Floats, weight: Floats) -> Interval:
    """Median and the middle `LEVEL` of a distribution on points; between points it is interpolated."""
    places, which = np.unique(values, return_inverse=True)
    mass = np.bincount(which, weights=weight)
    # Each point stands for half the way to its neighbours.
    edges = np.concatenate([[places[0]], (places[1:] + places[:-1]) / 2, [places[-1]]])
    reached = np.concatenate([[0.0], np.cumsum(mass)])
    low, middle, high = np.interp([(1 - LEVEL) / 2, 0.5, (1 + LEVEL) / 2], reached, edges)
    return Interval(float(middle), float(low), float(high))
