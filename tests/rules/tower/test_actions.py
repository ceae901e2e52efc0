"""The ten actions (ACTIONS): who must act, who passes, and what each action does."""

from typing import Any

import pytest

from rules.tower.board import Board, enter, events, kinds, options, play, player, point, province
from sengoku import Match

COLLECTIONS = [("tax", "chests", 5), ("rice", "rice", 4)]
"""The yield of Kii."""


def izu(action: str, armies: int = 3, *buildings: str, unrest: int = 0, **fields: Any) -> Board:
    """Seat 0 has planned an action in Izu, which has three sites."""
    board = Board(3).province("izu", 0, armies, *buildings, unrest=unrest).player(0, **fields)
    return board.plan(0, **{action: "izu"})


def hold(match: Match, seat: int = 0) -> tuple[int, int, int]:
    """Chests, rice and armies in supply."""
    it = player(match, seat)
    return it["chests"], it["rice"], match.state()["supply"][seat]


@pytest.mark.parametrize("card", ["izu", "treasure_1", "empty"])
def test_a_turn_in_an_action(card: str) -> None:
    # TW-ACT-01: an own province is acted in; a treasure card or an empty space does nothing
    match = Board(3).province("izu", 0, 3).plan(0, castle=card).begin("castle").match()
    assert province(match, "izu")["castle"] == (card == "izu")
    assert hold(match) == (17 if card == "izu" else 20, 0, 59)


def test_a_lost_province_is_not_acted_in() -> None:
    # TW-ACT-01, TW-R-20: its card has left the space; reconquest later in the season does not bring it back
    board = Board(3).province("ise", 0, 1).province("kii", 0, 9).province("omi", 1, 9).province("shima", 2, 1)
    board.plan(0, tax="ise", battle_b="kii").plan(1, battle_a="omi").begin("battle_a")
    rest = ["battle_b", "tax", "castle", "temple", "no", "rice", "deploy5", "deploy3", "deploy1"]
    match = board.set(action_order=["battle_a", *rest]).match()
    play(match, "move", to="ise", armies=5)
    assert province(match, "ise") == {
        "owner": 1, "armies": 4, "castle": False, "temple": False, "no": False, "unrest": 0,
    }  # fmt: skip
    assert player(match, 0)["plan"]["tax"] == "empty"
    play(match, "move", to="ise", armies=6)
    assert (province(match, "ise")["owner"], province(match, "ise")["armies"]) == (0, 2)
    assert match.state()["round"] == "summer"  # tax has come and gone
    assert "collected" not in kinds(match)
    assert player(match, 0)["chests"] == 20
    assert [action["province"] for action in options(match, "province")] == ["ise", "kii"]


@pytest.mark.parametrize("action", ["castle", "temple", "no", "rice", "tax", "deploy5", "deploy3"])
def test_what_can_be_done_must_be_done(action: str) -> None:
    # TW-ACT-02, TW-R-15: without a question
    match = izu(action).begin(action).match()
    assert (match.decisions, match.state()["round"]) == (0, "summer")
    done = {"castle": "built", "temple": "built", "no": "built", "rice": "collected", "tax": "collected"}
    assert kinds(match).count(done.get(action, "deployed")) == 1


@pytest.mark.parametrize("action", ["battle_a", "battle_b"])
def test_nobody_refuses_a_battle(action: str) -> None:
    # TW-ACT-02, TW-R-15, TW-R-17: with a target at least 1 army must move; own provinces are targets
    board = Board(3).province("noto", 0, 2).province("kaga", 0, 1).province("etchu", 1, 1)
    match = board.plan(0, **{action: "noto"}).begin(action).match()
    assert options(match) == [
        {"name": "move", "to": "etchu", "armies": 1},
        {"name": "move", "to": "kaga", "armies": 1},
    ]


@pytest.mark.parametrize("action", ["battle_a", "battle_b"])
def test_with_the_option_nobody_has_to_move(action: str) -> None:
    # TW-R-17, TW-D-08, TW-D-09: `allow_zero_move` adds one choice
    board = Board(3).province("noto", 0, 3).province("kaga", 0, 1).province("etchu", 1, 1)
    match = board.plan(0, **{action: "noto"}).begin(action).match(allow_zero_move=True)
    targets = [{"name": "move", "to": to, "armies": k} for to in ("etchu", "kaga") for k in (1, 2)]
    assert options(match) == [{"name": "pass"}, *targets]
    play(match, "pass")
    assert [province(match, key)["armies"] for key in ("noto", "kaga", "etchu")] == [3, 1, 1]
    assert not {"moved", "attack", "thrown"} & set(kinds(match))


