"""What spectators, seats and suggestions may know: redrawing what is hidden changes no byte of it."""

from typing import Any

import pytest

from sengoku import Match, draws, games
from sengoku.engine.frames import PARTS, FrameReader
from sengoku.wire.frames import frame_to_bytes

TABLES = [(game.name, seats) for game in games() for seats in range(game.seats[0], game.seats[1] + 1)]
SETUPS: dict[str, list[dict[str, Any]]] = {
    "swords": [{}],
    "tower": [{}, {"court": True}, {"court": True, "favour_deck": "open_top"}],
    "battles": [{"scenario": 8}],
}
LOOKS = frozenset(("view", "picture", "sketch"))


def frame(match: Match, seat: Any, parts: frozenset[str]) -> bytes:
    """The last frame of a match as it is sent, without its number."""
    reader = FrameReader.of(match._core)
    raw = reader.raw(reader.last, seat, parts)
    return frame_to_bytes(
        type(raw)(
            **{name: getattr(raw, name) for name in raw.__slots__}
            | {"decision": 0, "seat": None, "action": None}
        )
    )


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_spectators_see_what_every_seat_sees(game: str, seats: int) -> None:
    """Worlds that one seat cannot tell apart look the same to spectators: they know no more than it."""
    for number, setup in enumerate(SETUPS[game]):
        match = Match.create(game, seats=seats, seed=31 + number, setup=setup)
        differed = False
        for step in range(14):
            if match.over:
                break
            public = frame(match, "public", LOOKS)
            for seat in range(seats):
                world = match.resample(seat, seed=step)
                assert frame(world, "public", LOOKS) == public, (game, seat, match.decisions)
                assert frame(world, seat, LOOKS) == frame(match, seat, LOOKS)
                differed |= world.state() != match.state()
            match.play_on(("greedy", "random")[step % 2], until=match.decisions + 1 + 9 * step)
        assert differed


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_frames_for_others_have_no_decision_and_no_actions(game: str, seats: int) -> None:
    match = Match.create(game, seats=seats, seed=8)
    match.play_on("random", until=120)
    everything = list(match.frames())
    for seat in (*range(seats), "public"):
        for number, seen in enumerate(match.frames(seat=seat, parts=PARTS)):
            if seen.seat != seat:
                assert seen.action is None
            if seen.to_act != seat:
                assert seen.legal_actions == []
            assert (seen.seat, seen.to_act) == (everything[number].seat, everything[number].to_act)


def planned(seed: int, seat: int, court: bool) -> Match:
    """A match of `tower` in which the plan of one seat depends on the seed, until all have planned."""
    match = Match.create("tower", seats=3, seed=4, setup={"court": court})
    own = iter(draws("bots", seed=seed, count=400, sides=2**20))
    common = iter(draws("bots", seed=99, count=400, sides=2**20))
    while match.state()["point"] != "plan" and "plan" not in str(match.state()["point"]):
        match.play(match.legal_actions()[0])
    decisions = 0
    while not match.over and "plan" in str(match.state()["point"]) and decisions < 60:
        draw = int(next(own if match.to_act == seat else common))
        legal = match.legal_actions()
        match.play(legal[draw % len(legal)])
        decisions += 1
    return match


@pytest.mark.parametrize("court", [False, True])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_plan_is_in_no_byte_for_others(seat: int, court: bool) -> None:
    # TW-D-12, TW-D-14: whatever a seat plans, frames for all others are the same until it is shown
    one, other = planned(1, seat, court), planned(2, seat, court)
    last = min(one.decisions, other.decisions)
    assert one.history[:last] != other.history[:last]
    readers = [FrameReader.of(match._core) for match in (one, other)]
    parts = frozenset(PARTS)
    shown = 0
    for viewer in (*range(3), "public"):
        for number in range(last):
            here, there = (frame_to_bytes(reader.raw(number, viewer, parts)) for reader in readers)  # type: ignore[arg-type]
            if viewer == seat:
                shown += here != there
            else:
                assert here == there, (viewer, number)
    assert shown > 0


def test_hands_of_battles_are_in_no_byte_for_spectators() -> None:
    # BT-COMP-06: two worlds with other hands, played on by the same command card orders nobody knows
    match = Match.create("battles", seed=3, setup={"scenario": 8})
    match.play_on("greedy", until=60)
    worlds = [match.resample(seat, seed=seed) for seat in (0, 1) for seed in range(6)]
    hands = {str(world.state()["command"]["hands"]) for world in worlds}
    assert len(hands) > 6
    parts = frozenset(PARTS)
    assert len({frame(world, "public", parts) for world in worlds}) == 1
    for name in ("hands", "deck"):
        for deck in ("command", "dragon"):
            assert "'" not in str(match.view("public")[deck][name]).replace("'top'", "").replace(
                "'bottom'", ""
            )
