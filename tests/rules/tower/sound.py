"""Invariants of a state of `tower`, written from the ledger (sections 28, 29), not from the code."""

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from rules.tower.board import ACTIONS, ENTRY, SEASONS, SPECIALS

State = dict[str, Any]

POINTS = {
    "draft_refresh", "draft_card", "draft_group", "plan", "slot", "favour", "favour_event", "favour_unrest",
    "favour_armies", "favour_building", "kept", "deploy_move", "battle", "revolt", "over",
}  # fmt: skip
"""Decision points, and the end of the match."""
PHASES = {"plan": 3, "slot": 5, "kept": 6, "deploy_move": 6, "battle": 6}
"""The phase of TW-ROUND-02 by point; with the expansion (CT-ROUND-01) planning is the fourth, and so on."""
COURT_PHASES = {"plan": 4, "slot": 6, "kept": 8, "deploy_move": 8, "battle": 8}
TILES = {"castle": 28, "temple": 26, "no": 26}
GROUPS = {3: [5, 4, 4, 3, 3, 2, 2, 2, 2], 4: [5, 4, 4, 3, 3, 2, 2, 2], 5: [5, 4, 4, 3, 3, 2, 2]}


@cache
def side_data(side: str) -> dict[str, dict[str, Any]]:
    """The provinces of a side in the board data."""
    path = Path(__file__).parents[3] / "rust/tower/data/tower_boards.toml"
    return {row["id"]: row for row in tomllib.loads(path.read_text("utf-8"))[side]["province"]}


def point_of(state: State) -> str:
    """The point of play, by name."""
    found = state["point"]
    return str(found) if isinstance(found, str) else str(next(iter(found)))


def check_time(state: State) -> None:
    """TW-ST-01, TW-ST-02, TW-ST-19."""
    options = state["options"]
    seats, at = options["seats"], point_of(state)
    assert seats in {3, 4, 5}
    assert len(state["players"]) == seats
    assert options["side"] in {"sun", "moon"}
    assert options["mode"] == "draft" or options["side"] == "sun"
    assert state["year"] in {1, 2}
    assert at in POINTS
    if at.startswith("draft"):
        assert (state["year"], state["round"]) == (1, "setup")
    elif at == "revolt":
        assert state["round"] == "winter"
    elif at not in {"kept", "over"}:
        assert state["round"] in SEASONS
    if state["round"] in SEASONS and at != "over":
        phases = COURT_PHASES if options["court"] else PHASES
        assert state["phase"] == phases.get(at, 7)
    acting = at in {"deploy_move", "battle"} or (at == "kept" and state["round"] != "winter")
    assert state["place"] in (range(1, 11) if acting else range(1))
    if acting or at == "revolt":
        assert state["turn_order"][state["turn"]] == state["decider"]
    assert state["draws"] >= 0
    assert state["tower_draws"] >= 0


def check_provinces(state: State) -> None:
    """TW-ST-03 to TW-ST-06, TW-ST-11, TW-ST-20, TW-BOARD-04, TW-BOARD-06, TW-BOARD-07, TW-R-02."""
    seats = state["options"]["seats"]
    data = side_data(state["options"]["side"])
    assert list(state["provinces"]) == [
        key for key, row in data.items() if seats > 3 or not row["left_out_with_three"]
    ]
    built = Counter(dict.fromkeys(TILES, 0))
    for key, it in state["provinces"].items():
        assert it["owner"] is None or it["owner"] in range(seats)  # TW-TOWER-05: never a farmer
        assert it["armies"] in (range(1) if it["owner"] is None else range(1, 63))
        buildings = [kind for kind in TILES if it[kind]]
        built.update(buildings)
        assert len(buildings) <= data[key]["sites"]
        assert it["unrest"] in range(4)
        assert it["owner"] is not None or not (buildings or it["unrest"])
    assert sum(it["unrest"] for it in state["provinces"].values()) <= 42
    assert state["tiles"] == {kind: most - built[kind] for kind, most in TILES.items()}