@pytest.mark.parametrize(
    ("board", "action", "reason"),
    [
        (izu("castle", chests=2), "castle", "chests"),
        (izu("temple", chests=1), "temple", "chests"),
        (izu("no", chests=0), "no", "chests"),
        (izu("deploy5", chests=2), "deploy5", "chests"),
        (izu("deploy3", chests=1), "deploy3", "chests"),
        (izu("deploy1", chests=0), "deploy1", "chests"),
        (izu("castle", 3, "castle"), "castle", "built"),
        (izu("temple", 3, "temple", "no"), "temple", "built"),
        (izu("no", 3, "no"), "no", "built"),
        (izu("deploy5", 58), "deploy5", "supply"),
        (izu("deploy3", 60), "deploy3", "supply"),
        (izu("deploy1", 62), "deploy1", "supply"),
        (izu("battle_a", 1), "battle_a", "armies"),
        (izu("battle_b", 1), "battle_b", "armies"),
    ],
)
def test_what_cannot_be_done_in_full_is_passed(board: Board, action: str, reason: str) -> None:
    # TW-ACT-03, TW-ACT-05, TW-R-15: nothing is paid, nothing moves, not even in part
    before = board.position()
    match = board.begin(action).match()
    assert events(match, "passed") == [{"seat": 0, "action": action, "province": "izu", "reason": reason}]
    assert province(match, "izu") == before["provinces"]["izu"]
    assert player(match, 0)["chests"] == before["players"][0]["chests"]
    assert match.state()["supply"] == before["supply"]
    assert match.decisions == 0


def test_no_site_is_free() -> None:
    # TW-ACT-03, TW-ACT-05, TW-ACT-11: bizen has one site
    match = Board(3).province("bizen", 0, 1, "no").plan(0, castle="bizen").begin("castle").match()
    assert [event["reason"] for event in events(match, "passed")] == ["sites"]
    assert hold(match) == (20, 0, 61)


def test_no_target() -> None:
    # TW-ACT-03, TW-ACT-05: Noto has two neighbours, both with a temple that shields them
    board = Board(3).province("noto", 0, 9).province("kaga", 1, 1, "temple").province("etchu", 2, 1, "temple")
    match = board.event("temple_shield").plan(0, battle_a="noto").begin("battle_a").match()
    passed = {"seat": 0, "action": "battle_a", "province": "noto", "reason": "targets"}
    assert events(match, "passed") == [passed]
    assert province(match, "noto")["armies"] == 9


@pytest.mark.parametrize(
    ("printed", "event", "special", "amount"),
    [
        ("settsu", "tax_max_5", "chest_plus_1", 6),
        ("settsu", "tax_max_5", None, 5),
        ("settsu", None, "chest_plus_1", 8),
        ("settsu", "tax_min_6", None, 7),
        ("aki", "tax_min_6", None, 6),
        ("aki", "tax_min_6", "chest_plus_1", 7),
        ("aki", "tax_max_5", "chest_plus_1", 5),
        ("aki", "rice_min_4", "rice_plus_1", 4),
        ("ise", None, None, 5),
    ],
)
def test_tax(printed: str, event: str | None, special: str | None, amount: int) -> None:
    # TW-ACT-07, TW-ACT-04, TW-EX-01: tax of Settsu 7, Aki 4, Ise 5; first the event, then the special card
    board = Board(3).province(printed, 0, 1).plan(0, tax=printed).specials({0: special} if special else {})
    match = (board.event(event) if event else board).begin("tax").match()
    assert hold(match) == (20 + amount, 0, 61)
    assert events(match, "collected") == [{"seat": 0, "action": "tax", "province": printed, "amount": amount}]
    assert province(match, printed)["unrest"] == 1


