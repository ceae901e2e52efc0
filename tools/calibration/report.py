"""How far the fast model is from the rigid one, cell by cell: as data, as text and as plots."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sengoku.figures import plot
from tools.calibration.fit import describe
from tools.calibration.statistics import CONTENTS, SIZES, Table

AIM_MEAN = 0.05
AIM_VARIANCE = 0.15


def compare(rigid: Table, fast: Table) -> Table:
    """Distances of both models for every cell of S1 to S3: means, variances, Kolmogorov-Smirnov.

    What two standard errors of the reference explain is beside them.
    """
    cells = {f"fill {size}": (fill, fast["S1"][size]) for size, fill in rigid["S1"].items()}
    cells |= {
        name: (cell, fast["S2, S3"][name]) for name, cell in rigid["S2, S3"].items() if name in fast["S2, S3"]
    }
    return {name: _distance(one, other) for name, (one, other) in cells.items()}


def _distance(rigid: Table, fast: Table) -> Table:
    def spread(cell: Table) -> tuple[float, float]:
        if "variance" in cell:
            return cell["variance"][0], cell["variance"][1]
        deviation, error = cell["sd"]
        return deviation**2, 2 * deviation * error

    variance, error = spread(rigid)
    return {
        "mean": fast["mean"][0] / rigid["mean"][0] - 1,
        "mean_explained": 2 * rigid["mean"][1] / rigid["mean"][0],
        "variance": spread(fast)[0] / variance - 1,
        "variance_explained": 2 * error / variance,
        "kolmogorov_smirnov": _kolmogorov_smirnov(rigid["counts"], fast["counts"]),
    }


def _kolmogorov_smirnov(one: list[int], other: list[int]) -> float:
    """Largest distance of two distributions given by their counts."""
    length = max(len(one), len(other))

    def cumulative(counts: list[int]) -> Any:
        padded = np.zeros(length)
        padded[: len(counts)] = counts
        return np.cumsum(padded) / padded.sum()

    return float(np.abs(cumulative(one) - cumulative(other)).max())


def write(calibration: Mapping[str, Any], directory: Path) -> list[Path]:
    """Writes a calibration as data, parameters, text and plots into a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    calibration = json.loads(_json(calibration))  # the report says what the data says
    data, parameters, text = (
        directory / name for name in ("calibration.json", "tower_fitted.toml", "CALIBRATION.md")
    )
    data.write_text(_json(calibration) + "\n", encoding="utf-8")
    parameters.write_text(_toml(calibration), encoding="utf-8")
    text.write_text(_markdown(calibration), encoding="utf-8")
    plots = [directory / name for name in ("calibration_throws.svg", "calibration_play.svg")]
    _plot_throws(calibration, plots[0])
    _plot_play(calibration, plots[1])
    return [data, parameters, text, *plots]


