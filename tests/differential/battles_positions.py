"""Battles and positions of `battles` that matches seldom come to: all close together, all cards at hand."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from differential.model_battles_board import (
    ALL,
    HEXES,
    SIDES,
    Scenario,
    distance,
    read_scenario,
    row,
)
from differential.model_battles_decks import command_deck, dragon_deck

KINDS = ("SSp", "SB", "ASp", "AB", "AA", "LI", "SSpC", "SBC")
BOX = {"SSp": 5, "SB": 3, "ASp": 8, "AB": 4, "AA": 4, "LI": 3, "SSpC": 4, "SBC": 4}  # BT-COMP-04
CAVALRY = {"SSpC", "SBC"}
COPIED = (
    "C-ONE-L",
    "C-THREE-R",
    "C-ADV-C",
    "C-FLANKS",
    "C-TIGER-L",
    "C-SHOGUN",
    "C-SNAKE",
    "C-FIRST",
    "C-HOLD",
)


def name_of(hex_: int) -> str:
    """A hex as the engine writes it."""
    r, x = HEXES[hex_]
    return f"{r},{x // 2}"


# Custom battles


def random_battle(random: Random) -> tuple[str, Scenario]:
    """A battle with all kinds of terrain and some of the special rules: its text, and as it is read."""
    rules: dict[str, Any] = {
        "river_fordable": random.random() < 0.5,
        "ford_tiles": random.choice(["ford", "shallow"]),
        "fences_are_palisades": random.random() < 0.5,
        "hills_impassable": random.random() < 0.15,
        "buildings_impassable": random.random() < 0.15,
    }
    if rules["river_fordable"]:
        rules["ford_tiles"] = "shallow"
    if random.random() < 0.2:
        rules["castle_treated_as"] = "buildings"
    tents = {name: r for name, r in (("top", 1), ("bottom", 9)) if random.random() < 0.7}
    land = random.choice([".....fhbBcg#C", "...hhhhf", "....ffhh#", "..CCBBgg##", "....rrdbffhC"])
    cells = ["".join(random.choice(land) for _ in range(12 - r % 2)) for r in range(11)]
    places = {name: (r, random.randrange(3, 8)) for name, r in tents.items()}
    for r, c in places.values():
        cells[r] = cells[r][:c] + "t" + cells[r][c + 1 :]
    for r in (0, 10):  # room for the armies
        cells[r] = "............"
    header = {
        "name": "A battle of chance",
        "flags_to_win": 4,
        "top": {"name": "North", "command_cards": 5, "dragon_cards": 3, "honor": random.randrange(9)},
        "bottom": {"name": "South", "command_cards": 5, "dragon_cards": 3, "honor": random.randrange(9)},
        "first_player": random.choice(["top", "bottom", "roll"]),
        "victory": random_records(random, "top" in tents),
        "terrain_rules": rules,
        "special_rules": [],
    }
    if header["first_player"] == "roll":
        header["special_rules"] = [
            {"kind": "first_player_roll", "dice": 5, "face": "honor", "ties": "reroll"}
        ]
    deployment = {
        "basis": "invented",
        "narrative": "Made by chance.",
        "terrain": cells,
        "top": [f"{kind}@0,{2 * c}" for c, kind in enumerate(random.sample(KINDS, 5))],
        "bottom": [f"{kind}@10,{2 * c}" for c, kind in enumerate(random.sample(KINDS, 5))],
        "tents": {name: list(place) for name, place in places.items()},
        "objectives": {"castle": [0, random.randrange(12)]},
        "banks": {
            name: [[r, c] for r in rows for c, letter in enumerate(cells[r]) if letter not in "rdb"]
            for name, rows in (("top", range(5)), ("bottom", range(6, 11)))
        },
        "target_bank": random.choice(["top", "bottom"]),
    }
    text = "".join(f"{key} = {toml(value)}\n" for key, value in header.items())
    text += "[deployment]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in deployment.items())
    return text, read_scenario(header, deployment)


def random_records(random: Random, tent: bool) -> list[dict[str, Any]]:
    """Some victory records of the forty battles."""
    start = {"permanent": True, "when": "start_of_own_turn"}
    flags = random.choice([1, 2])
    marks = {"flags_per_unit": flags, "permanent": False, "when": "start_of_own_turn", "leaders_count": False}
    known: list[dict[str, Any]] = [
        {"kind": "leader_value", "flags": 2},
        {"kind": "units_across_river", "side": "bottom", "bank": "top", "kept": "while_on_bank", **marks},
        {
            "kind": "units_adjacent_across_gorge",
            "side": "top",
            "bank": "bottom",
            **marks,
            "kept": "while_on_same_hex",
        },
        {
            "kind": "occupy_hex",
            "side": "bottom",
            "objective": "castle",
            "flags": 1,
            "permanent": True,
            "once": True,
            "when": "immediate",
            "enemy_loses_random_command_cards": 1,
        },
        {
            "kind": "enemy_absent_from_a_section",
            "side": "bottom",
            "flags": 1,
            **start,
            "max_per_turn": 1,
            "shared_hexes": "center",
            "leaders_count": False,
        },
        {
            "kind": "hill_majority",
            "side": "either",
            "flags": flags,
            "permanent": False,
            "when": "start_of_each_turn",
            "kept": "while_majority",
            "leaders_count": False,
        },
        {
            "kind": "unit_exits_across_river",
            "side": "top",
            "unit_types": ["ASp", "LI"],
            "bank": "target_bank",
            "flags": 1,
            "permanent": True,
            "when": "immediate",
            "unit_removed": True,
            "attached_leader": "stays",
        },
        {
            "kind": "order_one_card",
            "side": "top",
            "flags": 1,
            "permanent": True,
            "when": "end_of_own_turn",
            "may_be_final_flag": False,
        },
    ]
    if tent and random.random() < 0.1:
        known.append({"kind": "enter_tent_immediate_victory", "side": "bottom", "when": "immediate"})
    return random.sample(known, random.randrange(4))


def toml(value: object) -> str:
    """A value as TOML writes it in one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


