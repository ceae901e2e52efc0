"""Rewrites the golden files: text that a person can review, and that must not change without a reason.

A change of behaviour bumps the rules version of its game and regenerates these files in the same commit.
"""

import hashlib
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2

from golden.public_names import command_lines, name_lines
from sengoku import Match, _core, build_info, draws, games, run_matches, scenario, spec, tower, v1
from sengoku.battles import EVENTS, Piece, Strike
from sengoku.engine.games import SEARCHING
from sengoku.figures import plot
from sengoku.swords import Battle, Force
from sengoku.v1 import options_pb2

FOLDER = Path(__file__).parent

ARMY = Force(daimyo=1, bow=2, gun=2, sword=2, spear=3)
GARRISON = Force(bow=1, gun=1, spear=3, ronin=2)
BATTLES = (
    Battle(ARMY, ARMY),
    Battle(ARMY, GARRISON, naval=True, fort="castle"),
    Battle(ARMY, [Force(daimyo=1, bow=1, gun=3, ronin=2), GARRISON], fort="fortress", fort_lost=2),
    Battle(GARRISON, GARRISON, defender_losses="hired_first", break_off_below=3),
    Battle(ARMY, Force(bow=1, spear=3, ronin=4, disrupted=True), naval=True, break_off_after=2),
    Battle(
        Force(daimyo=1, bow=4, gun=5, spear=5, ronin=7),
        [Force(daimyo=1, bow=2, sword=2, gun=5, spear=5, ronin=14), Force(bow=1, spear=4, ronin=4)],
        fort="fortress",
        naval=True,
        attacker_losses=("bow", "spear", "ronin", "gun", "sword"),
    ),
)


def draw_lines() -> Iterator[str]:
    """The first thousand draws of a d12 for each purpose, fifty a line, and some elsewhere in the stream."""
    for purpose in ("game", "tower", "bots", "odds"):
        yield f"{purpose}: seed 7, match 0, draws 0 to 999, 12 sides"
        table = draws(purpose, seed=7, count=1000)
        yield from (" ".join(map(str, table[start : start + 50])) for start in range(0, 1000, 50))
    yield "game: seed 2^64 - 1, match 2^40 + 3, draws 4000000000 to 4000000019, 1000 sides"
    far = draws("game", seed=2**64 - 1, match_index=2**40 + 3, first=4_000_000_000, count=20, sides=1000)
    yield " ".join(map(str, far))


def odds_lines() -> Iterator[str]:
    """Exact and sampled odds of some battles, and a digest of all counts."""
    yield f"rules version {build_info()['rules_versions']['swords']}"
    for battle in BATTLES:
        exact, sampled = battle.exact(), battle.sample(1_000_003, seed=42)
        yield repr(battle)
        for odds in (exact, sampled):
            ends = (odds.attacker_wins, odds.defender_wins, odds.both_eliminated, odds.called_off)
            numbers = " ".join(f"{chance:.10f}" for chance in ends)
            yield f"  {odds.method:8} {numbers} rounds {odds.rounds_mean:.9f}"
        assert sampled.counts is not None
        digest = hashlib.sha256(sampled.counts.astype("<u8").tobytes()).hexdigest()
        yield f"  counts   sha256 {digest}"


CLASHES = (
    tower.Clash(("blue", 4), ("yellow", 3)),
    tower.Clash(("blue", 4), ("yellow", 3), tray={"red": 2, "farmer": 3}, farmers_defend=False),
    tower.Clash(
        ("red", 6), ("black", 5), tray={"farmer": 1}, contents={"red": 9, "blue": 8, "black": 9, "farmer": 11}
    ),
    tower.Clash(("purple", 3), neutral=True, players=3),
    tower.Clash(("farmer", 2), ("yellow", 3), revolt=True, players=5),
    tower.Clash(
        ("red", 2),
        ("blue", 2),
        contents={"red": 10, "blue": 10},
        parameters={
            "shelves": [{"capacity": 20, "stick_per_mille": 900, "dislodge": 700, "burst": 2000}] * 3
        },
    ),
)


