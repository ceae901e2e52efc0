"""The states of a run or tournament."""

from enum import IntEnum

__all__ = ["State"]


class State(IntEnum):
    """The state of a run or tournament; the numbers are those of `sengoku.v1.RunState`."""

    QUEUED = 1
    RUNNING = 2
    STALLED = 3
    SUCCEEDED = 4
    FAILED = 5
    CANCELLED = 6
    DELETED = 100
    """Only in the file: invisible to callers while its rows are being removed."""

    @property
    def over(self) -> bool:
        """Whether the state is final."""
        return self >= State.SUCCEEDED
