"""Fleets of threads: requests, errors and what is recorded, without Ray."""

import subprocess
import sys
from typing import Any

import pytest

from sengoku import Cancel, Match, battles, run_matches, swords, tower
from sengoku.engine.requests import RunRequest
from sengoku.errors import ArgumentError, CancelledError, SengokuError, UnavailableError
from sengoku.fleet import Fleet
from sengoku.fleet.work import MatchWork
from sengoku.storage import Store
from sengoku.tournament import Record, parse_spec, play
from support.fleet import soon, thread_fleet

RUN: dict[str, Any] = {
    "game": "tower",
    "bots": ["random"],
    "seats": 3,
    "match_count": 800,
    "seed": 5,
    "first_match": 9,
    "setup": {"max_rounds": 1},
}


def test_reports_are_those_of_one_process() -> None:
    fleet, pool = thread_fleet("a", "b")
    with fleet:
        assert fleet.run_matches(**RUN) == run_matches(**RUN)
    assert pool.requested[-1] == 0


def test_a_killed_worker_changes_nothing() -> None:
    fleet, pool = thread_fleet("a", "b")

    def progress(done: int, _total: int) -> None:
        if done > 100 and "a" in pool.ports:
            pool.remove("a")

    with fleet:
        assert fleet.run_matches(**RUN, progress=progress) == run_matches(**RUN)


@pytest.mark.parametrize("names", [("bad", "b"), ("bad", "b", "c")])
def test_wrong_answers_are_found_replaced_and_named(names: tuple[str, ...]) -> None:
    fleet, _ = thread_fleet(*names, wrong={"bad": lambda _: True})
    with fleet:
        assert fleet.run_matches(**RUN) == run_matches(**RUN)
        soon(lambda: any(worker.state == "expelled" for worker in fleet.status.workers))
        expelled = next(worker for worker in fleet.status.workers if worker.state == "expelled")
        assert (expelled.node, expelled.disagreements) == ("node of bad", 1)
        assert expelled.why.startswith("bad disagrees")


def test_a_worker_that_turns_bad_is_found_by_checks() -> None:
    fleet, _ = thread_fleet("a", "bad", wrong={"bad": lambda played: played > 3}, checked=1.0)
    with fleet:
        assert fleet.run_matches(**RUN | {"match_count": 2000}) == run_matches(**RUN | {"match_count": 2000})


def test_without_workers_the_error_says_so() -> None:
    fleet, _ = thread_fleet(patience=0.5)
    with fleet, pytest.raises(UnavailableError, match=r"no worker for 0\.5 seconds: no thread"):
        fleet.run_matches(**RUN)


def test_odds_are_those_of_one_process() -> None:
    fleet, _ = thread_fleet("a", "b")
    force = swords.Force
    kinds: tuple[tuple[Any, list[Any]], ...] = (
        (swords, [swords.Battle(force(spear=1 + n % 5), force(spear=1 + n % 3)) for n in range(60)]),
        (tower, [tower.Clash(("red", 1 + n % 3), ("blue", 1 + n % 4)) for n in range(8)]),
        (battles, [battles.Strike("SSp", "ASp", dice_bonus=n % 3) for n in range(60)]),
    )
    with fleet:
        for game, asked in kinds:
            for how in ({"method": "sampled", "samples": 500, "seed": 4}, {"max_error": 0.01}):
                assert fleet.batch_odds(asked, **how) == game.batch_odds(asked, **how)
        with pytest.raises(TypeError, match="must all be Battle, all Clash or all Strike, not Battle, Clash"):
            fleet.batch_odds([kinds[0][1][0], kinds[1][1][0]])
        with pytest.raises(ArgumentError, match="questions is empty"):
            fleet.batch_odds([])
        with pytest.raises(SengokuError) as there:
            fleet.batch_odds(kinds[0][1], method="guess")
        with pytest.raises(SengokuError) as here:
            swords.batch_odds(kinds[0][1], method="guess")
        assert str(there.value) == str(here.value)


def test_analyses_are_those_of_one_process() -> None:
    fleet, _ = thread_fleet("a", "b", checked=0.5)
    match = Match.create("battles", seed=7, setup={"scenario": 8})
    match.play_on("random", until=12)
    told: list[tuple[int, int]] = []
    with fleet:
        for options in ({"luck": 4}, {"seat": 1}, {"cards": "open", "luck": 0}):
            here = match.analyse(iterations=8, **options)
            assert (
                fleet.analyse(match, iterations=8, progress=lambda *now: told.append(now), **options) == here
            )
        assert told[-1] == (13, 13)
        assert fleet.analyse(match, iterations=8, partial=here, cards="open", luck=0) == here
        with pytest.raises(ArgumentError, match=r"seconds cannot be set: .* set iterations"):
            fleet.analyse(match, seconds=3)


