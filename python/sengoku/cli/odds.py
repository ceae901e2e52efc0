"""The `odds` commands: the odds of a battle, a clash or a strike."""

# ruff: noqa: PLC0415 - help and completion must not load the games

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

import typer

from sengoku._core import STRIKE_CARDS
from sengoku.cli.forces import (
    parse_cards,
    parse_contents,
    parse_cubes,
    parse_force,
    parse_order,
    parse_parameters,
    parse_party,
    parse_piece,
)
from sengoku.cli.options import Connecting, Json, Threads, connecting, out, print_json, progress
from sengoku.cli.registry import App
from sengoku.cli.tower import ContentsOption, ParametersOption, Players
from sengoku.errors import ArgumentError

if TYPE_CHECKING:
    from sengoku import battles
    from sengoku.engine.odds import ExactQuestion, Question

app = App(name="odds", help="Compute the odds of a battle.")

A = TypeVar("A")
PlotOption = Annotated[
    Path | None, typer.Option("--plot", help="Also plot the odds into this file (.png, .svg or .pdf).")
]


def _find_odds(
    question: "Question[A]",
    *,
    exact: bool = False,
    samples: int | None,
    max_error: float,
    seed: int,
    threads: int,
    quiet: bool,
    at: Connecting,
) -> A:
    """Compute odds in this process or on a server, by the method that the options name."""
    if at.server is not None:
        with at.client() as client:
            if exact:
                return client.exact(cast("ExactQuestion[A]", question))
            if samples is not None:
                return client.sample(question, samples, seed=seed)
            return client.odds(question, max_error=max_error, seed=seed)
    if exact:
        return cast("ExactQuestion[A]", question).exact()
    with progress(quiet) as bar:
        if samples is not None:
            return question.sample(samples, seed=seed, threads=threads, progress=bar)
        return question.odds(max_error=max_error, seed=seed, threads=threads, progress=bar)


def _check_plot(file: Path | None) -> None:
    """Reject a file that cannot become a picture before anything is computed."""
    if file is not None:
        from sengoku.figures import plot

        plot.check(file)


def _show(
    odds: A, file: Path | None, as_json: bool, describe: Callable[[A], dict[str, Any]], name: str
) -> None:
    """Plot odds if there is a file, and print them; `name` is the function of `plot` and of `tables`."""
    if file is not None:
        from sengoku.figures import plot

        getattr(plot, name)(odds, file)
    if as_json:
        print_json(describe(odds))
    else:
        from sengoku.cli import tables

        getattr(tables, name)(odds, out())


