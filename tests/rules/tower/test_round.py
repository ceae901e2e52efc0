"""Course of a season (ROUND): its phases, cards, and when a planned card is turned up."""

import pytest

from rules.tower.board import (
    ACTIONS,
    SEASONS,
    SPECIALS,
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
)  # fmt: skip
from sengoku import Match

HOMES = ("aki", "ise", "kai", "omi", "hida")


def small(seats: int = 3, armies: int = 1, **fields: str) -> Board:
    """Everybody has one province."""
    board = Board(seats, **fields)
    for seat in range(seats):
        board.province(HOMES[seat], seat, armies)
    return board


def bid(match: Match, *slots: int) -> Match:
    """Everybody chooses a slot."""
    for slot in slots:
        play(match, "slot", slot=slot)
    return match


def test_the_rounds_of_a_match() -> None:
    # TW-ROUND-01: spring, summer, autumn, winter; after the first winter the year ends, then the game
    match = quietly(Match.create("tower", seats=4, seed=2), "over")
    words = {"season_begun": "round", "season_over": "round", "year_over": "year", "over": "reason"}
    course = [
        (event["event"], event[words[event["event"]]]) for event in match.log if event["event"] in words
    ]
    seasons = [entry for season in SEASONS for entry in (("season_begun", season), ("season_over", season))]
    assert course == [*seasons, ("year_over", 1), *seasons, ("over", "second_winter")]
    order = kinds(match)
    assert order.index("rice_lost") < order.index("year_over")
    assert [event["cards"] for event in events(match, "events_opened")] != []
    assert [event["year"] for event in events(match, "events_opened")] == [1, 2]


def test_the_phases_of_a_season() -> None:
    # TW-ROUND-02: action cards, special cards, plans and bids, event, turn order, ten actions, clean up
    match = small(round_="setup").begin("season").match()
    assert match.state()["phase"] == 3
    for _ in range(3):
        enter(match, bid="treasure_0")
    assert (match.state()["phase"], point(match)) == (5, "slot")
    bid(match, 1, 2, 3)
    phases = {
        "action_cards": 1, "special_cards": 2, "plans_closed": 3, "event_drawn": 4, "bid": 5, "slot_taken": 5,
        "turn_order": 5, "action_begun": 6, "season_over": 7,
    }  # fmt: skip
    log = kinds(match)
    log = log[: log.index("season_over") + 1]
    order = [phases[kind] for kind in log if kind in phases]
    assert order == [1, 2, 3, 4, *[5] * 7, *[6] * 10, 7]
    assert match.state()["round"] == "summer"
    match = small(armies=3).plan(0, battle_a="aki").begin("battle_a").match()
    assert (match.state()["phase"], match.state()["place"]) == (6, 1)


def test_action_cards_are_laid_out() -> None:
    # TW-ROUND-03: ten cards in random order, 1 to 5 face up, 6 to 10 face down
    first, last = set(), set()
    for seed in range(60):
        match = Match.create("tower", seats=3, seed=seed)
        order = match.state()["action_order"]
        assert sorted(order) == sorted(ACTIONS)
        first.add(order[0])
        last.add(order[9])
        assert events(match, "action_cards") == [{"cards": order[:5]}]
        for seat in range(3):
            assert match.view(seat)["action_order"] == [*order[:5], *[None] * 5]
    assert first == last == set(ACTIONS)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_special_cards_are_laid_out(seats: int) -> None:
    # TW-ROUND-04: all five, face up, one on each slot, whatever the number of players
    layouts = set()
    for seed in range(12):
        match = Match.create("tower", seats=seats, seed=seed)
        cards = match.state()["special_on_slot"]
        layouts.add(tuple(cards))
        assert sorted(cards) == sorted(SPECIALS)
        assert events(match, "special_cards") == [{"cards": cards}]
        assert all(match.view(seat)["special_on_slot"] == cards for seat in range(seats))
    assert len(layouts) > 8


