"""Whole matches of `tower` with several towers: points, battles, revolts, unrest, officers.

`python -m tools.statistics.tower ledger fitted --matches 1000` plays the same matches with each set of
parameters, by name or from a file, and prints a table with standard errors.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from sengoku import Match, play_matches
from sengoku.tower import read_parameters

SEATS = 4
FIGURES = {
    "kept": "cubes of the fill that stay inside",
    "points": "points of a seat",
    "battles": "battles in a match, revolts included",
    "conquered": "share of attacks on provinces of players that conquer them",
    "neutral": "share of these attacks after which the province is neutral",
    "inside": "cubes inside after a throw",
    "revolts": "revolts in a match",
    "succeeded": "share of revolts that succeed",
    "markers": "unrest markers laid in a match",
    "officers": "officers granted to a player at the start (`court`)",
}


def figures(match: Match, *, court: bool) -> dict[str, list[float]]:
    """The figures of one finished match: numbers whose mean is stated."""
    found: dict[str, list[float]] = {name: [] for name in FIGURES}
    if court:
        granted = [0] * SEATS
        for event in match.log:
            if event["event"] == "officers_granted":
                granted[event["seat"]] += event["officers"]
        return {"officers": [float(number) for number in granted]}
    if match.outcome is not None:
        found["points"] = [float(score) for score in match.outcome.scores]
    kind, inside, markers = "", 0, 0
    for event in match.log:
        match event["event"]:
            case "tower_filled":
                inside = sum(event["thrown"]) - sum(event["out"])
                found["kept"].append(float(inside))
            case "attack":
                kind = "attack" if event["defender"] is not None else "neutral"
            case "revolt":
                kind = "revolt"
            case "thrown":
                inside += sum(event["cubes"]) - sum(event["tray"])
                found["inside"].append(float(inside))
                found["battles"].append(1.0)
            case "settled" if kind == "attack":
                found["conquered"].append(float(event["winner"] == "attacker"))
                found["neutral"].append(float(event["winner"] == "none"))
            case "settled" if kind == "revolt":
                found["succeeded"].append(float(event["winner"] == "attacker"))
            case "unrest":
                markers += 1
    found["battles"] = [float(len(found["battles"]))]
    found["revolts"], found["markers"] = [float(len(found["succeeded"]))], [float(markers)]
    return found


def measure(model: str, bot: str, count: int, seed: int) -> dict[str, tuple[float, float]]:
    """Mean and standard error of each figure; matches are the independent units."""
    parameters = read_parameters(Path(model)) if model.endswith(".toml") else model
    matches: dict[str, list[list[float]]] = {name: [] for name in FIGURES}
    for court in (False, True):
        setup = {"tower_model": parameters, "court": court}
        report = play_matches(
            "tower", players=[bot], seats=SEATS, match_count=count, seed=seed, setup=setup, replays=True
        )
        for match in report.matches:
            for name, numbers in figures(Match.from_replay(match.replay), court=court).items():
                matches[name].append(numbers)
    return {name: mean_of(rows) for name, rows in matches.items()}


def mean_of(rows: Iterable[list[float]]) -> tuple[float, float]:
    """A mean over all numbers, with the error of a ratio of sums over matches."""
    kept = [row for row in rows if row]
    sums, sizes = (np.array([function(row) for row in kept]) for function in (sum, len))
    mean = sums.sum() / sizes.sum()
    error = np.sqrt(np.sum((sums - mean * sizes) ** 2)) / sizes.sum()
    return float(mean), float(error)


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("models", nargs="+", help="names of sets of parameters, or TOML files")
    options.add_argument("--bot", default="greedy")
    options.add_argument("--matches", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    found = [measure(model, chosen.bot, chosen.matches, chosen.seed) for model in chosen.models]
    print("| figure | " + " | ".join(f"`{model}`" for model in chosen.models) + " |")
    print("|---" * (1 + len(found)) + "|")
    for name, title in FIGURES.items():
        print(
            f"| {title} | "
            + " | ".join(f"{mean:.3f} ± {error:.3f}" for mean, error in (f[name] for f in found))
            + " |"
        )


if __name__ == "__main__":
    main()
