"""What luck as a control variate is worth to scores: coverage of 95 % intervals, and by how much they shrink.

Plays matches of `greedy` against `mix:greedy=90`, a pool for each game, and draws tournaments from the pool:
its mean is the true share. Usage: python tests/bench/luck_coverage.py [MATCHES] [GAME ...]
"""

import sys

import numpy as np

from sengoku import Match
from sengoku.tournament.luck import adjusted_mean, match_luck

BOTS = ("greedy", "mix:greedy=90")
SETUPS = {"swords": {"max_rounds": 6}, "tower": {}, "battles": {"scenario": 8}}
SEATS = {"swords": 2, "tower": 3, "battles": 2}
TOURNAMENTS, SIZE, QUANTILE = 4000, 40, 2.02


def pool(game: str, matches: int) -> tuple[np.ndarray, np.ndarray]:
    """Return share and luck of the first bot in each match; it changes seats."""
    shares, luck = [], []
    for number in range(matches):
        seats = SEATS[game]
        own = number % seats
        match = Match.create(game, seats=seats, seed=number, setup=SETUPS[game])
        match.play_on({seat: BOTS[seat != own] for seat in range(seats)})
        outcome = match.outcome
        assert outcome is not None
        shares.append((outcome.ranks[own] == 1) / outcome.ranks.count(1))
        luck.append(match_luck(match)[own])
    return np.array(shares), np.array(luck)


def main() -> None:
    """Prints a table."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    out = sys.stdout
    out.write("| game | matches | share | correlation | coverage | coverage without luck | interval |\n")
    out.write("|---|---|---|---|---|---|---|\n")
    for game in sys.argv[2:] or SETUPS:
        shares, luck = pool(game, matches)
        true, chance = shares.mean(), np.random.default_rng(7)
        covered, widths = np.zeros(2), np.zeros(2)
        for _ in range(TOURNAMENTS):
            drawn = chance.integers(0, matches, SIZE)
            plain = shares[drawn].mean(), shares[drawn].std(ddof=1) / SIZE**0.5
            adjusted = adjusted_mean(shares[drawn], luck[drawn] - luck.mean())
            for place, (mean, error) in enumerate((plain, adjusted)):
                covered[place] += abs(mean - true) <= QUANTILE * error
                widths[place] += error
        plain_share, adjusted_share = covered / TOURNAMENTS
        cells = (
            f"`{game}`", f"{matches}", f"{true:.1%}", f"{np.corrcoef(shares, luck)[0, 1]:.2f}",
            f"{plain_share:.1%}", f"{adjusted_share:.1%}", f"{widths[1] / widths[0]:.0%}",
        )  # fmt: skip
        out.write(f"| {' | '.join(cells)} |\n")
        out.flush()


if __name__ == "__main__":
    main()
