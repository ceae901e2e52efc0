"""Positions of the game with the cube tower.

>>> from sengoku.tower import GLASS, PositionBuilder
>>> builder = PositionBuilder(3).province("settsu", 0, 2, unrest=1).plan(0, tax="settsu").event("tax_max_5")
>>> match = builder.specials({0: "chest_plus_1"}).begin("tax").match(tower_model=GLASS)
>>> match.state()["round"], match.to_act
('summer', 0)
"""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any, ClassVar, Self

from sengoku.engine.match import Match
from sengoku.engine.positions.builder import Builder, one_of
from sengoku.errors import SetupError

__all__ = ["ACTIONS", "ENTRY", "EVENTS", "GLASS", "SPECIALS", "PositionBuilder"]

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
"""The colour of farmers, behind those of seats."""
_ARMIES, _FARMERS = 62, 20
_WHERE = ("season", "plan", "bids", "court", "clean_up", "winter", "score")
GLASS = {"shelves": [{"capacity": 1, "stick_per_mille": 1, "dislodge": 65535, "burst": 0}] * 2}
"""A tower model that lets nearly everything through: a cube stays with a chance of 0.1 %."""


@cache
def _drafting(seats: int, court: bool, side: str) -> dict[str, Any]:
    """A match that has just begun; every province is still neutral."""
    setup = {"court": court, "side": side, "mode": "draft"}
    return Match.create("tower", seats=seats, seed=1, setup=setup).state()


class PositionBuilder(Builder):
    """A position of `tower` under construction.

    It begins with all provinces neutral, 20 chests for everybody, the tower and the tray empty. `begin` says
    where play starts; supplies, decks of event and favour cards, slots and special cards follow from the
    rest. The match then runs by itself up to its first decision. `state` is the position so far, as
    `Match.state` returns it.
    """

    game: ClassVar[str] = "tower"

    def __init__(
        self, seats: int = 3, *, court: bool = False, side: str = "sun", year: int = 1, round_: str = "spring"
    ) -> None:
        """Begin with the usual position on a side of the board, in a round of a year."""
        one_of("round_", round_, (*SEASONS, "setup", "winter"))
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
        self.state: dict[str, Any] = state
        self._order = tuple(range(seats))
        self._specials: Mapping[int, str] = {}
        self._event: int | None = None
        self._favours: tuple[int, ...] = ()

    def province(
        self, key: str, owner: int | None, armies: int = 0, *buildings: str, unrest: int = 0
    ) -> Self:
        """Set a province: its owner, armies, buildings and unrest markers."""
        self._check_province(key)
        one_of("owner", owner, (None, *range(self.seats)))
        for building in buildings:
            one_of("building", building, ("castle", "temple", "no"))
        self.state["provinces"][key] = {
            "owner": owner, "armies": armies, "unrest": unrest,
            "castle": "castle" in buildings, "temple": "temple" in buildings, "no": "no" in buildings,
        }  # fmt: skip
        return self

    def player(self, seat: int, **fields: Any) -> Self:
        """Set fields of a player: chests, rice, score, kept and the like, as in `Match.state`."""
        one_of("seat", seat, range(self.seats))
        self.state["players"][seat] |= fields
        return self

    def officers(self, seat: int, entrance: int = 0, hall: int = 0) -> Self:
        """Set where a player's officers are; the rest of the seven is in supply."""
        officers = {"supply": 7 - entrance - hall, "entrance": entrance, "hall": hall}
        return self.player(seat, officers=officers)

    def plan(self, seat: int, **cards: str) -> Self:
        """Put cards on spaces: the key of a province, treasure_0 to treasure_4, tower."""
        one_of("seat", seat, range(self.seats))
        for space in cards:
            one_of("space", space, self.state["players"][seat]["plan"])
        self.state["players"][seat]["plan"] |= cards
        return self

    def tray(self, *armies: int, farmers: int = 0) -> Self:
        """Put cubes into the tray, armies by seat."""
        self.state["tray"] = [*armies, *[0] * (5 - len(armies)), farmers]
        return self

    def tower(self, *shelves: list[int]) -> Self:
        """Put cubes into the tower: shelves from above, each a list of seats and FARMER, oldest first."""
        self.state["tower"] = [*shelves, *[[]] * (3 - len(shelves))]
        return self

    def order(self, *seats: int) -> Self:
        """Set the turn order; the first has slot 1 and so on."""
        if sorted(seats) != list(range(self.seats)):
            raise SetupError(f"order: {seats} does not have every seat once", {"field": "order"})
        self._order = seats
        return self

    def specials(self, cards: Mapping[int, str]) -> Self:
        """Give special cards to seats; others get cards that do not matter to the action, if there are."""
        for seat, card in cards.items():
            one_of("seat", seat, range(self.seats))
            one_of("special", card, SPECIALS)
        self._specials = cards
        return self

    def event(self, event: str | int) -> Self:
        """Set the event of the season by effect or number; without this it is one that does not matter."""
        one_of("event", event, (*EVENTS, *range(1, 13)))
        self._event = EVENTS[event] if isinstance(event, str) else event
        return self

    def favours(self, *numbers: int) -> Self:
        """Lay out favours on the places 4, 3, 2; without this the three highest that nobody keeps."""
        self._favours = numbers
        return self

    def _check_province(self, key: str) -> None:
        one_of("province", key, self.state["provinces"])

    def set(self, **fields: Any) -> Self:
        """Set fields of the state; after `begin` this overrides what it has filled in."""
        self.state |= fields
        return self

    def begin(self, where: str) -> Self:
        """Set where play starts; set owners, events and specials before.

        "season": before the next season is laid out. "plan": seat 0 enters its plan. "bids": all plans are
        closed, the event is not drawn yet; spaces about which nothing was said get the cards that are left.
        "court": the conversions. An action: its card is the first of the season, the other nine follow in
        their canonical order. "clean_up": all is done. "winter": before the rice loss, with the event as the
        card that is left. "score": after the revolts.
        """
        one_of("where", where, (*_WHERE, *ACTIONS))
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
        """Cover as many spaces as have to be covered (TW-PLAN-03), treasure cards first, the bid last."""
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

    def leave_empty(self, seat: int, *spaces: str) -> Self:
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
        """Return the position with supplies to match; raise `SetupError` if there are too few cubes."""
        state = deepcopy(self.state)
        inside = [cube for shelf in state["tower"] for cube in shelf]
        for seat in [*range(self.seats), FARMER]:
            armies = sum(it["armies"] for it in state["provinces"].values() if it["owner"] == seat)
            there = armies + state["tray"][seat] + inside.count(seat)
            cubes = _FARMERS if seat == FARMER else _ARMIES
            if there > cubes:
                owner = "farmers" if seat == FARMER else f"armies of seat {seat}"
                details = {"field": f"supply[{seat}]", "value": str(there), "limit": str(cubes)}
                raise SetupError(f"supply[{seat}]: {there} {owner} are in play, there are {cubes}", details)
            state["supply"][seat] = cubes - there
        return state

    def setup(self, **options: Any) -> dict[str, Any]:
        """Return the setup of a match that begins from here, with further options."""
        return {"position": self.position(), **options}
