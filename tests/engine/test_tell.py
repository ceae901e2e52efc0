"""Matches in words: budgets hold, nothing hidden is told, and players that only read finish their matches."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from sengoku import Match, Proposal
from sengoku.engine.actions import Action
from sengoku.engine.tell import Choices
from sengoku.engine.tell.budget import Section, compose, words
from sengoku.errors import ArgumentError

SETUPS: list[tuple[str, dict[str, Any]]] = [
    ("swords", {"seats": 2}),
    ("swords", {"seats": 5}),
    ("tower", {"seats": 3}),
    ("tower", {"seats": 5, "setup": {"court": True, "mode": "draft"}}),
    ("battles", {"setup": {"scenario": 8}}),
]


def positions(game: str, given: dict[str, Any], count: int, seed: int = 5) -> Iterator[Match]:
    """Positions of random matches, a few decisions apart."""
    rng, number = random.Random(seed), 0
    while count:
        match = Match.create(game, seed=number, **given)
        number += 1
        while count and not match.over and match.decisions < 800:
            for _ in range(rng.randrange(1, 12)):
                if not match.over:
                    match.play(rng.choice(match.legal_actions()))
            if not match.over:
                count -= 1
                yield match


@pytest.mark.parametrize(("game", "given"), SETUPS)
@pytest.mark.parametrize("budget", [300, 700])
def test_a_budget_holds_and_names_what_it_leaves_out(game: str, given: dict[str, Any], budget: int) -> None:
    for match in positions(game, given, 25):
        for seat in range(match.seats):
            text, whole = match.tell(seat, budget), match.tell(seat, 1_000_000)
            assert words(text) <= budget
            assert "Left out" not in whole
            assert ("(Left out: " in text) == (text != whole)
            assert ("Your choices:" in text) == (match.to_act == seat)


@pytest.mark.system
@pytest.mark.parametrize(("game", "given"), SETUPS)
def test_a_budget_holds_in_ten_thousand_positions(game: str, given: dict[str, Any]) -> None:
    for match in positions(game, given, 10_000):
        assert words(match.tell(budget=300)) <= 300


@pytest.mark.parametrize(("game", "given"), SETUPS)
def test_what_a_seat_may_not_know_changes_nothing(game: str, given: dict[str, Any]) -> None:
    for match in positions(game, given, 12):
        for seat in range(match.seats):
            # A resampled match has no history: only what is told about the position can be compared.
            told, again = (
                each.tell(seat, since=each.decisions) for each in (match, match.resample(seat, seed=3))
            )
            assert told.partition("You:")[2] == again.partition("You:")[2] != ""


def chatter(match: Match, rng: random.Random, count: int) -> dict[str, set[int]]:
    """Play some decisions and talk between them; return each word that was said, with its readers."""
    readers: dict[str, set[int]] = {}
    seats = range(match.seats)
    for _ in range(count):
        for speaker in rng.sample(seats, rng.randrange(match.seats + 1)):
            others = [seat for seat in seats if seat != speaker]
            to = rng.sample(others, rng.randrange(len(others) + 1))
            word = f"word{len(readers)}x"
            readers[word] = {speaker, *(to or seats)}
            offer = Proposal("truce", rounds=2) if rng.random() < 0.3 else None
            match.say(speaker, word, to=to or None, proposal=offer)
        if rng.random() < 0.8 and not match.over:
            match.play(rng.choice(match.legal_actions()))
    return readers


def said_in(text: object) -> set[str]:
    return set(re.findall(r"word\d+x", str(text)))


@settings(max_examples=25, deadline=None)
@drawn(st.sampled_from(SETUPS), st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 60))
def test_talk_is_told_to_its_readers_only(
    setup: tuple[str, dict[str, Any]], seed: int, count: int, quiet: int
) -> None:
    """No text names a message that its seat cannot read; worlds that look alike to a seat read alike."""
    rng = random.Random(seed)
    match = Match.create(setup[0], seed=seed, **setup[1])
    for _ in range(quiet):
        match.play(rng.choice(match.legal_actions()))
    readers = chatter(match, rng, count)
    for seat in range(match.seats):
        readable = {word for word, who in readers.items() if seat in who}
        assert said_in(match.tell(seat, 1_000_000, since=0)) == readable
        since = rng.randrange(match.decisions + 1)
        assert said_in(match.tell(seat, since=since)) | said_in(match.tell(seat, 300)) <= readable
        world = match.resample(seat, seed=rng.randrange(10**6))
        told, again = (each.tell(seat, 1_000_000, since=0) for each in (match, world))
        assert said_in(again) == readable
        assert told.partition("\nYou:")[2] == again.partition("\nYou:")[2] != ""
        if match.to_act == seat:
            assert str(match.choices()) == str(world.choices())
            assert not said_in(match.choices())


def text_player(shown: str, rng: random.Random) -> str:
    """Choose a numbered line of a text, as something that only reads does."""
    lines = re.findall(r"^(\d+)\. (.*)$", shown.rpartition("Your choices:")[2], re.MULTILINE)
    number, text = rng.choice(lines)
    return rng.choice(
        [number, f"I choose {number}.", text, f"Let me think.\n{text}", f"Answer: {text.upper()}"]
    )


@pytest.mark.parametrize(("game", "given"), SETUPS)
def test_a_player_of_text_finishes_a_match_without_an_illegal_answer(
    game: str, given: dict[str, Any]
) -> None:
    rng = random.Random(11)
    setup = given.get("setup", {}) | {"max_rounds": 2}
    match = Match.create(game, seed=9, **(given | {"setup": setup}))
    while not match.over:
        choice: Action | Choices = match.choices()
        shown = match.tell(budget=400)
        while isinstance(choice, Choices):
            choice = choice.answer(text_player(shown, rng))
            shown = f"Your choices:\n{choice}"
        match.play(choice)
    assert match.tell(0).splitlines()[0].endswith("The match is over.")
    with pytest.raises(ArgumentError, match="the match is over"):
        match.tell()


def actions(*texts: str) -> Choices:
    return Choices([Action(number, "act", {"to": text}, text) for number, text in enumerate(texts)])


@pytest.mark.parametrize(
    ("said", "index"),
    [
        ("2", 1),
        ("2.", 1),
        ("2. move to Aki", 1),
        ("MOVE to aki", 1),
        ("**Move to Aki**", 1),
        ("I think 2 is best", 1),
        ("After some thought:\n\nmove to Aki with care", 1),
        ("pass", 0),
        ("move to Aki-Nada", 2),
    ],
)
def test_answers_are_understood(said: str, index: int) -> None:
    found = actions("pass", "move to Aki", "move to Aki-Nada").answer(said)
    assert isinstance(found, Action)
    assert found.index == index


@pytest.mark.parametrize(
    "said", ["", "4", "0", "1 or 2", "move", "move to Kai", "-1", "2.5", "pass or move to Aki"]
)
def test_answers_that_are_not_clear_are_refused(said: str) -> None:
    with pytest.raises(ArgumentError, match="expected a number from 1 to 3 or the text of a choice"):
        actions("pass", "move to Aki", "move to Aki-Nada").answer(said)


def test_a_refusal_names_what_is_near() -> None:
    with pytest.raises(ArgumentError, match="near: move to Aki"):
        actions("pass", "move to Aki", "attack Kai").answer("move to Akii")


def test_many_actions_are_chosen_in_two_steps() -> None:
    many = Choices(
        [
            Action(n, "attack" if n % 2 else "move", {"to": n % 10}, f"go to {n % 10} with {n}")
            for n in range(90)
        ]
    )
    assert len(many) <= 30
    first = many.answer("1")
    assert isinstance(first, Choices)
    assert 1 < len(first) <= 30
    chosen = first.answer("2")
    assert isinstance(chosen, Action)
    direct = many.answer("go to 7 with 37")
    assert isinstance(direct, Action)
    assert direct.index == 37


def test_the_newest_events_are_kept() -> None:
    events = Section("Events:", [f"event number {number}" for number in range(100)], "events", True, 1)
    text = compose([Section("", ["title"], "lines"), events], 60)
    assert "event number 99" in text
    assert "event number 1\n" not in text
    assert re.search(r"\(Left out: \d+ events\.\)$", text)
    assert words(text) <= 60
