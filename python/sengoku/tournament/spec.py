"""The specification of a tournament: bots, games, format and clock. It alone determines what is played.

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
import shlex
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sengoku._core import read_toml
from sengoku.bots.clock import Clock
from sengoku.bots.llm.settings import MODEL, LlmSettings
from sengoku.bots.process import Isolation
from sengoku.engine.games import find_game
from sengoku.engine.match import Match
from sengoku.engine.scenarios import scenarios
from sengoku.errors import ArgumentError, SengokuError, SetupError
from sengoku.tournament.seating import MOST_MATCHES
from sengoku.tournament.sprt import Sprt
from sengoku.tournament.table_reader import SHOWN, TableReader, wrong

__all__ = ["FORMATS", "Board", "Clock", "Entrant", "TournamentSpec", "parse_spec", "read_spec"]

FORMATS = {
    "round_robin": "every group of bots meets",
    "gauntlet": "one bot meets all others",
    "swiss": "in each round bots with similar scores meet",
    "knockout": "the loser of a meeting is out",
    "ladder": "neighbours in the rating meet, round after round",
}
"""Formats, each with a one-line description."""
CLOCK = Clock(bank=60.0)
"""The clock of a tournament whose file has none."""
_DUELS = ("swiss", "knockout", "ladder")
_MOST_BOTS = 1000
_MOST_BLOCKS = 1_000_000
_MOST_GROUPS = 100_000
SOURCES = ("bot", "python", "player", "program", "llm")
"""Where bots come from."""
_ALWAYS = ("name", "bot", "python", "player")
_MOST_ARGUMENTS = 100


@dataclass(frozen=True)
class Entrant:
    """A bot that takes part: built in, a Python class, a program, a language model, or a player."""

    name: str
    bot: str | None = None
    """Name of a built-in bot, with its options."""
    python: str | None = None
    """Module and class of a Python bot, e.g. `my_module:MyBot`."""
    player: str | None = None
    """Name under which a player connects."""
    client: str | None = None
    """The client of the server that the player must belong to; if None, whoever its name belongs to."""
    program: tuple[str, ...] | None = None
    """Command of a program that speaks lines of JSON."""
    llm: LlmSettings | None = None
    """Where a language model is, and what it may cost."""
    trusted: bool = False
    """Whether a Python class plays in the process of the tournament, where it can read everything."""
    network: bool = False
    """Whether a Python class or a program may use the network."""

    @property
    def kind(self) -> str:
        """Where the bot comes from: one of `SOURCES`."""
        return next(source for source in SOURCES if getattr(self, source) is not None)

    @property
    def local(self) -> bool:
        """Whether it is code on the machine that plays the tournament."""
        return self.python is not None or self.program is not None or self.llm is not None

    def as_dict(self) -> dict[str, str | None]:
        """Return the bot as plain values."""
        program = None if self.program is None else shlex.join(self.program)
        model = None if self.llm is None else self.llm.model or f"${MODEL}"
        return {
            "name": self.name,
            "kind": self.kind,
            "source": self.bot or self.python or self.player or program or model,
        }


@dataclass(frozen=True)
class Board:
    """A game with its setup, on which groups of bots meet."""

    name: str
    game: str
    seats: int
    setup: dict[str, Any]
    group: int
    """Number of different bots in a match."""
    blocks: int
    """How often a group meets on this board in a round."""
    rules_version: int
    scenario: str | None = None


@dataclass(frozen=True)
class TournamentSpec:
    """Everything that determines what is played."""

    name: str
    format: str
    bots: tuple[Entrant, ...]
    boards: tuple[Board, ...]
    seed: int | None = None
    """Seed of all randomness; if the file has none, it is drawn and stored in the record."""
    most_matches: int = MOST_MATCHES
    """Most matches of a block."""
    hero: int = 0
    """Index of the bot that meets all others in a gauntlet."""
    rounds: int = 0
    """Rounds of swiss and ladder; a ladder with 0 rounds continues until it is cancelled."""
    best_of: int = 0
    """Blocks of a meeting in a knockout."""
    sprt: Sprt | None = None
    clock: Clock = CLOCK
    """Thinking time of bots that are not built in."""
    retries: int = 0
    """How often a match is repeated in which a bot crashed or disconnected."""
    isolation: Isolation | None = None
    """What processes of Python classes and programs may use; the default if None."""
    talk: bool = False
    """Whether the bots may send messages to one another."""
    rename: bool = False
    """Whether custom bots are shown other names of places, units and cards."""
    digest: str = ""
    """SHA-256 of `to_json`; equal for files with equal contents."""

    def to_json(self) -> str:
        """Return everything, including defaults and the text of files, as JSON for `from_json`."""
        table = asdict(self)
        del table["digest"]
        # What is left out keeps the digest that a file had before there was such an option.
        table["bots"] = [
            {name: value for name, value in bot.items() if name in _ALWAYS or value not in (None, False)}
            | ({} if entrant.llm is None else {"llm": entrant.llm.as_dict()})
            for bot, entrant in zip(table["bots"], self.bots, strict=True)
        ]
        if self.isolation is None:
            del table["isolation"]
        for name in ("talk", "rename"):
            if not table[name]:
                del table[name]
        if math.isinf(self.clock.match):
            table["clock"]["match"] = None
        return json.dumps(table, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "TournamentSpec":
        """Read what `to_json` wrote."""
        table = json.loads(text)
        table["bots"] = tuple(_stored_entrant(bot) for bot in table["bots"])
        table["boards"] = tuple(Board(**board) for board in table["boards"])
        table["sprt"] = None if table["sprt"] is None else Sprt(**table["sprt"])
        if "isolation" in table:
            table["isolation"] = Isolation(**table["isolation"])
        clock = table["clock"]
        table["clock"] = Clock(**clock | {"match": math.inf if clock["match"] is None else clock["match"]})
        return cls(**table, digest=hashlib.sha256(text.encode()).hexdigest())

    def place(self, name: str) -> int:
        """Return the index of a bot."""
        names = [bot.name for bot in self.bots]
        if name not in names:
            raise wrong("bot", name, f"must be one of {', '.join(names)}")
        return names.index(name)


def read_spec(path: str | Path) -> TournamentSpec:
    """Read a tournament file."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise wrong("spec", str(path), reason) from error
    return parse_spec(text)


