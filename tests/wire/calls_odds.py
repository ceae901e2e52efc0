"""Calls of OddsService and TowerService."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from sengoku import AsyncClient, battles, swords, tower
from sengoku.v1 import battles_pb2, odds_service_pb2, swords_pb2, tower_pb2, tower_service_pb2
from wire.stage import TIMEOUT, Stage

GEOMETRY = Path(__file__).parents[2] / "rust/tower-physics/data/boards.toml"
ARMY = swords.Force(daimyo=1, bow=2, gun=2, sword=2, spear=3, ronin=1)
BATTLE = swords.Battle(
    ARMY,
    [swords.Force(bow=1, gun=1, spear=3, ronin=2, disrupted=True), swords.Force(bow=1, spear=2)],
    fort="fortress",
    fort_lost=1,
    naval=True,
    attacker_losses=("bow", "spear", "ronin", "gun", "sword"),
    defender_losses="hired_first",
    break_off_below=3,
    break_off_after=4,
)
DUEL = swords.Battle(swords.Force(spear=1), swords.Force(spear=1), fort="castle")
CLASH = tower.Clash(
    ("blue", 4),
    ("yellow", 3),
    tray={"red": 2, "blue": 1, "yellow": 1, "purple": 1, "black": 1, "farmer": 3},
    contents={"red": 9, "blue": 8, "yellow": 5, "purple": 2, "black": 9, "farmer": 6},
    farmers_defend=False,
    players=5,
    parameters="ledger",
)
CLASHES = (
    tower.Clash(("purple", 3), neutral=True, players=3),
    tower.Clash(("farmer", 2), ("black", 3), revolt=True, players=5),
    tower.Clash(
        ("red", 2),
        ("blue", 2),
        parameters={
            "shelves": [{"capacity": 20, "stick_per_mille": 900, "dislodge": 700, "burst": 2000}] * 3
        },
    ),
)
KNOWN = tower.Clash(
    ("blue", 2),
    ("yellow", 1),
    shelves=[{"blue": 2, "farmer": 1}, {"yellow": 3, "black": 1}],
    parameters="ledger",
)
STRIKE = battles.Strike(
    [battles.Piece("LI", inspire=True, adjacent_leader=True, terrain="hill"), battles.Piece("LI", 1)],
    battles.Piece("SSpC", 2, leader="LM", terrain="forest", support=True, ignore_flags=1, room=2),
    against=1,
    attacker_honor=1,
    defender_honor=2,
    pool=3,
    attacker_cards=["shogun"],
    defender_cards=["ambush"],
    dice_bonus=1,
)
SHOT = battles.Strike(
    "AB",
    battles.Piece("LF", leader_fate="seppuku"),
    ranged=True,
    distance=2,
    moved=True,
    battle_back=False,
)


def play(on: Stage) -> None:
    """Asks for odds and throws."""
    _odds(on)
    _batches(on)
    _raw_odds(on)
    _refused_odds(on)
    _tower(on)
    asyncio.run(_awaited(on))


def _odds(on: Stage) -> None:
    client = on.client
    with on.step("odds of a battle"):
        client.odds(BATTLE)
    with on.step("odds of a battle with an error and a seed"):
        client.odds(BATTLE, max_error=0.01, seed=2**64 - 1)
    with on.step("exact odds of a battle"):
        client.exact(DUEL)
    with on.step("sampled odds of a battle"):
        client.sample(BATTLE, 2000, seed=42)
    with on.step("odds of a clash"):
        client.odds(CLASH, max_error=0.05, seed=3)
    with on.step("sampled odds of a clash"):
        client.sample(CLASH, 500, seed=7)
    with on.step("exact odds of a clash with known shelves"):
        client.exact(KNOWN)
    for number, clash in enumerate(CLASHES):
        with on.step(f"sampled odds of clash {number}"):
            client.sample(clash, 100, seed=7)
    with on.step("odds of a strike"):
        client.odds(STRIKE)
    with on.step("exact odds of a strike"):
        client.exact(SHOT)
    with on.step("sampled odds of a strike"):
        client.sample(STRIKE, 1000, seed=42)
    with on.step("sampled odds of a strike against a leader"):
        client.sample(battles.Strike(battles.Piece("SSp", leader="LM"), battles.Piece("BG", 2)), 1000, seed=1)


def _batches(on: Stage) -> None:
    client = on.client
    with on.step("odds of many battles"):
        client.batch_odds([BATTLE, DUEL], method="sampled", samples=500, seed=9)
    with on.step("exact odds of many battles"):
        client.batch_odds([DUEL, DUEL], method="exact")
    with on.step("odds of many clashes"):
        client.batch_odds([CLASH, *CLASHES], max_error=0.1, seed=9)
    with on.step("odds of many strikes"):
        client.batch_odds([STRIKE, SHOT], method="auto", seed=9)
    with on.step("sampled odds of many strikes"):
        client.batch_odds([STRIKE, SHOT], method="sampled", samples=200, seed=9)
    with on.step("tables of odds"):
        swords.odds_table(range(1, 3), [2], naval=True, client=client)
        tower.odds_table(range(1, 3), [2], contents={"red": 3, "farmer": 2}, method="sampled",
                         samples=50, client=client)  # fmt: skip
        battles.odds_table("SSp", "ASp", dice_bonus=range(2), blocks=[1], client=client)
    with on.step("odds of no battles"):
        client.batch_odds([])
    for name in battles_pb2.BattlesKind.keys()[1:]:
        with on.step(f"odds of strikes with {name}"):
            piece = battles_pb2.BattlesPiece(kind=name)
            led = battles_pb2.BattlesPiece(kind="BATTLES_KIND_SSP", leader=name)
            _attempt(on, attackers=[piece], defender=_LEVIES)
            _attempt(on, attackers=[_LEVIES], defender=piece)
            _attempt(on, attackers=[_LEVIES], defender=led)
    for name in battles_pb2.BattlesTerrain.keys()[1:]:
        with on.step(f"odds of a strike against {name}"):
            levies = battles_pb2.BattlesPiece(kind="BATTLES_KIND_LI", terrain=name)
            _attempt(on, attackers=[_LEVIES], defender=levies)
    for name in battles_pb2.BattlesCard.keys()[1:]:
        with on.step(f"odds of strikes with {name}"):
            _attempt(on, attackers=[_RIDERS], defender=_LEVIES, attacker_cards=[name])
            _attempt(on, attackers=[_LEVIES], defender=_RIDERS, defender_cards=[name])


_LEVIES = battles_pb2.BattlesPiece(kind="BATTLES_KIND_LI")
_RIDERS = battles_pb2.BattlesPiece(kind="BATTLES_KIND_SSPC", leader="BATTLES_KIND_LM")


def _attempt(on: Stage, **strike: Any) -> None:
    """Asks for the odds of a strike; not every piece fits everywhere, and a refusal is recorded as well."""
    options = odds_service_pb2.OddsOptions(method="ODDS_METHOD_SAMPLED", samples=4)
    strikes = [battles_pb2.BattlesStrike(**strike)]
    on.attempt(
        "OddsService/BatchEvaluate",
        odds_service_pb2.BatchEvaluateRequest(battles_strikes=strikes, options=options),
    )


def _raw_odds(on: Stage) -> None:
    force = swords_pb2.SwordsForce
    battle = swords_pb2.SwordsBattle(
        attacker=force(daimyo=1, bow=1, spear=2), defenders=[force(sword=1, spear=2)], break_off_after=1
    )
    options = odds_service_pb2.OddsOptions(include_survivors=True)
    with on.step("odds of a battle with survivors"):
        on.raw(
            "OddsService/Evaluate", odds_service_pb2.EvaluateRequest(swords_battle=battle, options=options)
        )
    with on.step("odds without options"):
        on.raw("OddsService/Evaluate", odds_service_pb2.EvaluateRequest(swords_battle=battle))


def _refused_odds(on: Stage) -> None:
    party = tower_pb2.TowerParty(colour=tower_pb2.TOWER_COLOUR_RED, cubes=2)
    clash = tower_pb2.TowerClash(attacker=party, defender=party, parameters_json="{")
    evaluate = odds_service_pb2.EvaluateRequest
    wrong = {
        "no question": evaluate(),
        "an empty battle": evaluate(swords_battle=swords_pb2.SwordsBattle()),
        "a clash with itself": evaluate(tower_clash=clash),
        "a strike without a defender": evaluate(battles_strike=battles_pb2.BattlesStrike()),
        "an unknown method": evaluate(
            tower_clash=tower_pb2.TowerClash(attacker=party),
            options=odds_service_pb2.OddsOptions(method=7),  # type: ignore[arg-type]
        ),
        "bytes that are no message": b"\xff\xff\xff",
    }
    for label, request in wrong.items():
        with on.refused(f"odds refused: {label}", ""):
            on.raw("OddsService/Evaluate", request)
    rows = odds_service_pb2.BatchEvaluateRequest(
        swords_battles=[swords_pb2.SwordsBattle()], tower_clashes=[tower_pb2.TowerClash()]
    )
    with on.refused("many odds refused: two kinds", ""):
        on.raw("OddsService/BatchEvaluate", rows)
    del rows.tower_clashes[:]
    with on.refused("many odds refused: an empty battle", ""):
        on.raw("OddsService/BatchEvaluate", rows)
    with on.refused("exact odds refused: too many states", "STATE_SPACE_TOO_LARGE"):
        on.client.exact(swords.Battle(ARMY, ARMY, break_off_after=1_000_000))
    with on.refused("sampled odds refused: too many samples", "OVER_LIMIT"):
        on.client.sample(DUEL, 20_000_000_000)
    with on.refused("unknown method", ""):
        on.raw("OddsService/Guess", evaluate())


def _tower(on: Stage) -> None:
    client = on.client
    fill = tower.fill(4)
    device = client.cube_tower(
        seed=7, match_index=3, contents={"red": 3, "blue": 2, "farmer": 4}, parameters="ledger"
    )
    with on.step("throws into a tower"):
        device.throw(fill)
        device.throw({"purple": 2, "black": 1, "yellow": 1, "farmer": 2})
    rigid = client.cube_tower("rigid", seed=1, contents={"red": 2, "black": 2})
    with on.step("a throw into a rigid tower"):
        rigid.throw({"blue": 4, "yellow": 3, "red": 1, "purple": 1, "black": 1, "farmer": 2})
    short = GEOMETRY.read_text("utf-8").replace("limit_seconds = 6.0", "limit_seconds = 0.5")
    with on.step("a throw into a rigid tower that ends before it is at rest"):
        client.cube_tower("rigid", seed=1, parameters=short).throw({"red": 3})
    with on.step("a film of a throw"):
        client.film({"blue": 2, "yellow": 1}, seed=1, contents={"red": 1}, frames_per_second=10)
    with on.step("a film of a throw into a filled tower"):
        client.film({"red": 1, "purple": 1, "black": 1, "farmer": 1}, seed=2, match_index=3, players=5,
                    parameters="plates", frames_per_second=2)  # fmt: skip
    with on.step("a film of the next throw"):
        request = tower_service_pb2.FilmThrowRequest(
            data=rigid.save(), cubes=tower_pb2.TowerCubes(red=1), frames_per_second=2
        )
        on.raw("TowerService/FilmThrow", request)
    with on.refused("a film refused: a model without films", ""):
        paper = tower_service_pb2.FilmThrowRequest(new_tower=tower_service_pb2.NewTower())
        on.raw("TowerService/FilmThrow", paper)
    new = tower_service_pb2.NewTower(
        model="shelves",
        seed=5,
        match_index=2,
        contents=tower_pb2.TowerCubes(red=1, blue=2, yellow=3, purple=4, black=5, farmer=6),
        parameters_json='"ledger"',
    )
    cubes = tower_pb2.TowerCubes(red=6, blue=5, yellow=4, purple=3, black=2, farmer=1)
    with on.step("a throw into a new tower"):
        on.raw("TowerService/Throw", tower_service_pb2.ThrowRequest(new_tower=new, cubes=cubes))
    with on.step("many throws"):
        client.simulate_throws(
            {"blue": 4, "yellow": 3, "farmer": 3},
            count=40,
            seed=7,
            first=5,
            contents={"red": 5},
            parameters="ledger",
        )
    with on.step("many throws one after the other"):
        client.simulate_throws({"blue": 4, "yellow": 3}, count=10, seed=7, sequence=True)
    with on.refused("a throw refused: no tower", ""):
        on.raw("TowerService/Throw", tower_service_pb2.ThrowRequest(cubes=cubes))
    with on.refused("a throw refused: bytes that are no tower", ""):
        on.raw("TowerService/Throw", tower_service_pb2.ThrowRequest(data=b"no tower", cubes=cubes))
    with on.refused("many throws refused: an unknown model", "INVALID_ARGUMENT"):
        client.simulate_throws({"blue": 4}, count=1, model="paper")
    with on.refused("many throws refused: too many", "OVER_LIMIT"):
        client.simulate_throws({"blue": 4}, count=2_000_000)


async def _awaited(on: Stage) -> None:
    """Some of the calls by an AsyncClient, which sends the same bytes."""
    async with AsyncClient(on.address, timeout=TIMEOUT, retries=0) as client:
        with on.step("awaited: exact odds of a battle"):
            await client.exact(DUEL)
        with on.step("awaited: odds of many strikes"):
            await client.batch_odds([STRIKE, SHOT], method="sampled", samples=200, seed=9)
        with on.step("awaited: a throw into a tower"):
            await client.cube_tower(seed=7).throw({"purple": 2, "farmer": 2})
