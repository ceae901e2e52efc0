"""Set-up (SETUP, TOWERFILL): configuration, draft, fixed placement, and filling the tower."""

from typing import Any

import pytest

from rules.tower.board import Board, events, kinds, options, play, point
from sengoku import Match
from sengoku.errors import SetupError

FIXED = {
    3: [
        "suruga 5, mino 4, tamba 4, musashi 3, harima 3, izu 2, owari 2, sagami 2, tajima 2",
        "yamato 5, echizen 4, shimotsuke 4, shimosa 3, ise 3, hitachi 2, awa-shikoku 2, kaga 2, kii 2",
        "bizen 5, omi 4, hida 4, etchu 3, hoki 3, bitchu 2, bingo 2, settsu 2, shinano 2",
    ],
    4: [
        "yamato 5, awa-shikoku 4, kaga 4, omi 3, tamba 3, kii 2, settsu 2, noto 2",
        "kozuke 5, hida 4, ise 4, echizen 3, shinano 3, etchu 2, shimotsuke 2, shima 2",
        "mimasaka 5, wakasa 4, awa-boso 4, harima 3, bitchu 3, hoki 2, tajima 2, kazusa 2",
        "kai 5, musashi 4, mino 4, mikawa 3, bingo 3, aki 2, totomi 2, sagami 2",
    ],
    5: [
        "sagami 5, mimasaka 4, harima 4, kazusa 3, izu 3, awa-boso 2, bizen 2",
        "shimotsuke 5, echizen 4, tamba 4, shimosa 3, kozuke 3, hitachi 2, wakasa 2",
        "mino 5, hida 4, iyo 4, owari 3, totomi 3, mikawa 2, tosa 2",
        "hoki 5, shinano 4, bingo 4, echigo 3, aki 3, izumo 2, etchu 2",
        "yamato 5, kaga 4, kii 4, shima 3, omi 3, ise 2, noto 2",
    ],
}


def draft(seats: int = 3, seed: int = 1, **setup: Any) -> Match:
    """A match at its first draft turn."""
    return Match.create("tower", seats=seats, seed=seed, setup={"mode": "draft", **setup})


def cards(match: Match) -> tuple[list[str], list[str]]:
    """The open cards and the deck, top first."""
    state = match.state()["draft"]
    return list(state["open"]), list(state["deck"])


def take(match: Match, card: str | int = "deck", armies: int | None = None) -> Match:
    """A draft turn: an open position or the deck, then a group, the smallest if nothing is said."""
    if point(match) == "draft_refresh":
        play(match, "keep")
    play(match, "deck") if card == "deck" else play(match, "open", position=card)
    if point(match) == "draft_group":
        sizes = [action["armies"] for action in options(match, "group")]
        play(match, "group", armies=armies or min(sizes))
    return match


@pytest.mark.parametrize(
    ("setup", "side", "mode"),
    [
        ({}, "sun", "fixed"),
        ({"side": "sun", "mode": "draft"}, "sun", "draft"),
        ({"side": "moon", "mode": "draft"}, "moon", "draft"),
        ({"side": "moon"}, "moon", "draft"),
    ],
)
def test_configuration(setup: dict[str, Any], side: str, mode: str) -> None:
    # TW-SETUP-01, TW-D-01, TW-ST-01: players, colours, side, mode and expansion are said before the game
    for seats in (3, 4, 5):
        colours = ["black", "blue", "red", "yellow", "purple"][:seats]
        for court in (False, True):
            configuration = {**setup, "colours": colours, "court": court}
            match = Match.create("tower", seats=seats, seed=2, setup=configuration)
            said = match.state()["options"]
            assert (said["seats"], said["side"], said["mode"], said["court"]) == (seats, side, mode, court)
            assert said["colours"][:seats] == colours
            assert match.state()["round"] == ("setup" if mode == "draft" else "spring")


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        ({"side": "moon", "mode": "fixed"}, "mode"),
        ({"side": "east"}, "side"),
        ({"mode": "free"}, "mode"),
        ({"court": "yes"}, "court"),
        ({"colours": ["red", "blue"]}, "colours"),
        ({"colours": ["red", "blue", "red"]}, "colours"),
        ({"colours": ["red", "blue", "green"]}, "colours"),
        ({"reveal": "never"}, "reveal"),
        ({"allow_zero_move": 3}, "allow_zero_move"),
        ({"event12_rice_loss": 2}, "event12_rice_loss"),
        ({"handicap": 1}, "handicap"),
    ],
)
def test_configurations_that_cannot_be(setup: dict[str, Any], field: str) -> None:
    # TW-SETUP-01, TW-D-01: the fixed set-up exists only for the sun side; options have values of the ledger
    with pytest.raises(SetupError) as refused:
        Match.create("tower", seats=3, setup=setup)
    assert field in str(refused.value)


