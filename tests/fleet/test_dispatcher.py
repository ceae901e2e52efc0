"""The dispatcher alone: what is given out, recorded, repeated and refused."""

from sengoku.fleet.dispatcher import Dispatcher
from sengoku.fleet.ranges import Item, Options, Ticket, Verdict

ITEM = Item(count=1000, key="tower", probe=10)


def fleet(*names: str, **options: float) -> Dispatcher:
    made = Dispatcher(Options(**{"checked": 0.0, **options}))
    for name in names:
        made.join(name, node=f"node of {name}", threads=1, now=0.0)
    return made


def only(tickets: list[Ticket], worker: str) -> Ticket:
    return next(ticket for ticket in tickets if ticket.worker == worker)


def place(ticket: Ticket) -> tuple[int, int]:
    return ticket.range.first, ticket.range.count


def play_out(made: Dispatcher, job: int, now: float = 0.0) -> set[tuple[int, int]]:
    """Let all workers answer rightly until a job is done; return what was recorded."""
    recorded: set[tuple[int, int]] = set()
    waiting = made.assign(now)
    while not made.done(job):
        now += 0.1
        ticket = waiting.pop(0)
        verdict, _ = made.finish(ticket.number, place(ticket), 0.1, now)
        if verdict is Verdict.RECORD:
            assert place(ticket) not in recorded
            recorded.add(place(ticket))
        waiting += made.assign(now)
    return recorded


def covers(recorded: set[tuple[int, int]], count: int) -> bool:
    at = 0
    for first, length in sorted(recorded):
        if first != at:
            return False
        at += length
    return at == count


def test_each_unit_is_recorded_once() -> None:
    made = fleet("a", "b", "c")
    assert covers(play_out(made, made.add([ITEM])), 1000)


def test_two_ranges_are_in_flight() -> None:
    made = fleet("a", "b")
    made.add([ITEM])
    tickets = made.assign(0.0)
    assert [ticket.worker for ticket in tickets] == ["a", "b", "a", "b"]
    assert made.assign(0.0) == []


def test_ranges_take_the_wanted_time_and_get_shorter_at_the_end() -> None:
    made = fleet("a")
    job = made.add([Item(count=100_000, key="tower", probe=10)])
    sizes, now = [], 0.0
    waiting = made.assign(now)
    while not made.done(job):
        ticket = waiting.pop(0)
        seconds = ticket.range.count / 1000
        sizes.append(seconds)
        now += seconds
        made.finish(ticket.number, 0, seconds, now)
        waiting += made.assign(now)
    assert 0.9 < max(sizes) < 1.1
    assert sizes.count(max(sizes)) > 50 or sum(0.9 < size < 1.1 for size in sizes) > 80
    assert sizes[-2] < 0.3


def test_jobs_take_turns() -> None:
    made = fleet("a", in_flight=4)
    first, second = made.add([ITEM]), made.add([ITEM])
    assert [ticket.range.job for ticket in made.assign(0.0)] == [first, second, first, second]


def test_items_are_never_mixed() -> None:
    made = fleet("a", in_flight=4)
    made.add([Item(3, "x", probe=10), Item(25, "y", probe=10)])
    assert [(t.range.item, *place(t)) for t in made.assign(0.0)] == [
        (0, 0, 3), (1, 0, 10), (1, 10, 10), (1, 20, 5),
    ]  # fmt: skip


def test_ranges_of_a_worker_that_left_are_played_first() -> None:
    made = fleet("a", "b")
    job = made.add([ITEM])
    lost = [place(ticket) for ticket in made.assign(0.0) if ticket.worker == "a"]
    made.leave("a")
    made.join("c", node="n", threads=1, now=1.0)
    assert [place(ticket) for ticket in made.assign(1.0)] == lost
    assert made.reassigned == 2
    assert not made.done(job)


def test_a_silent_worker_keeps_its_ranges_and_others_get_them_too() -> None:
    made = fleet("a", "b")
    job = made.add([Item(20, "x", probe=10)])
    kept, other = made.assign(0.0)
    made.finish(other.number, "o", 0.1, 2.9)
    made.tick(2.9)
    assert made.assign(2.9) == []
    made.hear("b", 3.1)
    made.tick(3.2)
    (copy,) = made.assign(3.2)
    assert (copy.worker, copy.range) == ("b", kept.range)
    assert made.finish(copy.number, "k", 0.1, 3.4)[0] is Verdict.RECORD
    assert made.done(job)
    assert made.finish(kept.number, "k", 0.1, 9.0)[0] is Verdict.AGREE
    assert not made.workers["a"].silent


def test_a_late_range_is_played_twice_and_counted_once() -> None:
    made = fleet("a", "b")
    made.rates.measure("a", "x", 10, 1.0)
    made.add([Item(20, "x", probe=10)])
    tickets = made.assign(0.0)
    slow = only(tickets, "a")
    for step in range(1, 30):
        made.hear("a", step / 2)
        made.hear("b", step / 2)
        made.tick(step / 2)
        if slow.late:
            break
    assert slow.late
    assert slow.expected is not None
    assert step / 2 > 3 * slow.expected + 1.5 - 0.5


