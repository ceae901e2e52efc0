"""A small policy learns to play `tower` by policy gradient, in numpy, on a batch of matches side by side.

One hidden layer reads the observation of its seat and gives a number for each legal action, which is taken
with a probability by these numbers; a second output says what reward is expected. After every few steps the
policy is moved towards actions that turned out better than expected (actor and critic, generalised
advantages, Adam). It learns against `random` and then against `greedy`, and is measured against both on
matches of another seed. The same seed gives the same curve, here and on a server.
"""

import argparse
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from sengoku import BatchEnv, Client

HIDDEN, LANES, STEPS = 64, 256, 24
LEARNING_RATE, ENTROPY, LAMBDA, LONGEST = 2e-3, 0.01, 0.97, 1.0
TABLE = {"seats": 3, "autoreset": "same_step", "mask": "bool"}
TABLES = (("random", "random"), ("random", "greedy"), ("greedy", "greedy"))


class Thought:
    """What a policy makes of some observations: a probability for each legal action, and what it expects."""

    def __init__(self, weights: list[np.ndarray], seen: np.ndarray, legal: np.ndarray) -> None:
        first, first_bias, second, second_bias, value, value_bias = weights
        self.inputs = np.log1p(seen.astype(np.float32)) / 2  # most bytes are small counts
        self.hidden = np.maximum(self.inputs @ first + first_bias, 0)
        # Of thousands of actions a few are legal: only these get numbers, observation by observation.
        self.rows, self.actions = np.nonzero(legal)
        self.starts = np.searchsorted(self.rows, np.arange(len(seen)))
        numbers = np.einsum("ij,ij->i", self.hidden[self.rows], second[self.actions])
        numbers += second_bias[self.actions]
        numbers -= np.maximum.reduceat(numbers, self.starts)[self.rows]
        chances = np.exp(numbers)
        self.chances = chances / np.add.reduceat(chances, self.starts)[self.rows]
        self.expected = (self.hidden @ value + value_bias)[:, 0]

    def choose(self, chance: np.random.Generator) -> np.ndarray:
        """Draws a place among the legal actions for each observation."""
        total = self.chances.cumsum(dtype=np.float64)
        before = np.concatenate([[0.0], total])[self.starts]
        last = np.append(self.starts[1:], len(total)) - 1
        within = before + chance.random(len(last)) * (total[last] - before)
        return np.clip(np.searchsorted(total, within, side="right"), self.starts, last)


class Policy:
    """A hidden layer, a number for each action, and an expectation of the reward."""

    def __init__(self, size: int, actions: int, chance: np.random.Generator) -> None:
        def layer(rows: int, columns: int, scale: float) -> np.ndarray:
            return (chance.standard_normal((rows, columns)) * scale).astype(np.float32)

        self.weights = [
            layer(size, HIDDEN, 1.4 / size**0.5),
            np.zeros(HIDDEN, np.float32),
            layer(actions, HIDDEN, 0.1 / HIDDEN**0.5),
            np.zeros(actions, np.float32),
            layer(HIDDEN, 1, 0.1 / HIDDEN**0.5),
            np.zeros(1, np.float32),
        ]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._updates = 0

    def think(self, env) -> Thought:
        """Looks at all lanes."""
        return Thought(self.weights, env.observation, legal_of(env))

    def learn(self, seen, legal, places, gains, ends, speed: float) -> None:
        """Moves towards actions with a gain, and the expectation towards how it ended."""
        thought = Thought(self.weights, seen, legal)
        rows, actions, chances = thought.rows, thought.actions, thought.chances
        logs = np.log(np.maximum(chances, 1e-9))
        surprise = -np.add.reduceat(chances * logs, thought.starts)
        by_number = chances * gains[rows] + ENTROPY * chances * (logs + surprise[rows])
        by_number[places] -= gains
        by_number = (by_number / len(seen)).astype(np.float32)
        by_value = ((thought.expected - ends) / len(seen))[:, None].astype(np.float32)
        _, _, second, second_bias, value, _ = self.weights
        pulled = np.add.reduceat(by_number[:, None] * second[actions], thought.starts)
        by_hidden = (pulled + by_value @ value.T) * (thought.hidden > 0)
        # The same action is legal in many rows: its shares are added up, action by action.
        order = np.argsort(actions, kind="stable")
        known, begins = np.unique(actions[order], return_index=True)
        by_second, by_bias = np.zeros_like(second), np.zeros_like(second_bias)
        by_second[known] = np.add.reduceat(by_number[order, None] * thought.hidden[rows[order]], begins)
        by_bias[known] = np.add.reduceat(by_number[order], begins)
        slopes = [
            thought.inputs.T @ by_hidden,
            by_hidden.sum(axis=0),
            by_second,
            by_bias,
            thought.hidden.T @ by_value,
            by_value.sum(axis=0),
        ]
        length = sum(float((slope**2).sum()) for slope in slopes) ** 0.5
        self._move([slope * min(1.0, LONGEST / (length + 1e-9)) for slope in slopes], speed * LEARNING_RATE)

    def _move(self, slopes: list[np.ndarray], rate: float) -> None:
        """Takes a step of Adam."""
        self._updates += 1
        for place, slope in enumerate(slopes):
            mean = self._means[place] = 0.9 * self._means[place] + 0.1 * slope
            square = self._squares[place] = 0.999 * self._squares[place] + 0.001 * slope**2
            step = mean / (1 - 0.9**self._updates)
            self.weights[place] -= (
                LEARNING_RATE * step / (np.sqrt(square / (1 - 0.999**self._updates)) + 1e-8)
            )