def parse_spec(text: str, *, files: bool = True) -> TournamentSpec:
    """Read a tournament from TOML; errors name the field. Without `files` a setup may not name a file."""
    try:
        table = json.loads(read_toml(text, "tournament file"))
    except SetupError as error:
        field = error.details["field"]
        place = "spec" if field == "setup" else field  # "setup" stands for the whole text
        raise wrong(place, text[:SHOWN], error.details["reason"]) from None
    return _spec(table, files=files)


def _spec(table: dict[str, Any], *, files: bool) -> TournamentSpec:
    """Build the specification from a table; unknown keys are errors."""
    top = TableReader(table, "")
    form = top.one_of("format", FORMATS, "round_robin")
    bots = tuple(_entrant(reader) for reader in top.tables("bots", _MOST_BOTS))
    names = [bot.name for bot in bots]
    if twice := _repeated(names):
        raise wrong(f"bots[{twice}].name", names[twice], "another bot has this name")
    clients: dict[str | None, str | None] = {}
    for place, bot in enumerate(bots):
        if bot.player is not None and clients.setdefault(bot.player, bot.client) != bot.client:
            reason = f"another bot says that the player {bot.player} has a different client"
            raise wrong(f"bots[{place}].client", str(bot.client), reason)
    if len(bots) < 2:
        raise wrong("bots", str(len(bots)), "must have at least two")
    blocks = top.whole("blocks", 10, 1, _MOST_BLOCKS)
    sprt = top.table("sprt", _sprt)
    duels = form in _DUELS or sprt is not None
    boards = tuple(
        board
        for reader in top.tables("games", 1000)
        for board in _boards(reader, bots=len(bots), blocks=blocks, duels=duels, files=files)
    )
    if twice := _repeated([board.name for board in boards]):
        raise wrong("games.name", boards[twice].name, "another game has this name")
    rounds = max(3, math.ceil(math.log2(len(bots))) + 1) if form == "swiss" else 0  # enough for a winner
    spec = TournamentSpec(
        name=top.text("name", "tournament"),
        format=form,
        bots=bots,
        boards=boards,
        seed=top.whole("seed", None, 0, 2**64 - 1),
        most_matches=top.whole("most_matches", MOST_MATCHES, 1, 10_000),
        hero=_hero(top.text("hero", names[0]), names, form),
        rounds=top.whole("rounds", rounds, 0, 1_000_000),
        best_of=top.whole("best_of", 3, 1, 10_000),
        sprt=sprt,
        clock=top.table("clock", _clock) or CLOCK,
        retries=top.whole("retries", 0, 0, 100),
        isolation=top.table("isolation", _isolation),
        talk=top.flag("talk"),
        rename=top.flag("rename"),
    )
    top.finish()
    if sprt is not None and form not in ("round_robin", "gauntlet"):
        raise wrong("sprt", form, "needs the format round_robin or gauntlet")
    if form == "swiss" and spec.rounds == 0:
        raise wrong("rounds", "0", "must be at least 1 for swiss")
    for board in boards:
        groups = math.comb(len(bots), board.group)
        if form == "round_robin" and groups > _MOST_GROUPS:
            reason = f"makes {groups} groups of bots: at most {_MOST_GROUPS} are allowed"
            raise wrong("games.group", str(board.group), reason)
    for game in dict.fromkeys(board.game for board in boards):
        known = find_game(game).bots
        for place, bot in enumerate(bots):
            if bot.bot is not None and bot.bot.partition(":")[0] not in known:
                reason = f"must be a bot of {game}: {', '.join(known)}"
                raise wrong(f"bots[{place}].bot", bot.bot, reason)
    return replace(spec, digest=hashlib.sha256(spec.to_json().encode()).hexdigest())


def _repeated(names: list[str]) -> int:
    """Return the index of the first name that repeats an earlier one, or 0."""
    return next((place for place, name in enumerate(names) if name in names[:place]), 0)