def test_the_layout_of_special_cards_is_new_every_season() -> None:
    # TW-R-12, TW-ROUND-04, TW-ROUND-03: so is that of the action cards
    differ = 0
    for seed in range(4):
        match = quietly(Match.create("tower", seats=3, seed=seed), "over")
        special = [tuple(event["cards"]) for event in events(match, "special_cards")]
        action = [tuple(event["cards"]) for event in events(match, "action_cards")]
        assert len(special) == len(action) == 6
        assert len(set(action)) > 3
        differ += len(set(special))
    assert differ > 20


@pytest.mark.parametrize(
    ("round_", "dice", "drawn"),
    [
        ("spring", [4, 3, 2], 1), ("spring", [4, 3, 1], 2), ("spring", [4, 1, 2], 5),
        ("spring", [1, 3, 2], 9),
        ("summer", [3, 2], 1), ("summer", [3, 1], 2), ("summer", [1, 2], 5),
        ("autumn", [2], 1), ("autumn", [1], 2),
    ],
)  # fmt: skip
def test_the_event_is_drawn_from_those_of_the_year(round_: str, dice: list[int], drawn: int) -> None:
    # TW-ROUND-05: of 4 open cards in spring, 3 in summer, 2 in autumn; the others lie open again
    cards = [1, 2, 5, 9][: len(dice) + 1]
    board = Board(3, round_=round_).player(0, chests=4).begin("plan").set(open_events=cards)
    board.set(event_deck=[card for card in range(1, 13) if card not in (1, 2, 5, 9)][:8])
    match = board.match(dice=dice)
    for seat in range(3):
        enter(match, bid=f"treasure_{seat}")
    state = match.state()
    assert state["event"] == events(match, "event_drawn")[0]["card"] == drawn
    assert state["open_events"] == [card for card in cards if card != drawn]
    assert match.dice_left == 0
    assert match.view(1)["event"] == drawn


def test_one_event_is_left_for_winter() -> None:
    # TW-ROUND-05, TW-ROUND-08: three act and are out of the game, the fourth gives the loss
    match = Match.create("tower", seats=3, seed=5)
    year = match.state()["open_events"]
    quietly(match, "plan", "spring")
    for left in (4, 3, 2):
        assert len(match.state()["open_events"]) == left
        season = match.state()["round"]
        while (match.state()["year"], match.state()["round"]) == (1, season):
            match.play(match.legal_actions()[0])
    drawn = [event["card"] for event in events(match, "event_drawn")]
    assert len(set(drawn)) == 3
    assert set(drawn) < set(year)
    assert {events(match, "rice_lost")[0]["card"]} == set(year) - set(drawn)


def test_actions_in_place_order_players_in_turn_order() -> None:
    # TW-ROUND-06: every player does an action before the next card begins
    board = Board(3).order(2, 0, 1)
    for seat, key in enumerate(("izu", "etchu", "kaga")):
        board.province(key, seat, 1)
    for seat, other in enumerate(("omi", "noto", "kii")):
        board.province(other, seat, 1)
    for seat, (here, there) in enumerate((("izu", "omi"), ("etchu", "noto"), ("kaga", "kii"))):
        board.plan(seat, no=here, rice=there)
    board.begin("rice")
    order = ["rice", "tax", "no", *[action for action in ACTIONS if action not in {"rice", "tax", "no"}]]
    match = board.set(action_order=order).match()
    done = [
        (event["event"], event["seat"]) for event in match.log if event["event"] in {"built", "collected"}
    ]
    assert done == [
        ("collected", 2),
        ("collected", 0),
        ("collected", 1),
        ("built", 2),
        ("built", 0),
        ("built", 1),
    ]
    begun = events(match, "action_begun")
    assert begun == [{"place": place, "action": action} for place, action in enumerate(order, 1)]
    log = kinds(match)
    third = [place for place, kind in enumerate(log) if kind == "action_begun"][2]
    assert "built" not in log[:third]
    assert "collected" not in log[third:]


