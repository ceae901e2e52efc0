"""The 21 favour cards (CT-CARD), but for what happens to cards that are kept."""

import re
from pathlib import Path

import pytest

from rules.court.hall import audience, beside, court, kept, officers, take, taken, targets
from rules.tower.board import FARMER, Board, events, kinds, options, play, player, point, province, quietly
from sengoku import Match

DATA = Path(__file__).parents[3] / "rust" / "tower" / "data" / "tower_boards.toml"
LEFT_OUT = {"awa-boso", "echigo", "iwami", "izumo", "kazusa", "mutsu", "sanuki", "tosa"}
CHESTS, RICE, POINTS, TRAY = (
    {2: 2, 9: 4, 16: 6},
    {5: 2, 15: 3, 20: 4},
    {6: 1, 13: 2, 19: 3},
    {3: 2, 8: 3, 14: 4},
)
BUILDINGS = {7: "no", 17: "temple", 21: "castle"}


def gained(match: Match) -> dict[str, int]:
    """What seat 0 has more than at the beginning of a board: 20 chests, no rice, no points, an empty tray."""
    found = player(match, 0)
    more = {"chests": found["chests"] - 20, "rice": found["rice"], "score": found["score"]}
    more["tray"] = match.state()["tray"][0]
    return {what: count for what, count in more.items() if count}


# --- amounts


@pytest.mark.parametrize(("card", "chests"), CHESTS.items())
def test_chests(card: int, chests: int) -> None:
    # CT-CARD-01, CT-R-06: favours 2, 9, 16 give 2, 4, 6 chests from the bank
    match = taken(card)
    assert gained(match) == {"chests": chests}
    assert events(match, "favour_gained") == [{"seat": 0, "kind": "chests", "amount": chests}]
    assert player(match, 1)["chests"] == 20


@pytest.mark.parametrize(("card", "rice"), RICE.items())
def test_rice(card: int, rice: int) -> None:
    # CT-CARD-01, CT-R-06: favours 5, 15, 20 give 2, 3, 4 rice
    assert gained(taken(card)) == {"rice": rice}


@pytest.mark.parametrize(("card", "points"), POINTS.items())
def test_points(card: int, points: int) -> None:
    # CT-CARD-01, CT-R-06: favours 6, 13, 19 give 1, 2, 3 points, at once
    match = taken(card)
    assert gained(match) == {"score": points}
    assert player(match, 0)["tally"][0]["favours"] == points


@pytest.mark.parametrize(("card", "armies"), TRAY.items())
def test_armies_to_the_tray(card: int, armies: int) -> None:
    # CT-CARD-01, CT-R-06: favours 3, 8, 14 put 2, 3, 4 armies from supply into the tray, without a throw
    board = court().tower([0, 1], [FARMER, 0]).tray(1, 2, farmers=1)
    match = taken(card, board, tower_model="ledger")
    state = match.state()
    assert state["tray"] == [1 + armies, 2, 0, 0, 0, 1]
    assert state["supply"][0] == 62 - 2 - 1 - armies
    assert state["tower"] == [[0, 1], [FARMER, 0], []]  # TW-TOWER-12
    assert state["tower_draws"] == board.state["tower_draws"]
    assert "thrown" not in kinds(match)


@pytest.mark.parametrize(("card", "armies"), TRAY.items())
@pytest.mark.parametrize("more", [-1, 0])
def test_armies_to_the_tray_from_a_small_supply(card: int, armies: int, more: int) -> None:
    # CT-R-09: all or nothing; with enough it is mandatory (nothing is asked)
    there = armies + more
    match = taken(card, court().province("aki", 0, 62 - there))
    possible = more == 0
    assert match.to_act == 1
    assert match.state()["tray"][0] == (armies if possible else 0)
    assert match.state()["supply"][0] == (0 if possible else there)
    assert ("favour_without_effect" in kinds(match)) == (not possible)


def test_amounts_rise_within_a_class() -> None:
    # CT-R-06: a higher number is worth more
    for cards in (CHESTS, RICE, POINTS, TRAY):
        amounts = [sum(gained(taken(card)).values()) for card in sorted(cards)]
        assert amounts == sorted(set(amounts))


