"""The `odds` commands: the odds of a battle, a clash or a strike."""

# ruff: noqa: PLC0415 - help and completion must not load the games

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sengoku._core import STRIKE_CARDS
from sengoku.cli import forces
from sengoku.cli.commands import App
from sengoku.cli.options import Connecting, Json, Threads, connecting, option, with_options, written
from sengoku.cli.output import out, print_json, progress
from sengoku.cli.tower import ContentsOption, ParametersOption, Players
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from sengoku import battles

app = App(name="odds", help="Compute the odds of a battle.")


@dataclass(frozen=True)
class How:
    """How odds are computed and shown."""

    samples: int | None
    seed: int
    threads: int
    as_json: bool
    plot: Path | None
    table: bool = False
    need: float | None = None
    max_error: float = 1.0
    exact: bool = False

    @property
    def grid(self) -> bool:
        """Whether a table of odds is asked for, and not the odds of one fight."""
        return self.table or self.need is not None

    def find_table(
        self, table: Callable[..., Any], name: str, at: Connecting, question: dict[str, Any]
    ) -> Any:
        """Compute a table of odds in this process or on a server."""
        method = "exact" if self.exact else "auto" if self.samples is None else "sampled"
        options: dict[str, Any] = {"method": method, "seed": self.seed}
        if method == "sampled":
            options["samples"] = self.samples
        if method == "auto" and name != "battles":
            options["max_error"] = self.max_error

        def found(**more: Any) -> Any:
            given = {"options": options} if name == "battles" else options
            return table(**question, **given, **more)

        if at.server is not None:
            with at.client() as client:
                return found(client=client)
        options["threads"] = self.threads
        return found()

    def show_table(self, table: Callable[..., Any], name: str, at: Connecting, **question: Any) -> None:
        """Compute a table of odds, write its heat map and print it; `name` is the game."""
        from sengoku.cli import tables

        if self.plot is not None and self.plot.suffix != ".svg":
            details = {"field": "plot", "value": str(self.plot)}
            raise ArgumentError(f"--plot is {str(self.plot)!r}: a table is drawn as .svg", details)
        found = self.find_table(table, name, at, question)
        need = self.need
        needed = None if need is None else found.needed(need)
        if self.plot is not None:
            found.picture().save(self.plot)
        if self.as_json:
            print_json({"game": name} | found.describe() | ({} if needed is None else {"needed": needed}))
            return
        if self.table:
            tables.odds_table(found, out())
        if need is not None and needed is not None:
            tables.needed(found, need, needed, out())

    def check(self) -> None:
        """Refuse options that contradict each other."""
        if self.exact and self.samples is not None:
            raise ArgumentError("--exact and --samples exclude each other", {"field": "method"})

    def find(self, question: Any, at: Connecting) -> Any:
        """Compute odds in this process or on a server."""
        if at.server is not None:
            with at.client() as client:
                if self.exact:
                    return client.exact(question)
                if self.samples is not None:
                    return client.sample(question, self.samples, seed=self.seed)
                return client.odds(question, max_error=self.max_error, seed=self.seed)
        if self.exact:
            return question.exact()
        with progress(self.as_json) as bar:
            sampling: dict[str, Any] = {"seed": self.seed, "threads": self.threads, "progress": bar}
            if self.samples is not None:
                return question.sample(self.samples, **sampling)
            return question.odds(max_error=self.max_error, **sampling)

    def show(self, question: Any, at: Connecting, name: str) -> None:
        """Compute odds, plot and print them; `name` is the function of `plot` and of `tables`."""
        if self.plot is not None:
            from sengoku.figures import plot

            plot.check(self.plot)
        odds = self.find(question, at)
        if self.plot is not None:
            getattr(plot, name)(odds, self.plot)
        if self.as_json:
            print_json(import_module(type(question).__module__).describe(odds))
        else:
            from sengoku.cli import tables

            getattr(tables, name)(odds, out())


_TABLE = "Print a table of all sizes up to those given; the last unit of a force is the one that counts."
_NEED = "Print how many attackers are needed to win with this chance, such as 0.8, up to the number given."


