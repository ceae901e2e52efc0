"""The dispatcher: which worker plays which range, what is recorded, and who is trusted.

A pure state machine: it reads no clock, starts no thread and knows no network. Events go in (`join`,
`leave`, `hear`, `finish`, ...), tickets for workers come out of `assign`. Real and simulated clusters use it.
"""

from collections import deque
from collections.abc import Iterator, Sequence

from sengoku.fleet.ranges import REFEREE, Item, Job, Options, Range, Ticket, Verdict, WorkerState
from sengoku.fleet.rates import Rates

__all__ = ["Dispatcher"]

_WEIGHT = 0.05
"""Weight of a new measurement in averages."""


class Dispatcher:
    """Ranges of several jobs for many workers; jobs get their turns one after the other.

    >>> fleet = Dispatcher(Options())
    >>> job = fleet.add([Item(count=100, key="tower", probe=50)])
    >>> fleet.join("a", node="n1", threads=1, now=0.0)
    >>> [ticket.range.count for ticket in fleet.assign(0.0)]
    [50, 50]
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.workers: dict[str, WorkerState] = {}
        self.expelled: dict[str, str] = {}
        """Nodes that are not used any more, and why."""
        self.rates = Rates(options.seconds, options.least_seconds)
        self.reassigned = 0
        """Ranges that were given to another worker because the first was late, silent or gone."""
        self.disagreements = 0
        self._jobs: dict[int, Job] = {}
        self._turns: deque[Job] = deque()
        self._again: deque[Range] = deque()
        """Ranges to be played once more, before new ones."""
        self._referee: deque[Range] = deque()
        self._tickets: dict[int, Ticket] = {}
        self._next_job = self._next_ticket = 0
        self._due = 0.0
        """Ranges to be played twice on purpose so far, as a sum of shares."""
        self._delay = 0.0
        """Average time that answers take besides the playing."""
        self._free: dict[str, None] = {}
        """Workers that may take another range."""

    # Jobs

    def add(self, items: Sequence[Item], *, window: bool = False) -> int:
        """Add a job and return its number."""
        number = self._next_job
        self._next_job += 1
        self._jobs[number] = job = Job(number, items, window, sum(item.count for item in items))
        self._turns.append(job)
        return number

    def done(self, job: int) -> bool:
        """Return whether all of a job is played and settled."""
        return self._jobs[job].done

    def drop(self, job: int) -> list[Ticket]:
        """Forget a job that is over or cancelled; return its tickets, which need not be played."""
        found = self._jobs.pop(job, None)
        if found is None:
            return []
        self._turns.remove(found)
        for queue in (self._again, self._referee):
            kept = [one for one in queue if one.job != job]
            queue.clear()
            queue.extend(kept)
        for worker in self.workers.values():
            worker.played = [one for one in worker.played if one.job != job]
        return [ticket for ticket in self._tickets.values() if ticket.range.job == job]

    def take(self, job: int) -> None:
        """Note that the answer of a range was taken: one more may be played ahead."""
        if job in self._jobs:
            self._jobs[job].held -= 1

    @property
    def idle(self) -> bool:
        """Whether there is no job."""
        return not self._jobs

    def seconds_left(self) -> float:
        """Estimate the seconds of one core that all jobs still take."""
        return sum(self.rates.core_seconds(job.items[job.item :], job.remaining) for job in self._turns)

    # Workers

    def join(self, name: str, *, node: str, threads: int, now: float) -> None:
        """Add a worker; its first range is played twice."""
        self.workers[name] = WorkerState(name, node, threads, heard=now)
        self.rates.join(name, threads)
        self._free[name] = None

    def leave(self, name: str) -> None:
        """Remove a worker; its ranges are played by others."""
        worker = self.workers.pop(name, None)
        if worker is None:
            return
        self.rates.leave(name)
        self._free.pop(name, None)
        for ticket in worker.tickets:
            self._tickets.pop(ticket.number, None)
            ticket.range.out.discard(name)
            self._requeue(ticket.range)

    def drain(self, name: str) -> None:
        """Give no new ranges to a worker whose node is about to be taken away."""
        if name in self.workers:
            self.workers[name].draining = True
            self._free.pop(name, None)

    def hear(self, name: str, now: float) -> None:
        """Note a sign of life."""
        worker = self.workers.get(name)
        if worker is not None:
            worker.heard = now
            worker.silent = False
            self._offer(worker)

    def tick(self, now: float) -> None:
        """Give the ranges of workers that are silent or late to others, too."""
        for worker in self.workers.values():
            if now - worker.heard > self.options.silent_seconds:
                if not worker.silent:
                    worker.silent = True
                    self._free.pop(worker.name, None)
                for ticket in worker.tickets:
                    self._give_up(ticket)
            elif worker.tickets and self._is_late(worker, now):
                for ticket in worker.tickets:
                    self._give_up(ticket)
        for found in [found for found in self._again if found.disputed and not self._has_other(found)]:
            self._again.remove(found)
            found.queued = False
            self._call_referee(found)

    def _is_late(self, worker: WorkerState, now: float) -> bool:
        expected = worker.tickets[0].expected
        if expected is None:
            return False
        # Where all answers take long, as on a busy network, copies of ranges would make that worse.
        patience = self.options.late_seconds + 4.0 * self._delay
        return now - worker.began > self.options.late_factor * expected + patience

    def _give_up(self, ticket: Ticket) -> None:
        if not ticket.late:
            ticket.late = True
            self._requeue(ticket.range)

    # Tickets

    def assign(self, now: float) -> list[Ticket]:
        """Return tickets for all workers that may take another range, the idle ones first."""
        tickets: list[Ticket] = []
        if not self._again and not any(self._is_open(job) for job in self._turns):
            return tickets
        for level in range(self.options.in_flight):
            for name in [name for name in self._free if len(self.workers[name].tickets) <= level]:
                worker = self.workers[name]
                found = self._next(worker)
                if found is not None:
                    tickets.append(self._issue(worker, found, now))
        return tickets

    def _issue(self, worker: WorkerState, found: Range, now: float) -> Ticket:
        key = self._jobs[found.job].items[found.item].key
        expected = self.rates.expected(worker.name, key, found.count)
        ticket = Ticket(self._next_ticket, worker.name, found, expected)
        self._next_ticket += 1
        self._tickets[ticket.number] = ticket
        if not worker.tickets:
            worker.began = now
        worker.tickets.append(ticket)
        found.out.add(worker.name)
        if len(worker.tickets) >= self.options.in_flight:
            self._free.pop(worker.name, None)
        return ticket

    def _next(self, worker: WorkerState) -> Range | None:
        for _ in range(len(self._again)):
            found = self._again.popleft()
            if self._jobs.get(found.job) is None or (found.settled and not found.suspect):
                found.queued = False
            elif self._may_play(worker, found):
                found.queued = False
                return found
            else:
                self._again.append(found)
        for _ in range(len(self._turns)):
            job = self._turns[0]
            self._turns.rotate(-1)
            if self._is_open(job):
                return self._cut(job, worker)
        return None

    def _is_open(self, job: Job) -> bool:
        """Return whether new ranges of a job may be played; those that nobody takes must not pile up."""
        ahead = 4 * self.options.in_flight * len(self.workers) + 16
        return job.remaining > 0 and not (job.window and job.held > ahead)

    def _may_play(self, worker: WorkerState, found: Range) -> bool:
        """Return whether a worker may play a range again: another one does if there is another one."""
        if worker.name in found.out:
            return False
        tried = worker.name in found.votes or worker.name in found.failed
        return not tried or not (found.disputed or self._has_other(found))

    def _has_other(self, found: Range) -> bool:
        """Return whether there is a worker that has neither answered a range nor failed to."""
        return any(
            worker.ready and name not in found.votes and name not in found.failed
            for name, worker in self.workers.items()
        )

    def _cut(self, job: Job, worker: WorkerState) -> Range:
        """Cut the next range of a job, of the length that suits a worker."""
        item = job.items[job.item]
        left = item.count - job.first
        count = min(left, self.rates.size(worker.name, item, job.remaining))
        found = Range(job.number, job.item, job.first, count, check=self._is_checked(worker))
        worker.ranges += 1
        job.remaining -= count
        job.first += count
        if count == left:
            job.item, job.first = min(job.item + 1, len(job.items) - 1), 0
        job.open.add(found)
        return found

    def _is_checked(self, worker: WorkerState) -> bool:
        self._due += self.options.checked
        if self._due >= 1.0:
            self._due -= 1.0
            return True
        return worker.ranges == 0 and self.options.checked > 0

    def _requeue(self, found: Range) -> None:
        if found.job in self._jobs and not found.queued and not found.settled:
            self.reassigned += 1
            self._queue(found)

    def _queue(self, found: Range) -> None:
        if not found.queued:
            found.queued = True
            self._again.append(found)

    def _offer(self, worker: WorkerState) -> None:
        if worker.ready and len(worker.tickets) < self.options.in_flight:
            self._free.setdefault(worker.name)

    def _close(self, number: int, now: float) -> Ticket | None:
        """Take back a ticket that was answered."""
        ticket = self._tickets.pop(number, None)
        if ticket is None:
            return None
        worker = self.workers[ticket.worker]
        worker.tickets.remove(ticket)
        worker.began = now
        ticket.range.out.discard(ticket.worker)
        self.hear(ticket.worker, now)
        return ticket

    # Answers

    def finish(self, number: int, digest: object, seconds: float, now: float) -> tuple[Verdict, Range | None]:
        """Take the answer of a ticket, which took a worker some seconds; say what to do with it."""
        ticket = self._tickets.get(number)
        if ticket is not None:
            delay = max(0.0, now - self.workers[ticket.worker].began - seconds)
            self._delay += _WEIGHT * (delay - self._delay)
        ticket = self._close(number, now)
        if ticket is None or ticket.range.job not in self._jobs:
            return Verdict.IGNORE, None
        found = ticket.range
        key = self._jobs[found.job].items[found.item].key
        self.rates.measure(ticket.worker, key, found.count, seconds)
        return self._vote(found, ticket.worker, digest), found

    def ticket(self, number: int) -> Ticket | None:
        """Return a ticket that was not answered yet."""
        return self._tickets.get(number)

    def fail(self, number: int, now: float) -> tuple[Range | None, bool]:
        """Take a failure of a ticket; return its range, and whether its job cannot go on."""
        ticket = self._close(number, now)
        if ticket is None or ticket.range.job not in self._jobs:
            return None, False
        found = ticket.range
        found.failed.append(ticket.worker)
        self._requeue(found)
        return found, len(found.failed) >= self.options.most_failures and not found.settled

    def to_referee(self) -> Iterator[Range]:
        """Iterate over the ranges that the dispatching process has to play itself."""
        while self._referee:
            yield self._referee.popleft()

    def judge(self, found: Range, digest: object) -> Verdict:
        """Take the answer of the dispatching process, which is right."""
        return Verdict.IGNORE if found.job not in self._jobs else self._vote(found, REFEREE, digest)

    def _vote(self, found: Range, voter: str, digest: object) -> Verdict:
        if found.digest is None:
            found.votes[voter] = digest
            return self._record(found, voter, digest)
        again = found.votes.get(voter, digest)
        if voter in found.votes and again == digest:
            if found.suspect:
                return self._confirm(found, voter, digest)
            found.check = False  # the only worker there is has played it again and agrees with itself
            self._settle(found)
            return Verdict.AGREE
        found.votes[f"{voter}, again" if voter in found.votes else voter] = digest
        if found.suspect and voter != REFEREE:
            return self._confirm(found, voter, digest)
        if not found.disputed:
            self._settle(found)
            return Verdict.AGREE
        return self._dispute(found, voter, digest)

    def _record(self, found: Range, voter: str, digest: object) -> Verdict:
        found.digest, found.by = digest, voter
        job = self._jobs[found.job]
        job.held += 1
        if voter in self.workers:
            self.workers[voter].played.append(found)
        if found.settled:
            self._settle(found)
        elif not found.out:
            self._queue(found)
        return Verdict.RECORD

    def _confirm(self, found: Range, voter: str, digest: object) -> Verdict:
        """Take the answer of a trusted worker for a range of an expelled one."""
        same = found.digest == digest
        found.suspect = False
        found.digest, found.by, found.votes = digest, voter, {voter: digest}
        found.check = False
        self.workers[voter].played.append(found)
        self._settle(found)
        return Verdict.AGREE if same else Verdict.REPLACE

    def _dispute(self, found: Range, voter: str, digest: object) -> Verdict:
        """Settle a dispute by a second vote for this answer, or have the range played once more."""
        alike = sum(other == digest for other in found.votes.values())
        if alike < 2 and voter != REFEREE:
            self.disagreements += 1
            self._jobs[found.job].open.add(found)
            if len(found.votes) > 2 or not self._has_other(found):
                self._call_referee(found)
            else:
                self._queue(found)
            return Verdict.DISPUTE
        same = found.digest == digest
        wrong = {name.removesuffix(", again") for name, other in found.votes.items() if other != digest}
        found.votes = {voter: digest}
        found.digest, found.check = digest, False
        if not same:
            found.by = voter
            if voter in self.workers:
                self.workers[voter].played.append(found)
        for name in sorted(wrong):
            self._expel(name, found)
        found.suspect = False
        self._settle(found)
        return Verdict.AGREE if same else Verdict.REPLACE

    def _call_referee(self, found: Range) -> None:
        if not found.refereed:
            found.refereed = True
            self._referee.append(found)

    def _expel(self, name: str, found: Range) -> None:
        """Stop using the node of a worker that gave a wrong answer; others play its ranges again."""
        worker = self.workers.get(name)
        if worker is None:
            return
        worker.disagreements += 1
        units = f"units {found.first} to {found.first + found.count - 1}"
        self.expelled[worker.node] = f"{name} disagrees with two other plays of {units}"
        self.leave(name)
        for mine in worker.played:
            if mine is found or mine.by != name or mine.job not in self._jobs:
                continue
            others = [other for other, vote in mine.votes.items() if other != name and vote == mine.digest]
            if others:
                mine.by = others[0]
                continue
            mine.suspect = True
            self._jobs[mine.job].open.add(mine)
            self._queue(mine)

    def _settle(self, found: Range) -> None:
        if found.settled:
            self._jobs[found.job].open.discard(found)
