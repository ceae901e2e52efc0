"""The environments: one learner against built-in bots, and a match of all seats."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from sengoku.engine.checks import check_integer
from sengoku.engine.environment import Actions, Series, check_limit, ending, observations
from sengoku.errors import ArgumentError, MatchOverError, install_hint

try:
    import gymnasium
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as missing:
    raise ImportError(f"sengoku.rllib needs RLlib: {install_hint('rllib')}") from missing

from sengoku.gymnasium import LearnerEnv, LearnerVectorEnv

__all__ = ["MatchEnv", "learner_env"]

_Seats = dict[str, Any]


def _options(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the options of an environment; those that RLlib adds for itself are attributes, not items."""
    return dict(config or {})


def _seeded(config: Mapping[str, Any] | None, options: dict[str, Any]) -> dict[str, Any]:
    """Give every environment runner matches of its own, from the seed of the configuration."""
    worker = int(getattr(config, "worker_index", 0) or 0)
    return options | {"seed": (int(options.get("seed", 0)) + worker) % 2**64}


def learner_env(config: Mapping[str, Any] | None = None) -> gymnasium.Env[Any, Any] | LearnerVectorEnv:
    """Return the environment of one learner: many matches in lockstep if RLlib asks for several.

    The configuration has the options of `sengoku.gymnasium.LearnerEnv`. RLlib asks for several with
    `config.env_runners(num_envs_per_env_runner=64, gym_env_vectorize_mode="vector_entry_point")`; the
    matches of a runner are then stepped by compiled code, on `threads` threads (default: 1).
    """
    options = _seeded(config, _options(config))
    lanes = options.pop("num_envs", None)
    if lanes is None:
        options.pop("threads", None)
        return LearnerEnv(**options)
    return LearnerVectorEnv(num_envs=check_integer("num_envs", lanes, 1, 1 << 20), **{"threads": 1} | options)


class MatchEnv(MultiAgentEnv):
    """A match in which every seat is an agent, `seat_0` and so on, and one acts at a time.

    The configuration has `game`, `seats`, `seed`, `setup`, and `max_decisions`, after which a match is
    truncated. Only the seat that is to act is in the observations. All seats get their reward at the end, by
    rank: 1 for the first, -1 for the last.

    An illegal action raises `IllegalActionError`.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        options: dict[str, Any] = {"game": "swords", "seats": None, "setup": None, "max_decisions": None}
        options |= _seeded(config, _options(config))
        self._limit = check_limit("max_decisions", options.pop("max_decisions"))
        self._series = series = Series(**options)
        self._match: Any = None
        self._decisions = 0
        size, actions = series.game.observation_size, series.game.action_count
        self.possible_agents = [f"seat_{seat}" for seat in range(series.seats)]
        self.agents = list(self.possible_agents)
        self.observation_spaces = {agent: observations(size, actions) for agent in self.agents}
        self.action_spaces = {
            agent: Actions(actions, partial(self._mask, seat), series.seed + seat)
            for seat, agent in enumerate(self.agents)
        }

    @property
    def match(self) -> Any:
        """The current match."""
        return self._match

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[_Seats, _Seats]:
        """Start match 0 of a seed or, without one, the next match."""
        self._match = self._series.begin(seed, options)
        self._decisions = 0
        self.agents = list(self.possible_agents)
        return self._observed(), {}

    def step(self, action_dict: dict[str, Any]) -> tuple[_Seats, _Seats, _Seats, _Seats, _Seats]:
        """Play the action of the seat that is to act."""
        match = self._match
        if match is None or match.over:
            raise MatchOverError("the match is over: reset the environment")
        seat = match.to_act
        agent = self.possible_agents[seat]
        if list(action_dict) != [agent]:
            message = f"actions are of {', '.join(action_dict) or 'nobody'}, expected one of {agent}"
            raise ArgumentError(message, {"field": "action_dict", "value": ", ".join(action_dict)})
        match.play(int(action_dict[agent]), seat=seat)
        self._decisions += 1
        if match.over:
            return self._end(match.outcome)
        cut = self._limit is not None and self._decisions >= self._limit
        if cut:
            return self._cut()
        none = dict.fromkeys(("__all__",), False)
        # RLlib expects a reward for everybody who acted and is to act again.
        return self._observed(), {agent: 0.0}, dict(none), dict(none), {}

    def _end(self, outcome: Any) -> tuple[_Seats, _Seats, _Seats, _Seats, _Seats]:
        agents = self.possible_agents
        rewards = {agent: float(outcome.rewards[seat]) for seat, agent in enumerate(agents)}
        by_rule = outcome.by_rule
        infos = {agent: ending(outcome, seat) for seat, agent in enumerate(agents)}
        terminated = dict.fromkeys((*agents, "__all__"), by_rule)
        truncated = dict.fromkeys((*agents, "__all__"), not by_rule)
        return self._all_observed(), rewards, terminated, truncated, infos

    def _cut(self) -> tuple[_Seats, _Seats, _Seats, _Seats, _Seats]:
        agents = self.possible_agents
        terminated = dict.fromkeys((*agents, "__all__"), False)
        truncated = dict.fromkeys((*agents, "__all__"), True)
        return self._all_observed(), dict.fromkeys(agents, 0.0), terminated, truncated, {}

    def _mask(self, seat: int) -> npt.NDArray[np.int8] | None:
        match = self._match
        if match is None or match.over or match.to_act != seat:
            return None
        return np.asarray(match.legal_mask(), np.int8)

    def _seen(self, seat: int) -> dict[str, Any]:
        mask = self._mask(seat)
        if mask is None:
            mask = np.zeros(self._series.game.action_count, np.int8)
        return {"observation": self._match.observe(seat), "action_mask": mask}

    def _observed(self) -> _Seats:
        seat = self._match.to_act
        return {self.possible_agents[seat]: self._seen(seat)}

    def _all_observed(self) -> _Seats:
        return {agent: self._seen(seat) for seat, agent in enumerate(self.possible_agents)}
