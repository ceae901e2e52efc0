"""Positions of the tactical battles.

A position is at the start of a turn. Pieces are written as in deployments, `SSp@5,5` for a unit in row 5,
place 5, with its blocks (`SSp:2@5,5`), its leader (`SSp+LF@5,5`) and his name (`SSp+LF(Taro)@5,5`);
`LM@4,4` is a lone leader, `LF*@4,4` one who was the commander, `AC+BG:3@0,5` a commander with three
bodyguards in his tent.

>>> from sengoku.battles import PositionBuilder
>>> builder = PositionBuilder(active="bottom", terrain={"4,5": "FOREST"}).top("ASp@4,5").bottom("SSp@6,5")
>>> match = builder.match(dice="TX")
>>> [unit["hex"] for unit in match.state()["units"]], match.dice_left
(['4,5', '6,5'], 2)
"""

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache
from typing import Any, ClassVar, Self

from sengoku.engine.positions.builder import Builder, one_of
from sengoku.errors import SetupError

__all__ = ["HAND", "SIDES", "TILES", "PositionBuilder", "Side", "hexes"]

Side = str
"""`top` or `bottom`."""
SIDES = ("top", "bottom")
HAND = ("C-ADV-L", "C-ADV-C", "C-ADV-R", "C-GEESE", "C-SNAKE")
"""The command cards of a side that is given no other ones; they can order five pieces of any section."""
TILES = {
    "OPEN": ".", "FOREST": "f", "HILL": "h", "RIVER": "r", "FORD": "d", "SHALLOW": "d", "BRIDGE": "b",
    "BUILDINGS": "B", "FIELDS": "c", "GORGE": "g", "TENT": "t", "FENCE": "#", "PALISADE": "#", "CASTLE": "C",
}  # fmt: skip
"""The characters of the terrain of BT-TERRAIN-02 on the map of a scenario file."""
_PIECE = re.compile(
    r"(?:(?P<commander>AC\+)?(?P<unit>SSpC|SBC|SSp|SB|ASp|AB|AA|LI|BG)(?::(?P<blocks>\d))?)?"
    r"\+?(?:(?P<leader>LF|LM|AC)(?P<former>\*)?(?:\((?P<name>[^)]+)\))?)?@(?P<hex>\d+,\d+)"
)


def hexes(row: int) -> list[str]:
    """Return the hexes of a row."""
    return [f"{row},{place}" for place in range(12 - row % 2)]


_HEXES = frozenset(place for row in range(11) for place in hexes(row))


