"""The options of section 33: what each of them changes, and that the defaults are those of the ledger."""

from pathlib import Path
from typing import Any

import pytest

from rules.tower.board import Board, enter, events, kinds, options, play, player, point, province
from sengoku import Match
from sengoku.errors import SetupError
from sengoku.tower import parameter_sets


def test_defaults() -> None:
    # TW-R-11, TW-R-17, TW-R-21, TW-R-31, CT-R-01, TW-TOWER-30
    state = Match.create("tower", seats=3).state()
    shown = state["options"]
    assert shown["reveal"] == "sequential"
    assert shown["allow_zero_move"] is False
    assert shown["event12_rice_loss"] == 4
    assert shown["bump_65536"] is None
    assert shown["favour_deck"] == "open_top"
    assert len(state["tower_model"]["shelves"]) == 2


def two_taxes(**setup: Any) -> Match:
    """Seats 0, 1 and 2 tax, seat 1 where a battle has just been: a revolt with a favour to think about."""
    board = Board(3, court=True).province("omi", 0, 3, unrest=1).province("kai", 1, 3).province("aki", 2, 3)
    board.plan(0, tax="omi").plan(1, tax="kai").plan(2, tax="treasure_2").player(0, kept=[4])
    return board.begin("tax").match(**setup)


def test_cards_are_turned_up_one_by_one() -> None:
    # TW-R-11 (a): at the first question of the action nobody's card is up
    match = two_taxes(reveal="sequential")
    assert (match.to_act, point(match)) == (0, "kept")
    assert [seat["plan"]["tax"] for seat in match.view(0)["players"]] == ["omi", "face_down", "face_down"]
    assert [seat["plan"]["tax"] for seat in match.view(1)["players"]] == ["face_down", "kai", "face_down"]
    assert events(match, "card_revealed") == []
    play(match, "pass")
    logged = [event for event in match.log if event["event"] in {"card_revealed", "collected"}]
    assert [event["seat"] for event in logged] == [0, 0, 1, 1, 2]  # each card before its own action


def test_cards_are_turned_up_together() -> None:
    # TW-R-11 (b): all at the start of the action, treasure cards with their value included
    match = two_taxes(reveal="per_action")
    assert (match.to_act, point(match)) == (0, "kept")
    for seat in range(3):
        assert [one["plan"]["tax"] for one in match.view(seat)["players"]] == ["omi", "kai", "treasure_2"]
    assert events(match, "card_revealed") == [
        {"seat": seat, "space": "tax", "card": card} for seat, card in enumerate(("omi", "kai", "treasure_2"))
    ]
    play(match, "pass")
    logged = [event for event in match.log if event["event"] in {"card_revealed", "collected"}]
    assert [event["seat"] for event in logged if event.get("space") != "rice"] == [0, 1, 2, 0, 1]


def test_later_actions_stay_hidden() -> None:
    # TW-R-11: in both ways the cards of other actions are face down
    for reveal in ("sequential", "per_action"):
        board = Board(3).province("omi", 0, 3).province("kai", 1, 3).plan(0, battle_a="omi", tax="treasure_1")
        match = board.plan(1, tax="kai").begin("battle_a").match(reveal=reveal)
        assert [one["plan"]["tax"] for one in match.view(2)["players"]] == ["face_down", "face_down", "empty"]


@pytest.mark.parametrize("reveal", ["sequential", "per_action"])
def test_the_way_of_revealing_changes_no_result(reveal: str) -> None:
    # TW-R-11: only what is seen
    board = (
        Board(3)
        .province("omi", 0, 3)
        .province("kai", 1, 3, unrest=1)
        .plan(0, castle="omi")
        .plan(1, tax="kai")
    )
    match = board.begin("castle").match(reveal=reveal)
    assert (player(match, 0)["chests"], player(match, 1)["chests"]) == (17, 25)
    assert province(match, "kai")["unrest"] == 2


