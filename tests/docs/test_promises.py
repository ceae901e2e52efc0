"""The page of promises: complete rows, and tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "service" / "promises.md"
COLUMNS = ["promise", "test", "figure", "date"]


def rows() -> list[list[str]]:
    """The rows of all tables, with the head of each."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("|")]
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|--")
    ]


PROMISES = [row for row in rows() if row != COLUMNS]


@cache
def names_in(path: str) -> frozenset[str]:
    """The tests in a file of Python or Rust."""
    text = (ROOT / path).read_text("utf-8")
    if path.endswith(".rs"):
        return frozenset(re.findall(r"#\[test\]\s+fn (\w+)\(", text))
    found = ast.walk(ast.parse(text))
    return frozenset(
        one.name for one in found if isinstance(one, ast.FunctionDef) and one.name[:5] == "test_"
    )


def test_there_are_promises() -> None:
    assert len(PROMISES) > 40
    assert rows().count(COLUMNS) == PAGE.read_text("utf-8").count("\n## ")


@pytest.mark.parametrize("row", PROMISES, ids=lambda row: row[0][:60])
def test_a_promise_has_a_test_a_figure_and_a_date(row: list[str]) -> None:
    assert len(row) == len(COLUMNS)
    assert all(row), "no cell is empty"
    _, tests, figure, date = row
    assert re.fullmatch(r"20\d\d-[01]\d-[0-3]\d", date)
    assert not re.fullmatch(r"[A-Z]+", figure), "a placeholder"
    named = re.findall(r"`([\w/.]+)::(\w+)`", tests)
    assert ", ".join(f"`{path}::{name}`" for path, name in named) == tests
    for path, name in named:
        assert (ROOT / path).is_file(), path
        assert name in names_in(path), f"{path} has no {name}"


def test_promises_are_not_repeated() -> None:
    assert len({row[0] for row in PROMISES}) == len(PROMISES)
