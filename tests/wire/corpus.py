"""The corpus: every script of calls, recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from wire import (
    calls_analyses,
    calls_catalog,
    calls_env,
    calls_limits,
    calls_matches,
    calls_odds,
    calls_players,
    calls_runs,
    calls_tournaments,
    calls_watching,
)
from wire.normalise import normalise, parse
from wire.proxy import Call, Recording
from wire.stage import Stage, stage
from wire.text import call_lines


@dataclass(frozen=True)
class Script:
    """A script of calls, and the limits of the server that it needs."""

    play: Callable[[Stage], None]
    limits: dict[str, int] = field(default_factory=dict)


SCRIPTS: dict[str, Script] = {
    "catalog": Script(calls_catalog.play),
    "odds": Script(calls_odds.play),
    "matches": Script(calls_matches.play),
    "watching": Script(calls_watching.play),
    "runs": Script(calls_runs.play),
    "tournaments": Script(calls_tournaments.play),
    "analyses": Script(calls_analyses.play),
    "environments": Script(calls_env.play),
    "players": Script(calls_players.play),
    "limits": Script(calls_limits.play, calls_limits.LIMITS),
    "heartbeats": Script(calls_players.play_heartbeats, {"player_silence": 6}),
}
"""The scripts; each has a server and a golden file of its own."""


@cache
def recorded(name: str) -> tuple[Call, ...]:
    """Plays a script once."""
    script, recording = SCRIPTS[name], Recording()
    with stage(recording, **script.limits) as on:
        script.play(on)
    return tuple(call for call in recording.calls if call.label)


def corpus_text(name: str) -> str:
    """The golden text of a script."""
    calls = normalise(parse(recorded(name)))
    return "".join(f"{line}\n" for call in calls for line in call_lines(call))
