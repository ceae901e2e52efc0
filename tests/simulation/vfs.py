"""A VFS of SQLite over a simulated disk, registered through ctypes in the library that Python's sqlite3 uses.

There is one VFS per process, `NAME`; `mount` says which disk it shows. Locks and shared memory are those of
one machine: they are gone when it stops. Only one thread at a time runs, which the scheduler ensures.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import sqlite3
import traceback
from collections import Counter
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int64, c_void_p
from typing import Any

from tests.simulation.disk import Disk, DiskError, File
from tests.simulation.scheduler import Killed

__all__ = ["NAME", "Unavailable", "mount", "register", "seed_sqlite"]

NAME = "sengoku-simulated"
_OK, _IOERR, _BUSY, _NOTFOUND, _SHORT_READ = 0, 10, 5, 12, 522
_NONE, _SHARED, _RESERVED, _PENDING, _EXCLUSIVE = range(5)
_SHM_UNLOCK, _SHM_EXCLUSIVE = 1, 8
_POWERSAFE_OVERWRITE = 0x1000
_OPEN_CREATE, _OPEN_DELETE = 4, 8
_PRNG_SEED = 28
_SHM_LOCKS = 8

_Pointer = c_void_p
_FILE_CALL = [c_int, c_void_p]
_METHODS: list[tuple[str, list[Any]]] = [
    ("xClose", [*_FILE_CALL]),
    ("xRead", [*_FILE_CALL, c_void_p, c_int, c_int64]),
    ("xWrite", [*_FILE_CALL, c_void_p, c_int, c_int64]),
    ("xTruncate", [*_FILE_CALL, c_int64]),
    ("xSync", [*_FILE_CALL, c_int]),
    ("xFileSize", [*_FILE_CALL, POINTER(c_int64)]),
    ("xLock", [*_FILE_CALL, c_int]),
    ("xUnlock", [*_FILE_CALL, c_int]),
    ("xCheckReservedLock", [*_FILE_CALL, POINTER(c_int)]),
    ("xFileControl", [*_FILE_CALL, c_int, c_void_p]),
    ("xSectorSize", [*_FILE_CALL]),
    ("xDeviceCharacteristics", [*_FILE_CALL]),
    ("xShmMap", [*_FILE_CALL, c_int, c_int, c_int, POINTER(c_void_p)]),
    ("xShmLock", [*_FILE_CALL, c_int, c_int, c_int]),
    ("xShmBarrier", [None, c_void_p]),
    ("xShmUnmap", [*_FILE_CALL, c_int]),
]
_VFS_METHODS: list[tuple[str, list[Any]]] = [
    ("xOpen", [c_int, c_void_p, c_char_p, c_void_p, c_int, POINTER(c_int)]),
    ("xDelete", [c_int, c_void_p, c_char_p, c_int]),
    ("xAccess", [c_int, c_void_p, c_char_p, c_int, POINTER(c_int)]),
    ("xFullPathname", [c_int, c_void_p, c_char_p, c_int, c_void_p]),
    ("xDlOpen", [c_void_p, c_void_p, c_char_p]),
    ("xDlError", [None, c_void_p, c_int, c_void_p]),
    ("xDlSym", [c_void_p, c_void_p, c_void_p, c_char_p]),
    ("xDlClose", [None, c_void_p, c_void_p]),
    ("xRandomness", [c_int, c_void_p, c_int, c_void_p]),
    ("xSleep", [c_int, c_void_p, c_int]),
    ("xCurrentTime", [c_int, c_void_p, POINTER(c_double)]),
    ("xGetLastError", [c_int, c_void_p, c_int, c_void_p]),
]


class _IoMethods(Structure):
    _fields_ = [("iVersion", c_int), *((name, CFUNCTYPE(*types)) for name, types in _METHODS)]


class _Vfs(Structure):
    _fields_ = [
        ("iVersion", c_int),
        ("szOsFile", c_int),
        ("mxPathname", c_int),
        ("pNext", c_void_p),
        ("zName", c_char_p),
        ("pAppData", c_void_p),
        *((name, CFUNCTYPE(*types)) for name, types in _VFS_METHODS),
    ]


class Unavailable(Exception):  # noqa: N818 - a fact, not a failure
    """Python's sqlite3 cannot use a VFS that is registered from outside."""


