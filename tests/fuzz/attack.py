"""Calls of a server over real sockets with generated requests, and what must never come of them.

Every call is a function of the seed and of what the server sent before. A finding prints the seed and the
request.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.protobuf import text_format
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2
from grpc import aio
from grpc_status import rpc_status

from fuzz import corpus
from fuzz.messages import Messages, harvest, mutated_bytes
from sengoku import Client
from sengoku.errors import REASONS, SengokuError
from sengoku.server.auth import make_token
from sengoku.swords import Battle, Force
from support.access import write
from support.process import MIB, Process, serving, soon

ROLES = {"runner": "run", "rival": "run", "reader": "read", "boss": "admin"}
_CALLERS = ("runner",) * 9 + ("boss",) * 5 + ("rival",) * 2 + ("reader",) * 3 + ("nobody", "wrong")
_AT_ONCE = 12
_ROUND = 300
"""Calls after which the server must have nothing left to do."""
_FIRST = 60
_CREATING = (
    *("/sengoku.v1.MatchService/CreateMatch", "/sengoku.v1.SimulationService/StartRun"),
    *("/sengoku.v1.TournamentService/CreateTournament", "/sengoku.v1.TowerService/Throw"),
)
"""The first calls, and their methods."""
MARGIN = 20.0
"""Seconds that a call may take beyond its deadline, and a server to come to rest, on a busy machine."""
GROWTH = 160 * MIB
"""Memory that a server may use more at the end than after a third of the rounds."""
_OPTIONS = ("--match-idle-seconds", "20", "--environment-idle-seconds", "5", "--max-runs-kept", "200")
_OPTIONS += ("--max-tournaments-kept", "100", "--player-silence-seconds", "5")
_OURS = {"DEADLINE_EXCEEDED", "CANCELLED"}
"""Statuses that the client of a call makes itself."""
_WRITING = "Internal error from Core"
"""What grpc.aio makes of the end of a stream while it writes another request."""
_OPEN = ("/grpc.health.v1.", "/grpc.reflection.")
"""Services that have plain statuses, without a reason."""


@dataclass
class Attempt:
    """A call, and how it ended."""

    number: int
    caller: str
    method: str
    requests: list[bytes]
    timeout: float
    code: str = ""
    details: str = ""
    responses: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        lines = [f"call {self.number}: {self.method} by {self.caller}, timeout {self.timeout:g} s"]
        lines += [f"  {self.code} after {self.seconds:.2f} s, {self.responses} responses: {self.details}"]
        for data in self.requests:
            lines.append(f"  request in base64: {base64.b64encode(data).decode()[:4_000]}")
            with suppress(DecodeError):
                text = text_format.MessageToString(corpus.request_class(self.method).FromString(data))
                lines += [f"    {line[:400]}" for line in text.splitlines()[:60]]
        return "\n".join(lines)


@dataclass
class Server:
    """A server under attack and the tokens of its callers."""

    process: Process
    tokens: dict[str, str]
    live: dict[str, list[Any]] = field(default_factory=dict)

    def client(self, caller: str = "boss") -> Client:
        """A client with the token of a caller."""
        return Client(self.process.address, token=self.tokens[caller], timeout=30, retries=2)

    def tidy(self) -> None:
        """End what runs in the background, so that the next calls find free cores."""
        with self.client() as client:
            for jobs in (client.runs(), client.tournaments()):
                for job in jobs:
                    with suppress(SengokuError):
                        job.cancel()

    def faults(self) -> list[str]:
        """Lines of the log that are not JSON, or report an error or a panic."""
        found = []
        for line in self.process.log.read_text("utf-8", "replace").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                found.append(line[:2_000])
            else:
                if entry["level"] == "error" or entry.get("code") in {"INTERNAL", "UNKNOWN"}:
                    found.append(line[:6_000])
        return found

    def rest(self) -> list[str]:
        """Wait until nothing is under way; return what is wrong then."""
        wrong = []
        if not soon(lambda: not self.process.under_way(), MARGIN):
            wrong.append(f"{self.process.under_way()} calls are still under way after {MARGIN:g} s")
        with self.client() as client:
            if client.health() != "SERVING":
                wrong.append(f"the server reports {client.health()}")
            battle = Battle(Force(spear=3), Force(spear=2))
            if client.exact(battle) != battle.exact():
                wrong.append("the server computes other odds")
        return wrong + self.faults()


@contextmanager
def attacked(folder: Path, *options: str) -> Iterator[Server]:
    """A server in a process of its own, with tokens for all roles."""
    made = {name: make_token(name, role) for name, role in ROLES.items()}
    file = write(folder / "tokens.toml", *(entry for _, entry in made.values()))
    with serving(folder, "--token-file", str(file), *_OPTIONS, *options) as process:
        yield Server(process, {name: token for name, (token, _) in made.items()})


class Attack:
    """Calls with generated requests: by structure, or by bytes."""

    def __init__(self, server: Server, seed: int, *, by_bytes: bool = False) -> None:
        self.server, self.seed, self.by_bytes = server, seed, by_bytes
        self.counts: Counter[str] = Counter()
        self.table: Counter[tuple[str, str]] = Counter()
        self.reached: set[str] = set()
        """Methods that answered OK at least once."""
        self.findings: list[str] = []
        self._number = 0
        self._methods = sorted(corpus.methods())

    def run(self, seconds: float, *, calls: int | None = None) -> None:
        """Make calls for some seconds, in rounds."""
        until = time.monotonic() + seconds
        memory: list[int] = []
        while time.monotonic() < until and not self.findings and (calls is None or self._number < calls):
            attempts = asyncio.run(self._round(until))
            self.findings += [
                f"{fault}\n{attempt}" for attempt in attempts if (fault := self._fault(attempt))
            ]
            self.server.tidy()
            if wrong := self.server.rest():
                slow = sorted(attempts, key=lambda attempt: -attempt.seconds)[:3]
                self.findings += [
                    "\n".join(wrong),
                    *(f"one of the slowest calls:\n{attempt}" for attempt in slow),
                ]
            memory.append(self.server.process.rss)
        early = memory[len(memory) // 3]
        if memory[-1] > early + GROWTH:
            self.findings.append(f"memory grew: {[f'{one / MIB:.0f} MiB' for one in memory]}")
        self.memory = (early, memory[-1])

    def check(self) -> None:
        """Fail with the findings."""
        text = "\n\n".join(self.findings)
        assert not self.findings, f"seed {self.seed}, {'bytes' if self.by_bytes else 'structure'}:\n{text}"

    async def _round(self, until: float) -> list[Attempt]:
        done: list[Attempt] = []
        channels = [
            aio.insecure_channel(self.server.process.address, [("grpc.use_local_subchannel_pool", 1)])
            for _ in range(3)
        ]

        async def worker() -> None:
            while len(done) < _ROUND and time.monotonic() < until + 1:
                attempt = self._next()
                await self._call(channels[_channel(attempt)], attempt)
                done.append(attempt)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(_AT_ONCE):
                    group.create_task(worker())
        finally:
            for channel in channels:
                await channel.close()
        return done

    def _next(self) -> Attempt:
        """Generate a call."""
        self._number += 1
        draw = random.Random(f"{self.seed} {self._number} {self.by_bytes}")
        caller, method = draw.choice(_CALLERS), draw.choice(self._methods)
        messages = Messages(draw, self.server.live)
        if self._number <= _FIRST:  # so that later calls find matches, runs and tournaments
            caller, method = "runner", draw.choice(_CREATING)
            return Attempt(self._number, caller, method, messages.recorded(method), 1.0)
        requests = messages.requests(method)
        if self.by_bytes:
            kind = draw.randrange(4)
            requests = [
                draw.randbytes(draw.choice((0, 1, 9, 300, 5_000))) if kind == 0 else mutated_bytes(draw, data)
                for data in requests
            ]
        return Attempt(self._number, caller, method, requests, draw.choice((0.1, 0.5, 1.0)))

    async def _call(self, channel: aio.Channel, attempt: Attempt) -> None:
        """Make a call and record how it ended."""
        begun = time.monotonic()
        kind, method = corpus.response_class(attempt.method), corpus.methods()[attempt.method]
        metadata = (
            ()
            if attempt.caller == "nobody"
            else (("authorization", f"Bearer {self.server.tokens.get(attempt.caller, 'sgk_wrong')}"),)
        )
        try:
            async with asyncio.timeout(attempt.timeout + MARGIN):
                if method.server_streaming or method.client_streaming:
                    call = channel.stream_stream(attempt.method)(
                        _each(attempt.requests), timeout=attempt.timeout, metadata=metadata
                    )
                    async for data in call:
                        self._read(kind, data, attempt)
                        if attempt.responses >= 40:
                            call.cancel()
                            break
                else:
                    data = await channel.unary_unary(attempt.method)(
                        attempt.requests[0], timeout=attempt.timeout, metadata=metadata
                    )
                    self._read(kind, data, attempt)
            attempt.code = "OK"
        except aio.AioRpcError as error:
            attempt.code, attempt.details = error.code().name, error.details() or ""
            if attempt.details == _WRITING:
                attempt.code = "CANCELLED"
            else:
                attempt.details = _reason(error, attempt) + attempt.details
        except asyncio.CancelledError:
            attempt.code = "CANCELLED"
        except TimeoutError:
            attempt.code = "HANGS"
        attempt.seconds = time.monotonic() - begun
        self.counts[attempt.code] += 1
        self.table[attempt.method, attempt.code] += 1
        if attempt.responses:
            self.reached.add(attempt.method)

    def _read(self, kind: type[Message], data: bytes, attempt: Attempt) -> None:
        attempt.responses += 1
        harvest(kind.FromString(data), self.server.live)

    @staticmethod
    def _fault(attempt: Attempt) -> str:
        """What is wrong with the end of a call; empty if nothing is."""
        if attempt.code in {"INTERNAL", "UNKNOWN", "DATA_LOSS", "HANGS"}:
            return attempt.code
        if attempt.code == "UNIMPLEMENTED":
            return "a method does not exist"
        if (
            attempt.code == "UNAVAILABLE"
            and attempt.caller not in {"nobody", "wrong"}
            and "ErrorInfo:" not in attempt.details
        ):
            return "the connection was lost"
        if "without a reason" in attempt.details:
            return attempt.details
        return ""


def _channel(attempt: Attempt) -> int:
    """Strangers have a connection of their own, because it will be closed."""
    return 2 if attempt.caller in {"nobody", "wrong"} else attempt.number % 2


async def _each(requests: list[bytes]) -> Any:
    for data in requests:
        yield data
        await asyncio.sleep(0)


def _reason(error: aio.AioRpcError, attempt: Attempt) -> str:
    """The reason of a status, which must be known and fit the code."""
    status = rpc_status.from_call(error)
    code = error.code().name
    if status is None:
        plain = code in _OURS or code == "UNAVAILABLE" or attempt.method.startswith(_OPEN)
        return "" if plain else f"a status {code} without a reason: "
    info = error_details_pb2.ErrorInfo()
    if not status.details or not status.details[0].Unpack(info):
        return f"a status {code} without a reason: "
    if info.reason not in REASONS or REASONS[info.reason].status != code:
        return f"a status {code} without a reason of its own, but {info.reason}: "
    return f"ErrorInfo: {info.reason}: "
