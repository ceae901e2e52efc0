"""Locks of open files: others that ask for the same lock are refused, and the end of the process frees it."""

import os
import sys

__all__ = ["lock_file"]

_BEYOND = 1 << 40
"""Byte that is locked on Windows, where locks keep others from reading: far behind the end of every file."""


def lock_file(file: int, *, wait: bool = False) -> bool:
    """Lock an open file, and return whether that succeeded; with `wait`, wait for whoever has it."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - not on every system

        before = os.lseek(file, 0, os.SEEK_CUR)
        try:
            os.lseek(file, _BEYOND, os.SEEK_SET)
            while True:
                try:
                    # LK_LOCK gives up after ten seconds.
                    msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                except OSError:
                    if not wait:
                        return False
                else:
                    return True
        finally:
            os.lseek(file, before, os.SEEK_SET)
    import fcntl  # noqa: PLC0415 - not on every system

    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True
