"""The HTML report: every column, every board, and a bot that won everything."""

import re

import pytest

from sengoku.storage import Store
from sengoku.tournament import FORMATS, Record, Tables
from sengoku.tournament.figures import seats
from sengoku.tournament.page import merged_columns
from sengoku.tournament.report import heading
from tests.tournament.kit import play, spec, stronger


def test_a_bot_that_won_every_match_has_won_all_of_them_however_many_seats_it_held() -> None:
    made = spec(2, seats=4, blocks=3)
    tables = Tables(made, play(made, stronger([0, 1000])))
    first, last = tables.standings().as_dicts()
    assert (first["bot"], first["wins"]) == ("bot1", 1)
    assert (last["bot"], last["wins"]) == ("bot0", 0)
    assert {row["wins"] for row in tables.boards().as_dicts()} == {0, 1}
    assert sum(row["wins"] for row in tables.seats().as_dicts()) == pytest.approx(
        1, abs=1e-3
    )  # of the seats, one wins each match


def test_a_value_and_its_error_are_one_column_and_no_value_is_left_out() -> None:
    made = spec(3)
    tables = Tables(made, play(made, stronger([0, 1, 2])))
    for table in tables.all():
        columns = merged_columns(table, heading)
        assert sorted(source for column in columns for source in column.sources) == [
            *range(len(table.headings))
        ]
    columns = merged_columns(tables.standings(), heading)
    assert [column.heading for column in columns[:4]] == ["place", "bot", "elo ±", "elo, 95% interval"]
    assert len(columns) == 10
    with Store() as store:
        page = FORMATS["html"](Record.create(store, made), tables)
    # The rows of a phone name their values.
    row = re.search(r"<tr role=\"row\"><td.*?</tr>", page)
    assert row is not None
    assert [label.split(",")[0] for label in re.findall(r'data-label="([^"]*)"', row[0])] == [
        column.heading.split(",")[0] for column in columns
    ]


def test_the_picture_of_the_seats_has_every_board_or_says_which() -> None:
    made = spec(2, blocks=1, boards=40)
    figure = seats(Tables(made, play(made, stronger([0, 1]))))
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == [f"board{place}" for place in reversed(range(40))]
    assert figure.axes[0].get_title() == ""
    made = spec(2, blocks=1, boards=70)
    figure = seats(Tables(made, play(made, stronger([0, 1]))))
    assert figure.axes[0].get_title() == "the first 60 of 70 boards"
