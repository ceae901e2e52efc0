"""Plays matches in every scenario and writes `python/sengoku/engine/balance.json`.

`python -m tools.balance` takes some minutes; run it again after a change of rules or of the bot `greedy`.
"""

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from sengoku import games, run_matches, scenarios
from sengoku.engine.balance import FILE

TARGET = Path(__file__).parents[2] / "python/sengoku/engine" / FILE
BOT, SEED = "greedy", 1
MATCHES = {"battles": 2_000, "swords": 500, "tower": 2_000}
"""Matches of each scenario and number of seats."""


def rows(share: float, only: str | None) -> Iterator[dict[str, Any]]:
    """Play, and yield a row for each scenario and number of seats; rows of games besides `only` are kept."""
    date = datetime.now(UTC).date().isoformat()
    for game in games():
        if only not in {None, game.name}:
            yield from (row for row in json.loads(TARGET.read_text("utf-8")) if row["game"] == game.name)
            continue
        for scenario in scenarios(game.name):
            for seats in range(game.seats[0], game.seats[1] + 1):
                report = run_matches(
                    game.name,
                    bots=[BOT],
                    seats=seats,
                    match_count=max(1, round(share * MATCHES[game.name])),
                    seed=SEED,
                    setup=scenario.setup or {},
                )
                yield {
                    "game": game.name,
                    "scenario": scenario.id,
                    "rules_version": report.rules_version,
                    "bots": list(report.bots),
                    "seed": SEED,
                    "match_count": len(report),
                    "wins": report.wins.tolist(),
                    "draws": report.draws,
                    "no_results": report.no_results,
                    "rounds_sum": int(report.rounds.sum(dtype=np.int64)),
                    "date": date,
                }


def main() -> None:
    """Read the options, play and write the file."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--share", type=float, default=1.0, help="play this share of the matches")
    options.add_argument("--output", type=Path, default=TARGET, help="the file to write")
    options.add_argument("--game", help="play this game only")
    given = options.parse_args()
    lines = []
    for row in rows(given.share, given.game):
        lines.append(json.dumps(row))
        print(lines[-1], flush=True)
    given.output.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main()
