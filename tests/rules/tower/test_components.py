"""Components and constants (COMP)."""

from typing import Any

import pytest

from rules.tower.board import ACTIONS, ENTRY, Board, enter, events, options, player, point, province
from sengoku import Match
from sengoku.errors import SetupError


def every_province(seats: int = 5) -> list[str]:
    """The provinces in play."""
    return list(Board(seats).state["provinces"])


def test_pieces() -> None:
    # TW-COMP-01: 62 armies of each colour, 20 farmers, 28 castles, 26 temples, 26 theatres, 12 events, cards
    state = Match.create("tower", seats=5, seed=8).state()
    for seat in range(5):
        armies = sum(it["armies"] for it in state["provinces"].values() if it["owner"] == seat)
        assert state["supply"][seat] + state["inside"][seat] + armies == 62
    assert state["supply"][5] + state["inside"][5] == 20
    assert state["tiles"] == {"castle": 28, "temple": 26, "no": 26}
    assert sorted(state["event_deck"] + state["open_events"]) == list(range(1, 13))
    assert len(set(state["special_on_slot"])) == 5
    assert sorted(state["action_order"]) == sorted(ACTIONS)
    assert len(state["players"]) == len(set(state["options"]["colours"])) == 5


def test_treasure_cards() -> None:
    # TW-COMP-01: five of each player, with the values 0 to 4
    match = Board(3).begin("plan").match()
    for _ in range(3):
        assert [action["value"] for action in options(match, "treasure")] == [0, 1, 2, 3, 4]
        enter(match)


@pytest.mark.parametrize(
    ("seats", "chests", "groups", "in_play", "neutral", "supply", "thrown"),
    [
        (3, 18, [5, 4, 4, 3, 3, 2, 2, 2, 2], 37, 10, 35, 31),
        (4, 15, [5, 4, 4, 3, 3, 2, 2, 2], 45, 13, 37, 38),
        (5, 12, [5, 4, 4, 3, 3, 2, 2], 45, 10, 39, 45),
    ],
)
@pytest.mark.parametrize("mode", ["fixed", "draft"])
def test_constants_of_the_player_counts(
    seats: int,
    chests: int,
    groups: list[int],
    in_play: int,
    neutral: int,
    supply: int,
    thrown: int,
    mode: str,
) -> None:
    # TW-COMP-02
    match = Match.create("tower", seats=seats, seed=5, setup={"mode": mode})
    if mode == "draft":
        assert [it["groups"] for it in match.state()["players"]] == [groups] * seats
        assert match.state()["supply"][:seats] == [supply] * seats
        while point(match) != "plan":
            match.play(match.legal_actions()[0])
    state = match.state()
    assert [it["chests"] for it in state["players"]] == [chests] * seats
    placed = events(match, "group_placed")
    for seat in range(seats):
        sizes = [event["armies"] for event in placed if event["seat"] == seat]
        assert sorted(sizes, reverse=True) == groups
        assert 62 - sum(sizes) == supply
    assert len(state["provinces"]) == in_play
    assert sum(it["owner"] is None for it in state["provinces"].values()) == neutral
    assert sum(events(match, "tower_filled")[0]["thrown"]) == thrown


@pytest.mark.parametrize("side", ["sun", "moon"])
@pytest.mark.parametrize(("seats", "cards"), [(3, 37), (4, 45), (5, 45)])
def test_only_cards_of_the_side_are_played_with(side: str, seats: int, cards: int) -> None:
    # TW-COMP-03: of 53 cards 45 are valid for a side; each province has one card (37 with three players)
    draft = Match.create("tower", seats=seats, seed=2, setup={"side": side, "mode": "draft"}).state()["draft"]
    deck = draft["deck"] + draft["open"]
    assert len(deck) == len(set(deck)) == cards


@pytest.mark.parametrize(
    ("action", "price", "armies"),
    [
        ("castle", 3, 0),
        ("temple", 2, 0),
        ("no", 1, 0),
        ("deploy5", 3, 5),
        ("deploy3", 2, 3),
        ("deploy1", 1, 1),
    ],
)
@pytest.mark.parametrize("short", [0, 1])
def test_prices(action: str, price: int, armies: int, short: int) -> None:
    # TW-COMP-05: exactly the price is paid; one chest less and nothing happens
    board = Board(3).province("izu", 0, 1).player(0, chests=price - short).plan(0, **{action: "izu"})
    match = board.begin(action).match()
    assert player(match, 0)["chests"] == (price - 1 if short else 0)
    assert province(match, "izu")["armies"] == (1 if short else 1 + armies)
    assert [event["reason"] for event in events(match, "passed")] == ["chests"] * short
    built = {kind for kind in ("castle", "temple", "no") if province(match, "izu")[kind]}
    assert built == ({action} & {"castle", "temple", "no"} if not short else set())


