"""Matches of this process, for the tools of the MCP server."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from sengoku import _core, engine
from sengoku.engine import Action, Match, MatchAnalysis, Scenario, Sketch
from sengoku.engine.pictures import Picture
from sengoku.engine.talk import Message, messages_from_json
from sengoku.errors import (
    AnalysisNotFoundError,
    MatchNotFoundError,
    NotAllowedError,
    NotYourTurnError,
    QuotaError,
    StaleMatchError,
    invalid,
)
from sengoku.mcp.table import Beginning, Begun, GameFacts, Status, Table, Tables, no_invitation

__all__ = ["MAX_MATCHES", "LocalTables"]

MAX_MATCHES = 100
"""Matches that are open at once."""
_MAX_ANALYSES = 8
"""Analyses of a match that are kept."""
_T = TypeVar("_T")


class _Analysis:
    """An analysis in a thread."""

    def __init__(self, match: Match, seat: int | None, iterations: int) -> None:
        self.cancel = _core.Cancel()
        self._task = asyncio.create_task(self._run(match, seat, iterations))

    async def _run(self, match: Match, seat: int | None, iterations: int) -> MatchAnalysis:
        try:
            return await asyncio.to_thread(
                lambda: match.analyse(iterations=iterations, seat=seat, cancel=self.cancel)
            )
        except asyncio.CancelledError:  # the end of the process must not wait for it
            self.cancel.cancel()
            raise

    async def result(self, seconds: float) -> MatchAnalysis | None:
        """Return the result once it is there."""
        with suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(self._task), seconds)
        return None


class _OpenMatch:
    """A match with its secrets; one thread at a time uses it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.tokens = [secrets.token_hex(8) for _ in range(match.seats)]
        self.closed = False
        self.analyses: dict[str, _Analysis] = {}
        self._lock = asyncio.Lock()
        self.changed = asyncio.Condition()

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[Match]:
        async with self._lock:
            if self.closed:
                raise MatchNotFoundError("the match was ended")
            yield self.match

    async def use(self, function: Callable[[Match], _T], *, changes: bool = False) -> _T:
        """Run a function with the match in a thread."""
        async with self._held() as match:
            found = await asyncio.to_thread(function, match)
        if changes:
            await self.notify()
        return found

    async def notify(self) -> None:
        """Wake those who wait for a change."""
        async with self.changed:
            self.changed.notify_all()

    async def close(self) -> None:
        """End the match."""
        self.closed = True
        for analysis in self.analyses.values():
            analysis.cancel.cancel()
        await self.notify()


def _status(match: Match) -> Status:
    core = match._core
    return Status(
        game=match.game,
        seats=match.seats,
        decisions=match.decisions,
        to_act=match.to_act,
        bot_to_act=_core.bot_to_act(core),
        bots=match.bots,
        outcome=match.outcome,
    )


