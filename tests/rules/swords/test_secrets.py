"""Terms (GEN): what is secret, and from which clans."""

import random
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from rules.swords.board import (
    Board,
    attack,
    begin,
    events,
    options,
    owner,
    plan,
    play,
    point,
    quietly,
    units,
)
from rules.swords.plays import REGULAR, random_play
from sengoku import Match

# Two matches that differ only in the secret of one clan must look alike to all other clans.


def assert_alike(first: Match, second: Match, secret_of: int, *, pictures: bool = True) -> None:
    """The other seats see the same, hear the same, are asked in the same order and may do the same."""
    assert first.to_act == second.to_act
    assert first.log == second.log
    for seat in range(first.seats):
        if seat != secret_of:
            assert first.view(seat) == second.view(seat)
            assert np.array_equal(first.observe(seat), second.observe(seat))
            assert not pictures or first.picture(seat) == second.picture(seat)
    if first.to_act != secret_of:
        assert first.legal_actions() == second.legal_actions()
    assert first.state() != second.state()


def play_alike(first: Match, second: Match, secret_of: int, until: str) -> None:
    """Both matches go on with the same quiet decisions, alike at every step, until a point comes up."""
    for _ in range(200):
        if point(first) == point(second) == until:
            return
        assert_alike(first, second, secret_of)
        for match in (first, second):
            legal = match.legal_actions()
            quiet = [action for action in legal if action.name in {"pass", "done", "stop", "call_off"}]
            match.play((quiet or legal)[0])
    raise AssertionError(f"{until} does not come up")


def twins(board: Board, **setup: Any) -> tuple[Match, Match]:
    """Two matches from the same position."""
    return board.match(**setup), board.match(**setup)


def test_plans_are_secret_until_all_are_made() -> None:
    # SW-GEN-14, SW-R-01
    first, second = twins(begin(Board(3), "plan", {"levy": 5}, {"levy": 3}, {"levy": 3}))
    for box, other in ((1, 0), (2, 0), (0, 4), (1, 1)):
        play(first, "amount", amount=box)
        play(second, "amount", amount=other)
        assert_alike(first, second, secret_of=0)
        assert first.view(1)["clans"][0]["plan"] is None
    for boxes in ({"swords": 1, "levy": 2}, {"swords": 2}):
        assert_alike(first, second, secret_of=0)
        for match in (first, second):
            plan(match, **boxes)
    assert first.view(1)["clans"][0]["plan"] == {"swords": 1, "build": 2, "levy": 0, "ronin": 1, "ninja": 1}
    assert second.view(1)["clans"][0]["plan"] == {"swords": 0, "build": 0, "levy": 4, "ronin": 1, "ninja": 0}


def test_a_plan_is_spied_on_by_one_clan_only() -> None:
    # SW-GEN-14
    board = begin(Board(3), "plan", {"levy": 4}, {"levy": 3}, {"levy": 3}).set(ninja=1)
    first, second = twins(board)
    plan(first, swords=4)
    plan(second, levy=4)
    for match in (first, second):
        plan(match)
        play(match, "clan", clan=0)
    assert first.view(1)["clans"][0]["plan"]["swords"] == 4
    assert second.view(1)["clans"][0]["plan"]["levy"] == 4
    assert first.view(2) == second.view(2)
    assert np.array_equal(first.observe(2), second.observe(2))
    assert not np.array_equal(first.observe(1), second.observe(1))
    assert first.view(1)["clans"][2]["plan"] is None  # only the one that was named
    assert first.log == second.log


def test_wishes_for_a_sword_are_secret() -> None:
    # SW-R-01, SW-R-18: tied clans wish without knowing what the others wish
    first, second = twins(begin(Board(4), "swords", {"swords": 2}, {"swords": 2}, {"swords": 2}, {}))
    play(first, "sword", sword=1)
    play(second, "sword", sword=4)
    assert_alike(first, second, secret_of=0)
    for match in (first, second):
        play(match, "sword", sword=2)
    assert_alike(first, second, secret_of=0)
    assert first.view(2)["clans"][0]["wish"] is None
    assert first.view(0)["clans"][0]["wish"] == 1


