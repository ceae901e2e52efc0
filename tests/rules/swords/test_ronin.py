"""Action 5: ronin (RONIN): hired for a round, laid face down, revealed in battle and on the march."""

import pytest

from rules.swords.board import (
    Board,
    army,
    attack,
    begin,
    declare,
    events,
    options,
    owner,
    play,
    point,
    quietly,
    units,
)
from sengoku import Match


def hiring(board: Board, *koku: int) -> Match:
    """A match in Action 5 with these koku in RONIN; clan 0 has just built nothing."""
    plans = [{"ronin": count, "build": 0 if clan else 2} for clan, count in enumerate(koku)]
    return play(begin(board, "build", *plans).match(), "pass")


def places(match: Match) -> set[str]:
    """Where the next ronin may be laid."""
    return {action["province"] for action in options(match, "province")}


def lay(match: Match, *keys: str) -> Match:
    """Lays ronin one by one."""
    for key in keys:
        play(match, "province", province=key)
    return match


def hidden(match: Match, key: str) -> int:
    """Ronin face down in a province."""
    found: int = match.state()["provinces"][key]["hidden"]
    return found


def pool(match: Match) -> int:
    """Ronin in the pool."""
    found: int = match.state()["pool"]["ronin"]
    return found


def hire(match: Match) -> list[tuple[int, int]]:
    """Who hired how many, in order."""
    return [(event["clan"], event["ronin"]) for event in events(match, "hired")]


# Hiring and placing


@pytest.mark.parametrize("koku", [1, 2, 5])
def test_a_koku_hires_two(koku: int) -> None:
    # SW-RONIN-01
    match = hiring(Board(3), koku)
    assert hire(match) == [(0, 2 * koku)]
    assert pool(match) == 25 - 2 * koku
    assert match.state()["clans"][0]["hired"] == 2 * koku


def test_a_short_pool_serves_in_sword_order() -> None:
    # SW-RONIN-02, SW-R-30: 20 for sword 1, 4 for sword 2, the last one for sword 3, none for sword 4
    board = Board(4).clan(0, sword=4).clan(1, sword=1).clan(2, sword=3).clan(3, sword=2)
    match = hiring(board, 3, 10, 2, 2)
    assert hire(match) == [(1, 20), (3, 4), (2, 1), (0, 0)]
    assert pool(match) == 0
    assert [clan["koku"] for clan in match.state()["clans"]] == [0, 0, 0, 0]  # lost all the same


def test_ronin_are_laid_on_provinces_of_ones_own() -> None:
    # SW-RONIN-03, SW-R-32: several to one province, and to several provinces, within the limit
    board = Board(3).province("hizen", 0, spear=3).province("aki", 0, spear=5).province("suo", 0, spear=1)
    board.province("iwami", 1, spear=5)
    match = hiring(board, 3)
    assert places(match) == {"tsushima", "hizen", "aki"}
    lay(match, "hizen", "aki", "aki", "hizen", "aki", "tsushima")
    assert [hidden(match, key) for key in ("hizen", "aki", "tsushima")] == [2, 3, 1]
    assert (point(match), events(match, "cards")[0]["sizes"]) == ("choose_army", [3, 2, 1])


@pytest.mark.parametrize(
    ("led", "provincial", "most"),
    [
        ({"bow": 4, "spear": 5}, {}, 9),
        ({}, {"spear": 5}, 4),
        ({"bow": 4, "spear": 6}, {"spear": 3}, 12),
        ({}, {"spear": 1}, 0),
        ({"daimyo": 1}, {"spear": 1}, 0),
        ({"bow": 4, "gun": 4, "spear": 6}, {"spear": 5}, 18),
        ({"daimyo": 1}, {"spear": 3}, 2),
        ({"spear": 2}, {"spear": 1}, 2),
    ],
)
def test_the_limit(led: dict[str, int], provincial: dict[str, int], most: int) -> None:
    # SW-RONIN-04, SW-R-26, SW-X-02: regular units of each force less one, the daimyo counted, castles not
    board = Board(3)
    if led:
        board.army(0, 1, "hizen", **{kind: count for kind, count in led.items() if kind != "daimyo"})
    board.province("hizen", 0, fort="castle", **provincial)
    match = hiring(board, 12)
    for _ in range(most):
        play(match, "province", province="hizen")
    assert "hizen" not in places(match)
    while point(match) == "ronin":
        play(match, "pass")
    assert (hidden(match, "hizen"), pool(match)) == (most, 25 - most)


