"""The schedule: which blocks are played next, as a function of the specification and the results so far.

A tournament has rounds, a round has meetings of groups, and a meeting has blocks in a fixed order. The next
blocks depend only on the results, not on when or in which order they arrived.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile
from typing import NamedTuple

from sengoku.tournament.interrupt import look
from sengoku.tournament.ratings import Elo, elo_ratings
from sengoku.tournament.results import Share, TournamentMatch, pairs
from sengoku.tournament.seating import arrangements
from sengoku.tournament.spec import TournamentSpec

__all__ = ["Block", "Meeting", "Results", "Round", "Schedule", "Standing"]


class Block(NamedTuple):
    """The matches of a group on one seed, one for each seating."""

    bots: tuple[int, ...]
    board: int
    number: int  # the match number under the seed of the board


Results = Mapping[Block, Sequence[TournamentMatch]]
"""The matches of every complete block."""


@dataclass(frozen=True)
class Meeting:
    """A group of bots that play blocks in order until the format or a test ends the meeting."""

    bots: tuple[int, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Standing:
    """Progress of a meeting."""

    meeting: Meeting
    counted: int  # number of blocks that count, from the first; later ones are ignored
    over: bool
    score: float  # points of the first bot in these blocks; each block is worth one
    verdict: str = ""  # result of the sequential test, `better` or `not_better`

    @property
    def share(self) -> float:
        """Points of the first bot per block."""
        return self.score / self.counted if self.counted else 0.5


@dataclass(frozen=True)
class Round:
    """Meetings that do not depend on each other."""

    number: int
    meetings: tuple[Meeting, ...]
    byes: tuple[int, ...] = ()  # bots without an opponent in this round


Played = list[tuple[Round, list[Standing]]]


@dataclass(frozen=True)
class Schedule:
    """The rounds of a tournament, derived from its results."""

    spec: TournamentSpec

    def rounds(self, results: Results) -> Iterator[tuple[Round, list[Standing]]]:
        """Iterate over the rounds with their meetings; the last one is the first that is not complete."""
        before: Played = []
        while (found := self._round(before, results)) is not None:
            standings = [self.standing(meeting, results) for meeting in found.meetings]
            yield found, standings
            if not all(standing.over for standing in standings):
                return
            before.append((found, standings))

    def standing(self, meeting: Meeting, results: Results) -> Standing:
        """Return the progress of a meeting."""
        look()
        played = takewhile(lambda block: block in results, meeting.blocks)
        scores = [_score(results[block], meeting.bots[0]) for block in played]
        counted, over, verdict = len(scores), len(scores) == len(meeting.blocks), ""
        if self.spec.sprt is not None and (decision := self.spec.sprt.decide(scores)):
            (verdict, counted), over = decision, True
        if self.spec.format == "knockout" and (needed := _decided(scores, self.spec.best_of)):
            counted, over = needed, True
        return Standing(meeting, counted, over, sum(scores[:counted]), verdict)

    def seatings(self, block: Block) -> tuple[tuple[int, ...], ...]:
        """Return the bot of each seat, match by match."""
        seats = self.spec.boards[block.board].seats
        rows = arrangements(len(block.bots), seats, self.spec.most_matches)
        return tuple(tuple(block.bots[place] for place in row) for row in rows)

    def most_meetings(self) -> int:
        """Return the largest possible number of meetings; of a ladder without an end, those of one round."""
        bots, form, rounds = len(self.spec.bots), self.spec.format, self.spec.rounds
        if form == "knockout":
            return bots - 1
        sizes = {board.group for board in self.spec.boards}
        if form == "round_robin":
            return sum(math.comb(bots, size) for size in sizes)
        if form == "gauntlet":
            return sum(math.comb(bots - 1, size - 1) for size in sizes)
        return max(rounds, 1) * ((bots + 1) // 2)

    def most_matches(self) -> int | None:
        """Return the largest possible number of matches; None for a ladder without an end."""
        bots, form, rounds = len(self.spec.bots), self.spec.format, self.spec.rounds
        blocks = [
            len(arrangements(board.group, board.seats, self.spec.most_matches)) for board in self.spec.boards
        ]
        if form == "knockout":
            return (bots - 1) * 2 * self.spec.best_of * max(blocks)
        if form == "ladder" and rounds == 0:
            return None
        total = 0
        for board, matches in zip(self.spec.boards, blocks, strict=True):
            groups = {
                "round_robin": math.comb(bots, board.group),
                "gauntlet": math.comb(bots - 1, board.group - 1),
            }.get(form, rounds * (bots // 2))
            total += groups * board.blocks * matches
        return total

    def counted(self, results: Results) -> list[TournamentMatch]:
        """Return the matches that count, in the order of the tournament."""
        return [
            match
            for _, standings in self.rounds(results)
            for standing in standings
            for block in standing.meeting.blocks[: standing.counted]
            for match in results[block]
        ]

    def order(self, results: Results, elo: Elo | None = None) -> list[int]:
        """Return the bots from first place to last by the rule of the format; ratings break ties."""
        played = list(self.rounds(results))
        ratings = (elo or elo_ratings(self.counted(results), len(self.spec.bots))).ratings
        rank = {"swiss": _swiss_scores, "knockout": _rounds_won}.get(self.spec.format)
        merit = rank(self.spec, played) if rank else [0.0] * len(self.spec.bots)
        return sorted(range(len(self.spec.bots)), key=lambda bot: (-merit[bot], -ratings[bot], bot))

    def _round(self, before: Played, results: Results) -> Round | None:
        number, form, rounds = len(before), self.spec.format, self.spec.rounds
        if form == "swiss":
            return self._swiss(before) if number < rounds else None
        if form == "knockout":
            return self._knockout(before)
        if form == "ladder":
            return self._ladder(number, results) if number < rounds or rounds == 0 else None
        return self._at_once() if number == 0 else None

    def _at_once(self) -> Round:
        """Return the only round of a round robin or gauntlet: every group on all boards of its size."""
        boards = list(enumerate(self.spec.boards))
        meetings = (
            Meeting(bots, self._blocks(bots, [place for place, board in boards if board.group == size], 0))
            for size in dict.fromkeys(board.group for _, board in boards)
            for bots in self._groups(size)
        )
        return Round(0, tuple(meetings))

    def _groups(self, size: int) -> Iterable[tuple[int, ...]]:
        everyone, hero = range(len(self.spec.bots)), self.spec.hero
        if self.spec.format != "gauntlet":
            return combinations(everyone, size)
        others = (bot for bot in everyone if bot != hero)
        return ((hero, *rest) for rest in combinations(others, size - 1))

    def _blocks(self, bots: tuple[int, ...], places: Sequence[int], number: int) -> tuple[Block, ...]:
        """Return blocks that alternate between the boards; each round has its own match numbers."""
        if self.spec.format == "knockout":
            # Twice the blocks of a meeting, on alternating boards: a tie is played until one leads.
            most, count = 2 * self.spec.best_of, len(self.spec.boards)
            each = -(-most // count)
            return tuple(Block(bots, turn % count, number * each + turn // count) for turn in range(most))
        boards = self.spec.boards
        return tuple(
            Block(bots, place, number * boards[place].blocks + turn)
            for turn in range(max(boards[place].blocks for place in places))
            for place in places
            if turn < boards[place].blocks
        )

    def _duel(self, one: int, other: int, number: int) -> Meeting:
        return Meeting((one, other), self._blocks((one, other), range(len(self.spec.boards)), number))

    def _swiss(self, before: Played) -> Round:
        scores = _swiss_scores(self.spec, before)
        met = {frozenset(standing.meeting.bots) for _, standings in before for standing in standings}
        rested = [bot for done, _ in before for bot in done.byes]
        order = sorted(range(len(scores)), key=lambda bot: (-scores[bot], bot))
        byes: tuple[int, ...] = ()
        if len(order) % 2:
            # The bye goes to the lowest-ranked bot that has had the fewest byes.
            least = min(rested.count(bot) for bot in order)
            byes = (next(bot for bot in reversed(order) if rested.count(bot) == least),)
            order.remove(byes[0])
        found = _pair(order, met, [_PAIRING_STEPS]) or list(zip(order[::2], order[1::2], strict=True))
        number = len(before)
        return Round(number, tuple(self._duel(one, other, number) for one, other in found), byes)

    def _knockout(self, before: Played) -> Round | None:
        """Pair the survivors; bots are seeded in the order of the file, and the first ones get the byes."""
        number = len(before)
        bracket = _survivors(self.spec, *before[-1]) if before else _bracket(len(self.spec.bots))
        if len(bracket) == 1:
            return None
        duels = list(zip(bracket[::2], bracket[1::2], strict=True))
        meetings = tuple(
            self._duel(min(one, other), max(one, other), number)
            for one, other in duels
            if one is not None and other is not None
        )
        byes = tuple(bot for duel in duels for bot in duel if bot is not None and None in duel)
        return Round(number, meetings, byes)

    def _ladder(self, number: int, results: Results) -> Round:
        """Pair neighbours in the rating: first and second, or second and third, in turn."""
        bots = len(self.spec.bots)
        first = [board.blocks * number for board in self.spec.boards]
        before = [block for block in sorted(results) if block.number < first[block.board]]
        ratings = elo_ratings((match for block in before for match in results[block]), bots).ratings
        order = sorted(range(bots), key=lambda bot: (-ratings[bot], bot))
        shift = number % 2 if bots > 2 else 0
        duels = list(zip(order[shift::2], order[shift + 1 :: 2], strict=False))
        playing = {bot for duel in duels for bot in duel}
        byes = tuple(bot for bot in order if bot not in playing)
        meetings = (self._duel(min(duel), max(duel), number) for duel in duels)
        return Round(number, tuple(meetings), byes)


_PAIRING_STEPS = 100_000  # number of attempts after which rematches are allowed


def _score(matches: Sequence[TournamentMatch], bot: int) -> float:
    """Return the mean score of a bot against the others of its block."""
    share = Share()
    for match in matches:
        for one, other, score in pairs(match):
            if bot in (one, other):
                share.add(score if bot == one else 1.0 - score)
    return share.mean


def _decided(scores: Sequence[float], best_of: int) -> int | None:
    """Return after how many blocks a meeting of a knockout is decided, or None.

    It is decided as soon as the other side cannot catch up in the remaining blocks. A tie continues until a
    block after which one side leads.
    """
    lead = 0.0
    for count, score in enumerate(scores, 1):
        lead += 2 * score - 1
        if abs(lead) > max(best_of - count, 0) + 1e-9:
            return count
    return None


def _swiss_scores(spec: TournamentSpec, played: Played) -> list[float]:
    """Return the points of each bot: its share of every meeting, and one for a bye."""
    scores = [0.0] * len(spec.bots)
    for done, standings in played:
        for standing in standings:
            one, other = standing.meeting.bots
            scores[one] += standing.share
            scores[other] += 1 - standing.share
        for bot in done.byes:
            scores[bot] += 1.0
    return scores


def _rounds_won(spec: TournamentSpec, played: Played) -> list[float]:
    """Return the number of rounds each bot has won; a bye counts as a win."""
    won = Counter(bot for done, _ in played for bot in done.byes)
    won.update(_winner(standing) for _, standings in played for standing in standings if standing.over)
    return [float(won[bot]) for bot in range(len(spec.bots))]


def _winner(standing: Standing) -> int:
    """Return the bot that advances: the one with more points, or the higher seed if they are equal."""
    one, other = standing.meeting.bots
    return one if standing.score >= standing.counted / 2 else other


def _survivors(spec: TournamentSpec, done: Round, standings: list[Standing]) -> list[int | None]:
    """Return the bots that advance, in the order of the bracket."""
    through = {*done.byes, *(_winner(standing) for standing in standings)}
    return [bot for bot in _bracket(len(spec.bots)) if bot in through]


def _bracket(bots: int) -> list[int | None]:
    """Return the seeds in bracket order, so that the first two meet only in the final; None is a bye."""
    order = [0]
    while len(order) < bots:
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [seed if seed < bots else None for seed in order]


def _pair(order: Sequence[int], met: set[frozenset[int]], steps: list[int]) -> list[tuple[int, int]] | None:
    """Pair bots from the top down that have not met; None if there is no way, or none was found in time."""
    if not order:
        return []
    first = order[0]
    for other in order[1:]:
        steps[0] -= 1
        if steps[0] < 0:
            return None
        if frozenset((first, other)) in met:
            continue
        rest = _pair([bot for bot in order if bot not in (first, other)], met, steps)
        if rest is not None:
            return [(first, other), *rest]
    return None
