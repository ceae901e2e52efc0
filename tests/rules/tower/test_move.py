"""Moving armies (MOVE)."""

import pytest

from rules.tower.board import Board, events, kinds, options, play, point, province
from sengoku import Match
from sengoku.errors import IllegalActionError


def around_ise(action: str = "battle_a", armies: int = 4) -> Board:
    """Ise of seat 0; next to it kii is own, omi foreign, the others neutral; hida is own but far away."""
    board = Board(3).province("ise", 0, armies).province("kii", 0, 2).province("omi", 1, 1)
    return board.province("hida", 0, 3).plan(0, **{action: "ise"})


NEIGHBOURS = {"kii", "mino", "omi", "owari", "shima", "yamato"}


def targets(match: Match) -> dict[str, list[int]]:
    """Where armies can go, and how many."""
    found: dict[str, list[int]] = {}
    for action in options(match, "move"):
        found.setdefault(action["to"], []).append(action["armies"])
    return found


@pytest.mark.parametrize("action", ["battle_a", "battle_b"])
@pytest.mark.parametrize("armies", [2, 3, 9])
def test_any_number_but_one(action: str, armies: int) -> None:
    # TW-MOVE-01, TW-D-08, TW-D-09, TW-MOVE-02: to any one adjacent province, at least 1 stays
    match = around_ise(action, armies).begin(action).match()
    assert targets(match) == {to: list(range(1, armies)) for to in NEIGHBOURS}
    assert len(options(match)) == 6 * (armies - 1)


def test_by_sea() -> None:
    # TW-MOVE-01: Kii and Awa-Shikoku are joined by a sea line
    board = Board(3).province("kii", 0, 3).province("awa-shikoku", 0, 1).plan(0, battle_a="kii")
    match = play(board.begin("battle_a").match(), "move", to="awa-shikoku", armies=2)
    assert [province(match, key)["armies"] for key in ("kii", "awa-shikoku")] == [1, 3]


@pytest.mark.parametrize(("to", "kind"), [("kii", "moved"), ("omi", "attack"), ("shima", "attack")])
def test_a_move_or_an_attack(to: str, kind: str) -> None:
    # TW-MOVE-02: into an own province armies move, against a foreign or neutral one all of them attack
    match = play(around_ise().begin("battle_a").match(), "move", to=to, armies=3)
    assert [event for event in kinds(match) if event in {"moved", "attack"}] == [kind]
    assert province(match, "ise")["armies"] == 1
    left = {"kii": 5, "omi": 2, "shima": 2}[to]
    assert (province(match, to)["owner"], province(match, to)["armies"]) == (0, left)
    if kind == "attack":
        assert events(match, "thrown")[0]["cubes"][0] == 3
        assert events(match, "attack")[0]["defender"] == (1 if to == "omi" else None)
    else:
        assert "thrown" not in kinds(match)  # a pure move does not use the tower


def test_one_target_only() -> None:
    # TW-MOVE-02, TW-ROUND-09: once the armies have gone, the action is over
    match = play(around_ise().begin("battle_a").match(), "move", to="kii", armies=1)
    assert (point(match), match.state()["round"]) == ("plan", "summer")


def test_targets_are_in_play() -> None:
    # TW-MOVE-03, TW-BOARD-04: bingo has five neighbours, with three players three
    for seats, found in ((3, {"aki", "bitchu", "hoki"}), (4, {"aki", "bitchu", "hoki", "iwami", "izumo"})):
        board = Board(seats).province("bingo", 0, 2).plan(0, battle_a="bingo")
        assert set(targets(board.begin("battle_a").match())) == found


def test_a_protected_player_is_no_target() -> None:
    # TW-MOVE-03: favour 10 protects in BATTLE_A, 11 in BATTLE_B; temples under temple_shield in both
    for action, favour, protected in (
        ("battle_a", 10, True), ("battle_a", 11, False), ("battle_b", 11, True), ("battle_b", 18, True),
    ):  # fmt: skip
        board = (
            Board(3, court=True).province("ise", 0, 3).province("omi", 1, 1).province("kii", 2, 1, "temple")
        )
        board.plan(0, **{action: "ise"}).player(1, kept=[favour]).event("temple_shield")
        match = board.begin(action).match()
        assert set(targets(match)) == NEIGHBOURS - {"kii"} - ({"omi"} if protected else set())


@pytest.mark.parametrize("action", ["battle_a", "battle_b"])
def test_one_army_cannot_attack(action: str) -> None:
    # TW-MOVE-04: at least 2 are needed where the armies come from
    match = around_ise(action, 1).begin(action).match()
    passed = {"seat": 0, "action": action, "province": "ise", "reason": "armies"}
    assert events(match, "passed") == [passed]
    match = around_ise(action, 2).begin(action).match()
    assert point(match) == "battle"


def test_deploy1_moves_only_among_own_provinces() -> None:
    # TW-MOVE-05, TW-D-07: no attack, nothing neutral, nothing that is not adjacent
    match = around_ise("deploy1").begin("deploy1").match()
    assert targets(match) == {"kii": [1, 2, 3, 4]}
    assert point(match) == "deploy_move"


def test_no_own_neighbour() -> None:
    # TW-MOVE-05, TW-D-00: then there is nothing to ask
    board = Board(3).province("ise", 0, 4).province("omi", 1, 1).plan(0, deploy1="ise")
    match = board.begin("deploy1").match()
    assert (match.decisions, match.state()["round"]) == (0, "summer")
    assert province(match, "ise")["armies"] == 5
    assert events(match, "stayed") == [{"seat": 0, "province": "ise"}]


def test_armies_belong_to_their_new_province_at_once() -> None:
    # TW-MOVE-06: they can go on from there in the next action, and defend it
    board = around_ise("battle_a", 4).plan(0, battle_b="kii").begin("battle_a")
    match = play(board.match(), "move", to="kii", armies=3)
    assert (match.state()["place"], point(match)) == (10, "battle")
    assert max(action["armies"] for action in options(match, "move")) == 4
    play(match, "move", to="settsu", armies=4)
    assert [province(match, key)["armies"] for key in ("ise", "kii", "settsu")] == [1, 1, 3]
    board = Board(3).province("ise", 0, 4).province("kii", 0, 1).province("settsu", 1, 4)
    board.plan(0, battle_a="ise").plan(1, battle_a="settsu")
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=3)
    play(match, "move", to="kii", armies=3)
    assert events(match, "thrown")[0]["cubes"] == [4, 3, 0, 0, 0, 0]


def test_what_is_not_offered_is_refused() -> None:
    # TW-MOVE-01, TW-MOVE-02, TW-MOVE-03: all armies, no army, a province far away
    match = around_ise().begin("battle_a").match()
    before = match.state()
    kii = next(action.index for action in match.legal_actions() if action.args == {"to": "kii", "armies": 1})
    for index in (kii + 3, 0, 76):  # 4 of 4 armies; pass; aki
        with pytest.raises(IllegalActionError):
            match.play(index)
    assert match.state() == before


def test_a_choice_of_one_is_no_decision() -> None:
    # TW-D-00: it is taken without asking and logged all the same
    board = Board(4).province("awa-boso", 0, 2).province("kazusa", 0, 1).province("izu", 1, 1, "temple")
    match = board.plan(0, battle_a="awa-boso").event("temple_shield").begin("battle_a").match()
    assert match.decisions == 0
    assert events(match, "moved") == [{"seat": 0, "from": "awa-boso", "to": "kazusa", "armies": 1}]
    # with the option there are two
    match = board.match(allow_zero_move=True)
    assert [action["name"] for action in options(match)] == ["pass", "move"]
