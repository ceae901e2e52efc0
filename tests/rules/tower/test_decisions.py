"""Decision points (section 26): who is asked, when, for what, and who sees it."""

import random
from math import comb, factorial
from typing import Any

import pytest

from rules.tower.board import (
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
    quietly,
)
from sengoku import Match
from sengoku.errors import SetupError


def targets(match: Match) -> dict[str, list[int]]:
    """Where armies can go now, and how many."""
    found: dict[str, list[int]] = {}
    for move in options(match, "move"):
        found.setdefault(move["to"], []).append(move["armies"])
    return found


def test_single_choices_are_taken() -> None:
    # TW-D-00: the fifth of five slots
    board = Board(5)
    for seat, place in enumerate(("aki", "kai", "ise", "omi", "izu")):
        board.province(place, seat, 1).plan(seat, bid=f"treasure_{4 - seat}")
    match = board.begin("bids").match()
    for slot in (2, 4, 1):
        play(match, "slot", slot=slot)
    assert (match.to_act, [one["slot"] for one in options(match)]) == (3, [3, 5])
    play(match, "slot", slot=3)
    assert events(match, "slot_taken")[4]["seat"] == 4
    assert events(match, "slot_taken")[4]["slot"] == 5
    assert events(match, "turn_order") == [{"order": [2, 0, 3, 1, 4]}]


def test_a_battle_with_one_choice() -> None:
    # TW-D-00: two armies in Noto; Etchu is shielded, so one army goes to Kaga, and the log says so
    board = Board(3).province("noto", 0, 2).province("etchu", 1, 1, "temple").province("kaga", 0, 1)
    match = board.plan(0, battle_a="noto").event("temple_shield").begin("battle_a").match()
    assert events(match, "moved") == [{"seat": 0, "from": "noto", "to": "kaga", "armies": 1}]
    assert (match.state()["round"], match.decisions) == ("summer", 0)
    board = Board(3).province("noto", 0, 3).province("etchu", 1, 1, "temple").province("kaga", 0, 1)
    match = board.plan(0, battle_a="noto").event("temple_shield").begin("battle_a").match()
    assert targets(match) == {"kaga": [1, 2]}  # two choices are asked


