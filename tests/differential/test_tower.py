"""The cube tower against a slow model of it, draw by draw."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from differential.model_tower import COLOURS, LEDGER, Numbers, Tower, settle_attack, settle_revolt
from sengoku import draws, tower
from sengoku.errors import ArgumentError
from sengoku.tower import Clash, CubeTower, fill, simulate_throws

THROWS = st.lists(
    st.dictionaries(st.sampled_from(COLOURS), st.integers(1, 9), min_size=1), min_size=1, max_size=6
)
ODD = ((64, 950, 300, 9000), (9, 1000, 4000, 0), (33, 700, 900, 30_000))
JAMS = ((26, 500, 900, 1966, 400, 25), (24, 300, 2000, 1966, 1000, 0))
ODD_JAMS = ((64, 350, 300, 9000, 0, 7), (9, 1000, 4000, 0, 700, 3), (33, 200, 9000, 3000, 999, 1000))


def table(parameters: tuple) -> dict:
    names = ("capacity", "stick_per_mille", "dislodge", "burst", "jam_per_mille", "jam_half_tenths")
    return {"shelves": [dict(zip(names, shelf, strict=False)) for shelf in parameters]}


@settings(max_examples=100)
@given(
    THROWS,
    st.sampled_from([LEDGER, ODD, JAMS, ODD_JAMS]),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**64 - 1),
)
def test_throws_are_those_of_the_model(throws: list, parameters: tuple, seed: int, match_index: int) -> None:
    # TW-TOWER-30, TW-TOWER-31, TW-TOWER-32, TW-TOWER-36, TW-RNG-00: shelves, tray and draws of all throws
    fast = CubeTower(seed=seed, match_index=match_index, parameters=table(parameters))
    slow = Tower(Numbers("tower", seed, match_index), parameters)
    for cubes in throws:
        here = Counter(fast.contents)
        if any(here[colour] + count > (20 if colour == "farmer" else 62) for colour, count in cubes.items()):
            return
        assert Counter(fast.throw(cubes)) == Counter(slow.throw(cubes))
        assert [list(shelf) for shelf in fast.shelves] == slow.shelf
        assert fast.draws == slow.numbers.half


def test_a_long_match() -> None:
    # TW-TOWER-08, TW-RNG-02, TW-RNG-08: the fill and then battle after battle, in one stream
    fast, slow = CubeTower(seed=5, match_index=3, parameters="ledger"), Tower(Numbers("tower", 5, 3))
    sizes = draws("game", seed=9, count=120, sides=8)
    for number, size in enumerate([None, *sizes]):
        cubes = fill(4) if size is None else {COLOURS[number % 4]: 1 + size, "farmer": 1}
        assert Counter(fast.throw(cubes)) == Counter(slow.throw(cubes))
        assert (fast.draws, [list(shelf) for shelf in fast.shelves]) == (slow.numbers.half, slow.shelf)


@pytest.mark.parametrize("sequence", [False, True])
def test_many_throws_are_those_of_the_model(sequence: bool) -> None:
    cubes = {"red": 2, "blue": 3, "farmer": 2}
    throws = simulate_throws(cubes, count=60, seed=8, first=5, sequence=sequence, parameters="ledger")
    slow = Tower(Numbers("tower", 8, 5))
    for row in range(60):
        if not sequence:
            slow = Tower(Numbers("tower", 8, 5 + row))
        out = Counter(slow.throw(cubes))
        assert throws.tray[row].tolist() == [out[colour] for colour in COLOURS]
        held = Counter(cube for shelf in slow.shelf for cube in shelf)
        assert throws.contents[row].tolist() == [held[colour] for colour in COLOURS]


@pytest.mark.parametrize(
    "clash",
    [
        Clash(("blue", 4), ("yellow", 3), tray={"red": 2, "farmer": 2}, players=3, parameters="ledger"),
        Clash(
            ("blue", 4),
            ("yellow", 3),
            tray={"purple": 1},
            farmers_defend=False,
            players=5,
            parameters="ledger",
        ),
        Clash(("black", 3), neutral=True, parameters="ledger"),
        Clash(("farmer", 2), ("yellow", 3), revolt=True, parameters="ledger"),
    ],
)
def test_odds_are_those_of_the_model(clash: Clash) -> None:
    # TW-BATTLE-17: a fresh fill, the throw, the settlement; sample by sample
    attacker, defender = clash.attacker[0], clash.defender[0]
    colours = [colour for colour in (attacker, defender) if colour != "farmer"]
    colours += [colour for colour in COLOURS[:5] if colour not in colours]
    filled = dict.fromkeys(colours[: clash.players], 7) | {"farmer": 10}
    ends: Counter[tuple[str, int]] = Counter()
    for index in range(150):
        slow = Tower(Numbers("odds", 4, index))
        slow.throw(filled)
        tray = Counter(slow.throw(clash.thrown))
        if clash.revolt:
            ends[settle_revolt(tray, defender)] += 1
        else:
            owner = None if clash.neutral else defender
            ends[settle_attack(tray, attacker, owner, clash.neutral or clash.farmers_defend)] += 1
    counts = clash.sample(150, seed=4).counts
    found = {
        (("attacker", "defender", "none")[row], int(armies)): int(counts[row, armies])
        for row, armies in zip(*np.nonzero(counts), strict=True)
    }
    assert found == dict(ends)


def test_contents_are_loaded_as_documented() -> None:
    """The law of the upper shelf: single cubes thrown into the empty tower until it holds as many."""
    content, count = 15, 1500
    thrown: Counter[int] = Counter()
    for index in range(count):
        slow = Tower(Numbers("game", 6, index))
        while sum(map(len, slow.shelf)) < content:
            slow.throw({"red": 1})
        thrown[len(slow.shelf[0])] += 1
    loaded = Counter(
        len(CubeTower(seed=7, match_index=index, contents={"blue": content}, parameters="ledger").shelves[0])
        for index in range(20_000)
    )
    chi_square = 0.0
    for upper in range(content + 1):
        expected = loaded[upper] * count / 20_000
        if expected > 5:
            chi_square += (thrown[upper] - expected) ** 2 / expected / (1 + count / 20_000)
    assert chi_square < 35  # about ten cells


def test_colours_of_loaded_cubes_are_shuffled() -> None:
    contents = {"red": 5, "blue": 5, "farmer": 5}
    oldest = Counter(
        CubeTower(seed=1, match_index=index, contents=contents).shelves[0][0] for index in range(3000)
    )
    assert all(abs(oldest[colour] - 1000) < 120 for colour in contents)


def test_halves_are_the_words_of_the_stream() -> None:
    halves = np.array(draws("tower", seed=7, count=2000, halves=True), dtype=np.uint64)
    words = halves[::2] | halves[1::2] << np.uint64(16)
    for sides in (12, 1 << 16):
        expected = (words * np.uint64(sides)) >> np.uint64(32)  # none of these is rejected
        assert draws("tower", seed=7, count=1000, sides=sides) == expected.tolist()
    with pytest.raises(ArgumentError, match="sides is 6"):
        draws("tower", sides=6, halves=True)
    assert tower.COLOURS == COLOURS