def test_a_full_stack_is_divided_force_by_force() -> None:
    # SW-R-26: eleven and three units lead twelve ronin, ten of them with the army and two with the force
    board = Board(3, phase="b").province("chikuzen", 0, spear=1)
    board.army(1, 1, "hizen", bow=4, spear=6).province("hizen", 1, hidden=12, spear=3)
    match = board.match(dice=[12] * 4 + [12] + [12] * 12 + [12] * 10)
    attack(match, "chikuzen", "hizen")
    assert match.dice_left == 0
    assert army(match, 1, 1)["units"]["ronin"] == 10
    assert units(match, "hizen") == {"spear": 3, "ronin": 2}


def test_ronin_take_nobodys_place() -> None:
    # SW-RONIN-05: neither of the five of a province nor of the boxes of an army
    board = Board(3, phase="d").province("hizen", 0, spear=4, ronin=3).province("chikugo", 0, spear=2)
    match = quietly(board.match(), "choose_force")
    play(match, "province", province="chikugo")
    play(match, "from_province", unit="spear")
    play(match, "step", to="hizen")
    assert units(match, "hizen") == {"spear": 5, "ronin": 3}

    board = Board(3).army(0, 1, "hizen", bow=4, spear=9, ronin=13).province("hizen", 0, spear=1)
    match = board.match()
    play(match, "army", army=1)
    play(match, "from_province", unit="spear")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 4, "spear": 10, "ronin": 13}


def test_ronin_do_nothing_by_themselves() -> None:
    # SW-RONIN-06: with two units that move one ronin may go along, never one alone
    board = Board(3, phase="d").province("hizen", 0, spear=3, ronin=2).province("chikugo", 0, spear=1)
    match = quietly(board.match(), "choose_force")
    play(match, "province", province="hizen")
    for _ in range(2):
        assert options(match, "from_province") == [{"unit": "spear"}]
        play(match, "from_province", unit="spear")
    assert options(match, "from_province") == [{"unit": "ronin"}]
    play(match, "from_province", unit="ronin")
    assert options(match, "from_province") == []
    play(match, "step", to="chikugo")
    assert units(match, "chikugo") == {"spear": 3, "ronin": 1}


def test_ronin_do_not_go_over_to_an_army_by_themselves() -> None:
    # SW-RONIN-06: only with a unit that is picked up
    board = Board(3).army(0, 1, "hizen", spear=2).province("hizen", 0, spear=2, ronin=1)
    match = board.match()
    play(match, "army", army=1)
    assert options(match, "from_province") == [{"unit": "spear"}]
    play(match, "from_province", unit="spear")
    assert options(match, "from_province") == [{"unit": "ronin"}, {"unit": "spear"}]


def test_ronin_hold_no_province() -> None:
    # SW-RONIN-06: an army leaves, its hidden ronin stay, but so must a garrison of regular units
    board = (
        Board(3).army(0, 1, "hizen", spear=2).province("hizen", 0, hidden=2).province("chikugo", 0, spear=1)
    )
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="chikugo")
    # one spearman stays whatever his clan wants; only another one may be kept back too
    assert (units(match, "hizen"), hidden(match, "hizen")) == ({"spear": 1}, 2)
    assert options(match) == [{"name": "done"}, {"name": "from_army", "unit": "spear"}]


# Revealing


