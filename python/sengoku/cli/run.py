"""The `run` command: matches between bots."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sengoku.cli.options import (
    Bots,
    Connecting,
    FirstMatch,
    Game,
    Json,
    Matches,
    Seats,
    Seed,
    SetupParts,
    Threads,
    connecting,
    out,
    parse_bots,
    parse_setup,
    print_json,
    progress,
    writing,
)
from sengoku.cli.registry import App
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from sengoku.engine import MatchReport

app = App()


@app.command("run")
@connecting()
def run_command(
    game: Game,
    bots: Bots = "random",
    seats: Seats = None,
    matches: Matches = 1000,
    first_match: FirstMatch = 0,
    seed: Seed = 0,
    setup: SetupParts = None,
    threads: Threads = 0,
    as_json: Json = False,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", help="Also write one line per match into this file.")
    ] = None,
    parquet_file: Annotated[
        Path | None, typer.Option("--parquet", help="Also write one row per match into this file.")
    ] = None,
    all_scenarios: Annotated[
        bool,
        typer.Option("--all-scenarios", help="Play that many matches in each scenario of the game."),
    ] = False,
    markdown_file: Annotated[
        Path | None,
        typer.Option("--markdown", help="With --all-scenarios: also write the table into this file."),
    ] = None,
    *,
    at: Connecting,
) -> None:
    """Play matches between bots and show who won.

    With --all-scenarios the table shows who wins in which scenario.
    """
    from sengoku.engine import Survey, run_matches, run_scenarios

    if markdown_file is not None and not all_scenarios:
        raise ArgumentError("--markdown requires --all-scenarios", {"field": "--markdown"})
    request: dict[str, Any] = {
        "bots": parse_bots(bots),
        "seats": seats,
        "match_count": matches,
        "first_match": first_match,
        "seed": seed,
        "setup": parse_setup(setup),
        "threads": threads,
    }
    report: MatchReport | Survey
    with progress(as_json, "playing") as bar:
        if at.server is None:
            play = run_scenarios if all_scenarios else run_matches
            report = play(game, **request, progress=bar)
        else:
            with at.client() as client:
                play_there = client.run_scenarios if all_scenarios else client.run_matches
                report = play_there(game, **request, progress=bar)
    if markdown_file is not None and isinstance(report, Survey):
        with writing("--markdown", markdown_file):
            markdown_file.write_text(report.to_markdown(), "utf-8")
    if csv_file is not None:
        with writing("--csv", csv_file):
            report.to_csv(csv_file)
    if parquet_file is not None:
        with writing("--parquet", parquet_file):
            report.to_parquet(parquet_file)
    if as_json:
        print_json(report.summary())
    else:
        out().print(report)
