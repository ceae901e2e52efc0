"""Plays a bot through the odd corners of its games, before it may enter a tournament.

Every setup that changes what is asked, every number of seats and each seat; positions in which each question
of the game is open, with one legal answer and with very many; whole matches; matches of all games at once,
and each alone. What fails comes with a replay up to the decision that it failed at.

>>> class First:
...     name = "first"
...     games = ("tower",)
...
...     def decide(self, decision):
...         return decision.legal[0]
>>> report = check_bot(First, decisions=2)
>>> report.passed, report.games[0].deterministic, [row.name for row in report.games[0].rows]
(True, True, ['beginning', 'questions', 'whole', 'together', 'alone', 'again'])
"""

from __future__ import annotations

import json
import math
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sengoku import _core
from sengoku.bots.bot import AnyBot, Decision, Playing, decision_of
from sengoku.bots.host import Ask, Clock, Host, LocalPort, Over, Seating, make_match
from sengoku.bots.report import PlayedMatch
from sengoku.engine.games import find_game, games
from sengoku.engine.match import Match
from sengoku.engine.scenarios import scenarios
from sengoku.engine.spec import spec
from sengoku.errors import ArgumentError, SetupError

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["CHECKS", "CheckReport", "Failure", "GameCheck", "Row", "check_bot"]

CHECKS = {
    "beginning": "every setup and number of seats, from each seat, from the beginning",
    "questions": "positions that ask each question and offer each kind of action, one of them or very many",
    "whole": "whole matches, with each number of seats",
    "together": "matches of all its games at once, also against itself",
    "alone": "some of these again, one at a time",
    "again": "decisions asked a second time",
}
"""What a bot is played through, in this order."""

DECISIONS = 15
"""Decisions of a match for each of its seats, about, if nobody says otherwise; whole matches have more."""
_WHOLE_DECISIONS = 1_000
_REFERENCE_DECISIONS = 2_000
"""Decisions of a match of our bots in which positions are looked for."""
_AT_ONCE = 64
_EXAMPLES = 2
"""Failures of a check that are told one by one."""
_SAMPLED = 2
"""Decisions of each question that are asked again."""
_TOGETHER = 4
"""Matches of each game that are played at once with those of others, and then alone."""
_SHOWN = 12
_SLACK_SECONDS = 1.0
_BOT = "#bot"
_POINTS = ("point", "question")
"""What the field is called that says what is asked."""

_OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "swords": (
        {},
        {"two_player_early_attacks": True},
        {"long_game": True},
        {"max_rounds": 1},
    ),
    "tower": (
        {},
        {"mode": "draft"},
        {"side": "moon"},
        {"court": True},
        {"mode": "draft", "court": True},
        {"side": "moon", "court": True},
        {"reveal": "per_action", "court": True},
        {"allow_zero_move": True},
        {"court": True, "favour_deck": "hidden"},
        {"event12_rice_loss": 1, "bump_probability": 1.0},
        {"max_rounds": 1},
    ),
    "battles": ({"campaign": 18}, {"campaign": 39}, {"max_rounds": 1}),
}
"""Setups that change what is asked, beside the scenarios; numbers of seats that one refuses are left out."""


@dataclass(frozen=True)
class Failure:
    """An answer that would lose the bot a match."""

    check: str
    """One of `CHECKS`."""
    reason: str
    """One of `played.FORFEITS`."""
    game: str
    seats: int
    setup: str = field(repr=False)
    """JSON; of a position the text is long, and the replay has it too."""
    seed: int
    match_index: int
    seat: int
    decision: int
    """Decisions of all seats before it."""
    question: str
    text: str
    """What was wrong, in a sentence."""
    replay: str = field(repr=False)
    """The match up to this decision: setup, seed and decisions, as `Match.from_replay` reads it."""


