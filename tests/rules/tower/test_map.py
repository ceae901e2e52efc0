"""The board (BOARD): provinces, regions, borders, and those left out with three players."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules.tower.board import Board, enter, events, options, play, point, province
from sengoku.errors import SetupError

DATA = Path(__file__).parents[3] / "rust" / "tower" / "data" / "tower_boards.toml"
SIDES: dict[str, dict[str, dict[str, Any]]] = {
    side: {entry["id"]: entry for entry in tomllib.loads(DATA.read_text("utf-8"))[side]["province"]}
    for side in ("sun", "moon")
}
"""The board data of both sides, by province."""
LEFT_OUT = {
    "sun": {"izumo", "iwami", "sanuki", "tosa", "echigo", "mutsu", "kazusa", "awa-boso"},
    "moon": {"iwami", "aki", "iyo", "tosa", "mutsu", "shimotsuke", "hitachi", "shimosa"},
}
REGIONS = {
    "green": ("aki bingo bitchu bizen hoki iwami izumo tajima", "mimasaka", "sanuki"),
    "red": ("harima hida mikawa mino omi tamba", "echizen owari wakasa", "kai mimasaka shinano"),
    "purple": ("awa-shikoku ise iyo kii settsu shima tosa yamato", "sanuki", "owari"),
    "yellow": ("awa-boso izu kazusa musashi sagami shimosa suruga totomi", "kai", "hitachi"),
    "brown": ("echigo etchu kaga kozuke mutsu noto shimotsuke", "hitachi shinano", "echizen wakasa"),
}
"""Provinces by region: on both sides, only on the sun side, only on the moon side (TW-FACT-04)."""


def neighbours(key: str, seats: int = 4, side: str = "sun") -> set[str]:
    """Where armies can go from a province."""
    board = Board(seats, side=side).province(key, 0, 2).plan(0, battle_a=key)
    match = board.begin("battle_a").match()
    if point(match) == "battle":
        return {action["to"] for action in options(match, "move")}
    return {event["to"] for event in events(match, "attack") + events(match, "moved")}


@pytest.mark.parametrize("side", ["sun", "moon"])
@pytest.mark.parametrize("region", REGIONS)
def test_regions(side: str, region: str) -> None:
    # TW-BOARD-01, TW-COMP-03: 5 regions of 9; eight provinces change region between the sides. Told by a
    # castle in each: one majority, of this region alone
    both, sun, moon = REGIONS[region]
    keys = (both + " " + (sun if side == "sun" else moon)).split()
    assert len(keys) == 9
    board = Board(4, side=side)
    for key in keys:
        board.province(key, 0, 1, "castle")
    others = [key for key in SIDES[side] if key not in keys]
    for key in others[:5]:
        board.province(key, 1, 1)
    match = board.begin("score").match()
    assert match.state()["players"][0]["tally"][0]["majorities"]["castle"] == {region: 3}
    assert len(match.state()["provinces"]) == 45


@pytest.mark.parametrize("side", ["sun", "moon"])
def test_values_of_the_provinces(side: str) -> None:
    # TW-BOARD-02, TW-COMP-04: tax, rice and building sites of each card; the same on both sides
    cards = list(SIDES[side].items())
    for five in (cards[start : start + 5] for start in range(0, 45, 5)):
        for action in ("tax", "rice", "castle", "temple", "no"):
            board = Board(5, side=side).order(0, 1, 2, 3, 4).event("few_recruits")
            for seat, (key, card) in enumerate(five):
                kinds = [kind for kind in ("castle", "temple", "no") if kind != action]
                board.province(key, seat, 1, *kinds[: card["sites"]]).plan(seat, **{action: key})
            match = board.begin(action).match()
            if action in {"tax", "rice"}:  # the last has the special card of the action
                amounts = [event["amount"] for event in events(match, "collected")]
                assert amounts == [card[action] + (key == five[-1][0]) for key, card in five]
            else:  # the third building fits where there are three sites
                built = [province(match, key)[action] for key, _ in five]
                assert built == [card["sites"] == 3 for _, card in five]
    one = [key for key, card in cards if card["sites"] == 1]
    for key in one:  # and the second where there are two
        board = Board(5, side=side).province(key, 0, 1, "castle").plan(0, no=key)
        assert [event["reason"] for event in events(board.begin("no").match(), "passed")] == ["sites"]
    assert {card["sites"] for _, card in cards} == {1, 2, 3}
    assert sum(card["tax"] for _, card in cards) == 220
    assert sum(card["rice"] for _, card in cards) == 140
    assert sum(card["sites"] for _, card in cards) == 87


@pytest.mark.parametrize("side", ["sun", "moon"])
def test_borders(side: str) -> None:
    # TW-BOARD-02, TW-R-06: the moon side has the borders and sea lines of the sun side
    for key in SIDES[side]:
        assert neighbours(key, side=side) == {*SIDES["sun"][key]["land"], *SIDES["sun"][key]["sea"]}


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("shima", "izu"), ("izu", "awa-boso"), ("kii", "awa-shikoku"), ("harima", "sanuki"), ("aki", "iyo"),
        ("tajima", "kaga"),
    ],
)  # fmt: skip
def test_sea_lines_join_like_land(here: str, there: str) -> None:
    # TW-BOARD-03, TW-EX-08: both ways, for moves, attacks and the move after DEPLOY1
    for origin, target in ((here, there), (there, here)):
        assert target in neighbours(origin)
        board = Board(4).province(origin, 0, 3).province(target, 0, 1).plan(0, deploy1=origin)
        match = play(board.begin("deploy1").match(), "move", to=target, armies=3)
        assert province(match, target)["armies"] == 4
        board = Board(4).province(origin, 0, 4).province(target, 1, 1).plan(0, battle_b=origin)
        match = play(board.begin("battle_b").match(), "move", to=target, armies=3)
        assert (province(match, target)["owner"], province(match, target)["armies"]) == (0, 2)


@pytest.mark.parametrize("side", ["sun", "moon"])
def test_left_out_with_three_players(side: str) -> None:
    # TW-BOARD-04, TW-R-05: eight provinces are not there, with four or five players they are
    assert len(LEFT_OUT[side]) == 8
    assert set(Board(3, side=side).state["provinces"]) == set(SIDES[side]) - LEFT_OUT[side]
    for seats in (4, 5):
        assert set(Board(seats, side=side).state["provinces"]) == set(SIDES[side])
    for key in set(SIDES[side]) - LEFT_OUT[side]:  # next to nothing
        near = {*SIDES[side][key]["land"], *SIDES[side][key]["sea"]} - LEFT_OUT[side]
        assert neighbours(key, 3, side) == near
    for key in sorted(LEFT_OUT[side]):  # no army may be there
        with pytest.raises(SetupError) as refused:
            Board(3, side=side).province(key, 0, 1).begin("plan").match()
        assert key in str(refused.value)


def test_left_out_provinces_have_no_card() -> None:
    # TW-BOARD-04, TW-SETUP-02: with three players they are not in the draft
    for side in ("sun", "moon"):
        board = Board(3, side=side)
        for key in set(SIDES[side]) - LEFT_OUT[side]:
            board.province(key, 0, 1)
        match = board.begin("plan").match()
        cards = {action["province"] for action in options(match, "province")}
        assert cards == set(SIDES[side]) - LEFT_OUT[side]


def test_the_printed_left_out_list_goes_with_the_fixed_set_up() -> None:
    # TW-R-05: the fixed set-up for three, on the sun side, uses Shimotsuke, Shimosa and Hitachi
    provinces = Board(3).state["provinces"]
    assert {"shimotsuke", "shimosa", "hitachi"} <= set(provinces)
    assert not {"shimotsuke", "shimosa", "hitachi"} & set(Board(3, side="moon").state["provinces"])


def test_armies_of_one_player_in_any_number() -> None:
    # TW-BOARD-05: 61 in one province; after a battle only one side's are there
    board = Board(3).province("ise", 0, 56).plan(0, deploy5="ise")
    assert province(board.begin("deploy5").match(), "ise")["armies"] == 61
    board = Board(3).province("ise", 0, 4).province("kii", 1, 5).plan(0, battle_a="ise")
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=3)
    assert province(match, "kii")["owner"] == 1
    assert province(match, "kii")["armies"] == 2
    assert match.state()["supply"][:2] == [62 - 1, 62 - 2]


@pytest.mark.parametrize(
    "holds", [{"armies": 1}, {"castle": True}, {"temple": True}, {"no": True}, {"unrest": 1}]
)
def test_a_neutral_province_holds_nothing(holds: dict[str, Any]) -> None:
    # TW-BOARD-06
    board = Board(3)
    board.state["provinces"]["ise"] |= holds
    with pytest.raises(SetupError) as refused:
        board.begin("plan").match()
    assert "ise" in str(refused.value)


def test_what_becomes_neutral_is_emptied() -> None:
    # TW-BOARD-06: armies, buildings and markers leave, the card goes to the common stock and so to no player
    board = Board(3).province("etchu", 0, 2, "castle", "temple", "no", unrest=2).plan(0, tax="etchu")
    match = board.begin("tax").match()
    nothing = {"owner": None, "armies": 0, "castle": False, "temple": False, "no": False, "unrest": 0}
    assert province(match, "etchu") == nothing
    assert match.state()["tiles"] == {"castle": 28, "temple": 26, "no": 26}
    for _ in range(3):
        assert options(match, "province") == []
        enter(match)


def test_an_owned_province_has_an_army_and_its_card_is_with_the_owner() -> None:
    # TW-BOARD-07
    with pytest.raises(SetupError) as refused:
        Board(3).province("ise", 0, 0).begin("plan").match()
    assert "ise" in str(refused.value)
    with pytest.raises(SetupError):  # the card of another's province
        Board(3).province("ise", 1, 1).plan(0, tax="ise").begin("tax").match()
    board = Board(3).province("ise", 0, 3).province("kii", 0, 1).plan(0, battle_a="ise")
    match = board.begin("battle_a").match()
    assert max(action["armies"] for action in options(match, "move")) == 2  # one stays
    play(match, "move", to="kii", armies=2)
    assert [action["province"] for action in options(match, "province")] == ["ise", "kii"]
