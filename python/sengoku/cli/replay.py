"""The `replay` commands: recorded matches."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sengoku.cli.commands import App
from sengoku.cli.options import Json, argument, option, written
from sengoku.cli.output import out, print_json, print_result, writing
from sengoku.errors import DecodeError

if TYPE_CHECKING:
    from sengoku.engine import Match

app = App(name="replay", help="Show and verify recorded matches.")

Replay = Annotated[Path, argument("A file that `Match.replay` wrote.", "FILE")]


def _read_replay(file: Path) -> "tuple[Match, bool]":
    """Return the match of a file, and whether the file has a digest: without one it may be truncated."""
    from sengoku.engine import Match

    with writing("FILE", file):
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise DecodeError(f"{file} is not UTF-8 text: {error.reason}", {"value": str(file)}) from error
    return Match.from_replay(text), any(line.startswith("digest ") for line in text.splitlines())


@app.command("show")
def replay_show(
    file: Replay,
    svg: Annotated[Path | None, written(option("Also draw the board into this file."), "--svg")] = None,
    seat: Annotated[int | None, option("Draw only what this seat may see.")] = None,
    as_json: Json = False,
) -> None:
    """Play a replay and show what happened and the final position."""
    from sengoku.engine.words import name_text

    match, _ = _read_replay(file)
    outcome = match.outcome
    sketch = match.sketch(seat)
    if svg is not None:
        picture = match.picture(seat)
        with writing("--svg", svg):
            picture.save(svg)
    if as_json:
        result = None if outcome is None else asdict(outcome)
        print_json({**_about(match), "outcome": result, "log": match.log, "state": match.state()})
        return
    # Print the replay rather than the file, so that every decision is described even if the file has numbers.
    print(match.replay(), end="")
    if sketch:
        out().print(sketch, crop=False, no_wrap=True, overflow="ignore")
    if outcome is None:
        print(f"seat {match.to_act} is to act")
    else:
        ranks, scores = (", ".join(map(str, numbers)) for numbers in (outcome.ranks, outcome.scores))
        end = name_text(outcome.reason)
        print(f"over in round {outcome.rounds} by {end}; ranks: {ranks}; scores: {scores}")


@app.command("verify")
def replay_verify(file: Replay, as_json: Json = False) -> None:
    """Check every line of a replay against the rules."""
    match, has_digest = _read_replay(file)
    cut = "" if has_digest else "; the file has no digest and may be truncated"
    text = f"{match.game}: {match.decisions} decisions are legal, digest {match.digest:016x}{cut}"
    print_result(text, {**_about(match), "has_digest": has_digest}, as_json)


def _about(match: "Match") -> dict[str, Any]:
    names = ("game", "seats", "seed", "match_index", "setup", "decisions", "over")
    return {**{name: getattr(match, name) for name in names}, "digest": f"{match.digest:016x}"}
