"""Luck of the bots of a tournament, and scores from which it is taken out."""

import json
import math
from pathlib import Path

import numpy as np

from sengoku.storage import Store
from sengoku.tournament import Record
from sengoku.tournament.luck import adjusted_mean, luck_table
from support.cli import run

SPEC = """
name = "lucky"
seed = 5
blocks = 4
bots = [{name = "greedy"}, {name = "random"}]
games = [{game = "battles", scenarios = [8]}]
"""


def test_luck_of_a_tournament(tmp_path: Path) -> None:
    file = tmp_path / "lucky.toml"
    file.write_text(SPEC, "utf-8")
    run("tournament", "run", str(file))
    with Store(file.with_suffix(".sqlite3")) as store:
        record = Record.open(store, "lucky")
        rows = luck_table(record)
        assert [(row.bot, row.matches) for row in rows] == [("greedy", 8), ("random", 8)]
        # Whoever is lucky, the other is unlucky, and so it is with their shares.
        assert math.isclose(rows[0].luck, -rows[1].luck, abs_tol=1e-4)
        for values in ("share", "adjusted"):
            assert math.isclose(sum(getattr(row, values) for row in rows), 1, abs_tol=1e-6)
        assert all(row.luck_error > 0 for row in rows)
        assert luck_table(record, most=2)[0].matches == 2
        shown = json.loads(run("tournament", "luck", str(file), "--json").stdout)
        assert [row["luck"] for row in shown] == [row.luck for row in rows]
    assert "without luck" in run("tournament", "luck", str(file)).stdout


def test_intervals_cover_what_they_should() -> None:
    # Tournaments of 120 matches whose results are strength, luck that is measured with an error, and noise.
    chance, true, covered, widths = np.random.default_rng(7), 0.58, [0, 0], [0.0, 0.0]
    expected = float(np.mean(np.clip(true + chance.normal(0, 0.35, 10**6), 0, 1)))
    for _ in range(2000):
        luck = chance.normal(0, 0.35, 120)
        shares = (chance.random(120) < np.clip(true + luck, 0, 1)).astype(float)
        measured = luck + chance.normal(0, 0.1, 120)
        plain = shares.mean(), math.sqrt(shares.var(ddof=1) / 120)
        for place, (mean, error) in enumerate((plain, adjusted_mean(shares, measured))):
            covered[place] += abs(mean - expected) < 1.98 * error
            widths[place] += error / 2000
    assert all(0.935 < count / 2000 < 0.965 for count in covered), covered
    assert widths[1] < 0.85 * widths[0]


def test_matches_of_a_cluster_count_together() -> None:
    shares, none = np.array([1.0, 0.0] * 10), np.zeros(20)
    alone, together = (adjusted_mean(shares, none, keys)[1] for keys in (None, [n // 2 for n in range(20)]))
    assert alone > 0.1
    assert together == 0, "a win and a loss of a pair cancel out"
