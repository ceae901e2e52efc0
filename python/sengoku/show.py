"""Results as tables and histograms in a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from sengoku.bench import Row
from sengoku.swords import Odds, title


def _bar(share: float, console: Console, width: int = 32) -> str:
    whole, eighths = divmod(round(float(share) * width * 8), 8)
    if not console.encoding.lower().startswith("utf"):
        return "#" * (whole + (eighths >= 4))
    return "█" * whole + " ▏▎▍▌▋▊▉"[eighths].strip()


def odds(odds: Odds, console: Console) -> None:
    """Prints odds as a table and histograms."""
    table = Table(title=title(odds.battle))
    table.add_column("end of the battle")
    table.add_column("probability", justify="right")
    table.add_column("", min_width=32)
    for name, chance in (
        ("attacker wins", odds.attacker_wins),
        ("defender wins", odds.defender_wins),
        ("both eliminated", odds.both_eliminated),
        ("called off", odds.called_off),
    ):
        table.add_row(name, f"{chance:.6f}", _bar(chance, console))
    if odds.method == "exact":
        table.caption = f"exact; {odds.rounds_mean:.3f} rounds on average"
    else:
        table.caption = (
            f"{odds.samples:,} battles sampled, standard error {odds.standard_error:.1e}; "
            f"{odds.rounds_mean:.3f} rounds on average"
        )
    console.print(table)
    for side, left in (("attacker", odds.attacker_units_left), ("defender", odds.defender_units_left)):
        low, middle, high = odds.percentiles(side, [5, 50, 95])
        histogram = Table(
            title=f"units left to the {side}", caption=f"5 %: {low}   median: {middle}   95 %: {high}"
        )
        histogram.add_column("units", justify="right")
        histogram.add_column("probability", justify="right")
        histogram.add_column("", min_width=32)
        for units, chance in enumerate(left):
            if chance > 0:
                histogram.add_row(str(units), f"{chance:.6f}", _bar(chance / max(left), console))
        console.print(histogram)


def figures(rows: Sequence[Row], title: str | None = None) -> Table:
    """Sets rows out as a table for people."""
    table = Table(title=title)
    table.add_column("work")
    table.add_column("figure", justify="right")
    table.add_column("unit")
    for row in rows:
        table.add_row(row.work, f"{row.figure:,.2f}" if row.figure < 1000 else f"{row.figure:,.0f}", row.unit)
    return table