def test_sites_are_secret() -> None:
    # SW-R-01, SW-GEN-14: a castle in one province or the other, or none
    board = Board(3).province("hizen", 0, spear=1).province("higo", 1, spear=1)
    begin(board, "build", {"build": 2}, {"build": 2}, {"build": 2})
    first, second = twins(board)
    third = board.match()
    play(first, "province", province="hizen")
    play(second, "province", province="tsushima")
    play(third, "pass")
    assert_alike(first, second, secret_of=0)
    assert_alike(first, third, secret_of=0)
    for match in (first, second, third):
        play(match, "province", province="higo")
    assert_alike(first, second, secret_of=0)
    assert_alike(first, third, secret_of=0)
    assert first.state()["provinces"]["hizen"]["fort"] == "none"  # applied only when all have chosen
    for match in (first, second, third):
        play(match, "province", province="sado")
    assert first.view(2)["provinces"]["hizen"]["fort"] == "castle"


def test_a_shortage_is_settled_by_swords_and_not_by_who_answers_first() -> None:
    # SW-R-01: one castle is left; clan 0 answers first, clan 2 has sword 1
    board = Board(3).clan(0, sword=3).clan(1, sword=2).clan(2, sword=1)
    for key in ("iki", "nagato", "suo", "aki", "iyo", "tosa", "sanuki", "bungo", "buzen"):
        board.province(key, 1, fort="castle", spear=1)
    match = begin(board, "build", {"build": 2}, {"build": 2}, {"build": 2}).match()
    play(match, "province", province="tsushima")
    assert match.view(1)["pool"]["castles"] == 1  # the others choose on the state at the start
    play(match, "province", province="oki")
    play(match, "province", province="sado")
    forts = {key: match.state()["provinces"][key]["fort"] for key in ("tsushima", "oki", "sado")}
    assert forts == {"tsushima": "none", "oki": "none", "sado": "castle"}


def test_purchases_are_secret_until_all_have_bought() -> None:
    # SW-R-01, SW-GEN-14
    first, second = twins(begin(Board(3), "levy", {"levy": 2}, {"levy": 1}, {"levy": 1}))
    for one, other in (({"bow": 1}, {"spear": 3}), ({"gun": 1, "sword": 1}, {})):
        play(first, "bundle", units=one)
        [nothing] = [action for action in second.legal_actions() if action.args["units"] == other]
        second.play(nothing)
        assert_alike(first, second, secret_of=0)
    assert first.view(1)["clans"][0]["bought"] is None
    for match in (first, second):
        play(match, "bundle", units={"spear": 1})
    assert_alike(first, second, secret_of=0)
    for match in (first, second):
        play(match, "bundle", units={"spear": 1})
    assert first.view(1)["clans"][0]["bought"] | {"spear": 0} == first.view(1)["clans"][0]["bought"]
    assert second.view(1)["clans"][0]["bought"]["spear"] == 3


def test_levies_are_secret_until_all_have_placed() -> None:
    # SW-R-01, SW-GEN-14: into the province, into the army, or given up
    board = Board(3).province("hizen", 0, spear=1)
    begin(board, "levy", {"levy": 1}, {"levy": 1}, {"levy": 1})
    matches = [board.match() for _ in range(4)]
    for match in matches:
        for _ in range(3):
            play(match, "bundle", units={"bow": 1})
    play(matches[0], "province", province="hizen")
    play(matches[1], "province", province="tsushima")
    play(matches[2], "into_army", province="tsushima")
    play(matches[3], "pass")
    for other in matches[1:]:
        assert_alike(matches[0], other, secret_of=0)
    for match in matches:
        play(match, "into_army", province="oki")
    for other in matches[1:]:
        assert_alike(matches[0], other, secret_of=0)
    assert units(matches[0], "hizen") == {"spear": 1}
    play(matches[0], "pass")
    assert units(matches[0], "hizen") == {"spear": 1, "bow": 1}