def test_attackers_reveal() -> None:
    # SW-RONIN-07, SW-R-28: in a one-force province, unasked; other stacks stay where they are
    board = Board(3, phase="b").province("hizen", 0, hidden=2, spear=3).province("aki", 0, hidden=1, spear=2)
    board.province("chikuzen", 1, spear=1)
    match = board.match(dice=[5, 12, 12])  # the two ronin; one hits, so only the defender rolls in step 6
    attack(match, "hizen", "chikuzen")
    assert match.dice_left == 0
    assert (units(match, "hizen"), hidden(match, "hizen")) == ({"spear": 3, "ronin": 2}, 0)
    assert hidden(match, "aki") == 1
    assert match.view(1)["cards"][0] == [1]
    revealed = [(event["clan"], event["province"], event["ronin"]) for event in events(match, "revealed")]
    assert revealed == [(0, "hizen", 2)]


def test_defenders_reveal() -> None:
    # SW-RONIN-07, SW-R-28: always
    board = Board(3, phase="b").province("hizen", 0, spear=1)
    board.province("chikuzen", 1, hidden=1, spear=2).province("aki", 1, hidden=1, spear=2)
    match = board.match(dice=[12, 12, 12, 12])  # a ronin; the attacker, two defenders
    attack(match, "hizen", "chikuzen")
    assert match.dice_left == 0
    assert (units(match, "chikuzen"), hidden(match, "aki")) == ({"spear": 2, "ronin": 1}, 1)


def test_who_moves_reveals() -> None:
    # SW-RONIN-07, SW-R-29: by taking at least one along; leaving the stack reveals nothing
    for taken in range(3):
        board = Board(3).army(0, 1, "hizen", spear=3).province("hizen", 0, hidden=2, spear=3)
        match = board.province("chikugo", 0, spear=1).match()
        play(match, "army", army=1)
        play(match, "step", to="chikugo", hidden=taken)
        assert army(match, 0, 1)["units"].get("ronin", 0) == taken
        assert hidden(match, "hizen") == (0 if taken else 2)
        assert units(match, "hizen").get("ronin", 0) == (2 - taken if taken else 0)
        assert len(events(match, "revealed")) == (1 if taken else 0)


def test_provincial_units_take_hidden_ronin_along() -> None:
    # SW-RONIN-07, SW-R-29: three spearmen at most two of them; the card is turned over
    board = Board(3, phase="d").province("hizen", 0, hidden=3, spear=5).province("chikugo", 0, spear=1)
    match = quietly(board.match(), "choose_force")
    play(match, "province", province="hizen")
    for most in (0, 1, 2):
        play(match, "from_province", unit="spear")
        along = [step["hidden"] for step in options(match, "step") if step["to"] == "chikugo"]
        assert along == list(range(most + 1))
    play(match, "step", to="chikugo", hidden=2)
    assert (units(match, "chikugo"), units(match, "hizen")) == (
        {"spear": 4, "ronin": 2},
        {"spear": 2, "ronin": 1},
    )
    assert hidden(match, "hizen") == 0


def test_ronin_stay_hidden_while_others_fight() -> None:
    # SW-RONIN-07: nothing else reveals them, all through the round
    board = Board(3, phase="b").province("hizen", 0, spear=2).province("aki", 0, hidden=2, spear=3)
    board.province("chikuzen", 1, spear=1).province("suo", 1, hidden=1, spear=2)
    match = board.match(seed=3)
    attack(match, "hizen", "chikuzen")
    while match.state()["round"] == 2:
        assert (hidden(match, "aki"), hidden(match, "suo")) == (2, 1)
        quiet = [action for action in match.legal_actions() if action.name in {"done", "call_off"}]
        match.play((quiet or match.legal_actions())[0])
    assert events(match, "revealed") == []


