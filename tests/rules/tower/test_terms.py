"""Terms (GEN): seats, seasons, cubes, owners and the canonical order."""

import pytest

from rules.tower.board import SEASONS, Board, enter, events, kinds, options, play, point, province, quietly
from sengoku import Match
from sengoku.errors import SetupError


@pytest.mark.parametrize("seats", [0, 1, 2, 6])
def test_three_to_five_play(seats: int) -> None:
    # TW-GEN-01
    with pytest.raises(SetupError):
        Match.create("tower", seats=seats)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_seats_are_numbered_clockwise(seats: int) -> None:
    # TW-GEN-01: seats 0 to n - 1; the left neighbour, who draws for him in winter, is the next, of the last 0
    board = Board(seats)
    for seat, key in enumerate(("aki", "ise", "kai", "omi", "iyo")[:seats]):
        board.province(key, seat, 3)
    match = board.event("tax_max_5").begin("winter").match()  # loss 0, but nobody has rice for his province
    assert len(match.state()["players"]) == seats
    drawn = [(event["seat"], event["by"]) for event in events(match, "revolts_drawn")]
    assert drawn == [(seat, (seat + 1) % seats) for seat in range(seats)]


def test_two_years_of_three_seasons_and_a_winter() -> None:
    # TW-GEN-02: 6 seasons and 2 winters; a winter has no actions
    match = Match.create("tower", seats=3, seed=4)
    quietly(match, "over")
    begun = [(event["year"], event["round"]) for event in events(match, "season_begun")]
    assert begun == [(year, season) for year in (1, 2) for season in SEASONS]
    assert len(events(match, "rice_lost")) == 2
    log = kinds(match)
    for season, kind in enumerate(log):
        if kind == "rice_lost":
            assert log[season - 1] == "season_over"
            rest = log[season:]
            ends = [rest.index(kind) for kind in ("season_begun", "over") if kind in rest]
            assert not {"action_begun", "card_revealed", "plans_closed", "bid"} & set(rest[: min(ends)])
    assert match.outcome is not None
    assert match.outcome.rounds == 8


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_armies_and_farmers(seats: int) -> None:
    # TW-GEN-03: what is neither on the board, nor in tower or tray, nor waiting for the draft, is in supply
    match = Match.create("tower", seats=seats, seed=3, setup={"mode": "draft"})
    state = match.state()
    for seat in range(seats):
        assert state["supply"][seat] == 62 - sum(state["players"][seat]["groups"])
    assert state["supply"][5] == 20
    for _ in range(3):
        play(match, "deck")
        group = options(match, "group")[-1]["armies"]
        seat = match.to_act
        before = match.state()["supply"]
        play(match, "group", armies=group)
        assert match.state()["supply"] == before  # from the player board to the board
        assert sum(match.state()["players"][seat]["groups"]) == 62 - before[seat] - group
    quietly(match, "plan")
    state = match.state()
    for seat in range(seats):
        on_board = sum(it["armies"] for it in state["provinces"].values() if it["owner"] == seat)
        assert state["supply"][seat] == 62 - on_board - state["inside"][seat] - state["tray"][seat]
    assert state["supply"][5] == 20 - state["inside"][5] - state["tray"][5]
    assert state["supply"][seats:5] == [0] * (5 - seats)


def test_the_tray_is_public() -> None:
    # TW-GEN-04
    match = Board(3).tray(2, 0, 3, farmers=4).begin("plan").match()
    for seat in range(3):
        assert match.view(seat)["tray"] == [2, 0, 3, 0, 0, 4]


def test_unrest_markers_count_collections() -> None:
    # TW-GEN-05: one marker for each collection of this year in the province, whether of rice or of tax
    board = Board(3).province("settsu", 0, 9).province("ise", 0, 9, unrest=1).province("omi", 0, 9)
    match = board.plan(0, tax="settsu", rice="ise").begin("tax").match()
    assert [province(match, key)["unrest"] for key in ("settsu", "ise", "omi")] == [1, 2, 0]


def test_whoever_has_armies_owns() -> None:
    # TW-GEN-06: the province card is with the owner of the armies; without armies there is none
    board = Board(3).province("ise", 0, 9).province("kii", 1, 1).province("omi", 1, 1).province("shima", 2, 1)
    match = board.plan(0, battle_a="ise").begin("battle_a").match()
    play(match, "move", to="kii", armies=5)
    assert (province(match, "kii")["owner"], province(match, "kii")["armies"]) == (0, 4)
    cards = []
    for _ in range(3):
        cards.append([action["province"] for action in options(match, "province")])
        enter(match)
    assert cards == [["ise", "kii"], ["omi"], ["shima"]]
    neutral = [key for key, it in match.state()["provinces"].items() if it["owner"] is None]
    assert all(province(match, key)["armies"] == 0 for key in neutral)
    assert len(neutral) == 37 - 4


def test_turn_order_is_that_of_the_season() -> None:
    # TW-GEN-07: a new one is fixed by each bidding
    board = Board(3)
    for seat, key in enumerate(("aki", "ise", "kai")):
        board.province(key, seat, 1)
    match = board.begin("plan").match()
    for bids, slots, order in (((2, 1, 0), (3, 1, 5), [1, 0, 2]), ((0, 1, 2), (1, 2, 4), [2, 1, 0])):
        for bid, key in zip(bids, ("aki", "ise", "kai"), strict=True):
            enter(match, bid=f"treasure_{bid}", deploy1=key)
        for slot in slots:
            play(match, "slot", slot=slot)
        while point(match) == "deploy_move":
            play(match, "pass")
        assert events(match, "turn_order")[-1]["order"] == order
        placed = [event["seat"] for event in events(match, "deployed")]
        assert placed[-3:] == order


def test_provinces_are_counted_in_alphabetical_order() -> None:
    # TW-GEN-08: the canonical order of the provinces is that of their ids, index 0 to 44
    match = Board(5).begin("plan").match()
    keys = list(match.state()["provinces"])
    assert len(keys) == 45
    assert keys == sorted(keys)
    assert (keys[0], keys[1], keys[2], keys[44]) == ("aki", "awa-boso", "awa-shikoku", "yamato")
    board = Board(5)
    for key in keys:
        board.province(key, 0, 1)
    match = board.begin("plan").match()
    named = [action for action in match.legal_actions() if action.name == "province"]
    assert [action.args["province"] for action in named] == keys
    assert [action.index for action in named] == list(range(named[0].index, named[0].index + 45))
    # a draw of provinces starts from this order: highest faces leave it as it is (TW-RNG-09)
    board = Board(3).province("yamato", 0, 5).province("bingo", 0, 5).province("kai", 0, 5)
    match = board.event("tax_max_5").begin("winter").match(dice=[3, 2])  # shortage 3: two revolts
    assert events(match, "revolts_drawn")[0]["provinces"] == ["bingo", "kai"]
