"""Figures of odds and of tables of probabilities; needs the extra `sengoku[plot]`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sengoku.battles import EVENTS, StrikeOdds
from sengoku.battles import title as strike_title
from sengoku.errors import ArgumentError
from sengoku.figures import check_file, load
from sengoku.swords import Odds, title
from sengoku.tower import ClashOdds
from sengoku.tower import title as clash_title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SUFFIXES = (".png", ".svg", ".pdf")
_INK = "#222222"
_SIDES = {"attacker": "#b3402a", "defender": "#2b5c8a"}
_OTHER = "#8a8a8a"


def new_figure(width: float, height: float, **grid: Any) -> "tuple[Figure, Any]":
    """Return a figure with a size in inches, and its axes."""
    kind = load("matplotlib", "matplotlib.figure", "figures", "plot").Figure
    figure = kind(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(**grid)


def check(file: Path) -> None:
    """Raise an error for a file to which no figure can be written, before any work is done."""
    check_file("plot", file, _SUFFIXES)


def save_figure(figure: "Figure", file: Path) -> None:
    """Write a figure to a file."""
    from matplotlib import rc_context  # noqa: PLC0415 - as above

    check(file)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # The same picture is the same file: no date and no random ids in it.
        with rc_context({"svg.hashsalt": "sengoku"}):
            figure.savefig(file, dpi=144, metadata={"Date": None} if file.suffix == ".svg" else None)
    except (OSError, ValueError) as error:
        details = {"field": "plot", "value": str(file)}
        raise ArgumentError(f"cannot write the figure {file}: {error}", details) from error


def odds(odds: Odds, file: Path) -> None:
    """Draw the ends of a battle, and what is left of both sides."""
    ends = {
        "attacker\nwins": odds.attacker_wins,
        "defender\nwins": odds.defender_wins,
        "both\ngone": odds.both_eliminated,
        "called\noff": odds.called_off,
    }
    _odds(odds, file, title(odds.battle), "end of the battle", "battles", ends, "units")


def clash_odds(odds: ClashOdds, file: Path) -> None:
    """Draw the ends of a clash, and what is left of both sides."""
    attacker = "revolt\nsucceeds" if odds.clash.revolt else "attacker\nwins"
    ends = {attacker: odds.attacker_wins, "defender\nwins": odds.defender_wins, "draw": odds.none}
    _odds(odds, file, clash_title(odds.clash), "end of the clash", "throws", ends, "armies")


def strike_odds(odds: StrikeOdds, file: Path) -> None:
    """Draw the events of a strike, and what is left of both sides."""
    ends = {words.replace(" ", "\n", 1): getattr(odds, name) for name, words in EVENTS.items()}
    _odds(odds, file, strike_title(odds.strike), "what comes of it", "strikes", ends, "blocks")


def _odds(
    odds: Any, file: Path, heading: str, note: str, sampled: str, chances: dict[str, float], what: str
) -> None:
    figure, (ends, *sides) = new_figure(11, 4.2, ncols=3, width_ratios=[1.1, 1.4, 1.4])
    figure.suptitle(heading, color=_INK)
    _ends(ends, chances)
    exact = getattr(odds, "method", sampled) == "exact"
    error = "exact" if exact else f"{odds.samples:,} {sampled}, ±{odds.standard_error:.1e}"
    ends.set_title(f"{note}\n{error}", fontsize=10)
    for axes, (side, colour) in zip(sides, _SIDES.items(), strict=True):
        numbers = getattr(odds, f"{side}_{what}_left")
        axes.bar(range(len(numbers)), numbers, color=colour)
        low, middle, high = odds.percentiles(side, [5, 50, 95])
        axes.axvline(middle, color=_INK, linewidth=1, linestyle="--")
        percentiles = f"5 %: {low}   median: {middle}   95 %: {high}"
        axes.set_title(f"{what} left to the {side}\n{percentiles}", fontsize=10)
        axes.set_xlabel(what)
        axes.xaxis.get_major_locator().set_params(integer=True)
    for axes in (ends, *sides):
        axes.spines[["top", "right"]].set_visible(False)
    save_figure(figure, file)


def _ends(axes: Any, chances: dict[str, float]) -> None:
    """Draw the probability of each end; many ends become horizontal bars, so that their names fit."""
    lying = len(chances) > 4
    names, numbers = list(chances), list(chances.values())
    sides = [name.partition("\n")[0].replace("revolt", "attacker").removesuffix("'s") for name in names]
    colours = [_SIDES.get(side, _OTHER) for side in sides]
    bars = axes.barh(names, numbers, color=colours) if lying else axes.bar(names, numbers, color=colours)
    axes.bar_label(bars, [f"{chance:.1%}" for chance in numbers], padding=2, fontsize=9)
    (axes.set_xlim if lying else axes.set_ylim)(0, max(numbers) * (1.3 if lying else 1.15))
    (axes.set_xlabel if lying else axes.set_ylabel)("probability")
    axes.tick_params(axis="y" if lying else "x", labelsize=8)
    if lying:
        axes.invert_yaxis()


def heat_map(
    table: npt.NDArray[np.float64], file: Path, *, title: str, rows: str, columns: str, first: int = 1
) -> None:
    """Draw a table of probabilities as a heat map; rows and columns count from `first`."""
    figure, axes = new_figure(7.2, 6.2)
    last_row, last_column = (size + first - 0.5 for size in table.shape)
    extent = (first - 0.5, last_column, first - 0.5, last_row)
    image = axes.imshow(table, "RdBu_r", vmin=0, vmax=1, origin="lower", aspect="auto", extent=extent)
    steps = [np.arange(size) + first for size in (table.shape[1], table.shape[0])]
    contours = axes.contour(*steps, table, levels=[0.1, 0.25, 0.5, 0.75, 0.9], colors=_INK, linewidths=0.8)
    axes.clabel(contours, fmt=lambda level: f"{level:.0%}", fontsize=8)
    axes.set(title=title, xlabel=columns, ylabel=rows, xticks=steps[0], yticks=steps[1])
    figure.colorbar(image, ax=axes, format=lambda level, _: f"{level:.0%}")
    save_figure(figure, file)