def tower_lines() -> Iterator[str]:
    """The first halves of the tower's stream, some throws of one tower, and the odds of some clashes."""
    yield f"rules version {build_info()['rules_versions']['tower']}"
    yield f"halves: {' '.join(map(str, draws('tower', seed=7, count=24, halves=True)))}"
    device = tower.CubeTower(seed=7, parameters="ledger")
    for cubes in (tower.fill(4), {"blue": 4, "yellow": 3}, {"red": 1, "farmer": 2}, {"purple": 9, "red": 8}):
        tray = device.throw(cubes)
        yield f"throw {cubes}: tray {tray}, {device.draws} halves drawn"
        for shelf in device.shelves:
            yield f"  {' '.join(shelf)}"
    loaded = tower.CubeTower(seed=7, contents={"red": 12, "blue": 11, "farmer": 10}, parameters="ledger")
    yield f"loaded: {[' '.join(shelf) for shelf in loaded.shelves]}, {loaded.draws} halves drawn"
    throws = tower.simulate_throws(
        {"blue": 4, "yellow": 3, "farmer": 3},
        count=5000,
        contents=loaded.contents,
        seed=7,
        parameters="ledger",
    )
    digest = hashlib.sha256(throws.tray.tobytes() + throws.contents.tobytes()).hexdigest()
    yield f"5000 throws: sha256 {digest}"
    for clash in CLASHES:
        odds = clash.sample(20_003, seed=42)
        yield repr(clash)
        yield f"  {odds.attacker_wins:.10f} {odds.defender_wins:.10f} {odds.none:.10f}"
        yield f"  counts sha256 {hashlib.sha256(odds.counts.astype('<u8').tobytes()).hexdigest()}"


STRIKES = (
    Strike("SSp", "ASp", terrain="forest", leader="LM"),
    Strike("AA", Piece("SSpC", 2, leader="LM"), ranged=True, attacker_cards=["volley_by_ranks"], pool=0),
    Strike(
        [Piece("LI", inspire=True, adjacent_leader=True), Piece("LI", 1)],
        Piece("BG", 3),
        against=1,
        attacker_honor=1,
        defender_cards=["ambush"],
        dice_bonus=1,
    ),
    Strike("SSp", Piece("LF", leader_fate="seppuku", terrain="hill"), defender_honor=0),
    Strike("SB", Piece("LI", ignore_flags="none", room=0, support=True), battle_back=False),
)


def strike_lines() -> Iterator[str]:
    """Exact and sampled odds of some strikes, and a digest of all counts."""
    yield f"rules version {build_info()['rules_versions']['battles']}"
    for strike in STRIKES:
        exact, sampled = strike.exact(), strike.sample(20_003, seed=42)
        yield repr(strike)
        for odds in (exact, sampled):
            yield f"  {odds.method:8} {' '.join(f'{getattr(odds, name):.10f}' for name in EVENTS)}"
        assert sampled.roll_counts is not None
        assert sampled.outcome_counts is not None
        tables = (sampled.roll_counts, sampled.outcome_rows, sampled.outcome_counts)
        digest = hashlib.sha256(b"".join(table.astype("<i8").tobytes() for table in tables)).hexdigest()
        yield f"  {len(sampled.outcome_rows)} outcomes, counts sha256 {digest}"


def sequence_lines() -> Iterator[str]:
    """Numbers of legal sequences from many points of random matches; builds that agree play the same game."""
    for game in games():
        yield f"{game.name}, rules version {game.rules_version}"
        for seats in range(game.seats[0], game.seats[1] + 1):
            match = Match.create(game.name, seats=seats, seed=7, setup={"max_rounds": 30})
            choice = draws("bots", seed=7, match_index=seats, count=4000, sides=2**20)
            for decision, draw in enumerate(choice):
                if match.over:
                    break
                if decision % 97 == 0:
                    counts = ",".join(str(match.count_sequences(length)) for length in range(1, 4))
                    yield f"{seats} seats, decision {decision:4}: {counts} {match.digest:016x}"
                legal = match.legal_actions()
                match.play(legal[int(draw) % len(legal)])
            yield f"{seats} seats, at the end: {match.outcome}"


