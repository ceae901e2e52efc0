"""Tables and histograms for a terminal."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sengoku.battles import EVENTS, StrikeOdds
from sengoku.battles import title as strike_title
from sengoku.engine.games import Game
from sengoku.engine.scenarios import Scenario
from sengoku.engine.spec import Spec
from sengoku.engine.tables import narrow
from sengoku.swords import Odds, title
from sengoku.tower import ClashOdds, CubeTower, Model
from sengoku.tower import title as clash_title

if TYPE_CHECKING:
    from sengoku.cli.measure import Row
    from sengoku.tournament import Table as TournamentTable

_WIDE = ("elo_low", "elo_high", "mean_rank")
"""Columns of a tournament table that are too much for a terminal."""


def _bar(share: float, console: Console, width: int = 32) -> str:
    whole, eighths = divmod(round(float(share) * width * 8), 8)
    if not console.encoding.lower().startswith("utf"):
        return "#" * (whole + (eighths >= 4))
    return "█" * whole + " ▏▎▍▌▋▊▉"[eighths].strip()


def _ends(title: str, what: str, ends: Mapping[str, float], caption: str, console: Console) -> None:
    """Print the probability of each end."""
    table = Table(title=title, caption=caption)
    table.add_column(what)
    table.add_column("probability", justify="right")
    table.add_column("", min_width=32)
    for name, chance in ends.items():
        table.add_row(name, f"{chance:.6f}", _bar(chance, console))
    console.print(table)


def odds(odds: Odds, console: Console) -> None:
    """Print the odds of a battle as a table and histograms."""
    ends = {
        "attacker wins": odds.attacker_wins,
        "defender wins": odds.defender_wins,
        "both eliminated": odds.both_eliminated,
        "called off": odds.called_off,
    }
    sampled = f"{odds.samples:,} battles sampled, standard error {odds.standard_error:.1e}"
    caption = f"{'exact' if odds.method == 'exact' else sampled}; {odds.rounds_mean:.3f} rounds on average"
    _ends(title(odds.battle), "end of the battle", ends, caption, console)
    for side, left in (("attacker", odds.attacker_units_left), ("defender", odds.defender_units_left)):
        _histogram("units", side, left.tolist(), odds.percentiles(side, [5, 50, 95]), console)


def _histogram(
    what: str, side: str, left: Sequence[float], percentiles: Sequence[int], console: Console
) -> None:
    """Print the probability of each number of units left."""
    low, middle, high = percentiles
    histogram = Table(
        title=f"{what} left to the {side}", caption=f"5 %: {low}   median: {middle}   95 %: {high}"
    )
    histogram.add_column(what, justify="right")
    histogram.add_column("probability", justify="right")
    histogram.add_column("", min_width=32)
    for units, chance in enumerate(left):
        if chance > 0:
            histogram.add_row(str(units), f"{chance:.6f}", _bar(chance / max(left), console))
    console.print(histogram)


def clash_odds(odds: ClashOdds, console: Console) -> None:
    """Print the odds of a clash as a table and histograms."""
    attacker = "revolt succeeds" if odds.clash.revolt else "attacker wins"
    ends = {attacker: odds.attacker_wins, "defender wins": odds.defender_wins, "draw": odds.none}
    caption = f"{odds.samples:,} throws sampled, standard error {odds.standard_error:.1e}"
    _ends(clash_title(odds.clash), "end of the clash", ends, caption, console)
    for side, left in (("attacker", odds.attacker_armies_left), ("defender", odds.defender_armies_left)):
        if left[0] < 1:
            percentiles = odds.percentiles(side, [5, 50, 95])
            _histogram("armies", side, left.tolist(), percentiles, console)


def strike_odds(odds: StrikeOdds, console: Console) -> None:
    """Print the odds of a strike as tables and histograms."""
    ends = {words: getattr(odds, name) for name, words in EVENTS.items() if getattr(odds, name) > 0}
    sampled = f"{odds.samples:,} strikes sampled, standard error {odds.standard_error:.1e}"

    def mean(chances: Mapping[int, float]) -> float:
        return sum(number * chance for number, chance in chances.items())

    gains = [
        f"{side}: {mean(dict(enumerate(banners.tolist()))):.3f} banners, {mean(honor):+.3f} honor on average"
        for side, banners, honor in (
            ("attacker", odds.attacker_banners, odds.attacker_honor),
            ("defender", odds.defender_banners, odds.defender_honor),
        )
    ]
    caption = "\n".join(["exact" if odds.method == "exact" else sampled, *gains])
    _ends(strike_title(odds.strike), "what comes of it", ends, caption, console)
    console.print(_rolled({"hits": odds.hits, "flags": odds.flags, "honor": odds.honor}))
    for side, left in (("attacker", odds.attacker_blocks_left), ("defender", odds.defender_blocks_left)):
        if len(left) > 1:
            _histogram("blocks", side, left.tolist(), odds.percentiles(side, [5, 50, 95]), console)


def _rolled(columns: Mapping[str, npt.NDArray[np.float64]]) -> Table:
    """Return the probabilities of what the attack of a strike rolls."""
    table = Table(title="the attack rolls")
    table.add_column("number", justify="right")
    for name in columns:
        table.add_column(name, justify="right")
    for number in range(max(map(len, columns.values()))):
        chances = [column[number] if number < len(column) else 0 for column in columns.values()]
        if any(chances):
            table.add_row(str(number), *(f"{chance:.6f}" if chance else "" for chance in chances))
    return table


_STYLES = {
    "red": "red",
    "blue": "blue",
    "yellow": "yellow",
    "purple": "magenta",
    "black": "bright_black",
    "farmer": "green",
}


def _cubes(colours: Iterable[str], console: Console) -> Text:
    """Return cubes in their colours; without colours as their first letters (k is black)."""
    text = Text()
    utf = console.encoding.lower().startswith("utf")
    for colour in colours:
        letter = "k" if colour == "black" else colour[0]
        text.append("■ " if utf and console.color_system else f"{letter} ", _STYLES[colour])
    return text


def throw(
    thrown: Mapping[str, int],
    tray: Mapping[str, int],
    device: CubeTower,
    console: Console,
    motion: Mapping[str, Any] | None = None,
) -> None:
    """Draw a tower after a throw: the cubes thrown, those on its shelves or plates, and those in the tray."""
    names = {
        "shelves": ("upper shelf", "lower shelf", "lowest shelf"),
        "rigid": ("upper plate", "lower plate", "ramp"),
    }[device.model]

    def heap(cubes: Mapping[str, int]) -> Text:
        return _cubes((colour for colour, count in cubes.items() for _ in range(count)), console)

    def counted(cubes: Mapping[str, int]) -> str:
        return ", ".join(f"{count} {colour}" for colour, count in cubes.items()) or "nothing"

    table = Table(title=f"throw {device.throws} of seed {device.seed}", show_header=False, show_lines=True)
    table.add_column()
    table.add_column(min_width=24)
    table.add_column(justify="right")
    table.add_row("thrown", heap(thrown), counted(thrown))
    for number, shelf in enumerate(device.shelves):
        table.add_row(names[number], _cubes(shelf, console), f"{len(shelf)} cubes")
    table.add_row("tray", heap(tray), counted(tray))
    if motion is not None:
        end = "stopped by its limit" if motion["timed_out"] else "at rest"
        pushes = motion["pushes"]
        table.caption = (
            f"{end} after {motion['seconds']:.2f} s, {pushes} push{'es' * (pushes != 1)} in the funnel"
        )
    console.print(table)


def games(rows: Sequence[Game]) -> Table:
    """Return a table of the games and their bots."""
    table = Table()
    for name in ("game", "rules", "seats", "actions", "bots"):
        table.add_column(name)
    for game in rows:
        seats, bots = "-".join(map(str, game.seats)), [f"{name}: {what}" for name, what in game.bots.items()]
        table.add_row(game.name, str(game.rules_version), seats, f"{game.action_count:,}", "\n".join(bots))
    return table


def scenario_list(rows: Sequence[Scenario], known: Sequence[Game], console: Console) -> None:
    """Print the scenarios, one table per game."""
    for game in known:
        own = [row for row in rows if row.game == game.name]
        if not own:
            continue
        table = narrow(game.name)
        table.add_column("id", justify="right")
        table.add_column("name", overflow="fold")
        # A fact that all of many scenarios share is printed once below the table instead of a column.
        common = {
            name for name in own[0].facts if len(own) > 2 and len({row.facts[name] for row in own}) == 1
        }
        shown = [name for name in own[0].facts if name not in common]
        for name in shown:
            table.add_column(re.sub(r" ([/+]) ", r" \1\n", name), overflow="fold")
        for row in own:
            table.add_row(row.id, row.name, *(row.facts[name] for name in shown))
        console.print(table)
        for name in [name for name in own[0].facts if name in common]:
            console.print(Text(f"{name} of all: {own[0].facts[name]}"))
        for remark in game.scenario_remarks:
            console.print(Text(remark))


def scenario_sheet(scenario: Scenario, console: Console) -> None:
    """Print a scenario: its facts, its board and its chapters."""
    head = f"{scenario.id}. {scenario.name}" if scenario.id else scenario.name
    console.print(Text(head, style="bold"), Text(f"{scenario.game}; {scenario.source}"), sep="\n")
    if scenario.setup is not None:
        console.print(Text(f"setup {json.dumps(scenario.setup)}"))
    facts = {name: value.replace("\n", ", ") for name, value in scenario.facts.items() if value}
    console.print(Text("; ".join(f"{name}: {value}" for name, value in facts.items())))
    sketch = scenario.sketch
    if sketch:
        console.print()
        console.print(sketch, crop=False, no_wrap=True, overflow="ignore")
    for heading, paragraphs in scenario.chapters.items():
        console.print()
        console.print(Text(heading, style="bold"))
        for paragraph in paragraphs:
            console.print(Text(paragraph if len(paragraphs) == 1 else f"- {paragraph}"))


def spec(found: Spec, console: Console) -> None:
    """Print the layout of the observations of a game and its action table."""
    head = f"{found.game}, rules version {found.rules_version}"
    observed = f"{head}: an observation has {found.observation_size} bytes"
    table = f"{head}: {found.action_count} actions, at most {found.max_legal_actions} legal at once"
    for heading, rows in ((observed, found.field_rows()), (table, found.action_rows())):
        shown = Table(title=heading, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        for name in rows[0]:
            shown.add_column(name)
        for row in rows[1:]:
            shown.add_row(*(Text(cell) for cell in row))
        console.print(shown)


def tower_models(rows: Sequence[Model]) -> Table:
    """Return a table of the models of the cube tower."""
    table = Table()
    for name in ("model", "what it is", "sets of parameters"):
        table.add_column(name)
    for model in rows:
        table.add_row(model.name, model.summary, ", ".join(model.parameter_sets))
    return table


def figures(rows: "Sequence[Row]", title: str | None = None) -> Table:
    """Return a table of measured figures."""
    table = Table(title=title)
    table.add_column("work")
    table.add_column("figure", justify="right")
    table.add_column("unit")
    for row in rows:
        table.add_row(row.work, f"{row.figure:,.2f}" if row.figure < 1000 else f"{row.figure:,.0f}", row.unit)
    return table


def standings(table: "TournamentTable") -> Table:
    """Return a tournament table: each error beside its value, and no ranges, which need more room."""
    from sengoku.tournament.report import cell, heading  # noqa: PLC0415 - other tables do not need it

    shown = Table(title=table.title, box=box.SIMPLE_HEAD)
    columns: list[list[int]] = []
    for place, name in enumerate(table.headings):
        if name.endswith(("_error", "_sigma")):
            columns[-1].append(place)
        elif name not in _WIDE:
            columns.append([place])
    for places in columns:
        number = any(isinstance(row[places[0]], int | float) for row in table.rows)
        shown.add_column(heading(table.headings[places[0]]), justify="right" if number else "left")
    for row in table.rows:
        cells = (
            " ± ".join(filter(None, (cell(table.headings[place], row[place]) for place in places)))
            for places in columns
        )
        shown.add_row(*map(escape, cells))
    return shown