def computing(
    samples: str, seed: str, *, max_error: tuple[float, str] | None = None, exact: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options of `How` to a command, with their help; it gets them as its argument `how`."""
    rows: list[tuple[str, Any, Any]] = []
    if exact:
        rows.append(("exact", Annotated[bool, option("Compute exact odds or fail.", "--exact")], False))
    rows.append(("samples", Annotated[int | None, option(samples)], None))
    if max_error is not None:
        rows.append(("max_error", Annotated[float, option(max_error[1])], max_error[0]))
    plot = option("Also plot the odds into this file (.png, .svg or .pdf; .svg with --table).", "--plot")
    rows += [
        ("seed", Annotated[int, option(seed)], 0),
        ("threads", Threads, 0),
        ("as_json", Json, False),
        ("plot", Annotated[Path | None, written(plot, "--plot", parents=True)], None),
        ("table", Annotated[bool, option(_TABLE, "--table")], False),
        ("need", Annotated[float | None, option(_NEED)], None),
    ]
    keyword = inspect.Parameter.KEYWORD_ONLY
    options = [inspect.Parameter(name, keyword, default=value, annotation=kind) for name, kind, value in rows]
    return with_options("how", options, How)


_FORCE = "The attacking force: UNIT=NUMBER separated by commas; "
_DEFENDERS = "A defending force; give it twice for an army and a provincial force. The word disrupted "
_LOSSES = "Order of the attacker's losses: cheapest, hired_first, or five units separated by commas."
_BELOW = "Call off in step 8 with fewer attacking units than this; 0 means never."
_AFTER = "Call off in step 8 after this many combat rounds; 0 means never."


@app.command("swords")
@connecting()
@computing(
    "Sample this many battles.",
    "Seed of the sampled battles.",
    max_error=(1e-4, "Standard error to reach where sampling is needed."),
    exact=True,
)
def odds_swords(
    attacker: Annotated[
        str, option(f"{_FORCE}units are daimyo, bow, gun, sword, spear and ronin.", metavar="FORCE")
    ],
    defender: Annotated[
        list[str],
        option(f"{_DEFENDERS}among its units marks an army whose daimyo was assassinated.", metavar="FORCE"),
    ],
    naval: Annotated[bool, option("The attack comes over a sea route.", "--naval")] = False,
    fort: Annotated[str, option("Building in the province: none, castle or fortress.")] = "none",
    fort_lost: Annotated[int, option("Bonus units of the building lost earlier in the same war turn.")] = 0,
    attacker_losses: Annotated[str, option(_LOSSES)] = "cheapest",
    defender_losses: Annotated[
        str, option("Order of the defender's losses, written in the same way.")
    ] = "cheapest",
    break_off_below: Annotated[int, option(_BELOW)] = 0,
    break_off_after: Annotated[int, option(_AFTER)] = 0,
    *,
    how: How,
    at: Connecting,
) -> None:
    """Compute the odds of a battle of swords, the strategic game.

    They are exact where that is affordable, otherwise sampled until the standard error is small enough.
    """
    from sengoku import swords

    how.check()
    options: dict[str, Any] = {
        "fort": fort,
        "naval": naval,
        "attacker_losses": forces.parse_order(attacker_losses),
        "defender_losses": forces.parse_order(defender_losses),
        "break_off_below": break_off_below,
        "break_off_after": break_off_after,
    }
    forces_there = (
        forces.parse_force("--attacker", attacker),
        *(forces.parse_force("--defender", text) for text in defender),
    )
    if how.grid:
        if len(defender) > 1 or fort_lost:
            details = {"field": "table"}
            raise ArgumentError(
                "a table has one defending force, and no bonus units that fell before", details
            )
        sides: dict[str, Any] = {}
        for side, text, force in zip(
            ("attacker", "defender"), (attacker, *defender), forces_there, strict=True
        ):
            unit, count, beside = forces.last_unit(text, force)
            sides |= {f"{side}s": range(1, count + 1), f"{side}_unit": unit, side: beside}
        how.show_table(swords.odds_table, "swords", at, **sides, **options)
        return
    battle = swords.Battle(forces_there[0], list(forces_there[1:]), fort_lost=fort_lost, **options)
    how.show(battle, at, "odds")


_ARMIES = "The attacking armies, such as blue=4; farmer=2 in a revolt."
_UNREST = "The province has an unrest marker: farmers do not help to defend it."
_TRAY = "Cubes in the tray: COLOUR=NUMBER separated by commas."


@app.command("tower")
@connecting()
@computing(
    "Sample this many throws.",
    "Seed of the sampled throws.",
    max_error=(1e-3, "Standard error to reach where sampling is needed."),
    exact=True,
)
def odds_tower(
    attacker: Annotated[str, option(_ARMIES, metavar="COLOUR=NUMBER")],
    defender: Annotated[
        str | None,
        option(
            "The defending armies, such as yellow=3; none in a neutral province.", metavar="COLOUR=NUMBER"
        ),
    ] = None,
    unrest: Annotated[bool, option(_UNREST, "--unrest")] = False,
    neutral: Annotated[bool, option("The province is neutral.", "--neutral")] = False,
    revolt: Annotated[bool, option("Farmers revolt against the owner.", "--revolt")] = False,
    tray: Annotated[str, option(_TRAY, metavar="CUBES")] = "",
    contents: ContentsOption = None,
    players: Players = 4,
    parameters: ParametersOption = None,
    *,
    how: How,
    at: Connecting,
) -> None:
    """Compute the odds of a clash in tower, which the cube tower decides.

    They are exact where that is affordable, otherwise sampled until the standard error is small enough, with
    the model "shelves": a rigid tower is too slow for that many throws.
    """
    from sengoku import tower

    how.check()
    first = forces.parse_party("--attacker", attacker)
    second = None if defender is None else forces.parse_party("--defender", defender)
    options: dict[str, Any] = {
        "farmers_defend": not unrest,
        "tray": forces.parse_cubes("--tray", tray),
        "contents": forces.parse_contents(contents),
        "neutral": neutral,
        "revolt": revolt,
        "players": players,
        "parameters": forces.parse_parameters(parameters),
    }
    if how.grid:
        if second is None:
            second = ("farmer", 2)
        sizes = {"attackers": range(1, first[1] + 1), "defenders": range(1, second[1] + 1)}
        how.show_table(
            tower.odds_table, "tower", at, **sizes, attacker=first[0], defender=second[0], **options
        )
        return
    how.show(tower.Clash(first, second, **options), at, "clash_odds")


CardsOption = Annotated[
    str, option(f"Cards in play, separated by commas: {', '.join(STRIKE_CARDS)}.", metavar="CARDS")
]
_PIECE = "The attacking unit: its code, followed by a colon and its properties, as in "
_DEFENDER = "The unit attacked, or a lone leader (LF, LM), written in the same way; more properties are "
_AGAINST = "In a charge: the unit that the defender battles back against, from 0."
_ATTACKER_HONOR = "Honor of the attacking player; unlimited if not given."
_DEFENDER_HONOR = "Honor of the defending player; unlimited if not given."
_FACES = "Play the strike with these dice faces, such as TXCS, and describe what happens."


@app.command("battles")
@connecting()
@computing("Sample this many strikes instead of computing exact odds.", "Seed of the sampled strikes.")
def odds_battles(
    attacker: Annotated[
        list[str],
        option(
            f"{_PIECE}ASp:blocks=3,leader=LF,terrain=hill,support,inspire; "
            "repeat it for the levies of a charge.",
            metavar="PIECE",
        ),
    ],
    defender: Annotated[
        str,
        option(
            f"{_DEFENDER}adjacent_leader, ignore_flags=all|none|NUMBER, room=HEXES and "
            "leader_fate=retreat|seppuku.",
            metavar="PIECE",
        ),
    ],
    ranged: Annotated[bool, option("Shoot instead of a melee.", "--ranged")] = False,
    distance: Annotated[int | None, option("Distance of the shot in hexes; 2 if not given.")] = None,
    moved: Annotated[bool, option("The shooting unit moved this turn.", "--moved")] = False,
    terrain: Annotated[str | None, option("Terrain of the defender's hex.")] = None,
    leader: Annotated[str | None, option("Leader attached to the attacker: LF or LM.")] = None,
    dice_bonus: Annotated[
        int, option("Extra dice for each attacking unit, in addition to those of the cards.")
    ] = 0,
    attacker_cards: CardsOption = "",
    defender_cards: CardsOption = "",
    no_battle_back: Annotated[bool, option("The defender does not battle back.", "--no-battle-back")] = False,
    against: Annotated[int, option(_AGAINST)] = 0,
    attacker_honor: Annotated[int | None, option(_ATTACKER_HONOR)] = None,
    defender_honor: Annotated[int | None, option(_DEFENDER_HONOR)] = None,
    pool: Annotated[int | None, option("Honor in the common pool; unlimited if not given.")] = None,
    faces: Annotated[str | None, option(_FACES)] = None,
    *,
    how: How,
    at: Connecting,
) -> None:
    """Compute the exact odds of a strike in battles: a melee with battle back, or a shot."""
    from sengoku import battles

    how.check()
    attackers = [forces.parse_piece("--attacker", text) for text in attacker]
    target = forces.parse_piece("--defender", defender)
    options: dict[str, Any] = {
        "ranged": ranged,
        "distance": distance,
        "moved": moved,
        "terrain": terrain,
        "leader": leader,
        "attacker_cards": forces.parse_cards(attacker_cards),
        "defender_cards": forces.parse_cards(defender_cards),
        "battle_back": not no_battle_back,
        "against": against,
        "attacker_honor": attacker_honor,
        "defender_honor": defender_honor,
        "pool": pool,
    }
    if how.grid:
        if faces is not None:
            raise ArgumentError(
                "--faces plays one strike: it excludes --table and --need", {"field": "faces"}
            )
        how.show_table(
            battles.odds_table,
            "battles",
            at,
            attacker=attackers if len(attackers) > 1 else attackers[0],
            defender=target,
            dice_bonus=range((dice_bonus or 4) + 1),
            blocks=range(1, target.blocks + 1),
            **options,
        )
        return
    strike = battles.Strike(attackers, target, dice_bonus=dice_bonus, **options)
    if faces is not None:
        _show_fight(strike.fight(faces=[face for face in faces if not face.isspace()]), how.as_json)
    else:
        replace(how, exact=how.samples is None).show(strike, at, "strike_odds")


def _show_fight(fight: "battles.StrikeFight", as_json: bool) -> None:
    from sengoku import battles

    if not as_json:
        print(fight)
        return
    fields = ("what", "side", "faces", "hits", "flags", "honor", "blocks", "hexes")
    print_json(
        {
            "outcome": {name: getattr(fight.outcome, name) for name in battles.OUTCOME_COLUMNS},
            "takes_ground": fight.takes_ground,
            "steps": [{name: getattr(step, name) for name in fields} for step in fight.steps],
        }
    )
