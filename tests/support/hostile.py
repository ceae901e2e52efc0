"""Hostile peers as a program of their own: `python hostile.py HOST:PORT SECONDS KIND...`.

It prints what they did as JSON, at the end or at SIGTERM. Kinds: `flood` (calls without a token), `zero`
(windows of zero), `slow` (calls that arrive byte by byte), `resets` (streams that are reset at once). All use
connections that are opened again when the server closes them.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.frames import EVALUATE, PREFACE, RST_STREAM, SETTINGS, call, frame, head, message

CHECK = "/grpc.health.v1.Health/Check"
ZERO_WINDOW = frame(SETTINGS, payload=bytes((0, 4, 0, 0, 0, 0)))
FLOOD_PER_SECOND = 5_000
RESETS_PER_SECOND = 1_000
CONNECTIONS = 100
"""Connections with a window of zero, and as many that send slowly."""
_BATCH = 50
_BODY = message(b"")


class Peers:
    """Hostile peers of one server."""

    def __init__(self, address: str, seconds: float) -> None:
        host, _, port = address.rpartition(":")
        self._host, self._port = host, int(port)
        self._until = time.monotonic() + seconds
        self.counts: Counter[str] = Counter()

    async def _again(self, kind: str, attack: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> None:
        """Connect and attack until the time is over."""
        while time.monotonic() < self._until:
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(self._host, self._port)
                self.counts[f"{kind} connections"] += 1
                drain = asyncio.ensure_future(self._read(reader, kind))
                try:
                    writer.write(PREFACE + frame(SETTINGS))
                    await attack(writer)
                finally:
                    drain.cancel()
                    writer.close()
            await asyncio.sleep(0.01)

    async def _read(self, reader: asyncio.StreamReader, kind: str) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                self.counts[f"{kind} bytes"] += len(data)

    async def _paced(self, kind: str, per_second: float, make: Callable[[int], bytes]) -> None:
        """Send calls at a rate, over as many connections as the server closes."""

        async def attack(writer: asyncio.StreamWriter) -> None:
            stream = 1
            while time.monotonic() < self._until and not writer.is_closing():
                writer.write(b"".join(make(stream + 2 * n) for n in range(_BATCH)))
                stream += 2 * _BATCH
                self.counts[f"{kind} calls"] += _BATCH
                async with asyncio.timeout(1.0):
                    await writer.drain()
                await asyncio.sleep(_BATCH / per_second)

        while time.monotonic() < self._until:
            with suppress(TimeoutError):  # the server does not read any more: another connection
                await self._again(kind, attack)

    async def flood(self) -> None:
        """Call without a token."""
        block, share = head(EVALUATE), 10
        each = [
            self._paced("flood", FLOOD_PER_SECOND / share, lambda n: call(block, _BODY, stream=n))
            for _ in range(share)
        ]
        await asyncio.gather(*each)

    async def zero(self) -> None:
        """Call and advertise a window of zero."""
        block = head(CHECK)
        sent = ZERO_WINDOW + b"".join(call(block, _BODY, stream=2 * n + 1) for n in range(60))

        async def attack(writer: asyncio.StreamWriter) -> None:
            writer.write(sent)
            self.counts["zero calls"] += 60
            while time.monotonic() < self._until and not writer.is_closing():
                await asyncio.sleep(0.5)
                writer.write(frame(6, payload=bytes(8)))  # a ping shows whether the server has closed

        await asyncio.gather(*(self._again("zero", attack) for _ in range(CONNECTIONS)))

    async def slow(self) -> None:
        """Send calls byte by byte."""
        sent = call(head(EVALUATE), _BODY)

        async def attack(writer: asyncio.StreamWriter) -> None:
            for byte in sent:
                if time.monotonic() > self._until or writer.is_closing():
                    return
                writer.write(bytes((byte,)))
                await asyncio.sleep(0.5 * random.random())

        await asyncio.gather(*(self._again("slow", attack) for _ in range(CONNECTIONS)))

    async def resets(self) -> None:
        """Open streams and reset them at once."""
        block, share = head(EVALUATE), 4

        def make(stream: int) -> bytes:
            return call(block, None, stream=stream, end=False) + frame(
                RST_STREAM, stream=stream, payload=bytes(4)
            )

        await asyncio.gather(*(self._paced("resets", RESETS_PER_SECOND / share, make) for _ in range(share)))


KINDS = ("flood", "zero", "slow", "resets")


async def _main(address: str, seconds: float, kinds: list[str]) -> None:
    peers = Peers(address, seconds)
    work = asyncio.gather(*(getattr(peers, kind)() for kind in kinds))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, work.cancel)
    with suppress(TimeoutError, asyncio.CancelledError):
        async with asyncio.timeout(seconds + 1):
            await work
    sys.stdout.write(json.dumps(peers.counts) + "\n")


@contextmanager
def attacking(address: str, seconds: float, *kinds: str) -> Iterator[Counter[str]]:
    """Hostile peers in a process of their own, until the end of the block; then their counts are known."""
    command = [sys.executable, __file__, address, str(seconds), *(kinds or KINDS)]
    done: Counter[str] = Counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield done
            process.terminate()
            output, _ = process.communicate(timeout=60)
            done.update(json.loads(output))
        finally:
            process.kill()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