def test_what_the_others_see() -> None:
    # SW-RONIN-09: how many were hired, how many cards there are and how large, but not where
    board = Board(3).province("hizen", 0, spear=3).province("aki", 0, spear=5)
    match = hiring(board, 2)
    assert match.view(1)["clans"][0]["hired"] == 4
    lay(match, "aki", "hizen", "aki", "aki")
    for seat in (1, 2):
        view = match.view(seat)
        assert (view["cards"][0], view["pool"]["ronin"]) == ([3, 1], 21)
        assert {province["hidden"] for province in view["provinces"].values()} == {None, 0}
        assert view["provinces"]["aki"]["hidden"] is None
        assert view["provinces"]["suo"]["hidden"] == 0  # nobody's
    assert match.view(0)["provinces"]["aki"]["hidden"] == 3
    assert hire(match) == [(0, 4)]


def test_ronin_stay_for_the_round() -> None:
    # SW-RONIN-10: revealed or hidden, until Action 8; then all are back in the pool
    board = Board(3, active=2).clan(2, sword=3).province("hizen", 0, hidden=1, spear=2, ronin=0)
    board.province("aki", 0, spear=3, ronin=2).army(1, 3, "oki", spear=3, ronin=3)
    match = board.match()
    assert pool(match) == 19
    while match.state()["round"] == 2:
        assert (hidden(match, "hizen"), pool(match)) == (1, 19)
        quiet = [action for action in match.legal_actions() if action.name in {"done", "stop"}]
        match.play(quiet[0])
    assert pool(match) == 25
    assert hidden(match, "hizen") == 0
    assert (units(match, "aki"), army(match, 1, 3)["units"]) == ({"spear": 3}, {"daimyo": 1, "spear": 3})


def test_ronin_stay_until_they_are_killed() -> None:
    # SW-RONIN-10: or until they fall
    board = Board(3, phase="b").province("hizen", 0, bow=1, spear=1).province("chikuzen", 1, spear=3, ronin=2)
    match = board.match(dice=[1, 12, 12, 12, 12, 12])
    attack(match, "hizen", "chikuzen")
    assert (units(match, "chikuzen"), pool(match), match.dice_left) == ({"spear": 3, "ronin": 1}, 24, 0)


def test_the_limit_after_casualties() -> None:
    # SW-RONIN-08: three spearmen lead two ronin; the first to fall cannot be a spearman
    board = Board(3, phase="b").province("hizen", 0, bow=2).province("chikuzen", 1, spear=3, ronin=2)
    match = board.match(dice=[1, 1, 12, 12, 12])
    attack(match, "hizen", "chikuzen")
    assert options(match, "from_province") == [{"unit": "ronin"}]
    play(match, "from_province", unit="ronin")
    assert options(match, "from_province") == [{"unit": "ronin"}, {"unit": "spear"}]
    play(match, "from_province", unit="spear")
    assert (units(match, "chikuzen"), match.dice_left) == ({"spear": 2, "ronin": 1}, 0)


# Stacks in two-force provinces


def two_forces(stack: int, *, led: int = 0, with_force: int = 0) -> Board:
    """Hizen with an army of three units (limit 2) and a provincial force of three (limit 2)."""
    board = Board(3, phase="b").army(0, 1, "hizen", bow=1, spear=1, ronin=led)
    board.province("hizen", 0, hidden=stack, spear=3, ronin=with_force)
    return board.province("chikuzen", 1, spear=1)


def choices(match: Match) -> list[int | str]:
    """How the attacker may treat his stack: the number that joins the army, or keeping it hidden."""
    assert point(match) == "reveal_attacker"
    return [action.get("amount", action["name"]) for action in options(match)]


