"""A tournament as a file describes it: bots, games, format, clock. Nothing else decides what is played.

>>> spec = parse_spec('''
... name = "spring"
... bots = [{name = "greedy"}, {name = "random"}]
... games = [{game = "battles", scenarios = ["1", "8"], blocks = 5}]
... ''')
>>> spec.format, [board.name for board in spec.boards], spec.boards[0].seats
('round_robin', ['battles/1', 'battles/8'], 2)
"""

import hashlib
import json
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from sengoku.engine.games import find_game
from sengoku.engine.match import Match
from sengoku.engine.scenarios import scenarios
from sengoku.errors import ArgumentError, SengokuError
from sengoku.tournament.seating import MOST_MATCHES
from sengoku.tournament.sprt import Sprt

__all__ = ["FORMATS", "Board", "Clock", "Entrant", "Spec", "parse_spec", "read_spec"]

FORMATS = {
    "round_robin": "every group of bots meets",
    "gauntlet": "one bot meets all others",
    "swiss": "in each round bots meet that have done equally well so far",
    "knockout": "who loses a meeting is out",
    "ladder": "neighbours in the rating meet, round after round",
}
"""Formats, and what each is in one line."""
_DUELS = ("swiss", "knockout", "ladder")
_MOST_BOTS = 1000
_MOST_BLOCKS = 1_000_000
_MOST_GROUPS = 100_000
_NAME = 60

T = TypeVar("T")


@dataclass(frozen=True)
class Entrant:
    """A bot that takes part: one of ours, a class in Python, or a player that connects to a server."""

    name: str
    bot: str | None = None
    """Name of one of our bots, with its options."""
    python: str | None = None
    """Module and class of a bot in Python, e.g. `my_module:MyBot`."""
    player: str | None = None
    """Name under which a player connects."""

    @property
    def kind(self) -> str:
        """Where the bot comes from."""
        return "bot" if self.bot is not None else "python" if self.python is not None else "player"


@dataclass(frozen=True)
class Board:
    """Something that is played again and again: a game with its setup, and the seed of its matches."""

    name: str
    game: str
    seats: int
    setup: dict[str, Any]
    group: int
    """How many different bots sit at a table."""
    blocks: int
    """How often a group meets here in a round."""
    rules_version: int
    scenario: str | None = None


@dataclass(frozen=True)
class Clock:
    """How much time a bot that is not ours has, in seconds."""

    decision: float = 10.0
    """For each decision, before the bank is touched."""
    bank: float = 60.0
    """For all decisions of a seat in a match, beyond that."""
    match: float | None = None
    """For all decisions of a seat in a match together; None is as much as the others leave."""


