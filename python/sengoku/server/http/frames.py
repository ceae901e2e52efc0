"""Frames of streams that many callers read at once: each is written as JSON and compressed once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

__all__ = ["Frames"]

_MOST = 32
"""Frames that are kept: spectators of a match read the same one at about the same time."""
_LARGEST = 512 << 10
"""Bytes of a message whose frame is kept."""


class Frames:
    """The frames that were written last. Use it on the server's event loop only."""

    def __init__(self) -> None:
        self._frames: OrderedDict[Hashable, asyncio.Future[bytes]] = OrderedDict()

    async def get(self, message: object, form: Hashable, write: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return the frame of a message in a form, which is written by the first that asks for it.

        Only messages that services give as bytes are kept, because the same bytes are given to all readers.
        """
        if not isinstance(message, bytes) or len(message) > _LARGEST:
            return await write()
        key = (message, form)
        frame = self._frames.get(key)
        if frame is None:
            frame = self._frames[key] = asyncio.ensure_future(write())
            frame.add_done_callback(lambda done: self._drop_failed(key, done))
            if len(self._frames) > _MOST:
                self._frames.popitem(last=False)
        return await asyncio.shield(frame)

    def _drop_failed(self, key: Hashable, done: asyncio.Future[bytes]) -> None:
        if done.cancelled() or done.exception() is not None:
            self._frames.pop(key, None)