def _json(value: Any, depth: int = 0) -> str:
    """JSON with a line for each small table, numbers rounded to what they are worth."""
    if isinstance(value, Mapping):
        if all(not isinstance(entry, Mapping) for entry in value.values()) and depth > 1:
            return json.dumps(_rounded(value))
        inner = ",\n".join(
            f"{'  ' * (depth + 1)}{json.dumps(key)}: {_json(entry, depth + 1)}"
            for key, entry in value.items()
        )
        return "{\n" + inner + "\n" + "  " * depth + "}"
    return json.dumps(_rounded(value))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 5)
    if isinstance(value, Mapping):
        return {key: _rounded(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(entry) for entry in value]
    return value


def _toml(calibration: Mapping[str, Any]) -> str:
    shelves = "\n".join(
        f"  {{ capacity = {shelf['capacity']}, stick_per_mille = {shelf['stick_per_mille']}, "
        f"dislodge = {shelf['dislodge']}, burst = {shelf['burst']}, "
        f"jam_per_mille = {shelf.get('jam_per_mille', 0)}, "
        f"jam_half_tenths = {shelf.get('jam_half_tenths', 0)} }},"
        for shelf in calibration["parameters"]["shelves"]
    )
    return (
        "# Parameters of the fast model, fitted to the rigid one (TW-TOWER-45). `make calibrate`\n"
        "# wrote them; how far both models are apart is in rust/tower-physics/CALIBRATION.md.\n"
        f'about = "Fitted to {sum(calibration["rigid"]["throws"].values()):,} throws of the rigid tower '
        f'{calibration["geometry"]}."\n'
        f"shelves = [\n{shelves}\n]\n"
    )


def _number(value: Iterable[float], digits: int = 2) -> str:
    number, error = value
    return f"{number:.{digits}f} ± {error:.{digits}f}"


def _percent(value: float, aim: float, explained: float) -> str:
    """A distance, marked where it is beyond the aim: with ~ where errors of the reference explain that."""
    far = "" if abs(value) <= aim else " ~" if abs(value) <= aim + explained else " !"
    return f"{100 * value:+.1f} %{far}"


def _table(head: list[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [head, ["---"] * len(head), *(list(row) for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines) + "\n"


def _markdown(calibration: Mapping[str, Any]) -> str:
    rigid, fast, distances = (calibration[name] for name in ("rigid", "shelves", "distances"))
    cells = [cell["throws"] for cell in rigid["S2, S3"].values()]
    fills = [fill["throws"] for fill in rigid["S1"].values()]
    inside, ledger = _inside(distances), _inside(calibration["ledger_distances"])
    passed = (
        [
            content,
            _number(share, 3),
            _number(fast["S4"][content], 3),
            _percent(fast["S4"][content][0] / share[0] - 1, AIM_MEAN, 2 * share[1] / share[0]),
        ]
        for content, share in rigid["S4"].items()
        if content in fast["S4"]
    )
    parts = [
        "# Calibration of the cube tower\n",
        f"""Written by `make calibrate`; the numbers are in `data/calibration.json`.
The rigid tower `{calibration["geometry"]}` is the reference (seed {calibration["seed"]}); the fast
model `shelves` is fitted to it. Numbers after ± are standard errors over independent trials.

- Rigid tower: {sum(rigid["throws"].values()):,} throws; {min(cells):,} to {max(cells):,} in a cell of S2, S3,
  {min(fills):,} of each fill, {rigid["throws"]["long_run"]:,} in long runs. {calibration["note"]}
  Cubes pushed out of the funnel: {rigid["pushed"]}; throws ended by the limit of 6 s: {rigid["timed_out"]}.
- Fast model: {sum(fast["throws"].values()):,} throws in the same trials, chance that the fit has not seen.
  Fitted parameters, the upper shelf first: {describe(calibration["parameters"])}.
- Aim: means within 5 %, variances within 15 %, beyond what two standard errors of the rigid tower explain;
  `~` is farther off than the aim but explained, `!` is neither. Of {inside["cells"]} cells of S1 to S3,
  {inside["mean"]} means and {inside["variance"]} variances are within the aim,
  {inside["mean_explained"]} and {inside["variance_explained"]} with what the errors explain.
- Distance over all cells (root of the mean square): {100 * inside["mean_rms"]:.1f} % of means,
  {100 * inside["variance_rms"]:.1f} % of variances; mean Kolmogorov-Smirnov distance {inside["ks"]:.3f}.
  With the ledger's parameters: {100 * ledger["mean_rms"]:.0f} %, {100 * ledger["variance_rms"]:.0f} %,
  {ledger["ks"]:.3f}.
""",
        "![output by content and size](pictures/calibration_throws.svg)\n",
        "## S1: cubes held after the fill\n",
        _fills(rigid, fast, distances),
        "## S2, S3: cubes that come out of a throw of k into a content of N\n",
        _cells(rigid, fast, distances),
        "## S4: share of fresh cubes that pass at once\n",
        _table(["N", "rigid", "shelves", "distance"], passed),
        "## S5, S6: in the long run\n",
        "Throws of 3 to 10 and 12 cubes, what comes out being taken away. A cube that stays is followed\n"
        "for 40 throws; one that is older counts as 41.\n",
        _table(["statistic", "rigid", "shelves"], _long_run(rigid, fast)),
        "![clashes and time inside](pictures/calibration_play.svg)\n",
        "## S7: fairness\n",
        "Two colours of six into a tower that holds both equally, at every content.\n",
        _table(["", "rigid", "shelves"], _fairness(rigid, fast)),
        "## S8: clashes of two colours at a content of 35, farmers left out\n",
        _table(["forces", "throws", "rigid", "shelves"], _clashes(rigid, fast)),
    ]
    return "\n".join(parts)


def _inside(distances: Mapping[str, Table]) -> dict[str, float]:
    def column(name: str) -> Any:
        return np.array([cell[name] for cell in distances.values()])

    means, variances = column("mean"), column("variance")
    return {
        "cells": len(means),
        "mean": int((abs(means) <= AIM_MEAN).sum()),
        "mean_explained": int((abs(means) <= AIM_MEAN + column("mean_explained")).sum()),
        "variance": int((abs(variances) <= AIM_VARIANCE).sum()),
        "variance_explained": int((abs(variances) <= AIM_VARIANCE + column("variance_explained")).sum()),
        "mean_rms": float(np.sqrt(np.mean(means**2))),
        "variance_rms": float(np.sqrt(np.mean(variances**2))),
        "ks": float(np.mean([cell["kolmogorov_smirnov"] for cell in distances.values()])),
    }


_HEAD = ["mean rigid", "shelves", "distance"]


def _fills(rigid: Table, fast: Table, distances: Mapping[str, Table]) -> str:
    def row(size: str, fill: Table) -> list[str]:
        other, distance = fast["S1"][size], distances[f"fill {size}"]
        return [
            size,
            f"{fill['throws']:,}",
            _number(fill["mean"]),
            _number(other["mean"]),
            _percent(distance["mean"], AIM_MEAN, distance["mean_explained"]),
            _number(fill["sd"]),
            _number(other["sd"]),
            _percent(distance["variance"], AIM_VARIANCE, distance["variance_explained"]),
            f"{distance['kolmogorov_smirnov']:.3f}",
        ]

    head = ["cubes", "throws", *_HEAD, "sd rigid", "shelves", "distance of variances", "KS"]
    return _table(head, (row(size, fill) for size, fill in rigid["S1"].items()))


def _cells(rigid: Table, fast: Table, distances: Mapping[str, Table]) -> str:
    def row(name: str, cell: Table) -> list[str]:
        size, content = (part.split("=")[1] for part in name.split())
        if name not in distances:
            nothing = "-"
            return [
                size,
                content,
                f"{cell['throws']:,}",
                _number(cell["mean"]),
                nothing,
                nothing,
                _number(cell["variance"]),
                nothing,
                nothing,
                nothing,
            ]
        other, distance = fast["S2, S3"][name], distances[name]
        return [
            size,
            content,
            f"{cell['throws']:,}",
            _number(cell["mean"]),
            _number(other["mean"]),
            _percent(distance["mean"], AIM_MEAN, distance["mean_explained"]),
            _number(cell["variance"]),
            _number(other["variance"]),
            _percent(distance["variance"], AIM_VARIANCE, distance["variance_explained"]),
            f"{distance['kolmogorov_smirnov']:.3f}",
        ]

    head = ["k", "N", "throws", *_HEAD, "variance rigid", "shelves", "distance", "KS"]
    return _table(head, (row(name, cell) for name, cell in rigid["S2, S3"].items()))


def _long_run(rigid: Table, fast: Table) -> Iterable[list[str]]:
    names = {
        "S6": {
            "mean": "content",
            "first": "content after 30 throws",
            "last": "content after 110 throws",
            "sd": "standard deviation of it",
            "correlation": "correlation from throw to throw",
            "fresh": "fresh cubes that pass at once",
        },
        "S5": {
            "mean": "throws inside, of those that stay",
            "median": "median",
            "90 %": "90 % quantile",
            "older": "share older than 40",
        },
    }
    for key, rows in names.items():
        for field, name in rows.items():
            digits = 3 if field in ("correlation", "fresh", "older") else 2
            yield [name, _number(rigid[key][field], digits), _number(fast[key][field], digits)]


def _fairness(rigid: Table, fast: Table) -> Iterable[list[str]]:
    names = {"first": "P(first ahead)", "second": "P(second ahead)", "difference": "difference"}
    for field, name in names.items():
        yield [name, _number(rigid["S7"][field], 4), _number(fast["S7"][field], 4)]
    cubes = [" : ".join(f"{count:,.0f}" for count in model["S7"]["cubes"]) for model in (rigid, fast)]
    yield ["cubes of each that came out", *cubes]
    yield [
        "chi-square, one degree of freedom",
        *(f"{model['S7']['chi_square']:.2f}" for model in (rigid, fast)),
    ]


def _clashes(rigid: Table, fast: Table) -> Iterable[list[str]]:
    for forces, clash in rigid["S8"].items():
        what = "draw" if "draw" in clash else "win"
        yield [
            f"{forces} {what}",
            f"{clash['throws']:,}",
            _number(clash[what], 3),
            _number(fast["S8"][forces][what], 3),
        ]


_COLOURS = ("#2b5c8a", "#b3402a", "#3a7d44", "#8a6d2b", "#6a4c93", "#444444")


def _plot_throws(calibration: Mapping[str, Any], file: Path) -> None:
    """Means and variances by content, a line for each size: dots rigid, lines fast."""
    figure, axes = plot.new_figure(10, 4.2, ncols=2)
    for axis, field, title in zip(axes, ("mean", "variance"), ("mean", "variance"), strict=True):
        for size, colour in zip(SIZES, _COLOURS, strict=True):
            for model, style in (("rigid", "o"), ("shelves", "-")):
                cells = calibration[model]["S2, S3"]
                found = [
                    (content, *cells[f"k={size} N={content}"][field])
                    for content in CONTENTS
                    if f"k={size} N={content}" in cells
                ]
                if not found:
                    continue
                content, value, error = zip(*found, strict=True)
                label = f"{size} cubes" if style == "-" else None
                bars = [2 * one for one in error] if style == "o" else None
                axis.errorbar(
                    content, value, yerr=bars, fmt=style, color=colour, label=label, markersize=4, capsize=2
                )
        axis.set(
            xlabel="cubes inside before the throw",
            ylabel=f"{title} of the cubes that come out",
            ylim=(0, None),
        )
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylim(top=1.2 * axes[0].get_ylim()[1])  # room for the legend
    axes[0].legend(frameon=False, fontsize=8, ncols=3, loc="upper left")
    figure.suptitle("Rigid tower (dots, two standard errors) and fast model (lines)")
    plot.save_figure(figure, file)


def _plot_play(calibration: Mapping[str, Any], file: Path) -> None:
    """Clashes, and how long cubes stay."""
    figure, axes = plot.new_figure(10, 3.8, ncols=2)
    for model, style, colour in (("rigid", "o", "#b3402a"), ("shelves", "-", "#2b5c8a")):
        table = calibration[model]
        for what, place in (("draw", 0), ("win", 1)):
            found = [
                (int(forces.split(":")[1]), *clash[what])
                for forces, clash in table["S8"].items()
                if what in clash
            ]
            size, value, error = zip(*found, strict=True)
            bars = [2 * one for one in error] if style == "o" else None
            label = f"{model}: {'draw of k : k' if place == 0 else 'win of k + 1 : k'}"
            axes[0].errorbar(
                size,
                value,
                yerr=bars,
                fmt=style if place == 0 else style.replace("o", "s").replace("-", "--"),
                color=colour,
                label=label,
                markersize=4,
                capsize=2,
            )
        counts = np.array(table["S5"]["counts"], float)
        inside = 1 - np.cumsum(counts)[:-1] / counts.sum()
        axes[1].step(np.arange(1, len(inside) + 1), inside, where="post", color=colour, label=model)
    axes[0].set(xlabel="k", ylabel="probability", ylim=(0, 1))
    axes[1].set(xlabel="throws", ylabel="share of the cubes that stayed still inside", ylim=(0, 1))
    for axis in axes:
        axis.legend(frameon=False, fontsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    plot.save_figure(figure, file)
