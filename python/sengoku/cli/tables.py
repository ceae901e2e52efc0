"""Tables and histograms for a terminal."""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sengoku.battles import EVENTS, StrikeOdds
from sengoku.battles import title as strike_title
from sengoku.engine.balance import Balance
from sengoku.engine.games import Game
from sengoku.engine.odds_table import OddsTable
from sengoku.engine.scenarios import Scenario
from sengoku.engine.spec import Spec
from sengoku.engine.tables import narrow
from sengoku.engine.words import count_text, share_text
from sengoku.swords import Odds, title
from sengoku.tower import ClashOdds, CubeTower, Model
from sengoku.tower import title as clash_title

if TYPE_CHECKING:
    from sengoku.cli.measure import Row
    from sengoku.engine.tower_fit import Interval, TowerFit
    from sengoku.tournament import Table as TournamentTable
    from sengoku.tournament.luck import BotLuck
    from sengoku.tournament.power import Needed

_WIDE = ("elo_low", "elo_high", "mean_rank")  # columns of a tournament table that are too much for a terminal


def table(columns: Iterable[str], rows: Iterable[Iterable[Any]], **settings: Any) -> Table:
    """Return a table; a column whose heading starts with ">" is aligned to the right."""
    shown = Table(**settings)
    for name in columns:
        shown.add_column(name.removeprefix(">"), justify="right" if name.startswith(">") else "left")
    for row in rows:
        shown.add_row(*row)
    return shown


def _bar(share: float, console: Console, width: int = 32) -> str:
    whole, eighths = divmod(round(float(share) * width * 8), 8)
    if not console.encoding.lower().startswith("utf"):
        return "#" * (whole + (eighths >= 4))
    return "█" * whole + " ▏▎▍▌▋▊▉"[eighths].strip()


def _bars(
    heading: str, chances: Mapping[str, float], console: Console, *, full: float = 1.0, **settings: Any
) -> None:
    """Print probabilities with bars; a bar of full length is `full`."""
    rows = ((name, f"{chance:.6f}", _bar(chance / full, console)) for name, chance in chances.items())
    shown = table((heading, ">probability", ""), rows, **settings)
    shown.columns[2].min_width = 32
    console.print(shown)


def _histograms(what: str, odds: Any, console: Console) -> None:
    """Print what is left to each side that can have something left: a leader and farmers cannot."""
    for side in ("attacker", "defender"):
        left = getattr(odds, f"{side}_{what}_left").tolist()
        if len(left) == 1 or (what == "armies" and left[0] == 1):
            continue
        low, middle, high = odds.percentiles(side, [5, 50, 95])
        caption = f"5 %: {low}   median: {middle}   95 %: {high}"
        chances = {str(units): chance for units, chance in enumerate(left) if chance > 0}
        title = f"{what} left to the {side}"
        _bars(f">{what}", chances, console, full=max(left), title=title, caption=caption)


def _method(odds: Any, what: str) -> str:
    """Return how odds were computed."""
    if getattr(odds, "method", "sampled") == "exact":
        return "exact"
    return f"{odds.samples:,} {what} sampled, standard error {odds.standard_error:.1e}"


def odds(odds: Odds, console: Console) -> None:
    """Print the odds of a battle as a table and histograms."""
    ends = {
        "attacker wins": odds.attacker_wins,
        "defender wins": odds.defender_wins,
        "both eliminated": odds.both_eliminated,
        "called off": odds.called_off,
    }
    caption = f"{_method(odds, 'battles')}; {odds.rounds_mean:.3f} rounds on average"
    _bars("end of the battle", ends, console, title=title(odds.battle), caption=caption)
    _histograms("units", odds, console)


def clash_odds(odds: ClashOdds, console: Console) -> None:
    """Print the odds of a clash as a table and histograms."""
    attacker = "revolt succeeds" if odds.clash.revolt else "attacker wins"
    ends = {attacker: odds.attacker_wins, "defender wins": odds.defender_wins, "draw": odds.none}
    heading, caption = clash_title(odds.clash), _method(odds, "throws")
    _bars("end of the clash", ends, console, title=heading, caption=caption)
    _histograms("armies", odds, console)


def odds_table(found: OddsTable, console: Console) -> None:
    """Print a table of odds: a row for each size of the attack, in percent."""
    columns = [f">{found.attacker_label}", *(f">{size}" for size in found.defenders.tolist())]
    rows = (
        (str(size), *(f"{100 * chance:.1f}" for chance in chances))
        for size, chances in zip(found.attackers.tolist(), found.chance.tolist(), strict=True)
    )
    error = float(found.standard_error.max())
    how = "exact" if error == 0 else f"standard error at most {error:.1e}"
    caption = f"columns: {found.defender_label}; {how}"
    console.print(
        table(columns, rows, title=f"{found.title}: {found.chance_label}, in percent", caption=caption)
    )


