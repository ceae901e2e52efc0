"""The `replay` commands: recorded matches."""

# ruff: noqa: PLC0415 - help and completion must not load the engine

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sengoku.cli.commands import App
from sengoku.cli.options import Json, argument, option, written
from sengoku.cli.output import out, print_json, print_result, writing
from sengoku.errors import ArgumentError, DecodeError

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
    at: Annotated[int | None, option("Show the match as it stood after this number of decisions.")] = None,
    first: Annotated[int, option("Tell the story from this decision on; 0: with the set-up.", "--from")] = 0,
    last: Annotated[int | None, option("Tell the story up to this decision.", "--to")] = None,
    seat: Annotated[int | None, option("Tell and draw only what this seat may see.")] = None,
    long: Annotated[bool, option("Tell the long story: dice, cards drawn and the like, too.")] = False,
    decisions: Annotated[bool, option("List the decisions instead of telling the story.")] = False,
    messages: Annotated[bool, option("List the messages of seats to one another instead.")] = False,
    svg: Annotated[Path | None, written(option("Also draw the board into this file."), "--svg")] = None,
    as_json: Json = False,
) -> None:
    """Play a replay, tell what happened and show the position."""
    from sengoku.engine import Story
    from sengoku.engine.checks import check_integer
    from sengoku.engine.words import name_text

    match, _ = _read_replay(file)
    if at is not None:
        match = _cut(match, check_integer("--at", at, 0, match.decisions))
    check_integer("--from", first, 0, match.decisions)
    if last is not None:
        check_integer("--to", last, first, match.decisions)
    if decisions and seat is not None:
        raise ArgumentError(
            "--decisions lists those of all seats: leave out --seat", {"field": "--decisions"}
        )
    told = match.story(seat, max(first - 1, 0), until=last, long=long)
    story = Story(tuple(line for line in told if line.decision >= first))
    said = match.messages(seat)
    outcome = match.outcome
    if svg is not None:
        picture = match.picture(seat)
        with writing("--svg", svg):
            picture.save(svg)
    if as_json:
        result = None if outcome is None else asdict(outcome)
        state = match.state() if seat is None else match.view(seat)
        rest = {"outcome": result, "log": match.log, "story": story.to_rows(), "state": state}
        rest["messages"] = [message.to_row() for message in said]
        print_json({**_about(match), **rest})
        return
    if messages:
        for message in said:
            print(message)
        return
    # Print the replay rather than the file, so that every decision is described even if the file has numbers.
    print(match.replay() if decisions else f"{story}\n", end="")
    out().print(match.sketch(seat), crop=False, no_wrap=True, overflow="ignore")
    if outcome is None:
        print(f"seat {match.to_act} is to act")
    else:
        ranks, scores = (", ".join(map(str, numbers)) for numbers in (outcome.ranks, outcome.scores))
        end = name_text(outcome.reason)
        print(f"over in round {outcome.rounds} by {end}; ranks: {ranks}; scores: {scores}")


def _cut(match: "Match", decisions: int) -> "Match":
    """Return the match as it stood after a number of decisions."""
    lines = [line for line in match.replay().splitlines() if not line.startswith("digest ")]
    next_one = next((at for at, line in enumerate(lines) if line.startswith(f"{decisions + 1} ")), len(lines))
    return type(match).from_replay("\n".join(lines[:next_one]))


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