@pytest.mark.parametrize(
    ("card", "event", "special", "more"),
    [
        (16, "tax_max_5", "chest_plus_1", {"chests": 6}),
        (2, "tax_min_6", "chest_plus_1", {"chests": 2}),
        (20, "rice_max_3", "rice_plus_1", {"rice": 4}),
        (5, "rice_min_4", "rice_plus_1", {"rice": 2}),
        (14, "few_recruits", "six_armies", {"tray": 4}),
        (8, "few_recruits", "six_armies", {"tray": 3}),
    ],
)
def test_events_and_special_cards_do_not_change_favours(
    card: int, event: str, special: str, more: dict[str, int]
) -> None:
    # CT-CARD-04: favour gains are not actions
    assert gained(taken(card, court().event(event).specials({0: special}))) == more


def test_favour_12_is_no_deployment() -> None:
    # CT-CARD-04: 3 armies under few_recruits and with six_armies, free of charge
    board = (
        court().province("aki", 0, 1).event("few_recruits").specials({0: "six_armies"}).player(0, chests=0)
    )
    match = play(taken(12, board), "province", province="aki")
    assert (province(match, "aki")["armies"], player(match, 0)["chests"]) == (4, 0)


def edited(card: int, **fields: object) -> str:
    """The board data with other words on one favour card."""
    text = DATA.read_text("utf-8")
    start = re.search(rf"^number = {card}$", text, re.MULTILINE)
    assert start is not None
    head, rest = text[: start.end()], text[start.end() :]
    for field, value in fields.items():
        word = f'"{value}"' if isinstance(value, str) else str(value)
        rest = re.sub(rf"^{field} = .*$", f"{field} = {word}", rest, count=1, flags=re.MULTILINE)
    return head + rest


@pytest.mark.parametrize(
    ("card", "amount", "more"),
    [(2, 3, {"chests": 3}), (20, 9, {"rice": 9}), (13, 5, {"score": 5}), (3, 7, {"tray": 7})],
)
def test_amounts_can_be_replaced(card: int, amount: int, more: dict[str, int]) -> None:
    # CT-R-06, CT-CARD-01: amounts are board data
    assert gained(taken(card, board=edited(card, amount=amount))) == more


@pytest.mark.parametrize(
    ("card", "kind", "building"), [(7, "build_castle", "castle"), (21, "build_no", "no")]
)
def test_depicted_buildings_can_be_replaced(card: int, kind: str, building: str) -> None:
    # CT-R-07: pictures are board data
    match = taken(card, court().province("kaga", 0, 1), board=edited(card, kind=kind))
    assert [event["building"] for event in events(match, "built")] == [building]


def test_depicted_actions_can_be_replaced() -> None:
    # CT-R-07
    swapped = edited(10, kind="immune_b")
    assert (protects(10, "battle_a", board=swapped), protects(10, "battle_b", board=swapped)) == (False, True)


# --- favour 1: the event


def two_taxes() -> Board:
    """Seats 0 and 1 collect taxes of 7 each under an event that allows 5."""
    board = court().province("settsu", 0, 2).province("etchu", 1, 2).event("tax_max_5")
    board.specials({0: "attack_plus_1", 1: "defence_plus_1"})
    return board.plan(0, tax="settsu").plan(1, tax="etchu")


@pytest.mark.parametrize(("choice", "chests"), [("remove_event", 7), ("pass", 5)])
def test_the_event_is_removed_or_left(choice: str, chests: int) -> None:
    # CT-CARD-01, CT-D-02: removed, it applies to nobody; the taker may leave it
    match = taken(1, two_taxes())
    assert (point(match), match.to_act) == ("favour_event", 0)
    assert options(match) == [{"name": "pass"}, {"name": "remove_event"}]
    play(match, choice)
    removed = choice == "remove_event"
    assert events(match, "event_removed") == [{"seat": 0, "removed": removed}]
    assert [match.view(seat)["event_removed"] for seat in range(3)] == [removed] * 3
    assert (point(match), match.to_act) == ("favour", 1)
    play(match, "pass")
    assert [event["amount"] for event in events(match, "collected")] == [chests, chests]


