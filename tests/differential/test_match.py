"""Whole matches of `swords` in lockstep with the slow, independent model: questions, answers and states."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from differential.model_match import Model
from differential.model_match_board import NEAR, SOLDIERS, Action, Army
from sengoku import Match

Policy = Callable[[Random, dict[str, Any], list[Action]], int]


def key(action: Action) -> str:
    return f"{action[0]} {json.dumps(action[1], sort_keys=True)}"


def asked(state: dict[str, Any]) -> int:
    """The clan that is asked."""
    if state["revenge"] is not None:
        return int(state["revenge"]["by"])
    if state["recovery"] is not None:
        return int(state["recovery"]["clan"])
    return int(state["ninja"] if state["window"] is not None else state["decider"])


def engine_facts(state: dict[str, Any], moved: bool) -> dict[str, Any]:
    """The values of the engine that are compared with the model."""
    buying = isinstance(state["point"], dict) and "buy" in state["point"]
    facts: dict[str, Any] = {"round": state["round"], "ninja": state["ninja"], "pool": state["pool"]}
    for number, clan in enumerate(state["clans"]):
        tray = {kind: clan["tray"][kind] for kind in SOLDIERS}
        if not buying:  # the model takes units out of the tray when they are placed
            tray = {kind: count + clan["bought"][kind] for kind, count in tray.items()}
        facts[f"clan {number}"] = (clan["out"] > 0, clan["koku"], clan["plan"], clan["sword"], tray)
        for place, army in enumerate(clan["armies"], 1):
            facts[f"army {place} of clan {number}"] = army_facts(Army(**army), moved)
    for name, province in state["provinces"].items():
        units = {kind: province["units"][kind] for kind in (*SOLDIERS, "ronin")}
        shown = [province[field] for field in ("owner", "fort", "hidden", "bonus_lost")]
        gone = {kind: province["moved"][kind] for kind in SOLDIERS} if moved else None
        facts[name] = (*shown, units, gone)
    return facts


def army_facts(army: Army, moved: bool) -> tuple[Any, ...]:
    return army.province, army.hole, army.units, army.disrupted, army.moved and moved


def model_facts(model: Model, moved: bool) -> dict[str, Any]:
    """The same as the model sees it."""
    facts: dict[str, Any] = {"round": model.round, "ninja": model.ninja, "pool": model.pool}
    for number, clan in enumerate(model.clans):
        facts[f"clan {number}"] = (clan.out, clan.koku, clan.plan, clan.sword, clan.tray)
        for place, army in enumerate(clan.armies, 1):
            facts[f"army {place} of clan {number}"] = army_facts(army, moved)
    for name, province in model.provinces.items():
        shown = (province.owner, province.fort, province.hidden, province.bonus_lost)
        facts[name] = (*shown, province.units, province.moved if moved else None)
    return facts


def compare(match: Match, state: dict[str, Any], actions: list[Action], model: Model) -> list[str]:
    """The differences between the engine and the model."""
    wrong = []
    # Which phase it is, and who has moved in it, is settled only where no question comes in between.
    settled = state["window"] is None and state["recovery"] is None and state["revenge"] is None
    if settled and not match.over and state["phase"] != model.phase:
        wrong.append(f"phase: engine {state['phase']}, model {model.phase}")
    moved = state["phase"] == model.phase and model.phase in {"a", "d"}
    theirs, ours = engine_facts(state, moved), model_facts(model, moved)
    wrong += [
        f"{name}: engine {theirs[name]}, model {ours[name]}" for name in ours if theirs[name] != ours[name]
    ]
    if match.over or model.question is None:
        outcome = match.outcome
        end = (None, None) if outcome is None else (outcome.reason, outcome.winner)
        if match.over != (model.question is None) or end != (model.reason, model.winner):
            wrong.append(f"end: engine {match.over} {end}, model {model.question} {model.reason}")
        return wrong
    clan = asked(state)
    if (clan, match.to_act) != (model.question.clan, model.player(model.question.clan)):
        wrong.append(f"asked: engine {clan} (seat {match.to_act}), model {model.question.clan}")
    only_engine = {key(action) for action in actions} - {key(action) for action in model.question.options}
    only_model = {key(action) for action in model.question.options} - {key(action) for action in actions}
    if only_engine or only_model:
        wrong.append(f"only engine: {sorted(only_engine)}, only model: {sorted(only_model)}")
    return wrong


def lockstep(match: Match, policy: Policy, seed: int, limit: int = 1_000_000) -> int:
    """Plays a match and the model in lockstep; returns the number of decisions compared."""
    random = Random(seed)
    state = match.state()
    model = Model(state)
    read, done, played = len(match.log), 0, "the beginning"
    while True:
        legal = match.legal_actions()
        actions = [(action.name, action.args) for action in legal]
        wrong = compare(match, state, actions, model)
        if wrong or match.over or done == limit:
            break
        choice = policy(random, state, actions)
        match.play(legal[choice])
        log = match.log[read:]
        read, done = read + len(log), done + 1
        played = f"{legal[choice].text!r} at {state['point']}, window {state['window']}: {log}"
        state = match.state()
        try:
            model.play(actions[choice], log)
        except AssertionError as error:
            wrong = [f"model: {error!r}"]
            break
    where = f"{match!r}, now at {state['point']}, window {state['window']}, after {played}"
    assert not wrong, where + "".join(f"\n  {line}" for line in wrong)
    return done


# Bots: how much they like an action, given the point of play. Each makes something rare happen often.


def point_of(state: dict[str, Any]) -> str:
    for special in ("revenge", "recovery", "window"):
        if state[special] is not None:
            if special == "window" and state["window"] in range(5, 10):
                return "eve" if state["window"] < 7 else "battle"
            return special
    point = state["point"]
    return point if isinstance(point, str) else str(next(iter(point)))


def likes(*tables: dict[str, float]) -> Policy:
    """A bot that weighs actions by their names, or by point and name, and otherwise likes all alike."""
    table: dict[str, float] = {}
    for part in tables:
        table.update(part)

    def weight(state: dict[str, Any], point: str, action: Action) -> float:
        name, args = action
        if point in {"eve", "battle"} and args.get("clan") == state["active"]:
            attacks = state["series"] is not None and state["series"][0] == {"army": args["army"] - 1}
            return 25.0 if attacks else 1.0
        special = f"{name} hidden" if args.get("hidden", 0) > 0 else name
        if f"{point} big" in table and "amount" in args:
            return float(table[f"{point} big"] ** args["amount"])
        return table.get(f"{point} {special}", table.get(f"{point} {name}", table.get(name, 1.0)))

    def policy(random: Random, state: dict[str, Any], actions: list[Action]) -> int:
        point = point_of(state)
        if point == "plan":
            point = f"plan {state['point']['plan']}"
        weights = [weight(state, point, action) for action in actions]
        return random.choices(range(len(actions)), weights)[0]

    return policy


WAR = {
    "choose_army done": 0.2,
    "declare done": 0.1,
    "continue": 4.0,
    "conquest pass": 0.3,
    "next_target stop": 0.3,
    "choose_force done": 4.0,
    "detach done": 2.0,
    "garrison done": 2.0,
    "window pass": 60.0,
    "eve pass": 60.0,
    "battle pass": 20.0,
}
BOTS: dict[str, Policy] = {
    "uniform": likes(),
    "war": likes(WAR, {"plan levy big": 1.5}),
    "ronin": likes(
        WAR,
        {"plan ronin big": 4.0, "plan swords big": 0.3, "plan levy big": 0.7, "plan build big": 0.5},
        {"ronin pass": 0.01, "choose_units step hidden": 3.0, "from_province": 2.0, "stop": 0.3},
    ),
    "ninja": likes(
        WAR,
        {"plan ronin big": 0.8, "plan swords big": 0.2, "plan levy big": 0.5, "plan build big": 0.5},
        {"window pass": 20.0, "eve pass": 20.0, "from_army": 1.5},
    ),
    "assassin": likes(
        WAR, {"window pass": 1000.0, "eve pass": 90.0, "battle pass": 5.0, "plan levy big": 0.3}
    ),
    "hasty": likes({"done": 9.0, "stop": 3.0, "window pass": 30.0, "eve pass": 30.0, "battle pass": 9.0}),
    "armies": likes(
        WAR,
        {"plan levy big": 4.0, "plan swords big": 0.3, "into_army": 8.0, "levy pass": 0.01},
        {"move from_province": 4.0, "declare army": 8.0, "choose_battle army": 0.5},
    ),
}


def rare_position(seats: int, random: Random, **options: object) -> dict[str, Any]:
    """A made-up position at the start of a war turn: what matches seldom come to, all at once."""
    match = Match.create("swords", seats=seats, seed=random.randrange(2**32), setup=options)
    turn = random.choice([1, 1, 2])
    while not (match.state()["point"] == "choose_army" and match.state()["turn"] == turn):
        actions = match.legal_actions()
        names = [action.name for action in actions]
        match.play(actions[names.index("done")] if "done" in names else random.choice(actions))
    state = match.state()
    state["round"] = random.choice([2, 3, 9])
    del state["cards"]
    mode = random.choice(["mixed", "mixed", "empire", "meeting", "last stand"])
    edit_provinces(state, random)
    if mode == "empire":
        build_empire(state, random)
    for number in range(len(state["clans"])):
        edit_armies(state, number, random)
    if mode == "last stand":
        strip(state, random)
    if mode in {"meeting", "last stand"}:
        bring_together(state, random)
    edit_ronin(state, random)
    active = state["clans"][state["active"]]["armies"][0]
    active["disrupted"], active["units"]["daimyo"] = False, 1  # a clan has to be asked first
    if random.random() < 0.7:
        state["ninja"], state["ninja_fresh"] = random.randrange(len(state["clans"])), True
    return state


def soldiers_of(units: dict[str, int]) -> int:
    return sum(units[kind] for kind in SOLDIERS)


def move_units(source: dict[str, int], goal: dict[str, int]) -> None:
    for kind in SOLDIERS:
        goal[kind] += source[kind]
        source[kind] = 0


def edit_provinces(state: dict[str, Any], random: Random) -> None:
    standing = {army["province"] for clan in state["clans"] for army in clan["armies"]}
    crowded, deserted = random.choice([0.0, 0.2, 0.6]), random.choice([0.0, 0.1, 0.3, 0.95])
    for name, province in state["provinces"].items():
        if province["owner"] is None:
            continue
        tray = state["clans"][province["owner"]]["tray"]
        if name not in standing and random.random() < deserted:
            desert(state, province)
        elif random.random() < crowded:
            fill(province["units"], tray, 5 - soldiers_of(province["units"]), random)
        if province["fort"] == "none" and random.random() < 0.15 and state["pool"]["castles"] > 0:
            province["fort"] = "castle"
            state["pool"]["castles"] -= 1
        if province["fort"] == "castle" and random.random() < 0.5 and state["pool"]["bases"] > 0:
            province["fort"] = "fortress"
            state["pool"]["bases"] -= 1


def desert(state: dict[str, Any], province: dict[str, Any]) -> None:
    state["pool"]["ronin"] += province["hidden"] + province["units"]["ronin"]
    province["hidden"] = province["units"]["ronin"] = 0
    move_units(province["units"], state["clans"][province["owner"]]["tray"])
    province["owner"] = None


def build_empire(state: dict[str, Any], random: Random) -> None:
    """A clan or two allied ones come close to victory."""
    seats = state["options"]["seats"]
    emperors = random.choice([[0, 1], [2, 3]]) if seats == 2 else [random.randrange(seats)]
    standing = {army["province"] for clan in state["clans"] for army in clan["armies"]}
    wanted = {2: 52, 3: 34, 4: 34, 5: 34}[seats] + (2 if state["options"]["long_game"] else 0)
    for name in random.sample(sorted(state["provinces"]), 68):
        province, emperor = state["provinces"][name], random.choice(emperors)
        tray = state["clans"][emperor]["tray"]
        owned = sum(province["owner"] in emperors for province in state["provinces"].values())
        if name in standing or province["owner"] in emperors or owned >= wanted or tray["spear"] == 0:
            continue
        if province["owner"] is not None:
            desert(state, province)
        province["owner"] = emperor
        province["units"]["spear"] = 1
        tray["spear"] -= 1


def bring_together(state: dict[str, Any], random: Random) -> None:
    """Puts the first armies of all clans, often alone, next to each other."""
    middle = random.choice([place for place, near in NEAR.items() if len(near) >= 5])
    places = [middle, *random.sample(NEAR[middle], 4)]
    alone = random.random() < 0.6
    for number, (clan, name) in enumerate(zip(state["clans"], places, strict=False)):
        province = state["provinces"][name]
        army = clan["armies"][0]
        start = state["provinces"][army["province"]]
        taken = any(army["province"] == name for other in state["clans"] for army in other["armies"])
        if taken or soldiers_of(start["units"]) == 0:
            continue
        if province["owner"] is not None:
            desert(state, province)
        province["owner"] = number
        army["province"] = name
        if alone and not army["disrupted"]:
            move_units(army["units"], clan["tray"])
        elif random.random() < 0.5:
            fill(province["units"], clan["tray"], 3, random)


def strip(state: dict[str, Any], random: Random) -> None:
    """Leaves every clan its first army and a province or two."""
    for clan in state["clans"]:
        for army in clan["armies"][1:]:
            move_units(army["units"], clan["tray"])
            place = army["province"]
            army.update(province=None, hole=0, units=dict.fromkeys(army["units"], 0), disrupted=False)
            if place is not None and soldiers_of(state["provinces"][place]["units"]) == 0:
                desert(state, state["provinces"][place])
    standing = {clan["armies"][0]["province"] for clan in state["clans"]}
    for name, province in state["provinces"].items():
        if name not in standing and province["owner"] is not None and random.random() < 0.95:
            desert(state, province)


def fill(units: dict[str, int], tray: dict[str, int], most: int, random: Random) -> None:
    for _ in range(random.randint(0, most)):
        kinds = [kind for kind in SOLDIERS if tray[kind] > 0]
        if kinds:
            kind = random.choice(kinds)
            units[kind] += 1
            tray[kind] -= 1


def edit_armies(state: dict[str, Any], number: int, random: Random) -> None:
    clan = state["clans"][number]
    owned = [name for name, province in state["provinces"].items() if province["owner"] == number]
    few = random.random() < 0.5
    for place, army in enumerate(clan["armies"]):
        start = state["provinces"][army["province"]]
        lot = random.random()
        army["hole"] = random.randrange(10)
        if lot < 0.6:
            move_units(army["units"], clan["tray"])
        free = [name for name in owned if name not in {other["province"] for other in clan["armies"]}]
        may_go = free and soldiers_of(start["units"]) > 0
        if few and place > 0 and may_go:
            move_units(army["units"], clan["tray"])
            army.update(province=None, hole=0, units=dict.fromkeys(army["units"], 0))
            continue
        if may_go and random.random() < 0.7:
            army["province"] = random.choice(free)
        if lot > 0.3:
            samurai = random.randint(0, 4 - army["units"]["bow"] - army["units"]["sword"])
            for kind, wanted in (("bow", samurai // 2), ("sword", samurai - samurai // 2)):
                count = min(wanted, clan["tray"][kind])
                army["units"][kind] += count
                clan["tray"][kind] -= count
            for kind in ("gun", "spear"):
                room = min(10 - army["units"]["gun"] - army["units"]["spear"], clan["tray"][kind], 5)
                count = random.randint(0, room)
                army["units"][kind] += count
                clan["tray"][kind] -= count
        if random.random() < 0.15 and soldiers_of(army["units"]) > 0:
            army["units"]["daimyo"] = 0
            army["disrupted"] = True


def edit_ronin(state: dict[str, Any], random: Random) -> None:
    board = state["provinces"]
    armies = {army["province"]: army["units"] for clan in state["clans"] for army in clan["armies"]}
    disrupted = {army["province"] for clan in state["clans"] for army in clan["armies"] if army["disrupted"]}
    for name, province in board.items():  # what lay there before may be too much now
        state["pool"]["ronin"] += province["hidden"] + province["units"]["ronin"]
        province["hidden"] = province["units"]["ronin"] = 0
        if name in armies:
            state["pool"]["ronin"] += armies[name]["ronin"]
            armies[name]["ronin"] = 0
    liked = random.sample(sorted(board), 20) + [name for name in armies if name is not None]
    for _ in range(60):
        name = random.choice(liked)
        forces = [board[name]["units"]] + ([armies[name]] if name in armies else [])
        room = [soldiers_of(units) + units["daimyo"] - 1 - units["ronin"] for units in forces]
        if board[name]["owner"] is None or state["pool"]["ronin"] == 0:
            continue
        beyond = 1 if name in disrupted else 0  # SW-R-39: nothing is removed when a daimyo is assassinated
        if board[name]["hidden"] < sum(max(0, free) for free in room) + beyond and random.random() < 0.6:
            board[name]["hidden"] += 1
            state["pool"]["ronin"] -= 1
        elif board[name]["hidden"] == 0 and room[-1] > 0:
            forces[-1]["ronin"] += 1
            state["pool"]["ronin"] -= 1


def play_rare(seed: int, limit: int) -> int:
    random = Random(seed)
    seats = random.choice([2, 3, 4, 5])
    options = {"long_game": seats > 2 and random.random() < 0.2}
    position = rare_position(seats, random, **options)
    match = Match.create("swords", seats=seats, seed=seed, setup={**options, "position": position})
    return lockstep(match, random.choice(list(BOTS.values())), seed, limit)


def play_whole(seed: int, limit: int) -> int:
    random = Random(seed)
    seats = 2 + seed % 4
    options: dict[str, Any] = {"max_rounds": random.choice([3, 100])}
    if seats > 2:
        options["long_game"] = random.random() < 0.3
    else:
        options["two_player_early_attacks"] = random.random() < 0.5
    match = Match.create("swords", seats=seats, seed=seed, setup=options)
    return lockstep(match, random.choice(list(BOTS.values())), seed, limit)


@pytest.mark.parametrize("seed", range(12))
def test_whole_matches_are_the_models(seed: int) -> None:
    assert play_whole(seed, 800) > 100


@pytest.mark.parametrize("seed", range(40))
def test_rare_positions_go_on_as_the_models(seed: int) -> None:
    assert play_rare(seed, 200) > 0


@pytest.mark.system
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_whole_matches_are_the_models(seed: int) -> None:
    play_whole(seed, 4000)


@pytest.mark.system
@pytest.mark.parametrize("seed", range(100, 600))
def test_many_rare_positions_go_on_as_the_models(seed: int) -> None:
    play_rare(seed, 800)
