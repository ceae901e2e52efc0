"""Action 4: levy (LEVY): what koku buy, and where it goes."""

import pytest

from rules.swords.board import Board, army, begin, events, options, plan, play, point, quietly, units
from sengoku import Match

BUNDLES: list[dict[str, int]] = [
    {"bow": 1},
    {"sword": 2},
    {"gun": 2},
    {"gun": 1, "sword": 1},
    {"spear": 3},
]
"""What one koku buys."""
LESS: list[dict[str, int]] = [{}, {"sword": 1}, {"gun": 1}, {"spear": 1}, {"spear": 2}]
"""Parts of these."""


def offered(match: Match) -> list[dict[str, int]]:
    """What the next koku may buy."""
    return [action["units"] for action in options(match, "bundle")]


def buy(match: Match, *bundles: dict[str, int]) -> Match:
    """Spends one koku after the other."""
    for bundle in bundles:
        play(match, "bundle", units=bundle)
    return match


def places(match: Match) -> set[str]:
    """Where the unit may join or become a provincial force."""
    return {action["province"] for action in options(match, "province")}


def armies(match: Match) -> set[str]:
    """Where the unit may go into an army."""
    return {action["province"] for action in options(match, "into_army")}


def tray(match: Match, clan: int) -> dict[str, int]:
    """What is in a clan's tray."""
    return {kind: count for kind, count in match.state()["clans"][clan]["tray"].items() if count}


def levying(board: Board, *koku: int) -> Match:
    """A match in Action 4 with these koku in LEVY."""
    return begin(board, "levy", *[{"levy": count} for count in koku]).match()


def test_what_a_koku_buys() -> None:
    # SW-LEVY-01, SW-R-24: one of five bundles, or a part of one, and no other mixture
    match = levying(Board(3), 1)
    assert sorted(offered(match), key=str) == sorted(BUNDLES + LESS, key=str)
    assert len(options(match)) == len(BUNDLES + LESS)


@pytest.mark.parametrize("bundle", BUNDLES + LESS, ids=str)
def test_units_come_from_the_tray(bundle: dict[str, int]) -> None:
    # SW-LEVY-01, SW-R-24: what is not taken of a bundle is lost, the koku is spent
    match = levying(Board(3), 1)
    before = tray(match, 0)
    [action] = [action for action in match.legal_actions() if action.args["units"] == bundle]
    match.play(action)
    if bundle:
        bought = {kind: count for kind, count in match.state()["clans"][0]["bought"].items() if count}
        assert bought == bundle
        assert tray(match, 0) == {kind: count - bundle.get(kind, 0) for kind, count in before.items()}
    else:
        assert (point(match), tray(match, 0)) == ("choose_army", before)
    assert match.state()["clans"][0]["koku"] == 0


def test_every_koku_buys_for_itself() -> None:
    # SW-LEVY-01
    match = levying(Board(3), 3)
    for bundle in ({"bow": 1}, {"spear": 3}, {"gun": 1, "sword": 1}):
        assert point(match) == "buy"
        buy(match, bundle)
    assert point(match) == "levy"
    assert events(match, "bought")[0]["units"] | {"daimyo": 0, "ronin": 0} == {
        "bow": 1, "gun": 1, "sword": 1, "spear": 3, "daimyo": 0, "ronin": 0,
    }  # fmt: skip


def test_a_short_tray_gives_what_it_has() -> None:
    # SW-R-24: one swordsman, no bowman and two spearmen are left; purchases of this step count too
    board = Board(3).province("aki", 0, bow=5).province("suo", 0, bow=4, sword=1)
    board.province("iwami", 0, sword=5).province("bingo", 0, sword=2)
    board.army(0, 1, "hizen", spear=10).army(0, 2, "higo", spear=10)
    for key in ("iyo", "tosa", "bungo"):
        board.province(key, 0, spear=4)
    board.province("buzen", 0, spear=1)
    match = levying(board, 3)
    assert tray(match, 0) == {"gun": 9, "sword": 1, "spear": 2}
    assert offered(match) == [
        {}, {"sword": 1}, {"gun": 1}, {"gun": 2}, {"gun": 1, "sword": 1}, {"spear": 1}, {"spear": 2},
    ]  # fmt: skip
    buy(match, {"gun": 1, "sword": 1})
    assert offered(match) == [{}, {"gun": 1}, {"gun": 2}, {"spear": 1}, {"spear": 2}]
    buy(match, {"spear": 2})
    assert offered(match) == [{}, {"gun": 1}, {"gun": 2}]


def test_first_all_buy_then_all_place() -> None:
    # SW-LEVY-02: purchases are public before anybody places
    match = levying(Board(3), 1, 1, 1)
    for seat in range(3):
        assert (point(match), match.to_act) == ("buy", seat)
        assert events(match, "bought") == []
        buy(match, {"bow": 1})
    assert [event["clan"] for event in events(match, "bought")] == [0, 1, 2]
    for seat in range(3):
        assert (point(match), match.to_act) == ("levy", seat)
        assert match.view(2)["clans"][0]["bought"]["bow"] == 1
        assert events(match, "levied") == []  # all are placed together
        play(match, "province", province=("tsushima", "oki", "sado")[seat])
    assert [event["clan"] for event in events(match, "levied")] == [0, 1, 2]
    assert [units(match, key) for key in ("tsushima", "oki", "sado")] == [{"bow": 1}] * 3