def legal_of(env) -> np.ndarray:
    """Says what is legal; where a match is over every action will do, so the first one."""
    legal = env.legal.copy()
    legal[env.seat < 0, 0] = True
    return legal


def gather(env, policy: Policy, chance: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Plays some steps; gives of each what was seen, legal and done, its gain, and how it ended so far."""
    seen, legal, places, values, rewards, ends = [], [], [], [], [], []
    before = 0
    for _ in range(STEPS):
        seen.append(env.observation.copy())
        legal.append(legal_of(env))
        thought = Thought(policy.weights, seen[-1], legal[-1])
        chosen = thought.choose(chance)
        places.append(before + chosen)
        before += len(thought.rows)
        values.append(thought.expected)
        env.step(thought.actions[chosen])
        rewards.append(env.reward[:, 0].copy())
        ends.append(env.done.copy())
    values.append(policy.think(env).expected)
    gains, gain = np.zeros((STEPS, env.lanes), np.float32), np.zeros(env.lanes, np.float32)
    for step in reversed(range(STEPS)):
        going_on = ~ends[step]
        gain = rewards[step] + going_on * values[step + 1] - values[step] + LAMBDA * going_on * gain
        gains[step] = gain
    returns = gains + np.array(values[:-1])
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    return np.concatenate(seen), np.concatenate(legal), np.concatenate(places), gains.ravel(), returns.ravel()


def measure(policy: Policy, make, others: tuple[str, str], matches: int, seed: int) -> tuple[float, float]:
    """Gives the share of matches that the policy wins against a bot at the other seats, and its error."""
    chance = np.random.default_rng(seed)
    with closing(make(matches, seed=seed, bots=dict(enumerate(others, 1)), autoreset="disabled")) as env:
        env.reset()
        won = np.zeros(matches, np.bool_)
        while (env.seat >= 0).any():
            thought = policy.think(env)
            env.step(thought.actions[thought.choose(chance)])
            won |= env.reward[:, 0] == 1
    share = float(won.mean())
    return share, ((share * (1 - share) + 0.25 / matches) / matches) ** 0.5


def plot(curve: list[dict], switch: float, out: Path) -> None:
    """Draws the curve; needs matplotlib."""
    from matplotlib import rcParams  # noqa: PLC0415 - only where somebody wants to look
    from matplotlib.figure import Figure  # noqa: PLC0415

    rcParams["svg.hashsalt"] = "sengoku"
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    millions = np.array([row["decisions"] for row in curve]) / 1e6
    for bot, colour in (("random", "#2a6f97"), ("greedy", "#c1121f")):
        share, error = np.array([row[bot] for row in curve]).T
        axes.plot(millions, share, color=colour, label=f"against two {bot}")
        axes.fill_between(millions, share - 2 * error, share + 2 * error, color=colour, alpha=0.2, lw=0)
    axes.axhline(1 / 3, color="grey", lw=0.8, ls=":", label="a third")
    axes.axvline(switch / 1e6, color="grey", lw=0.8, label="from here on it learns against greedy")
    axes.set(xlabel="decisions learned from, in millions", ylabel="share of matches won, ± 2 standard errors")
    axes.set_ylim(0, 1)
    axes.set_title("tower, three seats: a policy with one hidden layer, in numpy")
    axes.legend(fontsize=8)
    figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else None)


def main() -> None:
    """Learns, measures, and draws."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--server", help="host:port of a server to play on; without one matches are played here"
    )
    parser.add_argument("--updates", type=int, default=900, help="how often the policy is moved")
    parser.add_argument("--measures", type=int, default=18, help="how often it is measured")
    parser.add_argument("--matches", type=int, default=400, help="matches of a measure")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, help="file for the learning curve: .svg or .png")
    wish = parser.parse_args()
    client = Client(wish.server) if wish.server else None

    def make(lanes: int, **options):
        options = TABLE | options
        return client.batch_env("tower", lanes, **options) if client else BatchEnv("tower", lanes, **options)

    chance = np.random.default_rng(wish.seed)
    switch = wish.updates * 6 // 10
    begun, curve = time.perf_counter(), []
    env = make(LANES, seed=wish.seed, bots=dict(enumerate(TABLES[0], 1)))
    policy = Policy(env.observation_size, env.action_count, chance)
    for update in range(wish.updates + 1):
        if update in {0, switch}:
            env.close()
            env = make(LANES, seed=wish.seed + update, bots=dict(enumerate(TABLES[bool(update)], 1)))
            env.reset()
        if update % max(1, wish.updates // wish.measures) == 0 or update == wish.updates:
            shares = [measure(policy, make, others, wish.matches, wish.seed + 10**6) for others in TABLES]
            curve.append((update * STEPS * LANES, shares))
            told = ", ".join(
                f"{' and '.join(o)} {share:.1%} ± {error:.1%}"
                for o, (share, error) in zip(TABLES, shares, strict=True)
            )
            print(
                f"{curve[-1][0]:>9,} decisions, {time.perf_counter() - begun:4.0f} s: wins against {told}",
                flush=True,
            )
        if update < wish.updates:
            policy.learn(*gather(env, policy, chance), speed=1 - 0.8 * update / wish.updates)
    env.close()
    if wish.out:
        plot(curve, switch * STEPS * LANES, wish.out)
        print(f"{wish.out}: the learning curve")
    if client:
        client.close()


if __name__ == "__main__":
    main()
