"""The records of the referee of `tower`, and their comparison with the engine."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

BOARD = tomllib.loads(
    (Path(__file__).parents[2] / "rust" / "tower" / "data" / "tower_boards.toml").read_text("utf-8")
)
FARMER = 5
PRICE = {"castle": 3, "temple": 2, "no": 1}
TILES = {"castle": 28, "temple": 26, "no": 26}
EFFECT = {row["id"]: row["effect"] for row in BOARD["event"]}
LOSS = {row["id"]: row["rice_loss"] for row in BOARD["event"]}
FAVOUR = {row["number"]: row for row in BOARD["favour"]}

Entry = dict[str, Any]


def revolts_of(shortage: int) -> tuple[int, int]:
    """The supply table (TW-WINTER-04)."""
    for row in BOARD["supply_table"]:
        if row["shortage_min"] <= shortage <= row["shortage_max"]:
            return row["revolts"], row["extra_farmers"]
    return 0, 0


class Books:
    """The state of a match as its log describes it."""

    def __init__(self, state: Entry) -> None:
        """Takes the options from `state`; everything else comes from the log."""
        options = state["options"]
        self.options = options
        self.n = options["seats"]
        rows = BOARD[options["side"]]["province"]
        left_out = set(BOARD[options["side"]]["left_out_with_three"]) if self.n == 3 else set()
        self.map = {row["id"]: row for row in rows if row["id"] not in left_out}
        self.next = {
            key: {other for other in row["land"] + row["sea"] if other in self.map}
            for key, row in self.map.items()
        }
        self.owner: dict[str, int | None] = dict.fromkeys(self.map)
        self.armies: Counter[str] = Counter()
        self.buildings: dict[str, set[str]] = {key: set() for key in self.map}
        self.unrest: Counter[str] = Counter()
        self.supply = [62 if seat < self.n else 0 for seat in range(5)] + [20]
        self.tray, self.tower = [0] * 6, [0] * 6
        self.chests, self.rice, self.score = ([0] * self.n for _ in range(3))
        self.officers = [{"supply": 7 * options["court"], "entrance": 0, "hall": 0} for _ in range(self.n)]
        self.kept: list[set[int]] = [set() for _ in range(self.n)]
        self.plan: list[dict[str, str]] = [{} for _ in range(self.n)]
        self.slot, self.special = [0] * self.n, [""] * self.n
        self.order: list[int] = []
        self.open: set[int] = set()
        self.event: int | None = None
        self.removed = False
        self.laid: list[int | None] = []
        self.taken: int | None = None
        self.actions: list[str] = []
        self.place, self.turn = 0, -1
        self.battle: Entry = {}
        self.extra: int = 0
        self.pending: list[str] = []
        self.year, self.round = 1, "setup"

    @property
    def effect(self) -> str:
        """The effect of the event of the season."""
        return EFFECT[self.event] if self.event is not None and not self.removed else ""

    def owned(self, seat: int) -> list[str]:
        """The provinces of a player."""
        return [key for key, owner in self.owner.items() if owner == seat]

    def tiles(self, kind: str) -> int:
        """Tiles in supply."""
        return TILES[kind] - sum(kind in built for built in self.buildings.values())

    def read(self, entry: Entry) -> None:
        """Checks an entry of the log and records it."""
        name = "unrest_changed" if entry["event"] == "unrest" else entry["event"]
        getattr(self, name)(**{field: value for field, value in entry.items() if field != "event"})

    def compare(self, state: Entry) -> None:
        """Asserts that the recorded state equals the state of the engine."""
        assert set(state["provinces"]) == set(self.map)
        for key, province in state["provinces"].items():
            built = {kind for kind in PRICE if province[kind]}
            shown = (province["owner"], province["armies"], built, province["unrest"])
            assert shown == (self.owner[key], self.armies[key], self.buildings[key], self.unrest[key]), key
        waiting = [sum(player["groups"]) for player in state["players"]] + [0] * (6 - self.n)
        assert [sum(both) for both in zip(state["supply"], waiting, strict=True)] == self.supply
        assert (state["tray"], state["inside"]) == (self.tray, self.tower)
        for seat, player in enumerate(state["players"]):
            assert (player["chests"], player["rice"], player["score"]) == (
                self.chests[seat],
                self.rice[seat],
                self.score[seat],
            )
            assert player["officers"] == self.officers[seat]
            assert set(player["kept"]) == self.kept[seat]
            assert player["slot"] == self.slot[seat]
        assert (state["year"], state["round"]) == (self.year, self.round)
        assert (state["event"], set(state["open_events"])) == (self.event, self.open)
        assert state["event_removed"] == self.removed

    def take(self, colour: int, count: int) -> int:
        """Takes at most `count` cubes out of the supply and returns how many."""
        taken = min(count, self.supply[colour])
        self.supply[colour] -= taken
        return taken