def check_cubes(state: State) -> None:
    """TW-ST-07 to TW-ST-09, TW-TOWER-04, TW-TOWER-05: no cube is created or lost."""
    seats = state["options"]["seats"]
    inside = Counter(cube for shelf in state["tower"] for cube in shelf)
    assert set(inside) <= {*range(seats), 5}
    assert state["inside"] == [inside[colour] for colour in range(6)]
    for shelf, size in zip(state["tower"], state["tower_model"]["shelves"], strict=False):
        assert len(shelf) <= size["capacity"]
    for seat in range(5):
        armies = sum(it["armies"] for it in state["provinces"].values() if it["owner"] == seat)
        waiting = sum(state["players"][seat]["groups"]) if seat < seats else 0
        count = state["supply"][seat] + armies + inside[seat] + state["tray"][seat] + waiting
        assert count == (62 if seat < seats else 0), f"TW-TOWER-04: seat {seat}"
    assert state["supply"][5] + inside[5] + state["tray"][5] == 20, "TW-TOWER-04: farmers"
    assert min(state["supply"] + state["tray"]) >= 0


def check_plans(state: State) -> None:
    """TW-ST-10, TW-ST-12."""
    spaces = 14 if state["options"]["court"] else 11
    at, entered = point_of(state), state["point"].get("plan") if isinstance(state["point"], dict) else None
    for seat, player in enumerate(state["players"]):
        assert min(player["chests"], player["rice"], player["score"]) >= 0
        own = {key for key, it in state["provinces"].items() if it["owner"] == seat}
        cards = Counter(card for card in player["plan"].values() if card != "empty")
        assert cards["tower"] <= (3 if spaces == 14 else 0)
        assert all(count == 1 for card, count in cards.items() if card != "tower")
        assert set(cards) <= own | {f"treasure_{value}" for value in range(5)} | {"tower"}
        assert all(player["plan"][space] == "empty" for space in ENTRY[spaces:])
        assert all(player["plan"][space] != "empty" for space in player["revealed"])
        if at == "plan":
            done = spaces if seat < state["decider"] else entered if seat == state["decider"] else 0
            assert player["revealed"] == []
            assert all(player["plan"][space] == "empty" for space in ENTRY[done:])
            if done == spaces:
                assert sum(cards.values()) == min(spaces, len(own) + spaces - 6)  # TW-PLAN-03, CT-PLAN-02
        elif at not in {"slot", "favour", "kept", "battle", "deploy_move"} and not at.startswith("favour"):
            assert sum(cards.values()) == 0


def check_order(state: State) -> None:
    """TW-ST-13, TW-ST-14, TW-ST-17."""
    at, players = point_of(state), state["players"]
    laid = at not in {"revolt", "over"} and not at.startswith("draft") and state["round"] != "winter"
    assert sorted(state["special_on_slot"]) == (sorted(SPECIALS) if laid else [])
    assert sorted(state["action_order"]) == (sorted(ACTIONS) if laid else [])
    assert state["action_revealed"] == (min(10, 4 + max(1, state["place"])) if laid else 0)
    taken = [player["slot"] for player in players if player["slot"]]
    assert len(taken) == len(set(taken))
    assert set(taken) <= {1, 2, 3, 4, 5}
    if at == "slot":
        choosing = [seat for seat, player in enumerate(players) if not player["slot"]]
        assert sorted(state["bid_order"]) == choosing
        assert state["bid_order"][0] == state["decider"]
    else:
        assert state["bid_order"] == []
    if at in {"plan", "slot"} or at.startswith("draft"):
        assert state["turn_order"] == []
    elif at != "over":
        assert state["turn_order"] == sorted(range(len(players)), key=lambda seat: players[seat]["slot"])
    for player in players:
        special = state["special_on_slot"][player["slot"] - 1] if laid and player["slot"] else None
        assert player["special"] == special