@dataclass(frozen=True)
class Row:
    """What came of one check of a game."""

    name: str
    matches: int
    """Matches that were played, or decisions that were asked again; 0 if there was nothing left to ask."""
    decisions: int
    """Decisions that the bot was asked."""
    failed: dict[str, int]
    """Matches that would have been forfeited, by reason."""
    skipped: str = ""
    """Why it was not played."""

    @property
    def passed(self) -> bool:
        """Whether nothing failed, and something was asked."""
        return not self.failed and not self.skipped


@dataclass(frozen=True)
class GameCheck:
    """What came of the checks of a game."""

    game: str
    rows: tuple[Row, ...]
    failures: tuple[Failure, ...]
    """Examples, at most two for a check and a reason."""
    questions: dict[str, int]
    """How often each question of the game was asked."""
    questions_open: tuple[str, ...]
    """Points of play by the specification at which the bot was never asked; at some nobody ever is."""
    kinds: dict[str, int]
    """How often each kind of action was offered."""
    kinds_open: tuple[str, ...]
    """Kinds of actions that were never offered."""
    fewest_legal: int
    most_legal: int
    """Fewest and most legal actions of a decision."""
    slowest: float
    """Seconds of the slowest answer."""
    deterministic: bool | None
    """Whether the same decision had the same answer again; None if it was not asked again."""
    independent: bool | None
    """Whether a match went the same alone and amid others; None if it was not played twice."""
    match_over: str
    """What `match_over` raised, or nothing."""

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return all(row.passed for row in self.rows) and not self.match_over


