"""The `odds` commands, here and on a server."""

import json
from pathlib import Path

import pytest

from sengoku import battles, swords, tower
from sengoku.server import Server
from sengoku.swords import Battle, Force
from support.cli import run
from support.questions import BATTLE, CLASH, QUESTION, STRIKE


def test_a_table_and_histograms() -> None:
    text = run(*QUESTION, "--naval", "--fort", "castle").stdout
    odds = Battle(BATTLE.attacker, BATTLE.defenders, naval=True, fort="castle").exact()
    assert f"{odds.attacker_wins:.6f}" in text
    assert "units left to the defender" in text
    assert "█" in text


@pytest.mark.parametrize(
    ("options", "odds"),
    [
        (["--exact"], BATTLE.exact()),
        (["--samples", "10000", "--seed", "5"], BATTLE.sample(10_000, seed=5)),
        (["--max-error", "0.01"], BATTLE.odds(max_error=0.01)),
        ([], BATTLE.odds()),
    ],
)
def test_json(options: list[str], odds: swords.Odds, server: Server) -> None:
    expected = json.loads(json.dumps(swords.describe(odds)))
    assert json.loads(run(*QUESTION, *options, "--json").stdout) == expected
    remote = run(*QUESTION, *options, "--json", "--server", server.address)
    assert json.loads(remote.stdout) == expected
    assert remote.stderr == ""


@pytest.mark.parametrize(
    ("options", "odds"),
    [
        (["--samples", "3000", "--seed", "5"], tower.Clash(("blue", 4), ("yellow", 3)).sample(3000, seed=5)),
        (
            ["--max-error", "0.01", "--unrest", "--tray", "red=2,blue=1", "--contents", "red=20, farmer=9"],
            tower.Clash(
                ("blue", 4),
                ("yellow", 3),
                farmers_defend=False,
                tray={"red": 2, "blue": 1},
                contents={"red": 20, "farmer": 9},
            ).odds(max_error=0.01),
        ),
        (
            ["--max-error", "0.01", "--players", "5", "--parameters", "ledger"],
            tower.Clash(("blue", 4), ("yellow", 3), players=5, parameters="ledger").odds(max_error=0.01),
        ),
    ],
)
def test_odds_of_a_clash(options: list[str], odds: tower.Odds, server: Server) -> None:
    expected = json.loads(json.dumps(tower.describe(odds)))
    assert json.loads(run(*CLASH, *options, "--json").stdout) == expected
    assert json.loads(run(*CLASH, *options, "--json", "--server", server.address).stdout) == expected
    text = run(*CLASH, *options).stdout
    assert f"{odds.attacker_wins:.6f}" in text
    assert "armies left to the defender" in text


def test_other_kinds_of_clashes() -> None:
    for arguments, clash in (
        (["--attacker", "blue=2", "--neutral"], tower.Clash(("blue", 2), neutral=True)),
        (
            ["--attacker", "farmer=2", "--defender", "red=3", "--revolt"],
            tower.Clash(("farmer", 2), ("red", 3), revolt=True),
        ),
    ):
        text = run("odds", "tower", *arguments, "--samples", "1000", "--json").stdout
        assert json.loads(text)["attacker_wins"] == clash.sample(1000).attacker_wins


