"""A network for PPO that plays only legal actions; needs torch.

Pass it to RLlib as `RLModuleSpec(module_class=MaskedModule, model_config={"hidden": [256, 256]})`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from sengoku.errors import install_hint

try:
    import torch
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from torch import nn
except ImportError as missing:
    raise ImportError(
        f"sengoku.rllib.module needs RLlib and torch: {install_hint('rllib')}, and torch"
    ) from missing

__all__ = ["MaskedModule"]

_ILLEGAL = -1e9
"""Added to the logits of illegal actions."""


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """A policy and a value on shared layers; the logits of illegal actions are so low that none is drawn.

    `model_config` may have `hidden`, the widths of the layers.
    """

    def setup(self) -> None:
        """Build the layers."""
        widths = [
            self.observation_space["observation"].shape[0],
            *self.model_config.get("hidden", (256, 256)),
        ]
        layers: list[Any] = []
        for before, after in pairwise(widths):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self._body = nn.Sequential(*layers)
        self._policy = nn.Linear(widths[-1], int(self.action_space.n))
        self._value = nn.Linear(widths[-1], 1)

    def _embed(self, batch: dict[str, Any]) -> Any:
        return self._body(batch[Columns.OBS]["observation"].to(torch.float32) / 255.0)

    def _logits(self, batch: dict[str, Any], embedded: Any) -> Any:
        mask = batch[Columns.OBS]["action_mask"].to(torch.float32)
        return self._policy(embedded) + (1.0 - mask) * _ILLEGAL

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self._logits(batch, self._embed(batch))}

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        embedded = self._embed(batch)
        return {Columns.ACTION_DIST_INPUTS: self._logits(batch, embedded), Columns.EMBEDDINGS: embedded}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        """Return the expected reward of each row."""
        return self._value(self._embed(batch) if embeddings is None else embeddings).squeeze(-1)