@pytest.mark.parametrize(
    ("stack", "led", "with_force", "expected"),
    [
        (1, 0, 0, ["pass", 0, 1]),
        (2, 0, 0, ["pass", 0, 1, 2]),
        (3, 0, 0, [1, 2]),  # one more than the other force can lead
        (4, 0, 0, [2]),
        (2, 1, 0, ["pass", 0, 1]),  # the army has one already
        (2, 0, 1, [1, 2]),  # the force has one already
        (1, 0, 1, ["pass", 0, 1]),
        (2, 1, 1, [1]),
    ],
)
def test_an_army_attacks_out_of_a_two_force_province(
    stack: int, led: int, with_force: int, expected: list[int | str]
) -> None:
    # SW-R-27, SW-R-28: kept hidden if the other force could lead it all; else divided within both limits
    match = two_forces(stack, led=led, with_force=with_force).match(dice=[1])
    attack(match, 1, "chikuzen")
    assert choices(match) == expected
    chosen = expected[-1]
    assert isinstance(chosen, int)
    play(match, "amount", amount=chosen)
    assert match.dice_left == 0
    assert army(match, 0, 1)["units"].get("ronin", 0) == led + chosen
    assert units(match, "hizen").get("ronin", 0) == with_force + stack - chosen
    assert hidden(match, "hizen") == 0


def test_a_provincial_force_attacks_out_of_a_two_force_province() -> None:
    # SW-R-28: here the army is the other force; it can lead two, less the one it has
    match = two_forces(1, led=1).match(dice=[12] * 4)
    attack(match, "hizen", "chikuzen")
    assert choices(match) == ["pass", 0, 1]
    play(match, "pass")
    assert (hidden(match, "hizen"), match.dice_left) == (1, 0)
    match = two_forces(2, led=1).match(dice=[12] * 6)
    attack(match, "hizen", "chikuzen")
    assert choices(match) == [0, 1]
    play(match, "amount", amount=0)
    assert (units(match, "hizen"), match.dice_left) == ({"spear": 3, "ronin": 2}, 0)


def test_a_stack_may_join_an_army_that_came_later() -> None:
    # SW-R-27: it lay with the provincial force of Hizen before the army moved in
    board = Board(3).province("hizen", 0, hidden=2, spear=3).army(0, 1, "chikugo", bow=2, spear=1)
    board.province("chikugo", 0, spear=1).province("chikuzen", 1, spear=1)
    match = board.match(dice=[1, 12])
    play(match, "army", army=1)
    play(match, "step", to="hizen")
    quietly(match, "declare")
    attack(match, 1, "chikuzen")
    assert choices(match) == ["pass", 0, 1, 2]
    play(match, "amount", amount=2)
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 2, "spear": 1, "ronin": 2}
    assert (units(match, "hizen"), match.dice_left) == ({"spear": 3}, 0)


def test_a_defender_divides() -> None:
    # SW-R-27, SW-R-28: he must reveal, and says how many join the army
    board = Board(3, phase="b").province("chikuzen", 0, spear=1)
    board.army(1, 1, "hizen", spear=2).province("hizen", 1, hidden=3, spear=3)
    match = board.match(dice=[12] * 1 + [12] * 3 + [12] * 6)  # daimyo; ronin; one spearman, five
    attack(match, "chikuzen", "hizen")
    assert (match.to_act, point(match)) == (1, "reveal_defender")
    assert options(match) == [{"name": "amount", "amount": 1}, {"name": "amount", "amount": 2}]
    play(match, "amount", amount=1)
    assert army(match, 1, 1)["units"]["ronin"] == 1
    assert (units(match, "hizen"), match.dice_left) == ({"spear": 3, "ronin": 2}, 0)


def test_when_ronin_are_revealed_for_a_battle() -> None:
    # SW-R-29: not when it is declared but when it begins; attacker first, then defender, before any die
    board = (
        Board(3, phase="b").province("hizen", 0, hidden=1, spear=2).province("buzen", 0, hidden=1, spear=2)
    )
    board.province("chikuzen", 1, hidden=1, spear=2)
    match = board.match(dice=[12] * 6)
    declare(match, "hizen", "chikuzen")
    declare(match, "buzen", "chikuzen")
    assert point(match) == "choose_battle"
    assert [hidden(match, key) for key in ("hizen", "buzen", "chikuzen")] == [1, 1, 1]
    play(match, "province", province="buzen")
    assert match.dice_left == 0
    assert [hidden(match, key) for key in ("hizen", "buzen", "chikuzen")] == [1, 0, 0]
    logged = [(event["event"], event.get("province")) for event in match.log][3:]
    assert logged[:4] == [("revealed", "buzen"), ("revealed", "chikuzen"), ("battle", None), ("dice", None)]


