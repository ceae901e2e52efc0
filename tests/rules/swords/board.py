"""Positions for rule tests: say what matters, the rest of a sound position is filled in.

A board begins with every clan's army 3 (a daimyo and a spearman) in a province of its own in the corners of
the map, all other provinces empty, in Phase A of clan 0's war turn in round 2. Trays and the pool follow from
what is on the board.
"""

from copy import deepcopy
from typing import Any
from weakref import WeakKeyDictionary

from sengoku import Match

HOMES = ("tsushima", "oki", "sado", "osumi", "awa_honshu")
"""Where the army of each clan stands that keeps it in play."""
LEVIED = ("bow", "gun", "sword", "spear")


class Board:
    """A position under construction."""

    def __init__(
        self, seats: int = 3, *, active: int = 0, phase: str = "a", round_: int = 2, homes: bool = True
    ) -> None:
        clans = 4 if seats == 2 else seats
        self.seats = seats
        state = Match.create("swords", seats=3 if seats == 2 else seats, seed=1).state()
        state["options"]["seats"] = seats
        while len(state["clans"]) < clans:
            state["clans"].append(deepcopy(state["clans"][0]))
        for province in state["provinces"].values():
            province |= {"owner": None, "fort": "none", "units": {}, "hidden": 0}
        for number, clan in enumerate(state["clans"]):
            clan |= {"colours": 1, "koku": 0, "sword": number + 1, "armies": [{}, {}, {}]}
        points = {"a": "choose_army", "b": "declare", "c": "choose_battle", "d": "choose_army"}
        state |= {
            "round": round_, "active": active, "decider": active, "turn": active + 1,
            "phase": phase, "point": points.get(phase, phase),
        }  # fmt: skip
        self.state = state
        if homes:
            for clan in range(clans):
                self.army(clan, 3, HOMES[clan], spear=1)

    def province(
        self, key: str, owner: int | None, fort: str = "none", hidden: int = 0, **units: int
    ) -> "Board":
        """Sets a province: its owner, building, provincial force and hidden ronin."""
        self.state["provinces"][key] |= {"owner": owner, "fort": fort, "hidden": hidden, "units": units}
        return self

    def army(
        self, clan: int, number: int, place: str, *, hole: int = 0, daimyo: int = 1, **units: int
    ) -> "Board":
        """Puts an army into a province, which becomes its clan's; `daimyo=0` makes it disrupted."""
        army = {
            "province": place,
            "hole": hole,
            "units": {"daimyo": daimyo, **units},
            "disrupted": daimyo == 0,
        }
        self.state["clans"][clan]["armies"][number - 1] = army
        self.state["provinces"][place]["owner"] = clan
        return self

    def set(self, **fields: Any) -> "Board":
        """Sets fields of the state."""
        self.state |= fields
        return self

    def clan(self, number: int, **fields: Any) -> "Board":
        """Sets fields of a clan."""
        self.state["clans"][number] |= fields
        return self

    def position(self) -> dict[str, Any]:
        """The position with trays and pool to match."""
        state = deepcopy(self.state)
        provinces = state["provinces"].values()
        ronin = 0
        for number, clan in enumerate(state["clans"]):
            forces = [province["units"] for province in provinces if province["owner"] == number]
            forces += [army["units"] for army in clan["armies"] if army]
            forces += [] if state["point"] == "buy" else [clan.get("bought") or {}]
            if state["march"] and number == state["active"]:
                forces.append(state["march"]["units"])
            for unit in LEVIED:
                colours = clan["colours"] * (36 if unit == "spear" else 9)
                clan["tray"][unit] = colours - sum(units.get(unit, 0) for units in forces)
            ronin += sum(units.get("ronin", 0) for units in forces) + clan["hired"]
        forts = [province["fort"] for province in provinces]
        ronin += sum(province["hidden"] for province in provinces)
        state["pool"] = {
            "castles": 10 - forts.count("castle") - forts.count("fortress"),
            "bases": 5 - forts.count("fortress"),
            "ronin": 25 - ronin,
        }
        return state

    def match(self, dice: list[int] | None = None, seed: int = 1, **setup: Any) -> Match:
        """A match that begins from here."""
        setup = {"position": self.position(), **setup}
        return Match.create("swords", seats=self.seats, seed=seed, setup=setup, dice=dice)


def options(match: Match, name: str | None = None) -> list[dict[str, Any]]:
    """The legal actions: the arguments of those of one kind, or name and arguments of all."""
    legal = match.legal_actions()
    if name is None:
        return [{"name": action.name, **action.args} for action in legal]
    return [action.args for action in legal if action.name == name]


_TAKEN: "WeakKeyDictionary[Match, list[dict[str, Any]]]" = WeakKeyDictionary()
"""The actions that the engine has just taken because nothing else was legal."""