@pytest.mark.parametrize("action", ["battle_a", "battle_b"])
def test_staying(action: str) -> None:
    # TW-R-17: a seat that can move must, unless the option is set
    board = Board(3).province("omi", 0, 3).plan(0, **{action: "omi"}).begin(action)
    assert options(board.match(), "pass") == []
    assert options(board.match(allow_zero_move=False), "pass") == []
    match = board.match(allow_zero_move=True)
    assert options(match)[0] == {"name": "pass"}
    play(match, "pass")
    assert "attack" not in kinds(match)
    assert province(match, "omi")["armies"] == 3


@pytest.mark.parametrize(
    ("setup", "loss"), [({}, 4), ({"event12_rice_loss": 4}, 4), ({"event12_rice_loss": 1}, 1)]
)
def test_rice_loss_of_event_twelve(setup: dict[str, Any], loss: int) -> None:
    # TW-R-21; no other card is changed
    match = Board(3).event(12).player(0, rice=9).begin("winter").match(**setup)
    assert events(match, "rice_lost") == [{"card": 12, "loss": loss, "rice": [9 - loss, 0, 0]}]
    match = Board(3).event(11).player(0, rice=9).begin("winter").match(**setup)
    assert events(match, "rice_lost")[0]["loss"] == 4


def test_accidental_falls() -> None:
    # TW-R-31: a probability of 1 is one fall after each battle, as long as something is inside
    still = {"shelves": [{"capacity": 30, "stick_per_mille": 1, "dislodge": 1, "burst": 0}] * 2}
    board = Board(3).province("omi", 0, 9, unrest=1).plan(0, tax="omi").tower([1, 1]).begin("tax")
    assert len(events(board.match(tower_model=still, bump_probability=1), "bumped")) == 1
    assert len(events(board.match(tower_model=still), "bumped")) == 0
    falls = [
        len(events(board.match(tower_model=still, bump_probability=0.5, seed=n), "bumped")) for n in range(60)
    ]
    assert 15 < sum(falls) < 45


@pytest.mark.parametrize("deck", ["open_top", "hidden"])
def test_the_top_favour(deck: str) -> None:
    # CT-R-01: everybody sees it or nobody; the same cards come
    match = Match.create("tower", seats=3, seed=3, setup={"court": True, "favour_deck": deck})
    top = match.state()["court"]["deck"][0]
    for seat in range(3):
        assert match.view(seat)["court"]["deck"] == ([top] if deck == "open_top" else None)
    assert match.state()["court"]["laid"] == Match.create(
        "tower", seats=3, seed=3, setup={"court": True}
    ).state()["court"]["laid"]  # fmt: skip


def board_text() -> str:
    """The board data as they are."""
    return (Path(__file__).parents[3] / "rust/tower/data/tower_boards.toml").read_text("utf-8")


def with_favour(number: int, kind: str, amount: int | None) -> str:
    """The board data with another favour of this number."""
    head, _, rest = board_text().partition(f"[[favour]]\nnumber = {number}\n")
    tail = rest[rest.index("\n\n") :] if "\n\n" in rest else ""
    row = f'[[favour]]\nnumber = {number}\nkind = "{kind}"\nkind_source = "rulebook"\n'
    return head + row + (f'amount = {amount}\namount_source = "rulebook"\n' if amount else "") + tail


def test_amounts_of_favours() -> None:
    # CT-R-06: the defaults
    amounts = {
        "chests": {2: 2, 9: 4, 16: 6}, "rice": {5: 2, 15: 3, 20: 4}, "score": {6: 1, 13: 2, 19: 3},
        "tray": {3: 2, 8: 3, 14: 4},
    }  # fmt: skip
    for field, cards in amounts.items():
        assert {card: gained(card, field) for card in cards} == cards


def test_amounts_of_ones_own() -> None:
    # CT-R-06: a board says other amounts; the rest is as before
    for card, kind, field, amount in (
        (2, "chests", "chests", 9),
        (5, "rice", "rice", 7),
        (6, "points", "score", 5),
        (3, "armies_to_tray", "tray", 1),
    ):
        text = with_favour(card, kind, amount)
        assert gained(card, field, board=text) == amount
        assert gained(16, "chests", board=text) == 6