def test_points() -> None:
    # TW-COMP-06: aki and hoki are green, iyo is purple; 1 for a province, 1 for a building; 3, 2, 1 for most
    # castles, temples, theatres in a region, 2, 1 and 0 for each who ties for most
    board = Board(3).province("aki", 0, 1, "castle", "temple").province("iyo", 0, 1, "castle", "temple", "no")
    match = (
        board.province("hoki", 1, 1, "castle", "temple").province("bingo", 2, 1, "no").begin("score").match()
    )
    tallies = [it["tally"][0] for it in match.state()["players"]]
    assert tallies[0] == {
        "provinces": 2, "buildings": 5, "favours": 0,
        "majorities": {
            "castle": {"green": 2, "purple": 3}, "temple": {"green": 1, "purple": 2}, "no": {"purple": 1},
        },
    }  # fmt: skip
    assert tallies[1]["majorities"] == {"castle": {"green": 2}, "temple": {"green": 1}, "no": {}}
    assert tallies[2]["majorities"] == {"castle": {}, "temple": {}, "no": {"green": 1}}
    assert [it["score"] for it in match.state()["players"]] == [2 + 5 + 2 + 3 + 1 + 2 + 1, 1 + 2 + 2 + 1, 3]


def test_action_codes() -> None:
    # TW-COMP-07: indices 0 to 9 in this order, the bid is plan space 10
    plan = Board(3).begin("plan").match().state()["players"][0]["plan"]
    codes = ["castle", "temple", "no", "rice", "tax", "deploy5", "deploy3", "deploy1", "battle_a", "battle_b"]
    assert list(plan)[:11] == [*codes, "bid"]


def test_counters_go_on_beyond_the_printed_tracks() -> None:
    # TW-COMP-08, TW-R-04: tracks are printed to 80 points and 18 rice, the counters know no end
    board = Board(3).province("kaga", 0, 2).player(0, rice=17, score=79).plan(0, rice="kaga")
    match = board.begin("rice").match()
    assert player(match, 0)["rice"] == 17 + 5
    board = Board(3).province("kaga", 0, 2, "castle", "temple", "no").player(0, rice=99, score=79)
    match = board.begin("score").match()
    assert player(match, 0)["score"] == 79 + 1 + 3 + 3 + 2 + 1


def test_the_bank_never_runs_out() -> None:
    # TW-R-01: 135 chests are in the box, the players have more than that, and tax is paid all the same
    board = Board(3).province("settsu", 0, 2).plan(0, tax="settsu")
    for seat in range(3):
        board.player(seat, chests=100)
    assert player(board.begin("tax").match(), 0)["chests"] == 107


def test_unrest_markers() -> None:
    # TW-R-02, TW-COMP-01: 42 there are, and never more on the board
    keys = every_province()
    board = Board(5)
    for key in keys[:14]:
        board.province(key, 0, 1, unrest=3)
    state = board.begin("plan").match().state()
    assert sum(it["unrest"] for it in state["provinces"].values()) == 42
    with pytest.raises(SetupError) as refused:
        board.province(keys[14], 0, 1, unrest=1).match()
    assert "43" in str(refused.value)


def full(kind: str, tiles: int, **changes: Any) -> Board:
    """All tiles of a kind are on the board, one in an unquiet province of seat 0; yamato wants another."""
    keys = [key for key in every_province() if key != "yamato"]
    board = Board(5).province("yamato", 0, 2)
    for number, key in enumerate(keys[:tiles]):
        board.province(key, 1 if number else 0, 1, kind, unrest=0 if number else 1)
    return board.plan(0, **{kind: "yamato"}, **changes)


@pytest.mark.parametrize(("kind", "tiles"), [("castle", 28), ("temple", 26), ("no", 26)])
def test_building_tiles_can_run_out(kind: str, tiles: int) -> None:
    # TW-R-03: then the player passes and pays nothing
    match = full(kind, tiles).begin(kind).match()
    assert match.state()["tiles"][kind] == 0
    assert events(match, "passed") == [{"seat": 0, "action": kind, "province": "yamato", "reason": "tiles"}]
    assert (player(match, 0)["chests"], province(match, "yamato")[kind]) == (20, False)
    match = full(kind, tiles - 1).begin(kind).match()
    assert match.state()["tiles"][kind] == 0
    assert province(match, "yamato")[kind]
    with pytest.raises(SetupError):
        full(kind, tiles + 1).begin(kind).match()


def test_removed_tiles_return_to_supply() -> None:
    # TW-R-03: the castle of a province that falls to a revolt can be built again at once
    match = full("castle", 28, tax="aki").begin("tax").match()
    assert events(match, "neutral") == [{"province": "aki"}]
    assert province(match, "yamato")["castle"]
    assert match.state()["tiles"]["castle"] == 0
    assert player(match, 0)["chests"] == 20 + 4 - 3


def test_the_spaces_of_a_plan() -> None:
    # TW-COMP-01, TW-COMP-07: ten action spaces and one bid space
    match = Board(3).begin("plan").match()
    asked = []
    while match.to_act == 0:
        asked.append(options(match)[0]["space"])
        match.play(match.legal_actions()[0])
    assert asked == list(ENTRY[:11])