def test_hidden_action_cards_are_turned_up_one_by_one() -> None:
    # TW-ROUND-07: after the k-th card that of place k + 5; from the sixth on all are known
    board = Board(3).province("ise", 0, 9).province("kii", 0, 1).plan(0, battle_a="ise")
    for place in range(1, 11):
        rest = [action for action in ACTIONS if action != "battle_a"]
        order = [*rest[: place - 1], "battle_a", *rest[place - 1 :]]
        match = board.begin("castle").set(action_order=order).match()
        assert (point(match), match.state()["place"]) == ("battle", place)
        known = min(10, place + 4)
        assert match.state()["action_revealed"] == known
        for seat in range(3):
            assert match.view(seat)["action_order"] == [*order[:known], *[None] * (10 - known)]
        turned = [(event["place"], event["action"]) for event in events(match, "action_revealed")]
        assert turned == list(enumerate(order[5:known], 6))


def test_clean_up() -> None:
    # TW-ROUND-08: plan cards, daimyo card and special card go; the event card is out of the game
    board = small().plan(0, bid="treasure_3", tax="aki", castle="treasure_1").event(8)
    match = board.order(2, 1, 0).begin("clean_up").match()
    state = match.state()
    assert state["round"] == "summer"
    for it in state["players"]:
        assert (it["slot"], it["special"], it["revealed"]) == (0, None, [])
        assert set(it["plan"].values()) == {"empty"}
    assert (state["event"], state["turn_order"], state["place"]) == (None, [], 0)
    assert 8 not in state["open_events"] + state["event_deck"]
    assert 8 in state["used_events"]
    # every card can be planned with again
    assert {action["value"] for action in options(match, "treasure")} == {0, 1, 2, 3, 4}
    assert [action["province"] for action in options(match, "province")] == ["aki"]


def test_after_autumn_the_turn_order_stays() -> None:
    # TW-ROUND-08: until the end of winter, whose revolts follow it; the special cards do not stay
    board = Board(3, round_="autumn").order(2, 0, 1)
    for seat, keys in enumerate((("aki", "iyo", "noto"), ("ise", "kii", "omi"), ("kai", "izu", "hida"))):
        for key in keys:
            board.province(key, seat, 9)
    match = board.begin("clean_up").match(dice=[3, 2] * 3)
    state = match.state()
    assert (state["round"], point(match), match.to_act) == ("winter", "revolt", 2)
    assert state["turn_order"] == [2, 0, 1]
    assert [it["special"] for it in state["players"]] == [None] * 3
    assert [it["slot"] for it in state["players"]] == [2, 3, 1]
    quietly(match, "plan", "spring")
    assert [event["seat"] for event in events(match, "revolts_drawn")] == [2, 0, 1]
    assert match.state()["turn_order"] == []


def test_each_action_once_in_the_one_province_planned() -> None:
    # TW-ROUND-09: ten actions in ten provinces, each done once
    keys = ["izu", "iyo", "noto", "kii", "omi", "ise", "kai", "hida", "etchu", "aki"]
    board = Board(3).player(0, chests=50)
    for key in keys:
        board.province(key, 0, 3)
    board.plan(0, **dict(zip(ACTIONS, keys, strict=True)))
    match = board.begin("castle").match()
    decisions = []
    while match.state()["round"] == "spring":
        decisions.append((point(match), match.state()["action_order"][match.state()["place"] - 1]))
        play(match, "pass") if point(match) == "deploy_move" else match.play(match.legal_actions()[0])
    assert decisions == [("deploy_move", "deploy1"), ("battle", "battle_a"), ("battle", "battle_b")]
    shown = [(event["space"], event["card"]) for event in events(match, "card_revealed")]
    assert shown == list(zip(ACTIONS, keys, strict=True))
    built = [(event["province"], event["building"]) for event in events(match, "built")]
    assert built == [("izu", "castle"), ("iyo", "temple"), ("noto", "no")]
    assert [(event["province"], event["action"]) for event in events(match, "collected")] == [
        ("kii", "rice"), ("omi", "tax"),
    ]  # fmt: skip
    assert [(event["province"], event["armies"]) for event in events(match, "deployed")] == [
        ("ise", 5), ("kai", 3), ("hida", 1),
    ]  # fmt: skip
    gone = [event["from"] for event in match.log if event["event"] in {"moved", "attack"}]
    assert gone == ["etchu", "aki"]