def report_lines() -> Iterator[str]:
    """The results of bots in the first matches of a seed, row by row."""
    for game in games():
        for bots in ([name] for name in game.bots):
            # A search costs its budget at every decision: few matches, and few rounds of them.
            request: dict[str, Any] = {"bots": bots, "match_count": 12}
            if bots == [SEARCHING]:
                request = {
                    "bots": ["mcts:iterations=20", "greedy"],
                    "match_count": 2,
                    "setup": {"max_rounds": 3},
                }
            report = run_matches(game.name, seats=game.seats[1], seed=42, **request)
            yield f"{game.name}, rules version {game.rules_version}, {game.seats[1]} seats, {bots[0]}"
            yield from (report.to_csv() or "").splitlines()


BOARDS: dict[str, tuple[int, dict[str, Any], int, int | None]] = {
    "swords": (4, {}, 760, None),
    "tower": (4, {"court": True}, 352, None),
    "battles": (2, {"scenario": 8}, 1332, 0),
}
"""Seats, setup, decisions and observing seat of each board."""


def board_lines(game: str) -> Iterator[str]:
    """A board of the README: a match of random decisions, some rounds in."""
    seats, setup, decisions, seat = BOARDS[game]
    match = Match.create(game, seats=seats, seed=7, setup=setup)
    for draw in draws("bots", seed=11, count=decisions, sides=2**20):
        legal = match.legal_actions()
        match.play(legal[int(draw) % len(legal)])
    yield from match.picture(seat).splitlines()


STORIES: dict[str, tuple[int, dict[str, Any], bool]] = {
    "swords": (3, {"max_rounds": 2}, False),
    "tower": (3, {"max_rounds": 2}, False),
    "battles": (2, {"scenario": 8}, False),
    "battles_long": (2, {"scenario": 8, "max_rounds": 2}, True),
}
"""Seats and setup of a match whose story is told, and whether at length."""


def story_lines(name: str) -> Iterator[str]:
    """The story of a match of the bot `greedy`."""
    seats, setup, long = STORIES[name]
    match = Match.create(name.partition("_")[0], seats=seats, seed=7, setup=setup)
    for seat in range(seats):
        match._core.seat_bot(seat, "greedy")
    _core.play_bots([match._core])
    yield from str(match.story(long=long)).splitlines()


def scenario_lines(name: str) -> Iterator[str]:
    """A scenario of the README as it is deployed."""
    yield from scenario(name).picture.splitlines()


def proto_lines() -> Iterator[str]:
    """Names, numbers and types of the protos: lines are added, none is changed without a new version."""
    for module in pkgutil.iter_modules(v1.__path__):
        if not module.name.endswith("_pb2"):
            continue
        file = descriptor_pb2.FileDescriptorProto()
        importlib.import_module(f"sengoku.v1.{module.name}").DESCRIPTOR.CopyToProto(file)
        yield file.name
        for enum in file.enum_type:
            yield f"  enum {enum.name}"
            yield from (f"    {value.number:3} {value.name}" for value in enum.value)
        for message in file.message_type:
            for part in (message, *message.nested_type):  # the entries of maps
                yield f"  message {message.name}{'' if part is message else f'.{part.name}'}"
                yield from (f"    {field.number:3} {field_text(part, field)}" for field in part.field)
        for service in file.service:
            for method in service.method:
                requests, responses = (
                    "stream " * many for many in (method.client_streaming, method.server_streaming)
                )
                types = f"{requests}{short(method.input_type)} -> {responses}{short(method.output_type)}"
                yield f"  rpc {service.name}.{method.name}: {types}"
                yield f"      {options_text(method.options)}"
        for field in file.extension:
            yield f"  extend {short(field.extendee)}"
            yield f"    {field.number:3} {field_text(descriptor_pb2.DescriptorProto(), field)}"


def options_text(options: descriptor_pb2.MethodOptions) -> str:
    """The options of a method: its role, and how its calls can be repeated."""
    role = options_pb2.Role.Name(options.Extensions[options_pb2.required_role])
    level = descriptor_pb2.MethodOptions.IdempotencyLevel.Name(options.idempotency_level)
    key = options.Extensions[options_pb2.idempotency_key]
    return f"{role}, {f'idempotent by {key}' if key else level}"


def short(name: str) -> str:
    """The name of a type, as files of the same package write it."""
    return name.removeprefix(".sengoku.v1.").lstrip(".")


