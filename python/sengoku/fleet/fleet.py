"""A fleet: the bulk functions of this package on the nodes of a Ray cluster."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from sengoku import battles, swords, tower
from sengoku._core import Cancel
from sengoku.engine.analysing import Analysing
from sengoku.engine.analysis import MatchAnalysis
from sengoku.engine.games import Setup
from sengoku.engine.match import Match
from sengoku.engine.progress import Progress, watching
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.engine.scenarios import scenarios
from sengoku.engine.survey import Survey, scenario_runs
from sengoku.errors import ArgumentError, invalid
from sengoku.fleet.cluster import RayPool
from sengoku.fleet.driver import Driver
from sengoku.fleet.events import Pool, Stopped, Taken
from sengoku.fleet.ranges import Options
from sengoku.fleet.status import FleetStatus
from sengoku.fleet.task import Task
from sengoku.fleet.work import AnalysisWork, MatchWork, OddsWork, Work

__all__ = ["Fleet"]

_CLOCKED = re.compile(r"[:,]\s*(milli|micro)?(seconds|time)\s*=")
"""Options of bots by which their answers would depend on the clock."""
_GAMES = {swords.Battle: "swords", tower.Clash: "tower", battles.Strike: "battles"}


class Fleet:
    """Many machines that work as one: the same arguments, reports and digests as in one process.

    `address` is "auto" (the Ray cluster of this machine), "local" (a new one on this machine alone),
    "ray://HOST:10001" (from outside a cluster) or "HOST:6379" (from a node of one). Needs `sengoku[fleet]`.

        with Fleet("ray://head:10001") as fleet:
            report = fleet.run_matches("tower", bots=["greedy", "random"], match_count=10_000_000, seed=7)
    """

    def __init__(
        self,
        address: str = "auto",
        *,
        options: Options | None = None,
        patience: float = 60.0,
        most_cores: int = 1 << 20,
        runtime_env: Mapping[str, Any] | None = None,
        pool: Pool | None = None,
    ) -> None:
        """Connect to a cluster; workers start with the first task.

        Tasks fail after `patience` seconds without any worker. The autoscaler is asked for at most
        `most_cores`. `runtime_env` is passed on to Ray for the workers. `pool` replaces Ray, for tests.
        """
        if not patience > 0:
            raise invalid("patience", patience, "must be above 0 seconds")
        env = None if runtime_env is None else dict(runtime_env)
        self.address = address
        self._driver = Driver(
            pool if pool is not None else RayPool(address, runtime_env=env),
            options,
            address=address,
            patience=patience,
            most_cores=most_cores,
        )
        self._driver.start()

    def run_matches(
        self,
        game: str,
        *,
        bots: Iterable[str],
        seats: int | None = None,
        match_count: int,
        first_match: int = 0,
        seed: int = 0,
        setup: Setup = None,
        threads: int = 0,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
    ) -> MatchReport:
        """Play matches between built-in bots, as `sengoku.run_matches` does; the report is the same."""
        _check_threads(threads)
        works = self.match_works(
            game, bots=bots, seats=seats, match_count=match_count, first_match=first_match, seed=seed,
            setup=setup,
        )  # fmt: skip
        with watching(progress) as told:
            report: MatchReport = self.play(works, progress=told, cancel=cancel)[0]
        return report

    @staticmethod
    def match_works(game: str, *, bots: Iterable[str], **options: Any) -> list[Work]:
        """Return matches as work for `submit`; the options are those of `run_matches`."""
        request = RunRequest.create(game, bots=_names(bots), **options)
        request.check()
        return [MatchWork(request)]

    def run_scenarios(
        self,
        game: str,
        *,
        match_count: int,
        setup: Mapping[str, Any] | None = None,
        progress: bool | Progress | None = None,
        threads: int = 0,
        cancel: Cancel | None = None,
        **options: Any,
    ) -> Survey:
        """Play the same matches in every scenario of a game, as `sengoku.run_scenarios` does."""
        _check_threads(threads)
        known = scenarios(game)
        works: list[Work] = []
        for part in scenario_runs(known, match_count=match_count, setup=setup, told=None):
            del part["progress"]
            request = RunRequest.create(
                part.pop("game"), **part, **options | {"bots": _names(options["bots"])}
            )
            request.check()
            works.append(MatchWork(request))
        with watching(progress) as told:
            return Survey(tuple(known), tuple(self.play(works, progress=told, cancel=cancel)))

    def batch_odds(
        self,
        questions: Iterable[Any],
        *,
        threads: int = 0,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        **options: Any,
    ) -> Any:
        """Return the odds of many battles, clashes or strikes, as `batch_odds` of their game does."""
        _check_threads(threads)
        asked = tuple(questions)
        kinds = {type(question) for question in asked}
        if not asked:
            raise ArgumentError(
                "questions is empty: give at least one", {"field": "questions", "value": "[]"}
            )
        if len(kinds) > 1 or not kinds <= _GAMES.keys():
            names = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise TypeError(f"questions must all be Battle, all Clash or all Strike, not {names}")
        options.pop("background", None)
        work = OddsWork(_GAMES[type(asked[0])], asked, options)
        work.part(0, 0).play(threads=1, cancel=cancel or Cancel())  # raises what is wrong with the options
        return self.play([work], progress=progress, cancel=cancel)[0]

    def tournament(
        self, record: Any, *, threads: int = 0, cancel: Cancel | None = None, **options: Any
    ) -> Any:
        """Play a tournament between built-in bots to its end, as `sengoku.tournament.play` does."""
        from sengoku.fleet.tournaments import play_tournament  # noqa: PLC0415 - takes time to load

        _check_threads(threads)
        return play_tournament(self, record, cancel=cancel or Cancel(), **options)

    def analyse(
        self,
        match: Match,
        *,
        partial: MatchAnalysis | None = None,
        threads: int = 0,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
        **options: Any,
    ) -> MatchAnalysis:
        """Analyse a match, as `Match.analyse` does; `seconds` and `save` are not among the options."""
        _check_threads(threads)
        if "seconds" in options:
            message = "seconds cannot be set: what fits into a time depends on the machine, set iterations"
            raise ArgumentError(message, {"field": "seconds", "value": str(options["seconds"])})
        work = Analysing.begin(match, partial=partial, **options)
        begun, end = work.analysis, work.analysis.decisions + 1
        if begun.complete:
            return begun
        asked = AnalysisWork(
            match.save(),
            replace(begun, moves=(), draws=(), headings=()),
            begun.analysed,
            end - begun.analysed,
        )
        with watching(progress) as told:
            work.add(self.play([asked], progress=told, cancel=cancel)[0], end)
        return work.analysis

    # What the functions above have in common, also for servers

    def play(
        self, works: Sequence[Work], *, progress: Progress | None = None, cancel: Cancel | None = None
    ) -> list[Any]:
        """Play several works at once; return the whole answer of each."""
        task = self.submit(works)
        with self.stopping(task):
            task.wait(progress=progress, cancel=cancel)
        return [task.answer(item) for item in range(len(works))]

    def submit(self, works: Sequence[Work], *, window: bool = False) -> Task:
        """Start works, and return the task that has their answers as they arrive."""
        return self._driver.submit(Task(works, window=window))

    def take(self, task: Task, first: int, *, seconds: float, cancel: Cancel | None = None) -> Any | None:
        """Take the answer of a task with a window that begins at a unit; None if it takes too long."""
        value = task.take(0, first, seconds=seconds, cancel=cancel)
        if value is not None:
            self._driver.post(Taken(task))
        return value

    def stop(self, task: Task) -> None:
        """Stop a task; one that is over stays as it is."""
        self._driver.post(Stopped(task))

    def stopping(self, task: Task) -> _Stopping:
        """Return a context that stops a task at its end, whatever happens in it."""
        return _Stopping(self, task)

    @property
    def status(self) -> FleetStatus:
        """What is known about the workers."""
        return self._driver.status

    def close(self) -> None:
        """Stop the workers, and leave the cluster."""
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Fleet at {self.address}, {len(self.status.workers)} workers>"


class _Stopping:
    def __init__(self, fleet: Fleet, task: Task) -> None:
        self._fleet, self._task = fleet, task

    def __enter__(self) -> Task:
        return self._task

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._fleet.stop(self._task)


def _check_threads(threads: int) -> None:
    if threads:
        message = f"threads is {threads}, a fleet requires 0: each worker uses all cores of its node"
        raise ArgumentError(message, {"field": "threads", "value": str(threads)})


def _names(bots: Iterable[Any]) -> list[str]:
    """Return names of built-in bots; everything else is refused."""
    if isinstance(bots, str):
        raise TypeError("bots must be a list of names, not str")
    names = list(bots)
    for place, name in enumerate(names):
        if not isinstance(name, str):
            message = (
                f"bots[{place}] is a {type(name).__name__}: a fleet plays built-in bots by name, because the "
                "answers of others may depend on the machine; play_matches plays them in this process"
            )
            raise ArgumentError(message, {"field": f"bots[{place}]", "value": type(name).__name__})
        if _CLOCKED.search(name):
            message = (
                f"bots[{place}] is {name!r}, which depends on the clock, so that no two machines play alike: "
                "limit its search by iterations, as in mcts:iterations=200"
            )
            raise ArgumentError(message, {"field": f"bots[{place}]", "value": name})
    return names
