"""The demonstration of `make run`: send a server work, draw the results, and leave a console running."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import Progress, track

from sengoku import swords, tower
from sengoku.cli import background, tables
from sengoku.client import Client
from sengoku.engine.games import SEARCHING
from sengoku.engine.report import MatchReport
from sengoku.errors import InternalError
from sengoku.figures import plot

_LARGEST = 15
_SAMPLES = 2_000_000
_MATCHES = 2_000
_MOST_DECISIONS = 600
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_PAGES = ("play", "odds", "tower", "games")
_PAGE_SECONDS = 30


@contextmanager
def _server() -> Iterator[str]:
    """Run `sengoku serve` in a separate process on a free port and yield its address."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        options = ["--port", "0", "--store", f"{folder}/runs.sqlite3"]
        command = [sys.executable, "-m", "sengoku.cli", "serve", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process:  # noqa: S603 - this program
            try:
                line = process.stdout.readline() if process.stdout else ""
                if not line.startswith("listening on "):
                    raise InternalError("the server did not start")
                yield line.removeprefix("listening on ").strip()
            finally:
                process.terminate()
                process.wait(timeout=60)


def _army(units: int) -> swords.Force:
    """Return an army: a daimyo, about a quarter bows, the rest half guns and half spears."""
    bows = max((units - 1) // 4, units - 11)
    ashigaru = units - 1 - bows
    return swords.Force(daimyo=1, bow=bows, gun=ashigaru // 2, spear=ashigaru - ashigaru // 2)


def run(output: Path, console: Console) -> None:
    """Run the demonstration and write its pictures into a folder."""
    with _server() as address, Client(address, timeout=120) as client:
        version = client.version()
        console.print(
            f"server at {address}: version {version['package_version']} ({version['build_profile']}, "
            f"{version['instruction_set']}), games: {', '.join(game['id'] for game in client.games())}"
        )
        table = _castles(client, console)
        battle = swords.Battle(
            swords.Force(daimyo=1, bow=2, gun=3, sword=2, spear=4),
            [swords.Force(daimyo=1, bow=2, spear=3), swords.Force(bow=1, spear=3)],
            naval=True,
            break_off_below=4,
        )
        odds = client.odds(battle)
        tables.odds(odds, console)
        _tower(client, console)
        boards = [_matches(client, game, output, console) for game in client.games()]
    map_file, odds_file = output / "swords_castle.png", output / "swords_odds.png"
    title = "chance to take a castle"
    plot.heat_map(table, map_file, title=title, rows="attacking units", columns="defending units", first=3)
    plot.odds(odds, odds_file)
    film_file = _film(output, console)
    console.print(f"pictures: {', '.join(map(str, (map_file, odds_file, film_file, *boards)))}")
    _console(output, console)


def _console(output: Path, console: Console) -> None:
    """Start a server with the web console, which stays, take screenshots of it, and print its address."""
    if (before := background.running()) is not None:
        background.stop(before)  # it may be of an older build
    server = background.start()
    shots = list(_screenshots(server.url, output))
    if shots:
        console.print(f"screenshots: {', '.join(map(str, shots))}")
    console.print(f"The console is at {server.url} (`sengoku down` stops it)", highlight=False)


def _screenshots(url: str, output: Path) -> Iterator[Path]:
    """Take pictures of pages with the browser of this machine, if there is one."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        return
    with tempfile.TemporaryDirectory() as profile:
        for page in _PAGES:
            file = output / f"console_{page}.png"
            command = [browser, "--headless=new", "--hide-scrollbars", "--disable-gpu", "--no-first-run"]
            if sys.platform != "win32" and os.geteuid() == 0:
                command.append("--no-sandbox")  # a browser of root cannot have one
            command += [f"--user-data-dir={profile}", "--window-size=1280,1000", "--virtual-time-budget=8000"]
            command += [f"--screenshot={file.absolute()}", f"{url}/{page}"]
            try:
                subprocess.run(command, capture_output=True, timeout=_PAGE_SECONDS, check=True)  # noqa: S603
            except (subprocess.SubprocessError, OSError):
                continue  # a picture is no reason to fail
            yield file


def _castles(client: Client, console: Console) -> npt.NDArray[np.float64]:
    """Sample attacks of every size on castles, and return the chances to take them."""
    sizes = range(3, _LARGEST + 1)
    table = np.zeros((len(sizes), len(sizes)))
    sampled, worst = 0, 0.0
    for row, attackers in enumerate(track(sizes, "swords: sampling battles", console=console)):
        battles = [swords.Battle(_army(attackers), _army(units), fort="castle") for units in sizes]
        batch = client.batch_odds(battles, method="sampled", samples=_SAMPLES, seed=attackers)
        exact = client.batch_odds(battles, method="exact")
        table[row] = batch.attacker_wins
        sampled += int(batch.samples.sum())
        worst = max(worst, float(np.abs(batch.attacker_wins - exact.attacker_wins).max()))
    console.print(f"{sampled:,} battles sampled; largest difference from exact odds: {worst:.1e}")
    return table


def _tower(client: Client, console: Console) -> None:
    """Throw cubes into a filled tower and compute the odds of the clash."""
    clash = tower.Clash(("blue", 4), ("yellow", 3), tray={"red": 1})
    remote = client.cube_tower(seed=7)
    remote.throw(tower.fill(4))
    tray = remote.throw(clash.thrown)
    tables.throw(clash.thrown, tray, tower.CubeTower.load(remote.save()), console)
    console.print(f"settled: {clash.settle(tray)}")
    tables.clash_odds(client.odds(clash, seed=7), console)


def _film(output: Path, console: Console) -> Path:
    """Film a throw into the rigid tower."""
    file, recorded = output / "tower_film.gif", tower.film({"blue": 4, "yellow": 3}, seed=7)
    with Progress(console=console) as bar:
        task = bar.add_task("tower: drawing a film")
        recorded.save(file, progress=lambda done, total: bar.update(task, completed=done, total=total))
    return file


def _matches(client: Client, entry: dict[str, Any], output: Path, console: Console) -> Path:
    """Play matches between bots, draw the board in the middle of one, and return the picture."""
    game, options = entry["id"], {"seats": min(4, entry["max_seats"]), "seed": 7}
    # A game lists its bots from the weakest to the strongest; searching bots are too slow here.
    quick = [bot["name"] for bot in entry["bots"] if bot["name"] != SEARCHING]
    request: dict[str, Any] = {"bots": [quick[-1], quick[0]], "match_count": _MATCHES, **options}
    with Progress(console=console) as bar:
        task = bar.add_task(f"{game}: {' against '.join(dict.fromkeys(request['bots']))}", total=_MATCHES)
        report = client.run_matches(
            game, **request, progress=lambda done, _total: bar.update(task, completed=done)
        )
    console.print(report)
    _long_run(client, game, request, report, console)
    middle = min(_MOST_DECISIONS, int(report.mean_decisions / 2))
    with client.create_match(game, **options) as match:
        choose = random.Random(7)  # noqa: S311 - a game
        while not match.over and match.decisions < middle:
            match.play(choose.choice(match.legal_actions()))
        file = output / f"{game}_board.svg"
        match.picture().save(file)
        stands = "over" if match.over else f"seat {match.to_act} to act"
        console.print(f"{game}: one match after {match.decisions} decisions, {stands}: {file}")
    return file


def _long_run(
    client: Client, game: str, request: dict[str, Any], report: MatchReport, console: Console
) -> None:
    """Play the same matches as a long run: start it, watch it until it is over, compare its report."""
    run = client.start_run(game, **request)
    console.print(f"{game}: started {run.name}", highlight=False)
    with Progress(console=console) as bar:
        task = bar.add_task(f"{game}: watching", total=_MATCHES)
        for status in run.watch():
            bar.update(task, completed=status.matches_done)
    summary = run.wait()
    if run.report() != report:
        raise InternalError(f"{run.name} has a different report than the call before")
    shares = ", ".join(f"{rate:.1%}" for rate in summary.win_rate)
    played = f"{summary.match_count:,} matches and {summary.decisions_sum:,} decisions"
    text = f"{game}: finished, {played}, won by seat: {shares}; the same report as before"
    console.print(text, highlight=False)
    run.delete()