@dataclass(frozen=True, repr=False)
class CheckReport:
    """What came of the check of a bot."""

    bot: str
    seed: int
    clock: Clock
    games: tuple[GameCheck, ...]

    @property
    def passed(self) -> bool:
        """Whether the bot may enter."""
        return all(game.passed for game in self.games)

    def __repr__(self) -> str:
        return f"<CheckReport of {self.bot}: {'passed' if self.passed else 'failed'}>"

    def to_dict(self) -> dict[str, Any]:
        """Gives everything as plain values, ready for JSON."""
        clock = {"decision": self.clock.decision, "bank": self.clock.bank}
        told = [{**asdict(game), "passed": game.passed} for game in self.games]
        for game, rows in zip(told, self.games, strict=True):
            game["rows"] = [{**asdict(row), "passed": row.passed} for row in rows.rows]
        return {"bot": self.bot, "passed": self.passed, "seed": self.seed, "clock": clock, "games": told}

    def save_replays(self, folder: Path) -> list[Path]:
        """Writes the replay of every example into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for game in self.games:
            counts: Counter[tuple[str, str]] = Counter()
            for failure in game.failures:
                counts[failure.check, failure.reason] += 1
                number = counts[failure.check, failure.reason]
                path = folder / f"{game.game}-{failure.check}-{failure.reason}-{number}.replay"
                path.write_text(failure.replay, "utf-8")
                written.append(path)
        return written

    def __rich__(self) -> RenderableType:
        from sengoku.bots import tables  # noqa: PLC0415 - rich is needed only to show a table

        return tables.checked(self)


def check_bot(
    make: Callable[[], AnyBot],
    *,
    game: str | None = None,
    seed: int = 0,
    clock: Clock | None = None,
    decisions: int = DECISIONS,
    progress: Callable[[int, int], object] | None = None,
) -> CheckReport:
    """Checks a bot in every game that it plays, or in one of them.

    `make` gives the bot; each game has one of its own. The same seed asks the same of the same bot. A match
    of the check has so many `decisions` for each seat, not all of which take the same part in them; whole
    ones go on to their end, or to 1,000.
    """
    if not 1 <= index(decisions) <= _WHOLE_DECISIONS:
        details = {"field": "decisions", "value": str(decisions)}
        raise ArgumentError(f"decisions is {decisions}, 1 to {_WHOLE_DECISIONS} are possible", details)
    if not 0 <= index(seed) < 1 << 64:
        details = {"field": "seed", "value": str(seed)}
        raise ArgumentError(f"seed is {seed}, 0 to {(1 << 64) - 1} are possible", details)
    clock = clock or Clock()
    playing = Playing.of(make())
    known = playing.games or tuple(found.name for found in games())
    if game is not None:
        find_game(game)
        if game not in known:
            details = {"field": "game", "value": game}
            raise ArgumentError(f"game is {game!r}, {playing.name} plays {', '.join(known)}", details)
    chosen = known if game is None else (game,)
    done, steps = 0, len(chosen) * len(CHECKS)

    def tell() -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, steps)

    checks = [_Check(name, make, seed, clock, decisions, tell) for name in chosen]
    for check in checks:
        check.separately()
    _together(checks, make)
    for check in checks:
        check.again()
        for watched in check.watched:
            watched.port.close(0.0 if check.stuck else _SLACK_SECONDS)
    return CheckReport(playing.name, seed, clock, tuple(check.result() for check in checks))


# What is asked


@dataclass(frozen=True)
class _Case:
    """A way to set up a game."""

    game: str
    seats: int
    setup: str

    def begin(self, seed: int, bots: Sequence[str]) -> _core.Match:
        """Begins a match of our bots."""
        seated = tuple(bots[seat % len(bots)] for seat in range(self.seats))
        seating = Seating(self.game, self.seats, self.setup, seed, 0, seated)
        return make_match(seating, dict(enumerate(seated)))


@lru_cache(maxsize=16)
def _cases(game: str) -> tuple[_Case, ...]:
    """Every setup with every number of seats that it can be played with."""
    found = find_game(game)
    setups = [*_OPTIONS.get(game, ({},)), *(scenario.setup or {} for scenario in scenarios(game))]
    texts = dict.fromkeys(json.dumps(setup, sort_keys=True) for setup in setups)
    cases = []
    for text in texts:
        for seats in range(found.seats[0], found.seats[1] + 1):
            try:
                _core.Match.create(game, seats=seats, seed=0, match_index=0, setup=text)
            except SetupError:
                continue  # some options are for some numbers of seats only
            cases.append(_Case(game, seats, text))
    return tuple(cases)


class _Reader:
    """Says of a decision what is asked and what is offered, by the specification of the game."""

    def __init__(self, game: str) -> None:
        self.spec = spec(game)
        self._point = next(self.spec[name] for name in _POINTS if name in self.spec.names)
        self.labels = self._point.labels
        self.kinds = tuple(dict.fromkeys(kind.name for kind in self.spec.actions))
        self._first = np.array([kind.first for kind in self.spec.actions])

    def question(self, observation: Any) -> str:
        """What is asked."""
        return self.labels[int(self._point.of(observation)) - self._point.low]

    def offered(self, legal: Sequence[int]) -> set[str]:
        """The kinds of actions that are legal."""
        places = np.unique(np.searchsorted(self._first, legal, side="right") - 1)
        return {self.spec.actions[place].name for place in places.tolist()}


@lru_cache(maxsize=16)
def _corners(game: str, seed: int) -> tuple[tuple[_Case, int], ...]:
    """Positions that together ask every question that matches of our bots come to, and whose turn it is.

    Also such that offer each kind of action, exactly one legal one, and the most there were; and late ones.
    """
    reader = _Reader(game)
    seen: set[object] = set()
    found: list[tuple[_Case, int]] = []
    most: tuple[int, tuple[_Case, int] | None] = (0, None)

    def take(match: _core.Match, case: _Case) -> tuple[_Case, int]:
        seat = match.to_act
        assert seat is not None, "somebody is asked"  # noqa: S101
        position = Match(match).resample(seat, seed=seed)
        return replace(case, setup=json.dumps(position.setup)), seat

    for number, case in enumerate(_cases(game)):
        for bots in (("greedy", "random") if number % 2 else ("greedy",), ("random",)):
            played = case.begin(seed, bots)
            _core.play_bots([played], max_decisions=_REFERENCE_DECISIONS)
            history = played.history
            match = _core.Match.create(
                case.game, seats=case.seats, seed=seed, match_index=0, setup=case.setup
            )
            for turn, action in enumerate(history):
                seat = match.to_act
                assert seat is not None, "the match went on from here"  # noqa: S101
                legal = match.legal_indices()
                question = reader.question(match.observe(seat))
                marks: set[object] = {question, *((kind,) for kind in reader.offered(legal))}
                marks |= {("single", question)} if len(legal) == 1 else set()
                marks |= {("late", case.seats)} if turn == len(history) - 1 else set()
                if not marks <= seen:
                    found.append(take(match, case))
                    seen |= marks
                if len(legal) > most[0]:
                    most = len(legal), take(match, case)
                match.play(action, seat)
    return (*found, most[1]) if most[1] is not None else tuple(found)


# Who is asked


@dataclass(eq=False)
class _Asked:
    """The last decision that a seat was asked, and what it said."""

    decisions: int
    question: str
    legal: list[int]
    allowance: float
    """Seconds that it had."""
    answer: Any = None
    seconds: float = math.inf
    """How long it took, for ever as long as it has not come back."""


@dataclass(frozen=True)
class _Sample:
    """A decision that is asked again."""

    decision: Decision
    answer: Any
    """What the bot said at first."""
    question: str
    seating: Seating
    replay: str


class _Watched:
    """A bot behind a port, and what it was asked there."""

    def __init__(self, playing: Playing, readers: dict[str, _Reader]) -> None:
        self.playing = playing
        self.readers = readers
        self.last: dict[tuple[int, int], _Asked] = {}
        """By match and seat."""
        self.questions: dict[str, Counter[str]] = {game: Counter() for game in readers}
        self.kinds: dict[str, Counter[str]] = {game: Counter() for game in readers}
        self.legal: dict[str, tuple[int, int]] = {}
        self.slowest: dict[str, float] = {}
        self.sampled: dict[tuple[str, str], list[_Sample]] = {}
        """By game and question."""
        self.over_failed: dict[str, str] = {}
        """What went wrong first after a match, by game."""
        self.port = LocalPort(
            _BOT,
            self._decide,
            wants=playing.wants | {"observation"},
            capacity=playing.capacity if playing.batches else 1,
            over=self._over,
        )

    def _decide(self, asks: list[Ask]) -> Sequence[Any]:
        asked = [self._note(ask) for ask in asks]
        decisions = [self._decision(ask) for ask in asks]
        began = time.monotonic()
        answers = self.playing.decide(decisions)
        spent = time.monotonic() - began
        for ask, note, decision, answer in zip(asks, asked, decisions, answers, strict=True):
            note.answer, note.seconds = answer, spent
            self.slowest[ask.game] = max(spent, self.slowest.get(ask.game, 0.0))
            kept = self.sampled.setdefault((ask.game, note.question), [])
            if len(kept) < _SAMPLED:
                replay = ask.table.match.replay()  # nobody goes on with the match before this answer
                kept.append(_Sample(decision, answer, note.question, ask.table.seating, replay))
        return answers

    def _note(self, ask: Ask) -> _Asked:
        reader = self.readers[ask.game]
        question = reader.question(ask.observation)
        self.questions[ask.game][question] += 1
        self.kinds[ask.game].update(reader.offered(ask.legal))
        fewest, most = self.legal.get(ask.game, (len(ask.legal), len(ask.legal)))
        self.legal[ask.game] = min(fewest, len(ask.legal)), max(most, len(ask.legal))
        note = _Asked(ask.decisions, question, ask.legal, ask.allowance)
        self.last[ask.table.seating.rotation, ask.seat] = note
        return note

    def _decision(self, ask: Ask) -> Decision:
        decision = decision_of(ask)
        return decision if "observation" in self.playing.wants else replace(decision, observation=None)

    def _over(self, over: Over) -> None:
        told = getattr(self.playing.bot, "match_over", None)
        if callable(told):
            try:
                told(over)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the bot's
                self.over_failed.setdefault(over.game, _told(error))


@dataclass
class _Tally:
    """A row that is being filled."""

    matches: int = 0
    decisions: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    skipped: str = ""


class _Check:
    """The check of one game."""

    def __init__(
        self,
        game: str,
        make: Callable[[], AnyBot],
        seed: int,
        clock: Clock,
        decisions: int,
        tell: Callable[[], None],
    ) -> None:
        self.game, self.make, self.seed, self.clock, self.decisions = game, make, seed, clock, decisions
        self.tell = tell
        self.reader, self.cases = _Reader(game), _cases(game)
        self.tallies = {name: _Tally() for name in CHECKS}
        self.failures: list[Failure] = []
        self.watched: list[_Watched] = []
        self.deterministic: bool | None = None
        self.independent: bool | None = None
        self.stuck = ""
        """Which check the bot did not come back from."""

    def separately(self) -> None:
        """Plays what has only matches of this game."""
        watched = _Watched(Playing.of(self.make()), {self.game: self.reader})
        self.watched.append(watched)
        first = {case.seats: case for case in reversed(self.cases)}  # of each number of seats
        every = [(case, {seat}) for case in self.cases for seat in range(case.seats)]
        corners = [(case, {seat}) for case, seat in _corners(self.game, self.seed)]
        whole = [(case, {number % case.seats}) for number, case in enumerate(first.values())]
        for name, wished in (("beginning", every), ("questions", corners), ("whole", whole)):
            each = _WHOLE_DECISIONS if name == "whole" else self.decisions
            for seats in sorted({case.seats for case, _ in wished}):
                some = [(case, mine) for case, mine in wished if case.seats == seats]
                self.play(name, watched, self.seatings(some), each * seats)
            self.tell()

    def seatings(self, wished: Iterable[tuple[_Case, set[int]]]) -> list[Seating]:
        """Matches in which the bot has some seats and ours have the others, stronger and weaker in turn."""
        return [
            Seating(
                case.game,
                case.seats,
                case.setup,
                self.seed,
                number,
                tuple(
                    _BOT if seat in mine else ("greedy", "random")[(number + seat) % 2]
                    for seat in range(case.seats)
                ),
                number,
            )
            for number, (case, mine) in enumerate(wished)
        ]

    def together(self) -> list[Seating]:
        """Matches to be played amid those of other games: from each of the first seats, and from all."""
        chosen = self.cases[:: max(1, len(self.cases) // _TOGETHER)][:_TOGETHER]
        wished = [
            (case, set(range(case.seats)) if number == 0 else {number % case.seats})
            for number, case in enumerate(chosen)
        ]
        return self.seatings(wished)

    def play(
        self, name: str, watched: _Watched, wished: Sequence[Seating], most: int, at_once: int = _AT_ONCE
    ) -> list[PlayedMatch]:
        """Plays matches of this game, and writes down what failed."""
        tally = self.tallies[name]
        if self.stuck:
            tally.skipped = f"the bot did not come back from {self.stuck!r}"
            return []
        before = sum(watched.questions[self.game].values())
        rows = _host(watched, wished, self.clock, most, at_once)
        for row in rows:
            self.count(name, watched, wished[row.rotation], row)
        tally.decisions += sum(watched.questions[self.game].values()) - before
        if _is_stuck(watched):
            self.stuck = name
        return rows

    def count(self, name: str, watched: _Watched, seating: Seating, row: PlayedMatch) -> None:
        """Counts a match, and what the bot did in it."""
        tally = self.tallies[name]
        tally.matches += 1
        for seat, reason in enumerate(row.forfeits):
            if reason:
                self.fail(name, reason, seating, row, seat, watched.last.get((row.rotation, seat)))

    def fail(
        self, name: str, reason: str, seating: Seating, row: PlayedMatch, seat: int, asked: _Asked | None
    ) -> None:
        self.tallies[name].failed[reason] += 1
        if asked is None or (reason == "late" and asked.seconds <= asked.allowance):
            return  # it waited behind a decision that did not come back, which is told itself
        text = _fault(reason, asked.answer, asked.legal, self.clock)
        replay = _until(seating, row, asked.decisions)
        self.add(name, reason, seating, seat, asked.decisions, asked.question, text, replay)

    def add(
        self,
        name: str,
        reason: str,
        seating: Seating,
        seat: int,
        decision: int,
        question: str,
        text: str,
        replay: str,
    ) -> None:
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
                decision=decision,
                question=question,
                text=text,
                replay=replay,
            )
        )

    def alone(self, amid: list[PlayedMatch]) -> None:
        """Plays matches again that were played amid others, one at a time, with a bot that knows nothing."""
        wished = self.together()
        watched = _Watched(Playing.of(self.make()), {self.game: self.reader})
        self.watched.append(watched)
        rows = self.play("alone", watched, wished, _table(self.decisions), at_once=1)
        if rows and not self.tallies["alone"].failed and not self.tallies["together"].failed:
            told = {row.rotation: row.replay for row in amid}
            self.independent = {row.rotation: row.replay for row in rows} == told

    def again(self) -> None:
        """Asks decisions a second time: the bot that was asked first, later and among others."""
        tally = self.tallies["again"]
        watched = self.watched[0]
        sampled = [sample for kept in watched.sampled.values() for sample in kept]
        if self.stuck:
            tally.skipped = f"the bot did not come back from {self.stuck!r}"
        elif not sampled:
            tally.skipped = "no decision was answered"
        else:
            answers = _ask(watched.playing, [sample.decision for sample in sampled], self.clock)
            tally.matches = tally.decisions = len(sampled)
            if answers is None:
                tally.failed["late"] += 1
            else:
                self.compare(sampled, answers)
        self.tell()

    def compare(self, sampled: list[_Sample], answers: Sequence[Any]) -> None:
        """Looks whether second answers are right, and the same as the first ones."""
        same = True
        for sample, answer in zip(sampled, answers, strict=True):
            decision, before = sample.decision, sample.answer
            reason = _wrong(decision, answer)
            if reason:
                self.tallies["again"].failed[reason] += 1
                text = _fault(reason, answer, decision.legal.tolist(), self.clock)
                self.add(
                    "again",
                    reason,
                    sample.seating,
                    decision.seat,
                    decision.decisions,
                    sample.question,
                    text,
                    sample.replay,
                )
            same &= not reason and not _wrong(decision, before) and index(before) == index(answer)
        self.deterministic = same

    def result(self) -> GameCheck:
        questions: Counter[str] = Counter()
        kinds: Counter[str] = Counter()
        for watched in self.watched:
            questions += watched.questions[self.game]
            kinds += watched.kinds[self.game]
        legal = [watched.legal[self.game] for watched in self.watched if self.game in watched.legal]
        raised = (watched.over_failed.get(self.game, "") for watched in self.watched)
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
            slowest=max((watched.slowest.get(self.game, 0.0) for watched in self.watched), default=0.0),
            deterministic=self.deterministic,
            independent=self.independent,
            match_over=next(filter(None, raised), ""),
        )


def _together(checks: list[_Check], make: Callable[[], AnyBot]) -> None:
    """Plays matches of all games at once, and then each alone."""
    able = [check for check in checks if not check.stuck]
    watched = _Watched(Playing.of(make()), {check.game: check.reader for check in checks})
    wished: list[Seating] = []
    of: list[_Check] = []
    for check in able:
        for seating in check.together():
            wished.append(replace(seating, rotation=len(wished)))
            of.append(check)
    most = _table(checks[0].decisions)
    rows = _host(watched, wished, checks[0].clock, most, _AT_ONCE) if wished else []
    stuck = _is_stuck(watched)
    amid: dict[str, list[PlayedMatch]] = {}
    for row in rows:
        check = of[row.rotation]
        check.count("together", watched, wished[row.rotation], row)
        local = row.rotation - of.index(check)
        amid.setdefault(check.game, []).append(replace(row, rotation=local))
    for check in checks:
        tally = check.tallies["together"]
        tally.decisions += sum(watched.questions[check.game].values())
        if check.stuck:
            tally.skipped = f"the bot did not come back from {check.stuck!r}"
        elif stuck:
            check.stuck = "together"
        check.watched.append(watched)
        check.tell()
        check.alone(amid.get(check.game, []))
        check.tell()


def _table(decisions: int) -> int:
    """Decisions of a match that is played with those of other games, whatever its number of seats."""
    return decisions * max(found.seats[1] for found in games())


def _host(
    watched: _Watched, wished: Sequence[Seating], clock: Clock, most: int, at_once: int
) -> list[PlayedMatch]:
    """Plays matches by the clock of a tournament; gives them in the order in which they were wished for."""
    rows: list[PlayedMatch] = []
    watched.last.clear()
    Host(
        wished,
        {_BOT: watched.port},
        played=rows.append,
        clock=clock,
        at_once=at_once,
        max_decisions=most,
        replays=True,
    ).run()
    return sorted(rows, key=lambda row: row.rotation)


def _is_stuck(watched: _Watched) -> bool:
    """Whether the bot still thinks about a decision that nobody waits for any more, and goes on doing so."""
    until = time.monotonic() + _SLACK_SECONDS
    while any(asked.seconds == math.inf for asked in list(watched.last.values())):
        if time.monotonic() > until:
            return True
        time.sleep(0.01)
    return False


def _until(seating: Seating, row: PlayedMatch, decision: int) -> str:
    """The replay of a match up to a decision: afterwards others decided."""
    assert row.replay is not None, "replays were wanted"  # noqa: S101
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


def _ask(playing: Playing, decisions: list[Decision], clock: Clock) -> Sequence[Any] | None:
    """Asks a bot without a match; None if it does not come back."""
    answers: list[Sequence[Any]] = []

    def run() -> None:
        answers.append(playing.decide(decisions))

    thread = threading.Thread(target=run, name="asked-again", daemon=True)
    thread.start()
    thread.join(_SLACK_SECONDS + (clock.decision + clock.bank) * len(decisions))
    return answers[0] if answers else None


def _wrong(decision: Decision, answer: Any) -> str:
    """What an answer would be counted as, or nothing if it is right."""
    if isinstance(answer, BaseException):
        return "crashed"
    try:
        return "" if index(answer) in decision.legal.tolist() else "illegal"
    except TypeError:
        return "illegal"


def _fault(reason: str, said: Any, legal: Sequence[int], clock: Clock) -> str:
    """What was wrong with an answer."""
    if reason == "late":
        bank = f" and a bank of {clock.bank:g}" if clock.bank else ""
        return f"no answer within {clock.decision:g} seconds{bank}"
    if isinstance(said, BaseException):
        return f"it raised {_told(said)}"
    answer = _short(repr(said))
    try:
        index(said)
    except TypeError:
        return f"the answer is {answer}, a {type(said).__name__} and no whole number"
    listed = ", ".join(map(str, legal[:_SHOWN]))
    more = f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
    return f"the answer is {answer}, legal are {listed}{more}"


def _told(error: BaseException) -> str:
    """An exception, and where it came from."""
    ours = str(Path(__file__).parent)
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(ours)  # what is wrong with an answer is raised here
    ]
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return _short(f"{type(error).__name__}: {error}") + place


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:117]}..."
