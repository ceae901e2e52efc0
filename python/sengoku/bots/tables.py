"""Reports of clocked play and of bot checks as tables for a terminal; imported only where one is shown."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sengoku.bots.check import CheckReport, GameCheck
from sengoku.bots.report import PlayReport
from sengoku.engine.words import count_text, share_text


def played(report: PlayReport) -> Table:
    """Return a table of the statistics of each player."""
    count = len(report)
    table = Table(title=f"{count_text(count, 'match', 'matches')} of {report.game}, seed {report.seed}")
    table.add_column("player")
    for name in ("seats", "won", "share", "mean rank", "forfeits", "seconds"):
        table.add_column(name, justify="right")
    for row in report.standings:
        forfeits = ", ".join(f"{why} {number:,}" for why, number in row.forfeits.items())
        table.add_row(
            escape(row.player),
            f"{row.played:,}",
            f"{row.wins:,}",
            share_text(row.win_rate, row.win_rate_error),
            f"{row.mean_rank:.2f}",
            forfeits or "0",
            f"{row.seconds:,.2f}",
        )
    nobody = sum(match.winner is None for match in report.matches)
    decisions = sum(match.decisions for match in report.matches) / max(1, count)
    table.caption = f"{nobody:,} without a winner; {decisions:,.0f} decisions on average"
    return table


def checked(report: CheckReport) -> Group:
    """Return the tables of a bot check, and its failures."""
    parts: list[RenderableType] = []
    for game in report.games:
        table = Table(title=f"{escape(report.bot)} in {game.game}, seed {report.seed}")
        table.add_column("check")
        for name in ("matches", "decisions"):
            table.add_column(name, justify="right")
        table.add_column("result")
        for row in game.rows:
            failed = ", ".join(f"{why} {number:,}" for why, number in row.failed.items())
            said = "passed" if row.passed else f"failed: {failed}" if failed else f"not played: {row.skipped}"
            matches = "-" if row.name == "again" else f"{row.matches:,}"
            table.add_row(row.name, matches, f"{row.decisions:,}", escape(said))
        parts += [table, *(Text(line) for line in _check_lines(game)), Text()]
    said = "passed" if report.passed else "failed"
    return Group(*parts, Text(f"{report.bot}: {said}", style="green" if report.passed else "red"))


def _check_lines(game: GameCheck) -> Iterator[str]:
    """Return the lines below the table of a check."""
    count = len(game.questions)
    yield f"questions: {count} of {count + len(game.questions_open)} points of play were reached" + (
        f"; never {', '.join(game.questions_open)}" if game.questions_open else ""
    )
    count = len(game.kinds)
    yield f"actions: {count} of {count + len(game.kinds_open)} kinds were offered" + (
        f"; never {', '.join(game.kinds_open)}" if game.kinds_open else ""
    )
    yield f"legal actions: {game.fewest_legal} to {game.most_legal}"
    yield f"slowest answer: {game.slowest:.3f} seconds"
    words = {True: "yes", False: "no", None: "unknown"}
    yield f"note: same answer to the same decision: {words[game.deterministic]}"
    yield f"note: a match goes the same alone and among others: {words[game.independent]}"
    if game.match_over:
        yield f"failed: match_over raised {game.match_over}"
    for failure in game.failures:
        setup = failure.setup if len(failure.setup) <= 80 else "a position"
        where = f"{failure.seats} seats, {setup}, seed {failure.seed}, match {failure.match_index}"
        asked = f" ({failure.question})" if failure.question else ""
        yield (
            f"failed: {failure.check}, {failure.reason}: {where}, seat {failure.seat}, "
            f"decision {failure.decision}{asked}: {failure.text}"
        )
