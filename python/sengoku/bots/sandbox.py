"""The supervisor of an untrusted program: isolates it, watches it, and kills it with all its children.

The host runs this file as a script in a process of its own (`process.py`), with one argument: `Plan` as JSON.
It uses the standard library only, because its start is part of every start of a bot. What the operating
system offers is used in two levels:

- `namespaces` (Linux): user, mount, process, IPC and network namespaces of its own. The program sees no
  other process and no network, chosen files are hidden, and what it writes is bounded and disappears.
- `limits`: a session of its own and resource limits; on Linux also Landlock, where the kernel has it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import asdict, dataclass

__all__ = ["LEVELS", "Plan"]

LEVELS = ("namespaces", "limits")
"""Levels of isolation, the best first."""

_TICK_SECONDS = {"namespaces": 0.1, "limits": 0.5}
"""How often processes are looked at; without a namespace that means those of the whole machine."""
_SETUP_FAILED = 126
_REPORT = 3
"""The pipe by which the new process says why it could not become the program."""


@dataclass(frozen=True)
class Plan:
    """What is run, and within which bounds."""

    argv: list[str]
    env: dict[str, str]
    level: str
    scratch: str
    """An empty folder: the only place where the program may write."""
    hide: list[str]
    """Files that the program must not read, if the level can hide them."""
    network: bool
    memory_bytes: int
    file_bytes: int
    files: int
    processes: int
    cpus: int
    """Processors that the program may use while it decides."""
    idle_cpu_seconds: int
    """Processor time for the start, and for what the program does between decisions."""
    lifeline: int
    """A pipe that has an end of file when the host wants the program to end, or has ended itself."""
    status: int
    """A pipe for the reason of the end, as one line of JSON."""
    clock: int
    """A file of 8 bytes to which the host writes the seconds that the program has had for decisions."""

    def to_json(self) -> str:
        """Return the argument of the script."""
        return json.dumps(asdict(self))


if sys.platform != "win32":
    import ctypes
    import mmap
    import resource
    import select
    import struct
    import time
    from contextlib import suppress
    from pathlib import Path

    _NEWNS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
    _REC, _PRIVATE, _BIND = 0x4000, 0x40000, 0x1000
    _NOSUID, _NODEV, _NOEXEC = 2, 4, 8
    _SHARED = "/dev/shm"  # noqa: S108 - shared memory; in a namespace the program has its own
    _SUBREAPER, _NO_NEW_PRIVILEGES = 36, 38
    _INSIDE_ROOT = 1000
    """User id that root has inside: programs never see themselves as root, and have no capabilities."""

    def _libc() -> ctypes.CDLL:
        return ctypes.CDLL(None, use_errno=True)

    def _check(result: int, what: str) -> None:
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, f"{what}: {os.strerror(number)}")

    # Namespaces

    def _enter_namespaces(plan: Plan) -> None:
        """Unshare; the next child is the first process of the new process namespace."""
        user, group = os.geteuid(), os.getegid()
        flags = _NEWUSER | _NEWNS | _NEWPID | _NEWIPC | (0 if plan.network else _NEWNET)
        _check(_libc().unshare(flags), "unshare")
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user or _INSIDE_ROOT} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group or _INSIDE_ROOT} {group} 1")

    def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
        encoded = [text.encode() for text in (source, target, kind)]
        _check(_libc().mount(*encoded, ctypes.c_ulong(flags), data.encode()), f"mount {target}")

    def _prepare_mounts(plan: Plan) -> None:
        """Give the process its own view of processes, a bounded folder to write to, and hide files."""
        _mount("none", "/", "", _REC | _PRIVATE)
        _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC)
        _mount("none", plan.scratch, "tmpfs", _NOSUID | _NODEV, f"size={plan.file_bytes},mode=0700")
        if Path(_SHARED).is_dir():
            _mount("none", _SHARED, "tmpfs", _NOSUID | _NODEV, f"size={plan.file_bytes},mode=0700")
        for path in plan.hide:
            _mount("/dev/null", path, "", _BIND)
        with suppress(OSError):  # a bound of the namespace since Linux 6.14; 301 is the least
            Path("/proc/sys/kernel/pid_max").write_text(str(max(301, plan.processes)))

    # Landlock

    _READS = 0b1101  # execute, read files, read folders
    _TO_FILES = 1 << 1 | 1 << 14  # write and truncate
    _DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")

    class _Beneath(ctypes.Structure):
        _pack_ = 1
        _fields_ = (("access", ctypes.c_uint64), ("folder", ctypes.c_int32))

    def _apply_landlock(plan: Plan) -> None:
        """Forbid writing outside the scratch folder, signals to others, and TCP where the kernel can."""
        if sys.platform != "linux":
            return
        libc = _libc()
        version = libc.syscall(444, None, ctypes.c_size_t(0), 1)
        if version < 1:
            return
        rights = {1: 13, 2: 14}.get(version, 15)  # bits of file access that the version knows
        writes = ((1 << rights) - 1) & ~_READS
        network = 0b11 if version >= 4 and not plan.network else 0
        attributes = (ctypes.c_uint64 * 3)(writes, network, 0b11 if version >= 6 else 0)
        size = 8 if version < 4 else 16 if version < 6 else 24
        rules = libc.syscall(444, attributes, ctypes.c_size_t(size), 0)
        _check(rules, "landlock_create_ruleset")
        places = {plan.scratch: writes, **dict.fromkeys(_DEVICES, writes & _TO_FILES)}
        if plan.level == "namespaces":
            places[_SHARED] = writes  # its own
        for path, access in places.items():
            if not Path(path).exists():
                continue
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
            rule = _Beneath(access, folder)
            _check(libc.syscall(445, rules, 1, ctypes.byref(rule), 0), "landlock_add_rule")
            os.close(folder)
        _check(libc.syscall(446, rules, 0), "landlock_restrict_self")
        os.close(rules)

    # The program

    def _run(plan: Plan) -> None:
        """Become the program."""
        os.setsid()
        limits = {
            resource.RLIMIT_AS: plan.memory_bytes,
            resource.RLIMIT_FSIZE: plan.file_bytes,
            resource.RLIMIT_NOFILE: plan.files,
            resource.RLIMIT_CORE: 0,
        }
        if plan.level == "namespaces":
            limits[resource.RLIMIT_NPROC] = plan.processes  # counts inside; elsewhere all of the user's
        for number, most in limits.items():
            _, hard = resource.getrlimit(number)
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(number, (bound, bound))
        if sys.platform == "linux":
            _check(_libc().prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")
        _apply_landlock(plan)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        # What this process ignores would be inherited.
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.closerange(_REPORT + 1, 1 << 16)
        os.execvpe(plan.argv[0], plan.argv, plan.env)  # noqa: S606 - the purpose of this file

    # Watching

    class _Watch:
        """The processes of the program, and what they use."""

        def __init__(self, plan: Plan) -> None:
            self.plan = plan
            self.page = os.sysconf("SC_PAGE_SIZE")
            self.ticks = os.sysconf("SC_CLK_TCK")
            self.clock = mmap.mmap(plan.clock, 8, access=mmap.ACCESS_READ)

        def processes(self) -> dict[int, list[str]]:
            """Return the fields of /proc/PID/stat, from the third one, of all descendants."""
            found: dict[int, list[str]] = {}
            for folder in Path("/proc").iterdir():
                if folder.name.isdecimal():
                    with suppress(OSError):  # it may have ended
                        text = (folder / "stat").read_text("utf-8", "replace")
                        found[int(folder.name)] = text.rpartition(")")[2].split()
            if self.plan.level == "namespaces":
                return {pid: fields for pid, fields in found.items() if pid != 1}
            mine, parents = {os.getpid()}, {pid: int(fields[1]) for pid, fields in found.items()}
            while more := {pid for pid, parent in parents.items() if parent in mine} - mine:
                mine |= more
            return {pid: found[pid] for pid in mine - {os.getpid()}}

        def excess(self) -> str:
            """Return what the program uses too much of, or an empty string."""
            if sys.platform != "linux":
                return ""
            plan, found = self.plan, self.processes()
            if len(found) > plan.processes:
                return f"{len(found)} processes, at most {plan.processes} are allowed"
            used = sum(int(fields[21]) for fields in found.values()) * self.page
            if used > plan.memory_bytes:
                megabytes = f"{used >> 20} MB of memory, at most {plan.memory_bytes >> 20} MB are allowed"
                return f"{len(found)} processes use {megabytes}"
            ended = resource.getrusage(resource.RUSAGE_CHILDREN)
            # Of each process, with that of its children that have ended.
            ticks = sum(int(ticks) for fields in found.values() for ticks in fields[11:15])
            cpu = ended.ru_utime + ended.ru_stime + ticks / self.ticks
            (seconds,) = struct.unpack("d", self.clock[:8])
            most = plan.idle_cpu_seconds + plan.cpus * seconds
            if cpu > most:
                return f"{cpu:.0f} seconds of processor time; {seconds:.0f} of decisions allow {most:.0f}"
            return ""

        def kill(self) -> None:
            """Kill every descendant, again and again until none is left."""
            until = time.monotonic() + 5
            while time.monotonic() < until:
                if self.plan.level == "namespaces":
                    with suppress(OSError):
                        os.kill(-1, signal.SIGKILL)  # everybody in the namespace but this process
                elif sys.platform == "linux":
                    for pid in self.processes():
                        with suppress(OSError):
                            os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    while os.waitpid(-1, os.WNOHANG) != (0, 0):
                        pass
                    time.sleep(0.002)
                    continue
                return

    def _supervise(plan: Plan) -> dict[str, object]:
        """Run the program until it ends or has to; return how it ended."""
        if plan.level == "namespaces":
            _prepare_mounts(plan)
        elif sys.platform == "linux":
            _libc().prctl(_SUBREAPER, 1, 0, 0, 0)  # orphans become children of this process
        watch = _Watch(plan)
        report, child_report = os.pipe()
        program = os.fork()
        if program == 0:
            try:
                os.dup2(child_report, _REPORT, inheritable=False)
                _run(plan)
            except BaseException as error:  # noqa: BLE001 - nothing of this process may go on in the child
                with suppress(OSError):
                    os.write(_REPORT, str(error).encode()[:1000])
                os._exit(_SETUP_FAILED)
        os.close(child_report)
        _detach()
        try:
            return _wait(plan, watch, program, report)
        finally:
            if plan.level == "limits":
                with suppress(OSError):
                    os.killpg(program, signal.SIGKILL)
            watch.kill()

    def _detach() -> None:
        """Let go of the pipes of the program, so that their ends are seen."""
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(null, number)
        os.close(null)

    def _wait(plan: Plan, watch: _Watch, program: int, report: int) -> dict[str, object]:
        poller = select.poll()
        poller.register(plan.lifeline, select.POLLIN | select.POLLHUP)
        wake, waker = os.pipe()
        os.set_blocking(waker, False)
        poller.register(wake, select.POLLIN)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            with suppress(ChildProcessError):
                while (ended := os.waitpid(-1, os.WNOHANG)) != (0, 0):
                    if ended[0] == program:
                        code = os.waitstatus_to_exitcode(ended[1])
                        failed = os.read(report, 1000) if code == _SETUP_FAILED else b""
                        return {"failed": failed.decode("utf-8", "replace")} if failed else {"code": code}
            if excess := watch.excess():
                return {"excess": excess}
            for number, _ in poller.poll(1000 * _TICK_SECONDS[plan.level]):
                if number == plan.lifeline:
                    return {"ended": True}
                with suppress(OSError):
                    os.read(wake, 4096)

    def _main(plan: Plan) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the end is that of the lifeline
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            if plan.level == "namespaces":
                _enter_namespaces(plan)
                first = os.fork()
                if first:
                    _detach()
                    for number in (plan.lifeline, plan.status, plan.clock):
                        os.close(number)
                    os._exit(0 if os.waitpid(first, 0)[1] == 0 else 1)
            end = _supervise(plan)
        except OSError as error:
            end = {"failed": str(error)}
        with suppress(OSError):
            os.write(plan.status, json.dumps(end).encode())
        os._exit(0)


if __name__ == "__main__":
    if sys.platform == "win32":
        raise SystemExit("Windows has no supervisor: the host starts programs itself")
    else:
        _main(Plan(**json.loads(sys.argv[1])))
