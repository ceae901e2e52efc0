"""Lets a server play a long run, watches it, and fetches the rows: as Parquet where pyarrow is installed."""

import argparse
from importlib.util import find_spec
from pathlib import Path

from sengoku import Client

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--server", default="localhost:50051", help="host:port of the server")
parser.add_argument("--matches", type=int, default=5_000, help="matches to play")
parser.add_argument("--out", type=Path, help="file for the rows: .parquet, .arrow or .csv")
wish = parser.parse_args()

with Client(wish.server, timeout=60) as client:
    # The same request_id gives the same run, however often this is sent; without one every call begins a run.
    run = client.start_run(
        "tower",
        bots=["greedy", "greedy", "random"],
        seats=4,
        match_count=wish.matches,
        seed=7,
        setup={"court": True},
    )
    print("started", run.name)
    for status in run.watch():
        left = "" if status.time_left is None else f", {status.time_left:.0f} s left"
        print(
            f"{status.state}: {status.matches_done} of {status.match_count} matches, "
            f"{status.matches_per_second:.0f} a second{left}"
        )
    summary = run.wait()  # raises the error of a run that failed
    for seat, bot in enumerate(summary.bots):
        rate, error = summary.win_rate[seat], summary.win_rate_error[seat]
        print(f"seat {seat}, {bot}: wins {rate:6.2%} ± {error:.2%} {'#' * round(40 * rate)}")

    # Row by row, as numpy columns: the same as sengoku.run_matches gives in process.
    report = run.report()
    print(f"longest match: {report.rounds.max()} rounds, {report.decisions.max()} decisions")
    if wish.out is not None:
        run.save(wish.out)
        print(f"{wish.out}: {wish.out.stat().st_size} bytes")
        if wish.out.suffix == ".parquet" and find_spec("pyarrow"):
            from pyarrow import parquet

            table = parquet.read_table(wish.out)
            print(f"{table.num_rows} rows of {', '.join(table.column_names)}")
    run.delete()
