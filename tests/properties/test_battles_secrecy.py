"""Cards in another hand change nothing that a seat sees or is asked.

BT-COMP-06, BT-DRAGON-USE-05, BT-DRAGON-USE-10 and the section on decision points.
"""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from differential.battles_positions import random_position
from differential.model_battles_board import scenario
from properties.strategies import choose_in_battle
from rules.battles.sound import OTHER, SIDES
from sengoku import Match
from sengoku.engine.actions import Action

State = dict[str, Any]
ABOUT_A_HAND = {"play_command", "window", "keep_one", "discard_for_honor"}
"""Questions whose answers hang on hidden cards (Decision points); those of all others are public."""
TURNED_UP = {"command_lost", "command_replaced"}
"""Events that reveal a card without a decision to show it (BT-HONOR-12, BT-DRAGON-45)."""
MIXING = {"reshuffled"}
"""After a shuffle of different decks (BT-CMD-60) different cards are drawn."""


def seen(match: Match, seat: int) -> tuple[object, ...]:
    """All that a seat can look at, and what it may do if it is asked."""
    legal = match.legal_actions() if match.to_act == seat else None
    return (
        match.view(seat), match.observe(seat).tobytes(), str(match.picture(seat)), str(match.sketch(seat)),
        str(match.story(seat, long=True)), match.log, match.to_act, match.decisions, match.outcome, legal,
    )  # fmt: skip


def swap(state: State, side: str, rng: Random, *, kept: int, depth: int) -> int:
    """Swaps cards of a hand with cards of the deck below the top `depth`; returns how many."""
    count = 0
    for name, least in (("command", kept), ("dragon", 0)):
        deck, hand = state[name]["deck"], state[name]["hands"][side]
        below = range(max(0, len(deck) - depth))
        places = rng.sample(range(len(hand)), max(0, len(hand) - least))
        for place, other in zip(places, rng.sample(below, min(len(below), len(places))), strict=False):
            hand[place], deck[other] = deck[other], hand[place]
            count += 1
    return count


def twins(setup: State, one: State, other: State, seed: int) -> tuple[Match, Match]:
    """Matches from two positions that differ in hidden places; a tent that falls at once turns up a card."""
    here, there = (
        Match.create("battles", seed=seed, setup=setup | {"position": state}) for state in (one, other)
    )
    assume(not turned_up(here, 0))
    return here, there


def turned_up(match: Match, since: int) -> bool:
    """Whether the log contains an event that depends on hidden cards."""
    return any(event["event"] in {*TURNED_UP, *MIXING} for event in match.log[since:])


def starts(rng: Random, seed: int) -> tuple[State, State]:
    """A battle and a position at the start of a turn: made up, or as it comes up in play."""
    setup = {"scenario": rng.randint(1, 40)}
    match = Match.create("battles", seed=seed, setup=setup)
    if rng.random() < 0.6:
        return setup, random_position(rng, match.state(), scenario(setup["scenario"]))
    found = match.state()
    for _ in range(rng.randrange(300)):
        match.play(choose_in_battle(match, match.state(), "fighter", rng))
        if match.over:
            break
        if (state := match.state())["question"]["step"] == "play_command":
            found = state
    return setup, found


def actions(match: Match) -> dict[int, Action]:
    return {action.index: action for action in match.legal_actions()}


def in_step(one: Match, other: Match, viewer: int, rng: Random, decisions: int) -> Iterator[str]:
    """Plays what is legal in both until a hidden card turns up; returns the questions on the way."""
    read = len(one.log)
    for _ in range(decisions):
        assert seen(one, viewer) == seen(other, viewer)
        if one.over:
            return
        state, twin = one.state(), other.state()
        step = state["question"]["step"]
        assert twin["question"] == state["question"], "BT-DRAGON-USE-10: public facts open a question"
        if any(state[name]["deck"][-5:] != twin[name]["deck"][-5:] for name in ("command", "dragon")):
            return  # what is drawn next is not the same
        here, there = actions(one), actions(other)
        hidden = one.to_act != viewer
        if not (hidden and step in ABOUT_A_HAND):
            assert here == there, f"Decision points: the choices at {step} are public"
        assert step != "window" or "pass" in {action.name for action in here.values()}, "BT-DRAGON-USE-05"
        common = sorted(here.keys() & there.keys())
        if not common:
            return
        chosen = choose_in_battle(one, state, "dragon", rng).index
        chosen = chosen if chosen in common else rng.choice(common)
        one.play(chosen)
        other.play(chosen)
        if turned_up(one, read):
            return
        read = len(one.log)
        yield step if hidden else f"viewer: {step}"


def test_other_cards_in_the_other_hand() -> None:
    met: set[str] = set()

    @settings(deadline=None, max_examples=60)
    @given(seed=st.integers(0, 2**32), viewer=st.sampled_from([0, 1]))
    def twins_agree(seed: int, viewer: int) -> None:
        rng = Random(seed)
        setup, position = starts(rng, seed)
        other = deepcopy(position)
        assume(swap(other, OTHER[SIDES[viewer]], rng, kept=2, depth=12))
        one, two = twins(setup, position, other, seed)
        met.update(in_step(one, two, viewer, rng, 80))

    twins_agree()
    for step in (*ABOUT_A_HAND, "order", "destination", "battle", "battle_back", "retreat", "replenish"):
        assert {step, f"viewer: {step}"} <= met, f"nobody was asked at {step}"


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32), viewer=st.sampled_from([0, 1]))
def test_every_hidden_place_at_once(seed: int, viewer: int) -> None:
    """The whole hand and the order of the decks, seen once."""
    rng = Random(seed)
    setup, position = starts(rng, seed)
    other = deepcopy(position)
    swap(other, OTHER[SIDES[viewer]], rng, kept=0, depth=0)
    for name in ("command", "dragon"):
        rng.shuffle(other[name]["deck"])
        rng.shuffle(other[name]["hands"][OTHER[SIDES[viewer]]])
    one, two = twins(setup, position, other, seed)
    assert seen(one, viewer) == seen(two, viewer)
    assert one.state()["question"] == two.state()["question"], "BT-DRAGON-USE-10"
    hands = [sorted(state["command"]["hands"][OTHER[SIDES[viewer]]]) for state in (position, other)]
    if hands[0] != hands[1]:  # its owner sees the difference
        assert one.view(1 - viewer) != two.view(1 - viewer)
        assert one.observe(1 - viewer).tobytes() != two.observe(1 - viewer).tobytes()
