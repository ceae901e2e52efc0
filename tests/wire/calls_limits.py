"""Calls beyond what a server allows, and to one that stops."""

from __future__ import annotations

from sengoku.v1 import env_service_pb2 as pb2
from wire.stage import Stage, Talk

LIMITS = {
    "client_open_matches": 1,
    "environments": 1,
    "environment_idle": 3,
    "match_decisions": 2,
    "store_bytes": 1,
}
"""Limits that a few calls reach."""


def play(on: Stage) -> None:
    """Goes beyond the limits, and stops the server."""
    client = on.client
    with on.step("the only match"):
        match = client.create_match("battles", seed=1)
    with on.refused("one match too many of a client", "QUOTA_EXCEEDED"):
        client.create_match("battles", seed=1)
    with on.refused("one decision too many", "OVER_LIMIT"):
        for _ in range(3):
            match.play(match.legal_actions()[0])
    with on.refused("a run without room", "STORE_FULL"):
        client.start_run("battles", bots=["random"], match_count=10, seed=1, request_id="full")
    with on.step("an environment that nobody uses"):
        talk = _open(on)
        with on.expect("BUSY"):
            client.batch_env("battles", lanes=1, seed=1)
        with on.expect(""):
            talk.receive()
    with on.step("an environment of a server that stops"):
        talk = _open(on)
        on.server.stop(5.0)
        with on.expect(""):
            talk.receive()


def _open(on: Stage) -> Talk:
    """Opens an environment."""
    talk = Talk(on, "EnvService/Step")
    talk.send(pb2.StepRequest(open=pb2.EnvOpen(game="battles", lanes=1)))
    talk.receive()
    return talk
