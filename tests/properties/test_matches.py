"""Random legal play keeps what is always true of a state (SW-S-01 to SW-S-34 and what follows them)."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sengoku import Match, games, run_matches

KINDS = {"bow": 9, "gun": 9, "sword": 9, "spear": 36}


def total(units: dict[str, int], *kinds: str) -> int:
    """Units of some kinds."""
    return sum(units[kind] for kind in kinds)


def check(state: dict[str, Any]) -> None:
    """Everything that must hold between two decisions, written from the ledger and not from the code."""
    provinces, clans = state["provinces"], state["clans"]
    march = state["march"] or {"units": dict.fromkeys([*KINDS, "ronin"], 0), "rest": 0}
    armies = [
        (number, army)
        for number, clan in enumerate(clans)
        for army in clan["armies"]
        if army["province"] is not None
    ]
    dividing = isinstance(state["point"], dict) and "divide" in state["point"]
    for key, province in provinces.items():
        inside = [army for owner, army in armies if army["province"] == key]
        owners = {owner for owner, army in armies if army["province"] == key}
        regulars = total(province["units"], *KINDS)
        assert owners <= {province["owner"]}, "SW-GEN-09: every army stands in a province of its clan"
        assert regulars <= 5
        assert province["units"]["daimyo"] == 0
        if province["owner"] is None:
            assert regulars + province["units"]["ronin"] + province["hidden"] == 0
        elif not dividing:
            leaders = sum(total(army["units"], *KINDS, "daimyo") for army in inside)
            assert regulars + leaders > 0, f"SW-GEN-09: {key} has an owner and no regular unit"
        assert len(inside) <= 1 or state["phase"] in ("a", "d")
        assert province["bonus_lost"] <= {"none": 0, "castle": 4, "fortress": 5}[province["fort"]]
        assert all(province["moved"][kind] <= province["units"][kind] for kind in KINDS)
    for number, clan in enumerate(clans):
        if clan["out"]:
            assert all(province["owner"] != number for province in provinces.values())
            continue
        for army in clan["armies"]:
            assert total(army["units"], "bow", "sword") <= 4
            assert total(army["units"], "gun", "spear") <= 10
            assert army["units"]["daimyo"] + army["disrupted"] <= 1
        for kind, pieces in KINDS.items():
            board = sum(p["units"][kind] for p in provinces.values() if p["owner"] == number)
            cards = sum(army["units"][kind] for army in clan["armies"])
            bought = (
                0 if isinstance(state["point"], dict) and "buy" in state["point"] else clan["bought"][kind]
            )
            moving = march["units"][kind] if number == state["active"] else 0
            count = clan["tray"][kind] + board + cards + bought + moving
            assert count == pieces * clan["colours"], f"SW-S-19: {kind} of clan {number}"
        assert 0 <= clan["koku"] <= 22
    forts = Counter(province["fort"] for province in provinces.values())
    assert state["pool"]["castles"] + forts["castle"] + forts["fortress"] == 10
    assert state["pool"]["bases"] + forts["fortress"] == 5
    hired = [clan["hired"] for clan in clans]
    hidden = sum(p["hidden"] for p in provinces.values() if p["owner"] is not None and not hired[p["owner"]])
    revealed = sum(p["units"]["ronin"] for p in provinces.values())
    led = sum(army["units"]["ronin"] for _, army in armies)
    ronin = state["pool"]["ronin"] + sum(hired) + hidden + revealed + led
    assert ronin + march["units"]["ronin"] + march["rest"] == 25, "SW-S-26"
    swords = [clan["sword"] for clan in clans if clan["sword"]]
    assert len(swords) == len(set(swords))


@settings(deadline=None, max_examples=12)
@given(
    seats=st.integers(2, 5),
    seed=st.integers(0, 2**64 - 1),
    long_game=st.booleans(),
    choices=st.lists(st.integers(0, 2**16), min_size=40, max_size=400),
)
def test_random_play_keeps_the_invariants(seats: int, seed: int, long_game: bool, choices: list[int]) -> None:
    setup = {"max_rounds": 6, "long_game": long_game and seats > 2}
    match = Match.create("swords", seats=seats, seed=seed, setup=setup)
    for place, choice in enumerate(choices):
        if match.over:
            break
        check(match.state())
        if place % 50 == 0:
            again = Match.create("swords", seats=seats, seed=seed, setup={"position": match.state()})
            assert again.state() == match.state()
            assert [str(action) for action in again.legal_actions()] == [
                str(action) for action in match.legal_actions()
            ]
        legal = match.legal_actions()
        match.play(legal[choice % len(legal)])
    check(match.state())


@pytest.mark.system
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_ten_thousand_random_matches(game: Any) -> None:
    """Every number of players, without an error or a dead end."""
    for seats in range(game.seats[0], game.seats[1] + 1):
        report = run_matches(game.name, bots=["random"], seats=seats, match_count=10_000, seed=seats)
        assert len(report) == 10_000
        assert report.reason_counts
        assert (report.ranks.min(axis=1) == 1).all()
