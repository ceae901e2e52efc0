"""A position of any kind is refused with its field, or can be played on and kept like any other match."""

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from rules.battles import sound
from sengoku import Match
from sengoku.errors import SetupError

Change = Callable[[dict[str, Any], random.Random], None]


@dataclass(frozen=True)
class Fuzz:
    """Changes to positions of a game, chosen so that some results stay valid."""

    game: str
    seats: tuple[int, ...]
    setups: tuple[dict[str, Any], ...]
    rare: tuple[str, ...]
    """Tables so large that nothing else would be changed."""
    rarity: float
    words: tuple[Any, ...]
    """Values that replace a word."""
    blanks: tuple[Any, ...]
    """Values that replace null."""
    points: tuple[Any, ...]
    changes: tuple[int, ...]
    rearrange: Change
    check: Callable[[dict[str, Any]], None] = lambda _state: None
    """Invariants of every state, written from the ledger."""
    is_position: Callable[[dict[str, Any]], bool] = lambda _state: True
    """Whether a state can be given back as it is."""
    kept: tuple[str, ...] = ()
    """Options that a position leaves to the setup."""


def nothing(_state: dict[str, Any], _rng: random.Random) -> None:
    """Leaves things as they are."""


def rearrange_tower(state: dict[str, Any], rng: random.Random) -> None:
    """Puts things elsewhere, with sums as they were: armies, cubes of the tray, officers, plan cards."""
    players = state["players"]
    kind = rng.choice(("armies", "tray", "officers", "plan", "draws", "kept"))
    if kind == "armies":
        for it in rng.sample(list(state["provinces"].values()), 3):
            if it["owner"] is not None:
                moved = rng.randint(-3, 3)
                it["armies"] += moved
                state["supply"][it["owner"]] -= moved
    elif kind == "tray":
        colour, moved = rng.choice([*range(len(players)), 5]), rng.randint(-2, 4)
        state["tray"][colour] += moved
        state["supply"][colour] -= moved
    elif kind == "draws":
        state["draws"], state["tower_draws"] = rng.randrange(10**6), rng.randrange(10**6)
    elif kind == "kept":
        rng.choice(players)["kept"] = rng.choice(([], [4], [10], [11, 18], [4, 5]))
    else:
        table = rng.choice(players)[kind]
        one, other = rng.sample(sorted(table), 2)
        table[one], table[other] = table[other], table[one]
    for name, most in (("decider", 5), ("turn", 6), ("place", 11)):
        if rng.random() < 0.1:
            state[name] = rng.randrange(most)


def rearrange_battles(state: dict[str, Any], rng: random.Random) -> None:
    """Puts pieces, cards and tokens elsewhere; much of it is sound."""
    kind = rng.choice(("hexes", "blocks", "leaders", "cards", "honor", "active", "gone"))
    one, other = rng.sample(state["units"], 2)
    if kind == "hexes":
        one["hex"], other["hex"] = other["hex"], f"{rng.randrange(11)},{rng.randrange(12)}"
    elif kind == "blocks":
        one["blocks"] = rng.randrange(1, 6)
    elif kind == "leaders" and state["leaders"]:
        rng.choice(state["leaders"])["hex"] = rng.choice((one["hex"], "5,5", "0,0", "10,11"))
    elif kind == "cards":
        pile = state[rng.choice(("command", "dragon"))]
        piles = [pile["deck"], pile["discards"], *pile["hands"].values()]
        source, target = rng.sample([pile for pile in piles if pile] or piles, 1)[0], rng.choice(piles)
        if source:
            target.append(source.pop(rng.randrange(len(source))))
    elif kind == "honor":
        state["honor"]["top"] += rng.randint(-2, 4)
    elif kind == "active":
        state["active"] = rng.choice(("top", "bottom"))
    else:
        state["units"].remove(one)


def is_start_of_turn(state: dict[str, Any]) -> bool:
    """Whether a turn of `battles` begins, without banners that its start brings every time (BT-SCEN-05)."""
    each_turn = {number for why in ("bank", "empty_section") for number, _ in sound.BANNERS[why]}
    return state["question"]["step"] == "play_command" and state["scenario"] not in each_turn


