"""Planning (PLAN): secret plans on ten action spaces and the bid space."""

import numpy as np
import pytest

from rules.tower.board import (
    ACTIONS,
    ENTRY,
    Board,
    enter,
    events,
    kinds,
    options,
    play,
    player,
    point,
    province,
)
from sengoku import Match
from sengoku.errors import IllegalActionError, NotYourTurnError

KEYS = ("aki", "ise", "kai", "kii", "mino", "omi", "hida", "noto")


def planner(provinces: int, chests: int = 20) -> Match:
    """Seat 0 with some provinces is to enter its plan; the others have one each."""
    board = Board(3).player(0, chests=chests)
    for key in KEYS[:provinces]:
        board.province(key, 0, 3)
    return board.province("shima", 1, 3).province("izu", 2, 3).begin("plan").match()


def cards(match: Match) -> list[str]:
    """The cards that may be laid on the space now."""
    words = []
    for action in options(match):
        if action["name"] == "treasure":
            words.append(f"treasure_{action['value']}")
        else:
            words.append(action.get("province", action["name"]))
    return words


TREASURES = [f"treasure_{value}" for value in range(5)]


def test_plans_are_secret() -> None:
    # TW-PLAN-01, TW-D-05, TW-D-14: seat by seat, space by space, and nobody sees another's cards
    match = planner(2)
    for seat in range(3):
        for entered, space in enumerate(ENTRY[:11]):
            assert (match.to_act, match.state()["point"]) == (seat, {"plan": entered})
            assert {action["space"] for action in options(match)} == {space}
            for viewer in range(3):
                seen = [it["plan"] for it in match.view(viewer)["players"]]
                assert [plan is not None for plan in seen] == [viewer == other for other in range(3)]
            assert "plans_closed" not in kinds(match)
            match.play(match.legal_actions()[-1 if space == "castle" else 0])
    assert "plans_closed" in kinds(match)


def test_a_plan_changes_nothing_for_the_others() -> None:
    # TW-PLAN-01: whatever seat 0 lays, the others see the same, also in the log, until the plans are read
    plans = ({"bid": "treasure_3", "tax": "aki"}, {"bid": "ise", "castle": "aki"}, {"bid": "empty"})
    seen = []
    for cards in plans:
        match = enter(planner(2), **cards)
        seen.append(
            ([match.observe(seat) for seat in (1, 2)], [match.view(seat) for seat in (1, 2)], match.log)
        )
    for observed, views, log in seen[1:]:
        assert all(np.array_equal(here, there) for here, there in zip(observed, seen[0][0], strict=True))
        assert (views, log) == seen[0][1:]


def test_cards_to_plan_with() -> None:
    # TW-PLAN-02: own province cards and the five treasure cards; one card to a space, each on one space only
    match = planner(3)
    left = {*TREASURES, "aki", "ise", "kai"}
    for space in ENTRY[:8]:
        assert set(cards(match)) - {"empty"} == left
        card = sorted(left)[0]
        action = next(
            action for action, word in zip(match.legal_actions(), cards(match), strict=True) if word == card
        )
        match.play(action)
        left.remove(card)
        assert player(match, 0)["plan"][space] == card
        with pytest.raises(IllegalActionError):  # it lies already
            match.play(action)
    assert [cards(match), left] == [["empty"], set()]


def test_cards_lie_face_down() -> None:
    # TW-PLAN-02, TW-D-12: also once all plans are closed, until their time comes; whose they are is known
    match = planner(2)
    enter(match, bid="treasure_2", tax="aki", rice="ise")
    enter(match, bid="treasure_1")
    enter(match, bid="treasure_0")
    assert point(match) == "slot"
    for viewer in (1, 2):
        plan = match.view(viewer)["players"][0]["plan"]
        assert plan["bid"] == "treasure_2"
        assert {plan[space] for space in ("tax", "rice", "castle")} == {"face_down"}
    own = match.view(0)["players"][0]["plan"]
    assert (own["tax"], own["rice"]) == ("aki", "ise")


@pytest.mark.parametrize("provinces", range(9))
def test_as_many_spaces_as_possible_are_covered(provinces: int) -> None:
    # TW-PLAN-03, TW-D-05: min(11, provinces + 5); TW-D-14: "empty" while there are more spaces than cards
    match = planner(provinces)
    held = provinces + 5
    for entered in range(11):
        assert ("empty" in cards(match)) == (11 - entered > held)
        match.play(match.legal_actions()[0])  # as empty as can be
        held -= match.history[-1] != 15
    covered = [card for card in player(match, 0)["plan"].values() if card != "empty"]
    assert len(covered) == min(11, provinces + 5)
    match = enter(planner(provinces))  # as full as can be
    covered = [card for card in player(match, 0)["plan"].values() if card != "empty"]
    assert len(covered) == min(11, provinces + 5)


