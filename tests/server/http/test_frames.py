"""Frames of a stream are written once for all that read it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from sengoku.server import Server
from sengoku.server.http import json_codec
from sengoku.server.http.frames import Frames
from sengoku.v1 import match_service_pb2 as pb2
from support.connect import Caller

SERVICE = "/sengoku.v1.MatchService"


def test_a_frame_is_written_once_and_a_failure_is_not_kept() -> None:
    written: list[bytes] = []

    async def write() -> bytes:
        written.append(b"frame")
        await asyncio.sleep(0)
        if len(written) == 2:
            raise ValueError("once")
        return b"frame"

    async def ask() -> None:
        frames = Frames()
        assert await asyncio.gather(*(frames.get(b"a", 1, write) for _ in range(9))) == [b"frame"] * 9
        assert len(written) == 1
        with pytest.raises(ValueError, match="once"):
            await frames.get(b"a", 2, write)
        assert await frames.get(b"a", 2, write) == b"frame"
        await frames.get(object(), 1, write)
        await frames.get(bytes(1 << 20), 1, write)
        assert len(written) == 5
        for number in range(100):
            await frames.get(b"%d" % number, 1, write)
        assert len(frames._frames) <= 32

    asyncio.run(ask())


def test_who_leaves_takes_no_frame_from_others() -> None:
    async def ask() -> None:
        frames, go = Frames(), asyncio.Event()

        async def write() -> bytes:
            await go.wait()
            return b"frame"

        first = asyncio.create_task(frames.get(b"a", 1, write))
        second = asyncio.create_task(frames.get(b"a", 1, write))
        await asyncio.sleep(0)
        first.cancel()
        go.set()
        assert await second == b"frame"

    asyncio.run(ask())


def test_spectators_share_frames_and_each_sees_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    plain = json_codec.message_to_dict

    def counted(message: object) -> object:
        made.append(isinstance(message, pb2.WatchMatchResponse))
        return plain(message)  # type: ignore[arg-type]

    monkeypatch.setattr(json_codec, "message_to_dict", counted)
    with Server(port=0, http_port=0) as server, Caller(server) as caller:
        create = pb2.CreateMatchRequest(game="swords", seats=3, seed=5)
        access = caller.call(f"{SERVICE}/CreateMatch", create, pb2.CreateMatchResponse).access

        def first(token: str, public: bool) -> str:
            request = pb2.WatchMatchRequest(match_id=access.match_id, token=token, public_only=public)
            with Caller(server) as watcher:
                stream = watcher.stream(f"{SERVICE}/WatchMatch", request, pb2.WatchMatchResponse)
                return str(next(stream).frame.view_json)

        made.clear()
        with ThreadPoolExecutor(8) as threads:
            seen = set(threads.map(lambda _: first(access.owner_token, True), range(16)))
        assert len(seen) == 1
        assert sum(made) == 1
        views = {first(token, False) for token in access.seat_tokens}
        assert len(views) == 3, "the view of a seat is not that of another"
        assert not views & seen