@pytest.mark.parametrize("choice", ["remove_event", "pass"])
def test_a_removed_event_still_was_the_event_of_the_season(choice: str) -> None:
    # CT-R-08: it does not lie open again
    board = court().event(7)
    match = play(play(taken(1, board), choice), "pass")
    state = match.state()
    assert (state["round"], state["event"], state["event_removed"]) == ("summer", None, False)
    assert state["open_events"] == board.state["open_events"]
    assert 7 not in state["open_events"] + state["event_deck"]
    assert 7 in state["used_events"]


@pytest.mark.parametrize("choice", ["remove_event", "pass"])
def test_a_removed_event_is_never_the_winter_card(choice: str) -> None:
    # CT-R-08: the loss is that of the card which did not act
    board = court(round_="autumn").event(2).player(0, rice=9)
    match = play(play(taken(1, board), choice), "pass")
    (left,) = board.state["open_events"]
    assert left != 2
    assert [event["card"] for event in events(match, "rice_lost")] == [left]


def test_the_next_event_acts_again() -> None:
    # CT-R-08: "from the moment of removal the season has no event", this season only
    match = play(play(taken(1, court().event(7)), "remove_event"), "pass")
    match = quietly(match, "slot")
    assert match.state()["event"] is not None
    assert match.state()["event_removed"] is False


def test_removal_acts_from_then_on() -> None:
    # CT-R-08, CT-R-11: a Nô theatre by favour after the removal calms nothing, before it it does
    def rest(first: int, second: int) -> int:
        board = court().event("no_removes_unrest")
        board.province("kaga", 0, 1, unrest=2).province("hida", 1, 1, unrest=2)
        match = audience(board, 7, 7, favours=(13, 7, 1)).match()
        take(match, first)
        if first == 1:
            play(match, "remove_event")
        take(match, second)
        return int(province(match, "hida" if second == 7 else "kaga")["unrest"])

    assert rest(1, 7) == 2
    assert rest(7, 1) == 1


# --- favour 4: unrest


def test_a_marker_is_removed_at_once() -> None:
    # CT-CARD-01, CT-D-03, CT-R-12: mandatory where there is a marker; any own province that has one
    board = court().province("aki", 0, 3, unrest=2).province("hida", 0, 3, unrest=1).province("kaga", 0, 3)
    match = taken(4, board.province("kii", 1, 3, unrest=3))
    assert (point(match), match.to_act) == ("favour_unrest", 0)
    assert options(match) == [{"name": "province", "province": key} for key in ("aki", "hida")]
    play(match, "province", province="aki")
    assert [province(match, key)["unrest"] for key in ("aki", "hida", "kii")] == [1, 1, 3]
    assert events(match, "favour_used") == [{"seat": 0, "card": 4, "province": "aki"}]
    assert kept(match) == [[], [], []]
    assert 4 not in match.state()["court"]["deck"]


def test_the_only_marker_is_removed_without_asking() -> None:
    # CT-D-03, TW-D-00, CT-R-12
    match = taken(4, court().province("aki", 0, 3, unrest=1))
    assert (province(match, "aki")["unrest"], match.to_act) == (0, 1)
    assert events(match, "favour_used") == [{"seat": 0, "card": 4, "province": "aki"}]


def test_without_a_marker_the_card_is_kept() -> None:
    # CT-CARD-01, CT-R-12: markers of others do not count
    match = taken(4, court().province("aki", 0, 3).province("kii", 1, 3, unrest=3))
    assert (kept(match), match.to_act) == ([[4], [], []], 1)
    assert province(match, "kii")["unrest"] == 3


# --- favours 7, 17, 21: buildings


