"""Long-running work on a server: what runs and tournaments share."""

from __future__ import annotations

import math
import uuid
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from google.protobuf.message import Message

from sengoku._core import Cancel
from sengoku.client._channel import Deadline, Reconnect
from sengoku.client._flow import Call, Emit, Flow, Remote, Sleep, StreamFlow, method, read_stream, stream
from sengoku.engine.progress import Progress, watching
from sengoku.errors import ArgumentError, DeadlineError, SengokuError
from sengoku.wire.values import text_to_proto

PAGE_SIZE = 1000
"""Entries of one page of a list."""
PAUSE_SECONDS = 0.25
"""Pause before a stream that ended early is opened again."""


class _Status(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def over(self) -> bool: ...
    def check(self) -> Any: ...


A = TypeVar("A")
StatusT = TypeVar("StatusT", bound=_Status)
ResultT = TypeVar("ResultT")


def read_pages(request: Any, items: Callable[[Any], Iterable[A]], deadline: Deadline) -> Flow[list[A]]:
    """Read all pages of a list; `items` returns the entries of a page."""
    request.page_size = PAGE_SIZE
    found: list[A] = []
    while True:
        page = yield Call(request, timeout=deadline.left)
        found += items(page)
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


def request_id_or_new(request_id: str | None) -> str:
    """Return the caller's request id, or a new one."""
    if request_id is None:
        return uuid.uuid4().hex
    if not request_id:
        message = "request_id is empty, it must have at least one character or be None"
        raise ArgumentError(message, {"field": "request_id", "value": "''"})
    return text_to_proto("request_id", request_id)


class Job(Remote, Generic[StatusT, ResultT]):
    """A run or a tournament on a server; it continues whether or not a client waits for it."""

    _get: ClassVar[type[Message]]
    """The request for the status; this and those below have the name of the job."""
    _watch: ClassVar[type[Message]]
    """The request for a stream of statuses."""
    _delete: ClassVar[type[Message]]

    def __init__(self, client: Any, status: StatusT) -> None:
        super().__init__(client)
        self._status = status

    @property
    def name(self) -> str:
        """The server's name of the job, by which the client finds it again."""
        return self._status.name

    @property
    def status(self) -> StatusT:
        """The last known status; `metadata` fetches the current one."""
        return self._status

    def _request(self, kind: type[Message]) -> Message:
        return kind(name=self.name)

    @abstractmethod
    def _update(self, response: Any) -> StatusT:
        """Set and return the status from the response to a get or watch request."""

    @property
    @abstractmethod
    def _progress(self) -> tuple[int, int]:
        """Matches done, and all matches."""

    @abstractmethod
    def _wait_once(
        self, deadline: Deadline, update: Callable[[Any], None], cancel: Cancel | None, *, often: bool
    ) -> Flow[None]:
        """Wait for the end for a while, calling `update` with responses; frequently if `often`."""

    @method
    def metadata(self, *, timeout: float | None = None) -> Call[StatusT]:
        """Fetch the current status."""
        return Call(self._request(self._get), self._update, timeout)

    @stream
    def watch(self) -> StreamFlow[StatusT]:
        """Iterate over the status: the current one, each change, and last the final one.

        If the server is restarted meanwhile, the client reconnects.
        """
        reconnect = Reconnect(Deadline(None))

        def emit(response: Any) -> Emit[StatusT]:
            reconnect.reset()
            return Emit(self._update(response))

        while True:
            try:
                yield from read_stream(self._request(self._watch), emit, math.inf)
            except SengokuError as error:
                yield Sleep(reconnect.pause_after(error))
            else:
                if self._status.over:
                    return
                yield Sleep(PAUSE_SECONDS)  # the server ended the stream, but not because the job is over

    @method
    def wait(
        self,
        timeout: float | None = None,
        *,
        progress: bool | Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Flow[ResultT]:
        """Wait until the job is over and return its result, or raise the error that ended it.

        Without `timeout` there is no limit. A timeout and `cancel` end the wait, not the job. `progress` is
        True for a progress bar, or a function of matches done and matches in all. If the server is restarted
        meanwhile, the client reconnects.
        """
        with watching(progress) as notify:
            yield from self._until_over(Deadline(timeout), notify, cancel)
        result: ResultT = self._status.check()
        return result

    def _until_over(
        self, deadline: Deadline, notify: Progress | None = None, cancel: Cancel | None = None
    ) -> Flow[None]:
        reconnect = Reconnect(deadline)

        def update(response: Any) -> None:
            reconnect.reset()
            self._update(response)
            if notify is not None:
                notify(*self._progress)

        while True:
            try:
                yield from self._wait_once(deadline, update, cancel, often=notify is not None)
            except SengokuError as error:
                yield Sleep(reconnect.pause_after(error))
                continue
            if self._status.over:
                return
            if deadline.left <= 0:
                message = f"{self.name} is not over yet and continues on the server"
                raise DeadlineError(message, {"name": self.name})

    @method
    def delete(self, *, timeout: float | None = None) -> Call[None]:
        """Delete the job and its matches from the server; it must be over."""
        return Call(self._request(self._delete), no_result, timeout)


def no_result(_response: Message) -> None:
    """Decode an empty response."""
