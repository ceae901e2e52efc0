"""Memory and time of a tournament's HTML report, for each number of bots that is given as an argument."""

import resource
import subprocess
import sys
import time

from tests.tournament.kit import play, spec, stronger


def measure(bots: int) -> None:
    """Print what the report of a round robin with made-up results takes in this process."""
    from sengoku.storage import Store  # noqa: PLC0415
    from sengoku.tournament import FORMATS, Record, Tables  # noqa: PLC0415
    from sengoku.tournament.standings import count_cells  # noqa: PLC0415

    made = spec(bots, blocks=1)
    with Store() as store:
        record = Record.create(store, made)
        results = play(made, stronger([0.01 * bot for bot in range(bots)]))
        record.add((block.bots, match, None) for block, found in results.items() for match in found)
        del results
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        begun = time.perf_counter()
        tables = Tables(record.spec, record.results())
        text = FORMATS["html"](record, tables)
        seconds = time.perf_counter() - begun
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sizes = f"{bots:5} bots {len(tables.matches):7} matches {count_cells(made):8} cells"
    page = f"{len(text) / 2**20:6.1f} MiB of HTML"
    print(f"{sizes} {page}: {before:5.0f} MiB before, {most:5.0f} MiB at most, {seconds:6.1f} s")  # noqa: T201


if __name__ == "__main__":
    if len(sys.argv) == 2:
        measure(int(sys.argv[1]))
    else:
        for bots in sys.argv[1:]:
            subprocess.run([sys.executable, "-m", "tests.bench.report_memory", bots], check=True)