@pytest.mark.parametrize(("seats", "chests"), [(3, 18), (4, 15), (5, 12)])
def test_material(seats: int, chests: int) -> None:
    # TW-SETUP-03: 62 cubes, treasure cards 0 to 4, chests; all of it open; unused colours are out of the game
    match = Match.create("tower", seats=seats, seed=1)
    state = match.state()
    for viewer in range(seats):
        view = match.view(viewer)
        assert view["supply"] == state["supply"]
        assert [it["chests"] for it in view["players"]] == [chests] * seats
    assert len(state["players"]) == seats
    assert state["supply"][seats:5] == state["inside"][seats:5] == [0] * (5 - seats)
    assert [action["value"] for action in options(match, "treasure")] == [0, 1, 2, 3, 4]


def test_a_group_is_placed_whole() -> None:
    # TW-SETUP-04, TW-D-04: the armies of a group go into one province; of equal groups one is offered
    match = draft(3)
    assert match.state()["players"][0]["groups"] == [5, 4, 4, 3, 3, 2, 2, 2, 2]
    play(match, "deck")
    assert sorted(action["armies"] for action in options(match, "group")) == [2, 3, 4, 5]
    assert len(options(match)) == 4
    key = match.state()["draft"]["taken"]
    play(match, "group", armies=4)
    assert match.state()["provinces"][key]["armies"] == 4
    assert match.state()["provinces"][key]["owner"] == 0
    assert match.state()["players"][0]["groups"] == [5, 4, 3, 3, 2, 2, 2, 2]


def test_the_deck_of_the_draft() -> None:
    # TW-SETUP-05: shuffled cards, face down; the top two lie open, in positions 0 and 1
    layouts = set()
    for seed in range(12):
        match = draft(4, seed)
        opened, deck = cards(match)
        layouts.add((*opened, *deck))
        assert sorted(opened + deck) == sorted(match.state()["provinces"])
        assert events(match, "draft_opened") == [{"open": opened}]
        for seat in range(4):
            assert match.view(seat)["draft"]["open"] == opened
            assert match.view(seat)["draft"]["deck"] is None  # nobody sees its order
    assert len(layouts) == 12


def test_the_first_of_the_draft_and_the_rotation() -> None:
    # TW-SETUP-06, TW-R-07: seat 0 counts as the oldest; then clockwise in plain rotation
    match = draft(4)
    turns = []
    while point(match) != "plan":
        turns.append(match.to_act)
        take(match)
    assert turns[: 4 * 7] == [0, 1, 2, 3] * 7
    placed = [event["seat"] for event in events(match, "group_placed")]
    assert placed == [0, 1, 2, 3] * 8


@pytest.mark.parametrize("position", [0, 1])
def test_taking_an_open_card(position: int) -> None:
    # TW-SETUP-06, TW-D-03, TW-R-40: it is replaced in its position from the deck, after the group is placed
    match = draft(3)
    opened, deck = cards(match)
    assert options(match) == [
        {"name": "open", "position": 0, "province": opened[0]},
        {"name": "open", "position": 1, "province": opened[1]},
        {"name": "deck"},
    ]
    play(match, "open", position=position)
    left = list(opened)
    left[position] = None
    assert cards(match) == (left, deck)  # not replaced while the group is chosen
    assert match.state()["draft"]["taken"] == opened[position]
    assert (match.to_act, point(match)) == (0, "draft_group")
    play(match, "group", armies=5)
    left[position] = deck[0]
    assert cards(match) == (left, deck[1:])
    assert match.state()["provinces"][opened[position]]["owner"] == 0
    order = kinds(match)
    assert order.index("group_placed") < order.index("draft_replaced")
    assert match.to_act == 1


def test_taking_the_top_card() -> None:
    # TW-SETUP-06, TW-R-09: the card is seen before the group is chosen and must be kept; the open cards stay
    match = draft(3)
    opened, deck = cards(match)
    play(match, "deck")
    for seat in range(3):
        assert match.view(seat)["draft"]["taken"] == deck[0]
    assert events(match, "draft_taken") == [{"seat": 0, "province": deck[0], "position": None}]
    assert {action["name"] for action in options(match)} == {"group"}  # no way back
    play(match, "group", armies=3)
    assert cards(match) == (opened, deck[1:])
    assert match.state()["provinces"][deck[0]]["armies"] == 3


