"""Reports of a tournament: Markdown, CSV, JSON, and one self-contained HTML file with tables and figures."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from sengoku.engine.words import name_text
from sengoku.tournament.interrupt import look
from sengoku.tournament.page import Cells, html_page
from sengoku.tournament.record import Record
from sengoku.tournament.standings import Cell, Table, Tables

__all__ = ["FORMATS", "cell", "facts", "heading"]

_PERCENT = ("points", "points_error", "wins", "wins_error", "score_of_first")
_BOARD = ("name", "game", "rules_version", "seats", "setup", "blocks")
_WORDS = {
    **dict.fromkeys(("elo_error", "points_error", "wins_error"), "±"),
    "skill_sigma": "sigma",
    "elo_low": "from",
    "elo_high": "to",
}


def facts(record: Record) -> dict[str, Any]:
    """Return what is needed to repeat the tournament: its specification, its rules and its seeds."""
    spec, isolation = record.spec, record.isolation()
    return {
        "name": record.name,
        "format": spec.format,
        "digest": spec.digest,
        "state": record.state.name.lower(),
        "bots": [
            bot.as_dict() | ({"played_in": isolation.get(bot.name, [])} if bot.local else {})
            for bot in spec.bots
        ],
        "boards": [
            {name: getattr(board, name) for name in _BOARD} | {"seed": None if record.hidden else seed}
            for board, seed in zip(spec.boards, record.seeds, strict=True)
        ],
    }


def to_json(record: Record, tables: Tables) -> str:
    """Return the facts and every table as JSON."""
    rows = {table.name: table.as_dicts() for table in tables.all()}
    return json.dumps({**facts(record), "matches": len(tables.matches), "tables": rows}, indent=1) + "\n"


def to_csv(_record: Record, tables: Tables) -> str:
    """Return the standings as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    standings = tables.standings()
    writer.writerow(standings.headings)
    writer.writerows([_not_a_formula(value) for value in row] for row in standings.rows)
    return text.getvalue()


def _not_a_formula(value: Cell) -> Cell:
    """Mark a text that a spreadsheet would compute, such as a bot named "=1+1", as a text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(tuple("=+-@\t\r")) else value


def _markdown_text(text: str) -> str:
    """Escape what Markdown would take for a table cell, a link, code or HTML."""
    return re.sub(r"([\\`*\[\]<>|])", r"\\\1", text)


def to_markdown(record: Record, tables: Tables) -> str:
    """Return every table as Markdown."""
    parts = [f"# {_markdown_text(record.name)}", "", _sentence(record, tables), ""]
    for table in tables.all():
        parts += [f"## {table.title}", "", *([table.remark, ""] if table.remark else [])]
        lines = [[_markdown_text(heading(name)) for name in table.headings], ["---"] * len(table.headings)]
        lines += [
            [_markdown_text(cell(name, value)) for name, value in zip(table.headings, row, strict=True)]
            for row in _looking(table)
        ]
        parts += [f"| {' | '.join(line)} |" for line in lines] + [""]
    parts += ["## Record", "", *(f"- {_markdown_text(line)}" for line in _record_lines(record)), ""]
    return "\n".join(parts)


def to_html(record: Record, tables: Tables) -> str:
    """Return one self-contained HTML file: tables, figures and the record."""
    words = Cells(heading, cell)
    return html_page(record.name, _sentence(record, tables), tables, _record_lines(record), words)


FORMATS: dict[str, Callable[[Record, Tables], str]] = {
    "md": to_markdown,
    "csv": to_csv,
    "json": to_json,
    "html": to_html,
}
"""Report formats by file suffix."""


def _sentence(record: Record, tables: Tables) -> str:
    spec = record.spec
    games = ", ".join(dict.fromkeys(board.game for board in spec.boards))
    boards = f" on {len(spec.boards)} boards" if len(spec.boards) > 1 else ""
    state = {"SUCCEEDED": "finished", "RUNNING": "not finished"}.get(
        record.state.name, record.state.name.lower()
    )
    about = f"A {name_text(spec.format)} of {len(spec.bots)} bots over {games}{boards}"
    return f"{about}: {len(tables.matches):,} matches; {state}."


def _record_lines(record: Record) -> list[str]:
    about = facts(record)
    lines = [f"digest of the tournament file: {about['digest']}"]
    for bot in about["bots"]:
        where = f", played in {'; then in '.join(bot['played_in'])}" if bot.get("played_in") else ""
        lines.append(f"{bot['name']}: {bot['kind']} {bot['source']}{where}")
    for board in about["boards"]:
        setup = json.dumps(board["setup"], ensure_ascii=False)[:200]
        seed = "hidden" if board["seed"] is None else board["seed"]
        rules = f"{board['game']}, rules version {board['rules_version']}, {board['seats']} seats"
        lines.append(f"{board['name']}: {rules}, seed {seed}, setup {setup}")
    return lines


def heading(name: str) -> str:
    """Return a column heading as people read it."""
    return _WORDS.get(name) or name_text(name)


def cell(name: str, value: Cell) -> str:
    """Return a value as people read it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and name in _PERCENT:
        return f"{value:.1%}"
    return f"{value:g}" if isinstance(value, float) and name == "bias_in_errors" else f"{value:,}"


def _looking(table: Table) -> Iterator[tuple[Cell, ...]]:
    """Iterate over the rows of a table; this can be interrupted."""
    for row in table.rows:
        look()
        yield row
