"""The balance of scenarios: kept for every number of seats, and counted again from the same seed."""

import pytest

from sengoku import build_info, games, run_matches, scenario, scenarios
from sengoku.engine.balance import Balance, balance


def test_every_scenario_has_a_balance_for_every_number_of_seats() -> None:
    versions = build_info()["rules_versions"]
    for game in games():
        for known in scenarios(game.name):
            assert [len(row.wins) for row in known.balance] == [*range(game.seats[0], game.seats[1] + 1)]
            for row in known.balance:
                assert sum(row.wins) + row.draws + row.no_results == row.match_count
                assert len(row.bots) == len(row.wins)
                assert row.rules_version <= versions[game.name]
            assert known.as_dict()["balance"] == [row.as_dict() for row in known.balance]
    assert balance("battles", "") == ()


def test_shares_and_errors_are_those_of_a_report() -> None:
    row = Balance(2, ("greedy", "greedy"), 1, 4, (3, 0), 1, 0, 40, "2026-11-19")
    assert row.win_rate == [0.75, 0.0]
    assert row.win_rate_error == pytest.approx([0.2291, 0.15], abs=1e-4)


@pytest.mark.system
@pytest.mark.parametrize(
    ("game", "name"), [("battles", 1), ("battles", 32), ("tower", "sun"), ("swords", "japan")]
)
def test_the_balance_can_be_counted_again(game: str, name: str | int) -> None:
    known = scenario(name, game)
    row = known.balance[0]
    report = run_matches(
        game,
        bots=["greedy"],
        seats=len(row.wins),
        match_count=row.match_count,
        seed=row.seed,
        setup=known.setup,
    )
    assert report.rules_version == row.rules_version, "count again with python -m tools.balance"
    assert (*report.wins.tolist(), report.draws, report.no_results) == (*row.wins, row.draws, row.no_results)
    assert int(report.rounds.sum()) == row.rounds_sum