GAMES = [
    Fuzz(
        "swords", seats=(2, 3, 4, 5), setups=({},), rare=("provinces",), rarity=0.03,
        words=(None, "mino", "kai", "a", "c", "d", "none", "castle"), blanks=(0, 1, 2, "kai", "mino"),
        points=(
            "spy", "swords", "build", "war_turn", "choose_army", "declare", "choose_battle", "roll",
            "call_off", "conquest", "next_target", "choose_force", "end_round",
        ),
        changes=(1, 1, 2, 3), rearrange=nothing,
    ),
    Fuzz(
        "tower", seats=(3, 4, 5),
        setups=(
            {}, {"court": True}, {"side": "moon", "court": True},
            {"mode": "draft", "allow_zero_move": True, "bump_probability": 0.5},
        ),
        rare=("provinces", "players"), rarity=0.1,
        words=(
            None, "kai", "mino", "empty", "tower", "treasure_1", "face_down", "castle", "tax", "battle_a",
            "six_armies", "winter", "spring", "autumn", "sun", "moon", "draft", "fixed", "red",
        ),
        blanks=(0, 1, 2, 4, 10, "kai", "mino"),
        points=(
            "draft_refresh", "draft_card", "draft_group", "season", {"plan": 0}, {"plan": 5}, {"plan": 10},
            {"plan": 13}, {"plan": 99}, "event", "slot", "court", "hall", "favour", "favour_event",
            "favour_unrest", "favour_armies", "favour_building", "turn", "kept", "act", "deploy_move",
            "battle", "clean_up", "winter", "revolts", "revolt", "quell", "score",
            {"over": "second_winter"}, {"over": "round_limit"},
        ),
        changes=(0, 1, 1, 2), rearrange=rearrange_tower,
    ),
    Fuzz(
        "battles", seats=(2,),
        setups=tuple({"scenario": number} for number in (1, 5, 8, 12, 16, 26, 32, 34, 37, 39)),
        rare=("units", "leaders", "command", "dragon", "turn", "combat", "question"), rarity=0.05,
        words=(
            None, "top", "bottom", "SSp", "SBC", "LI", "BG", "LF", "LM", "AC", "5,5", "4,4", "0,0", "10,11",
            "5,11", "11,0", "C-SHOGUN", "C-ONE-L", "D-22", "D-01", "D-38", "Oda Nobunaga",
        ),
        blanks=(0, 1, "top", "5,5", "C-ADV-C"), points=(), changes=(0, 1, 1, 2), rearrange=rearrange_battles,
        check=sound.check, is_position=is_start_of_turn, kept=("max_rounds",),
    ),
]  # fmt: skip
every_game = pytest.mark.parametrize("fuzz", GAMES, ids=lambda fuzz: fuzz.game)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all plain values in a table."""
    if isinstance(value, dict):
        return [place for key, inner in value.items() for place in leaves(inner, (*path, key))]
    if isinstance(value, list) and value:
        return [place for key, inner in enumerate(value) for place in leaves(inner, (*path, key))]
    return [path]


def mutate(fuzz: Fuzz, state: dict[str, Any], rng: random.Random) -> None:
    """Changes a value or two to something of the same kind, or moves play to another point."""
    for _ in range(rng.choice((0, 0, 1, 3))):
        fuzz.rearrange(state, rng)
    places = [path for path in leaves(state) if path[0] not in fuzz.rare or rng.random() < fuzz.rarity]
    for _ in range(rng.choice(fuzz.changes)):
        *outer, last = rng.choice(places)
        table = state
        for key in outer:
            table = table[key]
            if not isinstance(table, dict | list):
                break
        else:
            old = table[last]
            if isinstance(old, bool):
                table[last] = not old
            elif isinstance(old, int):
                table[last] = max(0, old + rng.choice((-1, 1, 1, 2, 5, 250)))
            elif isinstance(old, list):
                table[last] = [rng.choice((0, 1, 2, "kai"))]
            elif old is None:
                table[last] = rng.choice(fuzz.blanks)
            else:
                table[last] = rng.choice(fuzz.words)
    if fuzz.points and rng.random() < 0.25:
        state["point"] = deepcopy(rng.choice(fuzz.points))


def play_on(fuzz: Fuzz, match: Match, rng: random.Random, decisions: int) -> None:
    """Plays with random decisions; the match can be kept all the time."""
    for decision in range(decisions):
        state = match.state()
        fuzz.check(state)
        if match.over:
            break
        legal = match.legal_actions()
        assert legal, f"nothing to decide at {state.get('point') or state['question']}"
        match.play(rng.choice(legal))
        if decision % 20 == 0:
            assert Match.load(match.save()).digest == match.digest


def accepted(fuzz: Fuzz, seeds: range, decisions: int) -> int:
    """Plays random matches, changes their positions now and then, and returns how many were accepted."""
    count, fields = 0, []
    for seed in seeds:
        rng = random.Random(seed)
        seats = fuzz.seats[seed % len(fuzz.seats)]
        match = Match.create(fuzz.game, seats=seats, seed=seed, setup=rng.choice(fuzz.setups))
        for _ in range(rng.randrange(500)):
            if match.over:
                break
            match.play(rng.choice(match.legal_actions()))
        for _ in range(8):
            position = deepcopy(match.state())
            mutate(fuzz, position, rng)
            try:
                changed = Match.create(fuzz.game, seats=match.seats, setup={"position": position})
            except SetupError as error:
                fields.append(error.details["field"])
                continue
            play_on(fuzz, changed, rng, decisions)
            count += 1
    assert all(fields)
    return count


@every_game
def test_mutated_positions_are_refused_or_sound(fuzz: Fuzz) -> None:
    assert accepted(fuzz, range(50), 40) > 40


@pytest.mark.system
@every_game
def test_many_mutated_positions_are_refused_or_sound(fuzz: Fuzz) -> None:
    assert accepted(fuzz, range(1000, 5000), 150) > 4000


@every_game
def test_a_state_is_a_position(fuzz: Fuzz) -> None:
    for setup in fuzz.setups:
        rng = random.Random(5)
        match = Match.create(fuzz.game, seed=5, setup=setup | {"max_rounds": 8})
        while not match.over:
            if rng.random() < 0.1 and fuzz.is_position(state := match.state()):
                same = {"position": state} | {name: state["options"][name] for name in fuzz.kept}
                again = Match.create(fuzz.game, seats=match.seats, setup=same)
                assert again.state() == match.state()
                assert again.legal_actions() == match.legal_actions()
            match.play(rng.choice(match.legal_actions()))
