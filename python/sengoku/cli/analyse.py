"""The `analyse` command: what a recorded match was decided by."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sengoku.cli.commands import App
from sengoku.cli.options import Json, Seed, Threads, option, written
from sengoku.cli.output import print_json, progress, writing
from sengoku.cli.replay import Number, Replay, read_replay
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from sengoku.engine import MatchAnalysis

app = App()

_PARTIAL = "Save the result into this file now and then, and continue what is in it."
_OPEN = "Judge decisions with all hands open instead of what the deciding seat could know."


@app.command("analyse")
def analyse_command(
    file: Replay,
    number: Number = None,
    iterations: Annotated[
        int | None, option("Playouts of a decision; by default a match takes a minute or two on two cores.")
    ] = None,
    seconds: Annotated[
        float | None, option("Choose the playouts so that the analysis takes about as long.")
    ] = None,
    luck: Annotated[
        int | None, option("Pairs of playouts for each draw; 0 leaves luck out. Default: half the playouts.")
    ] = None,
    open_cards: Annotated[bool, option(_OPEN, "--open-cards")] = False,
    seat: Annotated[
        int | None, option("Analyse only the decisions of this seat, with nothing that it may not know.")
    ] = None,
    seed: Seed = 0,
    threshold: Annotated[
        str, option("Least loss of a mistake: a win probability, or slip, mistake or blunder.")
    ] = "mistake",
    svg: Annotated[
        Path | None, written(option("Also draw the win probabilities into this file."), "--svg")
    ] = None,
    partial: Annotated[Path | None, option(_PARTIAL)] = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> None:
    """Analyse a recorded match: win probabilities, mistakes and luck."""
    from sengoku.engine.analysis import check_threshold

    check_threshold(threshold)
    match, _ = read_replay(file, number)
    begun = None if partial is None or not partial.exists() else _read(partial)

    def save(analysis: "MatchAnalysis") -> None:
        if partial is not None:
            with writing("--partial", partial):
                # Written beside it and renamed, so that an interruption leaves what was there.
                beside = partial.with_name(f"{partial.name}.new")
                beside.write_text(analysis.to_json(), "utf-8")
                beside.replace(partial)

    with progress(as_json, "analysing") as bar:
        analysis = match.analyse(
            iterations=iterations,
            seconds=seconds,
            luck=luck,
            cards="open" if open_cards else "seat",
            seat=seat,
            seed=seed,
            threads=threads,
            partial=begun,
            save=save,
            progress=bar,
        )
    if svg is not None:
        with writing("--svg", svg):
            analysis.picture().save(svg)
    if as_json:
        print_json(analysis.to_rows(threshold))
    else:
        print(analysis.to_text(threshold))


def _read(file: Path) -> "MatchAnalysis":
    from sengoku.engine import MatchAnalysis

    with writing("--partial", file):
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError as error:
            message = f"--partial is {str(file)!r}: not UTF-8 text: {error.reason}"
            raise ArgumentError(message, {"field": "--partial", "value": str(file)}) from error
    return MatchAnalysis.from_json(text)
