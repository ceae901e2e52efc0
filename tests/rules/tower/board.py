"""Positions for rule tests of `tower`, in a tower of glass, and how to play from them.

Throws are not scripted. Unless `match` is given another `tower_model`, the tower is GLASS: what is thrown
comes out again (a cube stays with a chance of 0.1 %, and the seed fixes whether one does), so the tray after
a throw is what was thrown and the old tray.
"""

from typing import Any

from sengoku import Match
from sengoku.engine.positions.tower import ACTIONS, ENTRY, EVENTS, FARMER, SEASONS, SPECIALS
from sengoku.tower import GLASS, PositionBuilder

__all__ = [
    "ACTIONS", "ENTRY", "EVENTS", "FARMER", "GLASS", "SEASONS", "SPECIALS", "Board", "enter", "events",
    "kinds", "options", "play", "player", "point", "province", "quietly",
]  # fmt: skip


class Board(PositionBuilder):
    """A position whose matches have a tower of glass."""

    def setup(self, **options: Any) -> dict[str, Any]:
        """Returns the setup of a match that begins from here."""
        return super().setup(**{"tower_model": GLASS, **options})

    def match(self, dice: Any = None, seed: int = 1, **options: Any) -> Match:
        """Begins a match from here."""
        return super().match(dice, seed, **options)


def options(match: Match, name: str | None = None) -> list[dict[str, Any]]:
    """The legal actions: the arguments of those of one kind, or name and arguments of all."""
    legal = match.legal_actions()
    if name is None:
        return [{"name": action.name, **action.args} for action in legal]
    return [action.args for action in legal if action.name == name]


def play(match: Match, name: str, **args: Any) -> Match:
    """Plays the one legal action of this kind with these arguments."""
    legal = match.legal_actions()
    found = [action for action in legal if action.name == name and args.items() <= action.args.items()]
    assert len(found) == 1, f"{name} {args}: {[str(action) for action in found or legal]}"
    match.play(found[0])
    return match


def enter(match: Match, **cards: str) -> Match:
    """Enters the plan of the seat that plans, with cards as in a position; "empty" is one too.

    Spaces about which nothing is said get cards that are left, treasure cards first.
    """
    reserved = set(cards.values())
    for space in ENTRY if match.state()["options"]["court"] else ENTRY[:11]:
        legal = {_card(action.name, action.args): action for action in match.legal_actions()}
        spare = [card for card in legal if card not in reserved and card != "empty"]
        match.play(legal[cards[space] if space in cards else (spare or ["empty"])[0]])
    return match


def _card(name: str, args: dict[str, Any]) -> str:
    words = {"empty": "empty", "treasure": f"treasure_{args.get('value')}", "tower_card": "tower"}
    return words.get(name) or str(args["province"])


def events(match: Match, kind: str) -> list[dict[str, Any]]:
    """All events of a kind so far, without the word that says the kind."""
    found = [event for event in match.log if event["event"] == kind]
    return [{key: value for key, value in event.items() if key != "event"} for event in found]


def kinds(match: Match) -> list[str]:
    """The kinds of all events so far, in order."""
    return [event["event"] for event in match.log]


def province(match: Match, key: str) -> dict[str, Any]:
    """A province: owner, armies, buildings and unrest markers."""
    found: dict[str, Any] = match.state()["provinces"][key]
    return found


def player(match: Match, seat: int) -> dict[str, Any]:
    """The possessions of a player."""
    found: dict[str, Any] = match.state()["players"][seat]
    return found


def point(match: Match) -> str:
    """The point of play, by name."""
    found = match.state()["point"]
    return found if isinstance(found, str) else next(iter(found))


def quietly(match: Match, until: str, round_: str | None = None) -> Match:
    """Plays on, everybody doing as little as possible, until a point (of a round) comes up."""
    for _ in range(2000):
        if point(match) == until and round_ in {None, match.state()["round"]}:
            return match
        legal = match.legal_actions()
        assert legal, f"{until} does not come up"
        match.play(next((action for action in legal if action.name == "pass"), legal[0]))
    raise AssertionError(f"{until} does not come up")