@pytest.mark.parametrize(
    ("printed", "event", "special", "amount"),
    [
        ("hida", "rice_min_4", "rice_plus_1", 5),
        ("kaga", "rice_max_3", None, 3),
        ("kaga", "rice_max_3", "rice_plus_1", 4),
        ("kaga", "rice_min_4", None, 5),
        ("hida", "rice_max_3", None, 2),
        ("hida", None, "rice_plus_1", 3),
        ("kaga", None, "rice_plus_1", 6),
        ("kaga", "tax_max_5", "chest_plus_1", 5),
        ("hida", None, None, 2),
    ],
)
def test_rice(printed: str, event: str | None, special: str | None, amount: int) -> None:
    # TW-ACT-08, TW-ACT-04, TW-EX-24: rice of Hida 2, Kaga 5
    board = Board(3).province(printed, 0, 1).plan(0, rice=printed).specials({0: special} if special else {})
    match = (board.event(event) if event else board).begin("rice").match()
    assert hold(match) == (20, amount, 61)
    assert province(match, printed)["unrest"] == 1


@pytest.mark.parametrize(
    ("action", "event", "special", "armies", "price"),
    [
        ("deploy5", None, None, 5, 3),
        ("deploy5", "few_recruits", None, 3, 3),
        ("deploy5", None, "six_armies", 6, 3),
        ("deploy5", "few_recruits", "six_armies", 6, 3),
        ("deploy3", None, None, 3, 2),
        ("deploy3", "few_recruits", None, 2, 2),
        ("deploy3", "few_recruits", "six_armies", 2, 2),
        ("deploy3", None, "six_armies", 3, 2),
        ("deploy1", "few_recruits", None, 1, 1),
        ("deploy1", None, "six_armies", 1, 1),
    ],
)
def test_armies_deployed(
    action: str, event: str | None, special: str | None, armies: int, price: int
) -> None:
    # TW-ACT-06, TW-ACT-04, TW-ACT-05: the price never changes
    board = izu(action).specials({0: special} if special else {1: "six_armies"})
    match = (board.event(event) if event else board).begin(action).match()
    assert events(match, "deployed") == [{"seat": 0, "province": "izu", "armies": armies, "paid": price}]
    assert province(match, "izu")["armies"] == 3 + armies
    assert hold(match) == (20 - price, 0, 59 - armies)


@pytest.mark.parametrize(("supply", "placed"), [(5, 0), (6, 6)])
def test_six_armies_are_not_optional(supply: int, placed: int) -> None:
    # TW-R-18: with 5 in supply the player passes
    board = izu("deploy5", 62 - supply).specials({0: "six_armies"})
    match = board.begin("deploy5").match()
    assert province(match, "izu")["armies"] == 62 - supply + placed
    assert [event["reason"] for event in events(match, "passed")] == ([] if placed else ["supply"])
    assert hold(match) == (17 if placed else 20, 0, supply - placed)


@pytest.mark.parametrize(("supply", "placed"), [(2, 0), (3, 3)])
def test_few_recruits_need_fewer_in_supply(supply: int, placed: int) -> None:
    # TW-ACT-05, TW-ACT-06: it is N that must be in supply
    match = izu("deploy5", 62 - supply).event("few_recruits").begin("deploy5").match()
    assert province(match, "izu")["armies"] == 62 - supply + placed


@pytest.mark.parametrize(("kind", "price"), [("castle", 3), ("temple", 2), ("no", 1)])
def test_building(kind: str, price: int) -> None:
    # TW-ACT-05: the price to the bank, a tile from the supply
    match = izu(kind).begin(kind).match()
    assert events(match, "built") == [{"seat": 0, "province": "izu", "building": kind, "paid": price}]
    assert {name for name in ("castle", "temple", "no") if province(match, "izu")[name]} == {kind}
    tiles = {"castle": 28, "temple": 26, "no": 26}
    assert match.state()["tiles"] == tiles | {kind: tiles[kind] - 1}
    assert hold(match) == (20 - price, 0, 59)
    assert province(match, "izu")["unrest"] == 0


def test_building_limits() -> None:
    # TW-ACT-11, TW-EX-03: Aki has two sites; after a temple a theatre fits, then no castle; no two alike
    board = Board(3).province("aki", 0, 1).plan(0, temple="aki").begin("temple")
    match = board.match()
    assert province(match, "aki")["temple"]
    for here, action, fits in (
        (("temple",), "no", True), (("temple",), "castle", True), (("temple",), "temple", False),
        (("temple", "no"), "castle", False),
    ):  # fmt: skip
        board = Board(3).province("aki", 0, 1, *here).plan(0, **{action: "aki"})
        match = board.begin(action).match()
        built = [kind for kind in ("castle", "temple", "no") if province(match, "aki")[kind]]
        assert sorted(built) == sorted({*here, action} if fits else here)


