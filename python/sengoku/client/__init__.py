"""The SDK: a client of a server, with the methods and results of the in-process engine."""

from sengoku.client._channel import Tls
from sengoku.client.analyses import AsyncRemoteAnalysis, RemoteAnalysis
from sengoku.client.client import AsyncClient, Client
from sengoku.client.environments import AsyncRemoteBatchEnv, RemoteBatchEnv
from sengoku.client.matches import AsyncRemoteMatch, RemoteMatch
from sengoku.client.runs import AsyncRemoteRun, RemoteRun
from sengoku.client.tournaments import AsyncRemoteTournament, RemoteTournament
from sengoku.client.tower import AsyncRemoteCubeTower, RemoteCubeTower

__all__ = [
    "AsyncClient", "AsyncRemoteAnalysis", "AsyncRemoteBatchEnv", "AsyncRemoteCubeTower", "AsyncRemoteMatch",
    "AsyncRemoteRun", "AsyncRemoteTournament", "Client", "RemoteAnalysis", "RemoteBatchEnv",
    "RemoteCubeTower", "RemoteMatch", "RemoteRun", "RemoteTournament", "Tls",
]  # fmt: skip
