"""Versioned events: set by threads, awaited by coroutines."""

import asyncio
import threading

from sengoku.server.events import VersionedEvent


def test_a_newer_version_is_not_awaited() -> None:
    async def work() -> None:
        event = VersionedEvent()
        before = event.version
        event.set()
        await asyncio.wait_for(event.wait_newer(before), 10)
        await event.wait_newer(event.version, 0.01)  # nothing newer comes
        assert event._waiters == set()

    asyncio.run(work())


def test_a_thread_wakes_all_who_wait() -> None:
    async def work() -> None:
        event = VersionedEvent()
        waits = [asyncio.ensure_future(event.wait_newer(event.version)) for _ in range(5)]
        await asyncio.sleep(0)
        threading.Thread(target=event.set).start()
        await asyncio.wait_for(asyncio.gather(*waits), 10)
        assert event.version == 2
        assert event._waiters == set()

    asyncio.run(work())


def test_a_closed_loop_is_no_trouble() -> None:
    event = VersionedEvent()

    async def leave() -> None:
        event._waiters.add((asyncio.get_running_loop(), asyncio.get_running_loop().create_future()))

    asyncio.run(leave())
    event.set()
    assert event.version == 2