def test_refresh() -> None:
    # TW-SETUP-07, TW-D-02, TW-R-08: a seat that faces the pair of its own last turn may have two new cards
    match = draft(3)
    opened, deck = cards(match)
    for seat in range(3):
        assert (match.to_act, point(match)) == (seat, "draft_card")  # never on a first turn
        take(match)
    assert (match.to_act, point(match)) == (0, "draft_refresh")
    assert options(match) == [{"name": "refresh"}, {"name": "keep"}]
    play(match, "refresh")
    # both go under the deck, position 0 first and position 1 beneath it; the upper new card in position 0
    assert cards(match) == (deck[3:5], deck[5:] + opened)
    assert events(match, "draft_refreshed") == [{"seat": 0, "open": deck[3:5]}]
    assert (match.to_act, point(match)) == (0, "draft_card")  # at most once a turn
    take(match)  # a blind card again: the pair stays
    # seat 1 has last chosen from the old pair, so it is not asked; nor is seat 2
    assert (match.to_act, point(match)) == (1, "draft_card")
    take(match)
    assert (match.to_act, point(match)) == (2, "draft_card")
    take(match)
    # the pair remembered for seat 0 is the new one, from which it finally chose
    assert (match.to_act, point(match)) == (0, "draft_refresh")


def test_no_refresh_when_a_card_has_changed() -> None:
    # TW-SETUP-07, TW-R-08
    match = draft(3)
    take(match)
    take(match, 0)
    take(match)
    assert (match.to_act, point(match)) == (0, "draft_card")  # one card is new
    take(match)
    assert (match.to_act, point(match)) == (1, "draft_card")  # he took one himself
    take(match)
    assert (match.to_act, point(match)) == (2, "draft_refresh")  # he faces what he faced
    play(match, "keep")
    assert {action["name"] for action in options(match)} == {"open", "deck"}


def test_equality_is_about_the_pair_as_a_set() -> None:
    # TW-R-08: the same two cards in exchanged positions are the same pair
    match = draft(3)
    for _ in range(3):
        take(match)
    state = match.state()
    state["draft"]["open"].reverse()
    turned = Match.create("tower", seats=3, seed=1, setup={"position": state})
    assert (turned.to_act, point(turned)) == (0, "draft_refresh")
    state["draft"]["open"][0], state["draft"]["deck"][0] = (
        state["draft"]["deck"][0],
        state["draft"]["open"][0],
    )
    state["point"] = "draft_refresh"
    with pytest.raises(SetupError):
        Match.create("tower", seats=3, seed=1, setup={"position": state})


@pytest.mark.parametrize(("seats", "groups", "left"), [(3, 9, 10), (4, 8, 13), (5, 7, 10)])
@pytest.mark.parametrize("side", ["sun", "moon"])
def test_the_end_of_the_draft(seats: int, groups: int, left: int, side: str) -> None:
    # TW-SETUP-08, TW-R-10: when all groups are placed; what is left is neutral. The deck never runs out.
    match = draft(seats, side=side)
    while point(match) != "plan":
        opened, deck = cards(match)
        assert None not in opened
        assert deck
        if point(match) == "draft_refresh":
            play(match, "refresh")
        play(match, "deck")
        if point(match) == "draft_group":
            play(match, "group", armies=options(match, "group")[0]["armies"])
    state = match.state()
    assert len(events(match, "group_placed")) == seats * groups
    assert [it["groups"] for it in state["players"]] == [[]] * seats
    assert state["draft"] == {"deck": [], "open": [None, None], "taken": None}
    neutral = [key for key, it in state["provinces"].items() if it["owner"] is None]
    assert len(neutral) == left
    for seat in range(seats):
        assert [match.view(seat)["provinces"][key]["owner"] for key in neutral] == [None] * left


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_fixed_set_up(seats: int) -> None:
    # TW-SETUP-09, TW-SETUP-13: provinces, armies and cards; only then is the tower filled
    match = Match.create("tower", seats=seats, seed=6)
    expected = {}
    for seat, text in enumerate(FIXED[seats]):
        for entry in text.split(", "):
            key, armies = entry.split()
            expected[key] = (seat, int(armies))
    placed = {
        key: (it["owner"], it["armies"]) for key, it in match.state()["provinces"].items() if it["armies"]
    }
    assert placed == expected
    assert {action["province"] for action in options(match, "province")} == {
        key for key, (seat, _) in expected.items() if seat == 0
    }


def test_counters_start_at_nothing() -> None:
    # TW-SETUP-10
    for match in (Match.create("tower", seats=4, seed=3), draft(4)):
        assert [(it["score"], it["rice"]) for it in match.state()["players"]] == [(0, 0)] * 4


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("mode", ["fixed", "draft"])
def test_the_tower_is_filled(seats: int, mode: str) -> None:
    # TW-SETUP-11, TW-FILL-01: 7 armies of every player, from supply, and 10 farmers, once
    match = Match.create("tower", seats=seats, seed=7, setup={"mode": mode})
    if mode == "draft":
        assert match.state()["inside"] == [0] * 6  # not before the draft is over
        while point(match) != "plan":
            match.play(match.legal_actions()[0])
    filled = events(match, "tower_filled")
    assert len(filled) == 1
    thrown, out = filled[0]["thrown"], filled[0]["out"]
    assert thrown == [7] * seats + [0] * (5 - seats) + [10]
    # TW-FILL-02: what comes out goes back to the supplies, the rest is inside; the tray is empty
    state = match.state()
    assert state["inside"] == [cubes - back for cubes, back in zip(thrown, out, strict=True)]
    assert sum(out) > 0
    assert state["tray"] == [0] * 6
    supply = {3: 35, 4: 37, 5: 39}[seats]
    assert state["supply"][:seats] == [supply - 7 + back for back in out[:seats]]
    assert state["supply"][5] == 10 + out[5]