def test_plans_are_asked_though_there_is_no_choice() -> None:
    # TW-D-00, TW-D-14: the last card for the last space
    board = Board(3)
    for place in ("aki", "kai", "ise", "omi", "izu", "hida"):
        board.province(place, 0, 1)
    match = board.begin("plan").match()
    asked = []
    while match.to_act == 0:
        asked.append(len(options(match)))
        match.play(match.legal_actions()[0])
    assert asked == [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize(("side", "mode"), [("sun", "fixed"), ("sun", "draft"), ("moon", "draft")])
@pytest.mark.parametrize("court", [False, True])
def test_configuration(seats: int, side: str, mode: str, court: bool) -> None:
    # TW-D-01: players, side, mode, expansion, options
    setup = {"side": side, "mode": mode, "court": court, "reveal": "per_action", "favour_deck": "hidden"}
    match = Match.create("tower", seats=seats, setup=setup)
    shown = match.state()["options"]
    assert {key: shown[key] for key in setup} == setup
    assert (match.seats, shown["seats"]) == (seats, seats)
    assert point(match) == ("plan" if mode == "fixed" else "draft_card")


@pytest.mark.parametrize(
    ("seats", "setup", "field"),
    [
        (2, {}, "seats"),
        (6, {}, "seats"),
        (3, {"side": "moon", "mode": "fixed"}, "mode"),
        (3, {"side": "star"}, "side"),
        (3, {"mode": "auction"}, "mode"),
        (3, {"court": "yes"}, "court"),
        (3, {"reveal": "never"}, "reveal"),
        (3, {"allow_zero_move": 2}, "allow_zero_move"),
        (3, {"event12_rice_loss": 2}, "event12_rice_loss"),
        (3, {"bump_probability": 2}, "bump_probability"),
        (3, {"favour_deck": "closed"}, "favour_deck"),
        (3, {"tower_model": "paper"}, "tower_model"),
        (3, {"colours": ["red", "red", "blue"]}, "colours"),
        (3, {"weather": "rain"}, "weather"),
    ],
)
def test_configurations_that_cannot_be(seats: int, setup: dict[str, Any], field: str) -> None:
    # TW-D-01
    with pytest.raises(SetupError) as refused:
        Match.create("tower", seats=seats, setup=setup)
    assert refused.value.details["field"] == field


def test_draft_decisions() -> None:
    # TW-D-02, TW-D-03, TW-D-04; none of them is hidden from anybody
    match = Match.create("tower", seats=3, seed=5, setup={"mode": "draft"})
    pair = match.state()["draft"]["open"]
    cards = [{"name": "open", "position": n, "province": pair[n]} for n in (0, 1)] + [{"name": "deck"}]
    for seat in range(3):
        top = match.state()["draft"]["deck"][0]
        assert (match.to_act, options(match)) == (seat, cards)
        assert all(match.view(other)["draft"]["deck"] is None for other in range(3))  # unknown to all
        play(match, "deck")
        assert all(match.view(other)["draft"]["taken"] == top for other in range(3))
        assert [group["armies"] for group in options(match, "group")] == [2, 3, 4, 5]
        assert len(options(match)) == 4
        play(match, "group", armies=5)
        assert all(match.view(other)["provinces"][top]["armies"] == 5 for other in range(3))
    # the pair is that of his own last turn
    assert (point(match), match.to_act) == ("draft_refresh", 0)
    assert [option["name"] for option in options(match)] == ["refresh", "keep"]
    play(match, "keep")
    assert options(match) == cards
    play(match, "open", position=1)
    assert [group["armies"] for group in options(match, "group")] == [2, 3, 4]
    play(match, "group", armies=4)
    assert options(match, "refresh") == []  # seat 1 faces another pair
    assert match.state()["draft"]["open"][0] == pair[0]


@pytest.mark.parametrize("chests", [0, 2, 20])
def test_plans_without_provinces(chests: int) -> None:
    # TW-D-05, TW-D-14, TW-R-13: all ways to put exactly 5 cards on 11 spaces, but for bids he cannot pay
    match = Board(3).player(0, chests=chests).province("kai", 1, 1).begin("plan").match()
    all_plans = factorial(11) // factorial(6)
    too_dear = sum(value > chests for value in range(5)) * factorial(10) // factorial(6)
    assert match.count_sequences(11) == all_plans - too_dear


def test_plans_with_a_province() -> None:
    # TW-D-05: exactly 6 cards on 11 spaces
    match = Board(3).province("aki", 0, 1).begin("plan").match()
    assert match.count_sequences(11) == factorial(11) // factorial(5)


def test_plans_with_more_cards_than_spaces() -> None:
    # TW-D-05: 7 provinces and 5 treasure cards; every space is covered, one card is left over
    board = Board(3)
    for place in ("aki", "kai", "ise", "omi", "izu", "hida", "kii"):
        board.province(place, 0, 1)
    match = board.begin("plan").match()
    while isinstance(match.state()["point"], dict) and match.state()["point"]["plan"] < 5:
        match.play(match.legal_actions()[0])
    assert match.count_sequences(6) == factorial(7)
    assert options(match, "empty") == []


def test_plans_of_the_court() -> None:
    # TW-D-05, TW-D-14: 8 cards on 14 spaces; the three tower cards are alike
    match = Board(3, court=True).begin("plan").match()
    for value in range(5):
        play(match, "treasure", value=value)
    assert match.count_sequences(9) == comb(9, 3)


def test_slots() -> None:
    # TW-D-06: any free slot, in rank order; everybody sees it
    board = Board(3).plan(0, bid="treasure_1").plan(1, bid="treasure_4").plan(2, bid="treasure_2")
    match = board.begin("bids").match()
    specials = match.state()["special_on_slot"]
    assert match.to_act == 1
    assert options(match) == [
        {"name": "slot", "slot": slot, "special": specials[slot - 1]} for slot in (1, 2, 3, 4, 5)
    ]
    play(match, "slot", slot=3)
    assert all(match.view(seat)["players"][1]["slot"] == 3 for seat in range(3))
    assert (match.to_act, [one["slot"] for one in options(match)]) == (2, [1, 2, 4, 5])
    play(match, "slot", slot=4)
    assert (match.to_act, [one["slot"] for one in options(match)]) == (0, [1, 2, 5])


def test_move_after_deploying_one() -> None:
    # TW-D-07: none, or some of the armies into an adjacent own province; asked after the army is placed
    board = (
        Board(3).province("omi", 0, 2).province("ise", 0, 1).province("yamato", 0, 1).province("kai", 0, 1)
    )
    board.province("mino", 1, 1)
    match = board.plan(0, deploy1="omi").begin("deploy1").match()
    assert province(match, "omi")["armies"] == 3
    assert options(match)[0] == {"name": "pass"}
    assert targets(match) == {"ise": [1, 2], "yamato": [1, 2]}
    play(match, "pass")
    assert province(match, "omi")["armies"] == 3
    # nowhere to go: no question is asked
    match = Board(3).province("omi", 0, 2).plan(0, deploy1="omi").begin("deploy1").match()
    assert (match.decisions, match.state()["round"], province(match, "omi")["armies"]) == (0, "summer", 3)


@pytest.mark.parametrize("action", ["battle_a", "battle_b"])
@pytest.mark.parametrize("zero", [False, True])
def test_battles(action: str, zero: bool) -> None:
    # TW-D-08, TW-D-09, TW-R-17: target and number, and with the option also none
    board = Board(3).province("noto", 0, 4).province("etchu", 1, 1).plan(0, **{action: "noto"}).begin(action)
    match = board.match(allow_zero_move=zero)
    assert (match.to_act, point(match)) == (0, "battle")
    assert targets(match) == {"etchu": [1, 2, 3], "kaga": [1, 2, 3]}
    assert options(match, "pass") == ([{}] if zero else [])
    if zero:
        play(match, "pass")
        assert province(match, "noto")["armies"] == 4
        assert events(match, "stayed") == [{"seat": 0, "province": "noto"}]
    # not executable: no question, also with the option
    match = board.province("noto", 0, 1).match(allow_zero_move=zero)
    assert (match.decisions, match.state()["round"]) == (0, "summer")
    assert events(match, "passed")[0]["reason"] == "armies"


def test_next_revolt() -> None:
    # TW-D-10: any pending province; of one there is nothing to decide
    board = Board(3).province("aki", 0, 5).province("kai", 0, 5).province("omi", 0, 5).event(7)
    match = board.begin("winter").match(dice=[3, 2])
    assert (match.to_act, options(match, "province")) == (0, [{"province": "aki"}, {"province": "kai"}])
    play(match, "province", province="kai")
    assert [event["province"] for event in events(match, "revolt")] == ["kai", "aki"]
    match = Board(3).province("aki", 0, 5).event(7).begin("winter").match(dice=[])
    assert (match.decisions, len(events(match, "revolt"))) == (0, 1)


def audience(*favours: int, entrance: int = 4, **options_: Any) -> Board:
    """Seat 1 alone has officers in the entrance; these favours are laid out."""
    board = Board(3, court=True, **options_).officers(1, entrance=entrance).favours(*favours)
    return board.province("kai", 1, 2)


@pytest.mark.parametrize(
    ("officers", "prices"), [(7, [4, 3, 2]), (4, [4, 3, 2]), (3, [3, 2]), (2, [2]), (1, [])]
)
def test_favour_choice(officers: int, prices: list[int]) -> None:
    # CT-D-01: none, or any card that he can pay; a seat that cannot pay any is not asked (TW-D-00)
    match = audience(16, 13, 5, entrance=officers).begin("court").match()
    if prices:
        assert (match.to_act, point(match)) == (1, "favour")
        assert options(match, "pass") == [{}]
        assert [one["price"] for one in options(match, "favour")] == prices
    else:
        assert events(match, "no_favour") == [{"seat": 1}]
        assert match.state()["round"] == "summer"
        assert "favour_taken" not in kinds(match)


@pytest.mark.parametrize("removed", [False, True])
def test_favour_one(removed: bool) -> None:
    # CT-D-02: remove the event or leave it
    board = audience(13, 5, 1).plan(0, tax="omi").province("omi", 0, 1).event("tax_min_6")
    board.specials({0: "six_armies"})
    match = play(board.begin("court").match(), "favour", card=1)
    assert [option["name"] for option in options(match)] == ["pass", "remove_event"]
    assert match.to_act == 1
    play(match, "remove_event" if removed else "pass")
    assert events(match, "event_removed") == [{"seat": 1, "removed": removed}]
    assert events(match, "collected")[0]["amount"] == (3 if removed else 6)


def test_favour_four_at_once() -> None:
    # CT-D-03: an own province with a marker; mandatory
    board = audience(13, 5, 4).province("kai", 1, 2, unrest=2).province("aki", 1, 1, unrest=1)
    board.province("omi", 0, 1, unrest=1).province("izu", 1, 1)
    match = play(board.begin("court").match(), "favour", card=4)
    assert options(match) == [
        {"name": "province", "province": "aki"},
        {"name": "province", "province": "kai"},
    ]
    play(match, "province", province="kai")
    assert province(match, "kai")["unrest"] == 1
    assert player(match, 1)["kept"] == []


def test_kept_favour_four() -> None:
    # CT-D-04: at the start of his turn in each action, whatever he planned: pass, or a province with a marker
    board = Board(3, court=True).province("kai", 1, 9, unrest=1).province("aki", 1, 1).player(1, kept=[4])
    match = board.province("omi", 0, 1, unrest=1).plan(1, no="kai").begin("no").match()
    asked = []
    while point(match) == "kept":
        assert match.to_act == 1
        assert options(match) == [{"name": "pass"}, {"name": "province", "province": "kai"}]
        asked.append(match.state()["place"])
        assert match.view(0)["players"][1]["plan"]["no"] == ("face_down" if len(asked) == 1 else "kai")
        play(match, "pass")
    assert asked == list(range(1, 11))
    assert player(match, 1)["kept"] == [4]


def test_kept_favour_four_in_winter() -> None:
    # CT-D-04, TW-D-10: before each own revolt, after its province is chosen; markers count after the removal
    board = Board(3, court=True).province("aki", 0, 5, unrest=2).province("kai", 0, 5).province("omi", 0, 5)
    board.player(0, kept=[4]).event(7)
    match = board.begin("winter").match(dice=[3, 2])
    assert point(match) == "revolt"
    play(match, "province", province="kai")
    assert (point(match), options(match)) == (
        "kept",
        [{"name": "pass"}, {"name": "province", "province": "aki"}],
    )
    play(match, "pass")
    assert events(match, "revolt") == [{"seat": 0, "province": "kai", "farmers": 2, "wanted": 2}]
    assert point(match) == "kept"  # the second revolt is forced, the card is a choice
    play(match, "province", province="aki")
    assert events(match, "revolt")[1] == {"seat": 0, "province": "aki", "farmers": 1 + 2, "wanted": 1 + 2}
    assert player(match, 0)["kept"] == []


def test_favour_twelve() -> None:
    # CT-D-05: own or neutral provinces in play, if there are 3 armies in supply
    board = audience(16, 13, 12).province("omi", 0, 1)
    match = play(board.begin("court").match(), "favour", card=12)
    everywhere = set(match.state()["provinces"]) - {"omi"}
    assert {option["province"] for option in options(match)} == everywhere
    assert len(options(match)) == 37 - 1
    play(match, "province", province="aki")
    assert (province(match, "aki")["owner"], province(match, "aki")["armies"]) == (1, 3)
    match = play(board.province("kai", 1, 60).begin("court").match(), "favour", card=12)
    assert events(match, "favour_without_effect") == [{"seat": 1, "card": 12}]


@pytest.mark.parametrize(("card", "building"), [(7, "no"), (17, "temple"), (21, "castle")])
def test_building_by_favour(card: int, building: str) -> None:
    # CT-D-06: own provinces with a free site and without that type. Kai has 1 site, Aki 2, Iyo 3
    favours = sorted({card, 2, 5}, reverse=True)
    other = "castle" if building != "castle" else "temple"
    board = audience(*favours).province("kai", 1, 1, other).province("aki", 1, 1, other).province("omi", 0, 1)
    board.province("iyo", 1, 1, building).province("izu", 1, 1)
    match = play(board.begin("court").match(), "favour", card=card)
    assert options(match) == [
        {"name": "province", "province": "aki"},
        {"name": "province", "province": "izu"},
    ]
    play(match, "province", province="aki")
    assert province(match, "aki")[building]
    assert player(match, 1)["chests"] == 20


def test_what_is_no_decision() -> None:
    # TW-D-11: sites, passing, special cards, event effects, which provinces revolt, order of players: a whole
    # autumn and winter with all of these, and nobody is asked anything
    board = (
        Board(3, round_="autumn")
        .province("etchu", 0, 9, unrest=1)
        .province("kaga", 1, 9)
        .province("omi", 2, 9)
    )
    board.province("iyo", 2, 4).player(0, chests=2)
    board.plan(0, castle="etchu").plan(1, no="kaga", tax="treasure_4").plan(2, deploy5="omi", rice="iyo")
    board.specials({2: "six_armies"}).event("few_recruits").order(2, 0, 1)
    match = board.begin("castle").match()
    assert (match.decisions, match.state()["year"], point(match)) == (0, 2, "plan")
    assert events(match, "passed") == [
        {"seat": 0, "action": "castle", "province": "etchu", "reason": "chests"}
    ]
    assert [(event["seat"], event["building"]) for event in events(match, "built")] == [(1, "no")]
    assert [event["armies"] for event in events(match, "deployed")] == [6]
    # the winter card takes 5, so 4 rice of Iyo are not enough
    assert [event["seat"] for event in events(match, "revolts_drawn")] == [2, 0, 1]


PUBLIC = (
    "options", "year", "round", "point", "decider", "provinces", "supply", "tray", "action_revealed", "place",
    "turn", "special_on_slot", "bid_order", "turn_order", "open_events", "event", "event_removed", "pending",
    "extra_farmers", "revolt", "phase", "tiles", "inside", "used_events", "tower_model",
)  # fmt: skip


@pytest.mark.parametrize("deck", ["open_top", "hidden"])
def test_what_everybody_knows(deck: str) -> None:
    # TW-D-12, TW-D-13, TW-R-41: in whole matches, what is public is seen by all and what is hidden by nobody
    for seats, mode in ((3, "fixed"), (5, "draft")):
        setup = {"court": True, "mode": mode, "favour_deck": deck}
        match, choose = Match.create("tower", seats=seats, seed=4, setup=setup), random.Random(4)
        while not match.over:
            match.play(choose.choice(match.legal_actions()))
            if choose.random() < 0.05 or point(match) not in {"plan", "battle", "draft_card", "draft_group"}:
                state = match.state()
                for seat in range(seats):
                    check_view(state, match.view(seat), seat, deck)


def check_view(state: dict[str, Any], view: dict[str, Any], seat: int, deck: str) -> None:
    """A view has all that is public and nothing else of others."""
    for field in PUBLIC:
        assert view[field] == state[field]
    for field in ("open", "taken"):
        assert view["draft"][field] == state["draft"][field]
    for field in ("laid", "order", "turn", "taken"):
        assert view["court"][field] == state["court"][field]
    hidden = (view["draws"], view["tower_draws"], view["tower"], view["draft"]["deck"], view["event_deck"])
    assert hidden == (None,) * 5
    assert view["court"]["deck"] == (state["court"]["deck"][:1] if deck == "open_top" else None)
    seen = state["action_revealed"]
    assert view["action_order"][:seen] == state["action_order"][:seen]
    assert all(card is None for card in view["action_order"][seen:])
    planning = isinstance(state["point"], dict) and "plan" in state["point"]
    for other, (mine, theirs) in enumerate(zip(view["players"], state["players"], strict=True)):
        assert {k: v for k, v in mine.items() if k != "plan"} == {
            k: v for k, v in theirs.items() if k != "plan"
        }
        if other == seat:
            assert mine["plan"] == theirs["plan"]
        elif planning:
            assert mine["plan"] is None
        else:
            turned = theirs["revealed"]
            assert mine["plan"] == {
                space: card if card == "empty" or space in turned else "face_down"
                for space, card in theirs["plan"].items()
            }


def test_card_sets_are_public() -> None:
    # TW-D-13: owners are seen by all, so everybody knows which cards another has, though not where they lie
    match = Match.create("tower", seats=3, seed=1)
    enter(match)
    own = {key for key, it in match.view(2)["provinces"].items() if it["owner"] == 1}
    assert {option["province"] for option in options(match, "province")} == own
    assert match.view(2)["players"][1]["plan"] is None


@pytest.mark.parametrize("court", [False, True])
def test_entry_of_a_plan(court: bool) -> None:
    # TW-D-14: seat by seat, space by space: the bid, the ten actions, then the three conversions
    match, choose = Match.create("tower", seats=4, seed=2, setup={"court": court}), random.Random(2)
    spaces = ENTRY if court else ENTRY[:11]
    for seat in range(4):
        unused = 5 + 8 + (3 if court else 0)
        for entered, space in enumerate(spaces):
            assert (match.to_act, match.state()["point"]) == (seat, {"plan": entered})
            legal = options(match)
            assert {option["space"] for option in legal} == {space}
            assert len(options(match, "empty")) == (len(spaces) - entered > unused)
            towers = options(match, "tower_card")
            assert len(towers) <= 1
            action = choose.choice(match.legal_actions())
            match.play(action)
            unused -= action.name != "empty"
            plans = [
                sorted(match.view(other)["players"][seat].items()) for other in range(4) if other != seat
            ]
            if match.state()["point"] != "slot":
                assert all(dict(plan)["plan"] is None for plan in plans)
    assert point(match) == "slot"
    assert kinds(match).count("plans_closed") == 1


def test_bids_that_can_be_paid() -> None:
    # TW-D-14, TW-R-13: only on the bid space, and only treasure cards
    for chests in range(6):
        match = Board(3).player(0, chests=chests).province("aki", 0, 1).begin("plan").match()
        assert [one["value"] for one in options(match, "treasure")] == list(range(min(chests, 4) + 1))
        assert len(options(match, "province")) == 1
        play(match, "province", province="aki")
        assert [one["value"] for one in options(match, "treasure")] == [0, 1, 2, 3, 4]


def test_tower_cards_are_one_choice() -> None:
    # TW-D-14, CT-PLAN-06: three times, also on the bid space, and then no more
    match = Board(3, court=True).begin("plan").match()
    for used in range(4):
        assert len(options(match, "tower_card")) == (used < 3)
        if used < 3:
            play(match, "tower_card")
    quietly(match, "slot")
    assert events(match, "bid")[0] == {"seat": 0, "card": "tower", "paid": 0}
