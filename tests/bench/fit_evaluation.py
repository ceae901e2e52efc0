"""Fits an evaluation network to facts of positions: who wins is a softmax over the scores of the seats.

Usage: cargo run --release -p sengoku-bots --example facts tower 12000 | fit_evaluation.py SEATS FILE

Every fifth match is held out; the mean log loss of both parts and that of knowing nothing are printed and
noted in the file. The same positions give the same file on the same machine.
"""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

OUT = -1000.0
"""Stands for the facts of an eliminated seat."""
OUT_SCORE = -30.0
"""Score of an eliminated seat, here and in the crate."""
HIDDEN = 32
"""Neurons, as in the crate."""
EPOCHS = 16
BATCH = 2048
RATE = 2e-3
DECAY = 1e-4
"""Weight of the squares of the weights of the neurons."""

Floats = NDArray[np.float32]


class Positions(NamedTuple):
    """Facts of positions, and the winners."""

    inputs: Floats
    """Facts of a seat and the mean of the others', by position and seat, in units of their deviation."""
    out: NDArray[np.bool_]
    winner: NDArray[np.int64]
    counts: Floats
    """Weights of positions: each match counts the same, however long it was."""

    def part(self, which: NDArray[Any]) -> "Positions":
        """Some of them."""
        return Positions(*(column[which] for column in self))


class Network(NamedTuple):
    """Weights, all of which are changed in place."""

    neurons: Floats
    start: Floats
    out: Floats
    direct: Floats

    def look(self, positions: Positions) -> tuple[Floats, Floats]:
        """Outputs of the neurons, and each seat's share of the victory."""
        said = np.maximum(positions.inputs @ self.neurons + self.start, 0)
        facts = positions.inputs[:, :, : len(self.direct)]
        scores = np.where(positions.out, OUT_SCORE, said @ self.out + facts @ self.direct)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return said, shares / shares.sum(axis=1, keepdims=True)

    def loss(self, positions: Positions) -> float:
        """The mean log loss."""
        _, shares = self.look(positions)
        won = shares[np.arange(len(shares)), positions.winner]
        return float(-(positions.counts @ np.log(np.maximum(won, 1e-12))) / positions.counts.sum())

    def slopes(self, positions: Positions) -> "Network":
        """The gradient of the loss."""
        said, shares = self.look(positions)
        won = np.eye(shares.shape[1], dtype=np.float32)[positions.winner]
        wrong = (shares - won) * positions.counts[:, None] / len(shares) * ~positions.out
        through = wrong[:, :, None] * self.out * (said > 0)
        flat = positions.inputs.reshape(-1, positions.inputs.shape[2])
        facts = flat[:, : len(self.direct)]
        return Network(
            flat.T @ through.reshape(len(flat), -1) + DECAY * self.neurons,
            through.sum(axis=(0, 1)),
            said.reshape(len(flat), -1).T @ wrong.ravel(),
            facts.T @ wrong.ravel(),
        )


def train(positions: Positions, facts: int, rng: np.random.Generator) -> Network:
    """Adam over shuffled batches, with a rate that falls to nothing."""
    neurons = rng.normal(size=(2 * facts, HIDDEN)) / np.sqrt(2 * facts)
    started = (neurons, np.zeros(HIDDEN), 0.1 * rng.normal(size=HIDDEN), np.zeros(facts))
    network = Network(*(part.astype(np.float32) for part in started))
    means, squares = ([np.zeros_like(part) for part in network] for _ in range(2))
    step = 0
    for epoch in range(EPOCHS):
        rate = RATE * (1 + np.cos(np.pi * epoch / EPOCHS)) / 2
        order = rng.permutation(len(positions.winner))
        for batch in np.array_split(order, max(1, len(order) // BATCH)):
            step += 1
            for weights, slope, mean, square in zip(
                network, network.slopes(positions.part(batch)), means, squares, strict=True
            ):
                mean[...] += 0.1 * (slope - mean)
                square[...] += 0.001 * (slope**2 - square)
                size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                weights[...] -= rate * (mean / (1 - 0.9**step)) / size
        sys.stderr.write(f"epoch {epoch + 1} of {EPOCHS}: log loss {network.loss(positions):.4f}\n")
    return network


def main(seats: int, path: Path) -> None:
    """Reads positions from standard input and writes weights."""
    rows = np.loadtxt(sys.stdin, dtype=np.float32)
    match = rows[:, 0].astype(int)
    facts = rows[:, 3:].reshape(len(rows), seats, -1)
    out = facts[:, :, 0] == OUT
    facts = np.where(out[:, :, None], 0, facts)
    count = facts.shape[2]
    middle, deviation = facts.mean(axis=(0, 1)), facts.std(axis=(0, 1))
    deviation[deviation == 0] = 1.0
    scaled = (facts - middle) / deviation
    others = (scaled.sum(axis=1, keepdims=True) - scaled) / (seats - 1)
    counts = (1.0 / np.bincount(match)[match]).astype(np.float32)
    positions = Positions(
        np.concatenate([scaled, others], axis=2), out, rows[:, 2].astype(int), counts / counts.mean()
    )
    # Forty matches are one of each battle, and slips differ from match to match: whole forties are held out.
    held = match // 40 % 5 == 4
    network = train(positions.part(~held), count, np.random.default_rng(1))
    output = (
        f"log loss {network.loss(positions.part(~held)):.4f} over {len(np.unique(match[~held]))} matches, "
        f"{network.loss(positions.part(held)):.4f} over {len(np.unique(match[held]))} held out, "
        f"{np.log(seats):.4f} of knowing nothing"
    )
    # Facts come as they are, so the scale goes into the weights.
    scale = np.concatenate([deviation, deviation])[:, None]
    neurons = network.neurons / scale
    start = network.start - np.concatenate([middle, middle]) @ neurons
    lines = [*neurons, start, network.out, network.direct / deviation]
    text = "\n".join(" ".join(f"{weight:.6g}" for weight in line) for line in lines)
    order = (
        "a line for each fact of a seat, for each of the others', the starts, the outs, what counts directly"
    )
    path.write_text(f"# {output}\n# {order}\n{text}\n")
    sys.stdout.write(f"{output}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