# Positions


def random_position(random: Random, state: dict[str, Any], scene: Scenario) -> dict[str, Any]:
    """A position at the start of a turn: armies mixed up, leaders everywhere, hands full of dragons.

    Often it has a theme, levies around one enemy or archers at a distance, with cards for it in both hands.
    """
    theme = random.choice(["", "", "charge", "volley"])
    state = json.loads(json.dumps(state))
    state["active"] = random.choice(SIDES)
    state["round"] = random.choice([1, 2, 3, 4])
    state["turns"] = {"top": state["round"], "bottom": state["round"]}
    state["tents"] = {name: side in scene.tents and random.random() < 0.8 for side, name in enumerate(SIDES)}
    place_armies(random, state, scene, theme)
    deal(random, state, theme)
    top = random.choice([0, 2, 5, 10, 12])
    state["honor"] = {"top": top, "bottom": random.choice([0, 1, 3, 8, 18])}
    if theme and random.random() < 0.7:
        state["honor"] = {"top": 9, "bottom": 8}
    need = scene.banners
    state["banners"] = {name: random.choice([0, 0, max(0, need - 2), max(0, need - 1)]) for name in SIDES}
    if random.random() < 0.6:
        state["banners"] = {"top": 0, "bottom": 0}
    state["last"] = {name: random_last(random) for name in SIDES}
    state["marked"], state["captured"], state["hill_majority"] = [], [], None
    return state


Rows = list[dict[str, Any]]


def place_armies(random: Random, state: dict[str, Any], scene: Scenario, theme: str) -> None:
    """Puts both armies around one hex."""
    tents = {SIDES[side]: hex_ for side, hex_ in scene.tents.items()}
    free = {hex_ for hex_ in ALL if hex_ not in scene.impassable} - set(tents.values())
    middle = random.choice(sorted(free))
    spread = random.choice([2, 4, 8])
    order = sorted(free, key=lambda hex_: distance(middle, hex_) + spread * random.random())
    mixed = random.random() < 0.4
    active, other = state["active"], SIDES[1 - SIDES.index(state["active"])]
    if theme == "charge":
        order.sort(key=lambda hex_: distance(middle, hex_) > 1)
    elif theme == "volley":
        order = [hex_ for hex_ in order if distance(middle, hex_) not in {2, 3}]
    units: Rows = []
    leaders: Rows = []
    for hex_ in order[: random.randint(8, 26)]:
        side, kind = random.choice(SIDES), random.choice(KINDS)
        if not mixed and random.random() < 0.85:
            side = "top" if row(hex_) < row(middle) else "bottom"
        if theme == "charge" and distance(middle, hex_) <= 1:
            side, kind = (other, kind) if hex_ == middle else (active, "LI")
        elif theme == "volley":
            near = distance(middle, hex_) <= 1
            side, kind = (other, kind) if near else (active, random.choice(["SB", "AB", "AA", "AA", "SBC"]))
        place_piece(random, units, leaders, (side, kind, name_of(hex_)))
    pitch_tents(random, state["tents"], tents, units, leaders)
    for name in SIDES:  # at least one unit for each side, and at most the allowed number of leaders
        if not any(unit["side"] == name for unit in units):
            taken = {one["hex"] for one in units + leaders}
            spare = next(name_of(hex_) for hex_ in order if name_of(hex_) not in taken)
            units.append({"unit": "ASp", "side": name, "hex": spare, "blocks": 4})
        for leader in [leader for leader in leaders if leader["side"] == name and leader["leader"] != "AC"][
            7:
        ]:
            leaders.remove(leader)
    held = [rule for rule in scene.special if rule["kind"] == "held_until_card"]
    groups: list[list[str]] = [[] for _ in held]
    for unit in units:
        if held and unit["side"] == "top" and unit["unit"] != "BG" and random.random() < 0.5:
            random.choice(groups).append(unit["hex"])
    state["units"], state["leaders"], state["held"] = units, leaders, groups


