"""Reports with many bots: bounded, and interrupted at once."""

import json

import pytest

from sengoku.errors import CancelledError
from sengoku.storage import Store
from sengoku.tournament import FORMATS, Record, Tables
from sengoku.tournament.figures import FIGURES
from sengoku.tournament.interrupt import interruptible
from sengoku.tournament.schedule import Schedule
from sengoku.tournament.standings import count_cells
from tests.tournament.kit import play, spec, stronger

MANY = spec(130, "gauntlet", blocks=1)


@pytest.fixture(scope="module")
def tables() -> Tables:
    return Tables(MANY, play(MANY, stronger([0.02 * bot for bot in range(130)])))


def test_tables_and_figures_of_many_bots_are_thinned_and_say_so(tables: Tables) -> None:
    crosstable = tables.crosstable()
    assert (len(crosstable.rows), len(crosstable.headings)) == (100, 101)
    assert crosstable.remark.endswith("Only the first 100 of 130 bots.")
    assert len(tables.standings().rows) == 130
    sizes = {name: draw(tables).get_size_inches().max() for name, draw in FIGURES.items()}
    assert max(sizes.values()) < 30, sizes
    with Store() as store:
        record = Record.create(store, MANY)
        page, text = (FORMATS[form](record, tables) for form in ("html", "md"))
        assert "the first 60 of 130 bots" in page
        assert page.count("Only the first 100 of 130 bots.") == text.count("Only the first 100 of 130") == 2
        told = json.loads(FORMATS["json"](record, tables))
        assert len(told["tables"]["superiority"]) == 100


def test_cells_are_known_before_the_work(tables: Tables) -> None:
    counted = sum(len(table.rows) * len(table.headings) for table in tables.all())
    assert 0.9 * counted <= count_cells(MANY) <= 1.5 * counted
    assert count_cells(MANY, whole=False) == 15 * 130
    for form in ("round_robin", "gauntlet", "knockout", "swiss"):
        made = spec(6, form, blocks=1, rounds=3)
        found = list(Schedule(made).rounds(play(made, stronger([0.1] * 6))))
        assert sum(len(one.meetings) for one, _ in found) <= Schedule(made).most_meetings(), form


def test_a_report_is_interrupted_wherever_it_is() -> None:
    made = spec(12, blocks=2)
    results = play(made, stronger([0.1 * bot for bot in range(12)]))
    looks = left = 0

    def check() -> None:
        nonlocal looks, left
        looks, left = looks + 1, left - 1
        if left == 0:
            raise CancelledError("the report was cancelled")

    with Store() as store:
        record = Record.create(store, made)
        with interruptible(check):
            FORMATS["html"](record, Tables(made, results))
            total = looks
            assert total > 5_000
            for place in range(1, total, total // 7):
                left = place
                tables = Tables(made, results)
                with pytest.raises(CancelledError):
                    FORMATS["html"](record, tables)
            # Tables that were interrupted are computed when they are needed again.
            assert FORMATS["csv"](record, tables) == FORMATS["csv"](record, Tables(made, results))
