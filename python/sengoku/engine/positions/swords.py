"""Positions of the strategic game.

>>> from sengoku.swords import PositionBuilder
>>> builder = PositionBuilder(3, phase="b").province("hizen", 0, spear=2).province("chikuzen", 1, spear=1)
>>> match = builder.match(dice=[9, 2])
>>> sorted({str(action.args.get("province")) for action in match.legal_actions()})
['None', 'hizen']
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, ClassVar, Self

from sengoku.engine.match import Match
from sengoku.engine.positions.builder import Builder, one_of
from sengoku.errors import SetupError

__all__ = ["BOXES", "HOMES", "LEVIED", "PHASES", "PositionBuilder"]

HOMES = ("tsushima", "oki", "sado", "osumi", "awa_honshu")
"""Where the army of each clan stands that keeps it in play, unless others are named."""
PHASES = {"a": "choose_army", "b": "declare", "c": "choose_battle", "d": "choose_army"}
"""Phases of a war turn, with the point at which each begins; any other point can be named instead."""
BOXES = ("swords", "build", "levy", "ronin", "ninja")
"""The boxes of a plan in the order of the actions they pay for."""
LEVIED = ("bow", "gun", "sword", "spear")
"""Units that are levied, which have a tray."""
_UNITS = ("daimyo", *LEVIED, "ronin")
_FORTS = ("none", "castle", "fortress")
_CASTLES, _BASES, _RONIN = 10, 5, 25
_SPEARS, _OTHERS = 36, 9
"""Figures of each kind in the box, for each colour of a clan."""


class PositionBuilder(Builder):
    """A position of `swords` under construction.

    It begins with army 3 of every clan (a daimyo and a spearman) in a province of its own in a corner of the
    map, all other provinces empty, in Phase A of the war turn of clan 0 in round 2. Trays and the pool follow
    from what is on the board. `state` is the position so far, as `Match.state` returns it.
    """

    game: ClassVar[str] = "swords"

    def __init__(
        self,
        seats: int = 3,
        *,
        active: int = 0,
        phase: str = "a",
        round_: int = 2,
        homes: bool | Sequence[str] = True,
        setup: dict[str, Any] | None = None,
    ) -> None:
        """Begin with the usual position; `homes` names other corners, or False for none.

        `setup` are options of the game, such as a map.
        """
        self.seats = seats
        self._options = dict(setup or {})
        clans = 4 if seats == 2 else seats
        # With two seats the position is laid out as for three, and brought to four clans.
        state = Match.create("swords", seats=3 if seats == 2 else seats, seed=1, setup=self._options).state()
        state["options"]["seats"] = seats
        while len(state["clans"]) < clans:
            state["clans"].append(deepcopy(state["clans"][0]))
        for province in state["provinces"].values():
            province |= {"owner": None, "fort": "none", "units": {}, "hidden": 0}
        for number, clan in enumerate(state["clans"]):
            clan |= {"colours": 1, "koku": 0, "sword": number + 1, "armies": [{}, {}, {}]}
        self.state: dict[str, Any] = state
        one_of("active", active, range(clans))
        state |= {
            "round": round_, "active": active, "decider": active, "turn": active + 1,
            "phase": phase, "point": PHASES.get(phase, phase),
        }  # fmt: skip
        corners = HOMES if homes is True else homes or ()
        for clan, place in enumerate(corners[:clans]):
            self.army(clan, 3, place, spear=1)

    def province(
        self, key: str, owner: int | None, fort: str = "none", hidden: int = 0, **units: int
    ) -> Self:
        """Set a province: its owner, building, provincial force and hidden ronin."""
        one_of("province", key, self.state["provinces"])
        one_of("owner", owner, (None, *range(len(self.state["clans"]))))
        one_of("fort", fort, _FORTS)
        for unit in units:
            one_of("unit", unit, _UNITS)
        self.state["provinces"][key] |= {"owner": owner, "fort": fort, "hidden": hidden, "units": units}
        return self

    def army(
        self, clan: int, number: int, place: str, *, hole: int = 0, daimyo: int = 1, **units: int
    ) -> Self:
        """Put an army into a province, which becomes its clan's; `daimyo=0` makes it disrupted."""
        one_of("clan", clan, range(len(self.state["clans"])))
        one_of("army", number, (1, 2, 3))
        one_of("province", place, self.state["provinces"])
        for unit in units:
            one_of("unit", unit, _UNITS)
        self.state["clans"][clan]["armies"][number - 1] = {
            "province": place,
            "hole": hole,
            "units": {"daimyo": daimyo, **units},
            "disrupted": daimyo == 0,
        }
        self.state["provinces"][place]["owner"] = clan
        return self

    def clan(self, number: int, **fields: Any) -> Self:
        """Set fields of a clan: koku, sword, colours, plan and the like, as in `Match.state`."""
        one_of("clan", number, range(len(self.state["clans"])))
        self.state["clans"][number] |= fields
        return self

    def set(self, **fields: Any) -> Self:
        """Set fields of the position, as in `Match.state`."""
        self.state |= fields
        return self

    def begin(self, action: str, *plans: dict[str, int]) -> Self:
        """Begin the round at "plan" or at one of its `BOXES`, with the plans that the clans have revealed."""
        one_of("action", action, ("plan", *BOXES))
        points: dict[str, Any] = {"plan": {"plan": "swords"}, "levy": {"buy": 0}, "ronin": {"levy": 0}}
        self.set(point=points.get(action, action), phase="none", turn=0)
        unspent = BOXES[BOXES.index(action) :] if action in BOXES else BOXES
        for number, plan in enumerate(plans):
            for box in plan:
                one_of("box", box, BOXES)
            koku = sum(plan.get(box, 0) for box in unspent if box != action or action == "ronin")
            if action == "plan":
                self.clan(number, koku=sum(plan.values()))
            else:
                self.clan(number, plan={box: plan.get(box, 0) for box in BOXES}, koku=koku, committed=True)
        if action in {"plan", "swords"}:
            for clan in self.state["clans"]:
                clan["sword"] = 0
        return self

    def fill(self, clan: int, count: int, *avoid: str) -> Self:
        """Give a clan empty provinces but those to avoid, a spearman in each, until it owns `count`."""
        provinces = self.state["provinces"]
        free = [key for key, province in provinces.items() if province["owner"] is None and key not in avoid]
        owned = sum(province["owner"] == clan for province in provinces.values())
        for key in free[: max(0, count - owned)]:
            self.province(key, clan, spear=1)
        return self

    def position(self) -> dict[str, Any]:
        """Return the position with trays and pool to match; raise `SetupError` if the box has too few."""
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
                figures = clan["colours"] * (_SPEARS if unit == "spear" else _OTHERS)
                used = sum(units.get(unit, 0) for units in forces)
                clan["tray"][unit] = _left(f"clans[{number}].tray.{unit}", figures, used)
            ronin += sum(units.get("ronin", 0) for units in forces) + clan["hired"]
        forts = [province["fort"] for province in provinces]
        ronin += sum(province["hidden"] for province in provinces)
        built = forts.count("castle") + forts.count("fortress")
        state["pool"] = {
            "castles": _left("pool.castles", _CASTLES, built),
            "bases": _left("pool.bases", _BASES, forts.count("fortress")),
            "ronin": _left("pool.ronin", _RONIN, ronin),
        }
        return state

    def setup(self, **options: Any) -> dict[str, Any]:
        """Return the setup of a match that begins from here, with further options."""
        return {**self._options, "position": self.position(), **options}


def _left(field: str, figures: int, used: int) -> int:
    if used > figures:
        details = {"field": field, "value": str(used), "limit": str(figures)}
        raise SetupError(f"{field}: {used} are on the board, the box has {figures}", details)
    return figures - used
