"""Requests to an OpenAI-compatible endpoint: bounded in time and size, repeated where that can help."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sengoku.errors import missing_package

if TYPE_CHECKING:
    import httpx

    from sengoku.bots.llm.settings import LlmSettings, Secret

__all__ = ["Answer", "Endpoint", "EndpointError"]

_PASSING = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
"""Statuses of failures that may pass."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0
_MOST_BYTES = 1 << 20
_SHOWN = 200
_CHARACTERS_OF_A_TOKEN = 4
"""For an estimate where the endpoint reports no tokens."""


class EndpointError(Exception):
    """A request that failed for good; its text names no secret."""


@dataclass(frozen=True)
class Answer:
    """The answer of a model, and what it cost."""

    text: str
    prompt_tokens: int
    answer_tokens: int
    estimated: bool
    """Whether the endpoint did not say how many tokens it was."""


class Endpoint:
    """A connection to an endpoint; all its methods belong to one event loop."""

    def __init__(self, url: str, model: str, key: Secret | None, settings: LlmSettings) -> None:
        """Prepare a connection; nothing is sent yet."""
        try:
            import httpx  # noqa: PLC0415 - an extra
        except ImportError:
            raise missing_package("httpx", "players of language models", "llm") from None
        self._httpx = httpx
        self._url, self._model, self._key, self._settings = url, model, key, settings
        self._client: httpx.AsyncClient | None = None
        self.requests = 0

    async def ask(self, messages: list[dict[str, str]], until: float, count: list[int]) -> Answer:
        """Ask the model, until a time of `time.monotonic`; `count[0]` is the number of requests so far.

        Raise `TimeoutError` when the model has not answered in time, `EndpointError` if the endpoint failed.
        """
        failures: list[str] = []
        try:
            async with asyncio.timeout(max(0.0, until - time.monotonic())):
                return await self._ask(messages, count, failures)
        except TimeoutError:
            if failures:
                raise EndpointError(failures[-1]) from None
            raise

    async def _ask(self, messages: list[dict[str, str]], count: list[int], failures: list[str]) -> Answer:
        """Ask until there is an answer; failures that may pass are added to a list while it waits."""
        wanted = 0.0  # seconds for which the endpoint asks to be left alone
        for turn in range(self._settings.retries + 1):
            if turn:
                pause = min(_FIRST_PAUSE * 2 ** (turn - 1), _LONGEST_PAUSE)
                await asyncio.sleep(max(pause * random.uniform(0.5, 1.0), wanted))  # noqa: S311
            count[0] += 1
            kept, failures[:], wanted = failures[-1:], [], 0.0
            try:
                status, headers, body = await self._post(messages)
            except self._httpx.HTTPError as error:
                failures.append(self._failed(f"{type(error).__name__}: {error}"))
                continue
            except ValueError as error:  # too long
                raise EndpointError(self._clean(str(error))) from None
            except asyncio.CancelledError:
                failures += kept  # it failed before, and now the time is up
                raise
            if status == 200:
                return self._read(headers.get("content-type", ""), body, messages)
            shown = " ".join(body.decode("utf-8", "replace").split())
            failures.append(self._failed(f"status {status}: {shown}"))
            if status not in _PASSING:
                break
            wanted = _seconds(headers.get("retry-after"))
        raise EndpointError(failures[-1])

    def _failed(self, why: str) -> str:
        return self._clean(f"the endpoint failed: {why}")[:_SHOWN]

    async def _post(self, messages: list[dict[str, str]]) -> tuple[int, Any, bytes]:
        """Send a request; return the status, the headers and the body of the response."""
        request: dict[str, Any] = {
            "model": self._model,
            "messages": messages,
            "max_tokens": self._settings.answer_tokens,
        }
        if self._settings.temperature is not None:
            request["temperature"] = self._settings.temperature
        if self._client is None:
            headers = {} if self._key is None else {"Authorization": self._key.header()}
            # The caller bounds the time of a decision as a whole.
            self._client = self._httpx.AsyncClient(headers=headers, timeout=None, follow_redirects=False)
        body = bytearray()
        url = f"{self._url}/chat/completions"
        async with self._client.stream("POST", url, json=request) as response:
            async for part in response.aiter_bytes():
                body += part
                if len(body) > _MOST_BYTES:
                    raise ValueError(f"the endpoint sent more than {_MOST_BYTES} bytes")
        return response.status_code, response.headers, bytes(body)

    def _read(self, kind: str, body: bytes, messages: list[dict[str, str]]) -> Answer:
        """Read a completion; what is not one is an error."""
        try:
            text, usage = _streamed(body) if "event-stream" in kind else _completion(json.loads(body))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            shown = ascii(body[:_SHOWN].decode("utf-8", "replace"))
            raise EndpointError(
                self._clean(f"the endpoint sent {shown}, which is not a completion")
            ) from None
        sent, received = (_count(usage, name) for name in ("prompt_tokens", "completion_tokens"))
        estimated = sent is None or received is None
        if sent is None:
            sent = sum(len(message["content"]) for message in messages) // _CHARACTERS_OF_A_TOKEN
        if received is None:
            received = len(text) // _CHARACTERS_OF_A_TOKEN
        return Answer(self._clean(text), sent, received, estimated)

    def _clean(self, text: str) -> str:
        return text if self._key is None else self._key.scrub(text)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()


def _completion(found: Any) -> tuple[str, Any]:
    """Return the text and the usage of a completion; a refusal is a text."""
    message = found["choices"][0]["message"]
    text = message.get("content")
    if isinstance(text, list):  # in parts
        text = "".join(part.get("text", "") for part in text)
    if text is None:
        text = message.get("refusal") or ""
    if not isinstance(text, str):
        raise TypeError("the content is not a text")
    return text, found.get("usage")


def _streamed(body: bytes) -> tuple[str, Any]:
    """Return the text and the usage of a completion that came in events although nobody asked for them."""
    parts, usage, events = [], None, 0
    for line in body.decode().splitlines():
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        if not data or data == "[DONE]":
            continue
        found = json.loads(data)
        events += 1
        usage = found.get("usage") or usage
        for choice in found.get("choices", ())[:1]:
            delta = choice["delta"]
            parts.append(delta.get("content") or delta.get("refusal") or "")
    if not events:
        raise ValueError("no events")
    return "".join(parts), usage


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    legal = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40
    return value if legal else None


def _seconds(text: str | None) -> float:
    """Return how long an endpoint asks to wait; 0 where it does not say it in seconds."""
    try:
        found = float(text or 0.0)
    except ValueError:
        return 0.0
    return min(found, 3600.0) if found > 0 else 0.0
