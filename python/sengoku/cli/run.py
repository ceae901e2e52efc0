"""The `run` command: matches between bots."""

from pathlib import Path
from typing import Annotated, Any

from sengoku.cli.commands import App
from sengoku.cli.options import (
    Bots,
    Connecting,
    Fleet,
    Game,
    Json,
    Threads,
    connecting,
    opened_fleet,
    option,
    parse_bots,
    requesting,
    written,
)
from sengoku.cli.output import print_result, progress, writing
from sengoku.errors import ArgumentError

app = App()

_ALL = "Play that many matches in each scenario of the game."
_REPLAYS = "Also write the replay of each match into this file, a zip archive with an index."
_MARKDOWN = "With --all-scenarios: also write the table into this file."


@app.command("run")
@connecting()
@requesting()
def run_command(
    game: Game,
    bots: Bots = "random",
    *,
    request: dict[str, Any],
    threads: Threads = 0,
    as_json: Json = False,
    csv: Annotated[
        Path | None, written(option("Also write one line per match into this file."), "--csv")
    ] = None,
    parquet: Annotated[
        Path | None, written(option("Also write one row per match into this file."), "--parquet")
    ] = None,
    replays: Annotated[Path | None, written(option(_REPLAYS), "--replays")] = None,
    all_scenarios: Annotated[bool, option(_ALL, "--all-scenarios")] = False,
    markdown: Annotated[Path | None, written(option(_MARKDOWN), "--markdown")] = None,
    fleet: Fleet = None,
    at: Connecting,
) -> None:
    """Play matches between bots and show who won.

    With --all-scenarios the table shows who wins in which scenario.
    """
    if fleet is not None and at.server is not None:
        raise ArgumentError("--fleet and --server exclude each other", {"field": "--fleet"})
    if markdown is not None and not all_scenarios:
        raise ArgumentError("--markdown requires --all-scenarios", {"field": "--markdown"})
    options: dict[str, Any] = {}
    if replays is not None:
        for other, given in (
            ("--server", at.server is not None),
            ("--fleet", fleet is not None),
            ("--all-scenarios", all_scenarios),
        ):
            if given:
                raise ArgumentError(f"--replays and {other} exclude each other", {"field": "--replays"})
        options["replays"] = replays
    if parquet is not None:
        from sengoku.engine.report import arrow  # noqa: PLC0415 - it takes time to load

        arrow()  # what is missing is said before the matches are played
    with progress(as_json, "playing") as bar, at.engine() if fleet is None else opened_fleet(fleet) as engine:
        play = engine.run_scenarios if all_scenarios else engine.run_matches
        report = play(game, bots=parse_bots(bots), **request, threads=threads, progress=bar, **options)
    if markdown is not None:
        with writing("--markdown", markdown):
            markdown.write_text(report.to_markdown(), "utf-8")
    if csv is not None:
        with writing("--csv", csv):
            report.to_csv(csv)
    if parquet is not None:
        with writing("--parquet", parquet):
            report.to_parquet(parquet)
    print_result(report, report.summary(), as_json)
