"""Special cards (SPECIAL): what each does for its holder."""

import pytest

from rules.tower.board import SPECIALS, Board, events, kinds, play, player, point, province

HOLDERS = [None, *SPECIALS]


def special(board: Board, card: str | None) -> Board:
    """Seat 0 holds the card; with None another seat does, or no seat."""
    return board.specials({0: card} if card else {})


@pytest.mark.parametrize("card", SPECIALS)
def test_collecting_and_deploying(card: str) -> None:
    # TW-SPECIAL-01: 1 chest more, 1 rice more, 6 armies; each only for its holder, only in its action
    board = Board(3).player(0, chests=9)
    for seat, keys in enumerate((("settsu", "kaga", "izu"), ("etchu", "hoki", "iyo"))):
        for key in keys:
            board.province(key, seat, 1)
        board.plan(seat, tax=keys[0], rice=keys[1], deploy5=keys[2])
    other = "defence_plus_1" if card == "attack_plus_1" else "attack_plus_1"
    match = board.specials({0: card, 1: other}).begin("tax").match()
    own, foreign = ([entry for entry in match.log if entry.get("seat") == seat] for seat in (0, 1))
    amounts = [
        [
            entry.get("amount", entry.get("armies"))
            for entry in part
            if entry["event"] in {"collected", "deployed"}
        ]
        for part in (own, foreign)
    ]
    assert amounts[0] == [
        7 + (card == "chest_plus_1"),
        5 + (card == "rice_plus_1"),
        5 + (card == "six_armies"),
    ]
    assert amounts[1] == [7, 5, 5]
    assert player(match, 0)["chests"] == 9 + amounts[0][0] - 3  # same price


@pytest.mark.parametrize("action", ["battle_a", "battle_b"])
@pytest.mark.parametrize("card", HOLDERS)
def test_an_attacker(action: str, card: str | None) -> None:
    # TW-SPECIAL-01, TW-R-23: attack_plus_1 throws one more own army, from supply; no other card does
    board = Board(3).province("ise", 0, 5).province("kii", 1, 2).plan(0, **{action: "ise"})
    match = play(special(board, card).begin(action).match(), "move", to="kii", armies=4)
    more = int(card == "attack_plus_1")
    assert events(match, "attack") == [
        {
            "seat": 0, "from": "ise", "to": "kii", "armies": 4, "defender": 1, "attacker_more": more,
            "defender_more": 0, "farmers": 0, "wanted": 0,
        }
    ]  # fmt: skip
    assert events(match, "thrown")[0]["cubes"] == [4 + more, 2, 0, 0, 0, 0]
    # it is an ordinary cube from then on: it may be placed in the province
    assert province(match, "kii")["armies"] == 2 + more
    assert match.state()["supply"][:2] == [62 - 1 - 2 - more, 62]


@pytest.mark.parametrize("action", ["battle_a", "battle_b"])
@pytest.mark.parametrize("card", HOLDERS)
def test_a_defender(action: str, card: str | None) -> None:
    # TW-SPECIAL-01, TW-R-23: defence_plus_1 throws one more own army, from supply; no other card does
    board = Board(3).province("ise", 1, 2).province("kii", 0, 3).plan(1, **{action: "ise"}).order(1, 0, 2)
    match = special(board, card).begin(action).match()
    play(match, "move", to="kii", armies=1)
    more = int(card == "defence_plus_1")
    assert events(match, "attack")[0]["defender_more"] == more
    assert events(match, "thrown")[0]["cubes"] == [3 + more, 1, 0, 0, 0, 0]
    assert province(match, "kii")["armies"] == 2 + more
    assert match.state()["supply"][:2] == [62 - 2 - more, 62 - 1]


@pytest.mark.parametrize(("card", "more"), [("attack_plus_1", 1), ("defence_plus_1", 0)])
def test_against_neutral_provinces(card: str, more: int) -> None:
    # TW-R-23: attack_plus_1 works there too
    board = Board(3).province("ise", 0, 5).plan(0, battle_a="ise").specials({0: card})
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=3)
    assert events(match, "thrown")[0]["cubes"] == [3 + more, 0, 0, 0, 0, 1]
    assert province(match, "kii")["armies"] == 2 + more