@pytest.mark.parametrize(("card", "building"), BUILDINGS.items())
def test_the_depicted_building_free_of_charge(card: int, building: str) -> None:
    # CT-CARD-01, CT-R-07, CT-D-06: own province, free site, none of the type there; costs nothing
    board = court().player(0, chests=0)
    other = "temple" if building == "castle" else "castle"
    board.province("kaga", 0, 1)  # 3 sites
    board.province("aki", 0, 1, other)  # 2 sites, one is free
    board.province("hida", 0, 1, building)  # one is free, but the building is there
    board.province("settsu", 0, 1, other)  # its only site is taken
    board.province("kii", 1, 1)
    match = taken(card, board)
    assert (point(match), match.to_act) == ("favour_building", 0)
    assert options(match) == [{"name": "province", "province": key} for key in ("aki", "kaga")]
    tiles = match.state()["tiles"][building]
    play(match, "province", province="aki")
    assert events(match, "built") == [{"seat": 0, "province": "aki", "building": building, "paid": 0}]
    assert [province(match, "aki")[kind] for kind in (building, other)] == [True, True]
    assert match.state()["tiles"][building] == tiles - 1
    assert player(match, 0)["chests"] == 0
    assert match.to_act == 1


@pytest.mark.parametrize(("card", "building"), BUILDINGS.items())
def test_a_building_is_mandatory(card: int, building: str) -> None:
    # CT-R-11, TW-D-00: with one province possible it is built without asking
    match = taken(card, court().province("kaga", 0, 1))
    assert (province(match, "kaga")[building], match.to_act) == (True, 1)


@pytest.mark.parametrize(("card", "building"), BUILDINGS.items())
def test_no_province_for_the_building(card: int, building: str) -> None:
    # CT-R-11: else no effect; a foreign or neutral province does not qualify
    match = taken(card, court().province("hida", 0, 1, building).province("kaga", 1, 1))
    assert events(match, "favour_without_effect") == [{"seat": 0, "card": card}]
    assert not events(match, "built")


@pytest.mark.parametrize(("card", "tiles"), [(7, 26), (17, 26), (21, 28)])
@pytest.mark.parametrize("left", [0, 1])
def test_a_tile_is_needed(card: int, tiles: int, left: int) -> None:
    # CT-R-11, TW-R-03
    board = court(5)
    provinces = [key for key in board.state["provinces"] if key != "kaga"]
    for key in provinces[: tiles - left]:
        board.province(key, 1, 1, BUILDINGS[card])
    match = taken(card, board.province("kaga", 0, 1))
    assert province(match, "kaga")[BUILDINGS[card]] == (left == 1)
    assert match.state()["tiles"][BUILDINGS[card]] == 0


@pytest.mark.parametrize(("card", "event", "left"), [(7, 1, 1), (7, 2, 1), (7, 3, 2), (17, 1, 2), (21, 1, 2)])
def test_no_theatres_by_favour_calm_under_the_event(card: int, event: int, left: int) -> None:
    # CT-R-11: no_removes_unrest works for the Nô theatre of a favour too, and for no other building
    match = taken(card, court().event(event).province("kaga", 0, 1, unrest=2))
    assert events(match, "built")[0]["building"] == BUILDINGS[card]
    assert province(match, "kaga")["unrest"] == left


# --- favours 10, 11, 18: protection


def protects(card: int, action: str, **setup: object) -> bool:
    """Whether seat 1, who keeps a card, cannot be attacked by seat 0 in an action; others always can."""
    board = (
        court().province("hida", 0, 5).province("mino", 1, 2).province("kaga", 1, 2).province("etchu", 2, 2)
    )
    match = board.player(1, kept=[card]).plan(0, **{action: "hida"}).begin(action).match(**setup)
    assert point(match) == "battle"
    possible = {args["to"] for args in options(match, "move")}
    assert possible in ({"etchu", "echizen", "shinano"}, {"etchu", "echizen", "shinano", "mino", "kaga"})
    return "mino" not in possible


@pytest.mark.parametrize(("card", "in_a", "in_b"), [(10, True, False), (11, False, True), (18, True, True)])
def test_protection_in_the_depicted_action(card: int, in_a: bool, in_b: bool) -> None:
    # CT-CARD-01, CT-CARD-02, CT-R-07, TW-MOVE-03: none of the holder's provinces is a target
    assert (protects(card, "battle_a"), protects(card, "battle_b")) == (in_a, in_b)


def test_kept_favour_4_protects_nobody() -> None:
    # CT-CARD-02
    assert not protects(4, "battle_a")
    assert not protects(4, "battle_b")


