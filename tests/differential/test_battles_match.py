"""Whole matches of `battles` in lockstep with the slow, independent model: questions, answers and states."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from differential.battles_positions import name_of, random_battle, random_position
from differential.model_battles import Model
from differential.model_battles_board import SIDES, at, distance, scenario
from differential.model_battles_table import Effective, Option
from sengoku import Match, draws

Policy = Callable[[Random, Model, list[Option]], int]
FIELDS = {
    "command": ("card",),
    "dragon": ("card",),
    "redirect": ("from", "to"),
    "number": ("number",),
    "hex": ("hex",),
    "leader": ("hex",),
}


class Draws:
    """The draws of a match, as the engine makes them."""

    def __init__(self, seed: int) -> None:
        self.seed, self.made = seed, 0

    def below(self, sides: int) -> int:
        """The next one."""
        self.made += 1
        return draws("game", seed=self.seed, match_index=0, first=self.made - 1, count=1, sides=sides)[0]


def hex_of(text: str) -> int:
    r, c = text.split(",")
    return at(int(r), int(c))


def as_option(name: str, args: dict[str, Any]) -> Option:
    """An action of the engine as the model writes it."""
    values = [args[field] for field in FIELDS.get(name, ())]
    return (name, *(hex_of(value) if name in {"hex", "leader"} else value for value in values))


def card_facts(card: Effective | None) -> dict[str, Any] | None:
    if card is None or card.card == "C-COUNTER":  # it copied nothing
        return None
    numbers = {flank: 255 if number is None else number for flank, number in card.slots}
    return {"card": card.card, "slots": [numbers.get(flank, 0) for flank in ("left", "center", "right")]}


def by_side(value: Callable[[int], Any]) -> dict[str, Any]:
    return {name: value(side) for side, name in enumerate(SIDES)}


def engine_facts(state: dict[str, Any]) -> dict[str, Any]:
    """The values of the engine that are compared with the model."""
    same = ("round", "active", "first", "turns", "tents", "command", "dragon", "honor", "pool", "tokens")
    facts = {name: state[name] for name in (*same, "banners", "temporary_banners", "last", "hill_majority")}
    facts["units"] = sorted((one["side"], one["unit"], one["hex"], one["blocks"]) for one in state["units"])
    facts["leaders"] = sorted(
        (one["side"], one["leader"], one["hex"], one.get("name") or "", one.get("was_commander", False))
        for one in state["leaders"]
    )
    facts["scenario"], facts["marked"] = state["scenario"], sorted(state["marked"])
    turn = state["turn"]
    for name in ("command", "effective", "played", "stolen", "dragon_used", "first_strikes"):
        facts[f"turn {name}"] = turn[name]
    for name in ("ordered", "ordered_leaders", "moved", "battled"):
        facts[f"turn {name}"] = sorted(turn[name])
    return facts


def model_facts(model: Model) -> dict[str, Any]:
    """The same as the model sees it."""
    table = model.battle
    hands = table.hands
    own, leaders = table.units, table.leaders

    def cards(deck: list[str], pile: list[str], hand: Callable[[int], list[str]]) -> dict[str, Any]:
        return {"deck": deck, "discards": pile, "hands": by_side(hand)}

    def places(hexes: list[int]) -> list[str]:
        return sorted(map(name_of, hexes))

    return {
        "scenario": table.scenario.number,
        "round": table.round,
        "active": SIDES[table.active],
        "first": SIDES[table.first],
        "turns": by_side(lambda side: hands[side].turns),
        "tents": by_side(lambda side: side in table.tents),
        "command": cards(table.command_deck, table.command_pile, lambda side: hands[side].command),
        "dragon": cards(table.dragon_deck, table.dragon_pile, lambda side: hands[side].dragon),
        "honor": by_side(lambda side: hands[side].honor),
        "pool": table.pool,
        "tokens": table.on_cards,
        "banners": by_side(lambda side: hands[side].banners),
        "temporary_banners": by_side(lambda side: table.banners(side) - hands[side].banners),
        "last": by_side(lambda side: card_facts(hands[side].last)),
        "hill_majority": None if table.heights is None else SIDES[table.heights],
        "marked": places([mark.unit.hex for mark in table.marks]),
        "units": sorted((SIDES[one.side], one.kind, name_of(one.hex), one.blocks) for one in own),
        "leaders": sorted(
            (SIDES[one.side], one.kind, name_of(one.hex), one.name, one.was_commander) for one in leaders
        ),
        "turn command": table.card_in_play,
        "turn effective": card_facts(table.effective),
        "turn played": table.in_play,
        "turn stolen": hands[table.active].stolen,
        "turn dragon_used": by_side(lambda side: hands[side].dragon_played),
        "turn first_strikes": table.first_strikes,
        "turn ordered": places([one.hex for one in own if one.ordered]),
        "turn ordered_leaders": places([one.hex for one in leaders if one.ordered]),
        "turn moved": places([one.hex for one in own if one.moved]),
        "turn battled": places([one.hex for one in own if one.battled]),
    }


def compare(match: Match, state: dict[str, Any], options: list[Option], model: Model) -> list[str]:
    """The differences between the engine and the model."""
    theirs, ours = engine_facts(state), model_facts(model)
    wrong = [
        f"{name}: engine {theirs[name]}, model {ours[name]}" for name in ours if theirs[name] != ours[name]
    ]
    if match.over or model.question is None:
        outcome = match.outcome
        end = (None, None) if outcome is None else (outcome.reason, outcome.winner)
        if match.over != (model.question is None) or end != (model.reason, model.winner):
            wrong.append(f"end: engine {match.over} {end}, model {model.question} {model.reason}")
        return wrong
    if match.to_act != model.question.side:
        wrong.append(f"asked: engine {match.to_act}, model {model.question.side} {model.question.point}")
    if set(options) != set(model.question.options) or len(set(options)) != len(options):
        only_engine = sorted(set(options) - set(model.question.options))
        only_model = sorted(set(model.question.options) - set(options))
        wrong.append(f"at {model.question.point}: only engine {only_engine}, only model {only_model}")
    return wrong


def lockstep(match: Match, model: Model, policy: Policy, seed: int, limit: int = 1_000_000) -> int:
    """Plays a match and the model in lockstep; returns the number of decisions compared."""
    random = Random(seed)
    done, played = 0, "the beginning"
    while True:
        legal = match.legal_actions()
        options = [as_option(action.name, action.args) for action in legal]
        state = match.state()
        wrong = compare(match, state, options, model)
        if wrong or match.over or done == limit:
            break
        choice = policy(random, model, options)
        played = f"{legal[choice].text!r} at {state['question']}"
        match.play(legal[choice])
        model.play(options[choice])
        done += 1
    where = f"{match!r}, decision {done}, now at {state['question']}, after {played}; {match.log[-6:]}"
    assert not wrong, where + "".join(f"\n  {line}" for line in wrong)
    return done


# Bots: how much they like an option. Each makes something rare happen often.


def likes(passing: float, cards: float, forward: float, *, moving: float = 1.0, early: float = 1.0) -> Policy:
    """A bot: how it likes to pass, to play dragon cards, to go forward, to move at all, to play early."""

    def weight(model: Model, option: Option) -> float:
        assert model.question is not None
        point, table = model.question.point, model.battle
        if point in {"orders", "next mover", "battle", "take ground", "bonus melee", "charge"}:
            if option[0] == "pass":
                return passing
            return moving if point == "next mover" else 1.0
        if point.startswith("W-") and option[0] in {"dragon", "command"}:
            return cards * (early if "CMD" in point else 1.0)
        if point == "destination" and option[0] == "hex":
            enemies = [one.hex for one in table.units if one.side != table.active]
            return float(forward ** -min([distance(option[1], enemy) for enemy in enemies], default=0))
        return 1.0

    def policy(random: Random, model: Model, options: list[Option]) -> int:
        return random.choices(range(len(options)), [weight(model, option) for option in options])[0]

    return policy


BOTS: dict[str, Policy] = {
    "uniform": likes(1.0, 1.0, 1.0),
    "fighter": likes(0.05, 0.3, 3.0),
    "dragon": likes(0.05, 20.0, 3.0),
    "hasty": likes(2.0, 3.0, 1.0),
    "stander": likes(0.05, 9.0, 1.0, moving=0.02, early=0.02),
}


def play_whole(number: int, seed: int, limit: int, *, campaign: bool = False, bot: str = "") -> int:
    setup = {"campaign" if campaign else "scenario": number}
    match = Match.create("battles", seats=2, seed=seed, setup=setup)
    model = Model(scenario(number), Draws(seed), campaign=campaign)
    return lockstep(match, model, BOTS[bot or Random(seed).choice(list(BOTS))], seed, limit)


def play_rare(seed: int, limit: int) -> int:
    """A made-up position of one of the forty battles."""
    random = Random(seed)
    scene = scenario(1 + seed % 40)
    state = Match.create("battles", seats=2, seed=seed, setup={"scenario": scene.number}).state()
    position = random_position(random, state, scene)
    match = Match.create(
        "battles", seats=2, seed=seed, setup={"scenario": scene.number, "position": position}
    )
    model = Model(scene, Draws(seed), position=position)
    return lockstep(match, model, BOTS[random.choice(["fighter", "dragon", "stander"])], seed, limit)


def play_linked(seed: int, limit: int) -> int:
    """The end of the first of two linked battles, and the second one (BT-SCEN-20)."""
    random = Random(seed)
    scene = scenario(random.choice([18, 39]))
    setup: dict[str, Any] = {"campaign": scene.number}
    position = random_position(
        random, Match.create("battles", seats=2, seed=seed, setup=setup).state(), scene
    )
    position["banners"] = {name: random.randint(1, scene.banners - 1) for name in SIDES}
    match = Match.create("battles", seats=2, seed=seed, setup={**setup, "position": position})
    model = Model(scene, Draws(seed), campaign=True, position=position)
    return lockstep(match, model, BOTS[random.choice(["fighter", "dragon", "stander"])], seed, limit)


def play_own(seed: int, limit: int) -> int:
    """A made-up battle, from its set-up or from a position; a process keeps a limited number of maps."""
    random = Random(seed)
    text, scene = random_battle(Random(seed % 50))
    setup: dict[str, Any] = {"scenario_text": text}
    match = Match.create("battles", seats=2, seed=seed, setup=setup)
    position = None
    if random.random() < 0.7:
        position = random_position(random, match.state(), scene)
        match = Match.create("battles", seats=2, seed=seed, setup={**setup, "position": position})
    model = Model(scene, Draws(seed), position=position)
    return lockstep(match, model, BOTS[random.choice(["fighter", "dragon", "stander"])], seed, limit)


@pytest.mark.parametrize("number", range(1, 41))
def test_every_battle_is_the_models(number: int) -> None:
    assert play_whole(number, number, 500) > 0


@pytest.mark.parametrize("seed", range(30))
def test_linked_battles_are_the_models(seed: int) -> None:
    play_linked(seed, 150)


@pytest.mark.parametrize("number", [18, 39])
def test_whole_campaigns_are_the_models(number: int) -> None:
    assert play_whole(number, 3, 5000, campaign=True) > 0


@pytest.mark.parametrize("seed", range(200))
def test_rare_positions_go_on_as_the_models(seed: int) -> None:
    play_rare(seed, 60)


@pytest.mark.parametrize("seed", range(50))
def test_battles_of_ones_own_are_the_models(seed: int) -> None:
    play_own(seed, 100)


@pytest.mark.parametrize("seed", range(20))
def test_the_hosts_cap_is_the_models(seed: int) -> None:  # BT-R-21
    match = Match.create("battles", seats=2, seed=seed, setup={"scenario": 2 * seed + 1, "max_rounds": 2})
    model = Model(scenario(2 * seed + 1), Draws(seed), max_rounds=2)
    lockstep(match, model, BOTS["dragon"], seed)


@pytest.mark.system
@pytest.mark.parametrize("seed", range(100, 300))
def test_many_battles_are_the_models(seed: int) -> None:
    play_whole(1 + seed % 40, seed, 20_000)


@pytest.mark.system
@pytest.mark.parametrize("seed", range(100, 120))
def test_many_linked_battles_are_the_models(seed: int) -> None:
    play_whole(18 if seed % 2 else 39, seed, 20_000, campaign=True)
    for other in range(20 * seed, 20 * seed + 20):
        play_linked(other, 300)


@pytest.mark.system
@pytest.mark.parametrize("first", range(1000, 6000, 100))
def test_many_rare_positions_go_on_as_the_models(first: int) -> None:
    for seed in range(first, first + 100):
        play_rare(seed, 80)


@pytest.mark.system
@pytest.mark.parametrize("first", range(1000, 3000, 100))
def test_many_battles_of_ones_own_are_the_models(first: int) -> None:
    for seed in range(first, first + 100):
        play_own(seed, 120)
