"""Exact odds of clashes (TW-TOWER-37): against fractions of tiny towers, and against many throws."""

import copy
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from differential.exact_tower import trays
from differential.model_tower import settle_attack, settle_revolt
from sengoku import Cancel, Match, tower
from sengoku.errors import ArgumentError, CancelledError, DecodeError, SetupError, StateSpaceError
from sengoku.tower import Clash, ClashOdds

NAMES = ("capacity", "stick_per_mille", "dislodge", "burst", "jam_per_mille", "jam_half_tenths")
PLAIN = ((3, 700, 9000, 20_000), (2, 900, 20_000, 0))
JAMS = ((2, 500, 20_000, 9_000, 400, 15), (3, 300, 9_000, 30_000, 900, 0))
ENDS = ("attacker", "defender", "none")


def table(parameters: tuple) -> dict:
    return {"shelves": [dict(zip(NAMES, shelf, strict=False)) for shelf in parameters]}


@pytest.mark.parametrize("parameters", [PLAIN, JAMS])
@pytest.mark.parametrize(
    ("attacker", "defender", "options"),
    [
        (("blue", 1), ("red", 1), {"contents": {"red": 1, "farmer": 1}}),
        (("blue", 2), ("red", 1), {"contents": {"blue": 1}}),
        (("blue", 1), ("red", 1), {"contents": {"blue": 2, "black": 1}, "farmers_defend": False}),
        (("blue", 2), ("farmer", 1), {"contents": {"yellow": 1, "farmer": 1}, "neutral": True}),
        (("farmer", 2), ("red", 1), {"contents": {"red": 2}, "revolt": True}),
        (("blue", 1), ("red", 1), {"contents": {}, "tray": {"farmer": 1}}),
    ],
)
def test_odds_are_the_fractions_of_a_tiny_tower(
    parameters: tuple, attacker: tuple, defender: tuple, options: dict
) -> None:
    # TW-TOWER-37: the chain on counts and exchangeable colours, against cubes followed one by one
    clash = Clash(attacker, defender, **options, parameters=table(parameters))
    ends: Counter[tuple[str, int]] = Counter()
    for tray, probability in trays(parameters, clash.contents, clash.thrown).items():
        cubes = Counter(tray)
        if clash.revolt:
            end = settle_revolt(cubes, defender[0])
        else:
            owner = None if clash.neutral else defender[0]
            end = settle_attack(cubes, attacker[0], owner, clash.neutral or clash.farmers_defend)
        ends[end] += probability
    assert sum(ends.values()) == Fraction(1)
    odds = clash.exact()
    for row, column in np.ndindex(odds.table.shape):
        assert odds.table[row, column] == pytest.approx(float(ends[ENDS[row], column]), abs=1e-13)
    assert odds.neglected < 1e-12


LEDGER, FITTED = "ledger", "fitted"
JAMMED = {
    "shelves": [
        {"capacity": 26, "stick_per_mille": 600, "dislodge": 900, "burst": 2500, "jam_per_mille": 350},
        {"capacity": 24, "stick_per_mille": 500, "dislodge": 1500, "burst": 2500, "jam_per_mille": 300},
    ]
}
for shelf in JAMMED["shelves"]:
    shelf["jam_half_tenths"] = 25
SHELVES = [{"red": 6, "farmer": 4, "blue": 1}, {"blue": 5, "black": 2, "farmer": 3}]
INSIDE = {"red": 6, "blue": 7, "yellow": 5, "purple": 3, "farmer": 8}
GRID = [
    *(Clash((a, n), (d, m), parameters=LEDGER, contents=INSIDE)
      for a, n, d, m in (("red", 1, "blue", 1), ("blue", 5, "red", 3), ("black", 2, "yellow", 4))),
    Clash(("blue", 3), ("yellow", 2), parameters=LEDGER),
    Clash(("blue", 3), ("yellow", 2), parameters=FITTED, players=3),
    Clash(("blue", 2), ("yellow", 3), parameters=JAMMED, contents=INSIDE, tray={"farmer": 2}),
    Clash(("blue", 4), ("yellow", 2), parameters=LEDGER, contents=INSIDE, farmers_defend=False),
    Clash(("blue", 2), ("red", 2), parameters=JAMMED, contents=INSIDE, tray={"blue": 2, "red": 1}),
    Clash(("purple", 2), neutral=True, parameters=LEDGER, contents=INSIDE, tray={"red": 1}),
    Clash(("purple", 3), ("farmer", 2), neutral=True, parameters=FITTED, contents=INSIDE),
    Clash(("farmer", 3), ("blue", 3), revolt=True, parameters=LEDGER, contents=INSIDE),
    Clash(("farmer", 0), ("black", 1), revolt=True, parameters=JAMMED, contents={"farmer": 20}),
    Clash(("red", 2), ("blue", 2), parameters=LEDGER, contents={}),
    Clash(("red", 3), ("blue", 2), parameters=LEDGER, shelves=SHELVES, tray={"yellow": 1}),
    Clash(("farmer", 1), ("blue", 2), parameters=JAMMED, shelves=SHELVES, revolt=True),
    Clash(("black", 2), parameters=FITTED, shelves=[{}, {"farmer": 9}], neutral=True),
]  # fmt: skip