@pytest.mark.parametrize("card", ["attack_plus_1", "defence_plus_1"])
def test_not_in_moves_and_revolts(card: str) -> None:
    # TW-R-23: no cube in a pure move, none in a revolt
    board = Board(3).province("ise", 0, 5).province("kii", 0, 1).plan(0, battle_a="ise").specials({0: card})
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=3)
    assert [province(match, key)["armies"] for key in ("ise", "kii")] == [2, 4]
    assert match.state()["supply"][0] == 56
    assert "thrown" not in kinds(match)
    board = Board(3).province("ise", 0, 5, unrest=2).plan(0, tax="ise").specials({0: card})
    match = board.begin("tax").match()
    assert events(match, "thrown")[0]["cubes"] == [5, 0, 0, 0, 0, 2]
    assert province(match, "ise")["armies"] == 3


@pytest.mark.parametrize(("card", "seat"), [("attack_plus_1", 0), ("defence_plus_1", 1)])
def test_an_empty_supply_gives_no_cube(card: str, seat: int) -> None:
    # TW-R-23
    board = Board(3).province("ise", 0, 5).province("kii", 1, 2).plan(0, battle_a="ise")
    board.province("noto", seat, 57 if seat == 0 else 60).specials({seat: card})
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=4)
    assert events(match, "thrown")[0]["cubes"] == [4, 2, 0, 0, 0, 0]
    attack = events(match, "attack")[0]
    assert (attack["attacker_more"], attack["defender_more"]) == (0, 0)


@pytest.mark.parametrize(("supply", "more"), [(0, 0), (1, 1), (2, 2), (9, 2)])
def test_defence_and_castle_add_up(supply: int, more: int) -> None:
    # TW-R-23, TW-R-22: two cubes, supply permitting
    board = Board(3).province("ise", 0, 9).province("kii", 1, 2, "castle").province("noto", 1, 60 - supply)
    board.plan(0, battle_a="ise").event("castle_defence").specials({1: "defence_plus_1"})
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=8)
    assert events(match, "attack")[0]["defender_more"] == more
    assert events(match, "thrown")[0]["cubes"] == [8, 2 + more, 0, 0, 0, 0]
    assert province(match, "kii")["armies"] == 8 - 2 - more


def test_in_every_battle() -> None:
    # TW-SPECIAL-02: attacks in A and B, and every defence of the season, not once only
    board = Board(4).province("ise", 0, 5).province("etchu", 0, 5).plan(0, battle_a="ise", battle_b="etchu")
    board.province("kii", 1, 1).province("noto", 1, 1)
    match = board.specials({0: "attack_plus_1", 1: "defence_plus_1"}).begin("battle_a").match()
    play(match, "move", to="kii", armies=4)
    assert point(match) == "battle"
    play(match, "move", to="noto", armies=4)
    more = [(event["attacker_more"], event["defender_more"]) for event in events(match, "attack")]
    assert more == [(1, 1), (1, 1)]
    assert [event["cubes"] for event in events(match, "thrown")] == [[5, 2, 0, 0, 0, 0]] * 2


def test_twice_within_one_action() -> None:
    # TW-SPECIAL-02: two attackers in the same action, the defender throws one more each time
    board = Board(3).province("ise", 0, 2).province("settsu", 2, 2).province("kii", 1, 6)
    board.plan(0, battle_a="ise").plan(2, battle_a="settsu")
    board.specials({1: "defence_plus_1", 0: "chest_plus_1", 2: "rice_plus_1"})
    match = board.begin("battle_a").match()
    play(match, "move", to="kii", armies=1)
    play(match, "move", to="kii", armies=1)
    assert [event["cubes"][1] for event in events(match, "thrown")] == [7, 7]
    assert province(match, "kii")["armies"] == 6


def test_special_after_event() -> None:
    # TW-SPECIAL-03, TW-ACT-04: 7 becomes 5, then 6; were the special first, it would be 5
    board = Board(3).province("settsu", 0, 1).plan(0, tax="settsu").event("tax_max_5")
    assert player(board.specials({0: "chest_plus_1"}).begin("tax").match(), 0)["chests"] == 26
    board = Board(3).province("hida", 0, 1).plan(0, rice="hida").event("rice_min_4")
    assert player(board.specials({0: "rice_plus_1"}).begin("rice").match(), 0)["rice"] == 5
    board = Board(3).province("hida", 0, 1).plan(0, deploy5="hida").event("few_recruits")
    assert province(board.specials({0: "six_armies"}).begin("deploy5").match(), "hida")["armies"] == 7
