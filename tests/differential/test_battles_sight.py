"""Line of sight: the geometric definition against the table of the ledger, and the engine against both."""

from random import Random
from typing import Any

import pytest

from differential.battles_positions import name_of, random_battle
from differential.model_battles_board import (
    ALL,
    HEXES,
    NUMBER,
    SIDES,
    Coordinate,
    Scenario,
    at,
    distance,
    line,
    near,
    sees,
)
from sengoku import Match

Offsets = set[tuple[int, int]]
# BT-LOS-09: offset (dx, dr), hexes in the line, hexes on one edge, hexes on the other.
TABLE: list[tuple[tuple[int, int], Offsets, Offsets, Offsets]] = [
    ((4, 0), {(2, 0)}, set(), set()),
    ((3, 1), set(), {(1, 1)}, {(2, 0)}),
    ((2, 2), {(1, 1)}, set(), set()),
    ((0, 2), set(), {(-1, 1)}, {(1, 1)}),
    ((6, 0), {(2, 0), (4, 0)}, set(), set()),
    ((5, 1), {(2, 0), (3, 1)}, set(), set()),
    ((4, 2), {(1, 1), (3, 1)}, set(), set()),
    ((3, 3), {(1, 1), (2, 2)}, set(), set()),
    ((1, 3), {(1, 1), (0, 2)}, set(), set()),
    ((8, 0), {(2, 0), (4, 0), (6, 0)}, set(), set()),
    ((7, 1), {(2, 0), (4, 0), (3, 1), (5, 1)}, set(), set()),
    ((6, 2), {(3, 1)}, {(1, 1), (4, 2)}, {(2, 0), (5, 1)}),
    ((5, 3), {(1, 1), (3, 1), (2, 2), (4, 2)}, set(), set()),
    ((4, 4), {(1, 1), (2, 2), (3, 3)}, set(), set()),
    ((2, 4), {(1, 1), (0, 2), (2, 2), (1, 3)}, set(), set()),
    ((0, 4), {(0, 2)}, {(-1, 1), (-1, 3)}, {(1, 1), (1, 3)}),
]


@pytest.mark.parametrize(("mirror_x", "mirror_r"), [(1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_the_geometric_definition_gives_the_table(mirror_x: int, mirror_r: int) -> None:
    # BT-LOS-01, BT-LOS-02, BT-LOS-03, BT-LOS-09, BT-R-32
    checked = 0
    for start in ALL:
        r, x = HEXES[start]

        def offsets(places: tuple[Coordinate, ...], r: int = r, x: int = x) -> Offsets:
            return {(mirror_x * (there[1] - x), mirror_r * (there[0] - r)) for there in places}

        for (dx, dr), inside, one, other in TABLE:
            end = NUMBER.get((r + mirror_r * dr, x + mirror_x * dx))
            if end is None:
                continue
            found = line(start, end)
            assert offsets(found.inside) == inside
            assert {frozenset(offsets(found.left)), frozenset(offsets(found.right))} == {
                frozenset(one),
                frozenset(other),
            }
            checked += 1
    assert checked > 800


def ambush(random: Random, state: dict[str, Any], scene: Scenario) -> tuple[dict[str, Any], list[int]]:
    """Four arquebus units of the active side with Hold and Shoot, enemies around but not beside them."""
    free = [hex_ for hex_ in ALL if hex_ not in scene.impassable and scene.terrain[hex_] != "tent"]
    middle = random.choice(free)
    shooters: list[int] = []
    for hex_ in sorted(free, key=lambda hex_: distance(middle, hex_) + 4 * random.random()):
        if len(shooters) < 4 and all(distance(hex_, other) > 1 for other in shooters):
            shooters.append(hex_)
    room = [hex_ for hex_ in free if min(distance(hex_, one) for one in shooters) > 1]
    active = state["active"]
    other = SIDES[1 - SIDES.index(active)]
    units = [{"unit": "AA", "side": active, "hex": name_of(hex_), "blocks": 4} for hex_ in shooters]
    for hex_ in random.sample(room, min(len(room), 14)):
        side = random.choice([other, other, active])
        units.append(
            {"unit": "SSp" if side == active else "ASp", "side": side, "hex": name_of(hex_), "blocks": 4}
        )
    if not any(unit["side"] == other for unit in units):
        units[-1].update(side=other, unit="ASp")
    position = {
        "active": active,
        "units": units,
        "leaders": [],
        "tents": {name: side in scene.tents and random.random() < 0.5 for side, name in enumerate(SIDES)},
        "command": {"hands": {active: ["C-HOLD", "C-ONE-L"], other: ["C-ONE-R", "C-ONE-C"]}},
        "dragon": {"hands": {"top": [], "bottom": []}},
    }
    return position, shooters


def test_the_engine_sees_by_the_geometric_definition() -> None:
    # BT-LOS-04, BT-LOS-05, BT-LOS-06, BT-LOS-07, BT-LOS-08, BT-R-29, BT-R-30, BT-R-31, BT-R-33
    seen = hidden = 0
    for seed in range(150):
        random = Random(seed)
        text, scene = random_battle(Random(seed % 15))
        state = Match.create("battles", seats=2, seed=seed, setup={"scenario_text": text}).state()
        position, shooters = ambush(random, state, scene)
        setup = {"scenario_text": text, "position": position}
        match = Match.create("battles", seats=2, seed=seed, setup=setup)
        if match.over or match.state()["question"]["step"] != "play_command":
            continue
        terrain = list(scene.terrain)
        for side, hex_ in scene.tents.items():
            terrain[hex_] = "tent" if position["tents"][SIDES[side]] else "open"
        units = {at(*map(int, unit["hex"].split(","))): unit["side"] for unit in position["units"]}
        enemies = [hex_ for hex_, side in units.items() if side != position["active"]]
        names = {action.args.get("card"): action for action in match.legal_actions()}
        match.play(names["C-HOLD"])
        for hex_ in shooters:
            choose(match, "order", hex_)
        for hex_ in shooters:
            reach = [other for other in enemies if 2 <= distance(hex_, other) <= 4]
            assert not set(near(hex_)) & set(enemies)
            expected = {other for other in reach if sees(hex_, other, terrain, set(units))}
            assert targets(match.clone(), hex_) == expected, (seed, name_of(hex_))
            seen, hidden = seen + len(expected), hidden + len(reach) - len(expected)
    assert min(seen, hidden) > 300


def choose(match: Match, step: str, hex_: int) -> None:
    assert match.state()["question"]["step"] == step
    match.play(next(action for action in match.legal_actions() if action.args.get("hex") == name_of(hex_)))


def targets(match: Match, hex_: int) -> set[int]:
    """The targets of the unit in a hex, according to the engine."""
    if match.over or match.state()["question"]["step"] != "battle":
        return set()
    offered = {action.args.get("hex"): action for action in match.legal_actions()}
    if name_of(hex_) not in offered:
        return set()
    read = len(match.log)
    match.play(offered[name_of(hex_)])
    shot = [entry["target"] for entry in match.log[read:] if entry["event"] == "attack"]
    if shot:  # there was no choice
        found = shot[:1]
    else:
        assert match.state()["question"]["step"] == "target"
        found = [action.args["hex"] for action in match.legal_actions()]
    return {at(*map(int, text.split(","))) for text in found}