def test_every_space_is_asked() -> None:
    # TW-D-14, TW-D-00: also where one choice is left, since the number of questions would tell something
    match = planner(0)
    asked = 0
    while match.to_act == 0:
        asked += 1
        match.play(match.legal_actions()[-1])
    assert asked == match.decisions == 11


def test_a_province_card_orders_the_action_there() -> None:
    # TW-PLAN-04, TW-EX-05: and nothing else in that province this season
    match = planner(2)
    for space in ("bid", "castle", "temple", "no", "rice"):
        play(match, "treasure", space=space, value=("bid", "castle", "temple", "no", "rice").index(space))
    play(match, "province", space="tax", province="aki")
    assert cards(match) == ["empty", "ise"]  # not aki again
    for _ in range(5):
        match.play(match.legal_actions()[-1])
    enter(match)
    enter(match)
    while point(match) == "slot":
        match.play(match.legal_actions()[0])
    assert [event["province"] for event in events(match, "collected") if event["seat"] == 0] == ["aki"]
    assert province(match, "aki")["unrest"] == 1
    assert [event["province"] for event in events(match, "deployed") if event["seat"] == 0] == ["ise"]


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("card", ["treasure_0", "treasure_4", "empty"])
def test_treasure_cards_and_empty_spaces_mean_no_action(action: str, card: str) -> None:
    # TW-PLAN-05, TW-PLAN-06: the value does not matter, nothing is paid
    board = Board(3).province("izu", 0, 9).province("sagami", 0, 1).plan(0, **{action: card})
    match = board.begin(action).match()
    assert (point(match), match.state()["round"]) == ("plan", "summer")
    assert player(match, 0)["chests"] == 20
    assert player(match, 0)["rice"] == 0
    assert province(match, "izu") == board.state["provinces"]["izu"]
    shown = {"seat": 0, "space": action, "card": card}
    assert events(match, "card_revealed") == ([] if card == "empty" else [shown])
    assert "passed" not in kinds(match)


@pytest.mark.parametrize("empty", [("bid",), ("battle_b",), ("castle",), ("bid", "tax", "no")])
def test_the_player_chooses_what_stays_empty(empty: tuple[str, ...]) -> None:
    # TW-PLAN-06: also the bid space
    match = planner(6 - len(empty))
    enter(match, **dict.fromkeys(empty, "empty"))
    plan = player(match, 0)["plan"]
    assert [space for space in ENTRY[:11] if plan[space] == "empty"] == [
        space for space in ENTRY if space in empty
    ]


def test_the_bid_space() -> None:
    # TW-PLAN-07: one treasure card or one province card
    match = planner(7)
    assert cards(match) == [*TREASURES, *sorted(KEYS[:7])]


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("castle", "built"), ("temple", "chests"), ("no", "sites"), ("deploy5", "chests"),
        ("battle_a", "armies"), ("battle_b", "armies"),
    ],
)  # fmt: skip
def test_a_plan_need_not_be_executable(action: str, reason: str) -> None:
    # TW-PLAN-08: it can be laid, and is passed when its time comes
    board = Board(3).province("bizen", 0, 1).province("shima", 1, 1).province("izu", 2, 1)
    if reason in {"built", "sites"}:
        board.province("bizen", 0, 1, "castle")  # its one site
    match = board.player(0, chests=0 if reason == "chests" else 9).begin("plan").match()
    enter(match, bid="treasure_0", **{action: "bizen"})
    enter(match)
    enter(match)
    while point(match) == "slot":
        match.play(match.legal_actions()[0])
    passed = {"seat": 0, "action": action, "province": "bizen", "reason": reason}
    assert passed in events(match, "passed")
    assert player(match, 0)["chests"] == (0 if reason == "chests" else 9)


