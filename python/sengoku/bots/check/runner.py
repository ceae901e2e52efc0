"""Runs the checks of a bot, game by game."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import index
from typing import Any

from sengoku.bots.bot import AnyBot, Decision, Playing
from sengoku.bots.check.answers import describe_fault, fault_of
from sengoku.bots.check.cases import Case, SpecReader, cases, corner_cases
from sengoku.bots.check.observer import BOT, Observer, Request, Sample
from sengoku.bots.check.report import CHECKS, CheckReport, Failure, GameCheck, Row
from sengoku.bots.clock import Clock
from sengoku.bots.host import Host
from sengoku.bots.port import Seating, make_match
from sengoku.engine.checks import check_integer
from sengoku.engine.games import find_game, games
from sengoku.engine.match import Match
from sengoku.engine.result import MatchResult
from sengoku.errors import ArgumentError

__all__ = ["DECISIONS", "check_bot"]

DECISIONS = 15
"""Default number of decisions per seat and match; whole matches have more."""
_WHOLE_DECISIONS = 1_000
_AT_ONCE = 64
_EXAMPLES = 2  # failures of each check and reason that are reported one by one
_TOGETHER = 4  # matches of each game that are played among those of other games, and then alone
_SLACK_SECONDS = 1.0


def check_bot(
    make: Callable[[], AnyBot],
    *,
    game: str | None = None,
    seed: int = 0,
    clock: Clock | None = None,
    decisions: int = DECISIONS,
    progress: Callable[[int, int], object] | None = None,
) -> CheckReport:
    """Check a bot in every game that it plays, or in one of them.

    `make` creates the bot, several times: an object, or a `ProgramBot` that plays in a process of its own.
    The same seed asks the same decisions of the same bot. A match of the check has about `decisions`
    decisions per seat; whole matches run to their end, or to 1,000.
    """
    check_integer("decisions", decisions, 1, _WHOLE_DECISIONS)
    check_integer("seed", seed, 0, (1 << 64) - 1)
    clock = clock or Clock()
    playing = Playing.of(make())
    if playing.process is not None:
        playing.process.close()  # only its attributes are needed
    known = playing.games or tuple(found.name for found in games())
    if game is not None:
        find_game(game)
        if game not in known:
            details = {"field": "game", "value": game}
            raise ArgumentError(f"game is {game!r}: {playing.name} plays {', '.join(known)}", details)
    chosen = known if game is None else (game,)
    done, steps = 0, len(chosen) * len(CHECKS)

    def advance() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, steps)

    checks = [_GameRunner(name, make, seed, clock, decisions, advance) for name in chosen]
    for check in checks:
        check.play_separately()
    _play_together(checks, make)
    for check in checks:
        check.repeat()
        for observer in check.observers:
            observer.port.close(0.0 if check.stuck else _SLACK_SECONDS)
    return CheckReport(playing.name, seed, clock, tuple(check.result() for check in checks))


class _GameRunner:
    """Runs the checks of one game."""

    def __init__(
        self,
        game: str,
        make: Callable[[], AnyBot],
        seed: int,
        clock: Clock,
        decisions: int,
        advance: Callable[[], None],
    ) -> None:
        self.game, self.make, self.seed, self.clock, self.decisions = game, make, seed, clock, decisions
        self.advance = advance
        self.reader, self.cases = SpecReader(game), cases(game)
        self.rows = {name: Row(name) for name in CHECKS}
        self.failures: list[Failure] = []
        self.observers: list[Observer] = []
        self.deterministic: bool | None = None
        self.independent: bool | None = None
        self.stuck = ""  # name of the check from which the bot did not return

    def _observe(self) -> Observer:
        """Create a new bot under observation."""
        observer = Observer(Playing.of(self.make()), {self.game: self.reader})
        self.observers.append(observer)
        return observer

    def play_separately(self) -> None:
        """Play the checks that have only matches of this game."""
        observer = self._observe()
        first = {case.seats: case for case in reversed(self.cases)}  # one for each number of seats
        every = [(case, {seat}) for case in self.cases for seat in range(case.seats)]
        corners = [(case, {seat}) for case, seat in corner_cases(self.game, self.seed)]
        whole = [(case, {number % case.seats}) for number, case in enumerate(first.values())]
        for name, chosen in (("beginning", every), ("questions", corners), ("whole", whole)):
            each = _WHOLE_DECISIONS if name == "whole" else self.decisions
            for seats in sorted({case.seats for case, _ in chosen}):
                some = [(case, own) for case, own in chosen if case.seats == seats]
                self.play(name, observer, self._seatings(some), each * seats)
            self.advance()

    def _seatings(self, chosen: Iterable[tuple[Case, set[int]]]) -> list[Seating]:
        """Return matches in which the bot has some seats, and `greedy` and `random` the others in turn."""
        seatings = []
        for number, (case, own) in enumerate(chosen):
            others = (("greedy", "random")[(number + seat) % 2] for seat in range(case.seats))
            players = tuple(BOT if seat in own else other for seat, other in enumerate(others))
            seatings.append(Seating(case.game, case.seats, case.setup, self.seed, number, players, number))
        return seatings

    def shared_seatings(self) -> list[Seating]:
        """Return matches to be played among those of other games: with one seat each, and with all seats."""
        chosen = self.cases[:: max(1, len(self.cases) // _TOGETHER)][:_TOGETHER]
        return self._seatings(
            (case, set(range(case.seats)) if number == 0 else {number % case.seats})
            for number, case in enumerate(chosen)
        )

    def play(
        self, name: str, observer: Observer, seatings: Sequence[Seating], most: int, at_once: int = _AT_ONCE
    ) -> list[MatchResult]:
        """Play matches of this game, and record what failed."""
        if self.skips(name):
            return []
        before = observer.asked(self.game)
        results = _play(observer, seatings, self.clock, most, at_once)
        for result in results:
            self.count(name, observer, seatings[result.rotation], result)
        self.rows[name].decisions += observer.asked(self.game) - before
        if observer.is_stuck(_SLACK_SECONDS):
            self.stuck = name
        return results

    def skips(self, name: str) -> bool:
        """Return whether a check cannot be played because the bot is stuck in an earlier one."""
        if self.stuck:
            self.rows[name].skipped = f"the bot did not return from the check {self.stuck!r}"
        return bool(self.stuck)

    def count(self, name: str, observer: Observer, seating: Seating, result: MatchResult) -> None:
        """Count a match, and the forfeits of the bot in it."""
        self.rows[name].matches += 1
        for seat, reason in enumerate(result.forfeits):
            if reason:
                self.rows[name].fail(reason)
                request = observer.last.get((result.rotation, seat))
                # A late answer that took less than its time waited behind another, which is reported itself.
                if request is not None and not (reason == "late" and request.seconds <= request.allowance):
                    replay = _replay_until(seating, result, request.decisions)
                    self._add(name, reason, seating, seat, request, replay)

    def _add(
        self, name: str, reason: str, seating: Seating, seat: int, request: Request, replay: str
    ) -> None:
        """Add a failure, unless there are enough examples of the same kind."""
        alike = sum((failure.check, failure.reason) == (name, reason) for failure in self.failures)
        if alike >= _EXAMPLES:
            return
        match = {
            field: getattr(seating, field) for field in ("game", "seats", "setup", "seed", "match_index")
        }
        text = describe_fault(reason, request.answer, request.legal, self.clock)
        asked: dict[str, Any] = {"seat": seat, "decision": request.decisions, "question": request.question}
        self.failures.append(Failure(check=name, reason=reason, **match, **asked, text=text, replay=replay))

    def play_alone(self, shared: list[MatchResult]) -> None:
        """Repeat the shared matches one at a time with a new bot, and compare how they went."""
        seatings = self.shared_seatings()
        rows = self.play("alone", self._observe(), seatings, _shared_limit(self.decisions), at_once=1)
        if rows and not self.rows["alone"].failed and not self.rows["together"].failed:
            before = {row.rotation: row.replay for row in shared}
            self.independent = {row.rotation: row.replay for row in rows} == before

    def repeat(self) -> None:
        """Request decisions a second time from the same bot, all at once."""
        row = self.rows["again"]
        observer = self.observers[0]
        samples = [sample for some in observer.sampled.values() for sample in some]
        if not samples:
            row.skipped = "no decision was answered"
        if not self.skips("again") and samples:
            answers = _decide(observer.playing, [sample.decision for sample in samples], self.clock)
            row.matches = row.decisions = len(samples)
            if answers is None:
                row.fail("late")
            else:
                self._compare(samples, answers)
        self.advance()

    def _compare(self, samples: list[Sample], answers: Sequence[Any]) -> None:
        """Check whether the second answers are legal and equal to the first."""
        same = True
        for sample, answer in zip(samples, answers, strict=True):
            decision, before = sample.decision, sample.answer
            reason = fault_of(decision, answer)
            if reason:
                self.rows["again"].fail(reason)
                legal = decision.legal.tolist()
                request = Request(decision.decisions, sample.question, legal, 0.0, answer)
                self._add("again", reason, sample.seating, decision.seat, request, sample.replay)
            same &= not reason and not fault_of(decision, before) and index(before) == index(answer)
        self.deterministic = same

    def result(self) -> GameCheck:
        """Return the results of all checks."""
        questions = sum((observer.questions[self.game] for observer in self.observers), Counter[str]())
        kinds = sum((observer.kinds[self.game] for observer in self.observers), Counter[str]())
        legal = [observer.legal[self.game] for observer in self.observers if self.game in observer.legal]
        raised = (observer.failed_after(self.game) for observer in self.observers)
        return GameCheck(
            game=self.game,
            rows=tuple(self.rows.values()),
            failures=tuple(self.failures),
            questions={name: questions[name] for name in self.reader.labels if questions[name]},
            questions_open=tuple(name for name in self.reader.labels if not questions[name]),
            kinds={name: kinds[name] for name in self.reader.kinds if kinds[name]},
            kinds_open=tuple(name for name in self.reader.kinds if not kinds[name]),
            fewest_legal=min((fewest for fewest, _ in legal), default=0),
            most_legal=max((most for _, most in legal), default=0),
            slowest=max((observer.slowest.get(self.game, 0.0) for observer in self.observers), default=0.0),
            deterministic=self.deterministic,
            independent=self.independent,
            match_over=next(filter(None, raised), ""),
        )


def _play_together(checks: list[_GameRunner], make: Callable[[], AnyBot]) -> None:
    """Play matches of all games at the same time, and then each alone."""
    observer = Observer(Playing.of(make()), {check.game: check.reader for check in checks})
    seatings: list[Seating] = []
    owners: list[_GameRunner] = []
    for check in checks:
        if not check.stuck:
            for seating in check.shared_seatings():
                seatings.append(replace(seating, rotation=len(seatings)))
                owners.append(check)
    most = _shared_limit(checks[0].decisions)
    rows = _play(observer, seatings, checks[0].clock, most, _AT_ONCE) if seatings else []
    stuck = observer.is_stuck(_SLACK_SECONDS)
    shared: dict[str, list[MatchResult]] = {}
    for row in rows:
        check = owners[row.rotation]
        check.count("together", observer, seatings[row.rotation], row)
        number = row.rotation - owners.index(check)
        shared.setdefault(check.game, []).append(replace(row, rotation=number))
    for check in checks:
        check.rows["together"].decisions += observer.asked(check.game)
        if not check.skips("together") and stuck:
            check.stuck = "together"
        check.observers.append(observer)
        check.advance()
        check.play_alone(shared.get(check.game, []))
        check.advance()


def _shared_limit(decisions: int) -> int:
    """Return the length of a match among those of other games, whatever its number of seats."""
    return decisions * max(found.seats[1] for found in games())


def _play(
    observer: Observer, seatings: Sequence[Seating], clock: Clock, most: int, at_once: int
) -> list[MatchResult]:
    """Play matches with the clock of a tournament; return the results in the order of the seatings."""
    rows: list[MatchResult] = []
    observer.last.clear()
    limits: dict[str, Any] = {"clock": clock, "at_once": at_once, "max_decisions": most}
    Host(seatings, {BOT: observer.port}, played=rows.append, **limits, replays=True).run()
    return sorted(rows, key=lambda row: row.rotation)


def _replay_until(seating: Seating, row: MatchResult, decision: int) -> str:
    """Return the replay of a match up to a decision, after which a substitute decided."""
    assert row.replay is not None, "replays were requested"  # noqa: S101
    history = Match.from_replay(row.replay).history
    match = make_match(seating, {})
    for action in history[:decision]:
        match.play(action)
    return match.replay()


def _decide(playing: Playing, decisions: list[Decision], clock: Clock) -> Sequence[Any] | None:
    """Request decisions outside a match; return None if the bot does not answer in time."""
    answers: list[Sequence[Any]] = []
    work = lambda: answers.append(playing.decide(decisions))  # noqa: E731
    thread = threading.Thread(target=work, name="asked-again", daemon=True)
    thread.start()
    thread.join(_SLACK_SECONDS + (clock.decision + clock.bank) * len(decisions))
    return answers[0] if answers else None