class _LocalTable(Table):
    """A seat of a match of this process."""

    def __init__(self, opened: _OpenMatch, seat: int, forget: Callable[[], None] | None = None) -> None:
        self._opened = opened
        self._forget = forget
        self.game, self.seats, self.seat = opened.match.game, opened.match.seats, seat
        self.owns = forget is not None

    def _check_owner(self, wish: str) -> Callable[[], None]:
        if self._forget is None:
            details = {"seat": str(self.seat), "wish": wish}
            raise NotAllowedError(f"{wish} is for the player who began the match", details)
        return self._forget

    def _check_turn(self, match: Match) -> None:
        if match.to_act not in {self.seat, None}:
            details = {"asked": str(self.seat), "to_act": str(match.to_act)}
            raise NotYourTurnError(f"this is seat {self.seat}, but seat {match.to_act} is to act", details)

    async def status(self) -> Status:
        return await self._opened.use(_status)

    async def tell(self, budget: int, since: int) -> str:
        return await self._opened.use(lambda match: match.tell(self.seat, budget, since))

    async def actions(self) -> tuple[list[Action], int]:
        def find(match: Match) -> tuple[list[Action], int]:
            self._check_turn(match)
            return match.legal_actions(), match.decisions

        return await self._opened.use(find)

    async def play(self, action: int, decisions: int) -> Status:
        def play(match: Match) -> Status:
            if match.decisions != decisions:
                details = {"expected_decisions": str(decisions), "decisions": str(match.decisions)}
                message = f"expected {decisions} decisions, but {match.decisions} were taken"
                raise StaleMatchError(message, details)
            match.play(action, self.seat)
            return _status(match)

        return await self._opened.use(play, changes=True)

    async def wait(self, seconds: float) -> Status:
        opened = self._opened
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), opened.changed:
                while not opened.closed and opened.match.to_act not in {self.seat, None}:
                    await opened.changed.wait()
        return await self.status()

    async def say(self, said: dict[str, Any]) -> Message:
        def say(match: Match) -> Message:
            number = match._core.say(json.dumps({**said, "seat": self.seat}))
            return messages_from_json(match._core.messages(self.seat, number - 1))[0]

        return await self._opened.use(say)

    async def messages(self, since: int) -> list[Message]:
        return await self._opened.use(lambda match: match.messages(self.seat, since))

    async def picture(self) -> tuple[Picture, Sketch]:
        return await self._opened.use(lambda match: (match.picture(self.seat), match.sketch(self.seat)))

    async def replay(self) -> str:
        self._check_owner("the replay")
        return await self._opened.use(Match.replay)

    async def start_analysis(self, iterations: int, *, everything: bool) -> str:
        if everything:
            self._check_owner("an analysis of all seats")
        copy = await self._opened.use(Match.clone)
        found = self._opened.analyses
        if len(found) >= _MAX_ANALYSES:
            found.pop(next(iter(found))).cancel.cancel()
        name = secrets.token_hex(4)
        found[name] = _Analysis(copy, None if everything else self.seat, iterations)
        return f"{self.seat}-{name}"

    async def analysis(self, name: str, seconds: float) -> MatchAnalysis | None:
        seat, _, key = name.partition("-")
        found = self._opened.analyses.get(key)
        if found is None or seat != str(self.seat):
            raise AnalysisNotFoundError("there is no such analysis", {"field": "analysis", "value": name})
        return await found.result(seconds)

    async def close(self) -> None:
        forget = self._check_owner("ending the match")
        await self._opened.close()
        forget()


class LocalTables(Tables):
    """Hosts matches in this process."""

    def __init__(self) -> None:
        self._numbers = iter(range(1, 1 << 62))
        self._open: dict[str, _OpenMatch] = {}

    async def games(self) -> list[GameFacts]:
        """List the games."""
        return [GameFacts(game.name, game.seats, game.bots) for game in engine.games()]

    async def scenarios(self, game: str) -> list[Scenario]:
        """List the scenarios of a game."""
        return await asyncio.to_thread(engine.scenarios, game)

    async def begin(self, wish: Beginning) -> Begun:
        """Begin a match and take a seat."""
        if len(self._open) >= MAX_MATCHES:
            details = {"field": "matches", "value": str(len(self._open)), "limit": str(MAX_MATCHES)}
            raise QuotaError(f"{MAX_MATCHES} of {MAX_MATCHES} matches are open, end one of them", details)
        options: dict[str, Any] = {name: getattr(wish, name) for name in ("seats", "seed", "match_index")}
        match = await asyncio.to_thread(
            lambda: Match.create(wish.game, setup=wish.setup, bots=wish.bots or None, **options)
        )
        opened = _OpenMatch(match)
        number = str(next(self._numbers))
        self._open[number] = opened
        invitations = {seat: f"{number}.{opened.tokens[seat]}" for seat in wish.others}
        return Begun(_LocalTable(opened, wish.seat, lambda: self._forget(number)), invitations)

    def _forget(self, number: str) -> None:
        self._open.pop(number, None)

    async def join(self, invitation: str) -> Table:
        """Take the seat of an invitation."""
        number, _, token = invitation.partition(".")
        opened = self._open.get(number)
        for seat, known in enumerate(opened.tokens if opened else ()):
            if hmac.compare_digest(token.encode(), known.encode()) and opened is not None:
                return _LocalTable(opened, seat)
        raise no_invitation()

    async def odds(self, question: Any, *, max_error: float | None, seed: int) -> Any:
        """Return the odds of a battle, a clash or a strike."""
        if max_error is not None and not 0 < max_error < 1:
            raise invalid("max_error", max_error, "expected a number between 0 and 1")
        options: dict[str, Any] = {"seed": seed} | ({} if max_error is None else {"max_error": max_error})
        return await asyncio.to_thread(lambda: question.odds(**options))
