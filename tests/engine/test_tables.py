"""Tables of runs on a terminal: names are shown as they are."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from sengoku import run_matches
from sengoku.engine import tables

REPORT = run_matches("swords", bots=["random"], seats=3, match_count=2, setup={"max_rounds": 1})


@pytest.mark.parametrize("name", ["[red]x[/red]", "[/]", "[link=file:///]x", "a[b"])
def test_names_of_bots_are_no_markup(name: str) -> None:
    text = io.StringIO()
    report = replace(REPORT, bots=(name, "random", "random"))
    Console(file=text, width=200, force_terminal=False).print(tables.matches(report))
    assert name in text.getvalue()
