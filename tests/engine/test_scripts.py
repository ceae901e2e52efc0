"""Scripts of chance: dice by letters, throws into the tower, lots and cards; what is left over is found."""

from typing import Any

import pytest

from sengoku import Client, Match, battles, swords, tower
from sengoku.errors import DiceScriptError

QUIET = {"max_rounds": 2}


def round_trips(match: Match) -> None:
    """A match with scripts is the same after a replay and after saving."""
    for again in (Match.from_replay(match.replay()), Match.load(match.save()), match.clone()):
        assert (again.digest, again.scripts_left, again.log) == (match.digest, match.scripts_left, match.log)
        assert (again.replay(), again.save()) == (match.replay(), match.save())


def play_out(match: Match) -> None:
    """Plays to the end, with as little as possible."""
    while not match.over:
        done = [action for action in match.legal_actions() if action.name in {"done", "pass"}]
        match.play((done or match.legal_actions())[0])


ROOMY = {"shelves": [{"capacity": 10, "stick_per_mille": 1, "dislodge": 65535, "burst": 0}] * 2}
"""A tower that lets everything through, with room for what a script keeps inside."""


def siege(**options: Any) -> Match:
    """Seat 0 is about to attack a province of seat 1 with four armies."""
    builder = tower.PositionBuilder(3).province("settsu", 0, 5).province("harima", 1, 3)
    builder.plan(0, battle_a="settsu").event("tax_max_5")
    return builder.begin("battle_a").match(seed=3, **options)


def attack(match: Match) -> dict[str, Any]:
    """Plays the attack on Harima, and returns the throw."""
    (action,) = (
        action
        for action in match.legal_actions()
        if (action.args.get("to"), action.args.get("armies")) == ("harima", 4)
    )
    match.play(action)
    return next(event for event in match.log if event["event"] == "thrown")


def test_a_throw_brings_out_what_the_script_says() -> None:
    for out in ({0: 4, 1: 3}, {0: 1}, {1: 3}, {}, [2, 2]):
        match = siege(throws=[out], tower_model=ROOMY)
        wanted = [out.get(seat, 0) for seat in range(6)] if isinstance(out, dict) else [*out, 0, 0, 0, 0]
        assert attack(match)["tray"] == wanted
        inside = [cube for shelf in match.state()["tower"] for cube in shelf]
        assert [inside.count(seat) for seat in range(2)] == [4 - wanted[0], 3 - wanted[1]]
        assert match.scripts_left == {"throws": 0}
        match.check_scripts()
        round_trips(match)


@pytest.mark.parametrize(
    ("throws", "said"),
    [
        ([], "throws: 0 given, at least 1 needed"),
        ([{0: 5}], "not so many cubes of seat 0"),
        ([{"farmers": 1}], "not so many farmers"),
        ([{0: 1}], "no room"),
    ],
)
def test_a_throw_that_cannot_be_is_refused_and_changes_nothing(throws: Any, said: str) -> None:
    match = siege(throws=throws, tower_model=tower.GLASS)
    before = match.save()
    with pytest.raises(DiceScriptError, match=said) as caught:
        attack(match)
    assert caught.value.details["field"] == "throws"
    assert match.save() == before


def test_throws_of_the_seed_between_scripted_ones() -> None:
    free, scripted = siege(), siege(throws=[None])
    attack(free)
    attack(scripted)
    assert free.digest == scripted.digest
    assert scripted.scripts_left == {"throws": 0}


def test_cards_of_battles_come_in_the_order_of_the_script() -> None:
    hand, dragons = ["C-ADV-L", "C-ADV-C", "C-ADV-R", "C-GEESE"], ["D-03", "D-01"]
    match = Match.create("battles", seed=5, setup={"scenario": 8}, cards=[hand, dragons])
    state = match.state()
    assert state["command"]["hands"]["top"][:4] == hand
    assert state["dragon"]["hands"]["top"][:2] == dragons
    assert match.scripts_left == {"cards": 0}
    plain = Match.create("battles", seed=5, setup={"scenario": 8})
    assert Match.create("battles", seed=5, setup={"scenario": 8}, cards=[[], []]).digest == plain.digest
    round_trips(match)
    for wrong in ([["C-ADV-L"] * 9, []], [["X"], []], [[]]):
        with pytest.raises(DiceScriptError) as caught:
            Match.create("battles", seed=5, setup={"scenario": 8}, cards=wrong)
        assert caught.value.details["field"] == "cards"