def test_one_unit_for_each_province() -> None:
    # SW-LEVY-03: army and provincial force of a province taken together
    board = Board(3).army(0, 1, "hizen", spear=1).province("hizen", 0, spear=1).province("aki", 0, spear=1)
    match = buy(levying(board, 2), {"spear": 3}, {"bow": 1})
    assert (places(match), armies(match)) == ({"tsushima", "hizen", "aki"}, {"tsushima", "hizen"})
    play(match, "into_army", province="hizen")  # the bowman
    assert (places(match), armies(match)) == ({"tsushima", "aki"}, {"tsushima"})
    play(match, "province", province="aki")
    assert (places(match), armies(match)) == ({"tsushima"}, {"tsushima"})
    play(match, "province", province="tsushima")
    assert options(match) == [{"name": "pass"}]
    play(match, "pass")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "spear": 1, "bow": 1}
    assert (units(match, "hizen"), units(match, "aki")) == ({"spear": 1}, {"spear": 2})
    assert units(match, "tsushima") == {"spear": 1}


def test_into_the_province_or_into_the_army() -> None:
    # SW-LEVY-04: a friendly province only; a provincial force may be new where an army stood alone
    board = Board(3).province("aki", 1, spear=1)
    match = buy(levying(board, 1), {"gun": 1})
    assert (places(match), armies(match)) == ({"tsushima"}, {"tsushima"})
    play(match, "province", province="tsushima")
    assert units(match, "tsushima") == {"gun": 1}
    assert army(match, 0, 3)["units"] == {"daimyo": 1, "spear": 1}

    match = buy(levying(board, 1), {"gun": 1})
    play(match, "into_army", province="tsushima")
    assert units(match, "tsushima") == {}
    assert army(match, 0, 3)["units"] == {"daimyo": 1, "spear": 1, "gun": 1}


def test_boxes_of_the_right_class() -> None:
    # SW-LEVY-04, SW-LEVY-05: 4 samurai fill one army, 10 ashigaru the other
    board = Board(3).army(0, 1, "hizen", bow=2, sword=2).army(0, 2, "aki", gun=4, spear=6)
    match = buy(levying(board, 3), {"bow": 1}, {"gun": 1, "sword": 1}, {"spear": 1})
    for kind in ("bow", "gun", "sword", "spear"):
        assert armies(match) == {"tsushima", "aki" if kind in {"bow", "sword"} else "hizen"}
        assert {"hizen", "aki"} <= places(match)
        play(match, "pass")


def test_five_units_fill_a_province() -> None:
    # SW-LEVY-05: any mix of five regular units
    board = Board(3).province("hizen", 0, bow=2, spear=3).province("aki", 0, bow=1, spear=3)
    board.army(0, 1, "suo", spear=1).province("suo", 0, gun=5)
    match = buy(levying(board, 1), {"spear": 1})
    assert places(match) == {"tsushima", "aki"}
    assert armies(match) == {"tsushima", "suo"}


def test_what_cannot_be_placed_goes_back() -> None:
    # SW-R-23: to the tray, and so does what is given up; the koku are lost
    board = Board(3).province("tsushima", 0, spear=5)
    board.army(0, 3, "tsushima", bow=4, gun=5, spear=5)
    match = levying(board, 1)
    before = tray(match, 0)
    buy(match, {"sword": 2})
    for _ in range(2):
        assert options(match) == [{"name": "pass"}]
        play(match, "pass")
    assert tray(match, 0) == before
    assert [event["units"]["sword"] for event in events(match, "given_up")] == [2]
    assert match.state()["clans"][0]["koku"] == 0

    match = buy(levying(Board(3), 1), {"bow": 1})
    play(match, "pass")  # although there is room
    assert tray(match, 0)["bow"] == 9


def test_koku_go_to_the_pool() -> None:
    # SW-R-25: what was spent is not there in the next round, only the income is
    match = begin(Board(3), "plan", {"levy": 6}, {}, {}).match()
    plan(match, levy=6)
    plan(match)
    plan(match)
    assert match.state()["clans"][0]["koku"] == 0
    quietly(match, "plan")
    assert match.state()["clans"][0]["koku"] == 3


def test_the_levies_of_the_first_round() -> None:
    # SW-X-05: two clans of a game of four, after setup with 17 provinces
    match = Match.create("swords", seats=4, seed=2)
    quietly(match, "plan")
    for levy in (4, 3, 0, 0):
        plan(match, levy=levy)
    assert tray(match, 0) == tray(match, 1) == {"bow": 6, "sword": 6, "gun": 3, "spear": 7}
    buy(match, {"gun": 2}, {"sword": 2}, {"bow": 1}, {"bow": 1})
    buy(match, {"gun": 2}, {"sword": 2}, {"bow": 1})
    for clan, count in ((0, 6), (1, 5)):
        for _ in range(count):
            assert match.to_act == clan
            play(match, "province", province=min(places(match)))
    assert tray(match, 0) == {"bow": 4, "sword": 4, "gun": 1, "spear": 7}
    assert tray(match, 1) == {"bow": 5, "sword": 4, "gun": 1, "spear": 7}
    for clan, count in ((0, 6), (1, 5)):
        chosen = [event["province"] for event in events(match, "levied") if event["clan"] == clan]
        assert len(set(chosen)) == count
        assert not any(event["into_army"] for event in events(match, "levied"))


def test_eight_provinces_take_eight_units() -> None:
    # SW-X-06, SW-LEVY-03, SW-R-23: the ninth spearman goes back to the tray
    board = Board(3)
    for key in ("hizen", "chikugo", "chikuzen", "buzen", "bungo", "higo", "hyuga"):
        board.province(key, 0, spear=1)
    match = levying(board, 3)
    before = tray(match, 0)["spear"]
    buy(match, {"spear": 3}, {"spear": 3}, {"spear": 3})
    for _ in range(8):
        play(match, "province", province=min(places(match)))
    assert options(match) == [{"name": "pass"}]
    play(match, "pass")
    assert tray(match, 0)["spear"] == before - 8
    assert units(match, "hyuga") == {"spear": 2}
