"""Simulates board wargames of feudal Japan exactly and at the speed of the hardware.

>>> from sengoku import swords
>>> army, garrison = swords.Force(daimyo=1, bow=2, spear=3), swords.Force(bow=1, spear=4)
>>> battle = swords.Battle(army, garrison, fort="castle")
>>> battle.odds().method
'exact'
"""

from sengoku import battles, errors, swords, tower
from sengoku._core import Cancel, build_info, draws
from sengoku.batch import BatchEnv
from sengoku.catalogue import read_scenario, scenario, scenarios
from sengoku.client import AsyncClient, Client, Tls
from sengoku.engine import Match, MatchReport, games, run_matches
from sengoku.errors import SengokuError
from sengoku.players import Clock, Decision, PlayReport, play_matches
from sengoku.remote import RemoteCubeTower, RemoteMatch, RemoteRun
from sengoku.remote_batch import RemoteBatchEnv
from sengoku.remote_tournament import RemoteTournament
from sengoku.runs import RunStatus, RunSummary
from sengoku.search import Analysis, Search
from sengoku.specification import Spec, spec
from sengoku.survey import Survey, run_scenarios

__all__ = [
    "Analysis",
    "AsyncClient",
    "BatchEnv",
    "Cancel",
    "Client",
    "Clock",
    "Decision",
    "Match",
    "MatchReport",
    "PlayReport",
    "RemoteBatchEnv",
    "RemoteCubeTower",
    "RemoteMatch",
    "RemoteRun",
    "RemoteTournament",
    "RunStatus",
    "RunSummary",
    "Search",
    "SengokuError",
    "Spec",
    "Survey",
    "Tls",
    "__version__",
    "battles",
    "build_info",
    "draws",
    "errors",
    "games",
    "play_matches",
    "read_scenario",
    "run_matches",
    "run_scenarios",
    "scenario",
    "scenarios",
    "spec",
    "swords",
    "tower",
]

__version__ = build_info()["version"]