class PositionBuilder(Builder):
    """A position of `battles` under construction, at the start of the turn of `active`: an empty open board.

    `terrain` is by hex, `tents` by side, `rules` are terrain rules of the scenario (what they make of RIVER,
    of FORD as a ford tile, of FENCE), `header` and `deployment` anything else of a scenario file. With
    `scenario` the board is that of one of the forty battles, with its deployment unless pieces are placed.
    Cards that nobody is given are in the decks.
    """

    game: ClassVar[str] = "battles"
    seats = 2

    def __init__(
        self,
        *,
        active: Side = "top",
        terrain: Mapping[str, str] | None = None,
        tents: Mapping[Side, str] | None = None,
        scenario: int | None = None,
        banners_to_win: int = 5,
        rules: Mapping[str, Any] | None = None,
        header: Mapping[str, Any] | None = None,
        deployment: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin with the usual position; hands are `HAND`, honor is 5, and there are no dragon cards."""
        one_of("active", active, SIDES)
        terrain = {hex_: str(name).upper() for hex_, name in (terrain or {}).items()}
        for name in terrain.values():
            one_of("terrain", name, TILES)
        for hex_ in (*terrain, *(tents or {}).values()):
            _check_hex(hex_)
        for side in tents or {}:
            one_of("tents", side, SIDES)
        self.scenario = scenario
        self.banners_to_win = banners_to_win
        self.terrain = terrain
        self.tents = dict(tents or {})
        self.rules, self.header, self.deployment = (
            dict(rules or {}),
            dict(header or {}),
            dict(deployment or {}),
        )
        self.names: dict[Side, list[str]] = {"top": [], "bottom": []}
        self._options: dict[str, Any] = {}
        self.state: dict[str, Any] = {
            "active": active,
            "command": {"deck": [], "hands": {"top": list(HAND), "bottom": list(HAND)}},
            "dragon": {"deck": [], "hands": {"top": [], "bottom": []}},
            "honor": {"top": 5, "bottom": 5},
        }
        if scenario is None:
            self.state |= {"units": [], "leaders": [], "first": "top", "round": 2}

    def top(self, *pieces: str) -> Self:
        """Place pieces of the top army."""
        return self.pieces("top", *pieces)

    def bottom(self, *pieces: str) -> Self:
        """Place pieces of the bottom army."""
        return self.pieces("bottom", *pieces)

    def pieces(self, side: Side, *pieces: str) -> Self:
        """Place pieces of an army."""
        one_of("side", side, SIDES)
        units = self.state.setdefault("units", [])
        leaders = self.state.setdefault("leaders", [])
        for text in pieces:
            found = _PIECE.fullmatch(text)
            if found is None or not (found["unit"] or found["leader"]):
                details = {"field": "piece", "value": text[:60]}
                raise SetupError(f"piece is {text[:60]!r}: must be like SSp@5,5 or SSp:2+LF@5,5", details)
            _check_hex(found["hex"])
            unit, blocks, hex_, name = found["unit"], int(found["blocks"] or 4), found["hex"], found["name"]
            leader = "AC" if found["commander"] else found["leader"]
            if unit:
                units.append({"unit": unit, "side": side, "hex": hex_, "blocks": blocks})
            if leader:
                row = {"leader": leader, "side": side, "hex": hex_}
                if found["former"]:
                    row["was_commander"] = True
                if name:
                    row["name"] = name
                    self.names[side].append(name)
                leaders.append(row)
        return self

    def hand(self, side: Side, *cards: str) -> Self:
        """Set the command cards of a side, the oldest first."""
        one_of("side", side, SIDES)
        self.state["command"]["hands"][side] = list(cards)
        return self

    def dragons(self, side: Side, *cards: str) -> Self:
        """Set the dragon cards of a side, the oldest first."""
        one_of("side", side, SIDES)
        self.state["dragon"]["hands"][side] = list(cards)
        return self

    def deck(self, *cards: str) -> Self:
        """Set the cards that will be drawn, the next one first; both kinds of cards may be mixed."""
        for pile, own in self._by_pile(cards):
            self.state[pile]["deck"] = own[::-1]
        return self

    def discards(self, *cards: str) -> Self:
        """Set the discard piles, the oldest card first; both kinds of cards may be mixed."""
        for pile, own in self._by_pile(cards):
            self.state[pile]["discards"] = own
        return self

    @staticmethod
    def _by_pile(cards: Iterable[str]) -> list[tuple[str, list[str]]]:
        cards = list(cards)
        for card in cards:
            one_of("card", card[:1], ("C", "D"))
        return [
            (pile, [card for card in cards if card[0] == pile[0].upper()]) for pile in ("command", "dragon")
        ]

    def honor(self, **sides: int) -> Self:
        """Set the honor of a side; it is 5 otherwise."""
        self.state["honor"] |= sides
        return self

    def banners(self, **sides: int) -> Self:
        """Set the banners that a side has already."""
        self.state.setdefault("banners", {}).update(sides)
        return self

    def last(self, side: Side, card: str, left: int = 0, center: int = 0, right: int = 0) -> Self:
        """Set the effective command card of a side's last turn, a section card with its slots."""
        self.state.setdefault("last", {})[side] = {"card": card, "slots": [left, center, right]}
        return self

    def set(self, **fields: Any) -> Self:
        """Set any fields of the position, as in `Match.state`."""
        self.state |= fields
        return self

    def options(self, **setup: Any) -> Self:
        """Set fields of the setup beside the position, as `max_rounds`."""
        self._options |= setup
        return self

    def text(self) -> str:
        """Return the board as a scenario file. Its armies are only there because a file must have some."""
        rules = dict(self.rules)
        used = set(self.terrain.values())
        if {"FORD", "SHALLOW"} <= used:
            if "RIVER" in used:
                raise _mixed("RIVER", "with FORD and SHALLOW the river itself is fordable")
            rules["river_fordable"] = True
        elif "SHALLOW" in used:
            rules["ford_tiles"] = "shallow"
        if "PALISADE" in used:
            if "FENCE" in used:
                raise _mixed("FENCE", "on one map all fences are palisades or none is")
            rules["fences_are_palisades"] = True
        tiles = {hex_: TILES[name] for hex_, name in self.terrain.items()}
        if {"FORD", "SHALLOW"} <= used:
            tiles |= {hex_: "r" for hex_, name in self.terrain.items() if name == "FORD"}
        tiles |= dict.fromkeys(self.tents.values(), "t")
        bars = {"r", "t"} | ({"h"} if rules.get("hills_impassable") else set())
        bars |= {"B"} if rules.get("buildings_impassable") else set()
        return _scenario(
            tuple(sorted(tiles.items())),
            tuple(sorted(bars)),
            self.banners_to_win,
            tuple(tuple(self.names[side]) for side in SIDES),
            _toml({"terrain_rules": rules} | self.header),
            _toml({"tents": {side: _place(hex_) for side, hex_ in self.tents.items()}} | self.deployment),
        )

    def position(self) -> dict[str, Any]:
        """Return the position."""
        return deepcopy(self.state)

    def setup(self, **options: Any) -> dict[str, Any]:
        """Return the setup of a match that begins from here, with further options."""
        battle = {"scenario_text": self.text()} if self.scenario is None else {"scenario": self.scenario}
        return {**battle, **self._options, **options, "position": self.position()}


def _check_hex(hex_: str) -> None:
    if hex_ not in _HEXES:
        details = {"field": "hex", "value": str(hex_)[:60]}
        message = f"hex is {str(hex_)[:60]!r}, which is off the board: must be row,place, like 5,5"
        raise SetupError(message, details)


def _mixed(name: str, reason: str) -> SetupError:
    return SetupError(f"terrain: {reason}, so {name} is not possible", {"field": "terrain", "value": name})


def _place(hex_: str) -> list[int]:
    return [int(part) for part in hex_.split(",")]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(entry) for entry in value) + "]"
    return str(value)


