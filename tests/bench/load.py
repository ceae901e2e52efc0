"""Drives a server: small calls, bulk work next to the same in process, both, stopped work, hostile load.

`make load` prints a table and writes build/bench/load.json. Small calls are made by ghz (named by GHZ, in the
PATH, or built into build/tools by the Go toolchain), else, or if GHZ is empty, by an asyncio client of our
own; over HTTP by a client that only copies bytes. All share the cores with the server, so the processor time
that a call costs the server says more about the protocols than the rates do.
"""

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import grpc
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.json_format import MessageToJson
from rich.console import Console

from sengoku import Client, build_info, run_matches
from sengoku._core import cores
from sengoku.cli.measure import REFERENCE_BATTLE, Row
from sengoku.cli.tables import figures
from sengoku.v1 import odds_service_pb2
from sengoku.wire.swords import battle_to_proto

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / "build" / "bench" / "load.json"
GHZ = "github.com/bojand/ghz/cmd/ghz@v0.120.0"
TOOLS = ROOT / "build" / "tools"
METHOD = "sengoku.v1.OddsService/Evaluate"
BULK_SECONDS = 10.0
BULK = {
    "swords": {"bots": ["random"], "seats": 4, "seed": 7},
    "battles": {"bots": ["greedy"], "seed": 7, "setup": {"scenario": 8}},
}
"""Matches that are played in bulk: short ones, and long ones of bots that think."""


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """A server in a process of its own."""
    command = [sys.executable, "-m", "sengoku.cli", "serve", "--port", "0", "--store", ":memory:", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().removeprefix("listening on ").strip()
        finally:
            process.terminate()


@contextmanager
def serving_http() -> Iterator[tuple[str, str, int]]:
    """The same with HTTP: its addresses for HTTP and gRPC, and the number of its process."""
    options = ("--http-port", "0", "--log-level", "warning")
    command = [sys.executable, "-m", "sengoku.cli", "serve", "--port", "0", "--store", ":memory:", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            url, address = (process.stdout.readline().split()[-1] for _ in range(2))
            yield url, address, process.pid
        finally:
            process.terminate()


@dataclass(frozen=True)
class Calls:
    """Latencies of calls."""

    per_second: float
    seconds: list[float]
    """Of calls, in ascending order, or of a hundred that stand for them."""

    def percentile(self, percent: float) -> float:
        """Returns a percentile of the latencies."""
        return self.seconds[min(int(percent / 100 * len(self.seconds)), len(self.seconds) - 1)]


@cache
def ghz() -> str | None:
    """Finds ghz, or lets the Go toolchain build it, where there is one."""
    if (named := os.environ.get("GHZ")) is not None:
        return named or None
    found = shutil.which("ghz") or shutil.which("ghz", path=str(TOOLS))
    if found or shutil.which("go") is None:
        return found
    Console(stderr=True).print(f"building {GHZ} in {TOOLS.relative_to(ROOT)}")
    command, environment = ["go", "install", GHZ], os.environ | {"GOBIN": str(TOOLS)}
    made = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        Console(stderr=True).print(f"it cannot be built, so our own client calls: {made.stderr[-300:]}")
        return None
    return shutil.which("ghz", path=str(TOOLS))


def evaluate(address: str, *, callers: int, seconds: float, rate: float = 0) -> Calls:
    """Requests the odds of the reference battle for some seconds, at a fixed rate if one is given."""
    program = ghz()
    if program is None:
        return by_asyncio(address, callers=callers, seconds=seconds, rate=rate)
    return by_ghz(program, address, callers=callers, seconds=seconds, rate=rate)


def _request() -> odds_service_pb2.EvaluateRequest:
    return odds_service_pb2.EvaluateRequest(swords_battle=battle_to_proto(REFERENCE_BATTLE))


def by_ghz(program: str, address: str, *, callers: int, seconds: float, rate: float = 0) -> Calls:
    """Asks by ghz."""
    # The names of the protos: those of JSON are not among what a descriptor in Python says.
    data = MessageToJson(_request(), preserving_proto_field_name=True, indent=None)
    with tempfile.TemporaryDirectory() as scratch:
        protos = Path(scratch) / "protos.bin"
        protos.write_bytes(_descriptors(odds_service_pb2.DESCRIPTOR).SerializeToString())
        command = [program, "--insecure", "--protoset", str(protos), "--call", METHOD, "--format", "json"]
        command += ["--data", data, "--concurrency", str(callers)]
        command += ["--duration", f"{seconds:g}s", "--duration-stop", "wait"]
        command += ["--rps", f"{rate:g}"] * (rate > 0)
        # Half of the cores are for callers, and none of their time is for a request that is always the same.
        command += ["--cpus", str(max(1, cores() // 2))]
        command += ["--disable-template-functions", "--disable-template-data"]
        done = subprocess.run([*command, address], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"ghz failed: {done.stderr[-500:]}")
    output = json.loads(done.stdout)
    assert set(output["statusCodeDistribution"]) == {"OK"}, output["statusCodeDistribution"]
    took = sorted(detail["latency"] / 1e9 for detail in output["details"])
    return Calls(output["rps"], took)


def by_asyncio(address: str, *, callers: int, seconds: float, rate: float = 0) -> Calls:
    """Asks by a client of our own."""
    return asyncio.run(_evaluate(address, _request().SerializeToString(), callers, seconds, rate))


def _descriptors(file: FileDescriptor) -> descriptor_pb2.FileDescriptorSet:
    """A file and all that it imports, in an order in which they can be read."""
    found: dict[str, FileDescriptor] = {}

    def add(one: FileDescriptor) -> None:
        if one.name not in found:
            for needed in one.dependencies:
                add(needed)
            found[one.name] = one

    add(file)
    known = descriptor_pb2.FileDescriptorSet()
    for one in found.values():
        one.CopyToProto(known.file.add())
    return known


async def _evaluate(address: str, request: bytes, callers: int, seconds: float, rate: float) -> Calls:
    took: list[float] = []
    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.unary_unary(f"/{METHOD}")
        await call(request)
        begun = time.perf_counter()

        async def ask(number: int) -> None:
            while (start := time.perf_counter()) < begun + seconds:
                await call(request)
                took.append(time.perf_counter() - start)
                if rate:
                    await asyncio.sleep(max(0.0, start + callers / rate - time.perf_counter()))

        await asyncio.gather(*(ask(number) for number in range(callers)))
        spent = time.perf_counter() - begun
    return Calls(len(took) / spent, sorted(took))


def unary(address: str, seconds: float) -> list[Row]:
    """Small calls alone."""
    one, many = (evaluate(address, callers=callers, seconds=seconds) for callers in (1, 50))
    return [
        Row("Evaluate, one caller, median", 1e6 * one.percentile(50), "µs"),
        Row("Evaluate, one caller, 99 %", 1e6 * one.percentile(99), "µs"),
        Row("Evaluate, 50 callers", many.per_second, "calls/s"),
        Row("Evaluate, 50 callers, 99 %", 1e6 * many.percentile(99), "µs"),
    ]


def over_http(seconds: float) -> list[Row]:
    """Small calls over gRPC and over HTTP to the same server, by turns."""
    from bench import http_load  # noqa: PLC0415 - among the tests

    request = _request()
    bodies = {
        "protobuf": ("proto", request.SerializeToString()),
        "JSON": ("json", MessageToJson(request, indent=None).encode()),
    }
    rates: dict[str, list[float]] = {}
    costs: dict[str, list[float]] = {}

    def add(name: str, pid: int, call: Callable[[], Calls]) -> None:
        before = processor_seconds(pid)
        calls = call()
        rates.setdefault(name, []).append(calls.per_second)
        costs.setdefault(name, []).append((processor_seconds(pid) - before) / len(calls.seconds))

    with serving_http() as (url, address, pid):
        for _ in range(3):
            how: dict[str, Any] = {"callers": 50, "seconds": seconds / 3}
            add("gRPC", pid, lambda how=how: evaluate(address, **how))
            for name, (kind, body) in bodies.items():
                call = partial(http_load.call, url, f"/{METHOD}", body, kind, **how)
                add(f"HTTP, {name}", pid, lambda call=call: Calls(*call()))
    rows = [Row(f"Evaluate over {name}, 50 callers", max(found), "calls/s") for name, found in rates.items()]
    # The times of processes are those of Linux.
    rows += [
        Row(f"Evaluate over {name}, processor time of the server", 1e6 * min(found), "µs")
        for name, found in costs.items()
        if min(found) > 0
    ]
    return rows


def processor_seconds(pid: int) -> float:
    """Processor time of a process, where the system says it."""
    file = Path(f"/proc/{pid}/stat")
    if not file.exists():
        return 0.0
    fields = file.read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def with_console() -> list[Row]:
    """What people feel of the console, and what spectators cost."""
    from bench import console  # noqa: PLC0415 - among the tests

    with serving_http() as (url, _, pid):
        return console.clicks(url) + console.spectators(url, lambda: processor_seconds(pid))


def bulk(address: str, seconds: float) -> list[Row]:
    """Matches over the wire next to the same in process; by turns, as the machine has its moods."""
    rows = []
    with Client(address) as client:
        for game, arguments in BULK.items():
            play = partial(run_matches, game, **arguments)
            count = 64
            while (took := _seconds(partial(play, match_count=count))) < seconds / 8:
                count *= 4
            count = int(count * seconds / took)
            here, call, run = [], [], []
            for _ in range(3):
                here.append(_seconds(partial(play, match_count=count)))
                call.append(_seconds(partial(client.run_matches, game, **arguments, match_count=count)))
                run.append(_seconds(partial(_run, client, game, arguments, count)))
            rows += [
                Row(f"{game}: {arguments['bots'][0]} matches in process", count / min(here), "matches/s"),
                Row(f"{game}: RunMatches of {min(here):.0f} s, share of that", min(here) / min(call), "x"),
                Row(f"{game}: StartRun of {min(here):.0f} s, share of that", min(here) / min(run), "x"),
            ]
    return rows


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _run(client: Client, game: str, arguments: dict[str, Any], count: int) -> None:
    run = client.start_run(game, **arguments, match_count=count)
    run.wait()
    run.delete()


def mixed(address: str, seconds: float) -> list[Row]:
    """Small calls while a bulk run uses all cores, and what is left to the run."""
    rows = []
    with Client(address) as client:
        run = client.start_run("swords", bots=["greedy"], seats=4, match_count=10_000_000, seed=7)
        while run.metadata().matches_done == 0:
            time.sleep(0.1)
        alone = _progress(run, seconds)
        for callers, rate in ((1, 0), (8, 500)):
            with ThreadPoolExecutor(1) as other:
                asking = other.submit(evaluate, address, callers=callers, seconds=seconds, rate=rate)
                beside = _progress(run, seconds)
                found = asking.result()
            name = f"Evaluate beside a bulk run, {callers} caller{'s' * (callers > 1)}"
            name += f", {rate} calls/s" * bool(rate)
            rows += [
                Row(f"{name}, median", 1e6 * found.percentile(50), "µs"),
                Row(f"{name}, 99 %", 1e6 * found.percentile(99), "µs"),
                Row(f"{name}, calls", found.per_second, "calls/s"),
                Row(f"{name}, rate of the run, share of that alone", beside / alone, "x"),
            ]
        run.cancel()
    return rows


def _progress(run: Any, seconds: float) -> float:
    """Matches per second of a run, over some seconds."""
    first, start = run.metadata().matches_done, time.perf_counter()
    time.sleep(seconds)
    return float((run.metadata().matches_done - first) / (time.perf_counter() - start))


def stopping() -> list[Row]:
    """Measures how long work of every kind continues after its caller has disconnected."""
    from support.stopping import CALLS, large_server, stop_call, stop_run  # noqa: PLC0415 - among the tests

    with large_server() as server:
        stopped = [stop_call(server, name) for name in CALLS for _ in range(5)]
        stopped += [stop_run(server, game) for game in BULK for _ in range(5)]
    took: dict[str, list[float]] = {}
    for one in stopped:
        took.setdefault(one.name, []).append(one.seconds)
    return [
        Row(f"cancelled, then still at work: {name}, median of 5", 1e3 * statistics.median(times), "ms")
        for name, times in took.items()
    ]


def hostile(seconds: float) -> list[Row]:
    """Measures the server under attack."""
    from bench.hostile import measure as under_attack  # noqa: PLC0415 - among the tests

    return under_attack(seconds)


def conditions() -> dict[str, Any]:
    """The environment of the measurement."""
    version = subprocess.run([ghz() or "true", "--version"], capture_output=True, text=True, check=False)
    return {
        "build": build_info(),
        "cores": cores(),
        "load_average": os.getloadavg(),
        "caller": f"ghz {(version.stdout + version.stderr).strip()}" if ghz() else "asyncio",
        "python": sys.version.split()[0],
        "grpcio": grpc.__version__,
    }


def measure(seconds: float) -> list[Row]:
    """Measures everything with servers of its own."""
    with serving("--log-level", "warning") as address:
        rows = unary(address, seconds) + mixed(address, seconds)
    rows += over_http(seconds) + with_console()
    with serving("--log-level", "warning") as address:
        rows += bulk(address, BULK_SECONDS)
    return rows + stopping() + hostile(seconds)


def main() -> None:
    """Measures, prints and writes."""
    about = conditions()
    rows = measure(10.0)
    about["load_average_after"] = os.getloadavg()
    title = f"{about['cores']} cores, load {about['load_average'][0]:.1f} before, called by {about['caller']}"
    Console().print(figures(rows, title))
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(json.dumps(about | {"rows": [row.as_dict() for row in rows]}, indent=2))
    Console().print(f"written to {OUTPUT.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "tests"))
    if sys.argv[1:] == ["hostile"]:
        Console().print(figures(hostile(10.0), "hostile load"))
    elif sys.argv[1:] == ["console"]:
        Console().print(figures(with_console(), "console"))
    else:
        main()
