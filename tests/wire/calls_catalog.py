"""Calls of CatalogService and of the health check."""

from __future__ import annotations

import tempfile
from pathlib import Path

from sengoku import Cancel, games
from sengoku.v1 import catalog_service_pb2, simulation_service_pb2
from wire.calls_players import First
from wire.stage import Background, Stage, soon

OWN = """\
name = "Skirmish at the stream"
flags_to_win = 4
top = { name = "North", command_cards = 5, dragon_cards = 2, honor = 5 }
bottom = { name = "South", command_cards = 5, dragon_cards = 2, honor = 5 }
first_player = "bottom"
victory = [{ kind = "units_across_river", side = "bottom", bank = "top", flags_per_unit = 1 }]
terrain_rules = { river_fordable = true }

[deployment]
basis = "invented"
narrative = "Two patrols meet at a stream."
terrain = [
  "............",
   "...........",
  "..f......f..",
   "...........",
  "............",
   "rrrrdrrrrrr",
  "............",
   "....h......",
  "............",
   "...........",
  "............",
]
top = ["ASp@3,3", "SSp+LF(Taro)@3,4", "AB@3,5", "ASp@3,6"]
bottom = ["ASp@7,3", "SSpC+LM@8,5", "AA@7,5", "ASp@7,6"]
"""
"""A battle that the catalogue does not have."""


def play(on: Stage) -> None:
    """Asks what the server has."""
    client = on.client
    with on.step("games"):
        client.games()
    for game in games():
        with on.step(f"scenarios of {game.name}"):
            client.scenarios(game.name)
        with on.step(f"specification of {game.name}"):
            client.spec(game.name)
    with on.step("scenarios of all games"):
        client.scenarios()
    for name in ("japan", "moon", "8"):
        with on.step(f"scenario {name}"):
            client.scenario(name)
    with on.step("a scenario of a game"):
        client.scenario("sun", "tower")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "own.toml")
        file.write_text(OWN, "utf-8")
        with on.step("a custom scenario"):
            client.read_scenario(file, "battles")
    with on.step("models of the cube tower"):
        client.tower_models()
    with on.step("version"):
        client.version()
    with on.step("health"):
        client.health()
    _refused(on)
    _status(on)


def _refused(on: Stage) -> None:
    client = on.client
    with on.refused("scenarios refused: an unknown game", "INVALID_ARGUMENT"):
        client.scenarios("chess")
    with on.refused("a scenario refused: an unknown name", "INVALID_ARGUMENT"):
        client.scenario("41")
    with on.refused("a scenario refused: no name", ""):
        on.raw("CatalogService/GetScenario", catalog_service_pb2.GetScenarioRequest(game="tower"))
    with on.refused("a scenario refused: a text that is none", ""):
        on.raw("CatalogService/GetScenario", catalog_service_pb2.GetScenarioRequest(text="deployment = 3"))
    with on.refused("a specification refused: an unknown game", "INVALID_ARGUMENT"):
        client.spec("chess")


def _status(on: Stage) -> None:
    """A status with something of everything: nothing else is under way on this server."""
    client, stop = on.client, Cancel()
    with on.step("what a status counts"):
        player = Background(lambda: client.serve_bot(First(), stop=stop))
        soon(lambda: bool(on.direct(catalog_service_pb2.GetStatusRequest()).players))
        with (
            client.create_match("battles", seed=1),
            client.batch_env("battles", lanes=1, seed=1),
        ):
            client.run_matches("battles", bots=["random"], match_count=2, seed=1)
            client.start_run("swords", bots=["random"], match_count=3, seed=1, setup={"max_rounds": 1}).wait()
            long = simulation_service_pb2.RunMatchesRequest(
                game="battles", bots=["random"], match_count=50_000_000
            )
            on.direct(simulation_service_pb2.StartRunRequest(run=long))
            tournament = on.direct_client.create_tournament(
                'bots = [{name = "greedy"}, {name = "random"}]\n'
                'games = [{game = "tower", seats = 3, blocks = 4000}]\nseed = 7\n'
            )
            soon(lambda: _busy(on))
            client.status()
            tournament.cancel()
        stop.cancel()
        player.join()


def _busy(on: Stage) -> bool:
    """Whether a run and a tournament are under way."""
    status = on.direct(catalog_service_pb2.GetStatusRequest())
    running = {count.state for count in status.runs} >= {simulation_service_pb2.RUN_STATE_RUNNING}
    return running and bool(status.working) and any(play.game == "tower" for play in status.plays)
