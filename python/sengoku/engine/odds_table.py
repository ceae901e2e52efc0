"""Odds over a whole grid of forces: how many are needed to win, as arrays and as a heat map."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from operator import index
from typing import Any, Protocol, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku.engine.pictures import Picture
from sengoku.engine.svg import escaped
from sengoku.errors import ArgumentError

MAX_CELLS = 10_000
"""Most cells of a table."""
DEFAULT_SIZES = range(1, 11)
"""Sizes that a table has if none are given."""

Sizes = Iterable[SupportsIndex]


class OddsServer(Protocol):
    """What computes the odds of many fights elsewhere: a `Client`."""

    def batch_odds(self, battles: Iterable[Any], /, **options: Any) -> Any:
        """Return the odds of many fights, one row each."""


@dataclass(frozen=True, eq=False)
class OddsTable:
    """Odds by the size of the attack (rows) and of the defence (columns)."""

    title: str
    chance_label: str
    """The event whose chance is asked for."""
    attacker_label: str
    defender_label: str
    attackers: npt.NDArray[np.int64]
    """What a row is: numbers of attacking armies, units or dice."""
    defenders: npt.NDArray[np.int64]
    """What a column is."""
    chance: npt.NDArray[np.float64]
    """Probability of the event, rows by attackers, columns by defenders."""
    standard_error: npt.NDArray[np.float64]
    """Its standard error; 0 where the cell is exact."""
    odds: dict[str, npt.NDArray[np.float64]]
    """All probabilities and means of the game's `BatchOdds`, in the same shape."""

    def needed(self, chance: float) -> dict[int, int | None]:
        """Return by defenders the fewest attackers with at least this chance; None if the table has none."""
        if not (isinstance(chance, int | float) and 0 < chance <= 1):
            details = {"field": "chance", "value": str(chance)}
            raise ArgumentError(f"chance is {chance}: must be above 0 and at most 1", details)
        needed: dict[int, int | None] = {}
        for column, defenders in enumerate(self.defenders.tolist()):
            enough = np.flatnonzero(self.chance[:, column] >= chance)
            needed[defenders] = int(self.attackers[enough].min()) if len(enough) else None
        return needed

    def describe(self) -> dict[str, Any]:
        """Return the table as plain values, ready for JSON."""
        return {
            "title": self.title,
            "chance": self.chance_label,
            "rows": self.attacker_label,
            "columns": self.defender_label,
            "attackers": self.attackers.tolist(),
            "defenders": self.defenders.tolist(),
            "probability": self.chance.tolist(),
            "standard_error": self.standard_error.tolist(),
            "odds": {name: values.tolist() for name, values in self.odds.items()},
        }

    def picture(self) -> Picture:
        """Draw the table as a heat map, readable on light and on dark pages."""
        return Picture(_heat_map(self))

    def _repr_svg_(self) -> str:
        return self.picture()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OddsTable) and self.describe() == other.describe()

    __hash__ = None  # type: ignore[assignment]


