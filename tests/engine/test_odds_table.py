"""Odds over a grid of forces: values, how many are needed, pictures, and errors."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from sengoku import battles, swords, tower
from sengoku.engine.odds_table import MAX_CELLS
from sengoku.errors import ArgumentError, SetupError
from sengoku.swords import Battle, Force
from sengoku.tower import Clash

SVG = "{http://www.w3.org/2000/svg}"
SAMPLED = {"method": "sampled", "samples": 3000, "seed": 5}


def test_cells_of_swords_are_battles() -> None:
    # SW-WAR-C-04: each cell is the battle of these forces, as it is by itself
    leader = Force(daimyo=1, bow=1)
    table = swords.odds_table(range(1, 4), [3, 1], attacker=leader, defender_unit="gun", naval=True)
    assert (table.attackers.tolist(), table.defenders.tolist()) == ([1, 2, 3], [1, 3])
    for row, column in np.ndindex(3, 2):
        force = Force(daimyo=1, bow=1, spear=row + 1)
        odds = Battle(force, Force(gun=[1, 3][column]), naval=True).exact()
        assert table.chance[row, column] == odds.attacker_wins
        assert table.odds["both_eliminated"][row, column] == odds.both_eliminated
    assert not table.standard_error.any()
    assert table == swords.odds_table(
        [1, 2, 3], (1, 3), attacker=leader, defender_unit="gun", naval=True, threads=1
    )


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"farmers_defend": False, "tray": {"farmer": 2}},
        {"neutral": True, "attacker": "blue"},
        {"revolt": True, "defender": "black", "contents": {"black": 7, "farmer": 6}},
        {"attacker": "blue", "players": 5, "parameters": "ledger"},
    ],
)
def test_cells_of_tower_are_clashes(options: dict) -> None:
    # TW-BATTLE-03, TW-BATTLE-04, TW-BATTLE-05: each cell is the clash of these armies, as it is by itself
    table = tower.odds_table([1, 4], range(1, 4), **options, **SAMPLED)
    other = dict(options)
    first = other.pop("attacker", "farmer" if options.get("revolt") else "red")
    default = "farmer" if options.get("neutral") else "red" if first == "blue" else "blue"
    second = other.pop("defender", default)
    for row, column in np.ndindex(2, 3):
        clash = Clash((first, [1, 4][row]), (second, column + 1), **other)
        odds = clash.sample(3000, seed=5)
        assert table.chance[row, column] == odds.attacker_wins
        assert table.odds["none"][row, column] == odds.none
    assert (table.standard_error > 0).all()


def test_cells_of_battles_are_strikes() -> None:
    # BT-MELEE-11: each cell is the strike with these extra dice against these blocks, as it is by itself
    table = battles.odds_table(
        "SSp", battles.Piece("ASp", terrain="forest"), dice_bonus=[0, 2], event="takes_ground", leader="LM"
    )
    for row, column in np.ndindex(2, 4):
        target = battles.Piece("ASp", column + 1, terrain="forest")
        odds = battles.Strike("SSp", target, dice_bonus=[0, 2][row], leader="LM").exact()
        assert table.chance[row, column] == odds.takes_ground


def test_how_many_are_needed() -> None:
    table = battles.odds_table("SSp", "ASp")
    assert table.needed(0.5) == {1: 0, 2: 1, 3: 4, 4: None}
    for defenders, dice in table.needed(0.25).items():
        column = table.chance[:, defenders - 1]
        assert dice is not None
        assert column[dice] >= 0.25
        assert (column[:dice] < 0.25).all()
    for chance in (0, -1, 1.1, float("nan"), "half"):
        with pytest.raises(ArgumentError, match=f"chance is {chance}: must be above 0"):
            table.needed(chance)  # type: ignore[arg-type]


def test_the_picture() -> None:
    table = swords.odds_table(range(1, 6), range(1, 4), naval=True)
    root = ET.fromstring(table.picture())  # noqa: S314 - written here
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[0] == f"1 against 1: {table.chance[0, 0]:.4f}"
    assert len(titles) == 15
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert {"swords: battle, naval", "attacking spear", "defending spear", "the attacker wins"} <= set(words)
    assert f"{100 * table.chance[2, 1]:.0f}" in words
    assert "prefers-color-scheme: dark" in table.picture()
    assert table._repr_svg_() == table.picture()
    # what is not certain is not called certain, and every number stands out from its cell
    assert 0.995 < table.chance[4, 0] < 1
    assert ">99" in words
    for cell in root.iter(f"{SVG}g"):
        fill, ink = cell.find(f"{SVG}rect").get("fill"), cell.find(f"{SVG}text").get("fill")
        assert contrast(fill, ink) > 4.5, (fill, ink)


def contrast(first: str, second: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted(map(luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


def test_tables_that_cannot_be() -> None:
    with pytest.raises(ArgumentError, match="attackers is empty"):
        tower.odds_table([])
    with pytest.raises(ArgumentError, match="defenders has -1"):
        tower.odds_table([1], [-1])
    with pytest.raises(TypeError, match="attackers must be a range"):
        tower.odds_table(5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=f"at most {MAX_CELLS} are possible"):
        tower.odds_table(range(200), range(200))
    with pytest.raises(SetupError, match="attacker"):
        tower.odds_table([0], [1])
    with pytest.raises(ArgumentError, match="attacker_unit is 'horse'"):
        swords.odds_table([1], [1], attacker_unit="horse")
    with pytest.raises(ArgumentError, match="event is 'wins'"):
        battles.odds_table("SSp", "ASp", event="wins")


class Elsewhere:
    """Computes what it is asked for in this process, and counts the calls."""

    calls = 0

    def batch_odds(self, questions: list, /, **options: object) -> object:
        """Answer as a server would."""
        self.calls += 1
        return type(self).game.batch_odds(questions, **options)


def test_a_client_computes_all_cells_in_one_call() -> None:
    for game, arguments in ((tower, {**SAMPLED, "contents": {}}), (swords, {"naval": True})):
        client = type("Client", (Elsewhere,), {"game": game})()
        table = game.odds_table([1, 3], [2], **arguments, client=client)
        assert client.calls == 1
        assert table == game.odds_table([1, 3], [2], **arguments)
    client = type("Client", (Elsewhere,), {"game": battles})()
    table = battles.odds_table("SSp", "ASp", options=SAMPLED, client=client)
    assert table == battles.odds_table("SSp", "ASp", options=SAMPLED)


def test_an_asynchronous_client_is_refused() -> None:
    class Later:
        async def batch_odds(self, questions: list, /, **options: object) -> None:
            """Never awaited."""

    with pytest.raises(ArgumentError, match="client must be a Client"):
        swords.odds_table([1], [1], client=Later())
