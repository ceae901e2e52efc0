"""Court actions, part 1: conversion (CT-COURT-01 to CT-COURT-04)."""

import pytest

from rules.court.hall import court, officers
from rules.tower.board import FARMER, events, kinds, point, province
from sengoku import Match

SPACES = {1: "convert1", 2: "convert2", 3: "convert3"}


def happened(match: Match) -> list[tuple[object, ...]]:
    """Cards and conversions in order: (seat, space, card), (seat, armies) or (seat, space) if impossible."""
    found: list[tuple[object, ...]] = []
    for event in match.log:
        if event["event"] == "court_order":
            break
        if event["event"] == "card_revealed":
            found.append((event["seat"], event["space"], event["card"]))
        elif event["event"] == "converted":
            found.append((event["seat"], event["armies"]))
        elif event["event"] == "not_converted":
            found.append((event["seat"], event["space"]))
    return found


def test_player_by_player_three_two_one() -> None:
    # CT-COURT-01: in turn order, each completes CONV3, CONV2, CONV1; cards are turned up one by one
    board = court().order(2, 0, 1)
    for seat, provinces in enumerate((("aki", "bingo"), ("hida", "kaga"), ("ise", "kii"))):
        for key in provinces:
            board.province(key, seat, 5)
        board.plan(seat, convert1=provinces[0], convert2="treasure_1", convert3=provinces[1])
    match = board.begin("court").match()
    assert happened(match) == [
        step
        for seat, one, three in ((2, "ise", "kii"), (0, "aki", "bingo"), (1, "hida", "kaga"))
        for step in [
            (seat, "convert3", three), (seat, 3),
            (seat, "convert2", "treasure_1"),
            (seat, "convert1", one), (seat, 1),
        ]
    ]  # fmt: skip


def test_cards_of_later_players_stay_face_down() -> None:
    # CT-COURT-01, CT-ROUND-01: conversions come before anybody's turn in the hall and before the ten actions
    board = court().province("aki", 0, 5).plan(0, convert3="aki", castle="treasure_3").favours(3, 2, 1)
    match = board.begin("court").match()
    assert point(match) == "favour"
    seen = match.view(1)["players"][0]
    assert (seen["plan"]["convert3"], seen["plan"]["castle"]) == ("aki", "face_down")
    assert seen["revealed"] == ["convert3"]


@pytest.mark.parametrize(
    ("number", "armies"), [(1, 1), (1, 2), (1, 9), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (3, 9)]
)
def test_one_army_must_stay(number: int, armies: int) -> None:
    # CT-COURT-02, CT-R-02, CT-COURT-04: k + 1 armies are needed; with k or fewer nothing is done at all
    match = court().province("aki", 0, armies).plan(0, **{SPACES[number]: "aki"}).begin("court").match()
    possible = armies >= number + 1
    assert happened(match)[1:] == [(0, number) if possible else (0, SPACES[number])]
    assert province(match, "aki")["armies"] == (armies - number if possible else armies)
    assert match.state()["supply"][0] == 62 - province(match, "aki")["armies"]
    assert sum(officers(match, 0)[1:]) == (number if possible else 0)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize("card", ["aki", "tower"])
def test_officers_must_be_in_supply(number: int, more: int, card: str) -> None:
    # CT-COURT-02, CT-COURT-03, CT-COURT-04: k officers in the officer supply, or nothing happens
    there = number + more
    board = court().province("aki", 0, 9).tray(9).officers(0, 7 - there).plan(0, **{SPACES[number]: card})
    match = board.begin("court").match()
    possible = there >= number
    assert happened(match)[1:] == [(0, number) if possible else (0, SPACES[number])]
    assert officers(match, 0)[0] == (there - number if possible else there)
    assert sum(officers(match, 0)) == 7
    left = [province(match, "aki")["armies"], match.state()["tray"][0]]
    assert left[card == "tower"] == (9 - number if possible else 9)
    assert left[card != "tower"] == 9
    assert match.state()["supply"][0] == 62 - sum(left)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("more", [-1, 0, 1])
