"""PettingZoo environments of every game; needs the extra `sengoku[ai]`.

>>> table = env("tower", seats=3, seed=7, setup={"max_rounds": 2})
>>> table.reset()
>>> for agent in table.agent_iter():
...     observation, reward, terminated, truncated, info = table.last()
...     over = terminated or truncated
...     table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))
"""

from functools import partial
from inspect import signature
from operator import index
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku.engine.checks import refused
from sengoku.engine.environment import (
    RENDER_MODES,
    Actions,
    Mask,
    Observation,
    Series,
    Shaping,
    check_limit,
    check_render_mode,
    draw,
    ending,
    observation_box,
    observations,
    play_forced,
)
from sengoku.engine.features import features
from sengoku.engine.games import Setup
from sengoku.engine.match import Match
from sengoku.engine.requests import OBSERVATIONS
from sengoku.errors import ArgumentError, IllegalActionError, MatchOverError, install_hint

try:
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Space
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as missing:
    raise ImportError(f"sengoku.pettingzoo needs pettingzoo: {install_hint('ai')}") from missing

__all__ = ["MatchEnv", "ParallelMatchEnv", "env", "parallel_env", "raw_env"]


class _BaseEnv:
    """Base of both environments: agents, their spaces, and a match."""

    passing = 0
    """Number of actions after the action table of the game."""

    def __init__(
        self,
        game: str = "swords",
        *,
        seats: int | None = None,
        seed: int = 0,
        setup: Setup = None,
        max_cycles: int | None = None,
        observation: str = "bytes",
        skip_forced: bool = False,
        shaping: float | None = None,
        discount: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if observation not in OBSERVATIONS:
            raise refused("observation", repr(observation), f"must be one of {', '.join(OBSERVATIONS)}")
        self.features = features(game) if observation == "features" else None
        """How observations become features, with `observation="features"`."""
        self.skipped = 0
        """Number of forced decisions of the current match that `skip_forced` played."""
        self._skips, self._shaping = bool(skip_forced), Shaping(shaping, discount)
        self._series = Series(game, seats=seats, seed=seed, setup=setup)
        self._now: Match | None = None
        self.max_cycles = check_limit("max_cycles", max_cycles)
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {
            "name": self._series.name,
            "render_modes": list(RENDER_MODES),
            "render_fps": 4,
            "is_parallelizable": bool(self.passing),
        }
        size, actions = self._series.game.observation_size, self._series.game.action_count + self.passing
        self.possible_agents = [f"seat_{seat}" for seat in range(self._series.seats)]
        self.agents: list[str] = []
        width = None if self.features is None else self.features.width
        self.observation_spaces = {
            agent: observations(size, actions, width) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: Actions(actions, partial(self._mask, seat), self._series.seed + seat)
            for seat, agent in enumerate(self.possible_agents)
        }
        self.state_space = observation_box(size, width, self._series.seats)

    @property
    def match(self) -> Match:
        """The current match; playing in it directly bypasses the environment."""
        if self._now is None:
            raise ResetNeeded("there is no match: call reset first")
        return self._now

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the observation space of an agent, which does not change."""
        return self.observation_spaces[self._agent(agent)]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the action space of an agent; a sample without a mask is a legal action."""
        return self.action_spaces[self._agent(agent)]

    def observe(self, agent: str) -> Observation:
        """Return a copy of the observation and the legal actions of an agent."""
        seat = self._seat(agent)
        return {"observation": self._seen(seat), "action_mask": self._legal(self.match, seat)}

    def state(self) -> npt.NDArray[Any]:
        """Return the observations of all seats, concatenated, for training with a centralised critic."""
        return np.concatenate([self._seen(seat) for seat in range(self._series.seats)])

    def _seen(self, seat: int) -> npt.NDArray[Any]:
        seen = self.match.observe(seat)
        return seen if self.features is None else self.features.encode(seen)

    def _play(self, match: Match, action: int, seat: int | None = None) -> None:
        """Play an action, and the forced decisions behind it if they are skipped."""
        match.play(action, seat=seat)
        self._skip(match)

    def _skip(self, match: Match) -> None:
        if self._skips:
            self.skipped += play_forced(match)

    def render(self) -> npt.NDArray[np.uint8] | str | None:
        """Render the whole board, including hidden information."""
        return draw(lambda: self.match, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release. The match can still be read."""

    def _begin(self, seed: int | None, options: dict[str, Any] | None) -> Match:
        self._now = self._series.begin(seed, options)
        self.agents = self.possible_agents.copy()
        self._shaping.begin(self._now)
        self.skipped = 0
        self._skip(self._now)
        return self._now

    def _agent(self, agent: str) -> str:
        return self.possible_agents[self._seat(agent)]

    def _seat(self, agent: str) -> int:
        try:
            return self.possible_agents.index(agent)
        except ValueError:
            wanted = f"must be one of {', '.join(self.possible_agents)}"
            raise refused("agent", repr(agent), wanted) from None

    def _mask(self, seat: int) -> Mask | None:
        return None if self._now is None else self._legal(self._now, seat)

    def _legal(self, match: Match, seat: int) -> Mask:
        mask = np.zeros(self._series.game.action_count + self.passing, np.int8)
        if match.to_act == seat:
            mask[: self._series.game.action_count] = match.legal_mask()
        elif self.passing and not match.over:
            mask[-1] = 1
        return mask

    def _standing(self, match: Match, limit: int | None, *, stepped: bool) -> tuple[dict[str, Any], ...]:
        """Return rewards, terminations, truncations and infos by agent, after at most `limit` decisions."""
        agents, outcome = self.agents, match.outcome
        paid = [0.0] * len(agents) if outcome is None else outcome.rewards
        if stepped:
            paid = self._shaping.added_to(paid, match)
        rewards = dict(zip(agents, paid, strict=True))
        if outcome is None:
            cut = limit is not None and match.decisions >= limit
            ends = dict.fromkeys(agents, False), dict.fromkeys(agents, cut)
            return rewards, *ends, {agent: {} for agent in agents}
        ends = dict.fromkeys(agents, outcome.by_rule), dict.fromkeys(agents, not outcome.by_rule)
        return rewards, *ends, {agent: ending(outcome, seat) for seat, agent in enumerate(agents)}

    def _shown(self) -> None:
        if self.render_mode == "human":
            self.render()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for seat, agent in enumerate(self.possible_agents):
            self.action_spaces[agent].legal = partial(self._mask, seat)


class MatchEnv(_BaseEnv, AECEnv):
    """A match in which one seat at a time decides, in the order of the rules.

    Rewards come at the end, by rank: 1 for the first, -1 for the last (`Outcome.rewards`). All agents are
    terminated when a rule ends the match; they are truncated when a limit of the setup does, and after
    `max_cycles` decisions per seat on average, without rewards.

    `observation="features"`, `skip_forced`, `shaping` and `discount` are those of `BatchEnv`.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start match 0 of a seed or, without one, the next match of the current seed.

        Options may set another `match_index`, and the `setup` of this match.
        """
        match = self._begin(seed, options)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._settle(match, stepped=False)
        self._shown()

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action of the agent to act; an illegal action is refused and changes nothing."""
        match = self.match
        if not self.agents:
            raise MatchOverError("the match is over and all agents have left: reset the environment")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise refused("action", None, "must be an index, since the agent is to act")
        self._play(match, index(action), self._seat(agent))
        self._cumulative_rewards[agent] = 0.0
        self._settle(match, stepped=True)
        self._accumulate_rewards()
        self._shown()

    def _settle(self, match: Match, *, stepped: bool) -> None:
        """Set the agent to act, and what all agents get."""
        self.agent_selection = self.agents[match.to_act or 0]
        limit = None if self.max_cycles is None else self.max_cycles * self._series.seats
        standing = self._standing(match, limit, stepped=stepped)
        self.rewards, self.terminations, self.truncations, self.infos = standing


class ParallelMatchEnv(_BaseEnv, ParallelEnv):
    """A match in which all seats step at once: seats that are not to act pass.

    The last action of the space is to pass; it is the only legal action of a seat that is not to act, and
    never legal for the seat that is. One step is one decision. For rewards and ends see `MatchEnv`;
    `max_cycles` is the number of steps.
    """

    passing = 1

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a match, as `MatchEnv.reset` does."""
        match = self._begin(seed, options)
        observed = self._observed()
        if match.over:  # a position of the setup in which nothing is left to decide
            self.agents = []
        self._shown()
        return observed, {agent: {} for agent in observed}

    def step(
        self, actions: dict[str, SupportsIndex]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Play the action of the seat to act; if any action is illegal, none is played."""
        match = self.match
        if not self.agents:
            return {}, {}, {}, {}, {}
        self._play(match, self._chosen(match, actions))
        rewards, terminated, truncated, infos = self._standing(match, self.max_cycles, stepped=True)
        observed = self._observed()
        if any(terminated.values()) or any(truncated.values()):
            self.agents = []
        self._shown()
        return observed, rewards, terminated, truncated, infos

    def _observed(self) -> dict[str, Observation]:
        return {agent: self.observe(agent) for agent in self.agents}

    def _chosen(self, match: Match, actions: dict[str, SupportsIndex]) -> int:
        """Return the action of the seat to act; refuse if an agent is missing or does not pass."""
        if actions.keys() != set(self.agents):
            message = (
                f"actions are for {', '.join(actions) or 'no agent'}: must be for {', '.join(self.agents)}"
            )
            raise ArgumentError(message, {"field": "actions", "value": repr(sorted(actions))})
        passing = self._series.game.action_count
        chosen = passing
        for seat, agent in enumerate(self.agents):
            action = index(actions[agent])
            if seat == match.to_act:
                chosen = action
            elif action != passing:
                message = f"{agent} plays {action}, but is not to act: must pass ({passing})"
                raise IllegalActionError(message, {"index": str(action), "agent": agent})
        return chosen


def raw_env(game: str = "swords", **options: Any) -> MatchEnv:
    """Return the environment without the wrapper that checks the order of calls."""
    return MatchEnv(game, **options)


def env(
    game: str = "swords", **options: Any
) -> "OrderEnforcingWrapper[str, Observation, SupportsIndex | None]":
    """Return an environment with agents `seat_0`, `seat_1`, …; the options are those of `MatchEnv`.

    Without `seats` it has the fewest possible. `reset()` starts match 0 of the seed, then match 1, and so on.
    """
    return OrderEnforcingWrapper(MatchEnv(game, **options))


def parallel_env(game: str = "swords", **options: Any) -> ParallelMatchEnv:
    """Return the environment in which all agents step at once; see `ParallelMatchEnv`."""
    return ParallelMatchEnv(game, **options)


for _function in (raw_env, env, parallel_env):
    setattr(_function, "__signature__", signature(MatchEnv))  # noqa: B010 - not declared
