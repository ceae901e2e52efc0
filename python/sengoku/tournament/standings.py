"""The tables of a tournament: standings, ratings with their errors, and results by meeting, board and seat.

Everything is a function of the matches that count, in the order of the tournament, and every number is
rounded here: equal results give equal bytes.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sengoku.engine.result import Costs
from sengoku.engine.words import name_text, share_text
from sengoku.tournament.interrupt import look
from sengoku.tournament.ratings import Elo, Rate, Rates, Skill, elo_ratings, rates, skill_ratings
from sengoku.tournament.results import TournamentMatch, pair_shares
from sengoku.tournament.schedule import Results, Schedule
from sengoku.tournament.seating import arrangements
from sengoku.tournament.spec import TournamentSpec

__all__ = ["LEVEL", "SHOWN", "Table", "Tables", "count_cells"]

LEVEL = 0.95
"""Confidence level of the intervals given with ratings."""
SHOWN = 100
"""Bots of a table with a cell for every two of them: those with the best places."""
_STEPS = 200  # number of points of the rating history that are kept for a figure

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """A table with a title and column headings."""

    name: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    remark: str = ""

    def as_dicts(self) -> list[dict[str, Cell]]:
        """Return the rows by heading."""
        return [dict(zip(self.headings, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Tables:
    """All tables of a tournament, computed from its results."""

    spec: TournamentSpec
    results: Results
    unfinished: Results = field(default_factory=dict)
    """Matches of blocks that are not complete: while a meeting is played, they count provisionally."""

    @cached_property
    def provisional(self) -> list[TournamentMatch]:
        """The matches of meetings that are not over, beyond those that count already."""
        every = {**self.unfinished, **self.results}
        return [
            match
            for _, standings in Schedule(self.spec).rounds(self.results)
            for standing in standings
            if not standing.over
            for block in standing.meeting.blocks[standing.counted :]
            for match in every.get(block, ())
        ]

    @cached_property
    def matches(self) -> list[TournamentMatch]:
        """The matches that count, in the order of the tournament, and then those that do so provisionally."""
        return Schedule(self.spec).counted(self.results) + self.provisional

    @property
    def matches_of_a_block(self) -> int:
        """Matches of a block of two bots, or of as many as meet on the first board."""
        board = self.spec.boards[0]
        return len(arrangements(board.group, board.seats, self.spec.most_matches))

    @cached_property
    def elo(self) -> Elo:
        """Maximum-likelihood ratings with their errors."""
        return elo_ratings(self.matches, len(self.spec.bots))

    @cached_property
    def skills(self) -> tuple[list[Skill], list[tuple[int, list[Skill]]]]:
        """Weng-Lin ratings at the end, and their history."""
        every = max(1, len(self.matches) // _STEPS)
        return skill_ratings(self.matches, len(self.spec.bots), every=every)

    @cached_property
    def order(self) -> list[int]:
        """The bots from first place to last."""
        return Schedule(self.spec).order(self.results, self.elo)

    @cached_property
    def by_bot(self) -> dict[int, Rates]:
        """The rates of each bot."""
        return rates(self.matches, lambda match, seat: match.bots[seat])

    @cached_property
    def by_seat(self) -> dict[tuple[int, int], Rates]:
        """The rates of each seat of each board, over all bots."""
        return rates(self.matches, lambda match, seat: (match.board, seat))

    @cached_property
    def by_board(self) -> dict[tuple[int, int], Rates]:
        """The rates of each bot on each board."""
        return rates(self.matches, lambda match, seat: (match.board, match.bots[seat]))

    @cached_property
    def faults(self) -> dict[int, Counter[str]]:
        """Number of faults of each bot by reason."""
        found: dict[int, Counter[str]] = {bot: Counter() for bot in range(len(self.spec.bots))}
        for match in self.matches:
            for fault in match.faults:
                found[match.bots[fault.seat]][fault.reason] += 1
        return found

    @cached_property
    def costs(self) -> dict[int, tuple[int, float, Costs]]:
        """Seats taken in matches with times, seconds and costs of each bot; nothing for built-in bots."""
        found = {bot: (0, 0.0, Costs()) for bot in range(len(self.spec.bots))}
        for match in self.matches:
            if not match.seconds:
                continue
            spent = match.costs or (Costs(),) * len(match.bots)
            for bot, seconds, costs in zip(match.bots, match.seconds, spent, strict=True):
                if self.spec.bots[bot].bot is None:
                    taken, before, total = found[bot]
                    found[bot] = (taken + 1, before + seconds, total + costs)
        return found

    @cached_property
    def against(self) -> dict[tuple[int, int], Rate]:
        """The score of the first bot against the second."""
        found: dict[tuple[int, int], Rate] = {}
        for (one, other), shares in pair_shares(self.matches).items():
            rate = Rate.of(shares.values())
            found[one, other] = rate
            found[other, one] = Rate(1 - rate.mean, rate.error, rate.matches, rate.clusters)
        return found

    def all(self) -> list[Table]:
        """Return every table that is not empty; costs only where players report tokens or answers.

        The same results give the same tables, but times differ whenever something is played.
        """
        ratings = [self.standings(), self.crosstable(), self.superiority()]
        results = [self.meetings(), self.boards(), self.seats()]
        reported = any(costs != Costs() for _, _, costs in self.costs.values())
        some = [*([self.cost_table()] if reported else []), self.fault_table()]
        return [*ratings, *results, *(table for table in some if table.rows)]

    def _name(self, bot: int) -> str:
        return self.spec.bots[bot].name

    def standings(self) -> Table:
        """Return places, ratings, points and wins."""
        low, high = self.elo.interval(LEVEL) if self.elo.clusters else (self.elo.ratings, self.elo.ratings)
        skills, _ = self.skills
        rows = []
        for place, bot in enumerate(self.order, 1):
            found = self.by_bot.get(bot)
            elo = (_round(column[bot], 1) for column in (self.elo.ratings, self.elo.errors, low, high))
            skill = (_round(skills[bot].mu, 2), _round(skills[bot].sigma, 2))
            rates = (*_rate(found.points if found else None), *_rate(found.wins if found else None))
            rank, taken = (_round(found.mean_rank, 2), found.points.matches) if found else (None, 0)
            faults = sum(self.faults[bot].values())
            rows.append((place, self._name(bot), *elo, *skill, *rates, rank, taken, faults))
        remark = (
            "Elo: maximum-likelihood rating from comparisons of every two bots, mean 0, with its standard "
            f"error and its {LEVEL:.0%} confidence interval; errors are computed between "
            f"{self.elo.clusters:,} seeds, not between single matches. Skill: Weng-Lin (Plackett-Luce). "
            "Points: share of the other seats that were beaten, also of seats of the same bot. "
            "Wins: share of the matches in which one of the bot's seats came first."
        )
        if self.provisional:
            remark += (
                f" Provisional: {len(self.provisional):,} of the matches are of meetings that are not over."
            )
        headings = (
            "place bot elo elo_error elo_low elo_high skill skill_sigma points points_error wins wins_error"
        )
        return _table("standings", "Standings", f"{headings} mean_rank seats_taken faults", rows, remark)

    def _square(self, name: str, title: str, remark: str, cell: Callable[[int, int], Cell]) -> Table:
        """Return a table with a cell for every two bots."""
        shown = self.order[:SHOWN]
        rows = []
        for bot in shown:
            look()
            rows.append((self._name(bot), *(cell(bot, other) for other in shown)))
        if len(shown) < len(self.order):
            remark += f" Only the first {len(shown)} of {len(self.order)} bots."
        return Table(name, title, ("bot", *map(self._name, shown)), tuple(rows), remark)

    def crosstable(self) -> Table:
        """Return the score of every bot against every other."""

        def cell(bot: int, other: int) -> Cell:
            rate = self.against.get((bot, other))
            return None if rate is None else share_text(rate.mean, rate.error, digits=1)

        return self._square("crosstable", "Bot against bot", "Score of the row against the column.", cell)

    def superiority(self) -> Table:
        """Return the likelihood that one bot is better than another."""
        remark = "Likelihood that the bot of the row is better than that of the column."

        def cell(bot: int, other: int) -> Cell:
            return None if bot == other else _round(self.elo.superiority(bot, other), 4)

        return self._square("superiority", "Likelihood of superiority", remark, cell)

    def meetings(self) -> Table:
        """Return the meetings of each round with their scores."""
        rows: list[tuple[Cell, ...]] = []
        for found, standings in Schedule(self.spec).rounds(self.results):
            for standing in standings:
                names = ", ".join(self._name(bot) for bot in standing.meeting.bots)
                share = _round(standing.share, 4) if standing.counted else None
                verdict = name_text(standing.verdict) or ("over" if standing.over else "open")
                blocks = standing.counted, len(standing.meeting.blocks)
                rows.append((found.number + 1, names, *blocks, share, verdict))
            rows += [(found.number + 1, self._name(bot), 0, 0, None, "bye") for bot in found.byes]
        remark = "A block has every seating of a group on one seed."
        headings = "round bots blocks blocks_due score_of_first verdict"
        return _table("meetings", "Meetings", headings, rows, remark)

    def boards(self) -> Table:
        """Return points and wins of every bot on every board."""
        rows = []
        for place, board in enumerate(self.spec.boards):
            for bot in self.order:
                found = self.by_board.get((place, bot))
                if found is not None:
                    rates = (*_rate(found.points), *_rate(found.wins), found.points.matches)
                    rows.append((board.name, board.rules_version, self._name(bot), *rates))
        headings = "board rules_version bot points points_error wins wins_error seats_taken"
        return _table("boards", "Board by board", headings, rows)

    def seats(self) -> Table:
        """Return the value of the seats: every bot sat in each of them equally often."""
        rows = []
        for (place, seat), found in sorted(self.by_seat.items()):
            board, wins = self.spec.boards[place], found.wins
            bias = _round((wins.mean - 1 / board.seats) / wins.error, 1) if wins.error > 0 else None
            rows.append((board.name, seat, *_rate(wins), *_rate(found.points), bias, wins.matches))
        headings = "board seat wins wins_error points points_error bias_in_errors matches"
        remark = "Bias: how many standard errors the wins of a seat differ from its fair share."
        return _table("seats", "Seat by seat", headings, rows, remark)

    def cost_table(self) -> Table:
        """Return what each custom bot has cost: time, tokens and wrong answers, beside its points."""
        rows = []
        for bot in self.order:
            taken, seconds, costs = self.costs[bot]
            if taken and bot in self.by_bot:
                points = _rate(self.by_bot[bot].points)
                tokens = (costs.prompt_tokens, costs.answer_tokens)
                each = (_round(seconds / taken, 3), *(_round(count / taken, 1) for count in tokens))
                counts = (costs.requests, costs.illegal, costs.fallbacks)
                rows.append((self._name(bot), *points, taken, *each, *counts))
        remark = (
            "Seconds and tokens are means for a seat of a match. Tokens, requests, illegal answers and "
            "fallbacks (decisions without a legal answer, which something else took) are as bots report them."
        )
        headings = "bot points points_error seats_taken seconds prompt_tokens answer_tokens"
        return _table("costs", "Costs", f"{headings} requests illegal fallbacks", rows, remark)

    def fault_table(self) -> Table:
        """Return the faults of each bot by reason."""
        rows = [
            (self._name(bot), reason, count)
            for bot in self.order
            for reason, count in sorted(self.faults[bot].items())
        ]
        return _table("faults", "Faults", "bot reason matches", rows)


def count_cells(spec: TournamentSpec, *, whole: bool = True) -> int:
    """Return about how many cells the standings have at most, or all tables as a `whole`."""
    bots, shown = len(spec.bots), min(len(spec.bots), SHOWN)
    standings = 15 * bots
    if not whole:
        return standings
    seats = sum(board.seats for board in spec.boards)
    boards = 8 * (len(spec.boards) * bots + seats)
    return standings + 2 * shown * (shown + 1) + 6 * Schedule(spec).most_meetings() + boards


def _table(name: str, title: str, headings: str, rows: Iterable[tuple[Cell, ...]], remark: str = "") -> Table:
    """Return a table; `headings` are separated by spaces."""
    return Table(name, title, tuple(headings.split()), tuple(rows), remark)


def _round(value: float, digits: int) -> float | None:
    number = round(float(value), digits)
    return None if math.isnan(number) else number + 0.0  # no minus before a zero


def _rate(rate: Rate | None) -> Sequence[Cell]:
    return (None, None) if rate is None else (_round(rate.mean, 4), _round(rate.error, 4))
