"""The simulated disk, scheduler and clock: they must be able to fail, and to fail the same way twice."""

import sqlite3
from pathlib import Path

import pytest

from sengoku.errors import ArgumentError, StoreUnavailableError
from sengoku.storage.sqlite import Database
from tests.simulation import vfs
from tests.simulation.disk import SECTOR, Crash, Disk, DiskError, File
from tests.simulation.scheduler import Deadlock, Scheduler


def filled(kept: float, *, seed: int = 1, sectors: int = 40) -> bytes:
    """Return what a crash leaves of a file: one synced sector, then many that were not synced."""
    disk = Disk(seed)
    file = disk.open("file", create=True)
    disk.write("file", file, 0, b"s" * SECTOR)
    disk.sync("file", file)
    disk.write("file", file, SECTOR, b"u" * SECTOR * sectors)
    disk.stop()
    disk.restart(Crash(kept))
    return bytes(disk.files["file"].content)


def test_a_crash_keeps_what_was_synced() -> None:
    assert filled(1.0) == b"s" * SECTOR + b"u" * SECTOR * 40
    assert filled(0.0) == b"s" * SECTOR
    some = filled(0.5)
    assert some[:SECTOR] == b"s" * SECTOR
    assert 5 < some.count(b"u" * SECTOR) < 35
    assert filled(0.5) == some
    assert filled(0.5, seed=2) != some


def test_files_and_deletions_that_were_not_synced_may_be_undone() -> None:
    disk = Disk()
    disk.open("new", create=True)
    old = disk.open("old", create=True)
    disk.sync("old", old)
    disk.delete("old", synced=False)
    disk.restart(Crash(0.0))
    assert set(disk.files) == {"old"}


def test_the_disk_stops_at_a_change() -> None:
    disk = Disk()
    file = disk.open("file", create=True)
    disk.stop_at, disk.torn = 2, 0.5
    disk.write("file", file, 0, b"a" * SECTOR)
    with pytest.raises(DiskError):
        disk.write("file", file, SECTOR, b"b" * SECTOR * 4)
    with pytest.raises(DiskError):
        disk.read("file", file, 0, 1)
    disk.restart(Crash(1.0))
    assert bytes(disk.files["file"].content) == b"a" * SECTOR + b"b" * SECTOR * 2


@pytest.fixture
def disk() -> Disk:
    """Mount a disk; where SQLite is closed to that, say so."""
    try:
        vfs.register()
    except vfs.Unavailable as error:
        pytest.skip(str(error))
    made = Disk()
    vfs.mount(made)
    return made


def connect() -> sqlite3.Connection:
    return sqlite3.connect(f"file:/store?vfs={vfs.NAME}", uri=True, isolation_level=None, timeout=0)


def test_sqlite_works_on_the_simulated_disk(disk: Disk) -> None:
    first, second = connect(), connect()
    assert first.execute("PRAGMA journal_mode=WAL").fetchone() == ("wal",)
    first.execute("CREATE TABLE t (a)")
    first.execute("BEGIN IMMEDIATE")
    first.execute("INSERT INTO t VALUES (1)")
    assert second.execute("SELECT count(*) FROM t").fetchone() == (0,)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        second.execute("BEGIN IMMEDIATE")
    first.execute("COMMIT")
    assert second.execute("SELECT count(*) FROM t").fetchone() == (1,)
    assert second.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    first.close()
    second.close()
    assert disk.operations > 10
    assert not vfs.errors()


@pytest.mark.parametrize(
    ("operation", "code", "message"),
    [
        ("write", 13, "full"),
        ("write", 778, "disk I/O error"),
        ("sync", 1034, "disk I/O error"),
        ("read", 266, "disk I/O error"),
        ("lock", 5, "locked"),
    ],
)
def test_faults_reach_sqlite(disk: Disk, operation: str, code: int, message: str) -> None:
    connection = connect()
    connection.execute("CREATE TABLE t (a)")
    disk.fault = lambda kind, _name, _size: code if kind == operation else 0
    connection.execute("PRAGMA cache_size=0")
    with pytest.raises(sqlite3.OperationalError, match=message) as caught:
        connection.execute("INSERT INTO t SELECT * FROM t UNION SELECT 1")
    assert caught.value.sqlite_errorcode == code
    disk.fault = lambda _kind, _name, _size: 0
    connection.execute("INSERT INTO t VALUES (1)")
    connection.close()


def test_flipped_bits_are_there(disk: Disk) -> None:
    disk.files["/some"] = File(bytearray(100), bytes(100))
    place = disk.flip("/some")[0]
    assert disk.files["/some"].content[place]


def test_threads_take_turns_that_the_seed_chooses() -> None:
    def order(seed: int) -> list[str]:
        with Scheduler(seed, preemption=1.0) as scheduler:
            seen: list[str] = []

            def work(name: str) -> None:
                for _ in range(5):
                    seen.append(name)
                    scheduler.pause()

            threads = [scheduler.start(lambda name=name: work(name), name, "p") for name in "abc"]
            for thread in threads:
                scheduler.join(thread)
            return seen

    assert order(1) == order(1)
    assert order(1) != order(2)


def test_virtual_time_passes_at_once_and_a_deadlock_is_found() -> None:
    with Scheduler(1) as scheduler:
        begun = scheduler.now
        scheduler.sleep(1e6)
        assert scheduler.now == begun + 1e6
        with pytest.raises(Deadlock):
            scheduler.block()


def test_what_a_failed_sync_left_is_on_the_disk_before_it_is_reported(disk: Disk, tmp_path: Path) -> None:
    def opened() -> Database:
        return Database(tmp_path / "store", vfs=vfs.NAME)

    def add(database: Database) -> None:
        with database.write() as writer:
            writer.execute("INSERT INTO quarantine VALUES (NULL, 'runs', 1, 'name', 0, 'why', '')")

    def count(database: Database) -> int:
        with database.read() as reader:
            return int(reader.execute("SELECT count(*) FROM quarantine").fetchone()[0])

    opened().close()
    first = opened()
    add(first)  # the journal has its head from here on
    disk.fault = lambda kind, _name, _size: sqlite3.SQLITE_IOERR_FSYNC if kind == "sync" else 0
    with pytest.raises(StoreUnavailableError):
        add(first)
    first.close()
    with pytest.raises(ArgumentError, match="cannot be used: disk I/O error"):
        opened()
    disk.fault = lambda _kind, _name, _size: 0
    second = opened()
    assert count(second) == 2  # its client was told that it failed, and finds it when it asks again
    disk.stop()
    second.close()
    disk.restart(Crash(0.0))
    third = opened()
    assert count(third) == 2
    third.close()