def test_where_ronin_are_laid_is_secret() -> None:
    # SW-GEN-14, SW-R-01, SW-R-88: in each province or none, others see nothing of it but the sizes, later
    board = Board(3).province("hizen", 0, spear=3).province("aki", 0, spear=3).province("suo", 1, spear=2)
    begin(board, "ronin", {"ronin": 2}, {"ronin": 1}, {})
    first, second = twins(board)
    for one, other in (("hizen", "aki"), ("hizen", "hizen"), ("aki", "aki")):
        play(first, "province", province=one)
        play(second, "province", province=other)
        assert_alike(first, second, secret_of=0)
        assert first.view(1)["cards"][0] is None
    for match in (first, second):
        play(match, "pass")
    assert_alike(first, second, secret_of=0)  # clan 1 is laying
    # From here on the sizes are public, two and one in either case (clan 1 sends its own back), and no more
    play_alike(first, second, secret_of=0, until="plan")
    assert [event["sizes"] for event in events(first, "cards")] == [[2, 1], []]


def test_cards_are_shown_by_size() -> None:
    # SW-R-88: largest first, whatever the order of the provinces
    first = Board(3).province("hizen", 0, hidden=3, spear=4).province("aki", 0, hidden=1, spear=4).match()
    second = Board(3).province("hizen", 0, hidden=1, spear=4).province("aki", 0, hidden=3, spear=4).match()
    assert_alike(first, second, secret_of=0)
    for match in (first, second):
        assert [match.view(seat)["cards"][0] for seat in range(3)] == [[3, 1]] * 3
        assert match.view(1)["provinces"]["hizen"]["hidden"] is None
    assert (first.view(0)["provinces"]["hizen"]["hidden"], second.view(0)["provinces"]["aki"]["hidden"]) == (
        3,
        3,
    )


@pytest.mark.parametrize("elsewhere", [False, True])
def test_the_attacker_of_a_two_force_province_is_always_asked(elsewhere: bool) -> None:
    # SW-R-88: with a card anywhere he is asked, also when nothing lies here, and may keep it hidden
    board = Board(3, phase="b").army(0, 1, "hizen", bow=1).province("hizen", 0, spear=3)
    board.province("aki", 0, spear=3).province("chikuzen", 1, spear=1)
    board.state["provinces"]["aki" if elsewhere else "hizen"]["hidden"] = 2
    match = board.match(dice=[1])
    attack(match, 1, "chikuzen")
    assert (match.to_act, point(match)) == (0, "reveal_attacker")
    amounts = [] if elsewhere else [{"name": "amount", "amount": most} for most in range(2)]
    assert options(match) == [{"name": "pass"}, *amounts]
    play(match, "pass")
    assert match.dice_left == 0
    assert match.view(1)["cards"][0] == [2]


def test_a_battle_does_not_tell_where_a_stack_lies() -> None:
    # SW-R-88: a stack in the attacker's province, or in another, all through the battle and what follows
    matches = []
    for place in ("hizen", "aki"):
        board = Board(3, phase="a").army(0, 1, "hizen", bow=1).province("hizen", 0, spear=3)
        board.province("aki", 0, spear=3).province("chikuzen", 1, spear=3)
        board.state["provinces"][place]["hidden"] = 2
        matches.append(board.match(seed=4))
    first, second = matches
    for name, args in (
        ("army", {"army": 1}),
        ("stop", {}),
        ("done", {}),
        ("army", {"army": 1}),
        ("done", {}),
        ("pass", {}),
    ):
        assert_alike(first, second, secret_of=0)
        play(first, name, **args)
        play(second, name, **args)
    play_alike(first, second, secret_of=0, until="plan")


def test_without_any_card_nobody_is_asked() -> None:
    # SW-R-88: that a clan has no face-down card is public
    board = Board(3, phase="b").army(0, 1, "hizen", bow=1).province("hizen", 0, spear=3)
    match = board.province("chikuzen", 1, spear=1).match(dice=[1])
    attack(match, 1, "chikuzen")
    assert (match.dice_left, owner(match, "chikuzen")) == (0, None)


