"""Exact, hardware-accelerated simulation of board wargames of feudal Japan.

>>> from sengoku import swords
>>> army, garrison = swords.Force(daimyo=1, bow=2, spear=3), swords.Force(bow=1, spear=4)
>>> battle = swords.Battle(army, garrison, fort="castle")
>>> battle.odds().method
'exact'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sengoku._core import Cancel, build_info, draws

if TYPE_CHECKING:
    from sengoku import battles, errors, swords, tower
    from sengoku.bots import Clock, Decision, PlayReport, play_matches
    from sengoku.client import (
        AsyncClient,
        Client,
        RemoteAnalysis,
        RemoteBatchEnv,
        RemoteCubeTower,
        RemoteMatch,
        RemoteRun,
        RemoteTournament,
        Tls,
    )
    from sengoku.engine import (
        Analysis,
        BatchEnv,
        Features,
        Match,
        MatchAnalysis,
        MatchReport,
        Message,
        Proposal,
        ReplayFile,
        RunStatus,
        RunSummary,
        Search,
        Spec,
        Survey,
        read_scenario,
        run_matches,
        run_scenarios,
        scenario,
    )
    from sengoku.engine.features import features
    from sengoku.engine.games import games
    from sengoku.engine.scenarios import scenarios
    from sengoku.engine.spec import spec
    from sengoku.errors import SengokuError

__all__ = [
    "Analysis", "AsyncClient", "BatchEnv", "Cancel", "Client", "Clock", "Decision", "Features", "Match",
    "MatchAnalysis", "MatchReport", "Message", "PlayReport", "Proposal", "RemoteAnalysis", "RemoteBatchEnv",
    "RemoteCubeTower", "RemoteMatch", "RemoteRun", "RemoteTournament", "ReplayFile", "RunStatus",
    "RunSummary", "Search", "SengokuError", "Spec", "Survey", "Tls", "__version__", "battles", "build_info",
    "draws", "errors", "features", "games", "play_matches", "read_scenario", "run_matches", "run_scenarios",
    "scenario", "scenarios", "spec", "swords", "tower",
]  # fmt: skip

__version__ = build_info()["version"]

_PACKAGES = ("errors", "engine", "bots", "client")
"""Where the public names are, in the order in which they are searched: only the last one loads grpc."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that grpc, protobuf and numpy load only where needed."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in ("battles", "errors", "swords", "tower"):
        value: Any = import_module(f"{__name__}.{name}")
    else:
        packages = (import_module(f"{__name__}.{package}") for package in _PACKAGES)
        value = next(getattr(package, name) for package in packages if hasattr(package, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
