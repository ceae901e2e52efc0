"""Fleets: bulk work on many machines, byte for byte as in one process (needs Ray: `sengoku[fleet]`)."""

from sengoku.fleet.fleet import Fleet
from sengoku.fleet.identity import Identity
from sengoku.fleet.ranges import Options
from sengoku.fleet.status import FleetStatus, WorkerStatus

__all__ = ["Fleet", "FleetStatus", "Identity", "Options", "WorkerStatus"]