def needed(found: OddsTable, chance: float, numbers: Mapping[int, int | None], console: Console) -> None:
    """Print how many attackers are needed for a chance, for each size of the defence."""
    most = int(found.attackers.max())
    rows = (
        (str(size), f"more than {most}" if count is None else str(count)) for size, count in numbers.items()
    )
    heading = f">{found.attacker_label} needed"
    title = f"{found.title}: {found.chance_label} with {100 * chance:g} %"
    console.print(table((f">{found.defender_label}", heading), rows, title=title))


def strike_odds(odds: StrikeOdds, console: Console) -> None:
    """Print the odds of a strike as tables and histograms."""
    ends = {words: getattr(odds, name) for name, words in EVENTS.items() if getattr(odds, name) > 0}

    def mean(chances: Mapping[int, float]) -> float:
        return sum(number * chance for number, chance in chances.items())

    gains = [
        f"{side}: {mean(dict(enumerate(banners.tolist()))):.3f} banners, {mean(honor):+.3f} honor on average"
        for side, banners, honor in (
            ("attacker", odds.attacker_banners, odds.attacker_honor),
            ("defender", odds.defender_banners, odds.defender_honor),
        )
    ]
    caption = "\n".join([_method(odds, "strikes"), *gains])
    _bars("what comes of it", ends, console, title=strike_title(odds.strike), caption=caption)
    rolls = enumerate(zip_longest(odds.hits, odds.flags, odds.honor, fillvalue=0))
    rows = (
        (str(number), *(f"{chance:.6f}" if chance else "" for chance in chances))
        for number, chances in rolls
        if any(chances)
    )
    console.print(table((">number", ">hits", ">flags", ">honor"), rows, title="the attack rolls"))
    _histograms("blocks", odds, console)


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
    """Draw a tower after a throw: the cubes thrown, those on its shelves or boards, and those in the tray."""

    def heap(cubes: Mapping[str, int]) -> Text:
        return _cubes((colour for colour, count in cubes.items() for _ in range(count)), console)

    def counted(cubes: Mapping[str, int]) -> str:
        return ", ".join(f"{count} {colour}" for colour, count in cubes.items()) or "nothing"

    rows = [
        ("thrown", heap(thrown), counted(thrown)),
        *(
            (name, _cubes(shelf, console), f"{len(shelf)} cubes")
            for name, shelf in zip(device.shelf_names, device.shelves, strict=True)
        ),
        ("tray", heap(tray), counted(tray)),
    ]
    title = f"throw {device.throws} of seed {device.seed}"
    shown = table(("", "", ">"), rows, title=title, show_header=False, show_lines=True)
    shown.columns[1].min_width = 24
    if motion is not None:
        end = "stopped by its limit" if motion["timed_out"] else "at rest"
        pushes = count_text(motion["pushes"], "push", "pushes")
        shown.caption = f"{end} after {motion['seconds']:.2f} s, {pushes} in the funnel"
        if motion["shake_mm"]:
            shown.caption += f", shaken by {motion['shake_mm']:.1f} mm"
    console.print(shown)


def tower_fit(found: "TowerFit") -> Table:
    """Return a table of what counted throws imply about the fast tower."""

    def interval(name: str, value: "Interval", digits: int = 0) -> tuple[str, str, str]:
        low, high = (f"{bound:.{digits}f}" for bound in (value.low, value.high))
        return name, f"{value.value:.{digits}f}", f"{low} to {high}"

    places = ("upper shelf", "lower shelf")
    rows = [
        *(
            interval(f"stick_per_mille, {place}", value)
            for place, value in zip(places, found.stick_per_mille, strict=True)
        ),
        *(interval(f"dislodge, {place}", value) for place, value in zip(places, found.dislodge, strict=True)),
        interval("kept of a fill of 38, on average", found.fill_kept, 1),
    ]
    best = found.log_likelihoods[found.base]
    for name, value in sorted(found.log_likelihoods.items(), key=lambda item: -item[1]):
        odds = math.exp(min(best - value, 700.0))
        less = "explains the throws best" if name == found.base else f"{odds:.3g} times less probable"
        rows.append((f"set {name}", less, ""))
    rows += [(f"set {name}", "not compared: it has jams or three shelves", "") for name in found.not_compared]
    title = f"{count_text(found.throws, 'throw')}, the set {found.base} moved"
    shown = table(("", ">value", ">90 % interval"), rows, title=title)
    shelves = json.dumps(found.parameters)
    shown.caption = f"most probable: --parameters '{shelves}'"
    return shown


def games(rows: Sequence[Game]) -> Table:
    """Return a table of the games and their bots."""
    return table(
        ("game", "rules", "seats", "actions", "bots"),
        (
            (
                game.name,
                str(game.rules_version),
                "-".join(map(str, dict.fromkeys(game.seats))),
                f"{game.action_count:,}",
                "\n".join(f"{name}: {what}" for name, what in game.bots.items()),
            )
            for game in rows
        ),
    )


