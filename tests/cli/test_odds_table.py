"""`sengoku odds ... --table` and `--need`: tables of odds and how many are needed."""

import json
from pathlib import Path

import pytest

from sengoku import battles, swords, tower
from sengoku.server import Server
from support.cli import run

SWORDS = ("odds", "swords", "--attacker", "daimyo=1,spear=3", "--defender", "bow=1,gun=2")
TOWER = ("odds", "tower", "--attacker", "blue=3", "--defender", "yellow=2", "--samples", "2000")
BATTLES = ("odds", "battles", "--attacker", "SSp", "--defender", "ASp:blocks=3")


def test_a_table_of_swords(tmp_path: Path) -> None:
    expected = swords.odds_table(
        range(1, 4),
        range(1, 3),
        attacker=swords.Force(daimyo=1),
        defender=swords.Force(bow=1),
        defender_unit="gun",
    )
    file = tmp_path / "table.svg"
    found = json.loads(run(*SWORDS, "--table", "--need", "0.5", "--json", "--plot", str(file)).stdout)
    needed = {str(size): count for size, count in expected.needed(0.5).items()}
    assert found == {"game": "swords"} | json.loads(json.dumps(expected.describe())) | {"needed": needed}
    assert file.read_text("utf-8") == expected.picture()
    text = run(*SWORDS, "--table", "--need", "0.5").stdout
    assert f"{100 * expected.chance[2, 0]:.1f}" in text
    assert "exact" in text
    assert "more than 3" in run(*SWORDS, "--need", "0.999").stdout


def test_a_table_of_tower() -> None:
    expected = tower.odds_table(
        range(1, 4), range(1, 3), attacker="blue", defender="yellow", method="sampled", samples=2000
    )
    found = json.loads(run(*TOWER, "--table", "--json").stdout)
    assert found == {"game": "tower"} | json.loads(json.dumps(expected.describe()))
    assert "standard error at most" in run(*TOWER, "--table").stdout
    neutral = json.loads(run("odds", "tower", "--attacker", "red=2", "--neutral", "--samples", "500",
                             "--need", "0.3", "--json").stdout)  # fmt: skip
    assert (neutral["defenders"], set(neutral["needed"])) == ([1, 2], {"1", "2"})


def test_exact_odds_of_a_clash() -> None:
    arguments = ("odds", "tower", "--attacker", "blue=3", "--defender", "yellow=2", "--contents", "red=9")
    clash = tower.Clash(("blue", 3), ("yellow", 2), contents={"red": 9})
    for more in ([], ["--exact"]):
        assert json.loads(run(*arguments, *more, "--json").stdout) == tower.describe(clash.exact())
    assert "exact" in run(*arguments).stdout
    assert "exclude each other" in run(*arguments, "--exact", "--samples", "9", code=2).stderr


def test_a_table_of_battles() -> None:
    expected = battles.odds_table("SSp", "ASp", blocks=range(1, 4))
    found = json.loads(run(*BATTLES, "--need", "0.5", "--json").stdout)
    assert found["probability"] == expected.chance.tolist()
    assert found["needed"] == {"1": 0, "2": 1, "3": 4}


def test_a_server_computes_the_same_table(server: Server) -> None:
    for question in ((*SWORDS, "--table"), (*BATTLES, "--need", "0.5")):
        here = run(*question, "--json").stdout
        assert run(*question, "--json", "--server", server.address).stdout == here


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*SWORDS, "--need", "2"), "chance is 2.0: must be above 0 and at most 1"),
        ((*SWORDS, "--table", "--plot", "table.png"), "a table is drawn as .svg"),
        ((*SWORDS, "--table", "--defender", "bow=1"), "a table has one defending force"),
        ((*BATTLES, "--table", "--faces", "TXHC"), "--faces plays one strike"),
        (("odds", "swords", "--attacker", "disrupted", "--defender", "bow=1", "--table"), "has no units"),
    ],
)
def test_errors(arguments: tuple, message: str) -> None:
    failed = run(*arguments, code=2)
    assert message in failed.stderr