@app.command("swords")
@connecting()
def odds_swords(
    attacker: Annotated[
        str,
        typer.Option(
            help="The attacking force: UNIT=NUMBER separated by commas; "
            "units are daimyo, bow, gun, sword, spear and ronin.",
            metavar="FORCE",
        ),
    ],
    defender: Annotated[
        list[str],
        typer.Option(
            help="A defending force; give it twice for an army and a provincial force. The word disrupted "
            "among its units marks an army whose daimyo was assassinated.",
            metavar="FORCE",
        ),
    ],
    naval: Annotated[bool, typer.Option("--naval", help="The attack comes over a sea route.")] = False,
    fort: Annotated[str, typer.Option(help="Building in the province: none, castle or fortress.")] = "none",
    fort_lost: Annotated[
        int, typer.Option(help="Bonus units of the building lost earlier in the same war turn.")
    ] = 0,
    attacker_losses: Annotated[
        str,
        typer.Option(
            help="Order of the attacker's losses: cheapest, hired_first, or five units separated by commas."
        ),
    ] = "cheapest",
    defender_losses: Annotated[
        str, typer.Option(help="Order of the defender's losses, written in the same way.")
    ] = "cheapest",
    break_off_below: Annotated[
        int, typer.Option(help="Call off in step 8 with fewer attacking units than this; 0 means never.")
    ] = 0,
    break_off_after: Annotated[
        int, typer.Option(help="Call off in step 8 after this many combat rounds; 0 means never.")
    ] = 0,
    exact: Annotated[bool, typer.Option("--exact", help="Compute exact odds or fail.")] = False,
    samples: Annotated[int | None, typer.Option(help="Sample this many battles.")] = None,
    max_error: Annotated[
        float, typer.Option(help="Standard error to reach where sampling is needed.")
    ] = 1e-4,
    seed: Annotated[int, typer.Option(help="Seed of the sampled battles.")] = 0,
    threads: Threads = 0,
    as_json: Json = False,
    plot_file: PlotOption = None,
    *,
    at: Connecting,
) -> None:
    """Compute the odds of a battle of swords, the strategic game.

    They are exact where that is affordable, otherwise sampled until the standard error is small enough.
    """
    from sengoku import swords

    _check_plot(plot_file)
    if exact and samples is not None:
        raise ArgumentError("--exact and --samples exclude each other", {"field": "method"})
    defenders = [parse_force("--defender", text) for text in defender]
    battle = swords.Battle(
        parse_force("--attacker", attacker),
        defenders,
        fort=fort,
        fort_lost=fort_lost,
        naval=naval,
        attacker_losses=parse_order(attacker_losses),
        defender_losses=parse_order(defender_losses),
        break_off_below=break_off_below,
        break_off_after=break_off_after,
    )
    odds = _find_odds(
        battle,
        exact=exact,
        samples=samples,
        max_error=max_error,
        seed=seed,
        threads=threads,
        quiet=as_json,
        at=at,
    )
    _show(odds, plot_file, as_json, swords.describe, "odds")


@app.command("tower")
@connecting()
def odds_tower(
    attacker: Annotated[
        str,
        typer.Option(
            help="The attacking armies, such as blue=4; farmer=2 in a revolt.", metavar="COLOUR=NUMBER"
        ),
    ],
    defender: Annotated[
        str | None,
        typer.Option(
            help="The defending armies, such as yellow=3; none in a neutral province.",
            metavar="COLOUR=NUMBER",
        ),
    ] = None,
    unrest: Annotated[
        bool,
        typer.Option("--unrest", help="The province has an unrest marker: farmers do not help to defend it."),
    ] = False,
    neutral: Annotated[bool, typer.Option("--neutral", help="The province is neutral.")] = False,
    revolt: Annotated[bool, typer.Option("--revolt", help="Farmers revolt against the owner.")] = False,
    tray: Annotated[
        str,
        typer.Option(help="Cubes in the tray: COLOUR=NUMBER separated by commas.", metavar="CUBES"),
    ] = "",
    contents: ContentsOption = None,
    players: Players = 4,
    parameters: ParametersOption = None,
    samples: Annotated[int | None, typer.Option(help="Sample this many throws.")] = None,
    max_error: Annotated[float, typer.Option(help="Standard error to reach.")] = 1e-3,
    seed: Annotated[int, typer.Option(help="Seed of the sampled throws.")] = 0,
    threads: Threads = 0,
    as_json: Json = False,
    plot_file: PlotOption = None,
    *,
    at: Connecting,
) -> None:
    """Compute the odds of a clash in tower, which the cube tower decides.

    They are sampled until the standard error is small enough, with the model "shelves": a rigid tower is too
    slow for that many throws.
    """
    from sengoku import tower

    _check_plot(plot_file)
    clash = tower.Clash(
        parse_party("--attacker", attacker),
        None if defender is None else parse_party("--defender", defender),
        farmers_defend=not unrest,
        tray=parse_cubes("--tray", tray),
        contents=parse_contents(contents),
        neutral=neutral,
        revolt=revolt,
        players=players,
        parameters=parse_parameters(parameters),
    )
    odds = _find_odds(
        clash, samples=samples, max_error=max_error, seed=seed, threads=threads, quiet=as_json, at=at
    )
    _show(odds, plot_file, as_json, tower.describe, "clash_odds")


