"""The `top` command and its tables."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from sengoku import Client, RunStatus
from sengoku.cli import status as top
from sengoku.server import Server
from sengoku.tournament.status import TournamentStatus
from support.cli import run
from support.process import soon


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    """A server whose runs nobody else begins."""
    with Server(port=0) as running:
        yield running


def test_top_once(served: Server) -> None:
    at = ["--server", served.address]
    with Client(served.address, timeout=60) as client:
        client.run_matches("tower", bots=["random"], match_count=5)
        playing = client.start_run("battles", bots=["random"], match_count=90_000_000)
        waiting = client.start_run("swords", bots=["random"], match_count=10_000_000)
        for status in playing.watch():
            if status.matches_done:
                break
        tournament = client.create_tournament(
            'bots = [{name = "a", bot = "random"}, {name = "b", bot = "random"}]\nseed = 7\n'
            'games = [{game = "battles", scenarios = [1], blocks = 5000}]'
        )
        assert soon(lambda: client.status()["tournaments"] == {"running": 1})
        text = run("top", "--once", *at).stdout
        for told in (f"at {served.address}", "running", "queued", "tower", "calls: ", "work: ", "up "):
            assert told in text
        for begun in (playing, waiting, tournament):
            assert begun.name.rpartition("/")[2] in text
        assert max(map(len, text.splitlines())) <= 80
        seen = json.loads(run("top", "--json", *at).stdout)
        assert seen["server"] == served.address
        assert seen["version"] == client.version()
        assert seen["status"]["runs"] == {"running": 1, "queued": 1} or seen["status"]["runs"]["running"] == 2
        assert {row["name"] for row in seen["runs"]} == {playing.name, waiting.name}
        assert [row["name"] for row in seen["tournaments"]] == [tournament.name]
        for begun in (playing, waiting):
            run("runs", "delete", "--cancel", begun.name, *at)
        tournament.cancel()


def status_of(**fields: Any) -> RunStatus:
    plain: dict[str, Any] = dict.fromkeys(RunStatus.__dataclass_fields__)
    plain |= {"name": "operations/" + 32 * "a", "state": "running", "game": "battles", "bots": ("greedy",)}
    plain |= {"match_count": 200, "matches_done": 50, "matches_per_second": 12.5, "time_left": 75.0}
    plain |= {"client": "somebody", "queue_position": 0, "obstacle": ""}
    return RunStatus(**plain | fields)


def tournament_of(**fields: Any) -> TournamentStatus:
    plain: dict[str, Any] = dict.fromkeys(TournamentStatus.__dataclass_fields__)
    plain |= {"name": "tournaments/" + 32 * "b", "title": "spring", "state": "running", "format": "swiss"}
    plain |= {"round": 3, "matches_done": 40, "matches_due": 96, "matches_per_second": 7.0}
    plain |= {
        "bots": (),
        "boards": (),
        "seeds": (),
        "client": "somebody",
        "queue_position": 0,
        "obstacle": "",
    }
    return TournamentStatus(**plain | fields)


def test_what_top_makes_of_runs_and_rates() -> None:
    console = Console(width=100, record=True, file=io.StringIO())
    version = {"package_version": "9.9", "build_profile": "release", "instruction_set": "avx2", "threads": 4}
    status = {
        "uptime": 3_725.0,
        "stopping": True,
        "calls": 3,
        "working": 2,
        "waiting": 1,
        "open_matches": 4,
        "players": 5,
        "environments": 6,
        "missing_packages": [],
        "tournaments": {"running": 1, "queued": 2},
        "runs": {"running": 1, "failed": 6},
        "plays": {"tower": {"matches": 30, "decisions": 900}},
    }
    earlier = {**status, "plays": {"tower": {"matches": 10, "decisions": 100}}}
    before = top.Look("here:1", version, earlier, [], clock=10.0)
    runs = [status_of(), status_of(state="queued", queue_position=2, matches_per_second=0.0, time_left=None)]
    runs += [status_of(state="stalled", obstacle="the [disk] is full")]
    tournaments = [tournament_of(), tournament_of(state="queued", queue_position=1, matches_per_second=0.0)]
    seen = top.Look("here:1", version, status, runs, tournaments, clock=14.0)
    assert seen.rates(before) == {"tower": (5.0, 200.0)}
    console.print(top.show(seen, before, "cannot be reached"))
    text = console.export_text()
    console.file.close()
    for told in (
        *("sengoku 9.9 at here:1 (release, avx2, 4 threads), up 1 h 2 min, stopping", "cannot be reached"),
        *(
            "calls: 3 in progress",
            "open: 4 matches, 5 players, 6 environments",
            "work: 2 in progress, 1 waiting",
        ),
        *("6 failed", "queued (3)", "tournaments: 1 running, 0 stalled, 2 queued", "queued (2)"),
        *("spring: swiss, round 3, for somebody", "40 of 96", "7/s"),
        *("50 of 200", "12/s, 1 min 15 s left", "the [disk] is full", "battles: greedy, for somebody", "200"),
    ):
        assert told in text, told
    assert json.dumps(seen.as_dict())
    many = top.run_table([status_of()] * (top.MOST_ROWS + 7))
    assert (many.row_count, many.caption) == (top.MOST_ROWS, "and 7 more")
