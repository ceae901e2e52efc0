"""Adaptive chunk sizes for long work that is stored or reported after every chunk."""

__all__ = ["ChunkSizer"]

_SECONDS = 0.5
"""Target duration of a chunk: what a crash loses, and how often progress is reported."""
_GROWTH = 8
"""How much larger a chunk may be than the previous one: the first ones are too short to measure."""


class ChunkSizer:
    """Adapts the number of items per chunk so that a chunk takes about half a second."""

    def __init__(self, first: int = 1, *, least: int = 1, largest: int = 1 << 14) -> None:
        self.size = first
        self._least, self._largest = least, largest

    def update(self, count: int, seconds: float) -> None:
        """Set the next size after a chunk of `count` items took some seconds."""
        wanted = int(count * _SECONDS / max(seconds, 1e-3))
        self.size = max(self._least, min(wanted, self.size * _GROWTH, self._largest))