def field_text(message: descriptor_pb2.DescriptorProto, field: descriptor_pb2.FieldDescriptorProto) -> str:
    """A field as its proto has it, but for the number."""
    scalar = descriptor_pb2.FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    text = f"{short(field.type_name) or scalar} {field.name}"
    if field.label == field.LABEL_REPEATED:
        return f"repeated {text}"
    if field.proto3_optional:
        return f"optional {text}"
    return (
        f"{text} of {message.oneof_decl[field.oneof_index].name}" if field.HasField("oneof_index") else text
    )


def spec_table(game: str, number: int) -> Iterator[str]:
    """One of the two tables of a specification, as `sengoku spec --markdown` prints them."""
    yield from spec(game).to_markdown().split("\n\n")[number].splitlines()


PAGES: dict[Path, dict[str, Callable[[], Iterator[str]]]] = {
    FOLDER.parents[1] / "rust" / game.name / "README.md": {
        "observation": partial(spec_table, game.name, 0),
        "actions": partial(spec_table, game.name, 1),
    }
    for game in games()
}
"""Pages with tables that are made."""


def fresh(page: Path, text: str) -> str:
    """The text of a page with its tables as they should be."""
    for name, lines in PAGES[page].items():
        begin, end = f"<!-- made by `make goldens`: {name} -->\n", "<!-- end -->"
        before, found, rest = text.partition(begin)
        assert found, f"{page} has no {begin}"
        text = before + begin + "".join(f"{line}\n" for line in lines()) + end + rest.partition(end)[2]
    return text


PICTURE = "swords_odds.svg"
STILL = Path(__file__).parents[2] / "rust/tower-physics/pictures/film.png"
INSIDE = {name: STILL.with_name(f"{name}.png") for name in ("boards", "plates")}
FILES: dict[str, Callable[[], Iterator[str]]] = {
    "draws.txt": draw_lines,
    "protos.txt": proto_lines,
    "public_names.txt": name_lines,
    "commands.txt": command_lines,
    "swords_odds.txt": odds_lines,
    "tower.txt": tower_lines,
    "battles_odds.txt": strike_lines,
    "sequences.txt": sequence_lines,
    "reports.csv": report_lines,
    **{f"{game}_board.svg": partial(board_lines, game) for game in BOARDS},
    **{f"story_{name}.txt": partial(story_lines, name) for name in STORIES},
    "battles_08.svg": partial(scenario_lines, "8"),
    "battles_08.txt": lambda: iter(str(scenario("8").sketch).splitlines()),
}


def draw(file: Path) -> None:
    """Draws the picture of the README."""
    battle = Battle(
        Force(daimyo=1, bow=2, gun=3, sword=2, spear=4),
        [Force(daimyo=1, bow=2, spear=3), Force(bow=1, spear=3)],
        naval=True,
        break_off_below=4,
    )
    plot.odds(battle.exact(), file)


def still(file: Path) -> None:
    """Draws a throw into the rigid tower in the midst of it, for the README of its crate."""
    tower.film({"blue": 4, "yellow": 3}, seed=1).save(file, at=0.25)


def inside(name: str, file: Path) -> None:
    """Draws what lies in a rigid tower at rest after a fill and three throws, for the guide."""
    hands = [tower.fill(4), {"red": 5, "blue": 4}, {"yellow": 6, "purple": 4}]
    device = tower.CubeTower("rigid", seed=5, parameters=name)
    for hand in hands:
        device.throw(hand)
    recorded = tower.Film(**device.record({"blue": 4, "yellow": 3}, frames_per_second=10))
    recorded.save(file)


def content(name: str) -> str:
    """The expected text of a golden file."""
    return "".join(f"{line}\n" for line in FILES[name]())


if __name__ == "__main__":
    from wire.corpus import SCRIPTS, corpus_text

    for name in FILES:
        (FOLDER / name).write_text(content(name), "utf-8")
    for name in SCRIPTS:
        (FOLDER / "wire" / f"{name}.txt").write_text(corpus_text(name), "utf-8")
    for page in PAGES:
        page.write_text(fresh(page, page.read_text("utf-8")), "utf-8")
    draw(FOLDER / PICTURE)
    still(STILL)
    for name, file in INSIDE.items():
        inside(name, file)
