"""What the expansion brings (CT-COMP)."""

import pytest

from rules.court.hall import court, officers
from rules.tower.board import ACTIONS, ENTRY, Board, options, play, player
from sengoku import Match
from sengoku.errors import SetupError

HEADER, PER_PLAYER, PLAN = 84, 64, 31
"""Where the plan of a player lies in an observation, by space (README of the crate)."""
TOWER_CARD = 50


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pieces_of_the_expansion(seats: int) -> None:
    # CT-COMP-01: 7 officers for each colour at the table, 21 favours, three places in the hall
    match = Match.create("tower", seats=seats, seed=3, setup={"court": True})
    state = match.state()
    assert len(state["players"]) == seats
    assert [sum(officers(match, seat)) for seat in range(seats)] == [7] * seats
    assert sorted(state["court"]["deck"] + state["court"]["laid"]) == list(range(1, 22))
    assert len(state["court"]["laid"]) == 3


def test_the_base_game_has_none_of_them() -> None:
    # CT-COMP-01
    match = Match.create("tower", seats=3, seed=3)
    assert [sum(officers(match, seat)) for seat in range(3)] == [0, 0, 0]
    assert match.state()["court"]["deck"] == []
    assert options(match, "tower_card") == []
    for change in ({"kept": [4]}, {"officers": {"supply": 7, "entrance": 0, "hall": 0}}):
        with pytest.raises(SetupError):
            Board().player(0, **change).begin("plan").match()
    with pytest.raises(SetupError, match="plan"):
        Board().plan(0, convert1="treasure_0").begin("castle").match()


def test_three_tower_cards_for_each_player() -> None:
    # CT-COMP-01: three for everyone, and no fourth
    match = court().begin("plan").match()
    for _seat in range(3):
        for number, space in enumerate(ENTRY):
            assert options(match, "tower_card") == ([{"space": space}] if number < 3 else [])
            if number < 3:
                play(match, "tower_card")
            elif number < 9:
                play(match, "empty")
            else:
                play(match, "treasure", value=number - 9)
    with pytest.raises(SetupError, match="not a card of this seat"):
        court().plan(0, **dict.fromkeys(ENTRY[:4], "tower")).begin("castle").match()


def test_treasure_and_province_cards_are_as_before() -> None:
    # CT-COMP-02: the new set differs in nothing but its backs
    def cards(expansion: bool) -> list[dict[str, object]]:
        board = Board(court=expansion).province("aki", 0, 2).province("kii", 0, 1).province("ise", 1, 1)
        return [card for card in options(board.begin("plan").match()) if card["name"] != "tower_card"]

    assert cards(expansion=True) == cards(expansion=False)
    assert [card.get("value", card.get("province")) for card in cards(expansion=True) if len(card) > 2] == [
        0, 1, 2, 3, 4, "aki", "kii",
    ]  # fmt: skip


def test_codes_of_the_plan_spaces() -> None:
    # CT-COMP-03: CONV1 is 11, CONV2 is 12, CONV3 is 13, after the ten actions and the bid
    spaces = (*ACTIONS, "bid", "convert1", "convert2", "convert3")
    match = court().begin("castle").match()
    assert tuple(player(match, 0)["plan"]) == spaces
    board = court().officers(0, 7).favours(3, 2, 1)
    for code in (11, 12, 13):
        board.state["players"][1]["plan"] |= dict.fromkeys(spaces, "empty") | {spaces[code]: "tower"}
        seen = board.begin("court").match().observe(1)
        plan = seen[HEADER + PER_PLAYER + PLAN :][:14].tolist()
        assert [space for space, card in enumerate(plan) if card == TOWER_CARD] == [code]
