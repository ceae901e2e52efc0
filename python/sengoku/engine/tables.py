"""Reports of bulk runs as tables for a terminal; imported only where one is shown."""

from rich import box
from rich.markup import escape
from rich.table import Table

from sengoku.engine.report import MatchReport, Statistics
from sengoku.engine.survey import Survey
from sengoku.engine.words import count_text, counts_text, share_text


def narrow(title: str) -> Table:
    """Return an empty table with narrow columns, so that many fit a terminal."""
    return Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))


def matches(report: Statistics) -> Table:
    """Return a table of the wins of each seat; for a report also with mean ranks and scores."""
    count = count_text(len(report), "match", "matches")
    table = Table(title=f"{count} of {report.game}, seed {report.seed}")
    table.add_column("seat", justify="right")
    table.add_column("bot")
    table.add_column("won", justify="right")
    table.add_column("share", justify="right")
    if isinstance(report, MatchReport):
        table.add_column("mean rank", justify="right")
        table.add_column("mean score", justify="right")
    rows = zip(report.bots, report.wins, report.win_rate, report.win_rate_error, strict=True)
    for seat, (bot, wins, rate, error) in enumerate(rows):
        cells = [str(seat), escape(bot), f"{wins:,}", share_text(rate, error)]
        if isinstance(report, MatchReport):
            rank, score = report.ranks[:, seat].mean(), report.scores[:, seat].mean()
            cells += [f"{rank:.2f}", f"{score:,.1f}"]
        table.add_row(*cells)
    ends = counts_text(report.reason_counts)
    table.caption = (
        f"{report.draws:,} shared, {report.no_results:,} without result; {report.mean_rounds:,.1f} rounds "
        f"and {report.mean_decisions:,.0f} decisions on average; ends: {ends}"
    )
    return table


def survey(survey: Survey) -> Table:
    """Return a table of the wins in each scenario."""
    table = narrow(survey.title)
    table.add_column("id", justify="right", no_wrap=True)
    table.add_column("scenario", min_width=14)
    for seat, bot in enumerate(survey.reports[0].bots):
        table.add_column(f"seat {seat}\n{escape(bot)}", min_width=13)
    table.add_column("nobody", justify="right")
    table.add_column("rounds", justify="right")
    table.add_column("ends")
    for scenario, report in survey:
        shares = zip(report.win_rate, report.win_rate_error, strict=True)
        wins = [share_text(rate, error, digits=1) for rate, error in shares]
        if scenario.seats:
            wins = ["\n".join(both) for both in zip(scenario.seats, wins, strict=True)]
        ends = counts_text(report.reason_counts, "\n")
        nobody = f"{report.draws + report.no_results:,}"
        cells = (scenario.id, scenario.name, *wins, nobody, f"{report.mean_rounds:.1f}", ends)
        table.add_row(*map(escape, cells))
    return table