def test_three_sites_take_one_of_each() -> None:
    # TW-ACT-11
    match = izu("castle", 1, "temple", "no").begin("castle").match()
    assert all(province(match, "izu")[kind] for kind in ("castle", "temple", "no"))


@pytest.mark.parametrize(("action", "field", "amount"), COLLECTIONS)
def test_collecting_in_a_quiet_province(action: str, field: str, amount: int) -> None:
    # TW-ACT-09: the amount, then a marker; no revolt, nothing is thrown
    match = Board(3).province("kii", 0, 2).plan(0, **{action: "kii"}).begin(action).match()
    base = 20 if field == "chests" else 0
    assert player(match, 0)[field] == base + amount
    assert province(match, "kii")["unrest"] == 1
    assert not {"revolt", "thrown"} & set(kinds(match))


@pytest.mark.parametrize(("action", "field", "amount"), COLLECTIONS)
@pytest.mark.parametrize("unrest", [1, 2, 3])
@pytest.mark.parametrize("armies", [1, 2, 3, 4, 5])
def test_collecting_where_there_is_unrest(
    action: str, field: str, amount: int, unrest: int, armies: int
) -> None:
    # TW-ACT-09, TW-R-16: as many farmers as there were markers; income comes first and is kept
    board = Board(3).province("kii", 0, armies, "castle", unrest=unrest).plan(0, **{action: "kii"})
    match = board.begin(action).match()
    assert player(match, 0)[field] == (20 if field == "chests" else 0) + amount
    assert events(match, "revolt") == [{"seat": 0, "province": "kii", "farmers": unrest, "wanted": unrest}]
    assert events(match, "thrown")[0]["cubes"] == [armies, 0, 0, 0, 0, unrest]
    log = kinds(match)
    assert log.index("collected") < log.index("revolt")
    if armies > unrest:
        it = province(match, "kii")
        assert (it["owner"], it["armies"], it["unrest"], it["castle"]) == (
            0,
            armies - unrest,
            unrest + 1,
            True,
        )
    else:
        nothing = {"owner": None, "armies": 0, "castle": False, "temple": False, "no": False, "unrest": 0}
        assert province(match, "kii") == nothing


def deploying(armies: int = 3, **setup: Any) -> Match:
    """Seat 0 deploys one army in Ise, with own, neutral and foreign provinces around it."""
    board = (
        Board(3).province("ise", 0, armies).province("kii", 0, 1).province("omi", 1, 1).plan(0, deploy1="ise")
    )
    return board.province("hida", 0, 5).begin("deploy1").match(**setup)


def test_one_army_and_a_move() -> None:
    # TW-ACT-10, TW-ACT-05, TW-D-07: none, or 1 to all but one, to one adjacent own province
    match = deploying()
    assert (match.to_act, point(match)) == (0, "deploy_move")
    assert province(match, "ise")["armies"] == 4
    assert hold(match) == (19, 0, 62 - 4 - 1 - 5)
    moves = [{"name": "move", "to": "kii", "armies": armies} for armies in (1, 2, 3)]
    assert options(match) == [{"name": "pass"}, *moves]
    play(match, "move", to="kii", armies=3)  # TW-R-19: of 3 there before and 1 placed
    assert [province(match, key)["armies"] for key in ("ise", "kii")] == [1, 4]
    assert events(match, "moved") == [{"seat": 0, "from": "ise", "to": "kii", "armies": 3}]
    assert match.state()["round"] == "summer"  # once


def test_not_moving_after_the_army() -> None:
    # TW-ACT-10
    match = play(deploying(), "pass")
    assert [province(match, key)["armies"] for key in ("ise", "kii")] == [4, 1]


def test_the_new_army_may_move() -> None:
    # TW-R-19: with one army before, the one placed lets one move
    match = deploying(1)
    assert options(match, "move") == [{"to": "kii", "armies": 1}]


