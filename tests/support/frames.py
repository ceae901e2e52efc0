"""HTTP/2 and gRPC by hand, for tests that get it wrong on purpose."""

import socket
import struct
from types import TracebackType

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = (
    range(10)
)
END_STREAM, ACK, END_HEADERS, PADDED = 0x1, 0x1, 0x4, 0x8
EVALUATE = "/sengoku.v1.OddsService/Evaluate"


def frame(
    kind: int, flags: int = 0, stream: int = 0, payload: bytes = b"", length: int | None = None
) -> bytes:
    """A frame; `length` is what it claims to have."""
    claimed = len(payload) if length is None else length
    return claimed.to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def _integer(value: int, bits: int) -> bytes:
    most = (1 << bits) - 1
    if value < most:
        return bytes((value,))
    value -= most
    out = [most]
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes((*out, value))


def header(name: str, value: str) -> bytes:
    """A header as HPACK writes it without a table and without Huffman's code."""
    parts = (text.encode("latin-1") for text in (name, value))
    return b"\x00" + b"".join(_integer(len(part), 7) + part for part in parts)


def head(path: str = EVALUATE, **others: str) -> bytes:
    """The headers of a call; `content_type="..."` replaces or adds one, an empty text leaves it out."""
    plain = {":method": "POST", ":scheme": "http", ":path": path, ":authority": "localhost"}
    plain |= {"content-type": "application/grpc", "te": "trailers"}
    plain |= {name.replace("_", "-"): value for name, value in others.items()}
    return b"".join(header(name, value) for name, value in plain.items() if value)


def call(
    block: bytes, body: bytes | None = None, *, stream: int = 1, end: bool = True, length: int | None = None
) -> bytes:
    """The frames of a call: headers, and a body if there is one."""
    if body is None:
        return frame(HEADERS, END_HEADERS | (END_STREAM if end else 0), stream, block)
    data = frame(DATA, END_STREAM if end else 0, stream, body, length)
    return frame(HEADERS, END_HEADERS, stream, block) + data


def message(content: bytes, *, flag: int = 0, length: int | None = None) -> bytes:
    """A message as gRPC frames it; `length` is what it claims to have."""
    return struct.pack(">BI", flag, len(content) if length is None else length) + content


class Raw:
    """A connection of which every byte is chosen."""

    def __init__(self, address: str, sent: bytes = b"", *, preface: bool = True) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=10)
        if preface:
            sent = PREFACE + frame(SETTINGS) + sent
        self.send(sent)

    def send(self, data: bytes) -> bool:
        """Sends; False if the other side has had enough."""
        try:
            self._socket.sendall(data)
        except OSError:
            return False
        return True

    def answer(self, seconds: float = 0.5) -> bytes:
        """Returns what the server sends until it closes, or until it was silent for some seconds."""
        self._socket.settimeout(seconds)
        found = bytearray()
        try:
            while part := self._socket.recv(1 << 16):
                found += part
        except OSError:
            pass
        return bytes(found)

    def read(self, most: int) -> bytes:
        """Some bytes that come back."""
        return self._socket.recv(most)

    def reset(self) -> None:
        """Ends the connection in the rude way, as the kernel does for a process that was killed."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def close(self) -> None:
        """Ends the connection in the polite way."""
        self._socket.close()

    def __enter__(self) -> "Raw":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


def frames(data: bytes) -> list[tuple[int, int, int, bytes]]:
    """Kind, flags, stream and content of the frames in some bytes."""
    found = []
    while len(data) >= 9:
        length = int.from_bytes(data[:3], "big")
        found.append((data[3], data[4], int.from_bytes(data[5:9], "big"), data[9 : 9 + length]))
        data = data[9 + length :]
    return found