CardsOption = Annotated[
    str,
    typer.Option(help=f"Cards in play, separated by commas: {', '.join(STRIKE_CARDS)}.", metavar="CARDS"),
]


@app.command("battles")
@connecting()
def odds_battles(
    attacker: Annotated[
        list[str],
        typer.Option(
            help="The attacking unit: its code, followed by a colon and its properties, as in "
            "ASp:blocks=3,leader=LF,terrain=hill,support,inspire; repeat it for the levies of a charge.",
            metavar="PIECE",
        ),
    ],
    defender: Annotated[
        str,
        typer.Option(
            help="The unit attacked, or a lone leader (LF, LM), written in the same way; more properties are "
            "adjacent_leader, ignore_flags=all|none|NUMBER, room=HEXES and leader_fate=retreat|seppuku.",
            metavar="PIECE",
        ),
    ],
    ranged: Annotated[bool, typer.Option("--ranged", help="Shoot instead of a melee.")] = False,
    distance: Annotated[
        int | None, typer.Option(help="Distance of the shot in hexes; 2 if not given.")
    ] = None,
    moved: Annotated[bool, typer.Option("--moved", help="The shooting unit moved this turn.")] = False,
    terrain: Annotated[str | None, typer.Option(help="Terrain of the defender's hex.")] = None,
    leader: Annotated[str | None, typer.Option(help="Leader attached to the attacker: LF or LM.")] = None,
    dice_bonus: Annotated[
        int, typer.Option(help="Extra dice for each attacking unit, in addition to those of the cards.")
    ] = 0,
    attacker_cards: CardsOption = "",
    defender_cards: CardsOption = "",
    no_battle_back: Annotated[
        bool, typer.Option("--no-battle-back", help="The defender does not battle back.")
    ] = False,
    against: Annotated[
        int, typer.Option(help="In a charge: the unit that the defender battles back against, from 0.")
    ] = 0,
    attacker_honor: Annotated[
        int | None, typer.Option(help="Honor of the attacking player; unlimited if not given.")
    ] = None,
    defender_honor: Annotated[
        int | None, typer.Option(help="Honor of the defending player; unlimited if not given.")
    ] = None,
    pool: Annotated[
        int | None, typer.Option(help="Honor in the common pool; unlimited if not given.")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(help="Sample this many strikes instead of computing exact odds.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sampled strikes.")] = 0,
    threads: Threads = 0,
    faces: Annotated[
        str | None,
        typer.Option(help="Play the strike with these dice faces, such as TXCS, and describe what happens."),
    ] = None,
    as_json: Json = False,
    plot_file: PlotOption = None,
    *,
    at: Connecting,
) -> None:
    """Compute the exact odds of a strike in battles: a melee with battle back, or a shot."""
    from sengoku import battles

    _check_plot(plot_file)
    strike = battles.Strike(
        [parse_piece("--attacker", text) for text in attacker],
        parse_piece("--defender", defender),
        ranged=ranged,
        distance=distance,
        moved=moved,
        terrain=terrain,
        leader=leader,
        dice_bonus=dice_bonus,
        attacker_cards=parse_cards(attacker_cards),
        defender_cards=parse_cards(defender_cards),
        battle_back=not no_battle_back,
        against=against,
        attacker_honor=attacker_honor,
        defender_honor=defender_honor,
        pool=pool,
    )
    if faces is not None:
        _show_fight(strike.fight(faces=[face for face in faces if not face.isspace()]), as_json)
        return
    odds = _find_odds(
        strike,
        exact=samples is None,
        samples=samples,
        max_error=1.0,
        seed=seed,
        threads=threads,
        quiet=as_json,
        at=at,
    )
    _show(odds, plot_file, as_json, battles.describe, "strike_odds")


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