def sizes(field: str, values: Sizes) -> list[int]:
    """Read the sizes of one side: whole numbers, each once, in ascending order."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{field} must be a range or a list of numbers, not {type(values).__name__}")
    numbers = sorted({index(value) for value in values})
    if not numbers:
        raise ArgumentError(f"{field} is empty: give at least one number", {"field": field, "value": "[]"})
    if numbers[0] < 0:
        details = {"field": field, "value": str(numbers[0])}
        raise ArgumentError(f"{field} has {numbers[0]}: must be 0 or more", details)
    return numbers


def evaluate(
    question: Callable[[int, int], Any],
    batch_odds: Callable[..., Any],
    options: Any,
    *,
    client: OddsServer | None = None,
    attackers: Sizes,
    defenders: Sizes,
    chance: str,
    **words: str,
) -> OddsTable:
    """Compute a table: `question` makes the fight of a cell, `chance` names the probability asked for.

    With a `client` its server computes all cells, in one call.
    """
    rows, columns = sizes("attackers", attackers), sizes("defenders", defenders)
    if len(rows) * len(columns) > MAX_CELLS:
        count = len(rows) * len(columns)
        details = {"field": "attackers", "value": str(len(rows)), "limit": str(MAX_CELLS)}
        raise ArgumentError(f"the table has {count} cells, at most {MAX_CELLS} are possible", details)
    cells = [question(attack, defence) for attack in rows for defence in columns]
    batch = (batch_odds if client is None else client.batch_odds)(cells, **options)
    if isawaitable(batch):
        batch.close()  # type: ignore[attr-defined]
        details = {"field": "client", "value": type(client).__name__}
        raise ArgumentError("client must be a Client, whose calls return answers", details)
    shape = (len(rows), len(columns))
    odds = {
        name: values.reshape(shape)
        for name in batch.__dataclass_fields__
        if (values := getattr(batch, name)).ndim == 1 and name not in ("samples", "standard_error")
    }
    return OddsTable(
        attackers=np.array(rows),
        defenders=np.array(columns),
        chance=odds[chance],
        standard_error=batch.standard_error.reshape(shape),
        odds=odds,
        **words,
    )


# From a loss over even odds to a win; blue and orange are told apart by all.
_COLOURS = ((178, 88, 6), (241, 163, 64), (247, 235, 214), (222, 231, 241), (103, 169, 207), (33, 102, 172))
_CELL, _LEFT, _TOP, _MARGIN = 44, 74, 78, 16
_STYLE = """<style>
.odds-page { fill: #ffffff } .odds-ink { fill: #1f2328 } .odds-soft { fill: #59636e }
@media (prefers-color-scheme: dark) {
.odds-page { fill: #0d1117 } .odds-ink { fill: #e6edf3 } .odds-soft { fill: #9198a1 } }
</style>"""


def _colour(chance: float) -> tuple[int, int, int]:
    """Return the colour of a chance, between the colours of the scale."""
    place = min(max(chance, 0.0), 1.0) * (len(_COLOURS) - 1)
    low = min(int(place), len(_COLOURS) - 2)
    part = place - low
    red, green, blue = (
        round(a + part * (b - a)) for a, b in zip(_COLOURS[low], _COLOURS[low + 1], strict=True)
    )
    return red, green, blue


def _ink(colour: Sequence[int]) -> str:
    """Return black or white, whichever has the better contrast on a colour."""

    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)

    red, green, blue = map(linear, colour)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "#ffffff"


def _text(x: float, y: float, words: object, size: int, style: str, more: str = "") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" dy="0.35em" font-size="{size}" {style}{more}>{escaped(str(words))}</text>'
    )


def _percent(chance: float) -> str:
    """Return a chance as whole percent; what is not certain is not called certain."""
    percent = round(100 * chance)
    if percent == 100 and chance < 1 - 1e-9:
        return ">99"
    if percent == 0 and chance > 1e-9:
        return "<1"
    return str(percent)


def _heat_map(table: OddsTable) -> str:
    """Draw a table: a cell for each pair of sizes, its chance in percent, and the scale."""
    rows, columns = table.chance.shape
    wide, high = columns * _CELL, rows * _CELL
    width = max(_LEFT + wide + _MARGIN, 320, _MARGIN * 2 + math.ceil(7.4 * len(table.title)))
    height = _TOP + high + 62
    middle = _LEFT + wide / 2
    ink, soft = 'class="odds-ink"', 'class="odds-soft"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="system-ui, sans-serif" text-anchor="middle" role="img"'
        f' aria-label="{escaped(table.title)}">',
        _STYLE,
        f'<rect class="odds-page" width="{width}" height="{height}"/>',
        _text(_MARGIN, 22, table.title, 14, ink, ' text-anchor="start" font-weight="600"'),
        _text(middle, 46, table.defender_label, 12, soft),
        _text(20, _TOP + high / 2, table.attacker_label, 12, soft,
              f' transform="rotate(-90 20 {_TOP + high / 2:g})"'),
    ]  # fmt: skip
    for column, size in enumerate(table.defenders.tolist()):
        parts.append(_text(_LEFT + (column + 0.5) * _CELL, _TOP - 12, size, 13, ink))
    for row, size in enumerate(table.attackers.tolist()):
        y = _TOP + row * _CELL
        parts.append(_text(_LEFT - 16, y + _CELL / 2, size, 13, ink))
        for column in range(columns):
            chance = float(table.chance[row, column])
            colour = _colour(chance)
            x = _LEFT + column * _CELL
            fill = "#{:02x}{:02x}{:02x}".format(*colour)
            words = f"{size} against {table.defenders[column]}: {chance:.4f}"
            parts.append(
                f'<g><title>{words}</title><rect x="{x}" y="{y}" width="{_CELL - 1}" height="{_CELL - 1}"'
                f' rx="3" fill="{fill}"/>'
                + _text(x + _CELL / 2, y + _CELL / 2, _percent(chance), 13, f'fill="{_ink(colour)}"')
                + "</g>"
            )
    y, steps = _TOP + high + 26, 20
    for step in range(steps):
        fill = "#{:02x}{:02x}{:02x}".format(*_colour((step + 0.5) / steps))
        parts.append(f'<rect x="{_LEFT + 10 * step}" y="{y}" width="10.5" height="10" fill="{fill}"/>')
    parts.append(_text(_LEFT - 10, y + 5, "0", 11, soft))
    parts.append(_text(_LEFT + 10 * steps + 22, y + 5, "100 %", 11, soft))
    parts.append(_text(_LEFT + 5 * steps, y + 22, table.chance_label, 11, soft))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
