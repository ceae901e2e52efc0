"""Positions for rule tests, and how to play from them."""

from typing import Any
from weakref import WeakKeyDictionary

from sengoku import Match
from sengoku.engine.positions.swords import BOXES, HOMES, LEVIED
from sengoku.swords import PositionBuilder

__all__ = [
    "BOXES", "HOMES", "LEVIED", "Board", "army", "attack", "begin", "declare", "end_round", "events", "fill",
    "options",
    "owner", "plan", "play", "point", "quietly", "units",
]  # fmt: skip


class Board(PositionBuilder):
    """A position with the seed of these tests."""

    def match(self, dice: Any = None, seed: int = 1, **options: Any) -> Match:
        """Begins a match from here."""
        return super().match(dice, seed, **options)


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


def begin(board: Board, action: str, *plans: dict[str, int]) -> Board:
    """Begins the round at one of its actions ("plan" or a box), with the plans the clans have revealed."""
    return board.begin(action, *plans)


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
    return board.fill(clan, count, *avoid)


def end_round(match: Match) -> Match:
    """Nobody does anything more in this round."""
    now = match.state()["round"]
    while not match.over and match.state()["round"] == now:
        play(match, "pass" if match.state()["window"] else "done")
    return match