@pytest.mark.parametrize("phase", ["a", "d"])
def test_ronin_taken_along_are_part_of_the_step(phase: str) -> None:
    # SW-R-88: no question of their own, so that leaving a stack behind looks like having none there
    matches = []
    for place in ("hizen", "aki"):
        board = Board(3, phase=phase).army(0, 1, "hizen", spear=1).province("hizen", 0, spear=3)
        board.province("chikugo", 0, spear=1).province("aki", 0, spear=3)
        board.state["provinces"][place]["hidden"] = 2
        matches.append(board.match())
    first, second = matches
    for match in matches:
        play(match, "army", army=1)
    assert [step["hidden"] for step in options(first, "step") if step["to"] == "chikugo"] == [0, 1, 2]
    assert [step["hidden"] for step in options(second, "step") if step["to"] == "chikugo"] == [0]
    for match in matches:
        play(match, "step", to="chikugo")
        play(match, "stop")
    assert_alike(first, second, secret_of=0)
    if phase == "d":
        quietly(first, "choose_force")
        quietly(second, "choose_force")
        for name, args in (
            ("province", {"province": "hizen"}),
            ("from_province", {"unit": "spear"}),
            ("from_province", {"unit": "spear"}),
            ("step", {"to": "chikugo"}),
        ):
            play(first, name, **args)
            play(second, name, **args)
            assert_alike(first, second, secret_of=0)


def test_a_conquest_move_does_not_tell_where_a_stack_lies() -> None:
    # SW-R-88: the army moves into the province it has emptied and leaves the stack, if any, where it is
    matches = []
    for place in ("hizen", "aki"):
        board = Board(3, phase="b").army(0, 1, "hizen", hole=3, bow=1).province("hizen", 0, spear=3)
        board.province("aki", 0, spear=3).province("chikuzen", 1, spear=1)
        board.state["provinces"][place]["hidden"] = 2
        matches.append(board.match(dice=[1]))
    first, second = matches
    for name, args in (
        ("army", {"army": 1}),
        ("province", {"province": "chikuzen"}),
        ("done", {}),
        ("pass", {}),
        ("step", {"to": "chikuzen"}),
    ):
        play(first, name, **args)
        play(second, name, **args)
        assert_alike(first, second, secret_of=0)
    assert (owner(first, "chikuzen"), first.dice_left, second.dice_left) == (0, 0, 0)


def capacity(state: dict[str, Any], key: str) -> int:
    """Ronin that the forces of a province could lead."""
    forces = [state["provinces"][key]["units"]]
    forces += [it["units"] for clan in state["clans"] for it in clan["armies"] if it["province"] == key]
    return sum(max(0, sum(force[kind] for kind in (*REGULAR, "daimyo")) - 1) for force in forces)


def with_a_stack_elsewhere(state: dict[str, Any], chance: random.Random) -> tuple[int, dict[str, Any]] | None:
    """The same position with one stack in another province of its clan, and that clan."""
    provinces = state["provinces"]
    stacks = [key for key in provinces if provinces[key]["hidden"]]
    if not stacks:
        return None
    place = chance.choice(stacks)
    clan, size = provinces[place]["owner"], provinces[place]["hidden"]
    free = [
        key
        for key in provinces
        if provinces[key]["owner"] == clan and not provinces[key]["hidden"] and capacity(state, key) >= size
    ]
    if not free:
        return None
    changed = deepcopy(state)
    changed["provinces"][place]["hidden"] = 0
    changed["provinces"][chance.choice(free)]["hidden"] = size
    return clan, changed


def logged(match: Match) -> bool:
    """Whether a stack has been turned over, or is just being turned over by its defender."""
    return point(match) == "reveal_defender" or events(match, "revealed") != []


