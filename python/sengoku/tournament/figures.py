"""Figures of a tournament: ratings, their history, scores of bot against bot, and the value of the seats."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from sengoku.figures import load
from sengoku.figures.plot import new_figure
from sengoku.tournament.interrupt import look
from sengoku.tournament.standings import LEVEL, Tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FIGURES", "drawing"]

_INK = "#222222"
_CELL_INK = "#1c1a18"  # on the light cells of a heat map, also where the page is dark
_ACCENT = "#b3402a"
_CALM = "#2b5c8a"
_COLOURS = ("#b3402a", "#2b5c8a", "#d69a2d", "#4d7c4a", "#6b4c86", "#8a6d5a", "#3f8f8f", "#8a8a8a")
_MOST_BOTS = 60  # most bots in one figure: those with the best places
_MOST_INCHES = 16  # largest edge of the picture of bot against bot, whose pixels are computed
_MOST_BOARDS = 60  # most boards whose seats are shown in one figure


@contextmanager
def drawing(**options: str | None) -> Iterator[None]:
    """Draw and save figures in the block: names are texts, also those that look like formulas."""
    rc_context = load("matplotlib", "matplotlib", "figures", "tournament").rc_context
    with rc_context({"svg.hashsalt": "sengoku", "text.parse_math": False, **options}):
        yield


def ratings(tables: Tables) -> "Figure":
    """Draw the ratings with their confidence intervals."""
    order = tables.order[:_MOST_BOTS]
    figure, axes = new_figure(8, 1.2 + 0.42 * len(order))
    low, high = tables.elo.interval(LEVEL)
    places = np.arange(len(order))[::-1]
    middle = tables.elo.ratings[order]
    reach = np.stack([middle - low[order], high[order] - middle])
    axes.errorbar(middle, places, xerr=reach, fmt="o", color=_ACCENT, ecolor=_INK, capsize=3, markersize=6)
    axes.set_yticks(places, [tables.spec.bots[bot].name for bot in order])
    axes.axvline(0, color="#cccccc", linewidth=1, zorder=0)
    axes.set_xlabel(f"Elo, with {LEVEL:.0%} confidence interval")
    axes.set_ylim(-0.6, len(order) - 0.4)
    _mark_thinned(tables, axes)
    return _plain(figure, axes)


def way(tables: Tables) -> "Figure":
    """Draw the history of the Weng-Lin ratings, match by match."""
    _, steps = tables.skills
    figure, axes = new_figure(8, 4)
    counts = [count for count, _ in steps]
    for place, bot in enumerate(tables.order[:_MOST_BOTS]):
        look()
        colour = _COLOURS[place % len(_COLOURS)]
        mean = np.array([skills[bot].mu for _, skills in steps])
        sigma = np.array([skills[bot].sigma for _, skills in steps])
        axes.plot(counts, mean, color=colour, label=tables.spec.bots[bot].name)
        axes.fill_between(counts, mean - sigma, mean + sigma, color=colour, alpha=0.15, linewidth=0)
    axes.set_xlabel("matches, in the order of the tournament")
    axes.set_ylabel("skill, ± one sigma")
    if len(tables.order) <= 2 * len(_COLOURS):
        axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    _mark_thinned(tables, axes)
    return _plain(figure, axes)


def crosstable(tables: Tables) -> "Figure":
    """Draw the score of every bot against every other."""
    order = tables.order[:_MOST_BOTS]
    size = min(max(3.2, 1.6 + 0.62 * len(order)), _MOST_INCHES)
    figure, axes = new_figure(size + 1, size)
    score = np.array(
        [[getattr(tables.against.get((bot, other)), "mean", math.nan) for other in order] for bot in order]
    )
    image = axes.imshow(score, cmap="RdBu", vmin=0, vmax=1)
    names = [tables.spec.bots[bot].name for bot in order]
    axes.set_xticks(range(len(order)), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(order)), names)
    for row, column in np.ndindex(score.shape):
        if not math.isnan(score[row, column]) and len(order) <= 20:
            value = score[row, column]
            colour = "white" if abs(value - 0.5) > 0.32 else _CELL_INK
            axes.text(column, row, f"{value:.0%}", ha="center", va="center", color=colour, fontsize=8)
    axes.set_title("score of the row against the column" + _thinned(tables), fontsize=10)
    for side in axes.spines.values():
        side.set_visible(False)
    figure.colorbar(image, ax=axes, shrink=0.8, format=lambda value, _: f"{value:.0%}")
    return figure


def seats(tables: Tables) -> "Figure":
    """Draw the share of the wins of every seat on every board, with one standard error."""
    played = sorted({board for board, _ in tables.by_seat})
    boards = played[:_MOST_BOARDS]
    figure, axes = new_figure(8, 1.2 + (0.5 if len(boards) <= 24 else 0.36) * len(boards))
    for row, board in enumerate(reversed(boards)):
        count = tables.spec.boards[board].seats
        for seat in range(count):
            rate = tables.by_seat[board, seat].wins
            height = row + (count / 2 - seat - 0.5) * 0.7 / count
            error = 0.0 if math.isnan(rate.error) else rate.error
            colour = _COLOURS[seat]
            axes.errorbar(rate.mean, height, xerr=error, fmt="o", color=colour, capsize=2, markersize=4)
        axes.plot([1 / count] * 2, [row - 0.42, row + 0.42], color="#aaaaaa", linewidth=1, zorder=0)
    axes.set_yticks(range(len(boards)), [tables.spec.boards[board].name for board in reversed(boards)])
    most = max(tables.spec.boards[board].seats for board in boards)
    for seat in range(most):
        axes.plot([], [], "o", color=_COLOURS[seat], label=f"seat {seat}", markersize=4)
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    axes.set_xlabel("share of the wins, ± one standard error; grey is the fair share")
    axes.set_ylim(-0.6, len(boards) - 0.4)
    if len(boards) < len(played):
        axes.set_title(f"the first {len(boards)} of {len(played)} boards", fontsize=10)
    return _plain(figure, axes)


def _thinned(tables: Tables) -> str:
    """Return what a figure leaves out, if it does."""
    count = len(tables.order)
    return f", the first {_MOST_BOTS} of {count} bots" if count > _MOST_BOTS else ""


def _mark_thinned(tables: Tables, axes: Any) -> None:
    if text := _thinned(tables):
        axes.set_title(text.removeprefix(", "), fontsize=10)


FIGURES = {"ratings": ratings, "way": way, "crosstable": crosstable, "seats": seats}
"""Every figure by its name."""


def _plain(figure: "Figure", axes: "object") -> "Figure":
    """Remove the top and right borders."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)  # type: ignore[attr-defined]
    return figure
