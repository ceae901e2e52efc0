"""Builders of positions: what is not named is filled in, and errors name the field."""

from typing import Any

import pytest

from sengoku import battles, swords, tower
from sengoku.errors import SetupError


def test_every_builder_begins_with_a_sound_position() -> None:
    for builder in (
        *(swords.PositionBuilder(seats) for seats in (2, 3, 4, 5)),
        *(
            tower.PositionBuilder(seats, court=court).begin("plan")
            for seats in (3, 5)
            for court in (False, True)
        ),
        battles.PositionBuilder().top("SSp@2,5").bottom("SSp@8,5"),
        battles.PositionBuilder(scenario=8, active="bottom"),
    ):
        match = builder.match()
        assert (match.game, match.seats, match.over) == (builder.game, builder.seats, False)
        assert match.legal_actions()
        assert builder.match(seed=5).setup == match.setup, "a builder can be used again"


def test_trays_and_pools_follow_from_the_board() -> None:
    builder = (
        swords.PositionBuilder(3).province("kai", 0, "castle", spear=5, ronin=2).army(1, 1, "owari", bow=2)
    )
    state = builder.match().state()
    assert state["clans"][0]["tray"]["spear"] == 36 - 5 - 1
    assert state["clans"][1]["tray"]["bow"] == 9 - 2
    assert state["pool"] == {"castles": 9, "bases": 5, "ronin": 23}
    cubes = tower.PositionBuilder(3).province("settsu", 0, 4).tray(2, 0, 0, farmers=3).tower([0, 5])
    position = cubes.begin("plan").position()
    assert (position["supply"][0], position["supply"][5]) == (62 - 4 - 2 - 1, 20 - 3 - 1)


@pytest.mark.parametrize(
    ("build", "field"),
    [
        (lambda: swords.PositionBuilder(3).province("moon", 0), "province"),
        (lambda: swords.PositionBuilder(3).province("kai", 3), "owner"),
        (lambda: swords.PositionBuilder(3).province("kai", 0, "tower"), "fort"),
        (lambda: swords.PositionBuilder(3).province("kai", 0, lancer=1), "unit"),
        (lambda: swords.PositionBuilder(3).army(0, 4, "kai"), "army"),
        (lambda: swords.PositionBuilder(3).clan(7, koku=1), "clan"),
        (lambda: swords.PositionBuilder(3).begin("dance"), "action"),
        (lambda: swords.PositionBuilder(3).province("kai", 0, spear=40).position(), "clans[0].tray.spear"),
        (lambda: swords.PositionBuilder(3).province("kai", 0, hidden=30).position(), "pool.ronin"),
        (lambda: swords.PositionBuilder(3, homes=["moon"]), "province"),
        (lambda: tower.PositionBuilder(3).province("moon", 0), "province"),
        (lambda: tower.PositionBuilder(3).province("settsu", 4), "owner"),
        (lambda: tower.PositionBuilder(3).province("settsu", 0, 1, "wall"), "building"),
        (lambda: tower.PositionBuilder(3).plan(0, dance="settsu"), "space"),
        (lambda: tower.PositionBuilder(3).order(0, 0, 1), "order"),
        (lambda: tower.PositionBuilder(3).specials({0: "luck"}), "special"),
        (lambda: tower.PositionBuilder(3).event(13), "event"),
        (lambda: tower.PositionBuilder(3).begin("dance"), "where"),
        (lambda: tower.PositionBuilder(3).province("settsu", 0, 70).begin("plan").position(), "supply[0]"),
        (lambda: battles.PositionBuilder().top("XX@1,1"), "piece"),
        (lambda: battles.PositionBuilder().top("@1,1"), "piece"),
        (lambda: battles.PositionBuilder().top("SSp@99,1"), "hex"),
        (lambda: battles.PositionBuilder(terrain={"1,1": "moon"}), "terrain"),
        (lambda: battles.PositionBuilder(terrain={"1,99": "hill"}), "hex"),
        (lambda: battles.PositionBuilder(active="left"), "active"),
        (lambda: battles.PositionBuilder().deck("X-1"), "card"),
        (lambda: battles.PositionBuilder(terrain={"1,1": "fence", "2,2": "palisade"}).text(), "terrain"),
    ],
)
def test_errors_name_the_field(build: Any, field: str) -> None:
    with pytest.raises(SetupError) as caught:
        build()
    assert caught.value.details["field"] == field
