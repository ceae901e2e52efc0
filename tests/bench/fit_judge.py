"""Fits the weights of a judgement to facts of positions: who wins is a softmax over linear scores.

Usage: cargo run --release -p sengoku-bots --example facts tower 2400 | fit_judge.py SEATS [SIGNS]

A sign for each fact may follow, as in "+-.": its weight is not negative, not positive, or any number. Every
fifth match is held out; weights are printed with the mean log loss of both parts and that of knowing nothing.
"""

import sys

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

OUT = -1000.0
"""What stands for the facts of a seat that is out."""
RIDGE = 1e-3
"""Weight of the squares of the weights, in units of each fact's deviation."""


def main(seats: int, signs: str) -> None:
    """Reads positions from standard input and prints weights."""
    rows = np.loadtxt(sys.stdin)
    match, winner = rows[:, 0].astype(int), rows[:, 2].astype(int)
    facts = rows[:, 3:].reshape(len(rows), seats, -1)
    out = facts[:, :, 0] == OUT
    facts = np.where(out[:, :, None], 0.0, facts)
    deviation = facts.reshape(-1, facts.shape[2]).std(axis=0)
    deviation[deviation == 0] = 1.0
    facts /= deviation
    share = 1.0 / np.bincount(match)[match]  # each match counts once, however long it was

    def loss(weights: NDArray[np.float64], part: NDArray[np.bool_]) -> tuple[float, NDArray[np.float64]]:
        scores = np.where(out[part], -np.inf, facts[part] @ weights)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        won = np.eye(seats)[winner[part]]
        counts = share[part] / share[part].sum()
        losses = -np.log(np.maximum((chances * won).sum(axis=1), 1e-12))
        return float(counts @ losses), np.einsum("n,ns,nsf->f", counts, chances - won, facts[part])

    held = match % 5 == 4

    def penalised(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value, slope = loss(weights, ~held)
        return value + RIDGE * float(weights @ weights), slope + 2 * RIDGE * weights

    limits = {"+": (0, None), "-": (None, 0), ".": (None, None)}
    bounds = [limits[sign] for sign in signs] if signs else None
    start = np.zeros(facts.shape[2])
    fitted = minimize(penalised, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    losses = (
        f"{loss(fitted, ~held)[0]:.4f}, held out {loss(fitted, held)[0]:.4f}, unknown {np.log(seats):.4f}"
    )
    sys.stdout.write(f"log loss {losses}\n")
    sys.stdout.write(", ".join(f"{weight:.3f}" for weight in fitted / deviation) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), "".join(sys.argv[2:]))
