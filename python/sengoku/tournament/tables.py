"""The tables of a tournament: who is how good, how sure that is, and where it was won.

All of it is a function of the matches that count, taken in the order of the tournament, and every number is
rounded here: the same results give the same bytes.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sengoku.tournament.results import MatchResult, pair_shares
from sengoku.tournament.schedule import Results, Schedule
from sengoku.tournament.spec import Spec
from sengoku.tournament.statistics import Elo, Rate, Rates, Skill, elo_ratings, rates, skill_ratings

__all__ = ["LEVEL", "Table", "Tables"]

LEVEL = 0.95
"""How often the ranges given with ratings hold the truth."""
_STEPS = 200
"""Points of the way of the ratings that are kept for a picture."""

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """A table for people and programs."""

    name: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    remark: str = ""


@dataclass(frozen=True)
class Tables:
    """All that the results of a tournament say."""

    spec: Spec
    results: Results

    @cached_property
    def matches(self) -> list[MatchResult]:
        """The matches that count, in the order of the tournament."""
        return Schedule(self.spec).counted(self.results)

    @cached_property
    def elo(self) -> Elo:
        """Ratings by likelihood, with their errors."""
        return elo_ratings(self.matches, len(self.spec.bots))

    @cached_property
    def skills(self) -> tuple[list[Skill], list[tuple[int, list[Skill]]]]:
        """Weng-Lin ratings at the end, and on the way there."""
        every = max(1, len(self.matches) // _STEPS)
        return skill_ratings(self.matches, len(self.spec.bots), every=every)

    @cached_property
    def order(self) -> list[int]:
        """The bots from the first place to the last."""
        return Schedule(self.spec).order(self.results)

    @cached_property
    def by_bot(self) -> dict[int, Rates]:
        """The rates of each bot."""
        return rates(self.matches, lambda match, seat: match.bots[seat])

    @cached_property
    def by_seat(self) -> dict[tuple[int, int], Rates]:
        """The rates of each seat of each board, whoever sat there."""
        return rates(self.matches, lambda match, seat: (match.board, seat))

    @cached_property
    def by_board(self) -> dict[tuple[int, int], Rates]:
        """The rates of each bot on each board."""
        return rates(self.matches, lambda match, seat: (match.board, match.bots[seat]))

    @cached_property
    def faults(self) -> dict[int, Counter[str]]:
        """Faults of each bot by reason."""
        found: dict[int, Counter[str]] = {bot: Counter() for bot in range(len(self.spec.bots))}
        for match in self.matches:
            for fault in match.faults:
                found[match.bots[fault.seat]][fault.reason] += 1
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
        """Every table that has something to say."""
        tables = [
            self.standings(),
            self.crosstable(),
            self.superiority(),
            self.meetings(),
            self.boards(),
            self.seats(),
        ]
        faults = self.fault_table()
        return [*tables, faults] if faults.rows else tables

    def _name(self, bot: int) -> str:
        return self.spec.bots[bot].name

    def standings(self) -> Table:
        """Places, ratings, points and wins."""
        low, high = self.elo.interval(LEVEL) if self.elo.clusters else (self.elo.ratings, self.elo.ratings)
        skills, _ = self.skills
        rows = []
        for place, bot in enumerate(self.order, 1):
            found = self.by_bot.get(bot)
            rows.append(
                (
                    place,
                    self._name(bot),
                    _round(self.elo.ratings[bot], 1),
                    _round(self.elo.errors[bot], 1),
                    _round(low[bot], 1),
                    _round(high[bot], 1),
                    _round(skills[bot].mu, 2),
                    _round(skills[bot].sigma, 2),
                    *_rate(found.points if found else None),
                    *_rate(found.wins if found else None),
                    _round(found.mean_rank, 2) if found else None,
                    found.points.matches if found else 0,
                    sum(self.faults[bot].values()),
                )
            )
        headings = (
            "place", "bot", "elo", "elo_error", "elo_low", "elo_high", "skill", "skill_sigma", "points",
            "points_error", "wins", "wins_error", "mean_rank", "seats_taken", "faults",
        )  # fmt: skip
        remark = (
            "Elo: maximum likelihood of the comparisons of every two bots, mean 0, with the standard error "
            f"and the range that holds the truth in {LEVEL:.0%} of tournaments; errors are those of "
            f"{self.elo.clusters:,} seeds, not of single matches. Skill: Weng-Lin (Plackett-Luce). "
            "Points: share of the others left behind. Wins: first places, shared ones in part."
        )
        return Table("standings", "Standings", headings, tuple(rows), remark)

    def crosstable(self) -> Table:
        """The score of every bot against every other."""
        rows = []
        for bot in self.order:
            cells: list[Cell] = []
            for other in self.order:
                rate = self.against.get((bot, other))
                cells.append(None if rate is None else f"{rate.mean:.1%} ± {_percent(rate.error)}")
            rows.append((self._name(bot), *cells))
        headings = ("bot", *(self._name(bot) for bot in self.order))
        return Table(
            "crosstable", "Bot against bot", headings, tuple(rows), "Score of the row against the column."
        )

    def superiority(self) -> Table:
        """The likelihood that one bot is better than another."""
        table = self.elo.superiority
        rows = [
            (
                self._name(bot),
                *(None if bot == other else _round(table[bot, other], 4) for other in self.order),
            )
            for bot in self.order
        ]
        headings = ("bot", *(self._name(bot) for bot in self.order))
        remark = "Likelihood that the bot of the row is better than that of the column."
        return Table("superiority", "Likelihood of superiority", headings, tuple(rows), remark)

    def meetings(self) -> Table:
        """How the meetings of each round went."""
        rows: list[tuple[Cell, ...]] = []
        for found, standings in Schedule(self.spec).rounds(self.results):
            for standing in standings:
                names = ", ".join(self._name(bot) for bot in standing.meeting.bots)
                due = len(standing.meeting.blocks)
                share = _round(standing.share, 4) if standing.counted else None
                rows.append(
                    (
                        found.number + 1,
                        names,
                        standing.counted,
                        due,
                        share,
                        _verdict(standing.over, standing.verdict),
                    )
                )
            rows += [(found.number + 1, self._name(bot), 0, 0, None, "bye") for bot in found.byes]
        headings = ("round", "bots", "blocks", "blocks_due", "score_of_first", "verdict")
        return Table(
            "meetings", "Meetings", headings, tuple(rows), "A block is every seating of a group on one seed."
        )

    def boards(self) -> Table:
        """Points and wins of every bot on every board."""
        rows = [
            (
                self.spec.boards[board].name,
                self.spec.boards[board].rules_version,
                self._name(bot),
                *_rate(self.by_board[board, bot].points),
                *_rate(self.by_board[board, bot].wins),
                self.by_board[board, bot].points.matches,
            )
            for board in range(len(self.spec.boards))
            for bot in self.order
            if (board, bot) in self.by_board
        ]
        headings = (
            "board",
            "rules_version",
            "bot",
            "points",
            "points_error",
            "wins",
            "wins_error",
            "seats_taken",
        )
        return Table("boards", "Board by board", headings, tuple(rows))

    def seats(self) -> Table:
        """What the seats are worth: every bot sat in each of them equally often."""
        rows = []
        for (board, seat), found in sorted(self.by_seat.items()):
            fair = 1 / self.spec.boards[board].seats
            bias = (found.wins.mean - fair) / found.wins.error if found.wins.error > 0 else math.nan
            rows.append(
                (
                    self.spec.boards[board].name,
                    seat,
                    *_rate(found.wins),
                    *_rate(found.points),
                    None if math.isnan(bias) else _round(bias, 1),
                    found.wins.matches,
                )
            )
        headings = (
            "board",
            "seat",
            "wins",
            "wins_error",
            "points",
            "points_error",
            "bias_in_errors",
            "matches",
        )
        remark = "Bias: how many standard errors the wins of a seat are away from its fair share."
        return Table("seats", "Seat by seat", headings, tuple(rows), remark)

    def fault_table(self) -> Table:
        """What bots did that lost them a match."""
        rows = [
            (self._name(bot), reason, count)
            for bot in self.order
            for reason, count in sorted(self.faults[bot].items())
        ]
        return Table("faults", "Faults", ("bot", "reason", "matches"), tuple(rows))


def _verdict(over: bool, verdict: str) -> str:
    return verdict.replace("_", " ") or ("over" if over else "open")


def _round(value: float, digits: int) -> float | None:
    number = round(float(value), digits)
    return None if math.isnan(number) else number + 0.0  # no minus before a zero


def _rate(rate: Rate | None) -> Sequence[Cell]:
    return (None, None) if rate is None else (_round(rate.mean, 4), _round(rate.error, 4))


def _percent(value: float) -> str:
    return "?" if math.isnan(value) else f"{value:.1%}"
