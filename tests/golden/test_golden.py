"""Golden files say what the engine says; `make goldens` rewrites them."""

import re
from pathlib import Path

import pytest

from golden.regenerate import FILES, FOLDER, PAGES, PICTURE, content, draw, fresh


@pytest.mark.parametrize("name", FILES)
def test_golden_file(name: str) -> None:
    assert content(name) == (FOLDER / name).read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_the_tables_of_a_page_are_fresh(page: Path) -> None:
    text = page.read_text("utf-8")
    assert fresh(page, text) == text


def test_the_picture_shows_what_it_should(tmp_path: Path) -> None:
    """Every text in the picture, numbers and all; strokes may differ in the last digit between machines."""
    draw(tmp_path / PICTURE)
    old, new = (
        re.findall("<!-- (.*) -->", (folder / PICTURE).read_text("utf-8")) for folder in (FOLDER, tmp_path)
    )
    assert new == old
    assert "15.1%" in new