def test_hired_ronin_that_fit_nowhere() -> None:
    # SW-R-30: back to the pool at once, and so are those that are not wanted
    match = hiring(Board(3), 2, 1)
    lay(match, "tsushima")
    for _ in range(3):
        assert options(match) == [{"name": "pass"}]
        play(match, "pass")
    play(match, "pass")  # clan 1 wants neither of its two
    play(match, "pass")
    assert point(match) == "choose_army"
    assert (pool(match), hidden(match, "tsushima")) == (24, 1)


def test_who_has_no_force_to_lead_them() -> None:
    # SW-R-30: a daimyo alone leads nobody; hired in vain, they go back
    board = Board(3).army(0, 3, "tsushima")
    match = hiring(board, 2)
    assert (hire(match), point(match), pool(match)) == ([(0, 4)], "choose_army", 25)


# The limit after movement


def test_a_stack_left_behind_goes_at_the_end_of_the_phase() -> None:
    # SW-R-31, SW-RONIN-08: the garrison leads none; nothing happens before Phase A is over
    board = (
        Board(3).army(0, 1, "hizen", spear=4).province("hizen", 0, hidden=3).province("chikugo", 0, spear=1)
    )
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="chikugo")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "stop")
    assert (hidden(match, "hizen"), pool(match)) == (3, 22)
    play(match, "done")
    assert (hidden(match, "hizen"), units(match, "hizen"), pool(match)) == (0, {"spear": 1}, 25)


def test_the_part_of_a_stack_that_fits_stays() -> None:
    # SW-R-31: revealed, it fills up the force that is left
    board = (
        Board(3).army(0, 1, "hizen", spear=4).province("hizen", 0, hidden=3).province("chikugo", 0, spear=1)
    )
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="chikugo")
    play(match, "from_army", unit="spear")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "stop")
    play(match, "done")
    assert (units(match, "hizen"), pool(match)) == ({"spear": 2, "ronin": 1}, 24)
    assert events(match, "revealed")[0]["ronin"] == 3


def test_another_army_may_come_for_the_stack() -> None:
    # SW-R-31: it enters later in the same phase, so nobody is over the limit when it ends
    board = (
        Board(3).army(0, 1, "hizen", spear=4).province("hizen", 0, hidden=3).province("chikugo", 0, spear=1)
    )
    board.army(0, 2, "chikuzen", spear=4).province("chikuzen", 0, spear=1)
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="chikugo")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "stop")
    play(match, "army", army=2)
    play(match, "step", to="hizen")
    assert point(match) == "choose_army"  # it can do nothing more
    play(match, "done")
    assert (hidden(match, "hizen"), pool(match), events(match, "revealed")) == (3, 22, [])


@pytest.mark.parametrize(("picked", "left"), [(1, {"spear": 2, "ronin": 1}), (2, {"spear": 1}), (3, {})])
def test_revealed_ronin_beyond_the_limit(picked: int, left: dict[str, int]) -> None:
    # SW-R-31: an army takes units out of a force; a force that is gone leads nobody
    board = Board(3).army(0, 1, "hizen", spear=1).province("hizen", 0, spear=3, ronin=2)
    match = board.match()
    play(match, "army", army=1)
    for _ in range(picked):
        play(match, "from_province", unit="spear")
    play(match, "stop")
    assert units(match, "hizen")["ronin"] == 2
    play(match, "done")  # the end of Phase A
    assert units(match, "hizen") == left
    assert pool(match) == 25 - left.get("ronin", 0)


