"""What a seat of a match on a server can learn: its view, and nothing of the secrets of others."""

import json
import random
from collections.abc import Iterator
from functools import partial

import pytest

from sengoku import Client, Match, engine, games
from sengoku.errors import (
    NotAllowedError,
    NotYourTurnError,
    SengokuError,
)
from support.matches import (
    CAP,
    GAME,
    TABLES,
    owner_calls,
    public,
)


def hidden_values(everything: object, seen: object, path: str = "") -> Iterator[str]:
    """The paths of what a view does not show."""
    if isinstance(everything, dict) and isinstance(seen, dict):
        for key in everything:
            yield from hidden_values(everything[key], seen.get(key), f"{path}.{key}")
    elif isinstance(everything, list) and isinstance(seen, list) and len(everything) == len(seen):
        for place, pair in enumerate(zip(everything, seen, strict=True)):
            yield from hidden_values(*pair, f"{path}.{place}")
    elif everything != seen:
        yield path


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_seat_sees_its_view_and_nothing_else(client: Client, game: engine.Game, seats: int) -> None:
    here = Match.create(game.name, seats=seats, seed=9, setup=CAP)
    choose = random.Random(5)
    hidden: set[str] = set()
    with client.create_match(game.name, seats=seats, seed=9, setup=CAP) as owner:
        table = [client.join_match(owner.match_id, token) for token in owner.seat_tokens]
        assert [match.seat for match in table] == list(range(seats))
        for step in range(120):
            if here.over:
                break
            action = choose.choice(here.legal_actions())
            mover = table[here.to_act]
            if step % 15 == 0:
                for seat, match in enumerate(table):
                    assert public(match) == public(here)
                    assert match.view(seat) == match._driver.take(match._view(None)) == here.view(seat)
                    assert match.observe(seat).tobytes() == here.observe(seat).tobytes()
                    assert match.picture() == match.picture(seat) == here.picture(seat)
                    hidden |= set(hidden_values(here.state(), here.view(seat)))
                    for call in owner_calls(match).values():
                        with pytest.raises(NotAllowedError):
                            call()
                    if match is not mover:
                        for wish in (match.legal_actions, match.legal_mask, partial(match.play, action)):
                            with pytest.raises(NotYourTurnError) as turn:
                                wish()
                            asked = {"asked": str(seat), "to_act": str(here.to_act)}
                            assert turn.value.details == asked
                assert mover.legal_actions() == here.legal_actions()
                assert owner.digest == here.digest
            mover.play(action, expected_decisions=here.decisions)
            here.play(action)
        assert hidden  # otherwise nothing was tested
        table[0].close()
        assert owner.digest == here.digest  # a seat that turns away ends nothing


def test_provinces_and_ronin_of_others_stay_hidden(client: Client) -> None:
    """What two players divide in secret, and face-down ronin (SW-GEN-14)."""
    with client.create_match("swords", seats=2, seed=1) as owner:
        for seat, token in enumerate(owner.seat_tokens):
            view = client.join_match(owner.match_id, token).view(seat)
            for name, province in owner.state()["provinces"].items():
                mine = province["owner"] // 2 == seat  # each plays two clans
                assert view["provinces"][name]["owner"] == (province["owner"] if mine else None)
    here = Match.create("swords", seats=3, seed=1)
    choose = random.Random(1)
    while not any(province["hidden"] for province in here.state()["provinces"].values()):
        here.play(choose.choice(here.legal_actions()))
    with client.load_match(here.save()) as owner:
        state = owner.state()["provinces"]
        for seat, token in enumerate(owner.seat_tokens):
            view = client.join_match(owner.match_id, token).view(seat)["provinces"]
            for name, province in state.items():
                known = province["owner"] in {seat, None}  # where nobody is, nobody hides
                assert view[name]["hidden"] == (province["hidden"] if known else None)


def twins(match: Match, viewer: int) -> list[Match]:
    """Matches one decision later that differ, but not in what a seat knows by the rules."""
    known: dict[str, list[Match]] = {}
    for action in match.legal_actions():
        after = match.clone()
        after.play(action)
        facts = json.dumps([after.view(viewer), after.log, after.to_act, after.decisions])
        known.setdefault(facts, []).append(after)
    return max(known.values(), key=len)[:3]


SECRET_DECISIONS = [game for game in games() if game.name != "battles"]
"""Games with decisions that others do not see; in `battles` only cards are hidden."""


@pytest.mark.parametrize("game", SECRET_DECISIONS, ids=lambda game: game.name)
def test_a_seat_learns_nothing_from_a_secret_of_another(client: Client, game: engine.Game) -> None:
    """All that a seat gets is the same for matches that differ only in what it may not see."""
    seats = max(game.seats[0], min(3, game.seats[1]))
    match = Match.create(game.name, seats=seats, seed=2)
    choose = random.Random(2)
    found = 0
    while not match.over and found < 12:
        viewer = (match.to_act + 1 + found % (seats - 1)) % seats
        alike = twins(match, viewer)
        if len(alike) > 1:
            found += 1
            assert len({twin.digest for twin in alike}) == len(alike)
            answers = [answers_to_a_seat(client, twin, viewer) for twin in alike]
            assert all(answer == answers[0] for answer in answers)
        match.play(choose.choice(match.legal_actions()))
    assert found == 12


def test_a_seat_learns_nothing_from_the_cards_of_another(client: Client) -> None:
    """The same position with other dragon cards in one hand, seen by the other seat (BT-COMP-06)."""
    twins = []
    for place in (0, 10, 20):
        twin = Match.create("battles", seats=2, seed=2, setup={"scenario": 8}).state()
        deck, hand = twin["dragon"]["deck"], twin["dragon"]["hands"]["bottom"]
        deck[place : place + len(hand)], twin["dragon"]["hands"]["bottom"] = (
            hand,
            deck[place : place + len(hand)],
        )
        twins.append(Match.create("battles", seats=2, seed=2, setup={"scenario": 8, "position": twin}))
    choose, asked = random.Random(2), set()
    for _ in range(60):
        answers = [answers_to_a_seat(client, twin, 0) for twin in twins]
        assert all(answer == answers[0] for answer in answers)
        common = set.intersection(*({action.index for action in twin.legal_actions()} for twin in twins))
        asked.add(twins[0].to_act)
        index = choose.choice(sorted(common))
        for twin in twins:
            twin.play(next(action for action in twin.legal_actions() if action.index == index))
    assert len({twin.digest for twin in twins}) == 3
    assert asked == {0, 1}


def answers_to_a_seat(client: Client, match: Match, seat: int) -> list[object]:
    """Everything that a server tells a seat, refusals too."""
    told: list[object] = []
    with client.load_match(match.save()) as owner:
        guest = client.join_match(owner.match_id, owner.seat_tokens[seat])
        wishes = [
            lambda: public(guest),
            lambda: guest.view(seat),
            lambda: guest.observe(seat).tobytes(),
            lambda: guest.picture(seat),
            *owner_calls(guest).values(),
            guest.legal_actions,
            *(partial(guest.play, index) for index in (-1, GAME.action_count, 10**6)),
        ]
        for wish in wishes:
            try:
                told.append(wish())
            except SengokuError as error:
                told.append((type(error), str(error), error.details))
    return told
