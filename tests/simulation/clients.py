"""Simulated clients: they start, watch, page, cancel, resume, delete, vanish, are slow, and check answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from google.longrunning import operations_pb2 as ops
from google.protobuf import empty_pb2
from google.protobuf.message import Message

from sengoku.errors import (
    InternalError,
    RunNotFoundError,
    RunNotOverError,
    RunOverError,
    SengokuError,
    TournamentNotFoundError,
    TournamentNotOverError,
)
from sengoku.v1 import simulation_service_pb2 as pb2
from sengoku.v1 import tournament_service_pb2 as pb3
from tests.simulation import work
from tests.simulation.model import Job, kind_of
from tests.simulation.server import Severed
from tests.simulation.work import RUNS, TOURNAMENTS
from tests.simulation.world import World

__all__ = ["Client", "Refused"]

_NOT_FOUND = (RunNotFoundError, TournamentNotFoundError)
_NOT_OVER = (RunNotOverError, TournamentNotOverError)
_LIVE = {"active", "cancelled", "done"}


class Refused(Exception):  # noqa: N818
    """The server refused a request with a typed error, which changes nothing."""

    def __init__(self, error: SengokuError) -> None:
        super().__init__(str(error))
        self.error = error


class Client:
    """A client with a name of its own, and the jobs that it knows of."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.jobs: list[Job] = []
        self._random = random.Random(f"{world.seed} {name}")
        self._numbers = 0

    # Calls

    @property
    def _process(self) -> str:
        return "" if self.world.server is None else self.world.server.process

    def _stream(self, method: str, request: Message, patience: float) -> Iterator[bytes]:
        """Call a method; raise Refused, Severed or TimeoutError."""
        world = self.world
        if world.server is None:
            raise Severed
        server = world.server
        answer = server.call(method, request, self.name)
        ends = world.scheduler.now + patience
        try:
            while (data := answer.take(ends)) is not None:
                yield data
        except SengokuError as error:
            if isinstance(error, InternalError):
                world.violation(f"{method} failed with an internal error: {error}")
            world.note(f"{method}: {error.reason}")
            raise Refused(error) from None
        except (Severed, TimeoutError) as error:
            world.note(f"{method}: {type(error).__name__}")
            raise
        except Exception as error:  # noqa: BLE001 - the server let it through
            world.violation(f"{method} raised {type(error).__name__}: {error}")
            raise Severed from None
        finally:
            if not answer.ended:
                server.leave(answer)

    def _ask(self, method: str, request: Message, kind: type[Any], patience: float = 100.0) -> Any:
        """Call a method with one response."""
        reply = kind.FromString(b"".join(self._stream(method, request, patience)))
        self.world.note(f"{method}: answered")
        return reply

    def _check(self, problem: str | None) -> None:
        if problem is not None:
            self.world.violation(f"{self.name}: {problem}")

    # What servers report

    def _see_operation(self, job: Job, operation: ops.Operation, process: str) -> str:
        metadata = pb2.RunMetadata()
        operation.metadata.Unpack(metadata)
        state = kind_of(pb2.RunState.Name(metadata.state))
        self._check(
            job.see(state, process, matches=metadata.matches_done, power_cuts=self.world.cuts_before[process])
            if state != "failed"
            else f"{job.name} failed: {operation.error.message}"
        )
        if state == "done" and metadata.summary.SerializeToString(
            deterministic=True
        ) != work.expected_summary(job.number):
            self.world.violation(f"the summary of {job.name} is wrong")
        return state

    def _see_tournament(self, job: Job, tournament: pb3.Tournament, process: str) -> str:
        state = kind_of(pb3.TournamentState.Name(tournament.state))
        if state == "failed":
            self.world.violation(f"{job.name} failed: {tournament.error.message}")
        else:
            self._check(job.see(state, process))
        return state

    def look(self, job: Job, patience: float = 100.0) -> str:
        """Ask for the state of a job."""
        process = self._process
        try:
            if job.what == "run":
                operation = self._ask(
                    "get_operation", ops.GetOperationRequest(name=job.name), ops.Operation, patience
                )
                return self._see_operation(job, operation, process)
            reply = self._ask(
                "get_tournament", pb3.GetTournamentRequest(name=job.name), pb3.GetTournamentResponse, patience
            )
            return self._see_tournament(job, reply.tournament, process)
        except Refused as refused:
            if not isinstance(refused.error, _NOT_FOUND):
                raise
            self._check(job.see("gone", process))
            return "gone"

    # Requests

    def start(self) -> None:
        """Start a run or a tournament, and try again with the same request id until there is an answer."""
        self._numbers += 1
        what = "tournament" if self._random.random() < 0.25 else "run"
        number = self._random.randrange(len(RUNS if what == "run" else TOURNAMENTS))
        job = Job(what, number, f"{self.name}-{self._numbers}")
        self.jobs.append(job)
        for _ in range(self._random.choice((1, 3, 6))):
            try:
                self.begin(job)
                return
            except Refused as refused:
                job.unanswered("start", self._process)
                if refused.error.retry_after is None:
                    return
                self.world.scheduler.sleep(min(refused.error.retry_after, 20.0))
            except (Severed, TimeoutError):
                job.unanswered("start", self._process)
                self.world.scheduler.sleep(self._random.choice((0.0, 1.0, 5.0)))

    def begin(self, job: Job) -> None:
        """Send the request that starts a job."""
        process = self._process
        patience = self._random.choice((0.01, 30.0, 100.0, 100.0))
        if job.what == "run":
            request: Message = pb2.StartRunRequest(run=RUNS[job.number], request_id=job.request_id)
            operation = self._ask("start_run", request, ops.Operation, patience)
            self._named(job, operation.name, process)
            self._see_operation(job, operation, process)
        else:
            request = pb3.CreateTournamentRequest(
                spec_toml=TOURNAMENTS[job.number], request_id=job.request_id
            )
            reply = self._ask("create_tournament", request, pb3.CreateTournamentResponse, patience)
            self._named(job, reply.tournament.name, process)
            self._see_tournament(job, reply.tournament, process)

    def _named(self, job: Job, name: str, process: str) -> None:
        if job.name and job.name != name:
            self.world.violation(f"{job.request_id} started both {job.name} and {name}")
        job.name = name
        if "absent" in job.possible:
            self._check(job.answered("start", "active", process))
            job.possible = {"active"}

    def change(self, job: Job, request: str) -> None:  # noqa: PLR0912 - one branch for each answer
        """Cancel, resume or delete a job."""
        process = self._process
        word = "run" if job.what == "run" else "tournament"
        message: Message
        try:
            if request == "resume" and word == "run":
                self._ask("resume_run", pb2.ResumeRunRequest(name=job.name), pb2.ResumeRunResponse)
            elif word == "run":
                kind = ops.CancelOperationRequest if request == "cancel" else ops.DeleteOperationRequest
                self._ask(f"{request}_operation", kind(name=job.name), empty_pb2.Empty)
            else:
                message = getattr(pb3, f"{request.capitalize()}TournamentRequest")(name=job.name)
                reply = getattr(pb3, f"{request.capitalize()}TournamentResponse")
                self._ask(f"{request}_tournament", message, reply)
        except Refused as refused:
            if isinstance(refused.error, _NOT_FOUND):
                self._check(job.see("gone", process))
            elif isinstance(refused.error, _NOT_OVER):
                self._check(job.see("active", process))
            elif isinstance(refused.error, RunOverError):
                self._check(job.see("done", process))
            else:
                job.unanswered(request, process)  # what was not stored now may be found after a crash
            return
        except (Severed, TimeoutError):
            job.unanswered(request, process)
            return
        job.loose.append((request, process))
        expected = job._closure(job.possible)
        job.loose.remove((request, process))
        if request == "delete":
            self._check(job.answered(request, "gone", process))
        elif request == "cancel":
            job.possible = expected & {"cancelled", "done"}
        else:
            job.possible = (expected | job.possible) & {"active", "done"}
        if not job.possible:
            self.world.violation(f"{request} of {job.name} succeeded in a state that does not allow it")

    def watch(self, job: Job, patience: float, *, slow: float = 0.0, leave_after: int | None = None) -> str:
        """Watch a job until its end, or leave; return its last state."""
        process, state = self._process, ""
        if job.what == "run":
            stream = self._stream("watch_run", pb2.WatchRunRequest(name=job.name), patience)
        else:
            stream = self._stream("watch_tournament", pb3.WatchTournamentRequest(name=job.name), patience)
        try:
            for count, data in enumerate(stream):
                if job.what == "run":
                    operation = pb2.WatchRunResponse.FromString(data).operation
                    state = self._see_operation(job, operation, process)
                else:
                    message = pb3.WatchTournamentResponse.FromString(data)
                    state = self._see_tournament(job, message.tournament, process)
                if count == leave_after:
                    break
                if slow:
                    self.world.scheduler.sleep(slow)
        except Refused as refused:
            if not isinstance(refused.error, _NOT_FOUND):
                raise
            self._check(job.see("gone", process))
            return "gone"
        finally:
            stream.close()  # type: ignore[attr-defined]
        self.world.note(f"watched {job.name}: {state}")
        return state

    def wait(self, job: Job, seconds: int) -> None:
        """Wait for the end of a run with one call."""
        process = self._process
        request = ops.WaitOperationRequest(name=job.name)
        request.timeout.seconds = seconds
        self._see_operation(job, self._ask("wait_operation", request, ops.Operation, 200.0), process)

    def read(self, job: Job, *, whole: bool = False) -> None:
        """Read rows of a run, or matches of a tournament, and compare them with an undisturbed execution."""
        if job.what == "tournament":
            self._read_matches(job, whole=whole)
            return
        request = pb2.ReadRunRequest(name=job.name)
        first, count = 0, RUNS[job.number].match_count
        if not whole:
            first = self._random.randrange(count)
            count = self._random.randint(1, count - first)
            if self._random.random() < 0.5:
                first, count = 0, max(job.matches, 1)
            request.first_match, request.match_count = RUNS[job.number].first_match + first, count
        taken = 0
        for data in self._stream("read_run", request, 100.0):
            rows = pb2.ReadRunResponse.FromString(data).packed
            self._check(work.check_rows(job.number, rows))
            taken += rows.match_count
        if taken != count:
            self.world.violation(f"{taken} rows of {job.name} were read, not {count}")

    def _read_matches(self, job: Job, *, whole: bool) -> None:
        expected = work.expected_tournament(job.number)
        found: list[str] = []
        token = ""
        while True:
            request = pb3.ListTournamentMatchesRequest(name=job.name, page_size=3, page_token=token)
            reply = self._ask("list_tournament_matches", request, pb3.ListTournamentMatchesResponse)
            found.extend(match.name for match in reply.matches)
            for match in reply.matches:
                if match.SerializeToString(deterministic=True) != expected.messages.get(match.name):
                    self.world.violation(f"match {match.name} of {job.name} is wrong")
            token = reply.next_page_token
            if not token:
                break
        if len(set(found)) != len(found) or (whole and set(found) != set(expected.matches)):
            self.world.violation(f"the matches of {job.name} are {found}")

    def page(self, size: int) -> None:
        """List all jobs, page by page, and check that each is there once."""
        process = self._process
        named = {job.name: job for job in self.jobs if job.name}
        before = {name for name, job in named.items() if job._closure(job.possible) <= _LIVE}
        found: list[tuple[str, str]] = []
        for what in ("run", "tournament"):
            token = ""
            while True:
                if what == "run":
                    page = ops.ListOperationsRequest(name="operations", page_size=size, page_token=token)
                    reply = self._ask("list_operations", page, ops.ListOperationsResponse)
                    for operation in reply.operations:
                        metadata = pb2.RunMetadata()
                        operation.metadata.Unpack(metadata)
                        found.append((operation.name, metadata.request_id))
                        if operation.name in named:
                            self._see_operation(named[operation.name], operation, process)
                else:
                    request = pb3.ListTournamentsRequest(page_size=size, page_token=token)
                    reply = self._ask("list_tournaments", request, pb3.ListTournamentsResponse)
                    for tournament in reply.tournaments:
                        found.append((tournament.name, tournament.request_id))
                        if tournament.name in named:
                            self._see_tournament(named[tournament.name], tournament, process)
                token = reply.next_page_token
                if not token:
                    break
        names = [name for name, _ in found]
        if len(set(names)) != len(names) or len({request for _, request in found}) != len(found):
            self.world.violation(f"{self.name} finds jobs twice: {found}")
        if missing := before - set(names):
            self.world.violation(f"{self.name} does not find {', '.join(sorted(missing))}")
        asked = {job.request_id for job in self.jobs}
        if strange := [request for _, request in found if request not in asked]:
            self.world.violation(f"{self.name} finds jobs that it never started: {strange}")

    # Lives

    def live(self, actions: int) -> None:
        """Do some things, one after the other."""
        for _ in range(actions):
            self.world.scheduler.sleep(self._random.choice((0.0, 0.0, 0.1, 1.0)))
            try:
                self._act()
            except (Refused, Severed, TimeoutError):
                self.world.scheduler.sleep(self._random.choice((0.0, 0.5, 3.0)))

    def _act(self) -> None:
        chance = self._random
        known = [job for job in self.jobs if job.name]
        if not known or (len(self.jobs) < 3 and chance.random() < 0.3):
            self.start()
            return
        job = chance.choice(known)
        action = chance.choice(
            ("watch", "watch", "vanish", "slow", "wait", "look", "read", "page", "cancel", "resume", "delete")
        )
        self.world.note(f"{action} {job.name}")
        if action == "watch":
            self.watch(job, 60.0)
        elif action == "vanish":
            self.watch(job, 60.0, leave_after=chance.randrange(3))
        elif action == "slow":
            self.watch(job, 200.0, slow=chance.choice((0.3, 4.0)))
        elif action == "wait" and job.what == "run":
            self.wait(job, chance.choice((0, 1, 30)))
        elif action in {"look", "wait"}:
            self.look(job)
        elif action == "read":
            self.read(job)
        elif action == "page":
            self.page(chance.choice((1, 2, 100)))
        else:
            self.change(job, action)

    # The end

    def finish(self, patience: float) -> None:
        """Wait for all jobs, and check all that is left of them."""
        for job in self.jobs:
            if not job.name:
                self.begin_late(job)
            state = self.look(job)
            if state == "active":
                state = self.watch(job, patience)
            if state == "active" or not state:
                self.world.violation(f"{job.name} does not end")
            if state == "done":
                self.read(job, whole=True)
        self.page(2)

    def salvage(self) -> None:
        """Read everything from a damaged store: what is served must be right, the rest refused."""
        lists = ("list_operations", ops.ListOperationsRequest(name="operations"), ops.ListOperationsResponse)
        for job in self.jobs:
            try:
                if job.possible == {"done"}:
                    self.read(job, whole=True)
            except Refused:
                continue
        try:
            self._ask(*lists)
            self._ask("list_tournaments", pb3.ListTournamentsRequest(), pb3.ListTournamentsResponse)
        except Refused:
            return

    def begin_late(self, job: Job) -> None:
        """Ask once more for a job whose start was never confirmed."""
        for _ in range(50):
            try:
                self.begin(job)
                return
            except (Refused, TimeoutError):
                self.world.scheduler.sleep(10.0)
        self.world.violation(f"{job.request_id} cannot be started")
