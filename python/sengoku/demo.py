"""What `make run` shows: a server started, real work sent to it through the client, results and pictures."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress, track

from sengoku import plot, show, swords
from sengoku.client import Client
from sengoku.engine import games
from sengoku.errors import InternalError

_LARGEST = 15
_SAMPLES = 2_000_000
_MATCHES = 400
_DECISIONS = 400


@contextmanager
def _server() -> Iterator[str]:
    """Runs `sengoku serve` as a process of its own on a free port and gives its address."""
    command = [sys.executable, "-m", "sengoku.cli", "serve", "--port", "0"]
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,  # noqa: S603 - ours
    ):
        try:
            line = process.stdout.readline() if process.stdout else ""
            if not line.startswith("listening on "):
                raise InternalError("the server did not start")
            yield line.removeprefix("listening on ").strip()
        finally:
            process.terminate()
            process.wait(timeout=60)


def _army(units: int) -> swords.Force:
    """An army of some units: a daimyo, about a quarter bowmen, the rest gunners and spearmen by halves."""
    bows = max((units - 1) // 4, units - 11)
    ashigaru = units - 1 - bows
    return swords.Force(daimyo=1, bow=bows, gun=ashigaru // 2, spear=ashigaru - ashigaru // 2)


def _matches(client: Client, output: Path, console: Console) -> None:
    """Lets bots play matches of every game on the server, and leaves the board of one of them."""
    for game in games():
        seats, bots = min(4, game.seats[1]), list(reversed(game.bots))[:2]
        label = f"{game.name}: {_MATCHES} matches, {bots[0]} against {bots[-1]}"
        with Progress(console=console) as bar:
            task = bar.add_task(label, total=_MATCHES)
            report = client.run_matches(
                game.name,
                bots=bots,
                seats=seats,
                match_count=_MATCHES,
                seed=7,
                progress=lambda done, _: bar.update(task, completed=done),
            )
        console.print(report)
        with client.create_match(game.name, seats=seats, seed=7) as match:
            while not match.over and match.decisions < _DECISIONS:
                legal = match.legal_actions()
                match.play(legal[match.decisions * 7 % len(legal)])
            board = output / f"{game.name}_board.svg"
            match.picture().save(board)
            console.print(f"{game.name}: the board after {match.decisions} decisions is in {board}")


def run(output: Path, console: Console) -> None:
    """Runs the demonstration and leaves its pictures in a folder."""
    with _server() as address, Client(address, timeout=120) as client:
        version = client.version()
        console.print(
            f"server at {address}: version {version['package_version']} ({version['build_profile']}, "
            f"{version['instruction_set']}), games: {', '.join(game['id'] for game in client.games())}"
        )
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
        console.print(f"{sampled:,} battles sampled; largest difference from the exact odds: {worst:.1e}")

        battle = swords.Battle(
            swords.Force(daimyo=1, bow=2, gun=3, sword=2, spear=4),
            [swords.Force(daimyo=1, bow=2, spear=3), swords.Force(bow=1, spear=3)],
            naval=True,
            break_off_below=4,
        )
        odds = client.odds(battle)
        show.odds(odds, console)
        _matches(client, output, console)
    map_file, odds_file = output / "swords_castle.png", output / "swords_odds.png"
    title = "chance to take a castle"
    plot.heat_map(table, map_file, title=title, rows="attacking units", columns="defending units", first=3)
    plot.odds(odds, odds_file)
    console.print(f"pictures: {map_file} and {odds_file}")