def test_a_picture_of_a_clash(tmp_path: Path) -> None:
    file = tmp_path / "new" / "odds.svg"
    run(*CLASH, "--samples", "1000", "--plot", str(file))
    text = file.read_text("utf-8")
    assert "armies left to the defender" in text
    run(*CLASH, "--plot", str(tmp_path / "odds.doc"), code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


@pytest.mark.parametrize(
    ("options", "odds"),
    [
        ([], battles.Strike("SSp", battles.Piece("ASp", 3, leader="LF")).exact()),
        (
            ["--samples", "10000", "--seed", "5"],
            battles.Strike("SSp", battles.Piece("ASp", 3, leader="LF")).sample(10_000, seed=5),
        ),
    ],
)
def test_odds_of_a_strike(options: list[str], odds: battles.Odds, server: Server) -> None:
    expected = json.loads(json.dumps(battles.describe(odds)))
    assert json.loads(run(*STRIKE, *options, "--json").stdout) == expected
    assert json.loads(run(*STRIKE, *options, "--json", "--server", server.address).stdout) == expected
    text = run(*STRIKE, *options).stdout
    assert f"{odds.defender_eliminated:.6f}" in text
    assert "blocks left to the defender" in text
    assert "the attack rolls" in text


def test_every_option_reaches_the_strike() -> None:
    text = run(
        *("odds", "battles", "--attacker", "LI:blocks=2,inspire,adjacent_leader,terrain=hill"),
        *("--attacker", "LI:leader=LF,room=1,ignore_flags=none,leader_fate=seppuku", "--against", "1"),
        *("--defender", "SSp:support,ignore_flags=1", "--terrain", "forest", "--dice-bonus", "1"),
        *("--attacker-cards", "shogun, head_collector", "--defender-cards", "vengeance"),
        *("--attacker-honor", "3", "--defender-honor", "0", "--pool", "9", "--json"),
    ).stdout
    strike = battles.Strike(
        [
            battles.Piece("LI", 2, inspire=True, adjacent_leader=True, terrain="hill"),
            battles.Piece("LI", leader="LF", room=1, ignore_flags="none", leader_fate="seppuku"),
        ],
        battles.Piece("SSp", support=True, ignore_flags=1, terrain="forest"),
        against=1,
        dice_bonus=1,
        attacker_cards=["shogun", "head_collector"],
        defender_cards=["vengeance"],
        attacker_honor=3,
        defender_honor=0,
        pool=9,
    )
    assert json.loads(text)["strike"] == repr(strike)
    shot = [
        "odds",
        "battles",
        "--attacker",
        "SB",
        "--defender",
        "LM",
        "--ranged",
        "--distance",
        "3",
        "--moved",
    ]
    told = json.loads(run(*shot, "--json").stdout)["strike"]
    assert told == repr(battles.Strike("SB", "LM", ranged=True, distance=3, moved=True))
    back = json.loads(run(*STRIKE, "--leader", "LM", "--no-battle-back", "--json").stdout)
    assert back["attacker_eliminated"] == 0


def test_a_strike_with_scripted_faces() -> None:
    text = run(*STRIKE, "--faces", "TXHH T HHH").stdout
    assert "attacker attacks, T X H H: 2 hits, no flag, 2 honor" in text
    assert "defender rolls" not in text
    told = json.loads(run(*STRIKE, "--faces", "TXHHTHHH", "--json").stdout)
    assert told["outcome"]["defender_blocks"] == 1
    assert told["steps"][0]["faces"] == ["T", "X", "H", "H"]
    assert "at least 4 needed" in run(*STRIKE, "--faces", "TX", code=2).stderr


def test_a_picture_of_a_strike(tmp_path: Path) -> None:
    file = tmp_path / "new" / "odds.svg"
    run(*STRIKE, "--plot", str(file))
    assert "blocks left to the defender" in file.read_text("utf-8")
    run(*STRIKE, "--plot", str(tmp_path / "odds.doc"), code=2)


def test_every_option_reaches_the_battle() -> None:
    text = run(
        *("odds", "swords", "--attacker", "daimyo=1, gun=2", "--defender", "spear=2,ronin=1"),
        *("--defender", "bow=1,spear=2,ronin=3,disrupted", "--fort", "fortress", "--fort-lost", "2"),
        *("--attacker-losses", "gun,bow,sword,spear,ronin", "--defender-losses", "hired_first"),
        *("--break-off-below", "2", "--break-off-after", "3", "--naval", "--json"),
    ).stdout
    battle = Battle(
        Force(daimyo=1, gun=2),
        [Force(bow=1, spear=2, ronin=3, disrupted=True), Force(spear=2, ronin=1)],
        fort="fortress",
        fort_lost=2,
        attacker_losses=("gun", "bow", "sword", "spear", "ronin"),
        defender_losses="hired_first",
        break_off_below=2,
        break_off_after=3,
        naval=True,
    )
    assert json.loads(text)["attacker_wins"] == battle.exact().attacker_wins


def test_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "new" / "odds.png"
    run(*QUESTION, "--plot", str(file))
    assert file.read_bytes().startswith(b"\x89PNG")
    for wrong in ("odds.doc", "odds", ""):
        run(*QUESTION, "--plot", str(tmp_path / wrong), code=2)
    (tmp_path / "folder.png").mkdir()
    run(*QUESTION, "--plot", str(tmp_path / "folder.png"), code=2)
    run(*QUESTION, "--plot", "/proc/odds.png", code=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.png", "new"]