@pytest.mark.parametrize("clash", GRID)
def test_exact_odds_are_those_of_many_throws(clash: Clash) -> None:
    # TW-TOWER-36, TW-TOWER-37: chi-square over winners and armies left, clashes of all kinds
    count = 40_000
    exact, sampled = clash.exact(), clash.sample(count, seed=11)
    assert exact.method == "exact"
    assert exact.samples == 0
    assert exact.standard_error == 0
    assert exact.counts is None
    assert exact.neglected < 1e-12
    assert exact.table.sum() == pytest.approx(1, abs=1e-11)
    expected, seen = count * exact.table.ravel(), sampled.counts.ravel()
    assert (seen[expected == 0] == 0).all()
    common = expected >= 8
    chi_square = ((seen - expected)[common] ** 2 / expected[common]).sum()
    chi_square += (seen[~common].sum() - expected[~common].sum()) ** 2 / max(1.0, expected[~common].sum())
    cells = int(common.sum())
    assert chi_square < cells + 4.5 * (2 * cells) ** 0.5 + 8
    for name in ("attacker_wins", "defender_wins", "none"):
        assert abs(getattr(exact, name) - getattr(sampled, name)) < 5 * sampled.standard_error + 1e-9


def test_odds_are_exact_where_that_is_affordable() -> None:
    clash = GRID[0]
    assert clash.states <= tower.EXACT_STATE_LIMIT
    assert clash.odds() == clash.exact() == clash.odds(max_error=0.2, seed=5)
    assert copy.copy(clash.exact()) == clash.exact()
    assert 'method="exact"' in repr(clash.exact())
    batch = tower.batch_odds(GRID[:3], method="exact")
    assert batch.attacker_wins.tolist() == [one.exact().attacker_wins for one in GRID[:3]]
    assert batch.samples.tolist() == [0, 0, 0]
    large = Clash(("red", 30), ("blue", 20), contents=INSIDE)
    assert large.states > tower.EXACT_STATE_LIMIT
    assert large.odds(max_error=0.02).method == "sampled"
    with pytest.raises(StateSpaceError, match="the limit is 5000000"):
        large.exact()
    with pytest.raises(StateSpaceError, match="the limit is 10"):
        clash.exact(max_states=10)
    with pytest.raises(ArgumentError, match="max_states"):
        clash.exact(max_states=-1)


def test_three_shelves_are_sampled() -> None:
    # TW-TOWER-37: fresh and older cubes lie in any order on the middle shelf, so their numbers do not suffice
    shelf = {"capacity": 9, "stick_per_mille": 700, "dislodge": 1000, "burst": 3000}
    clash = Clash(("red", 1), ("blue", 1), contents={}, parameters={"shelves": [shelf] * 3})
    assert clash.odds(max_error=0.02).method == "sampled"
    with pytest.raises(StateSpaceError, match="there is no exact answer"):
        clash.exact()


def test_tables_that_cannot_be() -> None:
    exact = GRID[0].exact()
    assert ClashOdds.from_probabilities(GRID[0], exact.table, exact.neglected) == exact
    for table_, neglected in ((exact.table[:, :-1], 0.0), (exact.table / 2, 0.0), (exact.table, -1.0)):
        with pytest.raises(DecodeError):
            ClashOdds.from_probabilities(GRID[0], np.ascontiguousarray(table_), neglected)