def scenario_list(rows: Sequence[Scenario], known: Sequence[Game], console: Console) -> None:
    """Print the scenarios, one table per game."""
    for game in known:
        own = [row for row in rows if row.game == game.name]
        if not own:
            continue
        # A fact that all of many scenarios share is printed once below the table instead of a column.
        many, facts = len(own) > 2, own[0].facts
        common = [name for name in facts if many and len({row.facts[name] for row in own}) == 1]
        shown = narrow(game.name)
        shown.add_column("id", justify="right")
        for name in ("name", *(name for name in facts if name not in common)):
            shown.add_column(re.sub(r" ([/+]) ", r" \1\n", name), overflow="fold")
        for row in own:
            shown.add_row(row.id, row.name, *(row.facts[name] for name in facts if name not in common))
        console.print(shown)
        for line in (*(f"{name} of all: {facts[name]}" for name in common), *game.scenario_remarks):
            console.print(Text(line))


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
    if scenario.balance:
        console.print()
        console.print(Text("Balance", style="bold"))
    for measured in scenario.balance:
        console.print(Text(_balance_line(measured)))


def _balance_line(measured: Balance) -> str:
    """Return the win rates by seat of a scenario, and how they were measured."""
    rates = zip(measured.win_rate, measured.win_rate_error, strict=True)
    shares = ", ".join(f"seat {seat} {share_text(*rate)}" for seat, rate in enumerate(rates))
    bots = ", ".join(sorted(set(measured.bots)))
    return f"{shares}; {measured.match_count:,} matches of {bots}, rules version {measured.rules_version}"


def spec(found: Spec, console: Console) -> None:
    """Print the layout of the observations of a game and its action table."""
    head = f"{found.game}, rules version {found.rules_version}"
    observed = f"{head}: an observation has {found.observation_size} bytes"
    actions = f"{head}: {found.action_count} actions, at most {found.max_legal_actions} legal at once"
    for heading, (columns, *rows) in ((observed, found.field_rows()), (actions, found.action_rows())):
        cells = (map(Text, row) for row in rows)
        console.print(
            table(columns, cells, title=heading, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        )


def tower_models(rows: Sequence[Model]) -> Table:
    """Return a table of the models of the cube tower."""
    cells = ((model.name, model.summary, ", ".join(model.parameter_sets)) for model in rows)
    return table(("model", "what it is", "sets of parameters"), cells)


def figures(rows: "Sequence[Row]", title: str | None = None) -> Table:
    """Return a table of measured figures."""
    cells = ((row.work, f"{row.figure:,.{2 if row.figure < 1000 else 0}f}", row.unit) for row in rows)
    return table(("work", ">figure", "unit"), cells, title=title)


def standings(results: "TournamentTable") -> Table:
    """Return a tournament table: each error beside its value, and no ranges, which need more room."""
    from sengoku.tournament.report import cell, heading  # noqa: PLC0415 - other tables do not need it

    columns: list[list[int]] = []
    for place, name in enumerate(results.headings):
        if name.endswith(("_error", "_sigma")):
            columns[-1].append(place)
        elif name not in _WIDE:
            columns.append([place])
    first = [places[0] for places in columns]
    numbers = {place for place in first if any(isinstance(row[place], int | float) for row in results.rows)}
    names = (">" * (place in numbers) + heading(results.headings[place]) for place in first)
    rows = (
        [
            escape(" ± ".join(filter(None, (cell(results.headings[place], row[place]) for place in places))))
            for places in columns
        ]
        for row in results.rows
    )
    return table(names, rows, title=results.title, box=box.SIMPLE_HEAD)


def matches_needed(rows: "Sequence[Needed]") -> Table:
    """Return how many matches comparisons of two bots need."""
    names = (">Elo", ">expected score", ">blocks", ">matches")
    cells = ((f"{row.elo:g}", f"{row.score:.1%}", f"{row.blocks:,}", f"{row.matches:,}") for row in rows)
    title = f"{rows[0].power:.0%} power, {rows[0].level:.0%} interval, effect {rows[0].effect:.2f}"
    return table(names, cells, title=title, box=box.SIMPLE_HEAD)


def luck(rows: "Sequence[BotLuck]") -> Group:
    """Return the luck of the bots of a tournament, and their ratings with and without it."""
    shares = (
        (
            escape(row.bot),
            str(row.matches),
            f"{row.luck:+.1%} ± {row.luck_error:.1%}",
            f"{row.share:.1%} ± {row.share_error:.1%}",
            f"{row.adjusted:.1%} ± {row.adjusted_error:.1%}",
        )
        for row in rows
    )
    ratings = (
        (
            escape(row.bot),
            f"{row.elo:+,.0f} ± {row.elo_error:,.0f}",
            f"{row.elo_adjusted:+,.0f} ± {row.elo_adjusted_error:,.0f}",
        )
        for row in rows
    )
    names = ("bot", ">matches", ">luck", ">share of victory", ">without luck")
    return Group(
        table(names, shares, box=box.SIMPLE_HEAD),
        table(("bot", ">Elo", ">without luck"), ratings, box=box.SIMPLE_HEAD),
    )