def test_cards_of_the_other_games() -> None:
    match = Match.create("swords", seats=3, seed=5, cards=[["kai", "owari", "hizen", "oki"]])
    owners = {key: row["owner"] for key, row in match.state()["provinces"].items()}
    assert [owners[key] for key in ("kai", "owari", "hizen", "oki")] == [0, 1, 2, 0]
    plans = tower.PositionBuilder(3).begin("season")
    first = ["rice", "tax", "no"]
    begun = plans.match(cards=[first, ["six_armies"]], seed=2)
    assert begun.state()["action_order"][:3] == first
    assert begun.state()["special_on_slot"][0] == "six_armies"


def test_lots_fall_to_the_candidates_of_the_script() -> None:
    orders = set()
    for lots in ([1, 1], [2, 1], [3, 2]):
        match = Match.create("swords", seats=3, seed=5, setup=QUIET, lots=lots)
        assert match.scripts_left["lots"] in (0, 2)
        while match.scripts_left["lots"] and not match.over:
            match.play(match.legal_actions()[0])
        orders.add(tuple(clan["sword"] for clan in match.state()["clans"]))
        round_trips(match)
    assert len(orders) == 3
    with pytest.raises(DiceScriptError) as caught:
        Match.create("swords", seats=3, seed=5, setup=QUIET, lots=[9])
    assert caught.value.details["field"] == "lots"


def test_dice_of_battles_may_be_letters() -> None:
    builder = battles.PositionBuilder().top("ASp@4,5").bottom("SSp@5,5")
    for dice in ("TX CS", ["T", "X", "C", "S"], [2, 6, 1, 3]):
        assert builder.match(dice).replay() == builder.match([2, 6, 1, 3]).replay()
    for wrong in ("TQ", ["TX"], ["t"]):
        with pytest.raises(DiceScriptError) as caught:
            builder.match(wrong)
        assert caught.value.details["field"] == "dice"


def test_what_is_left_over_is_an_error_on_request_and_at_the_end() -> None:
    with Match.create("battles", seed=7, dice="TX") as match:
        assert match.scripts_left == {"dice": 2}
        with pytest.raises(DiceScriptError, match="2 of dice left") as caught:
            match.check_scripts()
        assert caught.value.details["dice"] == "2"
    builder = swords.PositionBuilder(3)
    ended = builder.match([1] * 400, max_rounds=2)
    with pytest.raises(DiceScriptError, match="dice left"), ended:
        play_out(ended)
    assert ended.over
    Match.create("battles", seed=7).check_scripts()


@pytest.mark.parametrize(
    ("scripts", "field"),
    [
        ({"throws": [{9: 1}]}, "throws"),
        ({"throws": [{"x": 1}]}, "throws"),
        ({"throws": [[1] * 7]}, "throws"),
        ({"throws": [{0: -1}]}, "throws"),
        ({"lots": [0]}, "lots"),
        ({"lots": [256]}, "lots"),
        ({"cards": ["kai"]}, "cards"),
        ({"cards": [[1]]}, "cards"),
    ],
)
def test_scripts_that_cannot_be(scripts: dict[str, Any], field: str) -> None:
    with pytest.raises(DiceScriptError) as caught:
        Match.create("tower", seats=3, seed=5, **scripts)
    assert caught.value.details["field"] == field


def test_scripts_on_a_server(client: Client) -> None:
    options: dict[str, Any] = {"seats": 3, "seed": 5, "cards": [["kai"], []], "lots": [1, 1, 1], "dice": [3]}
    here = Match.create("swords", **options)
    with client.create_match("swords", **options) as there:
        assert there.replay() == here.replay()
        assert there.scripts_left == here.scripts_left
        with pytest.raises(DiceScriptError):
            there.check_scripts()
    with client.create_match("tower", seats=3, seed=5, throws=[None, {0: 1}]) as there:
        assert (
            there.scripts_left == Match.create("tower", seats=3, seed=5, throws=[None, {0: 1}]).scripts_left
        )


def test_the_state_of_battles_has_its_terrain() -> None:
    builder = battles.PositionBuilder(terrain={"4,5": "forest", "5,5": "HILL"}).top("ASp@4,5")
    match = builder.bottom("SSp@6,5").match()
    assert match.state()["terrain"] == match.view(0)["terrain"] == {"4,5": "forest", "5,5": "hill"}
    setup = match.setup | {"position": match.state()}
    assert Match.create("battles", setup=setup).state()["terrain"] == match.state()["terrain"]
