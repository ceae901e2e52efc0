"""A small client of the Connect protocol for tests, on httpx and on nothing else of ours."""

import base64
import json
import struct
from collections.abc import Iterator
from typing import Any

import httpx
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from sengoku.server import Server

END = 2


class FailedError(Exception):
    """An error that a server sent."""

    def __init__(self, status: int, error: dict[str, Any], headers: httpx.Headers) -> None:
        super().__init__(error.get("message", ""))
        self.status, self.code, self.headers = status, error["code"], headers
        self.reason, self.details = "", {}
        for detail in error.get("details", ()):
            if detail["type"] == "google.rpc.ErrorInfo":
                padded = detail["value"] + "=" * (-len(detail["value"]) % 4)
                info = error_details_pb2.ErrorInfo.FromString(base64.b64decode(padded))
                self.reason, self.details = info.reason, dict(info.metadata)
                assert detail["debug"] == json_format.MessageToDict(info)


class Caller:
    """Calls the methods of a server."""

    def __init__(self, server: Server, token: str | None = None, **options: Any) -> None:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        assert server.http_address is not None
        self.http = httpx.Client(base_url=server.http_address, headers=headers, timeout=60, **options)

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def post(self, method: str, data: bytes, kind: str, **headers: str) -> httpx.Response:
        """Send a request to a method with one response."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.post(method, content=data, headers={"content-type": f"application/{kind}", **named})

    def call(self, method: str, request: Message, response: type[Message], kind: str = "json") -> Any:
        """Call a method with one response."""
        answer = self.post(method, packed(request, kind), kind)
        if answer.status_code != 200:
            raise FailedError(answer.status_code, answer.json(), answer.headers)
        assert answer.headers["content-type"] == f"application/{kind}"
        return unpacked(answer.content, response, kind)

    def stream(
        self, method: str, request: Message, response: type[Message], kind: str = "json"
    ) -> Iterator[Any]:
        """Yield the responses of a method with several."""
        with self.http.stream(
            "POST",
            method,
            content=frame(packed(request, kind)),
            headers={"content-type": f"application/connect+{kind}"},
        ) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"] == f"application/connect+{kind}"
            for flags, data in frames(answer.iter_bytes()):
                if flags & END:
                    last = json.loads(data)
                    if "error" in last:
                        raise FailedError(200, last["error"], answer.headers)
                    assert "x-request-id" in last["metadata"]
                    return
                yield unpacked(data, response, kind)
        raise AssertionError("the stream has no end")


def packed(message: Message, kind: str) -> bytes:
    return json_format.MessageToJson(message).encode() if kind == "json" else message.SerializeToString()


def unpacked(data: bytes, kind: type[Message], form: str) -> Message:
    return json_format.Parse(data, kind()) if form == "json" else kind.FromString(data)


def frame(data: bytes, flags: int = 0) -> bytes:
    return struct.pack(">BI", flags, len(data)) + data


def frames(parts: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the flags and the messages of a stream."""
    data = b""
    for part in parts:
        data += part
        while len(data) >= 5 and len(data) >= 5 + (size := int.from_bytes(data[1:5], "big")):
            yield data[0], data[5 : 5 + size]
            data = data[5 + size :]
    assert not data, "the stream ends within a message"


def reason_of(caller: Caller, method: str, descriptor: Any, data: bytes = b"") -> str:
    """Call a method with an empty request and return the reason of the failure, or OK."""
    if not descriptor.server_streaming:
        answer = caller.post(method, data, "proto")
        return "OK" if answer.status_code == 200 else FailedError(0, answer.json(), answer.headers).reason
    answer = caller.post(method, frame(data), "connect+proto")
    assert answer.status_code == 200
    *_, (flags, last) = frames(iter([answer.content]))
    assert flags & END
    error = json.loads(last).get("error")
    return "OK" if error is None else FailedError(200, error, answer.headers).reason