@pytest.mark.parametrize("seats", [3, 4])
def test_no_question_gives_a_stack_away(seats: int) -> None:
    # SW-R-88, SW-GEN-14: out of random wars, positions in which one stack lies elsewhere; they look alike and
    # go on looking alike with every decision both allow, until the rules turn a stack over
    chance = random.Random(seats)
    pairs = decisions = 0
    for number, match in enumerate(random_play(seats, seats, 700)):
        if number % 10 or pairs == 15 or match.state()["phase"] == "none":
            continue
        state = match.state()
        found = with_a_stack_elsewhere(state, chance)
        if found is None:
            continue
        clan, changed = found
        first, second = (
            Match.create("swords", seats=seats, seed=number, setup={"position": position})
            for position in (state, changed)
        )
        pairs += 1
        for _ in range(10):
            if first.over or logged(first) or logged(second) or first.state() == second.state():
                break  # turned over, or back in the pool at the end of the round
            assert_alike(first, second, secret_of=clan, pictures=False)
            common = np.flatnonzero(first.legal_mask() & second.legal_mask())
            if not len(common):
                break  # an attacker who must reveal what the other force could not lead
            for pair in (first, second):
                pair.play(int(common[decisions % len(common)]))
            decisions += 1
    assert (pairs, decisions > 50) == (15, True)


def test_casualties_are_chosen_unseen() -> None:
    # SW-R-01, SW-GEN-14: both sides have lost a unit; the attacker's choice is hidden until the defender's
    board = Board(3, phase="b").province("hizen", 0, bow=1, sword=1, spear=1)
    board.province("chikuzen", 1, bow=1, sword=1, spear=1)
    first, second = twins(board, dice=[1, 1])
    for match in (first, second):
        attack(match, "hizen", "chikuzen")
        assert (match.dice_left, match.to_act) == (0, 0)
    play(first, "from_province", unit="bow")
    play(second, "from_province", unit="spear")
    assert first.to_act == 1
    assert_alike(first, second, secret_of=0)
    assert units(first, "hizen") == {"bow": 1, "sword": 1, "spear": 1}  # applied when both have chosen


def test_hands_of_two_players_are_secret() -> None:
    # SW-GEN-14, SW-SETUP-04: until spearmen stand on the board nobody sees how the other divides his cards
    first, second = (Match.create("swords", seats=2, seed=3) for _ in range(2))
    cards = [action["province"] for action in options(first, "province")]
    assert (first.to_act, len(cards)) == (0, 34)
    for card in range(17):
        play(first, "province", province=cards[card])
        play(second, "province", province=cards[33 - card])
        assert_alike(first, second, secret_of=0)
        assert first.view(1)["provinces"][cards[card]]["owner"] is None
    for _ in range(17):
        assert first.to_act == 1
        card = options(first, "province")[0]["province"]
        for match in (first, second):
            play(match, "province", province=card)
    assert first.view(1)["provinces"][cards[0]]["owner"] == 0
    assert second.view(1)["provinces"][cards[0]]["owner"] == 1


def test_nobody_knows_the_dice_to_come() -> None:
    # SW-GEN-14: matches that differ in nothing but the random stream look alike to all
    first, second = (Board(3).match(seed=seed) for seed in (1, 2))
    for seat in range(3):
        assert first.view(seat) == second.view(seat)
        assert np.array_equal(first.observe(seat), second.observe(seat))


def test_everything_else_is_public() -> None:
    # SW-GEN-14: in the war all seats see the same but for hidden ronin
    board = Board(3).province("hizen", 0, hidden=2, spear=4, bow=1).province("aki", 1, fort="castle", gun=2)
    match = board.match()
    views = [match.view(seat) for seat in range(3)]
    for view in views:
        for province in view["provinces"].values():
            del province["hidden"], province["levy"]
        for clan in view["clans"]:
            del clan["wish"], clan["site"]
    assert views[0] == views[1] == views[2]
    assert views[1]["provinces"]["aki"]["fort"] == "castle"
    assert views[2]["clans"][0]["tray"] == match.state()["clans"][0]["tray"]
