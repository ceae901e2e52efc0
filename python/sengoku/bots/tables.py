"""Reports of clocked play and of bot checks as tables for a terminal; imported only where one is shown."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sengoku.bots.check import CheckReport, GameCheck
from sengoku.bots.report import PlayReport
from sengoku.engine.result import Costs
from sengoku.engine.words import count_text, counts_text, name_text, share_text


def played(report: PlayReport) -> Table:
    """Return a table of the statistics of each player."""
    count = len(report)
    table = Table(title=f"{count_text(count, 'match', 'matches')} of {report.game}, seed {report.seed}")
    table.add_column("player")
    costly = any(row.costs != Costs() for row in report.standings)
    names = ("tokens", "illegal", "fallbacks") if costly else ()
    for name in ("seats", "won", "share", "mean rank", "forfeits", "seconds", *names):
        table.add_column(name, justify="right")
    for row in report.standings:
        costs = row.costs
        spent = (costs.prompt_tokens + costs.answer_tokens, costs.illegal, costs.fallbacks)
        table.add_row(
            escape(row.player),
            f"{row.played:,}",
            f"{row.wins:,}",
            share_text(row.win_rate, row.win_rate_error),
            f"{row.mean_rank:.2f}",
            counts_text(row.forfeits) or "0",
            f"{row.seconds:,.2f}",
            *(f"{count:,}" for count in spent[: len(names)]),
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
            failed = counts_text(row.failed)
            said = "passed" if row.passed else f"failed: {failed}" if failed else f"not played: {row.skipped}"
            matches = "-" if row.name == "again" else f"{row.matches:,}"
            table.add_row(row.name, matches, f"{row.decisions:,}", escape(said))
        parts += [table, *(Text(line) for line in _check_lines(game)), Text()]
    said = "passed" if report.passed else "failed"
    return Group(*parts, Text(f"{report.bot}: {said}", style="green" if report.passed else "red"))


def _check_lines(game: GameCheck) -> Iterator[str]:
    """Return the lines below the table of a check."""
    for what, seen, unseen in (
        ("questions: {} of {} points of play were reached", game.questions, game.questions_open),
        ("actions: {} of {} kinds were offered", game.kinds, game.kinds_open),
    ):
        never = f"; never {', '.join(map(name_text, unseen))}" if unseen else ""
        yield what.format(len(seen), len(seen) + len(unseen)) + never
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
        asked = f" ({name_text(failure.question)})" if failure.question else ""
        yield (
            f"failed: {failure.check}, {failure.reason}: {where}, seat {failure.seat}, "
            f"decision {failure.decision}{asked}: {failure.text}"
        )
