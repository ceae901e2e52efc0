"""The SDK: a client of a server, with the methods and results of the in-process engine."""

from sengoku.client._flow import Tls
from sengoku.client.client import AsyncClient, Client
from sengoku.client.environments import AsyncRemoteBatchEnv, RemoteBatchEnv
from sengoku.client.remote import (
    AsyncRemoteCubeTower,
    AsyncRemoteMatch,
    AsyncRemoteRun,
    RemoteCubeTower,
    RemoteMatch,
    RemoteRun,
)
from sengoku.client.tournaments import AsyncRemoteTournament, RemoteTournament

__all__ = [
    "AsyncClient",
    "AsyncRemoteBatchEnv",
    "AsyncRemoteCubeTower",
    "AsyncRemoteMatch",
    "AsyncRemoteRun",
    "AsyncRemoteTournament",
    "Client",
    "RemoteBatchEnv",
    "RemoteCubeTower",
    "RemoteMatch",
    "RemoteRun",
    "RemoteTournament",
    "Tls",
]