def test_conversion_from_the_tray(number: int, more: int) -> None:
    # CT-COURT-03, CT-COURT-04: k own cubes are needed there, none has to stay; others' do not count
    there = number + more
    board = court().tray(there, 7, farmers=3).tower([0, 1, FARMER], [0, 0, 2])
    board.plan(0, **{SPACES[number]: "tower"}).begin("court")
    match = board.match(tower_model="ledger")
    possible = there >= number
    assert happened(match)[1:] == [(0, number) if possible else (0, SPACES[number])]
    left = there - number if possible else there
    state = match.state()
    assert state["tray"] == [left, 7, 0, 0, 0, 3]
    assert state["supply"][0] == 62 - 3 - left
    assert sum(officers(match, 0)[1:]) == (number if possible else 0)


def test_the_tower_is_not_touched() -> None:
    # CT-COURT-03, TW-TOWER-12: neither its cubes nor its stream
    board = court().tray(3).tower([0, 1, FARMER], [0, 0, 2]).plan(0, convert3="tower").favours(6, 5, 2)
    match = board.begin("court").match(tower_model="ledger")
    assert officers(match, 0) == (4, 0, 3)
    assert match.state()["tower"] == [[0, 1, FARMER], [0, 0, 2], []]
    assert match.state()["tower_draws"] == board.state["tower_draws"]


def test_a_possible_conversion_is_mandatory() -> None:
    # CT-COURT-04: nobody is asked
    board = (
        court().province("aki", 0, 2).province("hida", 1, 5).plan(0, convert1="aki").plan(1, convert3="hida")
    )
    match = board.begin("court").match()
    assert match.decisions == 0
    assert (point(match), match.to_act) == ("favour", 1)
    assert happened(match) == [
        (0, "convert1", "aki"), (0, 1), (1, "convert3", "hida"), (1, 3),
    ]  # fmt: skip


def test_conversions_see_the_tray_of_earlier_ones() -> None:
    # CT-R-05: of four cubes three go, one is too few for CONV2, CONV1 takes it
    board = court().tray(4).plan(0, convert1="tower", convert2="tower", convert3="tower").begin("court")
    match = board.match()
    assert happened(match) == [
        (0, "convert3", "tower"), (0, 3),
        (0, "convert2", "tower"), (0, "convert2"),
        (0, "convert1", "tower"), (0, 1),
    ]  # fmt: skip
    assert match.state()["tray"][0] == 0
    assert officers(match, 0) == (3, 0, 4)


def test_conversions_see_the_officers_of_earlier_ones() -> None:
    # CT-R-05: with four officers CONV3 leaves one, which is too few for CONV2
    board = court().officers(0, 3).tray(3).province("aki", 0, 9).province("kii", 0, 9)
    match = board.plan(0, convert1="aki", convert2="kii", convert3="tower").begin("court").match()
    assert [event["armies"] for event in events(match, "converted")] == [3, 1]
    assert events(match, "not_converted") == [{"seat": 0, "space": "convert2"}]
    assert officers(match, 0) == (0, 0, 7)
    assert [province(match, key)["armies"] for key in ("aki", "kii")] == [8, 9]


def test_six_officers_at_most_by_three_conversions() -> None:
    # CT-COURT-01, CT-COURT-02: all three in one season
    board = court()
    for key, armies in (("aki", 4), ("hida", 3), ("kii", 2)):
        board.province(key, 0, armies)
    match = board.plan(0, convert3="aki", convert2="hida", convert1="kii").begin("court").match()
    assert officers(match, 0) == (1, 0, 6)
    assert [province(match, key)["armies"] for key in ("aki", "hida", "kii")] == [1, 1, 1]
    assert match.state()["supply"][0] == 59


def test_a_conversion_without_armies_still_turns_up_its_card() -> None:
    # CT-COURT-01, TW-R-11: every card is turned up when its time comes
    match = court().plan(0, convert1="tower", convert3="treasure_4").begin("court").match()
    assert happened(match) == [
        (0, "convert3", "treasure_4"), (0, "convert1", "tower"), (0, "convert1"),
    ]  # fmt: skip
    assert "converted" not in kinds(match)