def _taken(match: Match, name: str, before: int) -> list[dict[str, Any]]:
    """Choices of one that followed an action: first units of a garrison, detachment or move, single ways."""
    taken: list[dict[str, Any]] = []
    for event in match.log[before:]:
        if event["event"] == "dropped":
            taken.append({"name": "from_army", "unit": event["unit"]})
        elif event["event"] == "moved" and name != "step":
            taken += [
                {"name": "from_province", "unit": u} for u, n in event["units"].items() for _ in range(n)
            ]
            taken.append({"name": "step", "to": event["to"]})
    chosen = match.state()["point"]
    if name == "province" and isinstance(chosen, dict) and "choose_units" in chosen:
        chosen = chosen["choose_units"]["units"]
        taken += [{"name": "from_province", "unit": unit} for unit, count in chosen.items() if count]
    return taken


def play(match: Match, name: str, **args: Any) -> Match:
    """Plays the one legal action of this kind with these arguments.

    A choice that the engine has just taken by itself, because it was the only one, may be said too.
    """
    taken = _TAKEN.pop(match, [])
    if taken and taken[0] == {"name": name, **args}:
        _TAKEN[match] = taken[1:]
        return match
    found = [
        action
        for action in match.legal_actions()
        if action.name == name and args.items() <= action.args.items()
    ]
    if name == "step" and "hidden" not in args:
        found = [action for action in found if action.args["hidden"] == 0]
    assert len(found) == 1, f"{name} {args}: {[str(action) for action in found or match.legal_actions()]}"
    before = len(match.log)
    match.play(found[0])
    _TAKEN[match] = _taken(match, name, before) if name in ("step", "province") else []
    return match


def units(match: Match, key: str) -> dict[str, int]:
    """The provincial force of a province, kinds that are there."""
    return {kind: count for kind, count in match.state()["provinces"][key]["units"].items() if count}


def owner(match: Match, key: str) -> int | None:
    """Whose province it is."""
    found: int | None = match.state()["provinces"][key]["owner"]
    return found


def army(match: Match, clan: int, number: int) -> dict[str, Any]:
    """An army: its fields, with the kinds of units that are there."""
    found: dict[str, Any] = match.state()["clans"][clan]["armies"][number - 1]
    return found | {"units": {kind: count for kind, count in found["units"].items() if count}}


def events(match: Match, kind: str) -> list[dict[str, Any]]:
    """All events of a kind so far."""
    return [event for event in match.log if event["event"] == kind]


def declare(match: Match, force: int | str, target: str) -> Match:
    """Declares a battle of an army (its number) or of the provincial force of a province."""
    if isinstance(force, int):
        play(match, "army", army=force)
    else:
        play(match, "province", province=force)
    if match.state()["point"] != "declare" and match.state()["phase"] == "b":
        play(match, "province", province=target)
    assert events(match, "declared")[-1]["target"] == target
    return match


BOXES = ("swords", "build", "levy", "ronin", "ninja")
"""The boxes of a plan in the order of the actions they pay for."""


def begin(board: Board, action: str, *plans: dict[str, int]) -> Board:
    """Begins the round at one of its actions ("plan" or a box), with the plans the clans have revealed."""
    points = {"plan": {"plan": "swords"}, "levy": {"buy": 0}, "ronin": {"levy": 0}}
    board.set(point=points.get(action, action), phase="none", turn=0)
    unspent = BOXES[BOXES.index(action) :] if action in BOXES else BOXES
    for number, plan in enumerate(plans):
        koku = sum(plan.get(box, 0) for box in unspent if box != action or action == "ronin")
        if action == "plan":
            board.clan(number, koku=sum(plan.values()))
        else:
            board.clan(number, plan={box: plan.get(box, 0) for box in BOXES}, koku=koku, committed=True)
    if action in {"plan", "swords"}:
        for clan in board.state["clans"]:
            clan["sword"] = 0
    return board


def plan(match: Match, **boxes: int) -> Match:
    """Fills the boxes of the clan that plans; what is left of its koku is for the ninja."""
    for box in BOXES[:4]:
        play(match, "amount", amount=boxes.get(box, 0))
    return match


def point(match: Match) -> str:
    """The point of play, by name."""
    found = match.state()["point"]
    return found if isinstance(found, str) else next(iter(found))


def quietly(match: Match, until: str) -> Match:
    """Plays on, each clan doing as little as it may, until a point comes up."""
    for _ in range(500):
        if point(match) == until:
            return match
        legal = match.legal_actions()
        quiet = [action for action in legal if action.name in {"pass", "done", "stop", "call_off"}]
        match.play((quiet or legal)[0])
    raise AssertionError(f"{until} does not come up")


def attack(match: Match, force: int | str, target: str) -> Match:
    """Declares one battle, of an army (its number) or of a provincial force, and nothing else."""
    declare(match, force, target)
    if point(match) == "declare":
        play(match, "done")
    return match


def fill(board: Board, clan: int, count: int, *avoid: str) -> Board:
    """Gives a clan empty provinces, a spearman in each, until it owns enough; those to avoid stay empty."""
    provinces = board.state["provinces"]
    free = [key for key, province in provinces.items() if province["owner"] is None and key not in avoid]
    owned = sum(province["owner"] == clan for province in provinces.values())
    for key in free[: count - owned]:
        board.province(key, clan, spear=1)
    return board


def end_round(match: Match) -> Match:
    """Nobody does anything more in this round."""
    now = match.state()["round"]
    while not match.over and match.state()["round"] == now:
        play(match, "pass" if match.state()["window"] else "done")
    return match