def test_what_is_known_when_planning() -> None:
    # TW-PLAN-09, TW-D-12, TW-D-13: all but plans, hidden action cards, decks and the inside of the tower
    board = (
        Board(4, round_="summer").province("aki", 0, 3, "castle", unrest=2).province("ise", 1, 4, "temple")
    )
    board.player(2, chests=7, rice=3, score=9).tray(1, 2, 3, 4, farmers=5).tower([0, 1, 5], [2, 2])
    match = board.begin("plan").match(tower_model="ledger")
    state = match.state()
    public = (
        "provinces", "supply", "tray", "special_on_slot", "open_events", "inside", "used_events", "tiles",
        "year", "round", "event", "turn_order",
    )  # fmt: skip
    for seat in range(4):
        view = match.view(seat)
        assert {key: view[key] for key in public} == {key: state[key] for key in public}
        for known, true in zip(view["players"], state["players"], strict=True):
            assert {key: known[key] for key in true if key != "plan"} == {
                key: true[key] for key in true if key != "plan"
            }
        assert view["action_order"] == [*state["action_order"][:5], *[None] * 5]
        assert view["inside"] == [1, 1, 2, 0, 0, 1]
        assert [view[key] for key in ("tower", "event_deck", "draws", "tower_draws")] == [None] * 4
        assert view["event"] is None  # which of the open events will act is not known
        assert len(view["open_events"]) == 3


@pytest.mark.parametrize("chests", [0, 1, 2, 3, 4, 5])
def test_only_affordable_treasure_can_be_bid(chests: int) -> None:
    # TW-R-13: value <= own chests; on the other spaces every value
    match = planner(3, chests)
    values = [action["value"] for action in options(match, "treasure")]
    assert values == [value for value in range(5) if value <= chests]
    play(match, "treasure", value=0)
    assert [action["value"] for action in options(match, "treasure")] == [1, 2, 3, 4]


def test_the_duty_to_bid_blocks_no_plan() -> None:
    # TW-R-13: without chests the 0 card is there, as are provinces and, if allowed, no card
    assert cards(planner(1, 0)) == ["empty", "treasure_0", "aki"]
    assert cards(planner(6, 0)) == ["treasure_0", *sorted(KEYS[:6])]


def test_empty_spaces_are_open() -> None:
    # TW-R-41: once all plans are closed, everybody sees which spaces carry a card
    match = planner(1)
    enter(match, bid="treasure_2", castle="empty", rice="empty", tax="aki", deploy5="empty")
    enter(match, bid="empty")
    assert match.view(2)["players"][0]["plan"] is None  # not before
    assert "plans_closed" not in kinds(match)
    enter(match, bid="treasure_0")
    empty = events(match, "plans_closed")[0]["empty"]
    plan = match.view(1)["players"][0]["plan"]
    bare = [space for space in plan if plan[space] == "empty" and not space.startswith("convert")]
    assert {"castle", "rice", "deploy5"} < set(bare)
    assert len(bare) == 11 - 6
    assert set(empty[0]) == set(bare)
    assert "bid" in empty[1]
    assert plan["tax"] == "face_down"


def test_seats_decide_in_their_turn() -> None:
    # TW-D-14: plans are entered by ascending seats, whatever the turn order was
    match = Board(3).begin("plan").match()
    with pytest.raises(NotYourTurnError):
        match.play(match.legal_actions()[0], 1)
    for seat in range(3):
        assert match.to_act == seat
        enter(match)


@pytest.mark.parametrize("provinces", [0, 1, 5, 6, 7])
def test_plan_entry_reaches_every_plan_and_no_dead_end(provinces: int) -> None:
    # TW-D-14, TW-D-05: with c cards and s spaces left every unused card is legal, "empty" iff s > c
    board = Board(3)
    for key in ("aki", "ise", "iyo", "kai", "kii", "omi", "izu")[:provinces]:
        board.province(key, 0, 1)
    match = board.begin("plan").match()
    cards = provinces + 5
    for left in range(11, 0, -1):
        legal = options(match)
        names = [action["name"] for action in legal]
        assert len(legal) == cards + (left > cards)
        assert ("empty" in names) == (left > cards)
        match.play(match.legal_actions()[(left * 7) % len(legal)])
        cards -= match.history[-1] != 15
    assert match.to_act == 1


def test_counts_of_plans() -> None:
    # TW-D-14: three spaces of a player without provinces: 5 x 5 x 5 and fewer where cards are used up
    match = Board(3).begin("plan").match()
    # each of the first three spaces takes one of the unused cards or stays empty: sum over k cards laid of
    # C(3, k) * 5 * 4 * ... = 1 + 3 * 5 + 3 * 20 + 60
    assert match.count_sequences(3) == 136


def test_the_card_set_of_a_player_is_public() -> None:
    # TW-D-13: who owns what is seen by all, only the assignment to spaces is secret
    match = Board(3).province("ise", 0, 3).province("kii", 0, 3).begin("plan").match()
    enter(match, bid="ise")
    for seat in (1, 2):
        assert [match.view(seat)["provinces"][key]["owner"] for key in ("ise", "kii")] == [0, 0]
        assert match.view(seat)["players"][0]["plan"] is None