class _Shared:
    """What all connections to a file share: its locks, and the index of its write-ahead log."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}
        """Level of the lock of each handle."""
        self.regions: list[Any] = []
        self.readers: list[Counter[int]] = [Counter() for _ in range(_SHM_LOCKS)]
        self.writer: list[int | None] = [None] * _SHM_LOCKS
        self.mapped: set[int] = set()


class _Handle:
    """An open file."""

    def __init__(self, disk: Disk, name: str, file: File, shared: _Shared, *, temporary: bool) -> None:
        self.disk, self.name, self.file, self.shared = disk, name, file, shared
        self.temporary = temporary
        self.epoch = _mounted.epoch


class _Mounted:
    """The disk that the VFS shows, and what the machine knows of its files."""

    def __init__(self) -> None:
        self.disk = Disk()
        self.epoch = 0
        self.shared: dict[str, _Shared] = {}
        self.sleep: Callable[[float], None] = lambda _seconds: None
        self.pause: Callable[[str], None] = lambda _what: None
        self.errors: list[str] = []


_mounted = _Mounted()
_handles: dict[int, _Handle] = {}
_registered: list[Any] = []


def mount(
    disk: Disk,
    *,
    sleep: Callable[[float], None] = lambda _seconds: None,
    pause: Callable[[str], None] = lambda _what: None,
) -> None:
    """Show a disk, as after the start of a machine: handles that are still open fail from now on.

    `sleep` is called where SQLite waits for a lock, `pause` before a sync.
    """
    _mounted.disk, _mounted.sleep, _mounted.pause = disk, sleep, pause
    _mounted.epoch += 1
    _mounted.shared = {}


def errors() -> list[str]:
    """Return, and forget, the tracebacks of defects of the VFS itself."""
    found, _mounted.errors = _mounted.errors, []
    return found


def seed_sqlite(seed: int) -> None:
    """Seed the random numbers of SQLite, from which it takes the salts of write-ahead logs."""
    _library().sqlite3_test_control(_PRNG_SEED, c_int(seed % (1 << 31) or 1), None)


def _library() -> Any:
    """Return the library that Python's sqlite3 uses."""
    library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
    try:
        library.sqlite3_vfs_register, library.sqlite3_test_control  # noqa: B018 - looks the symbols up
    except AttributeError:
        message = "Python's sqlite3 hides the C interface of SQLite, so no VFS can be registered in it"
        raise Unavailable(message) from None
    return library


def register() -> None:
    """Register the VFS, once; raise Unavailable where Python's sqlite3 cannot use it."""
    if _registered:
        return
    library = _library()
    methods = _IoMethods(iVersion=2, **_callbacks(_METHODS))
    vfs = _Vfs(iVersion=1, szOsFile=16, mxPathname=1024, zName=NAME.encode(), **_callbacks(_VFS_METHODS))
    _registered.extend((methods, vfs))
    if library.sqlite3_vfs_register(ctypes.byref(vfs), 0):
        raise Unavailable("SQLite refused the VFS")
    try:
        sqlite3.connect(f"file:/probe?vfs={NAME}", uri=True).close()
    except sqlite3.Error as error:
        raise Unavailable(f"Python's sqlite3 uses another copy of SQLite: {error}") from None


def _callbacks(methods: list[tuple[str, list[Any]]]) -> dict[str, Any]:
    return {name: CFUNCTYPE(*types)(_guarded(globals()[f"_{name}"])) for name, types in methods}