@pytest.mark.parametrize(("kind", "building"), [("build_temple", "temple"), ("build_castle", "castle")])
def test_pictures_of_ones_own(kind: str, building: str) -> None:
    # CT-R-07: favour 7 shows another building
    board = (
        Board(3, court=True).province("etchu", 1, 1).officers(1, entrance=2).favours(14, 12, 7).begin("court")
    )
    match = play(board.match(board=with_favour(7, kind, 1)), "favour", card=7)
    assert [event["building"] for event in events(match, "built")] == [building]
    match = play(board.match(), "favour", card=7)
    assert [event["building"] for event in events(match, "built")] == ["no"]


@pytest.mark.parametrize(("card", "shielded"), [(10, "a"), (11, "b"), (18, "ab")])
def test_pictures_of_protections(card: int, shielded: str) -> None:
    # CT-R-07: 10 is BATTLE_A, 11 is BATTLE_B, 18 both; and custom pictures
    def open_actions(match_of: Any) -> str:
        found = ""
        for action in ("a", "b"):
            name = f"battle_{action}"
            board = Board(3, court=True).province("noto", 0, 3).province("etchu", 1, 1).player(1, kept=[card])
            match = match_of(board.plan(0, **{name: "noto"}).begin(name))
            found += "" if any(move["to"] == "etchu" for move in options(match, "move")) else action
        return found

    assert open_actions(lambda board: board.match()) == shielded
    other = with_favour(card, "immune_b", None)
    assert open_actions(lambda board: board.match(board=other)) == "b"


def gained(card: int, field: str, **setup: Any) -> int:
    """The gain of seat 1 from a favour."""
    favours = sorted({card, *[n for n in (1, 4, 7) if n != card][:2]}, reverse=True)
    board = (
        Board(3, court=True).province("kai", 1, 1).officers(1, entrance=4).favours(*favours).begin("court")
    )
    match = board.match(**setup)
    before = match.state()
    play(match, "favour", card=card)
    after = match.state()
    if field == "tray":
        return int(after["tray"][1]) - int(before["tray"][1])
    return int(after["players"][1][field]) - int(before["players"][1][field])


@pytest.mark.parametrize("name", ["default", "ledger"])
def test_tower_models_by_name(name: str) -> None:
    # TW-TOWER-35: any set there is, and custom parameters
    assert name in parameter_sets()
    match = Match.create("tower", seats=3, setup={"tower_model": name})
    shown = match.state()["tower_model"]["shelves"]
    if name == "ledger":
        assert [tuple(shelf.values()) for shelf in shown] == [(26, 880, 524, 1966), (24, 820, 590, 1966)]
    own = {"shelves": [{"capacity": 12, "stick_per_mille": 500, "dislodge": 900, "burst": 7}] * 3}
    assert Match.create("tower", seats=3, setup={"tower_model": own}).state()["tower_model"] == own


def test_towers_that_cannot_be() -> None:
    shelf = {"capacity": 12, "stick_per_mille": 500, "dislodge": 900, "burst": 7}
    for wrong in (
        "paper",
        {"shelves": [shelf]},
        {"shelves": [shelf, shelf | {"capacity": 0}]},
        {"shelves": []},
        7,
    ):
        with pytest.raises(SetupError) as refused:
            Match.create("tower", seats=3, setup={"tower_model": wrong})
        assert str(refused.value.details["field"]).startswith("tower_model")


def test_options_of_a_position() -> None:
    # a position keeps its options, and a setup beside it may say others
    match = Match.create(
        "tower", seats=3, setup={"reveal": "per_action", "court": True, "event12_rice_loss": 1}
    )
    for _ in range(3):
        enter(match)
    again = Match.create("tower", seats=3, setup={"position": match.state()})
    assert again.state()["options"] == match.state()["options"]
    other = Match.create("tower", seats=3, setup={"position": match.state(), "reveal": "sequential"})
    assert other.state()["options"] == match.state()["options"] | {"reveal": "sequential"}