@pytest.mark.parametrize(("card", "actions"), [(10, "a"), (11, "b"), (18, "ab")])
def test_protection_from_the_hall_to_the_battles(card: int, actions: str) -> None:
    # CT-CARD-01, CT-COURT-08: from the audience to the end of the season
    board = court().province("noto", 0, 2).province("etchu", 1, 9).province("kaga", 1, 9)
    board.plan(1, battle_a="etchu", battle_b="kaga")
    match = play(taken(card, board), "pass")
    safe = {}
    while point(match) == "battle":
        state = match.state()
        action = state["action_order"][state["place"] - 1]
        safe[action] = "noto" not in {args["to"] for args in options(match, "move")}
        play(match, "move", to="hida", armies=1)
    assert safe == {"battle_a": "a" in actions, "battle_b": "b" in actions}
    assert kept(match) == [[], [], []]


def test_without_a_target_the_attacker_passes() -> None:
    # CT-CARD-02, TW-ACT-03: Noto's only neighbours are protected
    board = court().province("noto", 0, 5).province("etchu", 1, 1).province("kaga", 1, 1)
    match = board.player(1, kept=[18]).plan(0, battle_a="noto").begin("battle_a").match()
    assert [event["reason"] for event in events(match, "passed")] == ["targets"]
    assert province(match, "noto")["armies"] == 5


def test_the_protected_may_attack() -> None:
    # CT-CARD-02: and move among his own
    board = court().province("hida", 0, 5).province("mino", 1, 4).province("kaga", 0, 2)
    match = board.player(0, kept=[18]).plan(0, battle_a="hida").begin("battle_a").match()
    assert {args["to"] for args in options(match, "move")} == {"echizen", "etchu", "kaga", "mino", "shinano"}


def test_provinces_gained_later_are_protected() -> None:
    # CT-CARD-02: Noto is conquered in the same action and is not a target any more
    board = court().province("kaga", 1, 9).province("etchu", 0, 9).order(1, 0, 2).player(1, kept=[10])
    match = board.plan(0, battle_a="etchu").plan(1, battle_a="kaga").begin("battle_a").match()
    play(match, "move", to="noto", armies=5)
    assert (province(match, "noto")["owner"], match.to_act) == (1, 0)
    assert {args["to"] for args in options(match, "move")} == {"hida", "shinano"}  # three play: no Echigo


def test_revolts_are_no_attacks() -> None:
    # CT-CARD-02
    board = court().province("settsu", 0, 5, unrest=1).player(0, kept=[18]).plan(0, tax="settsu")
    match = board.begin("tax").match()
    assert events(match, "revolt") == [{"seat": 0, "province": "settsu", "farmers": 1, "wanted": 1}]


@pytest.mark.parametrize("round_", ["spring", "autumn"])
@pytest.mark.parametrize("card", [10, 11, 18])
def test_protection_ends_with_the_season(card: int, round_: str) -> None:
    # CT-CARD-03, CT-ST-03: the card leaves the game
    board = court(round_=round_).player(1, kept=[card]).begin("clean_up")
    match = board.match()
    assert kept(match) == [[], [], []]
    found = match.state()["court"]
    assert card not in found["deck"] + found["laid"]
    assert sorted(found["deck"] + found["laid"]) == sorted(board.state["court"]["deck"])


# --- favour 12: armies


def test_three_armies_for_an_own_province() -> None:
    # CT-CARD-01: free of charge
    match = taken(12, court().province("aki", 0, 2).player(0, chests=0))
    assert (point(match), match.to_act) == ("favour_armies", 0)
    play(match, "province", province="aki")
    assert province(match, "aki")["armies"] == 5
    assert match.state()["supply"][0] == 62 - 5
    assert (events(match, "deployed"), match.to_act) == (
        [{"seat": 0, "province": "aki", "armies": 3, "paid": 0}], 1,
    )  # fmt: skip


def test_three_armies_for_a_neutral_province() -> None:
    # CT-CARD-01: it becomes his without battle, he takes its card
    match = play(taken(12, court().province("aki", 0, 2)), "province", province="kii")
    assert (province(match, "kii")["owner"], province(match, "kii")["armies"]) == (0, 3)
    assert not {"attack", "thrown", "settled"} & set(kinds(match))
    assert events(match, "conquered") == [{"seat": 0, "province": "kii", "from": None}]
    assert match.state()["supply"] == [57, 62, 62, 0, 0, 20]


