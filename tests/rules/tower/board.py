"""Positions for rule tests of `tower`: say what matters, the rest of a sound position is filled in.

A board begins with all provinces neutral, 20 chests for everybody, the tower and the tray empty. `begin` says
where play starts; supplies, decks of event and favour cards, slots and special cards follow from the rest:

    board = Board(3).province("settsu", 0, 2, unrest=1).plan(0, tax="settsu").event("tax_max_5")
    match = board.specials({0: "chest_plus_1"}).begin("tax").match()

The match then runs by itself up to its first decision, here through the whole season: look at `match.state()`
and `events`.

Throws are not scripted. Unless `match` is given another `tower_model`, the tower is GLASS: what is thrown
comes out again (a cube stays with a chance of 0.1 %, and the seed fixes whether one does), so the tray after
a throw is what was thrown and the old tray.
"""

from copy import deepcopy
from functools import cache
from typing import Any

from sengoku import Match

ACTIONS = (
    "castle", "temple", "no", "rice", "tax", "deploy5", "deploy3", "deploy1", "battle_a", "battle_b",
)  # fmt: skip
"""The ten actions in their canonical order (TW-COMP-07)."""
ENTRY = ("bid", *ACTIONS, "convert1", "convert2", "convert3")
"""The spaces in the order in which a plan is entered (TW-D-14)."""
SPECIALS = ("chest_plus_1", "rice_plus_1", "six_armies", "attack_plus_1", "defence_plus_1")
EVENTS = {
    "no_removes_unrest": 1, "neutral_two_farmers": 3, "castle_defence": 4, "temple_shield": 6, "tax_max_5": 7,
    "tax_min_6": 8, "rice_min_4": 10, "rice_max_3": 11, "few_recruits": 12,
}  # fmt: skip
"""An event card of each effect; 2, 5 and 9 are the twins of 1, 4 and 6 (TW-EVENT-02)."""
SEASONS = ("spring", "summer", "autumn")
FARMER = 5
GLASS = {"shelves": [{"capacity": 1, "stick_per_mille": 1, "dislodge": 65535, "burst": 0}] * 2}
"""A tower that lets everything through."""


@cache
def _drafting(seats: int, court: bool, side: str) -> dict[str, Any]:
    """A match that has just begun; every province is still neutral."""
    setup = {"court": court, "side": side, "mode": "draft"}
    return Match.create("tower", seats=seats, seed=1, setup=setup).state()


