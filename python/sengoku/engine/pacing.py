"""Adaptive chunking: the size of the next chunk of work follows from the time that earlier chunks took."""

from dataclasses import dataclass


@dataclass
class Pacing:
    """The number of items of the next chunk, so that a chunk takes about `seconds`.

    >>> pacing = Pacing(seconds=0.5, size=16, most=1000)
    >>> pacing.update(16, 0.001)
    >>> pacing.size  # the first chunks are too short to extrapolate from: at most eight times as many
    128
    >>> pacing.update(128, 1.0)
    >>> pacing.size
    64
    """

    seconds: float
    size: int
    """Items of the next chunk."""
    least: int = 1
    most: int = 1 << 62
    growth: int = 8
    """How many times larger than the chunk before a chunk may be."""

    def update(self, count: int, seconds: float) -> None:
        """Adapt the size after a chunk of `count` items that took `seconds`."""
        wanted = int(count * self.seconds / max(seconds, 1e-3))
        self.size = max(self.least, min(wanted, self.size * self.growth, self.most))
