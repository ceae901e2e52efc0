"""The state (S): which positions are accepted and which are refused."""

from copy import deepcopy
from typing import Any

import pytest

from rules.swords.board import (
    Board,
    begin,
    options,
)
from rules.swords.states import State, battle, place_of_play, random_matches
from sengoku import Match
from sengoku.errors import SetupError


def test_a_state_is_a_position() -> None:
    # SW-S-24: at every point of random play the state can be played on from
    seen = set()
    for match in random_matches(25):
        state = match.state()
        again = Match.create("swords", seats=match.seats, seed=match.seed, setup={"position": state})
        assert again.state() == state
        assert again.to_act == match.to_act
        assert options(again) == options(match)
        assert again.outcome == match.outcome
        seen.add(place_of_play(state))
    assert len(seen) >= 20


def sound(phase: str = "b") -> State:
    """A position in which nothing is wrong: two forces in Mino, an army beside it, a castle, ronin."""
    board = Board(phase=phase).army(0, 1, "mino", bow=2, spear=2, ronin=1).army(0, 2, "hida", spear=1)
    board.province("mino", 0, spear=3, hidden=1).province("omi", 1, "castle", spear=2)
    return board.position()


def changed(state: State, *changes: tuple[str, Any]) -> State:
    """A state with other values at some places, such as `clans.0.koku`."""
    state = deepcopy(state)
    for path, value in changes:
        *parents, last = path.split(".")
        place: Any = state
        for name in parents:
            place = place[int(name)] if isinstance(place, list) else place[name]
        if isinstance(place, list):
            place[int(last)] = value
        else:
            place[last] = value
    return state


def test_a_sound_position_is_taken() -> None:
    # SW-S-24: what the cases below are changed from
    for phase in ("a", "b", "d"):
        match = Match.create("swords", seats=3, setup={"position": sound(phase)})
        assert match.state()["phase"] == phase


LEVY = {"unit": "bow", "into_army": False}
SERIES = [
    {"army": 0},
    {"attacks_left": 1, "success": False, "open": None, "won": False, "barred": [None] * 4},
]
MARCH = {
    "army": 0, "from": "mino", "to": "owari", "hidden": 0, "rest": 0, "units": {}, "into_army": {},
}  # fmt: skip

BROKEN = [
    # provinces: SW-S-01 to SW-S-07, SW-GEN-09
    ("owner without units", ("provinces.owari.owner", 0), "provinces.owari.owner"),
    ("owner who does not play", ("provinces.omi.owner", 3), "provinces.omi.owner"),
    ("units of nobody", ("provinces.owari.units", {"spear": 1}), "provinces.owari.units"),
    ("ronin of nobody", ("provinces.owari.hidden", 1), "provinces.owari.hidden"),
    ("unknown building", ("provinces.mino.fort", "pagoda"), "provinces.mino.fort"),
    ("six units in a force", ("provinces.mino.units", {"spear": 6}), "provinces.mino.units"),
    ("daimyo in a force", ("provinces.mino.units", {"daimyo": 1, "spear": 3}), "provinces.mino.units.daimyo"),
    ("nineteen hidden ronin", ("provinces.mino.hidden", 19), "provinces.mino.hidden"),
    ("bonus lost without a castle", ("provinces.mino.bonus_lost", 1), "provinces.mino.bonus_lost"),
    ("five bonus lost in a castle", ("provinces.omi.bonus_lost", 5), "provinces.omi.bonus_lost"),
    ("more moved than there are", ("provinces.mino.moved", {"spear": 4}), "provinces.mino.moved"),
    ("a levy outside Action 4", ("provinces.mino.levy", LEVY), "provinces.mino.levy"),
    # armies: SW-S-08 to SW-S-13
    ("army in a foreign province", ("clans.0.armies.0.province", "omi"), "clans[0].armies[0].province"),
    ("army nowhere", ("clans.0.armies.0.province", None), "clans[0].armies[0].province"),
    ("hole 10", ("clans.0.armies.0.hole", 10), "clans[0].armies[0].hole"),
    ("five samurai", ("clans.0.armies.0.units", {"daimyo": 1, "bow": 5}), "clans[0].armies[0].units"),
    ("eleven ashigaru", ("clans.0.armies.0.units", {"daimyo": 1, "spear": 11}), "clans[0].armies[0].units"),
    ("two daimyo", ("clans.0.armies.0.units", {"daimyo": 2}), "clans[0].armies[0].units"),
    ("lost army with units", ("clans.1.armies.0.units", {"spear": 1}), "clans[1].armies[0].units"),
    ("lost army on the board", ("clans.1.armies.0.province", "omi"), "clans[1].armies[0].units"),
    ("assassinated and alive", ("clans.0.armies.0.disrupted", True), "clans[0].armies[0].units"),
    # clans: SW-S-15 to SW-S-20
    ("out with pieces", ("clans.1.out", 1), "clans[1]"),
    ("no colour", ("clans.0.colours", 0), "clans[0].colours"),
    ("six colours", ("clans.0.colours", 6), "clans[0].colours"),
    ("koku beyond all income", ("clans.0.koku", 26), "clans[0].koku"),
    ("plan of 1 for a building", ("clans.0.plan.build", 1), "clans[0].plan.build"),
    ("plan beyond all koku", ("clans.0.plan.levy", 26), "clans[0].plan"),
    ("sword twice", ("clans.1.sword", 1), "clans[0].sword"),
    ("sword that is not used", ("clans.2.sword", 4), "clans[2].sword"),
    ("no sword in a war turn", ("clans.2.sword", 0), "clans[2].sword"),
    ("a wish for a sword that is not used", ("clans.0.wish", 4), "clans[0].wish"),
    ("tray too full", ("clans.0.tray.spear", 36), "clans[0].tray.spear"),
    ("tray too empty", ("clans.2.tray.bow", 8), "clans[2].tray.bow"),
    ("daimyo in a tray", ("clans.0.tray.daimyo", 1), "clans[0].tray"),
    ("bought outside Action 4", ("clans.0.bought", {"bow": 1}), "clans[0].bought"),
    ("hired outside Action 5", ("clans.0.hired", 2), "clans[0].hired"),
    ("a site outside Action 3", ("clans.0.site", "mino"), "clans[0].site"),
    # the rest: SW-S-22 to SW-S-32
    ("players at another table", ("options.seats", 4), "options.seats"),
    ("no round to play", ("options.max_rounds", 0), "max_rounds"),
    ("castles from nowhere", ("pool.castles", 10), "pool.castles"),
    ("a base missing", ("pool.bases", 4), "pool.bases"),
    ("ronin from nowhere", ("pool.ronin", 25), "pool.ronin"),
    ("ninja of nobody", ("ninja", 3), "ninja"),
    ("window 14", ("window", 14), "window"),
    ("window without a ninja", ("window", 4), "window"),
    ("unknown phase", ("phase", "e"), "phase"),
    ("unknown decision", ("point", "coffee"), "point"),
    ("a decision of another phase", ("point", "choose_army"), "phase"),
    ("active clan that does not play", ("active", 3), "active"),
    ("decider that does not play", ("decider", 4), "decider"),
    ("a series outside Phase C", ("series", SERIES), "series"),
    ("a province that is not on the map", ("declared_armies.0", "atlantis"), "declared_armies[0]"),
    ("a march to a far province", ("march", MARCH | {"to": "satsuma"}), "march.to"),
    ("a march out of a foreign province", ("march", MARCH | {"from": "omi", "to": "mino"}), "march.from"),
    ("revenge on nobody", ("revenge", {"by": 0, "on": 4}), "revenge.on"),
    ("something unknown", ("weather", "rain"), "weather"),
]  # fmt: skip