SPEC = """
name = "cup"
seed = 3
blocks = 2
bots = [{name = "greedy"}, {name = "half", bot = "mix"}, {name = "random"}]
sprt = {elo0 = 0, elo1 = 400}
[[games]]
game = "battles"
setup = {scenario = 1}
"""


@pytest.mark.parametrize("text", [SPEC, SPEC.replace("sprt = {elo0 = 0, elo1 = 400}", "")])
def test_tournaments_have_the_same_matches(text: str) -> None:
    fleet, _ = thread_fleet("a", "b")
    with fleet, Store(":memory:") as store:
        spec = parse_spec(text)
        mine = play(Record.create(store, spec, name="here"))
        theirs = fleet.tournament(Record.create(store, spec, name="there"))
        assert sorted(match for match in mine.matches()) == sorted(match for match in theirs.matches())
        assert mine.count() == theirs.count() > 0
        assert theirs.state.name == "SUCCEEDED"


def test_bots_that_depend_on_the_machine_are_refused() -> None:
    fleet, _ = thread_fleet("a")

    class Mine:
        name = "mine"

    with fleet:
        with pytest.raises(ArgumentError, match=r"bots\[1\] is a Mine: a fleet plays built-in bots by name"):
            fleet.run_matches(**RUN | {"bots": ["random", Mine()]})
        with pytest.raises(ArgumentError, match=r"depends on the clock.*iterations=200"):
            fleet.run_matches(**RUN | {"bots": ["mcts:milliseconds=5"]})
        with Store(":memory:") as store:
            text = SPEC.replace('{name = "random"}', '{name = "mine", python = "mine:Mine"}')
            record = Record.create(store, parse_spec(text), name="mine")
            with pytest.raises(ArgumentError, match=r"bots\[2\]\.python is 'mine:Mine': a fleet plays"):
                fleet.tournament(record)


def test_a_range_that_cannot_be_played_ends_its_task() -> None:
    fleet, _ = thread_fleet("a", "b")
    request = RunRequest.create(**RUN)
    with fleet:
        with pytest.raises(SengokuError, match="decisions"):
            fleet.play([MatchWork(request, max_decisions=10)])
        assert fleet.run_matches(**RUN) == run_matches(**RUN)


def test_cancelled_tasks_end_at_once() -> None:
    fleet, _ = thread_fleet("a")
    cancel = Cancel()
    with fleet:
        with pytest.raises(CancelledError):
            fleet.run_matches(
                **RUN | {"match_count": 10_000_000}, cancel=cancel, progress=lambda *_: cancel.cancel()
            )
        assert fleet.run_matches(**RUN) == run_matches(**RUN)


@pytest.mark.parametrize("address", ["", "head", "ray://head", "head:0", "head:99999", "http://head:1"])
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(ArgumentError, match=r"expected 'auto' .*'local' .*'ray://HOST:10001'"):
        Fleet(address)


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9"])
def test_where_nothing_listens_the_error_says_what_to_do(address: str) -> None:
    with pytest.raises(UnavailableError, match=r"no Ray cluster answers at .*:9: .*`ray start --head`"):
        Fleet(address)


def test_without_a_cluster_on_this_machine_the_error_says_what_to_do() -> None:
    code = (
        "import os; os.environ['RAY_TMPDIR'] = os.environ['TMPDIR'] = '/tmp'\n"
        "import ray._private.utils as u; u.read_ray_address = lambda *a, **k: None\n"
        "import ray._private.services as s; s.find_gcs_addresses = lambda: set()\n"
        "from sengoku.fleet import Fleet\n"
        "from sengoku.errors import UnavailableError\n"
        "try: Fleet('auto')\n"
        "except UnavailableError as error: print(error)\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert "cannot use the Ray cluster at 'auto'" in out.stdout
    assert "`ray start --head`" in out.stdout


def test_ray_is_loaded_only_to_connect() -> None:
    code = "import sys, sengoku.fleet, sengoku.server.app, sengoku.cli.main; print('ray' in sys.modules)"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert out.stdout == "False\n"


def test_without_ray_the_error_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['ray'] = None\n"
        "from sengoku.fleet import Fleet\n"
        "try: Fleet('auto')\n"
        "except Exception as error: print(error.reason, error)\n"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert (
        out.stdout
        == "MISSING_DEPENDENCY fleets need ray: pip install 'ray[client]' (the extra sengoku[fleet])\n"
    )
