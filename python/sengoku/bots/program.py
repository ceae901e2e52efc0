"""Bots that are programs in any language: isolated processes that exchange lines of JSON with the host."""

from __future__ import annotations

import itertools
import logging
import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sengoku.bots.bot import Decision
from sengoku.bots.lines import (
    LineError,
    decisions_to_lines,
    hello_to_line,
    notes_of,
    over_to_line,
    read_line,
    ready_attributes,
    said_of,
)
from sengoku.bots.port import Forfeited, Over
from sengoku.bots.process import IsolatedProcess, Isolation
from sengoku.engine.games import find_game, games
from sengoku.errors import ArgumentError

__all__ = ["ProgramBot", "python_bot"]

_START_SECONDS = 60.0
"""How long a program may take to write its first line; no clock runs meanwhile."""
_OVER_SECONDS = 5.0
"""How long the end of a match may wait for a program that does not read."""
_MOST_FAILURES = 3
"""Failures in a row after which a program is not started again."""
_MOST_CAPACITY = 1024
"""Decisions that are written before an answer is read: the answers must fit into a pipe."""
_LONGEST_LINE = 1 << 20

_log = logging.getLogger(__name__)


class ProgramBot:
    """A bot whose decisions are those of a program; it is started again after a failure.

    One process plays all matches of the bot. Whatever it does becomes a fault of the bot: its match is
    forfeited, the process is killed with all its children, and a new one takes the next decision.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        name: str | None = None,
        games: Sequence[str] = (),
        isolation: Isolation | None = None,
        env: dict[str, str] | None = None,
        hide: Sequence[Path] = (),
        source: str | None = None,
        timed: bool = False,
    ) -> None:
        """Start a program; raise `ArgumentError` if it cannot be started or does not introduce itself.

        `games` are those that it will be asked about (default: all), `hide` files that it must not read.
        With `timed` it is killed when its time for a decision has run out, for use where no host does so.
        """
        self.argv = list(argv)
        self.source = source or " ".join(self.argv)
        self.isolation = isolation or Isolation()
        self._options: dict[str, Any] = {"env": env, "hide": hide}
        self._asked_games = tuple(games)
        self._given_name = name
        self._ids = itertools.count(1)
        self._buffer = b""
        self._timed = timed
        self._introduced = False
        self._failures = 0
        self._last_failure = ""
        self._late = False
        self._lock = threading.Lock()
        self._process: IsolatedProcess | None = None
        self._over_failures: dict[str, str] = {}
        try:
            ready = self._launch()
        except Forfeited as error:
            details = {"field": "bot", "value": self.source}
            raise ArgumentError(f"the bot {self.source!r} cannot be started: {error}", details) from None
        self.wants: tuple[str, ...] = tuple(ready["wants"])
        self.games: tuple[str, ...] = tuple(ready["games"])
        self.capacity = max(1, min(ready["capacity"], _MOST_CAPACITY))
        self.words: int = ready["words"]
        self.name: str = name or ready["name"] or Path(self.argv[0]).stem
        self._introduced = True
        try:
            for game in self.games:
                find_game(game)
        except ArgumentError:
            self.close()
            raise

    def prepare(self) -> None:
        """Start the program again if it has ended, before the clock of a decision begins to run."""
        if self._process is not None and self._late:  # killed when it had just answered
            self._failed(self._process, EOFError())
        if self._process is None and self._failures < _MOST_FAILURES:
            with suppress(Forfeited):
                self._launch()

    def decide_batch(self, decisions: list[Decision]) -> list[Any]:
        """Return the action of each decision, or the exception that stands for a failure."""
        self.prepare()
        process = self._process
        if process is None:
            message = (
                f"it is not started again after {self._failures} failures in a row: {self._last_failure}"
            )
            raise Forfeited(message, "late" if self._late else "crashed")
        first = next(self._ids)
        numbers = [first, *itertools.islice(self._ids, len(decisions) - 1)]
        began = time.monotonic()
        answers: dict[int, Any] = {}
        failure: Forfeited | None = None
        timer = None
        if self._timed:
            timer = threading.Timer(max(decision.seconds_left for decision in decisions), self.interrupt)
            timer.start()
        try:
            with suppress(BrokenPipeError):  # its last words may say more
                process.write(decisions_to_lines(decisions, first))
            while len(answers) < len(decisions):
                number, answer, said, notes = self._answer(process)
                if number not in range(first, first + len(numbers)) or number in answers:
                    raise LineError(f"answered decision {str(number)[:40]}, which is not open")
                answers[number] = answer
                decisions[number - first].said.extend(said)
                decisions[number - first].notes.extend(notes)
        except (OSError, EOFError, LineError) as error:
            failure = self._failed(process, error)
        else:
            if any(not isinstance(answer, BaseException) for answer in answers.values()):
                self._failures = 0
        finally:
            process.thought(time.monotonic() - began)
            if timer is not None:
                timer.cancel()
        return [answers.get(number, failure) for number in numbers]

    def match_over(self, over: Over) -> None:
        """Tell the program that a match has ended."""
        process = self._process
        if process is not None:
            try:
                process.write(over_to_line(over), _OVER_SECONDS)
            except OSError as error:
                self._failed(process, error)

    def interrupt(self) -> None:
        """Kill the program because its answer is late; callable from any thread."""
        with self._lock:
            if self._process is not None:
                self._late = True
                self._process.kill()

    def over_failures(self) -> dict[str, str]:
        """Return the first failure after a match that a program has reported, by game."""
        return self._over_failures

    def close(self) -> None:
        """End the program, politely at first."""
        process = self._release()
        if process is not None:
            with suppress(OSError):
                process.input.close()
            with suppress(OSError, EOFError, LineError, ValueError):
                timer = threading.Timer(2.0, process.kill)
                timer.start()
                try:
                    while True:
                        self._note(self._read(process))
                finally:
                    timer.cancel()
            process.close()

    def _release(self) -> IsolatedProcess | None:
        with self._lock:
            process, self._process = self._process, None
            return process

    def _launch(self) -> dict[str, Any]:
        """Start the program and return what it says of itself."""
        try:
            process = IsolatedProcess(self.argv, self.isolation, **self._options)
        except OSError as error:
            raise self._forfeit(str(error)) from None
        self._buffer = b""
        with self._lock:
            self._process = process
        timer = threading.Timer(_START_SECONDS, process.kill)
        timer.start()
        try:
            known = self._asked_games or tuple(game.name for game in games())
            with suppress(BrokenPipeError):
                process.write(hello_to_line(self._given_name or "", known))
            ready = ready_attributes(self._read(process))
        except (OSError, EOFError, LineError) as error:
            raise self._failed(process, error) from None
        finally:
            timer.cancel()
        return ready

    def _answer(self, process: IsolatedProcess) -> tuple[Any, Any, list[str], list[str]]:
        """Read the answer to a decision: its number, an action or an exception, messages, and notes."""
        while True:
            message = self._read(process)
            if message["type"] == "failure":
                if "id" not in message:
                    self._note(message)
                    continue
                failure = Forfeited(f"it failed: {str(message.get('message', ''))[:1000]}")
                return message["id"], failure, [], []
            if message["type"] != "action" or "action" not in message:
                raise LineError(f"wrote a message of type {message['type'][:40]!a}, not an action")
            action = message["action"]
            # Other values are illegal, but not more than that.
            legal = type(action) is int and 0 <= action < 1 << 32
            return message.get("id"), action if legal else None, said_of(message), notes_of(message)

    def _note(self, message: dict[str, Any]) -> None:
        if message["type"] == "failure":
            game, text = str(message.get("game", ""))[:60], str(message.get("message", ""))[:1000]
            self._over_failures.setdefault(game, text)
            _log.warning("the bot %s failed after a match: %s", self.source, text)

    def _read(self, process: IsolatedProcess) -> dict[str, Any]:
        """Read a line; raise `EOFError` at the end."""
        while True:
            line, newline, rest = self._buffer.partition(b"\n")
            if newline:
                self._buffer = rest
                return read_line(line)
            if len(self._buffer) > _LONGEST_LINE:
                raise LineError(f"wrote a line of more than {_LONGEST_LINE} bytes")
            data = process.output.read(1 << 16)
            if not data:
                raise EOFError
            self._buffer += data

    def _failed(self, process: IsolatedProcess, error: Exception) -> Forfeited:
        """End the program after a failure; return the failure."""
        self._release()
        if isinstance(error, LineError):
            process.kill()
            said = f"it {error}"
        else:
            said = process.wait()  # it may just be ending
            if said == "it was killed" and not self._late:
                stalled = isinstance(error, TimeoutError)
                said = str(error) if stalled else "it closed its input or output"
        tail = process.tail()
        process.kill()
        process.close()
        said = "it was late, and was killed" if self._late else said
        return self._forfeit(said + (f"; the end of its standard error: {tail}" if tail else ""))

    def _forfeit(self, said: str) -> Forfeited:
        self._failures += 1
        self._last_failure = said
        if self._introduced:  # else it is an error of the caller
            _log.warning("the bot %s failed: %s", self._given_name or self.source, said)
        late, self._late = self._late, False
        if self._failures >= _MOST_FAILURES:
            self._late = late  # and so are the decisions that it cannot be asked any more
        return Forfeited(said, "late" if late else "crashed")


def python_bot(text: str, **options: Any) -> ProgramBot:
    """Start the Python bot `module:Name` or `file.py:Name` as a program, with the module path of this one."""
    paths = [str(Path(path).resolve()) for path in sys.path if path and Path(path).is_dir()]
    env = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    argv = [sys.executable, "-m", "sengoku.bots.run", text]
    return ProgramBot(argv, source=text, env=env, **options)