@dataclass(frozen=True)
class Spec:
    """All that decides what is played."""

    name: str
    format: str
    bots: tuple[Entrant, ...]
    boards: tuple[Board, ...]
    seed: int | None = None
    """Seed of all chance; drawn, and written into the record, if the file names none."""
    most_matches: int = MOST_MATCHES
    """Most matches of a block."""
    hero: int = 0
    """Place of the bot that meets all others in a gauntlet."""
    rounds: int = 0
    """Rounds of swiss and ladder; a ladder of 0 goes on until it is stopped."""
    best_of: int = 0
    """Blocks of a meeting in a knockout."""
    sprt: Sprt | None = None
    clock: Clock = field(default_factory=Clock)
    retries: int = 0
    """How often a match is played again in which a bot crashed or went away."""
    digest: str = ""
    """SHA-256 of `to_json`, so the same for files that say the same."""

    def to_json(self) -> str:
        """Gives all of it, defaults and texts of files included, as JSON that `Spec.from_json` reads."""
        table = asdict(self)
        del table["digest"]
        return json.dumps(table, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Spec":
        """Reads what `to_json` wrote."""
        table = json.loads(text)
        table["bots"] = tuple(Entrant(**bot) for bot in table["bots"])
        table["boards"] = tuple(Board(**board) for board in table["boards"])
        table["sprt"] = None if table["sprt"] is None else Sprt(**table["sprt"])
        table["clock"] = Clock(**table["clock"])
        return cls(**table, digest=hashlib.sha256(text.encode()).hexdigest())

    def place(self, name: str) -> int:
        """The place of a bot."""
        for place, bot in enumerate(self.bots):
            if bot.name == name:
                return place
        known = ", ".join(bot.name for bot in self.bots)
        raise _wrong("bot", name, f"there is none of that name; there are {known}")


def read_spec(path: str | Path) -> Spec:
    """Reads a tournament file."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _wrong("spec", str(path), reason) from error
    return parse_spec(text)


def parse_spec(text: str, *, files: bool = True) -> Spec:
    """Reads a tournament from TOML; an error names the field. Without `files` a setup may name none."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _wrong("spec", text[:_NAME], f"no TOML: {error}") from None
    return _spec(table, files=files)


def _spec(table: dict[str, Any], *, files: bool) -> Spec:
    """The tournament of a table; everything that a table says must be known."""
    top = _Reader(table, "")
    name = top.text("name", "tournament")
    form = top.one_of("format", FORMATS, "round_robin")
    bots = tuple(_entrant(reader) for reader in top.tables("bots", _MOST_BOTS))
    names = [bot.name for bot in bots]
    for place, bot in enumerate(bots):
        if bot.name in names[:place]:
            raise _wrong(f"bots[{place}].name", bot.name, "another bot has that name")
    if len(bots) < 2:
        raise _wrong("bots", str(len(bots)), "a tournament has at least two")
    blocks = top.whole("blocks", 10, 1, _MOST_BLOCKS)
    sprt = top.table("sprt", _sprt)
    duels = form in _DUELS or sprt is not None
    boards = tuple(
        board
        for reader in top.tables("games", 1000)
        for board in _boards(reader, bots=len(bots), blocks=blocks, duels=duels, files=files)
    )
    board_names = [board.name for board in boards]
    for place, board in enumerate(boards):
        if board.name in board_names[:place]:
            raise _wrong("games.name", board.name, "another game has that name")
    spec = Spec(
        name=name,
        format=form,
        bots=bots,
        boards=boards,
        seed=top.whole("seed", None, 0, 2**64 - 1),
        most_matches=top.whole("most_matches", MOST_MATCHES, 1, 10_000),
        hero=_hero(top.text("hero", names[0]), names, form),
        rounds=top.whole("rounds", _rounds(form, len(bots)), 0, 1_000_000),
        best_of=top.whole("best_of", 3, 1, 10_000),
        sprt=sprt,
        clock=top.table("clock", _clock) or Clock(),
        retries=top.whole("retries", 0, 0, 100),
    )
    top.finish()
    if sprt is not None and form not in ("round_robin", "gauntlet"):
        raise _wrong("sprt", form, "a test belongs to round_robin or gauntlet")
    if form == "swiss" and spec.rounds == 0:
        raise _wrong("rounds", "0", "swiss has at least one")
    for board in boards:
        groups = math.comb(len(bots), board.group)
        if form == "round_robin" and groups > _MOST_GROUPS:
            raise _wrong("games.group", str(board.group), f"{groups} groups are too many, name a smaller one")
    for game in dict.fromkeys(board.game for board in boards):
        for place, bot in enumerate(bots):
            _check_bot(bot, game, place)
    return replace(spec, digest=hashlib.sha256(spec.to_json().encode()).hexdigest())


def _rounds(form: str, bots: int) -> int:
    """As many rounds as tell a winner apart."""
    return max(3, math.ceil(math.log2(bots)) + 1) if form == "swiss" else 0


def _hero(name: str, names: list[str], form: str) -> int:
    if name not in names:
        raise _wrong("hero", name, f"there is no such bot; there are {', '.join(names)}")
    if form != "gauntlet" and name != names[0]:
        raise _wrong("hero", name, f"{form} has none")
    return names.index(name)


def _entrant(reader: "_Reader") -> Entrant:
    name = reader.text("name")
    sources = {source: reader.text(source, None) for source in ("bot", "python", "player")}
    named = [source for source, value in sources.items() if value is not None]
    if len(named) > 1:
        raise _wrong(reader.path(named[1]), str(sources[named[1]]), f"the bot is named by {named[0]} already")
    reader.finish()
    if not named:
        sources["bot"] = name
    return Entrant(name, **sources)


def _check_bot(bot: Entrant, game: str, place: int) -> None:
    if bot.bot is None:
        return
    known = list(find_game(game).bots)
    if bot.bot.partition(":")[0] not in known:
        reason = f"{game} has no such bot; it has {', '.join(known)}"
        raise _wrong(f"bots[{place}].bot", bot.bot, reason)


def _boards(reader: "_Reader", *, bots: int, blocks: int, duels: bool, files: bool) -> Iterable[Board]:
    game = reader.text("game")
    try:
        found = find_game(game)
    except SengokuError as error:
        raise _wrong(reader.path("game"), game, str(error)) from None
    least, most = found.seats
    seats = reader.whole("seats", least, least, most)
    group = reader.whole("group", 2 if duels else min(bots, seats), 2, min(bots, seats))
    if duels and group != 2:
        raise _wrong(reader.path("group"), str(group), "this format and the test compare two bots")
    setup = reader.options("setup")
    file = found.scenario_file
    if file is not None and file.option in setup and not files:
        reason = f"no file is read here, write its text as {file.text_option}"
        raise _wrong(f"{reader.path('setup')}.{file.option}", str(setup[file.option])[:_NAME], reason)
    blocks = reader.whole("blocks", blocks, 1, _MOST_BLOCKS)
    wanted = reader.names("scenarios")
    name = reader.text("name", game)
    reader.finish()

    def board(own: str, options: dict[str, Any], scenario: str | None) -> Board:
        try:
            # Read as a match reads it: what is wrong is said now, and files stand in the record as texts.
            options = Match.create(game, seats=seats, setup=options).setup
        except SengokuError as error:
            raise _wrong(reader.path("setup"), own, str(error)) from None
        return Board(own, game, seats, options, group, blocks, found.rules_version, scenario)

    if wanted is None:
        yield board(name, setup, None)
        return
    known = {scenario.id: scenario for scenario in scenarios(game)}
    for number in known if wanted == ["all"] else wanted:
        if number not in known:
            reason = f"{game} has no such scenario; it has {', '.join(known)}"
            raise _wrong(reader.path("scenarios"), number, reason)
        yield board(f"{name}/{number}", {**setup, **(known[number].setup or {})}, number)


def _sprt(reader: "_Reader") -> Sprt:
    base = Sprt()
    test = Sprt(
        elo0=reader.number("elo0", base.elo0, -2000, 2000),
        elo1=reader.number("elo1", base.elo1, -2000, 2000),
        alpha=reader.number("alpha", base.alpha, 1e-6, 0.5),
        beta=reader.number("beta", base.beta, 1e-6, 0.5),
    )
    reader.finish()
    if test.elo1 <= test.elo0:
        raise _wrong("sprt.elo1", str(test.elo1), f"it must be more than elo0, {test.elo0}")
    return test


def _clock(reader: "_Reader") -> Clock:
    base = Clock()
    clock = Clock(
        decision=reader.number("decision", base.decision, 0.001, 86_400),
        bank=reader.number("bank", base.bank, 0, 86_400),
        match=reader.number("match", base.match, 0.001, 86_400),
    )
    reader.finish()
    return clock


def _wrong(name: str, value: str, reason: str) -> ArgumentError:
    return ArgumentError(f"{name} is {value!r}: {reason}", {"field": name, "value": value, "reason": reason})


class _Reader:
    """A table that is read name by name; what nobody asked for is an error."""

    def __init__(self, table: Mapping[str, Any], where: str) -> None:
        self._table = dict(table)
        self._where = where

    def path(self, name: str) -> str:
        return f"{self._where}.{name}" if self._where else name

    def _take(self, name: str, kinds: tuple[type, ...], what: str) -> Any:
        value = self._table.pop(name, None)
        if value is not None and (not isinstance(value, kinds) or isinstance(value, bool)):
            raise _wrong(self.path(name), str(value)[:_NAME], f"{what} is wanted")
        return value

    def text(self, name: str, default: Any = ...) -> Any:
        value = self._take(name, (str,), "a text")
        if value is None:
            if default is ...:
                raise _wrong(self.path(name), "", "it is missing")
            return default
        if not value.strip() or len(value) > 200 or not value.isprintable():
            raise _wrong(self.path(name), value[:_NAME], "a short text is wanted")
        return value

    def one_of(self, name: str, known: Iterable[str], default: str) -> str:
        value = str(self.text(name, default))
        if value not in known:
            raise _wrong(self.path(name), value, f"one of {', '.join(known)} is wanted")
        return value

    def whole(self, name: str, default: Any, least: int, most: int) -> Any:
        value = self._take(name, (int,), "a whole number")
        if value is None:
            return default
        if not least <= value <= most:
            raise _wrong(self.path(name), str(value), f"{least} to {most} are possible")
        return value

    def number(self, name: str, default: Any, least: float, most: float) -> Any:
        value = self._take(name, (int, float), "a number")
        if value is None:
            return default
        if not least <= value <= most:  # not a number is not, either
            raise _wrong(self.path(name), str(value), f"{least} to {most} are possible")
        return float(value)

    def options(self, name: str) -> dict[str, Any]:
        value = self._take(name, (dict,), "a table")
        return dict(value or {})

    def names(self, name: str) -> list[str] | None:
        value = self._take(name, (str, list), 'a list, or "all"')
        if value is None:
            return None
        listed = [value] if isinstance(value, str) else value
        if not listed or not all(isinstance(item, str | int) for item in listed):
            raise _wrong(self.path(name), str(value)[:_NAME], 'a list of scenarios, or "all", is wanted')
        return [str(item) for item in listed]

    def tables(self, name: str, most: int) -> Iterable["_Reader"]:
        value = self._take(name, (list,), "a list of tables")
        if not value or not all(isinstance(item, dict) for item in value):
            raise _wrong(self.path(name), str(value)[:_NAME], "a list of tables is wanted")
        if len(value) > most:
            raise _wrong(self.path(name), str(len(value)), f"at most {most} are possible")
        return [_Reader(item, f"{self.path(name)}[{place}]") for place, item in enumerate(value)]

    def table(self, name: str, read: "Any") -> Any:
        value = self._take(name, (dict,), "a table")
        return None if value is None else read(_Reader(value, self.path(name)))

    def finish(self) -> None:
        for name in self._table:
            raise _wrong(self.path(name), str(self._table[name])[:_NAME], "nothing of that name is known")