def test_officers_are_granted_before_the_tray_is_cleared() -> None:
    # TW-FILL-03: an officer for each army that came out; the armies go back to supply all the same
    match = Match.create("tower", seats=4, seed=7, setup={"court": True})
    out = events(match, "tower_filled")[0]["out"]
    assert sum(out[:4]) > 0
    assert [it["officers"]["entrance"] for it in match.state()["players"]] == out[:4]
    assert match.state()["tray"] == [0] * 6
    assert match.state()["supply"][:4] == [37 - 7 + back for back in out[:4]]


def test_events_of_the_first_year() -> None:
    # TW-SETUP-12: twelve cards are shuffled; the top four lie open, for all to see
    seen = set()
    for seed in range(12):
        match = Match.create("tower", seats=3, seed=seed)
        state = match.state()
        seen.add(tuple(state["open_events"]))
        assert len(state["open_events"]) == 4
        assert sorted(state["open_events"] + state["event_deck"]) == list(range(1, 13))
        assert state["event"] is None
        for seat in range(3):
            assert match.view(seat)["open_events"] == state["open_events"]
            assert match.view(seat)["event_deck"] is None
    assert len(seen) > 8


@pytest.mark.parametrize("mode", ["fixed", "draft"])
def test_the_order_of_set_up(mode: str) -> None:
    # TW-SETUP-13: placement, tower fill, events, and then spring
    match = Match.create("tower", seats=3, seed=9, setup={"mode": mode})
    while point(match) != "plan":
        match.play(match.legal_actions()[0])
    log = [kind for kind in kinds(match) if not kind.startswith("draft_")]
    assert log[:27] == ["group_placed"] * 27
    assert log[27:] == ["tower_filled", "events_opened", "season_begun", "action_cards", "special_cards"]
    assert events(match, "events_opened") == [{"year": 1, "cards": match.state()["open_events"]}]


def test_a_draft_position_lacks_no_card() -> None:
    # TW-R-10, TW-SETUP-02: the cards in play are in the deck, open, or with their owners
    match = draft(3)
    state = match.state()
    state["draft"]["deck"].pop()
    with pytest.raises(SetupError):
        Match.create("tower", seats=3, seed=1, setup={"position": state})
    assert "izumo" not in Board(3).state["provinces"]
    assert "izumo" not in cards(match)[0] + cards(match)[1]


def test_keeping_the_pair_leaves_the_refresh_for_later() -> None:
    # TW-R-08, TW-SETUP-07: the pair finally chosen from is remembered, so the same question comes again
    match = draft(3)
    opened, _ = cards(match)
    for _ in range(9):
        take(match)
    assert (match.to_act, point(match)) == (0, "draft_refresh")
    assert cards(match)[0] == opened
    play(match, "refresh")
    take(match, 1)  # the new pair is broken up
    for _ in range(2):
        take(match)
    assert (match.to_act, point(match)) == (0, "draft_card")


def test_the_last_group_of_the_draft_is_not_asked() -> None:
    # TW-D-00, TW-D-04: with groups of one size left there is nothing to choose, the card is still chosen
    match = Match.create("tower", seats=3, seed=1, setup={"mode": "draft"})
    asked = []
    while point(match) != "plan":
        asked.append(point(match))
        match.play(match.legal_actions()[-1])
    # a player chooses a group while he has different ones: the largest first, so five times (5, 4, 4, 3, 3)
    assert asked.count("draft_group") == 3 * 5
    assert len(events(match, "group_placed")) == 27


def test_the_order_of_the_draft_deck_is_hidden() -> None:
    # TW-SETUP-05, TW-D-03: the top card is unknown to all before it is taken
    state = draft(3).state()
    other = draft(3).state()
    other["draft"]["deck"].reverse()
    here, there = (Match.create("tower", seats=3, seed=1, setup={"position": it}) for it in (state, other))
    for seat in range(3):
        assert here.view(seat) == there.view(seat)
        assert here.observe(seat).tolist() == there.observe(seat).tolist()
    assert options(here) == options(there)
    play(here, "deck")
    play(there, "deck")
    assert here.view(1)["draft"]["taken"] != there.view(1)["draft"]["taken"]