def check_events(state: State) -> None:
    """TW-ST-15: 12 cards in total."""
    if point_of(state).startswith("draft"):
        return
    cards = [*state["event_deck"], *state["open_events"], *state["used_events"]]
    cards += [state["event"]] if state["event"] is not None else []
    assert sorted(cards) == list(range(1, 13))
    assert len(state["event_deck"]) == 12 - 4 * state["year"]
    assert len(state["open_events"]) <= 4


def check_draft(state: State) -> None:
    """TW-ST-16."""
    draft, seats = state["draft"], state["options"]["seats"]
    if not point_of(state).startswith("draft"):
        assert draft == {"deck": [], "open": [None, None], "taken": None}
        assert all((it["groups"], it["last_pair"]) == ([], None) for it in state["players"])
        return
    cards = [
        *draft["deck"],
        *[card for card in draft["open"] if card],
        *([draft["taken"]] if draft["taken"] else []),
    ]
    neutral = [key for key, it in state["provinces"].items() if it["owner"] is None]
    assert sorted(cards) == neutral
    assert (draft["taken"] is not None) == (point_of(state) == "draft_group")
    for player in state["players"]:
        assert not Counter(player["groups"]) - Counter(GROUPS[seats])
    sizes = [len(player["groups"]) for player in state["players"]]
    assert max(sizes) - min(sizes) <= 1


def check_winter(state: State) -> None:
    """TW-ST-18."""
    if point_of(state) == "revolt":
        assert len(state["pending"]) in {2, 3}  # of one there is no choice
        assert state["extra_farmers"] in {2, 3}
        assert all(state["provinces"][key]["owner"] == state["decider"] for key in state["pending"])
        assert state["players"][state["decider"]]["shortage"] >= 3
    elif state["round"] != "winter":
        assert (state["pending"], state["extra_farmers"], state["revolt"]) == ([], 0, None)
        assert all(player["shortage"] == 0 for player in state["players"])


def check_court(state: State) -> None:
    """CT-ST-01 to CT-ST-04."""
    court, at = state["court"], point_of(state)
    kept = [card for player in state["players"] for card in player["kept"]]
    if not state["options"]["court"]:
        assert (court["deck"], court["laid"], kept) == ([], [None] * 3, [])
        assert all(sum(player["officers"].values()) == 0 for player in state["players"])
        return
    for player in state["players"]:
        officers = player["officers"]
        if not at.startswith("draft"):
            assert sum(officers.values()) == 7
        assert min(officers.values()) >= 0
        assert officers["hall"] == 0 or at.startswith("favour")
    laid = [card for card in court["laid"] if card is not None]
    cards = [*court["deck"], *laid, *kept, *([court["taken"]] if court["taken"] else [])]
    assert len(cards) == len(set(cards))
    assert set(cards) <= set(range(1, 22))
    assert laid == sorted(laid, reverse=True)
    assert set(kept) <= {4, 10, 11, 18}
    if state["round"] == "winter" or at in {"plan", "slot"} or at.startswith("draft"):
        assert set(kept) <= {4}
    if not at.startswith("draft"):
        seasons = SEASONS.index(state["round"]) + 1 if state["round"] in SEASONS else 3
        assert len(court["deck"]) == 21 - 3 * (seasons + 3 * (state["year"] - 1))
    if at in {"plan", "slot"}:
        assert len(laid) == 3
    if at.startswith("favour"):
        assert court["order"][court["turn"]] == state["decider"]
        assert (court["taken"] is None) == (at == "favour")
    else:
        assert (court["order"], court["turn"], court["taken"]) == ([], 0, None)


CHECKS = (
    check_time, check_provinces, check_cubes, check_plans, check_order, check_events, check_draft,
    check_winter, check_court,
)  # fmt: skip


def check(state: State) -> None:
    """Everything that must hold between two decisions."""
    for one in CHECKS:
        one(state)
