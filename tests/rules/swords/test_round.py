"""Actions 8 and 9 and the end of a round (ROUND)."""

from typing import Any

import pytest

from rules.swords.board import Board, army, end_round, events, fill, units


def last_turn(seats: int = 3, **options: Any) -> Board:
    """The last war turn of a round, before armies move in Phase D."""
    return Board(seats, phase="d", active=(4 if seats == 2 else seats) - 1, **options)


def with_provinces(counts: list[int]) -> Board:
    """Clans with a number of provinces each, their homes among them."""
    board = last_turn(len(counts))
    for clan, count in enumerate(counts):
        fill(board, clan, count, "kai")
    return board


def test_all_ronin_go_back_to_the_pool() -> None:
    # SW-ROUND-01, SW-R-78: revealed and hidden, of armies and forces; the trays of the players get nothing
    board = last_turn().army(0, 1, "kai", spear=4, ronin=3).province("mino", 1, spear=3, ronin=2)
    board.province("hida", 2, spear=5, hidden=4).army(1, 1, "owari", daimyo=0, spear=2, ronin=2)
    match = board.match(dice=[])
    trays = [clan["tray"] for clan in match.state()["clans"]]
    assert match.state()["pool"]["ronin"] == 25 - 3 - 2 - 4 - 2
    end_round(match)
    assert match.state()["pool"]["ronin"] == 25
    assert (army(match, 0, 1)["units"], units(match, "mino")) == ({"daimyo": 1, "spear": 4}, {"spear": 3})
    assert (units(match, "hida"), match.state()["provinces"]["hida"]["hidden"]) == ({"spear": 5}, 0)
    assert [clan["tray"] for clan in match.state()["clans"]] == trays


@pytest.mark.parametrize(
    ("provinces", "koku"),
    [(13, 4), (26, 8), (17, 5), (22, 7), (8, 3), (1, 3), (9, 3), (11, 3), (12, 4), (34, 11)],
)
def test_income(provinces: int, koku: int) -> None:
    # SW-ROUND-02, SW-X-01, SW-R-77: a third of the provinces, rounded down (26 give 8), but at least 3
    match = end_round(with_provinces([1, provinces, 2]).match(dice=[]))
    assert [clan["koku"] for clan in match.state()["clans"]] == [3, koku, 3]
    assert events(match, "income")[1] == {"event": "income", "clan": 1, "provinces": provinces, "koku": koku}


def test_only_clans_in_play_take_koku() -> None:
    # SW-ROUND-02
    board = last_turn(homes=False).army(0, 3, "tsushima").army(2, 3, "sado")
    board.clan(1, out=1, colours=0, sword=0)
    match = end_round(board.match(dice=[]))
    assert [event["clan"] for event in events(match, "income")] == [0, 2]
    assert match.state()["clans"][1]["koku"] == 0


def test_koku_are_not_saved() -> None:
    # SW-ROUND-02: what a clan has in the next round is its income and nothing else
    match = end_round(with_provinces([4, 16, 4]).clan(1, koku=7).match(dice=[]))
    assert match.state()["clans"][1]["koku"] == 5


def test_a_clan_whose_only_daimyo_is_assassinated_takes_the_minimum() -> None:
    # SW-R-79: nothing is looked at but the provinces; every clan in play has a daimyo or his successor
    board = last_turn(homes=False).army(0, 3, "tsushima").army(2, 3, "sado")
    match = end_round(board.army(1, 1, "kai", daimyo=0, spear=1).match(dice=[]))
    assert match.state()["clans"][1]["koku"] == 3


def test_income_then_successors_then_the_next_round() -> None:
    # SW-ROUND-03
    board = last_turn().army(0, 1, "kai", hole=4, daimyo=0, spear=1)
    match = end_round(board.match(dice=[]))
    order = [event["event"] for event in match.log]
    assert order[-5:] == ["income", "income", "income", "successor", "round"]


def test_victory_is_looked_at_after_income_and_before_successors() -> None:
    # SW-ROUND-03: in the long game the match is over before a successor could take over
    board = with_provinces([35, 2, 2]).army(1, 1, "kai", daimyo=0, spear=1)
    match = end_round(board.match(dice=[], long_game=True))
    assert match.over
    assert [event["event"] for event in match.log][-4:] == ["income", "income", "income", "over"]
    assert match.state()["clans"][0]["koku"] == 11
    assert army(match, 1, 1)["disrupted"]


def test_what_stays_between_rounds() -> None:
    # SW-ROUND-04: owners, units, buildings, armies, experience, trays, and the ninja nobody has used
    board = last_turn().set(ninja=1, ninja_fresh=True)
    board.army(0, 1, "kai", hole=4, spear=2, bow=1).army(1, 1, "mino", hole=9, gun=3)
    board.province("kai", 0, "castle", sword=2).province("hida", 2, "fortress", spear=5)
    match = board.match(dice=[])
    before = match.state()
    after = end_round(match).state()
    assert after["round"] == before["round"] + 1
    for key in before["provinces"]:
        for field in ("owner", "fort", "units"):
            assert after["provinces"][key][field] == before["provinces"][key][field]
    for old, new in zip(before["clans"], after["clans"], strict=True):
        assert [(one["province"], one["hole"], one["units"]) for one in new["armies"]] == [
            (one["province"], one["hole"], one["units"]) for one in old["armies"]
        ]
        assert new["tray"] == old["tray"]
        assert new["koku"] == 3  # collected in Action 9, to be planned with now
    assert after["ninja"] == 1


def test_what_does_not_stay_between_rounds() -> None:
    # SW-ROUND-04: swords, plans, declarations, ronin and assassinations
    board = last_turn().province("mino", 0, spear=3, hidden=2).province("owari", 1, spear=1)
    board.army(2, 1, "kai", daimyo=0, spear=2, ronin=1).set(declared_armies=["mino", None, None])
    for clan in range(3):
        plan = {"swords": 1, "build": 2, "levy": clan, "ronin": 1, "ninja": 0}
        board.clan(clan, plan=plan, committed=True)
    after = end_round(board.match(dice=[])).state()
    for clan in after["clans"]:
        assert (clan["sword"], sum(clan["plan"].values()), clan["committed"]) == (0, 0, False)
        assert not any(one["disrupted"] for one in clan["armies"])
    assert (after["declared_armies"], after["declared_forces"]) == ([None, None, None], {})
    assert after["pool"]["ronin"] == 25
    assert after["cards"] == [[], [], []]
