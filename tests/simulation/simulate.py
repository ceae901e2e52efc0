"""One seed: a world is made, lives through its plan, and every promise is checked."""

from __future__ import annotations

from dataclasses import dataclass, field

from sengoku.errors import SengokuError
from tests.simulation.clients import Client, Refused
from tests.simulation.plan import Faults, Plan
from tests.simulation.primitives import wall
from tests.simulation.scheduler import Deadlock, Stuck
from tests.simulation.server import Severed
from tests.simulation.work import expect
from tests.simulation.world import Violation, World, empty_store, prepare, world

__all__ = ["Outcome", "simulate"]

_LIFE = 4_000.0
"""Virtual seconds in which a world must be over."""
_END = 400.0
"""Virtual seconds in which a job must end once nothing disturbs it: the longest pause, and the work."""


@dataclass
class Outcome:
    """How the world of a seed ended."""

    seed: int
    digest: str = ""
    problem: str = ""
    steps: int = 0
    starts: int = 0
    changes: int = 0
    lines: list[str] = field(default_factory=list)


class _Life:
    """The course of a world."""

    def __init__(self, made: World, plan: Plan) -> None:
        self.world, self.plan = made, plan
        self.scheduler = made.scheduler
        self.faults = Faults(made.seed, list(plan.faults))
        self.clients = [Client(made, f"client-{number}") for number in range(plan.clients)]
        self.crashes = list(plan.crashes)
        self.restarts = list(plan.restarts)
        self.jumps = sorted(plan.jumps, reverse=True)
        self.left = plan.clients
        self.kill_at: int | None = None

    def run(self) -> None:
        """Live."""
        made, scheduler = self.world, self.scheduler
        made.disk.fault = lambda kind, _name, _size: self.faults.of(scheduler.now - 1000, kind)
        made.disk.on_stop = lambda: scheduler.urge(scheduler.root)
        scheduler.step_hooks.append(self._step)
        self._arm()
        made.power_on(attempts=60)
        for client in self.clients:
            scheduler.start(lambda client=client: self._live(client), client.name, client.name)
        while self.left:
            scheduler.block(scheduler.now + 1.0)
            made.check()
            if made.disk.dead:
                made.crash()
                self._arm()
                made.power_on(attempts=60)
            elif self.restarts and scheduler.now - 1000 > self.restarts[0]:
                self.restarts.pop()
                self._stop()
                made.power_on(attempts=60)
        self._finish()

    def _live(self, client: Client) -> None:
        try:
            client.live(self.plan.actions)
        finally:
            self.left -= 1
            self.scheduler.wake(self.scheduler.root)

    def _step(self) -> None:
        """Look for what is due at a step of the scheduler."""
        steps = self.scheduler.steps
        if self.kill_at is not None and steps >= self.kill_at and self.world.server is not None:
            self.kill_at = None
            self.world.disk.stop()
        if self.jumps and steps >= self.jumps[-1][0]:
            seconds = self.jumps.pop()[1]
            wall.offset += seconds
            self.world.note(f"the clock is set by {seconds:g} seconds")

    def _arm(self) -> None:
        """Prepare the next crash."""
        if not self.crashes:
            return
        what, count, crash, torn = self.crashes.pop(0)
        disk = self.world.disk
        self.world.next_crash = crash
        if what == "steps":
            self.kill_at = self.scheduler.steps + count
        else:
            disk.stop_at, disk.torn = disk.operations + count, torn

    def _stop(self) -> None:
        """Stop the server gracefully, unless the machine stops meanwhile."""
        made = self.world
        assert made.server is not None
        made.note("the server is asked to stop")
        made.server.serving = False
        stopping = self.scheduler.start(made.server.stop, "stopping", "manager")
        while not stopping.finished and not made.disk.dead:
            self.scheduler.join(stopping, 1.0)
        if made.disk.dead:
            self.scheduler.kill("manager")
            made.crash()
        made.check()

    def _finish(self) -> None:
        """Let nothing disturb the world any more, and check what is left of it."""
        made = self.world
        self.kill_at, made.disk.stop_at = None, None
        self.faults.active.clear()
        if made.disk.dead:
            made.crash()
        if made.server is None or not made.server.serving:
            made.power_on()
        made.note("nothing disturbs the world any more")
        try:
            for client in self.clients:
                client.finish(_END)
                made.check()
        except (Refused, Severed, TimeoutError) as error:
            made.check()
            raise Violation(f"{type(error).__name__} although nothing disturbs the world: {error}") from error
        self._check_store()
        made.shut_down()
        if made.random.random() < 0.1:
            with made.open_store() as store, store.read() as reader:
                problems = reader.execute("PRAGMA integrity_check").fetchall()
            if problems != [("ok",)]:
                made.violation(f"the file is damaged: {problems}")
            made.check()
        if self.plan.damaged_bits:
            self._damage(self.plan.damaged_bits)

    def _damage(self, bits: int) -> None:
        """Flip bits of the store: every row is served as it was, or refused."""
        made = self.world
        places = made.disk.flip(str(made.path), bits)
        made.note(f"bits flip at {places}")
        try:
            made.power_on(attempts=1)
        except Violation:
            assert made.server is not None
            if not isinstance(made.server.failure, SengokuError):
                made.violation(f"the server does not start: {made.server.failure!r}")
            made.check()
            return
        try:
            for client in self.clients:
                client.salvage()
                made.check()
        except (Severed, TimeoutError) as error:
            made.check()
            raise Violation(f"{type(error).__name__} with a damaged store") from error
        made.shut_down()

    def _check_store(self) -> None:
        """Check the store itself: nothing is there twice, nothing has a gap."""
        made = self.world
        assert made.server is not None
        assert made.server.store is not None
        with made.server.store.read() as reader:
            spans = reader.execute(
                "SELECT run, first, count, done FROM chunks JOIN runs ON runs.id = run "
                "WHERE state <> 100 ORDER BY run, first"
            ).fetchall()
        ends: dict[int, int] = {}
        dones: dict[int, int] = {}
        for run, first, count, done in spans:
            if ends.get(run, 0) != first:
                made.violation(f"run {run} has a gap or an overlap at row {first}")
            ends[run], dones[run] = first + count, done
        if ends != dones:
            made.violation(f"runs have {dones} matches and rows of {ends}")
        made.check()


def _install(made: World) -> None:
    """Give most worlds a store that is empty already: to create one is a third of a short life."""
    if made.random.random() < 0.8:
        made.disk.files.update(empty_store())


def simulate(seed: int, *, keep: bool = False) -> Outcome:
    """Live through the world of a seed; the outcome names the first broken promise, if there is one."""
    prepare()
    expect()
    plan = Plan.draw(seed)
    outcome = Outcome(seed)
    with world(
        seed,
        preemption=plan.preemption,
        hurry=plan.hurry,
        shuffled=plan.shuffled,
        match_seconds=plan.match_seconds,
        keep=keep,
        install=_install,
    ) as made:
        made.note(str(plan))
        made.scheduler.latest = made.scheduler.now + _LIFE
        try:
            _Life(made, plan).run()
        except (Violation, Deadlock, Stuck) as error:
            for thread, cause in made.scheduler.died:
                made.note(f"{thread.name} died: {cause!r}")
            outcome.problem = f"{type(error).__name__}: {error}"
        made.note(outcome.problem or "all promises were kept")
        outcome.digest, outcome.steps, outcome.starts = made.digest, made.scheduler.steps, made.starts
        outcome.changes = made.disk.operations
        outcome.lines = made.lines or []
    return outcome
