"""Compression of messages: gzip, bounded, so that a small request cannot become a large one."""

from __future__ import annotations

import zlib

from sengoku.errors import ArgumentError, DecodeError, SengokuError
from sengoku.server.limits import Limits

__all__ = ["COMPRESSED_BYTES", "compress", "decompress"]

COMPRESSED_BYTES = 1 << 11
"""Responses of this length and more are compressed for callers that accept it."""
_GZIP = 16 + zlib.MAX_WBITS


def compress(data: bytes) -> bytes:
    """Compress with gzip, fast rather than well."""
    packer = zlib.compressobj(level=1, wbits=_GZIP)
    return packer.compress(data) + packer.flush()


def decompress(data: bytes, encoding: str, limits: Limits) -> bytes:
    """Return the bytes that were compressed, if they are within the limit of a request.

    >>> decompress(compress(b"daimyo"), "gzip", Limits())
    b'daimyo'
    """
    if encoding in {"", "identity"}:
        return data
    if encoding != "gzip":
        raise unknown_encoding(encoding)
    unpacker = zlib.decompressobj(wbits=_GZIP)
    try:
        text = unpacker.decompress(data, limits.message_bytes + 1)
    except zlib.error as error:
        raise _unreadable(data) from error
    limits.check("message_bytes", len(text))
    if not unpacker.eof or unpacker.unused_data:
        raise _unreadable(data)
    return text


def unknown_encoding(encoding: str) -> SengokuError:
    """Return the error of a compression that this server does not know."""
    shown = ascii(encoding[:60])
    message = f"content-encoding is {shown}, this server knows gzip and identity"
    return ArgumentError(message, {"field": "content-encoding", "value": shown})


def _unreadable(data: bytes) -> DecodeError:
    return DecodeError(f"{len(data)} bytes are not valid gzip", {"bytes": str(len(data))})
