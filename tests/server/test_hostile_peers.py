"""Hostile peers over raw HTTP/2: zero windows, floods without a token, resets, silence, few descriptors.

Meanwhile an authenticated client is served, and afterwards the server has nothing left of them.
"""

import asyncio
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest

from sengoku import Client
from sengoku.errors import UnavailableError, UnreadResponsesError
from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.server.unsent import Unsent
from sengoku.swords import Battle, Force
from sengoku.v1 import tower_pb2, tower_service_pb2
from support.access import GET_VERSION, ask, write
from support.frames import EVALUATE, RST_STREAM, SETTINGS, Raw, call, frame, head, message
from support.process import serving, soon

BATTLE = Battle(Force(spear=3), Force(spear=2))
CHECK = "/grpc.health.v1.Health/Check"
ZERO_WINDOW = frame(SETTINGS, payload=bytes((0, 4, 0, 0, 0, 0)))


class Guarded:
    """A server with tokens, and a client that has one."""

    def __init__(self, server: Server, token: str) -> None:
        self.server, self.token = server, token
        self.client = Client(server.address, token=token)
        self.odds()

    def odds(self) -> float:
        """Return the seconds that a small call takes."""
        begun = time.monotonic()
        self.client.odds(BATTLE)
        return time.monotonic() - begun

    def new_client_is_served(self) -> None:
        """Call over a new connection."""
        # Channels with the same options would share one.
        with grpc.insecure_channel(self.server.address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
            assert ask(channel, GET_VERSION, self.token) == "OK"

    def closed(self, kind: str) -> int:
        """Return how many connections the server has closed for a reason."""
        return self.server.connections()[kind]


@pytest.fixture
def limits() -> Limits:
    return Limits(send_seconds=2, unverified_seconds=4)


@pytest.fixture
def guarded(tmp_path: Path, limits: Limits) -> Iterator[Guarded]:
    token, entry = make_token("nightly", "run")
    access = Access(Tokens(write(tmp_path / "tokens.toml", entry)))
    with Server(port=0, access=access, limits=limits) as server:
        guarded = Guarded(server, token)
        with guarded.client:
            yield guarded


def checks(count: int, first: int = 0) -> bytes:
    """Return the frames of calls of Health/Check."""
    block = head(CHECK)
    return b"".join(call(block, message(b""), stream=2 * (first + n) + 1) for n in range(count))


def test_a_window_of_zero_takes_no_places_from_others(guarded: Guarded) -> None:
    with ExitStack() as stack:
        for _ in range(3):
            raw = stack.enter_context(Raw(guarded.server.address, ZERO_WINDOW))
            for part in range(39):
                raw.send(checks(100, 100 * part))
        for _ in range(20):
            guarded.odds()
        guarded.new_client_is_served()
        assert soon(lambda: guarded.closed("struck") == 3, 60)
    assert soon(lambda: guarded.server.unsent_responses == 0)


def test_thousands_of_calls_that_arrive_together_do_not_cancel_those_of_others(guarded: Guarded) -> None:
    """By itself, gRPC cancels calls at random when a thousand wait for the event loop."""
    sent = ZERO_WINDOW + checks(60)
    address = guarded.server.address
    with (
        ExitStack() as stack,
        Client(address, token=guarded.token, retries=0) as client,
        ThreadPoolExecutor(4) as threads,
    ):
        client.odds(BATTLE)
        raws = [stack.enter_context(Raw(address)) for _ in range(100)]
        attack = threads.submit(lambda: [raw.send(sent) for raw in raws])
        for answered in [threads.submit(client.odds, BATTLE) for _ in range(300)]:
            answered.result()
        attack.result()


def test_an_unread_response_ends_its_connection(guarded: Guarded) -> None:
    with Raw(guarded.server.address, ZERO_WINDOW + checks(1)) as raw:
        assert soon(lambda: guarded.server.unsent_responses == 1)
        begun = time.monotonic()
        raw.answer(30)  # until the server closes
        assert 1 < time.monotonic() - begun < 20
    assert guarded.closed("struck") == 1
    assert soon(lambda: guarded.server.unsent_responses == 0)
    guarded.odds()


def test_unread_responses_have_a_quota(tmp_path: Path) -> None:
    """Without it, responses that are not read took gigabytes."""
    token, entry = make_token("nightly", "run")
    access = Access(Tokens(write(tmp_path / "tokens.toml", entry)))
    most = 4 << 20
    with Server(port=0, access=access, limits=Limits(client_unsent_bytes=most, send_seconds=600)) as server:
        other = Guarded(server, token)
        request = tower_service_pb2.SimulateThrowsRequest(
            cubes=tower_pb2.TowerCubes(red=5, blue=4), tower=tower_service_pb2.NewTower(), count=100_000
        )
        block = head("/sengoku.v1.TowerService/SimulateThrows", authorization=f"Bearer {token}")
        body = message(request.SerializeToString())
        with Raw(server.address, ZERO_WINDOW) as raw:
            for stream in range(1, 80, 2):
                raw.send(call(block, body, stream=stream))
            assert soon(lambda: server.unsent_bytes > 0)
            assert soon(lambda: server.calls_under_way == 0, 60)
            assert server.unsent_bytes <= most
            with pytest.raises(UnreadResponsesError, match="bytes are not read yet") as raised:
                other.client.simulate_throws({"red": 9}, count=200_000)
            assert raised.value.details["field"] == "client_unsent_bytes"
        assert soon(lambda: server.unsent_bytes == 0)
        other.odds()
        other.client.close()


def test_calls_without_a_token_are_slowed_and_their_connections_closed(guarded: Guarded) -> None:
    block = head(EVALUATE)
    flood = b"".join(call(block, message(b""), stream=2 * n + 1) for n in range(2_000))
    with ExitStack() as stack:
        raws = [stack.enter_context(Raw(guarded.server.address)) for _ in range(2)]
        for raw in raws:
            raw.send(flood[: 1 << 16])
        for _ in range(50):
            guarded.odds()
        guarded.new_client_is_served()
        assert soon(lambda: guarded.closed("struck") + guarded.closed("idle") >= 2, 60)


def test_resets_close_a_connection(guarded: Guarded) -> None:
    block = head(EVALUATE, authorization=f"Bearer {guarded.token}")
    with Raw(guarded.server.address) as raw:
        raw.send(call(block, message(b""), stream=1))
        raw.answer(0.5)
        for part in range(100):
            streams = range(200 * part + 3, 200 * part + 203, 2)
            sent = raw.send(
                b"".join(
                    call(block, None, stream=stream, end=False)
                    + frame(RST_STREAM, stream=stream, payload=bytes(4))
                    for stream in streams
                )
            )
            if not sent:
                break
        assert soon(lambda: guarded.closed("struck") >= 1, 60)
    guarded.odds()
    guarded.new_client_is_served()


def test_silent_connections_are_closed(guarded: Guarded) -> None:
    with ExitStack() as stack:
        raws = [stack.enter_context(Raw(guarded.server.address)) for _ in range(20)]
        assert soon(lambda: guarded.closed("idle") == 20, 60)
        assert all(raw.answer(5) is not None for raw in raws)
    time.sleep(4.5)
    guarded.odds()  # a verified connection may be silent


def test_too_many_strangers_make_room(tmp_path: Path) -> None:
    token, entry = make_token("nightly", "run")
    access = Access(Tokens(write(tmp_path / "tokens.toml", entry)))
    with (
        Server(port=0, access=access, limits=Limits(unverified_connections=8)) as server,
        ExitStack() as stack,
    ):
        guarded = Guarded(server, token)
        for _ in range(30):
            stack.enter_context(Raw(server.address))
        guarded.odds()
        guarded.new_client_is_served()
        assert server.connections()["evicted"] >= 20
        guarded.client.close()


@pytest.mark.parametrize("limit", [Limits(connections=3), Limits(address_connections=3)])
def test_verified_connections_have_limits_too(limit: Limits) -> None:
    with Server(port=0, limits=limit) as server, ExitStack() as stack:
        for count in range(1, 4):
            stack.enter_context(Raw(server.address, call(head(EVALUATE), message(b""))))
            assert soon(lambda count=count: server.connections()["verified"] == count)
        with Client(server.address, retries=0, timeout=5) as client, pytest.raises(UnavailableError):
            client.odds(BATTLE)
        assert server.connections()["refused"] >= 1


@pytest.mark.skipif(sys.platform != "linux", reason="needs the limits of Linux")
def test_few_file_descriptors_leave_room_for_clients(tmp_path: Path) -> None:
    token, entry = make_token("nightly", "run")
    tokens = write(tmp_path / "tokens.toml", entry)

    with serving(tmp_path, "--token-file", str(tokens), files=96) as process, ExitStack() as stack:
        for _ in range(60):
            try:
                stack.enter_context(Raw(process.address))
            except OSError:
                continue
        with Client(process.address, token=token) as client:
            client.odds(BATTLE)
        assert "file descriptors allow" in process.log.read_text()


def test_bytes_count_until_they_are_sent() -> None:
    unsent = Unsent(Limits(unsent_bytes=10, client_unsent_bytes=8), None)  # type: ignore[arg-type]
    unsent.check("a", 100)  # a single response is always possible

    async def hold() -> None:
        with unsent.sending("a", "peer", 6):
            assert (unsent.count, unsent.bytes, unsent.of_peer("peer")) == (1, 6, 1)
            unsent.check("a", 2)
            with pytest.raises(UnreadResponsesError, match="9 bytes are not read yet, this server holds 8"):
                unsent.check("a", 3)
            unsent.check("b", 4)
            with pytest.raises(UnreadResponsesError, match="11 bytes are not read yet, this server holds 10"):
                unsent.check("b", 5)
        assert (unsent.count, unsent.bytes, unsent.of_peer("peer")) == (0, 0, 0)

    asyncio.run(hold())