def place_piece(random: Random, units: Rows, leaders: Rows, piece: tuple[str, str, str]) -> None:
    """A unit, often reduced and with a leader, or a lone leader."""
    side, kind, hex_ = piece
    if random.random() < 0.85:
        blocks = random.choice([1, 1, 2, 3, 4, 4])
        units.append({"unit": kind, "side": side, "hex": hex_, "blocks": blocks})
        if random.random() > 0.35:
            return
    alone = not units or units[-1]["hex"] != hex_
    leader = {"leader": "LM" if kind in CAVALRY else random.choice(["LF", "LM"]), "side": side, "hex": hex_}
    if alone and leader["leader"] == "LF" and random.random() < 0.2:
        leaders.append({**leader, "was_commander": True})
    else:
        leaders.append(leader)


def pitch_tents(
    random: Random, stand: dict[str, bool], tents: dict[str, int], units: Rows, leaders: Rows
) -> None:
    """Commanders in their tents, empty tents, and tents that the enemy has entered."""
    for name, hex_ in tents.items():
        guest = random.random()
        if not stand[name] or guest < 0.2:
            continue
        place = {"side": name if guest < 0.8 else SIDES[1 - SIDES.index(name)], "hex": name_of(hex_)}
        if guest < 0.8:
            units.append({"unit": "BG", **place, "blocks": random.randint(1, 4)})
            leaders.append({"leader": "AC", **place})
        else:
            units.append({"unit": "SSp", **place, "blocks": 2})


COMMANDS = {
    "charge": ["C-SNAKE", "C-CIRCLE", "C-GEESE", "C-SHOGUN"],
    "volley": ["C-HOLD", "C-HOLD", "C-SHOGUN"],
}
DRAGONS = {
    "charge": [2, 6, 7, 10, 14, 15, 17, 19, 22, 25, 29, 32, 34],
    "volley": [2, 12, 14, 15, 16, 23, 30, 31],
}
"""Numbers of the dragon cards."""


def deal(random: Random, state: dict[str, Any], theme: str) -> None:
    """Hands, discards and decks, sometimes almost empty ones."""
    for name, cards, most in (("command", command_deck(), 7), ("dragon", dragon_deck(), 9)):
        random.shuffle(cards)
        if name == "command" and random.random() < 0.5:  # cards that are seldom seen
            wanted = {"C-FIRST", "C-SHOGUN", "C-COUNTER", "C-CIRCLE", "C-SNAKE", "C-LEADER", "C-ASSAULT"}
            cards.sort(key=lambda card: card in wanted and random.random() < 0.6)
        hands = {side: [cards.pop() for _ in range(random.randint(2, most))] for side in SIDES}
        if name == "command" and theme:
            cards.extend(hands[state["active"]])
            hands[state["active"]] = [cards.pop(cards.index(one)) for one in COMMANDS[theme] if one in cards]
            hands[state["active"]] += [cards.pop()]
        elif theme:
            for card in [card for card in cards if int(card[2:4]) in DRAGONS[theme]]:
                cards.remove(card)
                hands[random.choice(SIDES)].append(card)
        discards = random.choice([0, 5, len(cards) - 1, len(cards)])
        state[name] = {"deck": cards[discards:], "discards": cards[:discards], "hands": hands}


def random_last(random: Random) -> dict[str, Any] | None:
    """A card that Counterattack may copy, now and then changed by Tactical Wisdom."""
    slots = {
        "C-ONE-L": [1, 0, 0],
        "C-THREE-R": [0, 0, 3],
        "C-ADV-C": [0, 255, 0],
        "C-FLANKS": [2, 0, 2],
        "C-TIGER-L": [1, 2, 0],
    }
    if random.random() < 0.1:
        return None
    card = random.choice(COPIED)
    if card == "C-FLANKS" and random.random() < 0.3:
        return {"card": card, "slots": [0, 2, 2]}
    return {"card": card, "slots": slots.get(card, [0, 0, 0])}
