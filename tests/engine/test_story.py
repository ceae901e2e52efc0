"""Stories: what happened in a match, in sentences under headings."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sengoku import Match, draws, games, scenario
from sengoku.errors import ArgumentError

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("swords", 3, {"max_rounds": 3}),
    ("tower", 4, {"court": True, "max_rounds": 3}),
    ("battles", 2, {"scenario": 8, "max_rounds": 8}),
]


def played(game: str, seats: int, setup: dict[str, Any], seed: int = 5, decisions: int = 4000) -> Match:
    """A match of random decisions."""
    match = Match.create(game, seats=seats, seed=seed, setup=setup)
    for draw in draws("bots", seed=seed, count=decisions, sides=2**20):
        if match.over:
            break
        legal = match.legal_mask().nonzero()[0]
        match.play(int(legal[int(draw) % len(legal)]))
    return match


@pytest.mark.parametrize(("game", "seats", "setup"), GAMES)
def test_a_story_has_sentences_under_headings(game: str, seats: int, setup: dict[str, Any]) -> None:
    match = played(game, seats, setup)
    short, long = match.story(), match.story(long=True)
    for story in (short, long):
        assert {line.level for line in story} == {0, 1, 2}
        for line in story:
            assert line.text[0] == line.text[0].upper(), line
            assert line.text.endswith(".") == (line.level == 0), line
            assert "  " not in line.text, line
            assert ".." not in line.text, line
            assert 0 <= line.decision <= match.decisions
        assert [line.decision for line in story] == sorted(line.decision for line in story)
    assert 20 < len(short) < len(long) <= len(match.log)
    assert str(short).splitlines() == [str(line) for line in short]


@pytest.mark.parametrize(("game", "seats", "setup"), GAMES)
def test_stories_name_things_as_people_do(game: str, seats: int, setup: dict[str, Any]) -> None:
    match = played(game, seats, setup)
    text = str(match.story(long=True))
    assert not re.search(r"\b\w+_\w+\b", text), "keys have underscores, names have none"
    assert not re.search(r"\b(None|true|false|C-[A-Z]+|D-\d\d)\b", text)
    if game == "swords":
        assert "Awa (" in text, "two provinces share a name and are told apart"
        assert "war turn of clan 1 (seat 1)" in text.lower()
    elif game == "tower":
        assert "== Year 1, spring ==" in text
    else:
        armies = scenario(8).chapters
        assert armies
        assert re.search(r"-- Round \d+, turn of (Imagawa|Oda) --", text)


@pytest.mark.parametrize(("game", "seats", "setup"), GAMES)
def test_parts_of_a_story(game: str, seats: int, setup: dict[str, Any]) -> None:
    match = Match.create(game, seats=seats, seed=3, setup=setup)
    parts = list(match.story(long=True))
    assert {line.decision for line in parts} <= {0}
    for _ in range(150):
        if match.over:
            break
        before = match.decisions
        match.play(match.legal_actions()[-1])
        new = match.story(0, before, long=True) if before else match.story(0, long=True)
        assert all(line.decision == match.decisions for line in new if line.decision)
    whole, half = match.story(long=True), match.decisions // 2
    first, second = match.story(until=half, long=True), match.story(since=half, long=True)
    assert all(line.decision <= half for line in first)
    assert all(line.decision > half for line in second)
    # A sentence that lists what was done one by one may be cut in two.
    assert len(whole) <= len(first) + len(second) <= len(whole) + 1
    assert len(match.story(since=match.decisions)) == 0
    for loaded in (Match.load(match.save()), Match.from_replay(match.replay()), match.clone()):
        assert loaded.story(long=True) == whole


def test_a_story_refuses_what_there_is_not() -> None:
    match = Match.create("tower", seed=1)
    for arguments, field in (
        ({"since": -1}, "since"),
        ({"since": 2**32}, "since"),
        ({"until": -1}, "until"),
        ({"seat": 3}, "seat"),
    ):
        with pytest.raises(ArgumentError) as refused:
            match.story(**arguments)
        assert refused.value.details["field"] == field


def seen(match: Match, seat: int) -> tuple[Any, ...]:
    """All that a seat has seen since the match began."""
    return match.view(seat), match.log


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_a_story_follows_what_a_seat_sees(data: st.DataObject) -> None:
    """Worlds that a seat cannot tell apart have the same story for it, also after more decisions."""
    game = data.draw(st.sampled_from(games()))
    seats = game.seats[1]
    start = played(game.name, seats, {}, data.draw(st.integers(0, 99)), data.draw(st.integers(0, 400)))
    seat = data.draw(st.integers(0, seats - 1))
    worlds = [start.resample(seat, seed) for seed in range(4)]
    for _ in range(12):
        common = set.intersection(*({action.index for action in world.legal_actions()} for world in worlds))
        if worlds[0].over or not common:
            break
        action = data.draw(st.sampled_from(sorted(common)))
        for world in worlds:
            world.play(action)
        # Dice that fell otherwise are in the public log.
        alike = [world for world in worlds if seen(world, seat) == seen(worlds[0], seat)]
        stories = {str(world.story(seat, long=True)) for world in alike}
        assert len(stories) == 1
        worlds = alike
        if len(worlds) < 2:
            break


def test_cards_drawn_face_down_are_named_to_their_owner_alone() -> None:
    match = played("battles", 2, {"scenario": 8, "max_rounds": 4})
    sides = {0: "Imagawa", 1: "Oda"}
    for seat, army in sides.items():
        told = [line.text for line in match.story(seat, long=True) if " draws a " in line.text]
        own = [text for text in told if text.startswith(army)]
        others = [text for text in told if not text.startswith(army)]
        assert own
        assert all(": " in text for text in own)
        assert others
        assert not any(": " in text for text in others)
    assert all(": " in line.text for line in match.story(long=True) if " draws a " in line.text)
    assert not any("card" in event for event in match.log if event["event"].endswith("_drawn"))


@pytest.mark.parametrize(("game", "seats", "setup"), GAMES)
def test_boards_are_drawn_for_a_terminal(game: str, seats: int, setup: dict[str, Any]) -> None:
    match = played(game, seats, setup, decisions=300)
    for seat in (None, 0, 1):
        lines = str(match.sketch(seat)).splitlines()
        assert len(lines) > 12
        assert all(len(line) <= 130 for line in lines)