def _guarded(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Turn exceptions into result codes: none may pass through C."""

    def call(*arguments: Any) -> int | None:
        try:
            return function(*arguments)
        except DiskError as error:
            return error.code
        except Killed:
            return _IOERR
        except BaseException:  # noqa: BLE001
            _mounted.errors.append(traceback.format_exc())
            return _IOERR

    return call


def _handle(pointer: int) -> _Handle:
    """Return an open file, unless its machine has stopped."""
    handle = _handles[pointer]
    if handle.epoch != _mounted.epoch or handle.disk.dead:
        raise DiskError(_IOERR)
    return handle


# The methods of the VFS


def _xOpen(_vfs: int, name: bytes | None, pointer: int, flags: int, out_flags: Any) -> int:  # noqa: N802
    c_void_p.from_address(pointer).value = None
    temporary = name is None or bool(flags & _OPEN_DELETE)
    path = "temporary" if name is None else name.decode()
    if temporary:
        file = File()
    else:
        code = _mounted.disk.fault("open", path, 0)
        if code:
            return code
        file = _mounted.disk.open(path, create=bool(flags & _OPEN_CREATE))
    shared = _Shared() if temporary else _mounted.shared.setdefault(path, _Shared())
    _handles[pointer] = _Handle(_mounted.disk, path, file, shared, temporary=temporary)
    c_void_p.from_address(pointer).value = ctypes.addressof(_registered[0])
    if out_flags:
        out_flags[0] = flags
    return _OK


def _xDelete(_vfs: int, name: bytes, synced: int) -> int:  # noqa: N802
    _mounted.disk.delete(name.decode(), synced=bool(synced))
    return _OK


def _xAccess(_vfs: int, name: bytes, _flags: int, out: Any) -> int:  # noqa: N802
    if _mounted.disk.dead:
        return _IOERR
    out[0] = name.decode() in _mounted.disk.files
    return _OK


def _xFullPathname(_vfs: int, name: bytes, size: int, out: int) -> int:  # noqa: N802
    ctypes.memmove(out, name + b"\0", min(len(name) + 1, size))
    return _OK


def _xDlOpen(*_arguments: object) -> None: ...  # noqa: N802
def _xDlError(*_arguments: object) -> None: ...  # noqa: N802
def _xDlSym(*_arguments: object) -> None: ...  # noqa: N802
def _xDlClose(*_arguments: object) -> None: ...  # noqa: N802


def _xRandomness(_vfs: int, size: int, out: int) -> int:  # noqa: N802
    ctypes.memset(out, 7, size)
    return size


def _xSleep(_vfs: int, microseconds: int) -> int:  # noqa: N802
    _mounted.sleep(microseconds / 1e6)
    return microseconds


def _xCurrentTime(_vfs: int, out: Any) -> int:  # noqa: N802
    out[0] = 2_461_000.0
    return _OK


def _xGetLastError(*_arguments: object) -> int:  # noqa: N802
    return 0


# The methods of open files


def _xClose(pointer: int) -> int:  # noqa: N802
    handle = _handles.pop(pointer)
    handle.shared.levels.pop(pointer, None)
    return _OK


def _xRead(pointer: int, out: int, size: int, place: int) -> int:  # noqa: N802
    handle = _handle(pointer)
    data = handle.disk.read(handle.name, handle.file, place, size)
    if len(data) == size:
        ctypes.memmove(out, data, size)
        return _OK
    ctypes.memset(out, 0, size)
    ctypes.memmove(out, data, len(data))
    return _SHORT_READ


def _xWrite(pointer: int, data: int, size: int, place: int) -> int:  # noqa: N802
    handle = _handle(pointer)
    written = ctypes.string_at(data, size)
    if handle.temporary:
        handle.file.apply((place, written))
    else:
        handle.disk.write(handle.name, handle.file, place, written)
    return _OK


def _xTruncate(pointer: int, size: int) -> int:  # noqa: N802
    handle = _handle(pointer)
    if handle.temporary:
        handle.file.apply((size, None))
    else:
        handle.disk.truncate(handle.name, handle.file, size)
    return _OK


def _xSync(pointer: int, _flags: int) -> int:  # noqa: N802
    handle = _handle(pointer)
    if not handle.temporary:
        _mounted.pause("sync")
        handle = _handle(pointer)  # the machine may have stopped in the meantime
        handle.disk.sync(handle.name, handle.file)
    return _OK


def _xFileSize(pointer: int, out: Any) -> int:  # noqa: N802
    out[0] = len(_handle(pointer).file.content)
    return _OK


def _xLock(pointer: int, level: int) -> int:  # noqa: N802
    handle = _handle(pointer)
    levels = handle.shared.levels
    if levels.get(pointer, _NONE) >= level:
        return _OK
    code = handle.disk.fault("lock", handle.name, 0)
    if code:
        return code
    others = [held for other, held in levels.items() if other != pointer]
    blocked = {
        _SHARED: any(held >= _PENDING for held in others),
        _RESERVED: any(held >= _RESERVED for held in others),
        _EXCLUSIVE: any(held >= _SHARED for held in others),
    }[level]
    if blocked:
        return _BUSY
    levels[pointer] = level
    return _OK


def _xUnlock(pointer: int, level: int) -> int:  # noqa: N802
    _handles[pointer].shared.levels[pointer] = level
    return _OK


def _xCheckReservedLock(pointer: int, out: Any) -> int:  # noqa: N802
    out[0] = any(held >= _RESERVED for held in _handle(pointer).shared.levels.values())
    return _OK


def _xFileControl(_pointer: int, _operation: int, _argument: int) -> int:  # noqa: N802
    return _NOTFOUND


def _xSectorSize(_pointer: int) -> int:  # noqa: N802
    return 4096


def _xDeviceCharacteristics(_pointer: int) -> int:  # noqa: N802
    return _POWERSAFE_OVERWRITE


def _xShmMap(pointer: int, region: int, size: int, extend: int, out: Any) -> int:  # noqa: N802
    shared = _handle(pointer).shared
    shared.mapped.add(pointer)
    while len(shared.regions) <= region:
        if not extend:
            out[0] = None
            return _OK
        shared.regions.append(ctypes.create_string_buffer(size))
    out[0] = ctypes.addressof(shared.regions[region])
    return _OK


def _xShmLock(pointer: int, offset: int, count: int, flags: int) -> int:  # noqa: N802
    slots = range(offset, offset + count)
    if flags & _SHM_UNLOCK:
        shared = _handles[pointer].shared
        for slot in slots:
            if flags & _SHM_EXCLUSIVE:
                shared.writer[slot] = None
            else:
                shared.readers[slot][pointer] -= 1
        return _OK
    handle = _handle(pointer)
    shared = handle.shared
    code = handle.disk.fault("shm-lock", handle.name, 0) if flags & _SHM_EXCLUSIVE and offset == 0 else 0
    if code:
        return code
    for slot in slots:
        if shared.writer[slot] not in {None, pointer}:
            return _BUSY
        readers = shared.readers[slot]
        if flags & _SHM_EXCLUSIVE and any(held for other, held in readers.items() if other != pointer):
            return _BUSY
    for slot in slots:
        if flags & _SHM_EXCLUSIVE:
            shared.writer[slot] = pointer
        else:
            shared.readers[slot][pointer] += 1
    return _OK


def _xShmBarrier(_pointer: int) -> None:  # noqa: N802
    return None


def _xShmUnmap(pointer: int, _delete: int) -> int:  # noqa: N802
    shared = _handles[pointer].shared
    shared.mapped.discard(pointer)
    if not shared.mapped:
        shared.regions.clear()
        shared.readers = [Counter() for _ in range(_SHM_LOCKS)]
        shared.writer = [None] * _SHM_LOCKS
    return _OK
