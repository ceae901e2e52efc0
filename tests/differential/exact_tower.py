"""The exact law of a tiny cube tower, in fractions, by going through everything that can happen.

Nothing is shared with the engine: cubes are followed one by one on ordered shelves, as the pseudo-code of the
ledger moves them (TW-TOWER-32, TW-TOWER-36), with all outcomes of every number drawn.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, permutations, product

Cube = tuple[str, bool]
"""A colour, and whether the cube was just thrown."""
Shelves = tuple[tuple[Cube, ...], ...]
Parameters = tuple[tuple[int, ...], ...]
"""By shelf: capacity, stick base, dislodge, burst, and, where cubes jam, J and 10 K."""
WHOLE = 65_536


def stick(parameters: Parameters, shelf: int, held: int, reached: int) -> Fraction:
    """The chance that a cube stays: TW-TOWER-31 and TW-TOWER-36, with their rounding."""
    capacity, base, _, _, *jams = parameters[shelf]
    if held >= capacity:
        return Fraction(0)
    threshold = base * (capacity - held) * WHOLE // (1000 * capacity)
    if jams and jams[0]:
        more = jams[0] * 10 * reached * WHOLE // (1000 * (10 * reached + jams[1])) if reached else 0
        threshold = min(threshold + more, WHOLE - 1)
    return Fraction(threshold, WHOLE)


def _chosen(cubes: tuple[Cube, ...], chance: Fraction) -> Iterator[tuple[tuple, tuple, Fraction]]:
    """Every way to choose some of the cubes, each with the same chance: chosen, others, probability."""
    for marks in product((True, False), repeat=len(cubes)):
        chosen = tuple(cube for cube, mark in zip(cubes, marks, strict=True) if mark)
        others = tuple(cube for cube, mark in zip(cubes, marks, strict=True) if not mark)
        yield chosen, others, chance ** len(chosen) * (1 - chance) ** len(others)


def throw(parameters: Parameters, shelves: Shelves, cubes: tuple[str, ...]) -> Counter:
    """Shelves and tray (sorted) after a throw of these cubes in this order, with their probabilities."""
    last = len(parameters)
    present = {(shelves, (0,) * last, ()): Fraction(1)}
    ends: Counter = Counter()
    for colour in cubes:
        waiting: Counter = Counter()
        for (held, reached, tray), probability in present.items():
            waiting[held, reached, tray, (((colour, True), 0),)] += probability
        present = Counter()
        while waiting:
            after: Counter = Counter()
            for (held, reached, tray, stack), probability in waiting.items():
                if not stack:
                    present[held, reached, tray] += probability
                    continue
                (cube, shelf), rest = stack[0], stack[1:]
                if shelf == last:
                    after[held, reached, tuple(sorted((*tray, cube[0]))), rest] += probability
                    continue
                _, _, dislodge, burst, *_ = parameters[shelf]
                for slipped, others, first in _chosen(held[shelf], Fraction(dislodge, WHOLE)):
                    ways = _chosen(others, Fraction(burst, WHOLE)) if slipped else [((), others, Fraction(1))]
                    for dragged, keep, second in ways:
                        stays = stick(parameters, shelf, len(keep), reached[shelf])
                        more = tuple(count + (s == shelf and cube[1]) for s, count in enumerate(reached))
                        falling = tuple((one, shelf + 1) for one in (*slipped, *dragged))
                        for stuck, third in ((True, stays), (False, 1 - stays)):
                            if third == 0:
                                continue
                            new = (*keep, cube) if stuck else keep
                            rows = (*held[:shelf], new, *held[shelf + 1 :])
                            down = falling if stuck else ((cube, shelf + 1), *falling)
                            after[rows, more, tray, (*down, *rest)] += probability * first * second * third
            waiting = after
    for (held, _, tray), probability in present.items():
        ends[tuple(tuple((colour, False) for colour, _ in row) for row in held), tray] += probability
    return ends


def loaded(parameters: Parameters, content: int) -> dict[tuple[int, ...], Fraction]:
    """How many cubes lie on each shelf of a tower filled cube by cube until it holds `content`."""

    def shelves(counts: tuple[int, ...]) -> Shelves:
        return tuple((("x", False),) * count for count in counts)

    if content == 0:
        return {(0,) * len(parameters): Fraction(1)}
    rows: dict[tuple[int, ...], Counter] = {}
    waiting = [(0,) * len(parameters)]
    while waiting:
        counts = waiting.pop()
        if counts in rows or sum(counts) == content:
            continue
        rows[counts] = Counter()
        for (held, _), probability in throw(parameters, shelves(counts), ("x",)).items():
            rows[counts][tuple(map(len, held))] += probability
        waiting += rows[counts]
    # One state after the other is taken out; what went there goes where it leads (Gaussian elimination).
    for state in [one for one in rows if sum(one)] + [(0,) * len(parameters)]:
        row = rows.pop(state)
        stays = row.pop(state, Fraction(0))
        leads = {other: probability / (1 - stays) for other, probability in row.items()}
        for others in rows.values():
            share = others.pop(state, Fraction(0))
            for other, probability in leads.items():
                others[other] += share * probability
    return leads


def trays(parameters: Parameters, contents: dict[str, int], thrown: dict[str, int]) -> Counter:
    """The law of the tray, colours sorted: a tower loaded with these contents in any order, then a throw."""
    inside, cubes = (sorted(Counter(heap).elements()) for heap in (contents, thrown))
    found: Counter = Counter()
    orders, inputs = list(permutations(inside)), list(permutations(cubes))
    for counts, likely in loaded(parameters, len(inside)).items():
        for order, times in Counter(orders).items():
            ends = [sum(counts[:shelf]) for shelf in range(len(counts) + 1)]
            rows = tuple(tuple((colour, False) for colour in order[a:b]) for a, b in pairwise(ends))
            for given, again in Counter(inputs).items():
                share = likely * Fraction(times * again, len(orders) * len(inputs))
                for (_, tray), probability in throw(parameters, rows, given).items():
                    found[tray] += share * probability
    return found