@pytest.mark.parametrize("reveal", ["sequential", "per_action"])
def test_when_a_planned_card_is_turned_up(reveal: str) -> None:
    # TW-R-11: by each player on his turn, or with the option by all as the action begins
    board = Board(3).province("ise", 0, 3).province("kii", 1, 3).province("kai", 2, 3).order(1, 0, 2)
    board.plan(0, battle_a="ise", castle="treasure_4")
    board.plan(1, battle_a="kii").plan(2, battle_a="treasure_2")
    match = board.begin("battle_a").match(reveal=reveal)
    assert match.state()["options"]["reveal"] == reveal
    early = reveal == "per_action"
    assert (match.to_act, point(match)) == (1, "battle")
    for seat in range(3):
        plans = [it["plan"] for it in match.view(seat)["players"]]
        assert plans[1]["battle_a"] == "kii"
        assert plans[0]["battle_a"] == ("ise" if early or seat == 0 else "face_down")
        assert plans[2]["battle_a"] == ("treasure_2" if early or seat == 2 else "face_down")
        assert plans[0]["castle"] == ("treasure_4" if seat == 0 else "face_down")  # its time has not come
    play(match, "move", to="awa-shikoku", armies=1)
    assert (match.to_act, point(match)) == (0, "battle")
    assert match.view(1)["players"][0]["plan"]["battle_a"] == "ise"
    assert match.view(1)["players"][2]["plan"]["battle_a"] == ("treasure_2" if early else "face_down")
    match.play(match.legal_actions()[0])
    # in both, treasure cards are shown with their value
    shown = [(event["seat"], event["space"], event["card"]) for event in events(match, "card_revealed")]
    order = [(1, "battle_a", "kii"), (0, "battle_a", "ise"), (2, "battle_a", "treasure_2")]
    assert shown == [*order, (0, "castle", "treasure_4")]


@pytest.mark.parametrize("reveal", ["sequential", "per_action"])
def test_a_card_is_turned_up_even_if_nothing_can_be_done(reveal: str) -> None:
    # TW-R-11, TW-PLAN-08: and stays public until the season is over
    board = Board(3).province("aki", 0, 1).province("ise", 1, 3).player(0, chests=0)
    board.plan(0, castle="aki").plan(1, battle_a="ise")
    match = board.begin("castle").match(reveal=reveal)
    assert point(match) == "battle"
    assert events(match, "passed") == [{"seat": 0, "action": "castle", "province": "aki", "reason": "chests"}]
    for seat in range(3):
        assert match.view(seat)["players"][0]["plan"]["castle"] == "aki"
    assert "castle" in player(match, 0)["revealed"]
    assert province(match, "aki")["castle"] is False


def test_a_card_turned_up_early_can_still_be_lost() -> None:
    # TW-R-11, TW-R-20, TW-ACT-01: shown as the action began, its province is lost before its player's turn
    board = Board(3).province("ise", 0, 9).province("kii", 1, 2).province("omi", 1, 2)
    board.plan(0, battle_a="ise").plan(1, battle_a="kii")
    match = board.begin("battle_a").match(reveal="per_action")
    assert match.view(0)["players"][1]["plan"]["battle_a"] == "kii"
    play(match, "move", to="kii", armies=5)
    assert match.state()["round"] == "summer"  # seat 1 was not asked
    assert events(match, "card_lost") == [{"seat": 1, "province": "kii", "space": "battle_a"}]


@pytest.mark.parametrize("reveal", ["sequential", "per_action"])
def test_cards_are_turned_up_once(reveal: str) -> None:
    # TW-R-11: on the player's turn, so in turn order, action by action
    board = Board(3).order(2, 0, 1)
    for seat, (here, there) in enumerate((("izu", "omi"), ("etchu", "noto"), ("kaga", "kii"))):
        board.province(here, seat, 1).province(there, seat, 1).plan(seat, tax=here, castle=there)
    match = board.begin("tax").match(reveal=reveal)
    shown = [(event["seat"], event["space"]) for event in events(match, "card_revealed")]
    assert shown == [(seat, space) for space in ("tax", "castle") for seat in (2, 0, 1)]
    log = [entry for entry in kinds(match) if entry in {"card_revealed", "collected"}]
    one_by_one = ["card_revealed", "collected"] * 3 + ["card_revealed"] * 3
    together = ["card_revealed"] * 3 + ["collected"] * 3 + ["card_revealed"] * 3
    assert log == (together if reveal == "per_action" else one_by_one)


