"""Tournament files: what they may say, and what is wrong with those that say something else."""

import math
from pathlib import Path

import pytest

from sengoku.errors import ArgumentError
from sengoku.tournament import TournamentSpec, parse_spec, read_spec

BASE = """
name = "spring"
bots = [{name = "greedy"}, {name = "random"}, {name = "other", bot = "random"}]
games = [{game = "battles"}]
"""


def test_defaults() -> None:
    spec = parse_spec(BASE)
    assert (spec.format, spec.seed, spec.boards[0].blocks, spec.boards[0].seats) == (
        "round_robin",
        None,
        10,
        2,
    )
    assert [bot.bot for bot in spec.bots] == ["greedy", "random", "random"]
    assert (spec.clock.decision, spec.clock.bank, spec.clock.match) == (10.0, 60.0, math.inf)
    assert spec.place("other") == 2


def test_everything_can_be_said() -> None:
    spec = parse_spec("""
    name = "all of it"
    format = "gauntlet"
    hero = "mine"
    seed = 18446744073709551615
    blocks = 5
    most_matches = 8
    retries = 2
    bots = [
      {name = "greedy"}, {name = "mine", python = "my_module:MyBot"}, {name = "far", player = "far-away"}
    ]
    sprt = {elo0 = -5, elo1 = 15, alpha = 0.01, beta = 0.1}
    clock = {decision = 0.5, bank = 5, match = 60}
    [[games]]
    game = "tower"
    name = "court"
    seats = 4
    setup = {court = true}
    blocks = 7
    [[games]]
    game = "battles"
    scenarios = [8, "12"]
    """)
    assert spec.hero == 1
    assert [(board.name, board.seats, board.group, board.blocks) for board in spec.boards] == [
        ("court", 4, 2, 7), ("battles/8", 2, 2, 5), ("battles/12", 2, 2, 5),
    ]  # fmt: skip
    assert spec.sprt is not None
    assert (spec.sprt.elo0, spec.sprt.beta) == (-5.0, 0.1)
    assert [bot.kind for bot in spec.bots] == ["bot", "python", "player"]
    assert spec.boards[0].setup["court"] is True


def test_all_scenarios() -> None:
    spec = parse_spec(BASE.replace('game = "battles"', 'game = "battles", scenarios = "all"'))
    assert len(spec.boards) == 40
    assert len({board.name for board in spec.boards}) == 40


def test_tables_are_filled_as_far_as_there_are_bots() -> None:
    spec = parse_spec(BASE.replace('game = "battles"', 'game = "swords", seats = 5'))
    assert (spec.boards[0].seats, spec.boards[0].group) == (5, 3)


def test_the_digest_is_of_what_is_said_and_not_of_how() -> None:
    one, other = parse_spec(BASE), parse_spec("# a remark\n" + BASE.replace("10", "10") + "\nblocks = 10\n")
    assert one.digest == other.digest
    assert len(one.digest) == 64
    assert parse_spec(BASE + "\nblocks = 11\n").digest != one.digest
    assert TournamentSpec.from_json(one.to_json()) == one


def test_files_of_ones_own_stand_in_the_record_as_texts(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "rust/swords/data/map.toml").read_text("utf-8")
    (tmp_path / "own.toml").write_text(text, "utf-8")
    game = f'game = "swords", setup = {{map_file = "{tmp_path / "own.toml"}"}}'
    spec = parse_spec(BASE.replace('game = "battles"', game))
    assert spec.boards[0].setup == {"map": text}


WRONG = {
    "name = 3": "name",
    "format = 'duel'": "format",
    "blocks = 0": "blocks",
    "blocks = true": "blocks",
    "blocks = 1.5": "blocks",
    "seed = -1": "seed",
    "hero = 'random'": "hero",
    "colour = 'red'": "colour",
    "retries = 101": "retries",
    "clock = {decision = 0}": "clock.decision",
    "clock = {decision = nan}": "clock.decision",
    "clock = {hours = 1}": "clock.hours",
    "clock = 3": "clock",
    "sprt = {elo0 = 5, elo1 = 5}": "sprt.elo1",
    "sprt = {alpha = 0.7}": "sprt.alpha",
    "format = 'swiss'\nrounds = 0": "rounds",
    "format = 'ladder'\nsprt = {}": "sprt",
    "most_matches = 0": "most_matches",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_is_wrong_is_named(line: str) -> None:
    text = BASE.replace('name = "spring"', "") if line.startswith("name") else BASE
    with pytest.raises(ArgumentError) as told:
        parse_spec(line + "\n" + text)
    assert told.value.details["field"] == WRONG[line]
    assert told.value.details["reason"]


GAMES = {
    "{game = 'chess'}": "games[0].game",
    "{}": "games[0].game",
    "{game = 'battles', seats = 3}": "games[0].seats",
    "{game = 'swords', seats = 4, group = 5}": "games[0].group",
    "{game = 'battles', setup = {scenario = 41}}": "games[0].setup",
    "{game = 'battles', setup = 8}": "games[0].setup",
    "{game = 'battles', scenarios = ['41']}": "games[0].scenarios",
    "{game = 'battles', scenarios = []}": "games[0].scenarios",
    "{game = 'battles', scenarios = [1.5]}": "games[0].scenarios",
    "{game = 'battles', sites = 1}": "games[0].sites",
    "{game = 'battles'}, {game = 'battles'}": "games.name",
    "3": "games",
}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_wrong_with_a_game_is_named(game: str) -> None:
    with pytest.raises(ArgumentError) as told:
        parse_spec(BASE.replace('{game = "battles"}', game))
    assert told.value.details["field"] == GAMES[game]


BOTS = {
    "{name = 'greedy'}": "bots",
    "{name = 'greedy'}, {name = 'greedy'}": "bots[1].name",
    "{name = 'greedy'}, {bot = 'random'}": "bots[1].name",
    "{name = 'greedy'}, {name = 'shogun'}": "bots[1].bot",
    "{name = 'greedy'}, {name = 'x', bot = 'random', python = 'm:B'}": "bots[1].python",
    "{name = 'greedy'}, {name = 'x', colour = 'red'}": "bots[1].colour",
    "{name = 'greedy'}, {name = '\\u0000'}": "bots[1].name",
}


@pytest.mark.parametrize("bots", BOTS)
def test_what_is_wrong_with_a_bot_is_named(bots: str) -> None:
    listed = bots.replace("'\\u0000'", '"\\u0000"')
    text = f'bots = [{listed}]\ngames = [{{game = "battles"}}]'
    with pytest.raises(ArgumentError) as told:
        parse_spec(text)
    assert told.value.details["field"] == BOTS[bots]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="No such file"):
        read_spec(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ArgumentError, match="utf-8"):
        read_spec(tmp_path / "bytes.toml")
    with pytest.raises(ArgumentError, match="not valid TOML"):
        parse_spec("name = ")
