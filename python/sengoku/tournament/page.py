"""The HTML report of a tournament: one self-contained page with tables, figures and the record."""

import html
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from sengoku.tournament.interrupt import look
from sengoku.tournament.standings import LEVEL, Cell, Table, Tables

__all__ = ["Column", "html_page", "html_table", "merged_columns"]

_OPEN_ROWS = 24  # longer tables are collapsed, so that the page stays short
_STACKED_COLUMNS = 14  # on a phone, a row of at most so many columns becomes a list of names and values
_INK, _LINE = "#222222", "#cccccc"  # colours of the figures that follow the colours of the page


@dataclass(frozen=True)
class Column:
    """A column as the page shows it: a value, or a value with its error or its range."""

    heading: str
    sources: tuple[int, ...]
    """Indices of the columns of the table that it merges."""
    join: str = ""
    numeric: bool = True


def html_page(title: str, sentence: str, tables: Tables, record: Sequence[str], cells: "Cells") -> str:
    """Return the page; `record` says how to repeat the tournament."""
    body = [
        f"<header><h1>{html.escape(title)}</h1>",
        f"<p>{html.escape(sentence)}</p></header>",
        html_table(tables.standings(), cells),
        *([_pictures(tables)] if tables.matches else []),  # nothing to draw before the first block
        *(html_table(table, cells) for table in tables.all() if table.name != "standings"),
        "<section><h2>Record</h2><ul>",
        *(f"<li>{html.escape(line)}</li>" for line in record),
        "</ul></section>",
    ]
    style = resources.files("sengoku.tournament").joinpath("report.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<style>\n{style}</style></head>\n"
        f"<body><main>{chr(10).join(body)}</main></body></html>\n"
    )


@dataclass(frozen=True)
class Cells:
    """How headings and values are worded."""

    heading: Callable[[str], str]
    cell: Callable[[str, Cell], str]


def merged_columns(table: Table, heading: Callable[[str], str]) -> list[Column]:
    """Return the columns of the page: a value and its error are one, and so are the ends of a range."""
    place = {name: index for index, name in enumerate(table.headings)}
    columns: list[Column] = []
    done: set[int] = set()
    for index, name in enumerate(table.headings):
        if index in done:
            continue
        numeric = any(isinstance(row[index], int | float) for row in table.rows)
        low = name.removesuffix("_low")
        error = place.get(f"{name}_error", place.get(f"{name}_sigma"))
        if error is not None:
            column = Column(f"{heading(name)} ±", (index, error), " ± ")
        elif low != name and f"{low}_high" in place:
            column = Column(f"{heading(low)}, {LEVEL:.0%} interval", (index, place[f"{low}_high"]), " to ")
        else:
            column = Column(heading(name), (index,), numeric=numeric)
        columns.append(column)
        done.update(column.sources)
    return columns


def html_table(table: Table, cells: Cells) -> str:
    """Return a section with a table; roles keep it a table where a phone shows its rows as lists."""
    columns = merged_columns(table, cells.heading)
    stacked = len(columns) <= _STACKED_COLUMNS and not _is_square(table)
    heads = "".join(
        f'<th scope="col" role="columnheader"{_kind(column)}>{html.escape(column.heading)}</th>'
        for column in columns
    )
    rows = []
    for row in table.rows:
        look()
        values = (_value(table, column, row, cells) for column in columns)
        rows.append(f'<tr role="row">{"".join(map(_html_cell, columns, values))}</tr>')
    remark = f'<p class="remark">{html.escape(table.remark)}</p>' if table.remark else ""
    opened = " open" if len(table.rows) <= _OPEN_ROWS else ""
    name = html.escape(table.title)
    return (
        f"<section><details{opened}><summary><h2>{name}</h2></summary>"
        f'<div class="wide" role="region" aria-label="{name}" tabindex="0">'
        f'<table role="table" class="{"stacked" if stacked else "square"}">'
        f'<thead role="rowgroup"><tr role="row">{heads}</tr></thead>'
        f'<tbody role="rowgroup">{"".join(rows)}</tbody></table></div>{remark}</details></section>'
    )


def _is_square(table: Table) -> bool:
    """Whether the columns are the bots of the rows, so that rows are compared across many short cells."""
    return table.headings[1:] == tuple(row[0] for row in table.rows)


def _kind(column: Column) -> str:
    return ' class="number"' if column.numeric else ""


def _value(table: Table, column: Column, row: Sequence[Cell], cells: Cells) -> str:
    parts = [cells.cell(table.headings[source], row[source]) for source in column.sources]
    return column.join.join(part for part in parts if part)


def _html_cell(column: Column, value: str) -> str:
    label = html.escape(column.heading, quote=True)
    return f'<td role="cell" data-label="{label}"{_kind(column)}>{html.escape(value)}</td>'


def _pictures(tables: Tables) -> str:
    from sengoku.tournament.figures import FIGURES  # noqa: PLC0415 - they need an extra

    titles = ("Ratings", "Ratings over time", "Bot against bot", "Value of the seats")
    figures = (
        f'<figure tabindex="0"><figcaption>{title}</figcaption>{_svg(title, draw, tables)}</figure>'
        for title, draw in zip(titles, FIGURES.values(), strict=True)
    )
    return f'<section class="pictures">{"".join(figures)}</section>'


class _Text(io.StringIO):
    """Text that can be interrupted while it is written."""

    def write(self, text: str) -> int:
        look()
        return super().write(text)


def _svg(title: str, draw: Callable[[Tables], Any], tables: Tables) -> str:
    """Return a figure as inline SVG in the colours of the page; the same figure gives the same text."""
    from sengoku.tournament.figures import drawing  # noqa: PLC0415 - as above

    text = _Text()
    ink = dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), _INK
    )
    with drawing(**{"svg.fonttype": "none", "svg.id": None, **ink}):
        figure = draw(tables)
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :].replace(_INK, "var(--ink)").replace(_LINE, "var(--line)")
    return svg.replace("<svg", f'<svg role="img" aria-label="{html.escape(title)}"', 1)