def test_what_everybody_may_know() -> None:
    # TW-D-12, TW-D-13: in the middle of a season; only unrevealed plan cards and action cards, decks, and the
    # arrangement inside the tower are hidden
    board = Board(3).province("ise", 0, 3).province("kii", 1, 3).province("omi", 1, 2, "castle", unrest=1)
    board.plan(0, bid="treasure_2", battle_a="ise", tax="treasure_1").plan(1, rice="kii", deploy3="omi")
    board.tray(0, 1, 0, farmers=2).tower([1, 5], [0])
    match = board.begin("battle_a").match(tower_model="ledger")
    state = match.state()
    hidden = {"tower", "event_deck", "draft", "court", "draws", "tower_draws", "action_order", "players"}
    for seat in range(3):
        view = match.view(seat)
        assert {key: value for key, value in view.items() if key not in hidden} == {
            key: value for key, value in state.items() if key not in hidden
        }
        for viewed, known in zip(view["players"], state["players"], strict=True):
            assert {key: viewed[key] for key in known if key != "plan"} == {
                key: known[key] for key in known if key != "plan"
            }
        assert view["action_order"] == [*state["action_order"][:5], *[None] * 5]
        assert [view[key] for key in ("tower", "event_deck", "draws", "tower_draws")] == [None] * 4
        assert view["inside"] == [1, 1, 0, 0, 0, 1]  # public by subtraction
        first, second = (it["plan"] for it in view["players"][:2])
        assert (first["bid"], first["battle_a"]) == ("treasure_2", "ise")  # revealed
        assert first["tax"] == ("treasure_1" if seat == 0 else "face_down")
        assert second["rice"] == ("kii" if seat == 1 else "face_down")
        assert second["castle"] == "empty"  # empty spaces are seen


def test_what_is_hidden_shows_nowhere() -> None:
    # TW-D-12, TW-ROUND-03, TW-PLAN-02, TW-R-11: other cards face down, other hidden action cards, other
    # order of the event deck or inside the tower: seat 2 has the same view, observation, log and choices
    def seen(tax: str, castle: str, order: list[str], deck: list[int], tower: list[int]) -> list[object]:
        board = Board(3).province("ise", 0, 3).province("kii", 0, 3).province("omi", 2, 3).tower(tower)
        board.plan(0, tax=tax, castle=castle).plan(2, battle_a="omi").begin("battle_a")
        match = board.set(action_order=order, event_deck=deck).match(tower_model="ledger")
        assert (match.to_act, point(match)) == (2, "battle")
        return [match.view(2), match.observe(2).tolist(), match.log, options(match), match.picture(2)]

    order = ["battle_a", "rice", "no", "temple", "deploy5", "tax", "castle", "deploy3", "deploy1", "battle_b"]
    deck = [4, 5, 6, 8, 9, 10, 11, 12]
    plain = seen("ise", "treasure_3", order, deck, [0, 1, 5])
    assert seen("treasure_3", "ise", order, deck, [0, 1, 5]) == plain
    assert seen("kii", "treasure_0", order, deck, [0, 1, 5]) == plain
    assert seen("ise", "treasure_3", order[:5] + order[:4:-1], deck, [0, 1, 5]) == plain
    assert seen("ise", "treasure_3", order, deck[::-1], [0, 1, 5]) == plain
    assert seen("ise", "treasure_3", order, deck, [5, 0, 1]) == plain
    assert seen("empty", "treasure_3", order, deck, [0, 1, 5]) != plain  # an empty space is seen (TW-R-41)
    assert seen("ise", "treasure_3", order, deck, [0, 1, 1]) != plain  # and what is in the tower by colour