def _hero(name: str, names: list[str], form: str) -> int:
    if name not in names:
        raise wrong("hero", name, f"must be one of {', '.join(names)}")
    if form != "gauntlet" and name != names[0]:
        raise wrong("hero", name, f"must not be set for {form}")
    return names.index(name)


def _entrant(reader: TableReader) -> Entrant:
    name = reader.text("name")
    sources: dict[str, Any] = {source: reader.text(source, None) for source in ("bot", "python", "player")}
    sources["program"] = reader.texts("program", _MOST_ARGUMENTS)
    sources["llm"] = _llm(reader)
    named = [source for source, value in sources.items() if value is not None]
    if len(named) > 1:
        reason = f"must not be set together with {named[0]}"
        raise wrong(reader.path(named[1]), str(sources[named[1]])[:SHOWN], reason)
    client = reader.text("client", None)
    if client is not None and sources["player"] is None:
        raise wrong(reader.path("client"), client, "is the client of a player: needs the field player")
    trusted, network = reader.flag("trusted"), reader.flag("network")
    if trusted and sources["python"] is None:
        raise wrong(reader.path("trusted"), "true", "needs the field python: only a class can be in process")
    if trusted and network:
        raise wrong(reader.path("network"), "true", "a trusted bot can use the network anyway")
    if network and sources["python"] is None and sources["program"] is None:
        raise wrong(reader.path("network"), "true", "needs the field python or program")
    reader.finish()
    if not named:
        sources["bot"] = name
    return Entrant(name, **sources, client=client, trusted=trusted, network=network)


def _llm(reader: TableReader) -> LlmSettings | None:
    table = reader.options("llm") if reader.has("llm") else None
    try:
        return None if table is None else LlmSettings.of(table)
    except ArgumentError as error:
        field, value = error.details["field"], error.details["value"]
        reason = str(error).partition(": ")[2]
        raise wrong(reader.path(field), value, reason) from None


def _stored_entrant(bot: dict[str, Any]) -> Entrant:
    if "program" in bot:
        bot["program"] = tuple(bot["program"])
    if "llm" in bot:
        bot["llm"] = LlmSettings.of(bot["llm"])
    return Entrant(**bot)


def _boards(reader: TableReader, *, bots: int, blocks: int, duels: bool, files: bool) -> Iterable[Board]:
    game = reader.text("game")
    try:
        found = find_game(game)
    except SengokuError as error:
        raise wrong(reader.path("game"), game, str(error)) from None
    least, most = found.seats
    seats = reader.whole("seats", least, least, most)
    group = reader.whole("group", 2 if duels else min(bots, seats), 2, min(bots, seats))
    if duels and group != 2:
        raise wrong(reader.path("group"), str(group), "must be 2 for this format, and for an sprt")
    setup = reader.options("setup")
    file = found.scenario_file
    if file is not None and file.option in setup and not files:
        reason = f"no files are read here: put the text of the file into {file.text_option}"
        raise wrong(f"{reader.path('setup')}.{file.option}", str(setup[file.option])[:SHOWN], reason)
    blocks = reader.whole("blocks", blocks, 1, _MOST_BLOCKS)
    wanted = reader.names("scenarios")
    name = reader.text("name", game)
    reader.finish()

    def board(own: str, options: dict[str, Any], scenario: str | None) -> Board:
        try:
            # Errors appear now and not in the first match, and the record contains the text of files.
            options = Match.create(game, seats=seats, setup=options).setup
        except SengokuError as error:
            raise wrong(reader.path("setup"), own, str(error)) from None
        return Board(own, game, seats, options, group, blocks, found.rules_version, scenario)

    if wanted is None:
        yield board(name, setup, None)
        return
    known = {scenario.id: scenario for scenario in scenarios(game)}
    for number in known if wanted == ["all"] else wanted:
        if number not in known:
            reason = f"must be scenarios of {game}: {', '.join(known)}"
            raise wrong(reader.path("scenarios"), number, reason)
        yield board(f"{name}/{number}", {**setup, **(known[number].setup or {})}, number)


def _sprt(reader: TableReader) -> Sprt:
    limits = {"elo0": (-2000, 2000), "elo1": (-2000, 2000), "alpha": (1e-6, 0.5), "beta": (1e-6, 0.5)}
    test = Sprt(**reader.numbers(Sprt(), limits))
    if test.elo1 <= test.elo0:
        raise wrong("sprt.elo1", str(test.elo1), f"must be greater than elo0, which is {test.elo0}")
    return test


def _clock(reader: TableReader) -> Clock:
    limits = {"decision": (0.001, 86_400), "bank": (0, 86_400), "match": (0.001, 86_400)}
    return Clock(**reader.numbers(CLOCK, limits))


def _isolation(reader: TableReader) -> Isolation:
    usual = Isolation()
    found = {
        name: reader.whole(name, getattr(usual, name), least, most)
        for name, (least, most) in Isolation.BOUNDS.items()
    }
    reader.finish()
    return Isolation(**found)