def refusal(position: State) -> str:
    """The field that a refused position names."""
    with pytest.raises(SetupError) as refused:
        Match.create("swords", seats=3, setup={"position": position})
    return refused.value.details["field"].removeprefix("position.")


@pytest.mark.parametrize(("change", "field"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN])
def test_a_position_that_breaks_an_invariant_is_refused(change: tuple[str, Any], field: str) -> None:
    """The error names the place.

    SW-S-01, SW-S-02, SW-S-03, SW-S-05, SW-S-06, SW-S-07, SW-S-08, SW-S-09, SW-S-10, SW-S-11, SW-S-12,
    SW-S-15, SW-S-16, SW-S-17, SW-S-18, SW-S-19, SW-S-20, SW-S-22, SW-S-24, SW-S-25, SW-S-26, SW-S-27,
    SW-S-30, SW-S-31
    """
    assert refusal(changed(sound(), change)) == field


def test_two_armies_in_a_province_are_refused() -> None:
    # SW-S-09: outside the moves of Phase A and D
    state = changed(sound(), ("clans.0.armies.1.province", "mino"), ("provinces.hida.owner", None))
    assert refusal(state) == "clans[0].armies"


def test_a_clan_without_daimyo_is_refused() -> None:
    # SW-S-08, SW-S-15: it would be out
    state = changed(sound(), ("clans.2.armies.2", {}), ("provinces.sado.units", {"spear": 1}))
    assert refusal(state) == "clans[2].armies"


def test_a_plan_of_more_than_there_is_is_refused() -> None:
    # SW-S-17: while plans are made
    state = begin(Board(), "plan", {"ninja": 3}, {}, {}).position()
    assert refusal(changed(state, ("clans.0.plan.levy", 4))) == "clans[0].plan"


def test_koku_that_do_not_pay_for_the_plan_are_refused() -> None:
    # SW-S-16: what was planned for later actions is still to be spent
    state = begin(Board(), "build", {"build": 2, "levy": 3}, {}, {}).position()
    assert refusal(changed(state, ("clans.0.koku", 2))) == "clans[0].koku"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (("series", None), "fight"),
        (("fight.defender", 0), "fight.defender"),
        (("fight.target", "satsuma"), "point"),
        (("fight.combat.attacker.army.units.bow", 4), "point"),
        (("fight.owed", [9, 0]), "point"),
        (("fight.combat.stage", "call_off"), "point"),
    ],
)
def test_a_battle_that_does_not_go_with_the_board_is_refused(change: tuple[str, Any], field: str) -> None:
    # SW-S-32
    assert refusal(changed(battle().state(), change)) == field


OUT_OF_RANGE = [
    # SW-S-04, SW-S-05: after the check at the end of Phase A
    ("revealed ronin over the limit", ("provinces.mino.units.ronin", 9), ("pool.ronin", 14)),
    ("hidden ronin over the limit", ("provinces.mino.hidden", 18), ("pool.ronin", 6)),
    ("23 koku", ("clans.0.koku", 23)),  # SW-S-16
    ("a war turn in round 0", ("round", 0)),  # SW-S-23
    ("a decision of the active clan asked of another", ("decider", 1)),  # SW-S-24, SW-S-25
    ("a clan spied on that is none", ("spied", 7)),  # SW-S-29
    ("a declared target far away", ("declared_armies", ["satsuma", None, None])),  # SW-S-30
    ("a winner who is none", ("point", {"over": {"provinces": 9}})),  # SW-S-33
]


@pytest.mark.parametrize("changes", [pytest.param(case[1:], id=case[0]) for case in OUT_OF_RANGE])
def test_a_position_outside_the_ranges_is_refused(changes: tuple[tuple[str, Any], ...]) -> None:
    refusal(changed(sound(), *changes))
