"""Exact, hardware-accelerated simulation of board wargames of feudal Japan.

>>> from sengoku import swords
>>> army, garrison = swords.Force(daimyo=1, bow=2, spear=3), swords.Force(bow=1, spear=4)
>>> battle = swords.Battle(army, garrison, fort="castle")
>>> battle.odds().method
'exact'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sengoku import battles, errors, swords, tower
from sengoku._core import Cancel, build_info, draws
from sengoku.engine import (
    Analysis,
    BatchEnv,
    Match,
    MatchReport,
    Search,
    Spec,
    Survey,
    games,
    read_scenario,
    run_matches,
    run_scenarios,
    scenario,
    scenarios,
    spec,
)
from sengoku.engine.run_status import RunStatus, RunSummary
from sengoku.errors import SengokuError

if TYPE_CHECKING:
    from sengoku.bots import Clock, Decision, PlayReport, play_matches
    from sengoku.client import (
        AsyncClient,
        Client,
        RemoteBatchEnv,
        RemoteCubeTower,
        RemoteMatch,
        RemoteRun,
        RemoteTournament,
        Tls,
    )

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

# grpc and protobuf take as long to load as everything else together, so a name that needs them loads them.
_LAZY = dict.fromkeys(("Clock", "Decision", "PlayReport", "play_matches"), "sengoku.bots") | dict.fromkeys(
    (
        "AsyncClient",
        "Client",
        "RemoteBatchEnv",
        "RemoteCubeTower",
        "RemoteMatch",
        "RemoteRun",
        "RemoteTournament",
        "Tls",
    ),
    "sengoku.client",
)


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