def test_a_card_gained_by_favour_goes_to_hand() -> None:
    # CT-R-10, TW-BATTLE-13: it lies on no space this season and can be planned in the next
    match = play(taken(12, court().province("aki", 0, 2)), "province", province="kii")
    assert "kii" not in player(match, 0)["plan"].values()
    play(match, "pass")
    assert (point(match), match.to_act) == ("plan", 0)
    assert targets(match) == ["aki", "kii"]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_targets_of_favour_12(seats: int) -> None:
    # CT-R-10, CT-D-05: own or neutral, in play, not foreign; there is no refusing
    board = court(seats).province("aki", 0, 2).province("hida", 1, 2).province("kii", 2, 2)
    match = taken(12, board)
    assert len(targets(match)) == len(match.legal_actions())
    assert len(targets(match)) == (37 if seats == 3 else 45) - 2
    assert not {"hida", "kii"} & set(targets(match))
    assert {"aki", "kaga"} <= set(targets(match))
    assert bool(LEFT_OUT & set(targets(match))) == (seats > 3)


@pytest.mark.parametrize("supply", [2, 3])
def test_favour_12_needs_three_armies(supply: int) -> None:
    # CT-R-09, CT-R-10: fewer than 3 in supply: no effect
    match = taken(12, court().province("aki", 0, 62 - supply))
    assert ("favour_without_effect" in kinds(match)) == (supply < 3)
    assert (point(match) == "favour_armies") == (supply == 3)


def crowded(own: int) -> Board:
    """All provinces have owners; some belong to seat 0."""
    board = court()
    for number, key in enumerate(board.state["provinces"]):
        board.province(key, 0 if number < own else 1 + number % 2, 1)
    return board


def test_favour_12_without_a_target() -> None:
    # CT-R-10, CT-D-05: no own and no neutral province
    match = taken(12, crowded(0))
    assert events(match, "favour_without_effect") == [{"seat": 0, "card": 12}]
    assert match.state()["supply"][0] == 62


def test_favour_12_with_one_target() -> None:
    # CT-R-10, TW-D-00: mandatory, so it is used without asking
    match = taken(12, crowded(1))
    assert (province(match, "aki")["armies"], match.to_act) == (4, 1)


def test_favour_12_brings_a_player_back() -> None:
    # TW-R-39, CT-R-10: a seat without provinces can own one again
    match = taken(12, court().province("hida", 1, 1))
    assert len(targets(match)) == 36
    play(match, "province", province="kii")
    assert province(match, "kii")["owner"] == 0


# --- all of them


@pytest.mark.parametrize("card", range(1, 22))
def test_every_card_is_paid_and_told(card: int) -> None:
    # CT-CARD-01, CT-COURT-08: immediate or kept; nobody else is touched but by the event
    classes = {
        1: "cancel_event", 4: "remove_unrest", 7: "build_no", 10: "immune_a", 11: "immune_b",
        12: "armies_to_province", 17: "build_temple", 18: "immune_ab", 21: "build_castle",
        **dict.fromkeys(CHESTS, "chests"), **dict.fromkeys(TRAY, "armies_to_tray"),
        **dict.fromkeys(RICE, "rice"), **dict.fromkeys(POINTS, "points"),
    }  # fmt: skip
    board = court().province("kaga", 0, 3, unrest=1).province("hida", 1, 3, unrest=1).tray(0, 2)
    before = audience(board, 7, 4, favours=beside(card)).match()
    match = take(before.clone(), card)
    price = 4 - beside(card).index(card)
    expected = {"seat": 0, "card": card, "kind": classes[card], "price": price}
    assert events(match, "favour_taken") == [expected]
    assert officers(match, 0) == (price, 0, 7 - price)
    while match.to_act == 0:
        match.play(match.legal_actions()[-1])
    one, other = player(match, 1), player(before, 1)
    assert {**one, "officers": 0} == {**other, "officers": 0}
    assert province(match, "hida") == province(before, "hida")
    assert match.state()["supply"][1:] == before.state()["supply"][1:]
    assert match.state()["tray"][1:] == before.state()["tray"][1:]