class Board:
    """A position under construction; every method returns the board."""

    def __init__(
        self, seats: int = 3, *, court: bool = False, side: str = "sun", year: int = 1, round_: str = "spring"
    ) -> None:
        self.seats = seats
        state = deepcopy(_drafting(seats, court, side))
        state |= {
            "year": year, "round": round_, "supply": [62] * seats + [0] * (5 - seats) + [20],
            "draft": {"deck": [], "open": [None, None], "taken": None},
        }  # fmt: skip
        for player in state["players"]:
            player |= {"chests": 20, "groups": [], "last_pair": None}
            if court:
                player["officers"] = {"supply": 7, "entrance": 0, "hall": 0}
        self.state = state
        self._order = tuple(range(seats))
        self._specials: dict[int, str] = {}
        self._event: int | None = None
        self._favours: tuple[int, ...] = ()

    def province(
        self, key: str, owner: int | None, armies: int = 0, *buildings: str, unrest: int = 0
    ) -> "Board":
        """Sets a province: its owner, armies, buildings and unrest markers."""
        self.state["provinces"][key] = {
            "owner": owner, "armies": armies, "unrest": unrest,
            "castle": "castle" in buildings, "temple": "temple" in buildings, "no": "no" in buildings,
        }  # fmt: skip
        return self

    def player(self, seat: int, **fields: Any) -> "Board":
        """Sets fields of a player: chests, rice, score, kept, ..."""
        self.state["players"][seat] |= fields
        return self

    def officers(self, seat: int, entrance: int = 0, hall: int = 0) -> "Board":
        """Sets where a player's officers are; the rest of the seven is in supply."""
        officers = {"supply": 7 - entrance - hall, "entrance": entrance, "hall": hall}
        return self.player(seat, officers=officers)

    def plan(self, seat: int, **cards: str) -> "Board":
        """Puts cards on spaces: the id of a province, treasure_0 to treasure_4, tower."""
        self.state["players"][seat]["plan"] |= cards
        return self

    def tray(self, *armies: int, farmers: int = 0) -> "Board":
        """Puts cubes into the tray, armies by seat."""
        self.state["tray"] = [*armies, *[0] * (5 - len(armies)), farmers]
        return self

    def tower(self, *shelves: list[int]) -> "Board":
        """Puts cubes into the tower: shelves from above, each a list of seats and FARMER, oldest first."""
        self.state["tower"] = [*shelves, *[[]] * (3 - len(shelves))]
        return self

    def order(self, *seats: int) -> "Board":
        """Sets the turn order; the first has slot 1 and so on."""
        self._order = seats
        return self

    def specials(self, cards: dict[int, str]) -> "Board":
        """Gives special cards to seats; others get cards that do not matter to the action, if there are."""
        self._specials = cards
        return self

    def event(self, event: str | int) -> "Board":
        """Sets the event of the season by effect or number; without this it is one that does not matter."""
        self._event = EVENTS[event] if isinstance(event, str) else event
        return self

    def favours(self, *numbers: int) -> "Board":
        """Lays out favours on the places 4, 3, 2; without this the three highest that nobody keeps."""
        self._favours = numbers
        return self

    def set(self, **fields: Any) -> "Board":
        """Sets fields of the state; after `begin` this overrides what it has filled in."""
        self.state |= fields
        return self

    def begin(self, where: str) -> "Board":
        """Sets where play starts; set owners, events and specials before.

        "season": before the next season is laid out. "plan": seat 0 enters its plan. "bids": all plans are
        closed, the event is not drawn yet; spaces about which nothing was said get the cards that are left.
        "court": the conversions. An action: its card is the first of the season, the other nine follow in
        their canonical order. "clean_up": all is done. "winter": before the rice loss, with the event as the
        card that is left. "score": after the revolts.
        """
        state = self.state
        point = {"plan": {"plan": 0}, "bids": "event"}.get(where, "turn" if where in ACTIONS else where)
        wintry = where in {"winter", "score"}
        state |= {"point": point, "round": "winter" if wintry else state["round"], "decider": 0}
        laid = where not in {"season", "winter", "score"}
        ordered = where not in {"season", "plan", "bids"}
        acting = where in ACTIONS or where == "clean_up"
        if laid:
            first = where if where in ACTIONS else "castle"
            state["action_order"] = [first, *[action for action in ACTIONS if action != first]]
            state["special_on_slot"] = self._slots(first)
            state["action_revealed"] = 10 if where == "clean_up" else 5
        if ordered:
            state["turn_order"] = list(self._order)
            for slot, seat in enumerate(self._order, 1):
                self.player(seat, slot=slot, special=None if wintry else state["special_on_slot"][slot - 1])
        if acting:
            last = where == "clean_up"
            state |= {"place": 10 if last else 0, "turn": self.seats if last else 0}
            for player in state["players"]:
                player["revealed"] = [] if player["plan"]["bid"] == "empty" else ["bid"]
        if where == "bids":
            for seat in range(self.seats):
                self._fill_plan(seat)
        self._fill_events(where, ordered and not wintry)
        self._fill_court(where)
        return self

    def _slots(self, action: str) -> list[str]:
        """Special cards by slot: those given to seats, then those that do not matter to the action."""
        own = {"tax": SPECIALS[:1], "rice": SPECIALS[1:2], "deploy5": SPECIALS[2:3]}
        matter = own.get(action, SPECIALS[3:])
        spare = [card for card in SPECIALS if card not in self._specials.values()]
        spare.sort(key=lambda card: card in matter)
        slots = [self._specials.get(seat) or spare.pop(0) for seat in self._order]
        return slots + spare

    def _fill_plan(self, seat: int) -> None:
        """Covers as many spaces as have to be covered (TW-PLAN-03), treasure cards first, the bid last."""
        plan, said = self.state["players"][seat]["plan"], self.state["players"][seat].get("empty", ())
        owned = [key for key, it in self.state["provinces"].items() if it["owner"] == seat]
        spaces, tower_cards = (14, ["tower"] * 3) if self.state["options"]["court"] else (11, [])
        cards = [f"treasure_{value}" for value in range(5)] + tower_cards + owned
        for card in plan.values():
            if card in cards:
                cards.remove(card)
        bare = [
            space for space in ENTRY[1:spaces] + ENTRY[:1] if plan[space] == "empty" and space not in said
        ]
        plan |= dict(zip(bare, cards, strict=False))
        self.state["players"][seat].pop("empty", None)

    def leave_empty(self, seat: int, *spaces: str) -> "Board":
        """Before `begin("bids")`: these spaces stay empty."""
        return self.player(seat, empty=spaces)

    def _fill_events(self, where: str, in_force: bool) -> None:
        state = self.state
        drawn = SEASONS.index(state["round"]) if state["round"] in SEASONS else 3
        if where == "season":
            drawn = 0 if state["round"] in {"setup", "winter"} else drawn + 1
        drawn += in_force
        matters = where in {"battle_a", "battle_b"}
        event = self._event or (EVENTS["tax_max_5"] if matters else EVENTS["neutral_two_farmers"])
        rest = [card for card in range(1, 13) if card != event]
        if in_force:
            state |= {"event": event, "open_events": rest[: 4 - drawn]}
        else:
            state |= {"event": None, "open_events": sorted([event, *rest][: 4 - drawn])}
        rest = [card for card in rest if card not in state["open_events"]]
        state["event_deck"] = rest[: 12 - 4 * state["year"]]

    def _fill_court(self, where: str) -> None:
        state = self.state
        if not state["options"]["court"]:
            return
        season = SEASONS.index(state["round"]) + 1 if state["round"] in SEASONS else 3
        season = 0 if where == "season" and state["round"] in {"setup", "winter"} else season
        kept = [card for player in state["players"] for card in player["kept"]]
        rest = [card for card in range(21, 0, -1) if card not in kept]
        laid: list[int | None] = [None] * 3
        if where in {"plan", "bids", "court"}:
            laid = [*(self._favours or rest[:3])]
        rest = [card for card in rest if card not in laid]
        deck = rest[: 21 - 3 * (season + 3 * (state["year"] - 1))]
        state["court"] = {"deck": deck, "laid": laid, "order": [], "turn": 0, "taken": None}

    def position(self) -> dict[str, Any]:
        """The position, with supplies to match."""
        state = deepcopy(self.state)
        inside = [cube for shelf in state["tower"] for cube in shelf]
        for seat in [*range(self.seats), FARMER]:
            armies = sum(it["armies"] for it in state["provinces"].values() if it["owner"] == seat)
            there = armies + state["tray"][seat] + inside.count(seat)
            state["supply"][seat] = (20 if seat == FARMER else 62) - there
        return state

    def match(self, dice: list[int] | None = None, seed: int = 1, **setup: Any) -> Match:
        """A match that begins from here; keywords are further setup."""
        setup = {"position": self.position(), "tower_model": GLASS, **setup}
        return Match.create("tower", seats=self.seats, seed=seed, setup=setup, dice=dice)


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