def test_the_limit_after_a_conquest_move() -> None:
    # SW-R-31: in Phase C at once
    board = Board(3, phase="c").army(0, 1, "hizen", hole=3, bow=1, spear=2)
    board.province("hizen", 0, hidden=1, spear=2).province("chikuzen", 1, spear=1)
    board.province("aki", 0, spear=2, ronin=2)  # over the limit, in another province of the clan
    match = board.set(declared_armies=["chikuzen", None, None]).match(dice=[1])
    play(match, "pass")
    assert units(match, "aki") == {"spear": 2, "ronin": 2}
    play(match, "step", to="chikuzen")
    assert (owner(match, "chikuzen"), match.state()["phase"]) == (0, "c")
    assert units(match, "aki") == {"spear": 2, "ronin": 1}
    assert hidden(match, "hizen") == 1  # two spearmen lead it
    assert match.dice_left == 0


def test_the_limit_at_the_end_of_phase_d() -> None:
    # SW-R-31, SW-RONIN-08
    board = Board(3, phase="d").province("hizen", 0, spear=3, ronin=2).province("chikugo", 0, spear=1)
    match = quietly(board.match(), "choose_force")
    play(match, "province", province="hizen")
    play(match, "from_province", unit="spear")
    play(match, "from_province", unit="spear")
    play(match, "step", to="chikugo")
    assert (units(match, "hizen"), pool(match)) == ({"spear": 1, "ronin": 2}, 23)
    play(match, "done")
    assert (units(match, "hizen"), pool(match)) == ({"spear": 1}, 25)


def test_only_the_active_clan_is_checked() -> None:
    # SW-R-31: at the end of clan 0's phases, clan 1 keeps what it has
    board = Board(3).province("hizen", 0, spear=2, ronin=2).province("aki", 1, spear=2, ronin=2)
    match = board.match()
    play(match, "done")
    assert units(match, "hizen") == {"spear": 2, "ronin": 1}
    assert units(match, "aki") == {"spear": 2, "ronin": 2}


def test_a_stack_too_large_for_its_battle() -> None:
    # SW-R-31: revealed for an attack it fills up the force, the rest goes back
    board = Board(3, phase="c").province("hizen", 0, hidden=4, spear=3).province("chikuzen", 1, spear=1)
    match = board.set(declared_forces={"hizen": "chikuzen"}).match(dice=[5, 12, 12])
    assert (units(match, "hizen"), pool(match), match.dice_left) == ({"spear": 3, "ronin": 2}, 23, 0)


def test_a_stack_revealed_by_moving_waits_for_the_check() -> None:
    # SW-R-31: the army takes one along and leaves two with a garrison of one until Phase A ends
    board = (
        Board(3).army(0, 1, "hizen", spear=4).province("hizen", 0, hidden=3).province("chikugo", 0, spear=1)
    )
    match = board.match()
    play(match, "army", army=1)
    play(match, "step", to="chikugo", hidden=1)
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert units(match, "hizen") == {"spear": 1, "ronin": 2}
    play(match, "stop")
    play(match, "done")
    assert (units(match, "hizen"), army(match, 0, 1)["units"]["ronin"], pool(match)) == ({"spear": 1}, 1, 24)


def test_the_limit_after_an_elimination() -> None:
    # SW-R-31: clan 1's ninja takes the last daimyo of clan 0 in the middle of its Phase A, and what is gained
    # is checked; it is checked again when a recovered daimyo has picked units up
    board = Board(3).army(0, 3, "tsushima").province("hizen", 0, spear=3, ronin=3).set(ninja=1, window=2)
    match = board.match(dice=[8])
    play(match, "daimyo", clan=0, army=3)
    assert match.dice_left == 0
    assert (owner(match, "hizen"), units(match, "hizen"), pool(match)) == (1, {"spear": 3, "ronin": 2}, 23)
    assert army(match, 1, 1)["province"] == "hizen"  # its only province without an army
    play(match, "from_province", unit="spear")
    assert units(match, "hizen") == {"spear": 2, "ronin": 2}
    play(match, "done")
    assert (units(match, "hizen"), pool(match)) == ({"spear": 2, "ronin": 1}, 24)
