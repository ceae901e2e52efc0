"""The state (section 29): what it shows, in which ranges, and which positions are refused."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from rules.tower import sound
from rules.tower.board import Board, enter, events, options, play, player, point, province
from rules.tower.throws import heap
from sengoku import Match
from sengoku.errors import SetupError

SETUPS: list[tuple[int, dict[str, Any]]] = [
    (3, {"court": True}),
    (4, {"side": "moon"}),
    (5, {"mode": "draft", "court": True, "bump_probability": 0.3}),
]


def random_matches(every: int) -> Iterator[Match]:
    """Matches of random decisions, yielded at regular intervals of decisions and at the end."""
    for seats, setup in SETUPS:
        choose = random.Random(seats)
        match = Match.create("tower", seats=seats, seed=seats, setup=setup)
        while not match.over:
            if match.decisions % every == 0 or point(match) != "plan":
                yield match
            match.play(choose.choice(match.legal_actions()))
        yield match


def test_states_of_random_matches() -> None:
    # TW-ST-01 to TW-ST-20, CT-ST-01 to CT-ST-04, TW-TOWER-04 and TW-TOWER-05, as `sound` says each by its id
    points = set()
    for match in random_matches(10):
        sound.check(match.state())
        points.add(point(match))
    assert points >= {
        "draft_card",
        "draft_group",
        "plan",
        "slot",
        "favour",
        "deploy_move",
        "battle",
        "revolt",
        "over",
    }


def test_options_in_the_state() -> None:
    # TW-ST-01; the seed is with the match, not in the state
    setup = {
        "side": "moon", "mode": "draft", "court": True, "reveal": "per_action", "allow_zero_move": True,
        "event12_rice_loss": 1, "favour_deck": "hidden", "colours": ["black", "red", "blue"],
    }  # fmt: skip
    match = Match.create("tower", seats=3, seed=77, setup=setup | {"bump_probability": 0.5})
    shown = match.state()["options"]
    assert shown.items() >= {key: value for key, value in setup.items() if key != "colours"}.items()
    assert shown["colours"][:3] == setup["colours"]
    assert (shown["seats"], shown["bump_65536"], match.seed) == (3, 32768, 77)


def test_time_in_the_state() -> None:
    # TW-ST-02: year, round, phase, place and player
    board = Board(3, round_="summer", year=2).province("omi", 0, 3).province("kai", 2, 3)
    match = board.plan(0, battle_a="omi").plan(2, battle_b="kai").order(1, 2, 0).begin("battle_a").match()
    shown = match.state()
    assert (shown["year"], shown["round"], shown["phase"], shown["place"]) == (2, "summer", 6, 1)
    assert (shown["turn"], shown["decider"], match.to_act) == (2, 0, 0)
    match.play(match.legal_actions()[0])
    shown = match.state()
    assert (shown["place"], shown["turn"], match.to_act) == (10, 1, 2)
    match = Board(3, court=True).officers(1, entrance=4).begin("court").match()
    assert (match.state()["phase"], match.to_act) == (7, 1)


@pytest.mark.parametrize(
    ("seats", "side", "count"), [(3, "sun", 37), (3, "moon", 37), (4, "moon", 45), (5, "sun", 45)]
)
def test_left_out_provinces_are_absent(seats: int, side: str, count: int) -> None:
    # TW-ST-03, TW-BOARD-04
    out = {
        "sun": {"izumo", "iwami", "sanuki", "tosa", "echigo", "mutsu", "kazusa", "awa-boso"},
        "moon": {"iwami", "aki", "iyo", "tosa", "mutsu", "shimotsuke", "hitachi", "shimosa"},
    }[side]
    provinces = set(Match.create("tower", seats=seats, setup={"side": side}).state()["provinces"])
    assert len(provinces) == count
    assert provinces.isdisjoint(out) == (seats == 3)


def test_a_province_in_the_state() -> None:
    # TW-ST-03, TW-ST-04, TW-ST-05, TW-ST-06: as it was set, and as it becomes
    board = Board(3).province("etchu", 0, 7, "castle", "temple", unrest=2).plan(0, no="etchu").begin("no")
    match = board.match()
    assert province(match, "etchu") == {
        "owner": 0, "armies": 7, "castle": True, "temple": True, "no": True, "unrest": 2,
    }  # fmt: skip
    assert province(match, "kaga") == {
        "owner": None, "armies": 0, "castle": False, "temple": False, "no": False, "unrest": 0,
    }  # fmt: skip
    assert match.state()["tiles"] == {"castle": 27, "temple": 25, "no": 25}  # TW-ST-11


def test_cubes_in_the_state() -> None:
    # TW-ST-07, TW-ST-08, TW-ST-09: 62 and 20 less what is elsewhere; shelves in order, the oldest first
    board = Board(3).province("omi", 0, 7).tray(1, 0, 3, farmers=4).tower([2, 5, 0, 2], [1]).begin("plan")
    state = board.match(tower_model="ledger").state()
    assert state["supply"] == heap(62 - 7 - 1 - 1, 62 - 1, 62 - 3 - 2, farmers=20 - 4 - 1)
    assert state["tray"] == heap(1, 0, 3, farmers=4)
    assert state["tower"] == [[2, 5, 0, 2], [1], []]
    assert state["inside"] == heap(1, 1, 2, farmers=1)


def test_counters_in_the_state() -> None:
    # TW-ST-10
    match = Board(3).player(1, chests=7, rice=12, score=90).begin("plan").match()
    assert [player(match, 1)[field] for field in ("chests", "rice", "score")] == [7, 12, 90]


def test_a_plan_in_the_state() -> None:
    # TW-ST-12: card by space, and which are turned up
    board = Board(3, court=True).province("omi", 0, 4).province("kai", 0, 3)
    board.plan(0, battle_a="omi", battle_b="kai", tax="treasure_4", convert2="tower", bid="treasure_3")
    match = board.begin("battle_a").match()
    plan = {space: card for space, card in player(match, 0)["plan"].items() if card != "empty"}
    assert plan == {
        "battle_a": "omi", "battle_b": "kai", "tax": "treasure_4", "convert2": "tower", "bid": "treasure_3",
    }  # fmt: skip
    assert sorted(player(match, 0)["revealed"]) == ["battle_a", "bid"]
    match.play(match.legal_actions()[0])
    assert sorted(player(match, 0)["revealed"]) == ["battle_a", "battle_b", "bid", "tax"]


def test_slots_and_actions_in_the_state() -> None:
    # TW-ST-13, TW-ST-14, TW-ST-17: who has which slot and special card; who still chooses, and in which order
    board = Board(3).plan(0, bid="treasure_1").plan(1, bid="treasure_4").plan(2, bid="treasure_2")
    match = board.begin("bids").match()
    assert match.state()["bid_order"] == [1, 2, 0]
    assert [match.state()["players"][seat]["revealed"] for seat in range(3)] == [["bid"]] * 3
    play(match, "slot", slot=5)
    state = match.state()
    assert (state["bid_order"], state["turn_order"]) == ([2, 0], [])
    assert player(match, 1)["special"] == state["special_on_slot"][4]
    assert (state["action_revealed"], len(set(state["action_order"]))) == (5, 10)
    board = Board(3).province("omi", 0, 3).plan(0, battle_b="omi").order(2, 0, 1).begin("castle")
    state = board.match().state()
    assert (state["turn_order"], state["place"], state["action_revealed"]) == ([2, 0, 1], 10, 10)


def test_events_in_the_state() -> None:
    # TW-ST-15: deck, open, current and used cards are 12
    match = Match.create("tower", seats=3, seed=5)
    for _ in range(3):
        enter(match)
    state = match.state()
    (drawn,) = events(match, "event_drawn")
    assert state["event"] == drawn["card"]
    assert (len(state["event_deck"]), len(state["open_events"]), state["used_events"]) == (8, 3, [])
    while match.state()["round"] == "spring":
        match.play(match.legal_actions()[0])
    assert (match.state()["event"], match.state()["used_events"]) == (None, [drawn["card"]])


def test_the_draft_in_the_state() -> None:
    # TW-ST-16: deck, open cards, groups, the pair last chosen from, and the card in hand
    match = Match.create("tower", seats=4, seed=5, setup={"mode": "draft"})
    state = match.state()
    pair = state["draft"]["open"]
    assert len(state["draft"]["deck"]) == 43
    assert [it["last_pair"] for it in state["players"]] == [None] * 4
    play(match, "open", position=1)
    state = match.state()
    assert (state["draft"]["taken"], state["draft"]["open"]) == (pair[1], [pair[0], None])  # TW-R-40
    play(match, "group", armies=3)
    state = match.state()
    assert (state["draft"]["taken"], state["decider"]) == (None, 1)
    assert state["players"][0]["groups"] == [5, 4, 4, 3, 2, 2, 2]
    assert state["players"][0]["last_pair"] == sorted(pair)
    assert len(state["draft"]["deck"]) == 42


def test_winter_in_the_state() -> None:
    # TW-ST-18: shortage of each, the revolts to come, extra farmers
    board = Board(3).event(7)
    for place in ("aki", "bingo", "bitchu", "echizen", "etchu", "harima", "hida"):
        board.province(place, 1, 5)
    match = board.begin("winter").match(dice=[7, 6, 5, 4, 3, 2])
    state = match.state()
    assert [it["shortage"] for it in state["players"]] == [0, 7, 0]
    assert (state["pending"], state["extra_farmers"]) == (["aki", "bingo", "bitchu"], 3)
    play(match, "province", province="bingo")
    assert match.state()["pending"] == ["aki", "bitchu"]


def test_streams_in_the_state() -> None:
    # TW-ST-19: how far both streams are, so that a saved match and a position go on as the match would have
    match, choose = Match.create("tower", seats=3, seed=6), random.Random(6)
    for _ in range(40):
        match.play(choose.choice(match.legal_actions()))
    again = Match.create("tower", seats=3, seed=6, setup={"position": match.state()})
    loaded = Match.load(match.save())
    assert match.state()["draws"] > 0
    assert match.state()["tower_draws"] > 0
    while not match.over:
        action = choose.choice(match.legal_actions())
        for one in (match, again, loaded):
            one.play(action)
    assert match.state() == again.state() == loaded.state()


def test_officers_and_favours_in_the_state() -> None:
    # CT-ST-01, CT-ST-02, CT-ST-03, CT-ST-04
    board = Board(3, court=True).officers(0, entrance=3).officers(2, entrance=5).favours(18, 12, 4)
    match = board.province("kai", 2, 1).begin("court").match()
    state = match.state()
    assert (state["court"]["laid"], len(state["court"]["deck"])) == ([18, 12, 4], 18)
    assert (state["court"]["order"], state["court"]["turn"], state["court"]["taken"]) == ([2, 0], 0, None)
    assert player(match, 2)["officers"] == {"supply": 2, "entrance": 0, "hall": 5}
    assert player(match, 0)["officers"] == {"supply": 4, "entrance": 3, "hall": 0}
    play(match, "favour", card=18)
    assert (player(match, 2)["kept"], match.state()["court"]["laid"]) == ([18], [None, 12, 4])
    assert player(match, 2)["officers"] == {"supply": 6, "entrance": 0, "hall": 1}
    play(match, "favour", card=12)
    assert (match.state()["court"]["taken"], match.state()["court"]["turn"]) == (12, 1)
    play(match, "province", province="omi")
    assert point(match) == "plan"  # the season is over, and with it the protection
    assert [player(match, seat)["kept"] for seat in range(3)] == [[], [], []]
    assert player(match, 2)["officers"] == {"supply": 6, "entrance": 1, "hall": 0}


def test_markers_of_a_year() -> None:
    # TW-ST-20, TW-ST-06: from one province at most once a season, so at most three markers
    match = Board(3).province("etchu", 0, 40).begin("plan").match()
    for _ in range(3):
        enter(match, tax="etchu")
        enter(match)
        enter(match)
        season = match.state()["round"]
        while match.state()["round"] == season:
            match.play(match.legal_actions()[0])
    markers = [event["markers"] for event in events(match, "unrest")]
    assert markers == [1, 2, 3]


def test_cards_are_derived() -> None:
    # TW-ST-20: the owner of a province has its card; a position with another owner needs nothing else
    board = Board(3).province("omi", 0, 2).province("kai", 1, 2)
    assert [one["province"] for one in options(board.begin("plan").match(), "province")] == ["omi"]
    board.province("kai", 0, 2)
    assert [one["province"] for one in options(board.begin("plan").match(), "province")] == ["kai", "omi"]


Change = Callable[[dict[str, Any]], object]


def _set(*path: Any, value: Any) -> Change:
    def change(state: dict[str, Any]) -> None:
        table: Any = state
        for key in path[:-1]:
            table = table[key]
        table[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (_set("options", "seats", value=6), "options.seats"),  # TW-ST-01
        (_set("options", "bump_65536", value=70000), "options.bump_65536"),
        (_set("year", value=3), "year"),  # TW-ST-02
        (_set("year", value=0), "year"),
        (_set("round", value="winter"), "round"),
        (_set("decider", value=3), "decider"),
        (_set("provinces", "omi", "owner", value=3), "provinces.omi.owner"),  # TW-ST-03
        (_set("provinces", "tosa", value={"owner": 1, "armies": 1}), "provinces.tosa"),
        (_set("provinces", "omi", "armies", value=0), "provinces.omi.armies"),  # TW-ST-04
        (_set("provinces", "aki", "armies", value=1), "provinces.aki"),
        (_set("provinces", "kai", "temple", value=True), "provinces.kai.castle"),  # TW-ST-05: 1 site
        (_set("provinces", "aki", "no", value=True), "provinces.aki"),
        (_set("provinces", "omi", "unrest", value=4), "provinces.omi.unrest"),  # TW-ST-06
        (_set("provinces", "aki", "unrest", value=1), "provinces.aki"),
        (_set("supply", 0, value=58), "supply[0]"),  # TW-ST-07, TW-TOWER-04
        (_set("supply", 5, value=19), "supply[5]"),
        (_set("supply", 3, value=1), "supply[3]"),
        (_set("tower", value=[[1]]), "supply[1]"),  # TW-ST-08
        (_set("tower", value=[[6]]), "tower"),
        (_set("tray", 2, value=1), "supply[2]"),  # TW-ST-09
        (_set("players", 0, "chests", value=-1), "players[0].chests"),  # TW-ST-10
        (_set("players", 0, "plan", "bid", value="kai"), "players[0].plan.bid"),  # TW-ST-12
        (_set("players", 0, "plan", "tax", value="omi"), "players[0].plan.battle_a"),
        (_set("players", 0, "plan", "tax", value="treasure_5"), "players[0].plan.tax"),
        (_set("players", 1, "slot", value=1), "players[0].slot"),  # TW-ST-13
        (_set("players", 1, "slot", value=6), "players[1].slot"),
        (_set("special_on_slot", 0, value="six_armies"), "special_on_slot"),
        (_set("turn_order", value=[0, 1]), "turn_order"),
        (_set("action_order", 0, value="tax"), "action_order"),  # TW-ST-14
        (_set("action_revealed", value=4), "action_revealed"),
        (_set("action_revealed", value=9), "action_revealed"),
        (_set("place", value=11), "place"),
        (_set("event", value=13), "event_deck"),  # TW-ST-15
        (_set("event", value=None), "event"),
        (_set("event_deck", value=[1, 2]), "event_deck"),
        (_set("open_events", value=[4, 5]), "open_events"),
        (_set("draft", "taken", value="aki"), "draft"),  # TW-ST-16
        (_set("players", 2, "groups", value=[2]), "supply[2]"),
        (_set("bid_order", value=[0]), "bid_order"),  # TW-ST-17
        (_set("pending", value=["omi"]), "pending"),  # TW-ST-18
        (_set("players", 0, "shortage", value=3), "players[0].shortage"),
        (_set("players", 0, "officers", "supply", value=6), "players[0].officers"),  # CT-ST-01
        (_set("players", 0, "officers", value={"supply": 6, "hall": 1}), "players[0].officers.hall"),
        (_set("court", "deck", value=[1, 2, 3]), "court.deck"),  # CT-ST-02
        (_set("court", "laid", value=[5, 4, 3]), "court.laid"),
        (_set("players", 0, "kept", value=[5]), "players[0].kept"),  # CT-ST-03
        (_set("court", "order", value=[0]), "court.order"),  # CT-ST-04
        (_set("court", "taken", value=3), "court.taken"),
        (_set("weather", value="rain"), "weather"),
    ],
)  # fmt: skip
def test_positions_that_cannot_be(change: Change, field: str) -> None:
    # TW-ST-01 to TW-ST-18, CT-ST-01 to CT-ST-04: each is refused with its field
    board = Board(3, court=True).province("omi", 0, 3).province("kai", 1, 2, "castle").plan(0, battle_a="omi")
    state = board.begin("battle_a").position()
    Match.create("tower", seats=3, setup={"position": state})
    wrong = deepcopy(state)
    change(wrong)
    with pytest.raises(SetupError) as refused:
        Match.create("tower", seats=3, setup={"position": wrong})
    assert refused.value.details["field"] == f"position.{field}"
