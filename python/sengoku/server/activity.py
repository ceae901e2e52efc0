"""What can be read from a running server: counts, clients, problems and health."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sengoku.server.fleet_status import fleet_gauges, fleet_problems, fleet_rows

if TYPE_CHECKING:
    from sengoku.fleet import Fleet
    from sengoku.server.broadcast import Broadcaster
    from sengoku.server.dispatch import Dispatch
    from sengoku.server.executor import Executor
    from sengoku.server.jobs.analyses import Analyses
    from sengoku.server.jobs.runs import Runs
    from sengoku.server.jobs.tournaments import Tournaments
    from sengoku.server.listener import Listener
    from sengoku.server.metrics import Metrics
    from sengoku.server.player_registry import PlayerRegistry
    from sengoku.server.services.env import EnvService
    from sengoku.server.services.matches import MatchService
    from sengoku.server.unsent import Unsent
    from sengoku.storage import Store

_RUN_SERVICES = ("sengoku.v1.SimulationService", "google.longrunning.Operations")
_TOURNAMENT_SERVICE = "sengoku.v1.TournamentService"
_ANALYSIS_SERVICE = "sengoku.v1.AnalysisService"


class ServerActivity:
    """The part of `Server` that changes nothing."""

    if TYPE_CHECKING:
        fleet: Fleet | None
        metrics: Metrics
        _serving: bool
        _store: Store
        _executor: Executor
        _listener: Listener
        _broadcaster: Broadcaster
        _players: PlayerRegistry
        _environments: EnvService
        _matches: MatchService
        _runs: Runs
        _tournaments: Tournaments
        _analyses: Analyses
        _unsent: Unsent
        _dispatch: Dispatch

    def _counts_now(self) -> dict[str, Callable[[], Any]]:
        """Return the counts that both metrics and the status have."""
        return {
            "queue": self._executor.counts,
            "runs": self._runs.counts,
            "tournaments": self._tournaments.counts,
            "open_matches": self._matches.open_matches,
            "players": self._players.connected,
            "environments": self._environments.environments,
        }

    def _watch(self) -> None:
        """Let metrics read the counts of this server."""
        unsent = self._unsent
        if self.fleet is not None:
            self.metrics.watch(**fleet_gauges(self.fleet))
        self.metrics.watch(
            **self._counts_now(),
            bots_deciding=self._matches.bots_deciding,
            watchers=lambda: self._broadcaster.watchers,
            frames_made=lambda: self._broadcaster.made,
            store_bytes=self._store.bytes_used,
            healed=lambda: self._runs.healer.healed,
            quarantined=lambda: self._store.quarantined,
            serving=lambda: {name: int(serves) for name, serves in self._serving_now().items()},
            restarts=lambda: {
                "run": self._runs.workers.restarts,
                "tournament": self._tournaments.workers.restarts,
                "analysis": self._analyses.workers.restarts,
            },
            connections=self._listener.counts,
            unsent_responses=lambda: unsent.count,
            unsent_bytes=lambda: unsent.bytes,
        )

    def _activity(self, missing: Sequence[str]) -> dict[str, Callable[[], Any]]:
        """Return what the status of the server is read from."""
        return self._counts_now() | {
            "calls": lambda: self.calls_under_way,
            "calls_ended": self.metrics.ended,
            "clients": self._use_by_client,
            "connections": lambda: self._listener.counts().get("open", 0),
            "store_bytes": self._store.bytes_used,
            "problems": self.problems,
            "fleet": lambda: "" if self.fleet is None else self.fleet.address,
            "fleet_workers": lambda: fleet_rows(self.fleet),
            "plays": lambda: dict(self.metrics.plays),
            "stopping": lambda: self._dispatch.closing,
            "missing_packages": lambda: missing,
        }

    def _serving_now(self) -> dict[str, bool]:
        """Return whether each service that stores its work can do so."""
        runs, tournaments = not self._runs.problem, not self._tournaments.problem
        analyses = not self._analyses.problem
        stored = {_TOURNAMENT_SERVICE: tournaments, _ANALYSIS_SERVICE: analyses}
        return dict.fromkeys(_RUN_SERVICES, runs) | stored

    def problems(self) -> list[str]:
        """Return what does not work at the moment, although the server takes calls; one line each."""
        if not self._serving:
            return []
        found = [f"runs: {text}" for text in [self._runs.problem] if text]
        found += [f"tournaments: {text}" for text in [self._tournaments.problem] if text]
        found += [f"analyses: {text}" for text in [self._analyses.problem] if text]
        found += [f"store: {text}" for text in self._store.damage.values()]
        found += fleet_problems(self.fleet)
        if self._store.quarantined:
            found.append(f"store: {self._store.quarantined} damaged rows are in quarantine")
        return [" ".join(line.split()) for line in found]

    @property
    def calls_under_way(self) -> int:
        """Calls under way."""
        return self._dispatch.under_way

    def _use_by_client(self) -> dict[str, dict[str, int]]:
        """Return what each client uses at the moment, by name."""
        calls, streams = self._dispatch.by_client()
        turns = self._executor.queue.clients()
        counts = {
            "calls": calls,
            "streams": streams,
            "waiting": {name: waiting for name, (waiting, _) in turns.items()},
            "working": {name: working for name, (_, working) in turns.items()},
            "runs": self._runs.by_client(),
            "tournaments": self._tournaments.by_client(),
        }
        names = sorted(set[str]().union(*counts.values()))
        return {name: {what: found.get(name, 0) for what, found in counts.items()} for name in names}

    @property
    def work_under_way(self) -> int:
        """Functions that run in threads, also for calls whose caller has left."""
        return self._executor.under_way

    @property
    def turns_under_way(self) -> int:
        """Turns of heavy work that run: calls, and chunks of jobs."""
        return self._executor.queue.running

    @property
    def unsent_responses(self) -> int:
        """Responses that are being sent."""
        return self._unsent.count

    @property
    def unsent_bytes(self) -> int:
        """Bytes of these."""
        return self._unsent.bytes

    def connections(self) -> dict[str, int]:
        """Return the connections: open, verified, and since the start accepted and closed by reason."""
        return self._listener.counts()
