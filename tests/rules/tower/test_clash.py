"""Battles and revolts: what is thrown, and what becomes of the tray (section 12)."""

import pytest

from sengoku.errors import SetupError
from sengoku.tower import Clash

ATTACK = Clash(("blue", 4), ("yellow", 3))
UNREST = Clash(("blue", 4), ("yellow", 3), farmers_defend=False)
NEUTRAL = Clash(("blue", 4), neutral=True)
REVOLT = Clash(("farmer", 2), ("yellow", 3), revolt=True)


def cubes(**counts: int) -> dict[str, int]:
    return {colour: count for colour, count in counts.items() if count}


@pytest.mark.parametrize(
    ("clash", "tray", "winner", "armies", "supply", "left"),
    [
        (ATTACK, (5, 2, 2, 3), "attacker", 1, (4, 2, 2), (0, 3)),
        (UNREST, (2, 2, 3, 1), "none", 0, (2, 2, 0), (3, 1)),
        (ATTACK, (2, 3, 1, 0), "defender", 2, (2, 1, 1), (0, 0)),
        (ATTACK, (1, 2, 4, 0), "defender", 2, (1, 0, 4), (0, 0)),
        (ATTACK, (1, 0, 3, 2), "none", 0, (1, 0, 3), (0, 2)),
        (UNREST, (4, 1, 5, 0), "attacker", 3, (1, 1, 0), (5, 0)),
        (NEUTRAL, (3, 0, 1, 2), "attacker", 2, (1, 0, 1), (0, 2)),
        (NEUTRAL, (1, 0, 3, 0), "none", 0, (1, 0, 3), (0, 0)),
        (NEUTRAL, (0, 0, 0, 1), "none", 0, (0, 0, 0), (0, 1)),
    ],
    ids="abcdefghi",
)
def test_settlements_of_the_ledger(
    clash: Clash, tray: tuple, winner: str, armies: int, supply: tuple, left: tuple
) -> None:
    # TW-EX-20; TW-BATTLE-10 (a, f, g), TW-BATTLE-11 with TW-R-24 (c, d), TW-BATTLE-12 with TW-R-25 (b, e, h),
    # TW-BATTLE-07 (b, f), TW-BATTLE-08 (g, h), TW-BATTLE-06 and TW-BATTLE-16 (others stay), TW-R-26 (i)
    attackers, defenders, farmers, others = tray
    settled = clash.settle(cubes(blue=attackers, yellow=defenders, farmer=farmers, red=others))
    assert (settled.winner, settled.armies_left) == (winner, armies)
    assert settled.to_supply == cubes(blue=supply[0], yellow=supply[1], farmer=supply[2])
    assert settled.tray == cubes(farmer=left[0], red=left[1])
    assert settled.neutral == (winner == "none")


@pytest.mark.parametrize(("own", "farmers", "left"), [(5, 3, 2), (2, 2, 0), (0, 0, 0), (1, 0, 1)])
def test_revolts_of_the_ledger(own: int, farmers: int, left: int) -> None:
    # TW-EX-21, TW-BATTLE-09, TW-BATTLE-14 with TW-R-27, TW-BATTLE-15 with TW-R-26
    settled = REVOLT.settle(cubes(yellow=own, farmer=farmers, blue=6))
    assert (settled.winner, settled.armies_left) == ("defender" if left else "attacker", left)
    assert settled.to_supply == cubes(yellow=own - left, farmer=farmers)
    assert (settled.tray, settled.neutral) == ({"blue": 6}, not left)


def test_what_is_thrown() -> None:
    # TW-BATTLE-01: three kinds; TW-BATTLE-03, TW-BATTLE-04, TW-BATTLE-05: always with everything in the tray
    tray = {"red": 2, "blue": 1, "farmer": 1}
    assert Clash(("blue", 4), ("yellow", 3), tray=tray).thrown == cubes(red=2, blue=5, yellow=3, farmer=1)
    assert Clash(("blue", 4), neutral=True, tray=tray).thrown == cubes(red=2, blue=5, farmer=2)
    assert Clash(("blue", 4), ("farmer", 2), neutral=True).thrown == cubes(blue=4, farmer=2)
    assert Clash(("farmer", 3), ("yellow", 3), revolt=True, tray=tray).thrown == cubes(
        red=2, blue=1, yellow=3, farmer=4
    )
    # TW-R-28: too few farmers in supply, even none
    assert Clash(("farmer", 0), ("yellow", 3), revolt=True).thrown == {"yellow": 3}
    assert Clash(("blue", 4), ("farmer", 0), neutral=True).thrown == {"blue": 4}


@pytest.mark.parametrize(
    ("arguments", "options", "field"),
    [
        ((("blue", 4),), {}, "defender"),
        ((("blue", 4), ("blue", 3)), {}, "defender"),
        ((("blue", 0), ("red", 3)), {}, "attacker"),
        ((("blue", 63), ("red", 3)), {}, "attacker"),
        ((("blue", 4), ("red", -1)), {}, "defender"),
        ((("green", 4), ("red", 1)), {}, "attacker"),
        ((("farmer", 4), ("red", 1)), {}, "attacker"),
        ((("blue", 4), ("farmer", 1)), {}, "defender"),
        ((("blue", 4), ("red", 1)), {"neutral": True}, "defender"),
        ((("blue", 4), ("red", 1)), {"revolt": True}, "attacker"),
        ((("blue", 4), ("red", 1)), {"revolt": True, "neutral": True}, "revolt"),
        ((("blue", 4), ("red", 1)), {"tray": {"blue": 59}}, "tray"),
        ((("blue", 4), ("red", 1)), {"tray": {"blue": 63}}, "tray.blue"),
        ((("blue", 4), ("red", 1)), {"contents": {"farmer": 21}}, "contents.farmer"),
        (
            (("blue", 4), ("red", 1)),
            {"contents": {"red": 40, "blue": 11}, "parameters": "ledger"},
            "contents",
        ),
        ((("blue", 4), ("red", 1)), {"players": 2}, "players"),
        ((("blue", 4), ("red", 1)), {"parameters": {}}, "parameters"),
    ],
)
def test_clashes_that_cannot_be(arguments: tuple, options: dict, field: str) -> None:
    # TW-TOWER-04, TW-TOWER-13
    with pytest.raises(SetupError) as refused:
        Clash(*arguments, **options)
    assert refused.value.details["field"] == field


def test_arguments_of_the_wrong_type() -> None:
    for arguments in (
        ("blue", ("red", 1)),
        ((1, 2), ("red", 1)),
        (("blue",), ("red", 1)),
        (("blue", "4"), None),
    ):
        with pytest.raises(TypeError):
            Clash(*arguments)
    with pytest.raises(TypeError, match="tray must be a dict"):
        ATTACK.settle([("blue", 3)])