def test_a_draining_worker_gets_nothing_new_and_its_answers_count() -> None:
    made = fleet("a", "b")
    made.add([ITEM])
    ticket = only(made.assign(0.0), "a")
    made.drain("a")
    assert made.finish(ticket.number, 1, 0.1, 0.1)[0] is Verdict.RECORD
    assert all(ticket.worker == "b" for ticket in made.assign(0.2))


def test_the_first_range_of_a_worker_is_played_twice() -> None:
    made = fleet("a", "b", checked=0.01)
    made.add([ITEM])
    tickets = made.assign(0.0)
    assert [ticket.range.check for ticket in tickets] == [True, True, False, False]


def test_a_share_of_the_ranges_is_played_twice() -> None:
    made = fleet("a", "b", checked=0.25)
    job = made.add([Item(4000, "x", probe=10)])
    made.rates.measure("a", "x", 10, 1.0)
    plays = 0
    waiting = made.assign(0.0)
    ranges = set()
    while not made.done(job):
        ticket = waiting.pop(0)
        plays += 1
        ranges.add(ticket.range)
        made.finish(ticket.number, place(ticket), 1.0, plays)
        waiting += made.assign(plays)
    assert 0.2 < (plays - len(ranges)) / len(ranges) < 0.35


def test_a_single_worker_checks_itself() -> None:
    made = fleet("a", checked=1.0)
    assert covers(play_out(made, made.add([ITEM])), 1000)


def test_two_votes_expel_the_third_worker_and_its_other_ranges_are_played_again() -> None:
    made = fleet("bad", "b", "c", in_flight=1, checked=0.0)
    job = made.add([Item(60, "x", probe=10)])
    first = {ticket.worker: ticket for ticket in made.assign(0.0)}
    for name, ticket in first.items():
        answer = "wrong" if name == "bad" else place(ticket)
        assert made.finish(ticket.number, answer, 1.0, 1.0)[0] is Verdict.RECORD
    wrong = first["bad"].range
    second = {ticket.worker: ticket for ticket in made.assign(1.0)}
    disputed = second["bad"].range
    disputed.check = True
    assert made.finish(second["bad"].number, "wrong", 1.0, 2.0)[0] is Verdict.RECORD
    made.finish(second["b"].number, place(second["b"]), 1.0, 2.0)
    again = next(ticket for ticket in made.assign(2.0) if ticket.range is disputed)
    assert made.finish(again.number, place(again), 1.0, 3.0)[0] is Verdict.DISPUTE
    made.finish(second["c"].number, place(second["c"]), 1.0, 3.0)
    third = next(ticket for ticket in made.assign(3.0) if ticket.range is disputed)
    assert third.worker not in ("bad", again.worker)
    assert made.finish(third.number, place(third), 1.0, 4.0)[0] is Verdict.REPLACE
    assert "node of bad" in made.expelled
    assert "bad" in made.expelled["node of bad"]
    assert not made.done(job)
    verdicts = {}
    waiting = [*made.assign(4.0)]
    while not made.done(job):
        ticket = waiting.pop(0) if waiting else next(iter(made.workers["b"].tickets))
        verdicts[ticket.range], _ = made.finish(ticket.number, place(ticket), 1.0, 5.0)
        waiting += made.assign(5.0)
    assert verdicts[wrong] is Verdict.REPLACE


def test_the_referee_settles_disputes_of_two_workers() -> None:
    made = fleet("a", "bad", in_flight=1, checked=0.0)
    job = made.add([Item(10, "x", probe=10)])
    (ticket,) = made.assign(0.0)
    ticket.range.check = True
    made.finish(ticket.number, "right", 1.0, 1.0)
    (again,) = made.assign(1.0)
    assert again.worker == "bad"
    assert made.finish(again.number, "wrong", 1.0, 2.0)[0] is Verdict.DISPUTE
    (found,) = made.to_referee()
    assert made.judge(found, "right") is Verdict.AGREE
    assert list(made.expelled) == ["node of bad"]
    assert made.done(job)


def test_a_range_that_fails_three_times_ends_its_job() -> None:
    made = fleet("a", "b", "c", in_flight=1)
    made.add([Item(10, "x", probe=10)])
    workers = []
    for attempt in range(3):
        (ticket,) = made.assign(float(attempt))
        workers.append(ticket.worker)
        found, hopeless = made.fail(ticket.number, attempt + 0.5)
        assert found is ticket.range
        assert hopeless == (attempt == 2)
    assert len(set(workers)) == 3


def test_answers_that_nobody_takes_stop_new_ranges() -> None:
    made = fleet("a", in_flight=1)
    job = made.add([Item(10_000, "x", probe=1)], window=True)
    played = 0
    while tickets := made.assign(0.0):
        made.finish(tickets[0].number, 0, 100.0, 0.0)
        played += 1
        assert played < 100
    made.take(job)
    assert len(made.assign(0.0)) == 1


def test_dropped_jobs_are_forgotten() -> None:
    made = fleet("a", "b")
    job = made.add([ITEM])
    tickets = made.assign(0.0)
    assert made.drop(job) == tickets
    assert made.finish(tickets[0].number, 1, 1.0, 1.0) == (Verdict.IGNORE, None)
    assert made.idle
    assert made.assign(2.0) == []
