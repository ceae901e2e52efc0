"""Runs the checks of a bot, game by game."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from typing import Any

from sengoku import _core
from sengoku.bots.bot import AnyBot, Decision, Playing
from sengoku.bots.check.answers import describe_fault, fault_of
from sengoku.bots.check.cases import Case, SpecReader, cases, corner_cases
from sengoku.bots.check.observer import BOT, Observer, Request, Sample
from sengoku.bots.check.report import CHECKS, CheckReport, Failure, GameCheck, Row
from sengoku.bots.clock import Clock
from sengoku.bots.host import Host
from sengoku.bots.port import Seating
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
_EXAMPLES = 2
"""Failures of each check and reason that are reported one by one."""
_TOGETHER = 4
"""Matches of each game that are played among those of other games, and then alone."""
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

    `make` creates the bot, once for each game. The same seed asks the same decisions of the same bot. A match
    of the check has about `decisions` decisions per seat; whole matches run to their end, or to 1,000.
    """
    check_integer("decisions", decisions, 1, _WHOLE_DECISIONS)
    check_integer("seed", seed, 0, (1 << 64) - 1)
    clock = clock or Clock()
    playing = Playing.of(make())
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


@dataclass
class _Tally:
    """A row of the report that is being filled."""

    matches: int = 0
    decisions: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    skipped: str = ""


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
        self.tallies = {name: _Tally() for name in CHECKS}
        self.failures: list[Failure] = []
        self.observers: list[Observer] = []
        self.deterministic: bool | None = None
        self.independent: bool | None = None
        self.stuck = ""
        """Name of the check from which the bot did not return."""

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
        return [
            Seating(
                case.game,
                case.seats,
                case.setup,
                self.seed,
                number,
                tuple(
                    BOT if seat in own else ("greedy", "random")[(number + seat) % 2]
                    for seat in range(case.seats)
                ),
                number,
            )
            for number, (case, own) in enumerate(chosen)
        ]

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
        tally = self.tallies[name]
        if self.stuck:
            tally.skipped = f"the bot did not return from the check {self.stuck!r}"
            return []
        before = observer.asked(self.game)
        rows = _play(observer, seatings, self.clock, most, at_once)
        for row in rows:
            self.count(name, observer, seatings[row.rotation], row)
        tally.decisions += observer.asked(self.game) - before
        if observer.is_stuck(_SLACK_SECONDS):
            self.stuck = name
        return rows

    def count(self, name: str, observer: Observer, seating: Seating, row: MatchResult) -> None:
        """Count a match, and the forfeits of the bot in it."""
        self.tallies[name].matches += 1
        for seat, reason in enumerate(row.forfeits):
            if reason:
                self.tallies[name].failed[reason] += 1
                request = observer.last.get((row.rotation, seat))
                # A late answer that took less than its time waited behind another, which is reported itself.
                if request is not None and not (reason == "late" and request.seconds <= request.allowance):
                    replay = _replay_until(seating, row, request.decisions)
                    self._add(name, reason, seating, seat, request, replay)

    def _add(
        self, name: str, reason: str, seating: Seating, seat: int, request: Request, replay: str
    ) -> None:
        """Add a failure, unless there are enough examples of the same kind."""
        alike = sum((failure.check, failure.reason) == (name, reason) for failure in self.failures)
        if alike >= _EXAMPLES:
            return
        self.failures.append(
            Failure(
                check=name,
                reason=reason,
                game=self.game,
                seats=seating.seats,
                setup=seating.setup,
                seed=seating.seed,
                match_index=seating.match_index,
                seat=seat,
                decision=request.decisions,
                question=request.question,
                text=describe_fault(reason, request.answer, request.legal, self.clock),
                replay=replay,
            )
        )

    def play_alone(self, shared: list[MatchResult]) -> None:
        """Repeat the shared matches one at a time with a new bot, and compare how they went."""
        seatings = self.shared_seatings()
        rows = self.play("alone", self._observe(), seatings, _shared_limit(self.decisions), at_once=1)
        if rows and not self.tallies["alone"].failed and not self.tallies["together"].failed:
            before = {row.rotation: row.replay for row in shared}
            self.independent = {row.rotation: row.replay for row in rows} == before

    def repeat(self) -> None:
        """Request decisions a second time from the same bot, all at once."""
        tally = self.tallies["again"]
        observer = self.observers[0]
        samples = [sample for some in observer.sampled.values() for sample in some]
        if self.stuck:
            tally.skipped = f"the bot did not return from the check {self.stuck!r}"
        elif not samples:
            tally.skipped = "no decision was answered"
        else:
            answers = _decide(observer.playing, [sample.decision for sample in samples], self.clock)
            tally.matches = tally.decisions = len(samples)
            if answers is None:
                tally.failed["late"] += 1
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
                self.tallies["again"].failed[reason] += 1
                legal = decision.legal.tolist()
                request = Request(decision.decisions, sample.question, legal, 0.0, answer)
                self._add("again", reason, sample.seating, decision.seat, request, sample.replay)
            same &= not reason and not fault_of(decision, before) and index(before) == index(answer)
        self.deterministic = same

    def result(self) -> GameCheck:
        """Return the results of all checks."""
        questions: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        for observer in self.observers:
            questions += observer.questions[self.game]
            kinds += observer.kinds[self.game]
        legal = [observer.legal[self.game] for observer in self.observers if self.game in observer.legal]
        raised = (observer.over_failed.get(self.game, "") for observer in self.observers)
        return GameCheck(
            game=self.game,
            rows=tuple(
                Row(name, tally.matches, tally.decisions, dict(sorted(tally.failed.items())), tally.skipped)
                for name, tally in self.tallies.items()
            ),
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
        tally = check.tallies["together"]
        tally.decisions += observer.asked(check.game)
        if check.stuck:
            tally.skipped = f"the bot did not return from the check {check.stuck!r}"
        elif stuck:
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
    Host(
        seatings,
        {BOT: observer.port},
        played=rows.append,
        clock=clock,
        at_once=at_once,
        max_decisions=most,
        replays=True,
    ).run()
    return sorted(rows, key=lambda row: row.rotation)


def _replay_until(seating: Seating, row: MatchResult, decision: int) -> str:
    """Return the replay of a match up to a decision, after which a substitute decided."""
    assert row.replay is not None, "replays were requested"  # noqa: S101
    history = Match.from_replay(row.replay).history
    match = _core.Match.create(
        seating.game,
        seats=seating.seats,
        seed=seating.seed,
        match_index=seating.match_index,
        setup=seating.setup,
    )
    for action in history[:decision]:
        match.play(action)
    return match.replay()


def _decide(playing: Playing, decisions: list[Decision], clock: Clock) -> Sequence[Any] | None:
    """Request decisions outside a match; return None if the bot does not answer in time."""
    answers: list[Sequence[Any]] = []

    def run() -> None:
        answers.append(playing.decide(decisions))

    thread = threading.Thread(target=run, name="asked-again", daemon=True)
    thread.start()
    thread.join(_SLACK_SECONDS + (clock.decision + clock.bank) * len(decisions))
    return answers[0] if answers else None
