"""OpenEnv: a server of environments, and a client for it. Seeds are honoured, and many sessions run at once.

uvicorn openenv_sengoku:app --port 8000
"""

import secrets
from typing import Any

from episode import Episode
from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

SESSIONS = 64
"""Environments that one server holds at once."""


class SengokuAction(Action):
    """An answer in words."""

    answer: str


class SengokuObservation(Observation):
    """What the player reads."""

    text: str
    rules: str = ""
    """The rules; only in the first observation."""
    illegal: int = 0
    """Wrong answers so far."""


class SengokuState(State):
    """What is public about an episode; it does not name the seed, which decides all dice."""

    game: str = ""
    seat: int = 0
    decisions: int = 0


class SengokuEnvironment(Environment[SengokuAction, SengokuObservation, SengokuState]):
    """A match of one player against bots."""

    SUPPORTS_CONCURRENT_SESSIONS = True  # every episode has its own chance: no process-wide generator

    def __init__(self) -> None:
        """Wait for the first reset."""
        super().__init__()
        self._episode: Episode | None = None
        self._id: str | None = None

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **options: Any
    ) -> SengokuObservation:
        """Begin an episode; `options` are those of `Episode`. Without a seed one is drawn."""
        options = {"game": "battles", **options}
        self._episode = Episode(seed=secrets.randbits(63) if seed is None else seed, **options)
        self._id = episode_id or secrets.token_hex(8)
        return self._observed(self._episode.prompt(), rules=self._episode.rules())

    def step(self, action: SengokuAction, **_: Any) -> SengokuObservation:
        """Take an answer."""
        if self._episode is None or self._episode.done:
            raise RuntimeError("the episode is over: call reset")
        return self._observed(self._episode.answer(action.answer))

    @property
    def state(self) -> SengokuState:
        """The state of the episode."""
        found = self._episode
        if found is None:
            return SengokuState()
        public = {"game": found.game, "seat": found.seat, "decisions": found.match.decisions}
        return SengokuState(episode_id=self._id, step_count=found.steps, **public)

    def _observed(self, text: str, **more: Any) -> SengokuObservation:
        found = self._episode
        return SengokuObservation(
            text=text, done=found.done, reward=found.reward, illegal=found.illegal, **more
        )


class SengokuEnv(EnvClient[SengokuAction, SengokuObservation, SengokuState]):
    """A client of the server."""

    def _step_payload(self, action: SengokuAction) -> dict[str, Any]:
        return {"answer": action.answer}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[SengokuObservation]:
        done, reward = payload.get("done", False), payload.get("reward")
        observation = SengokuObservation(**{**payload["observation"], "done": done, "reward": reward})
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> SengokuState:
        return SengokuState(**payload)


app = create_fastapi_app(
    SengokuEnvironment,
    SengokuAction,
    SengokuObservation,
    max_concurrent_envs=SESSIONS,
    state_cls=SengokuState,
)