@pytest.mark.parametrize(("fields", "armies"), [({"chests": 0}, 9), ({"chests": 5}, 61)])
def test_no_move_without_the_army(fields: dict[str, int], armies: int) -> None:
    # TW-R-19: no chest or no army in supply: the whole action is passed, including the move
    board = (
        Board(3).province("ise", 0, armies).province("kii", 0, 1).player(0, **fields).plan(0, deploy1="ise")
    )
    match = board.begin("deploy1").match()
    assert match.state()["round"] == "summer"
    assert [province(match, key)["armies"] for key in ("ise", "kii")] == [armies, 1]
    assert "passed" in kinds(match)


def test_two_separate_battle_actions() -> None:
    # TW-ACT-12: with their own cards, places and choices
    board = Board(3).province("ise", 0, 3).province("kii", 0, 3).province("omi", 1, 3).province("hida", 1, 3)
    board.plan(0, battle_a="ise", battle_b="kii").plan(1, battle_a="treasure_0", battle_b="hida")
    match = board.begin("battle_b").match()  # B before A, as the cards lie
    assert (match.to_act, match.state()["place"], options(match, "move")[0]["to"]) == (0, 1, "awa-shikoku")
    play(match, "move", to="ise", armies=1)
    assert (match.to_act, match.state()["place"]) == (1, 1)
    play(match, "move", to="kaga", armies=2)
    assert (match.to_act, match.state()["place"], point(match)) == (0, 10, "battle")
    assert {action["armies"] for action in options(match, "move")} == {1, 2, 3}  # ise has four by now
    play(match, "move", to="kii", armies=3)
    assert match.state()["round"] == "summer"


def test_an_action_waits_for_the_next_season() -> None:
    # TW-ROUND-09, TW-ACT-01: a province conquered in the season cannot act in it, in the next it can
    board = Board(3).province("ise", 0, 9).province("kii", 1, 1).plan(0, battle_a="ise").begin("battle_a")
    match = play(board.match(), "move", to="kii", armies=6)
    assert "collected" not in kinds(match)
    enter(match, tax="kii")
    assert player(match, 0)["plan"]["tax"] == "kii"


@pytest.mark.parametrize("armies", [1, 2])
def test_the_option_asks_only_where_the_action_can_be_done(armies: int) -> None:
    # TW-R-17, TW-ACT-03: with one army nothing can move, so the player passes as ever
    board = Board(3).province("noto", 0, armies).plan(0, battle_a="noto")
    match = board.begin("battle_a").match(allow_zero_move=True)
    assert (point(match) == "battle") == (armies == 2)
    assert [event["reason"] for event in events(match, "passed")] == ["armies"] * (armies == 1)


def test_what_nobody_decides() -> None:
    # TW-D-11: building sites, passing what can be done, special cards, event effects
    board = Board(3).province("izu", 0, 9, unrest=1).province("kii", 0, 3).province("omi", 0, 3)
    board.province("noto", 0, 3).province("iyo", 0, 3).province("aki", 0, 3).specials({0: "chest_plus_1"})
    board.plan(0, no="izu", castle="iyo", temple="noto", tax="omi", rice="kii", deploy5="aki")
    match = board.event("no_removes_unrest").begin("no").match()
    assert (match.decisions, match.state()["round"]) == (0, "summer")
    done = [kind for kind in kinds(match) if kind in {"built", "collected", "deployed"}]
    assert done == ["built", "built", "built", "collected", "collected", "deployed"]
    assert province(match, "izu")["unrest"] == 0
    # which provinces revolt in winter, and in which order the players come
    board = Board(3)
    for key in ("aki", "iyo", "kii"):
        board.province(key, 1, 5)
    match = board.province("omi", 2, 5).event(7).order(2, 1, 0).begin("winter").match(dice=[3, 2])
    assert [event["seat"] for event in events(match, "revolts_drawn")] == [2, 1]
    assert match.to_act == 1
    assert options(match) == [{"name": "province", "province": key} for key in ("aki", "iyo")]


def test_using_cubes_of_cards_is_not_asked() -> None:
    # TW-D-11, TW-R-23: neither by the attacker nor by the defender
    board = Board(3).province("ise", 0, 3).province("kii", 1, 3, "castle").plan(0, battle_a="ise")
    board.specials({0: "attack_plus_1", 1: "defence_plus_1"}).event("castle_defence")
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=2)
    assert match.decisions == 1
    attack = events(match, "attack")[0]
    assert (attack["attacker_more"], attack["defender_more"]) == (1, 2)
