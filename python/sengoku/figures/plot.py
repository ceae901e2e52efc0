"""Figures of odds and of tables of probabilities; needs the extra `sengoku[plot]`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sengoku.battles import EVENTS, StrikeOdds
from sengoku.battles import title as strike_title
from sengoku.errors import ArgumentError
from sengoku.swords import Odds, title
from sengoku.tower import ClashOdds
from sengoku.tower import title as clash_title

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SUFFIXES = (".png", ".svg", ".pdf")
_INK = "#222222"
_ATTACKER = "#b3402a"
_DEFENDER = "#2b5c8a"
_OTHER = "#8a8a8a"


def new_figure(width: float, height: float, **grid: Any) -> "tuple[Figure, Any]":
    """Return a figure with a size in inches, and its axes."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra, loaded only when a picture is wanted
    except ImportError as error:
        message = "figures need matplotlib: pip install 'sengoku[plot]'"
        raise ArgumentError(message, {"field": "plot"}) from error
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(**grid)


def check(file: Path) -> None:
    """Raise an error for a file to which no figure can be written, before any work is done."""
    details = {"field": "plot", "value": str(file)}
    if file.suffix not in _SUFFIXES:
        raise ArgumentError(f"plot is {str(file)!r}: must end in {', '.join(_SUFFIXES)}", details)
    if file.is_dir():
        raise ArgumentError(f"plot is {str(file)!r}, which is a folder: must be a file", details)


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
    error = "exact" if odds.method == "exact" else f"{odds.samples:,} battles, ±{odds.standard_error:.1e}"
    ends = {
        "attacker\nwins": odds.attacker_wins,
        "defender\nwins": odds.defender_wins,
        "both\ngone": odds.both_eliminated,
        "called\noff": odds.called_off,
    }
    left = (odds.attacker_units_left, odds.defender_units_left)
    _odds(odds, file, title(odds.battle), f"end of the battle\n{error}", ends, "units", left)


def clash_odds(odds: ClashOdds, file: Path) -> None:
    """Draw the ends of a clash, and what is left of both sides."""
    attacker = "revolt\nsucceeds" if odds.clash.revolt else "attacker\nwins"
    ends = {attacker: odds.attacker_wins, "defender\nwins": odds.defender_wins, "draw": odds.none}
    note = f"end of the clash\n{odds.samples:,} throws, ±{odds.standard_error:.1e}"
    left = (odds.attacker_armies_left, odds.defender_armies_left)
    _odds(odds, file, clash_title(odds.clash), note, ends, "armies", left)


def strike_odds(odds: StrikeOdds, file: Path) -> None:
    """Draw the events of a strike, and what is left of both sides."""
    error = "exact" if odds.method == "exact" else f"{odds.samples:,} strikes, ±{odds.standard_error:.1e}"
    ends = {words.replace(" ", "\n", 1): getattr(odds, name) for name, words in EVENTS.items()}
    left = (odds.attacker_blocks_left, odds.defender_blocks_left)
    _odds(
        odds,
        file,
        strike_title(odds.strike),
        f"what comes of it\n{error}",
        ends,
        "blocks",
        left,
    )


def _odds(
    odds: Odds | ClashOdds | StrikeOdds,
    file: Path,
    heading: str,
    note: str,
    chances: dict[str, float],
    what: str,
    left: Sequence[npt.NDArray[np.float64]],
) -> None:
    figure, (ends, attacker, defender) = new_figure(11, 4.2, ncols=3, width_ratios=[1.1, 1.4, 1.4])
    figure.suptitle(heading, color=_INK)
    _ends(ends, chances)
    ends.set_title(note, fontsize=10)

    for axes, side, numbers, colour in (
        (attacker, "attacker", left[0], _ATTACKER),
        (defender, "defender", left[1], _DEFENDER),
    ):
        axes.bar(range(len(numbers)), numbers, color=colour)
        low, middle, high = odds.percentiles(side, [5, 50, 95])
        axes.axvline(middle, color=_INK, linewidth=1, linestyle="--")
        axes.set_title(
            f"{what} left to the {side}\n5 %: {low}   median: {middle}   95 %: {high}", fontsize=10
        )
        axes.set_xlabel(what)
        axes.xaxis.get_major_locator().set_params(integer=True)
    for axes in (ends, attacker, defender):
        axes.spines[["top", "right"]].set_visible(False)
    save_figure(figure, file)


def _ends(axes: Any, chances: dict[str, float]) -> None:
    """Draw the probability of each end; many ends become horizontal bars, so that their names fit."""
    lying = len(chances) > 4
    names, numbers, colours = list(chances), list(chances.values()), [_colour(name) for name in chances]
    bars = axes.barh(names, numbers, color=colours) if lying else axes.bar(names, numbers, color=colours)
    axes.bar_label(bars, [f"{chance:.1%}" for chance in numbers], padding=2, fontsize=9)
    (axes.set_xlim if lying else axes.set_ylim)(0, max(numbers) * (1.3 if lying else 1.15))
    (axes.set_xlabel if lying else axes.set_ylabel)("probability")
    axes.tick_params(axis="y" if lying else "x", labelsize=8)
    if lying:
        axes.invert_yaxis()


def _colour(end: str) -> str:
    """Return the colour of the side that an end is about."""
    if end.startswith(("attacker", "revolt")):
        return _ATTACKER
    return _DEFENDER if end.startswith("defender") else _OTHER


def heat_map(
    table: npt.NDArray[np.float64], file: Path, *, title: str, rows: str, columns: str, first: int = 1
) -> None:
    """Draw a table of probabilities as a heat map; rows and columns count from `first`."""
    figure, axes = new_figure(7.2, 6.2)
    last_row, last_column = (size + first - 0.5 for size in table.shape)
    image = axes.imshow(
        table,
        origin="lower",
        cmap="RdBu_r",
        vmin=0,
        vmax=1,
        aspect="auto",
        extent=(first - 0.5, last_column, first - 0.5, last_row),
    )
    steps = [np.arange(size) + first for size in (table.shape[1], table.shape[0])]
    contours = axes.contour(*steps, table, levels=[0.1, 0.25, 0.5, 0.75, 0.9], colors=_INK, linewidths=0.8)
    axes.clabel(contours, fmt=lambda level: f"{level:.0%}", fontsize=8)
    axes.set(title=title, xlabel=columns, ylabel=rows, xticks=steps[0], yticks=steps[1])
    figure.colorbar(image, ax=axes, format=lambda level, _: f"{level:.0%}")
    save_figure(figure, file)
