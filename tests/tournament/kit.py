"""Made-up results, so that schedules and statistics can be tried without playing."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sengoku.tournament import Board, Entrant, Sprt, TournamentMatch, TournamentSpec
from sengoku.tournament.schedule import Results, Schedule


def spec(
    bots: int,
    form: str = "round_robin",
    *,
    seats: int = 2,
    group: int = 2,
    blocks: int = 3,
    boards: int = 1,
    **rest: object,
) -> TournamentSpec:
    """A tournament that needs no file."""
    entrants = tuple(Entrant(f"bot{bot}", bot="random") for bot in range(bots))
    played = tuple(Board(f"board{place}", "battles", seats, {}, group, blocks, 1) for place in range(boards))
    return replace(TournamentSpec("made up", form, entrants, played), **rest)


def ranked(scores: Sequence[float]) -> tuple[int, ...]:
    """Ranks by scores, the highest first; equal scores share a rank."""
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def stronger(
    strength: Sequence[float], spread: float = 1.0, luck: float = 0.0
) -> Callable[..., tuple[int, ...]]:
    """Bots of known strength: a seat has that of its bot, the luck of the seat on this seed, and chance."""

    def match(
        board: int, number: int, arrangement: int, seated: tuple[int, ...], seed: int
    ) -> tuple[int, ...]:
        shared = random.Random(f"{seed}/{board}/{number}")
        lucky = [shared.gauss(0, luck) for _ in seated]
        own = random.Random(f"{seed}/{board}/{number}/{arrangement}/{seated}")

        def drawn() -> (
            float
        ):  # with this law two bots of a table follow the logistic model of their difference
            return -math.log(-math.log(own.random())) * spread

        return ranked([strength[bot] + gift + drawn() for bot, gift in zip(seated, lucky, strict=True)])

    return match


def result(**values: Any) -> TournamentMatch:
    """A match that a rule ended."""
    return TournamentMatch.create(by_rule=True, reason="made_up", rounds=1, decisions=1, digest=0, **values)


def play(
    spec: TournamentSpec, match: Callable[..., tuple[int, ...]], *, seed: int = 0, most_rounds: int = 100
) -> Results:
    """Plays a made-up tournament to its end."""
    schedule = Schedule(spec)
    results: dict[object, list[TournamentMatch]] = {}
    for _ in range(most_rounds):
        *_, (_, standings) = schedule.rounds(results)  # type: ignore[arg-type]
        open_ones = [standing.meeting for standing in standings if not standing.over]
        if not open_ones:
            break
        for meeting in open_ones:
            for block in meeting.blocks:
                if block not in results:
                    results[block] = [
                        result(
                            board=block.board,
                            number=block.number,
                            arrangement=place,
                            bots=seated,
                            ranks=match(block.board, block.number, place, seated, seed),
                        )
                        for place, seated in enumerate(schedule.seatings(block))
                    ]
    return results  # type: ignore[return-value]


def better(hero: float) -> Sprt:
    """A test of whether the first bot leads by so many points."""
    return Sprt(elo0=0, elo1=hero)
