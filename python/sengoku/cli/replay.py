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

Replay = Annotated[Path, argument("A file that `Match.replay` or `sengoku run --replays` wrote.", "FILE")]
Number = Annotated[int | None, option("The match with this number, of a file of `run --replays`.", "--match")]


def read_replay(file: Path, number: int | None) -> "tuple[Match, bool]":
    """Return the match of a file, and whether the file has a digest: without one it may be truncated."""
    from zipfile import is_zipfile

    from sengoku.engine import Match, ReplayFile

    with writing("FILE", file):
        if is_zipfile(file):
            with ReplayFile(file) as replays:
                if number is None and len(replays) != 1:
                    details = {"field": "--match", "value": "none"}
                    message = f"{file} has {len(replays)} matches, choose one of `sengoku replay list`"
                    raise ArgumentError(f"--match is missing: {message}", details)
                return replays.match(replays.index[0]["match_index"] if number is None else number), True
        try:
            text = file.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise DecodeError(f"{file} is not UTF-8 text: {error.reason}", {"value": str(file)}) from error
    if number is not None:
        raise ArgumentError(f"{file} is the replay of one match: leave out --match", {"field": "--match"})
    return Match.from_replay(text), any(line.startswith("digest ") for line in text.splitlines())


@app.command("show")
def replay_show(
    file: Replay,
    number: Number = None,
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

    match, _ = read_replay(file, number)
    said = match.messages(seat)
    if at is not None:
        match = match.rewound(check_integer("--at", at, 0, match.decisions))
        said = [message for message in said if message.decision <= at]
    check_integer("--from", first, 0, match.decisions)
    if last is not None:
        check_integer("--to", last, first, match.decisions)
    if decisions and seat is not None:
        raise ArgumentError(
            "--decisions lists those of all seats: leave out --seat", {"field": "--decisions"}
        )
    told = match.story(seat, max(first - 1, 0), until=last, long=long)
    story = Story(tuple(line for line in told if line.decision >= first))
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


@app.command("verify")
def replay_verify(file: Replay, number: Number = None, as_json: Json = False) -> None:
    """Check every line of a replay against the rules."""
    match, has_digest = read_replay(file, number)
    cut = "" if has_digest else "; the file has no digest and may be truncated"
    text = f"{match.game}: {match.decisions} decisions are legal, digest {match.digest:016x}{cut}"
    print_result(text, {**_about(match), "has_digest": has_digest}, as_json)


@app.command("list")
def replay_list(file: Replay, as_json: Json = False) -> None:
    """List the matches of a file of replays."""
    from sengoku.cli.tables import table
    from sengoku.engine import ReplayFile

    with writing("FILE", file), ReplayFile(file) as replays:
        index = replays.index
    columns = ("match_index", "winner", "reason", "rounds", "decisions", "digest")
    rows = (["-" if row[name] is None else str(row[name]) for name in columns] for row in index)
    print_result(table(columns, rows), index, as_json)


def _about(match: "Match") -> dict[str, Any]:
    names = ("game", "seats", "seed", "match_index", "setup", "decisions", "over")
    return {**{name: getattr(match, name) for name in names}, "digest": f"{match.digest:016x}"}