def _toml(table: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_value(entry)}\n" for key, entry in table.items())


@cache
def _scenario(
    tiles: tuple[tuple[str, str], ...],
    bars: tuple[str, ...],
    banners_to_win: int,
    names: tuple[tuple[str, ...], ...],
    header: str,
    deployment: str,
) -> str:
    """Return a scenario file with units in the rear that nobody will see."""
    tile = dict(tiles)
    kinds = ["ASp"] * 8 + ["SSp"] * 5 + ["AB"] * 4 + ["SB"] * 3
    armies = []
    for rear, named in zip((range(3), range(10, 7, -1)), names, strict=True):
        free = [hex_ for row in rear for hex_ in hexes(row) if tile.get(hex_, ".") not in bars]
        units = kinds[: max(4, banners_to_win, len(named))]
        leaders = [f"+LF({name})" for name in named] + [""] * len(units)
        armies.append(
            [f"{unit}{leader}@{at}" for unit, leader, at in zip(units, leaders, free, strict=False)]
        )
    rows = ["".join(tile.get(hex_, ".") for hex_ in hexes(row)) for row in range(11)]
    army = "{ name = %s, command_cards = 5, dragon_cards = 3, honor = 5 }"
    return (
        f'name = "Test"\nflags_to_win = {banners_to_win}\n'
        f"top = {army % _value('Red')}\nbottom = {army % _value('Blue')}\n"
        f'first_player = "top"\n{header}\n[deployment]\nbasis = "test"\nnarrative = "Test."\n'
        f"terrain = {_value(rows)}\ntop = {_value(armies[0])}\nbottom = {_value(armies[1])}\n{deployment}"
    )