def test_a_cancelled_question_ends() -> None:
    cancel = Cancel()
    cancel.cancel()
    shelf = {"capacity": 21, "stick_per_mille": 701, "dislodge": 1000, "burst": 3000}
    clash = Clash(("red", 4), ("blue", 3), parameters={"shelves": [shelf] * 2})
    for ask in (clash.exact, clash.odds):
        with pytest.raises(CancelledError):
            ask(cancel=cancel)
    with pytest.raises(CancelledError):
        tower.batch_odds([clash], method="exact", cancel=cancel)
    # who asks next is answered
    assert clash.exact().neglected < 1e-12


def test_the_order_of_questions_changes_nothing() -> None:
    # A larger throw computes the smaller ones along; another process is asked in another order.
    code = (
        "from sengoku.tower import Clash\n"
        f"rows = [Clash(('red', n), ('blue', 2), contents={INSIDE}) for n in %s]\n"
        "print(sorted((row.attacker, row.exact().table.tobytes().hex()) for row in rows))"
    )
    orders = [[1, 2, 3], [3, 2, 1]]
    found = [
        subprocess.run([sys.executable, "-c", code % order], check=True, capture_output=True).stdout
        for order in orders
    ]
    assert found[0] == found[1]


def test_what_is_known_of_the_shelves_matters() -> None:
    # TW-TOWER-37: conditional on the shelf of each cube; by contents it is the mean over where they may lie
    def wins(**inside: Any) -> float:
        return Clash(("red", 1), ("blue", 1), parameters=LEDGER, **inside).exact().attacker_wins

    red, blue, both = {"red": 1}, {"blue": 1}, {"red": 1, "blue": 1}
    places = [(both, {}), (red, blue), (blue, red), ({}, both)]
    known = [wins(shelves=list(shelves)) for shelves in places]
    assert len(set(known)) == 4
    above = [
        len(tower.CubeTower(seed=1, match_index=index, contents=both, parameters=LEDGER).shelves[0])
        for index in range(3000)
    ]
    shares = [above.count(2) / 3000, above.count(1) / 6000, above.count(1) / 6000, above.count(0) / 3000]
    mean = sum(share * chance for share, chance in zip(shares, known, strict=True))
    assert wins(contents=both) == pytest.approx(mean, abs=0.005)
    clash = Clash(("red", 1), ("blue", 1), shelves=[{"red": 2}, {"black": 1}])
    assert clash.contents is None
    assert clash.shelves == [{"red": 2}, {"black": 1}]
    assert copy.copy(clash) == clash
    assert clash != Clash(("red", 1), ("blue", 1), contents={"red": 2, "black": 1})
    assert "2 red, then 1 black on the shelves" in tower.title(clash)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"shelves": [{}], "contents": None}, "shelves"),
        ({"shelves": [{}, {}, {}]}, "shelves"),
        ({"shelves": [{"red": 27}, {}]}, "shelves[0]"),
        ({"shelves": [{}, {"red": 25}]}, "shelves[1]"),
        ({"shelves": [{"red": -1}, {}]}, "shelves[0].red"),
        ({"shelves": [{}, {}], "contents": {}}, "shelves"),
        ({"shelves": [{"farmer": 11}, {"farmer": 10}]}, "shelves"),
    ],
)
def test_shelves_that_cannot_be(options: dict, field: str) -> None:
    with pytest.raises(SetupError) as error:
        Clash(("red", 1), ("blue", 1), parameters=LEDGER, **options)
    assert error.value.details["field"] == field


def test_an_attack_in_a_match_by_what_is_public() -> None:
    # TW-D-12, TW-TOWER-14: contents by colour and the tray are public, the arrangement is not
    match = Match.create("tower", seats=4, seed=3)
    view = match.view("public")
    owned = next(name for name, there in view["provinces"].items() if there["owner"] == 2)
    clash = tower.clash_in(view, 1, owned, 4)
    assert (clash.attacker, clash.defender[0]) == (("blue", 4), "yellow")
    assert clash.defender[1] == view["provinces"][owned]["armies"]
    assert sum(clash.contents.values()) == sum(view["inside"])
    assert clash.shelves is None
    assert all(tower.clash_in(match.view(seat), 1, owned, 4) == clash for seat in range(4))
    free = next(name for name, there in view["provinces"].items() if there["owner"] is None)
    assert tower.clash_in(view, 0, free, 2, farmers=2).defender == ("farmer", 2)
    with pytest.raises(ArgumentError, match="province"):
        tower.clash_in(view, 0, "atlantis", 2)
    with pytest.raises(ArgumentError, match="attacker"):
        tower.clash_in(view, 5, owned, 2)
