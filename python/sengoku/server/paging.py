"""Pages of lists: sizes, tokens, and filling a page up to a number of items and of bytes."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sengoku.errors import ArgumentError, invalid

__all__ = ["Page", "page_size", "read_id", "read_token", "token_error", "write_token"]

_USUAL_SIZE, _LARGEST_SIZE = 100, 1_000
PAGE_BYTES = 1 << 20
"""Approximate size of one page; gRPC accepts four times as much by default."""
_READ_AT_ONCE = 100
_ID_DIGITS = 25
"""Digits that are read of an id: more than any has, fewer than Python refuses."""

T = TypeVar("T")
Row = tuple[int, T | None, int]
"""A row that a page is filled from: the id of an item, the item or None to skip it, and its size in bytes."""


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    items: list[T]
    after: int | None
    """The id of the last item if there are more, else None."""

    @classmethod
    def fill(
        cls, read: Callable[[int | None, int], Sequence[Row[T]]], *, before: int | None, most: int
    ) -> Page[T]:
        """Fill a page with at most `most` items whose ids are below `before`, newest first.

        `read(before, count)` returns at most `count` rows with ids below `before`. A page of long items ends
        early but is never empty.
        """
        items: list[T] = []
        last, room = before, PAGE_BYTES
        while True:
            count = min(most - len(items) + 1, _READ_AT_ONCE)
            rows = read(before, count)
            for number, item, size in rows:
                if item is None:
                    continue
                if len(items) == most or room < 0:
                    return cls(items, last)
                items.append(item)
                last, room = number, room - size
            if len(rows) < count:
                return cls(items, None)
            before = rows[-1][0]


def page_size(wanted: int) -> int:
    """Return the size of a page, of the usual size if `wanted` is 0."""
    if wanted < 0:
        raise invalid("page_size", wanted, "it must be 0 or more")
    return min(wanted or _USUAL_SIZE, _LARGEST_SIZE)


def write_token(place: str | int, scope: str) -> str:
    """Encode where a page begins; the token is valid only for the list named by `scope`."""
    data = f"{place}.{zlib.crc32(scope.encode())}"
    return base64.urlsafe_b64encode(data.encode()).decode().rstrip("=")


def read_token(token: str, scope: str) -> str | None:
    """Decode a token of `write_token`; None for the empty token of the first page."""
    if not token:
        return None
    try:
        data = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        place = data.rpartition(b".")[0].decode()
    except (ValueError, binascii.Error):
        raise token_error(token) from None
    if write_token(place, scope) != token:
        raise token_error(token)
    return place


def read_id(token: str, scope: str) -> int | None:
    """Decode a token whose place is an id."""
    place = read_token(token, scope)
    if place is None:
        return None
    if not (place.isascii() and place.isdecimal()):
        raise token_error(token)
    return min(int(place[:_ID_DIGITS]), 1 << 62)


def token_error(token: str) -> ArgumentError:
    """Return the error for a token that does not belong to a list."""
    return invalid("page_token", ascii(token[:100]), "not a next_page_token of this list")
