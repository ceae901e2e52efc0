"""Batched environments (env_service.proto)."""

import math
from collections.abc import Mapping
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku.engine.batch import BatchEnv
from sengoku.errors import DecodeError, SengokuError
from sengoku.v1 import env_service_pb2 as pb2
from sengoku.v1 import game_pb2
from sengoku.wire.codec import Codec, EnumNames, Field, arguments, optional, whole_argument
from sengoku.wire.errors import error_from_status
from sengoku.wire.matches import outcome_to_proto
from sengoku.wire.tensors import (
    Columns,
    Numbers,
    columns_of,
    encode_columns,
    tensor_from_proto,
    tensor_to_proto,
)
from sengoku.wire.values import U32_MAX, text_to_proto, whole_to_proto

_AUTORESETS = EnumNames(pb2.Autoreset, "next_step")
_COLUMNS: Columns = {
    "observation": ("u1", 2),
    "legal_bits": ("u1", 2),
    "seat": ("i1", 1),
    "reward": ("<f4", 2),
    "terminated": ("?", 1),
    "truncated": ("?", 1),
    "match_index": ("<u8", 1),
    "decisions": ("<u4", 1),
    "skipped": ("<u4", 1),
    "final_observation": ("u1", 2),
    "final_match_index": ("<u8", 1),
    "final_decisions": ("<u4", 1),
}
"""The columns of an environment."""
OPEN: Codec[Any, pb2.EnvOpen] = Codec(
    dict[str, Any],
    pb2.EnvOpen,
    Field(
        "autoreset",
        "autoreset",
        lambda name: _AUTORESETS.checked_number("autoreset", name),
        lambda message, wire: _AUTORESETS.name(message.autoreset, wire),
    ),
    *arguments("game"),
    whole_argument("lanes", (1 << 31) - 1),
    *arguments("seats", "setup", "seed", "first_match"),
    Field(
        "bots",
        "bots",
        lambda bots: {seat: text_to_proto("bots", name) for seat, name in bots.items()},
        lambda message, _wire: dict(message.bots),
    ),
    whole_argument("max_decisions", U32_MAX, is_optional=True),
    Field("record", "record", bool),
    Field("skip_forced", "skip_forced", bool),
    *optional("shaping"),
    Field(
        "discount",
        "discount",
        lambda number: 0.0 if number == 1.0 else number,
        lambda message, wire: getattr(message, wire) or 1.0,
    ),
)
env_to_proto = OPEN.encode


def env_from_proto(message: pb2.EnvOpen, *, threads: int) -> BatchEnv:
    """Create the environment that is requested; legal actions are packed as they travel."""
    return BatchEnv(**OPEN.decode(message), threads=threads, mask="bits")


def columns_to_proto(env: BatchEnv) -> pb2.EnvColumns:
    """Write the state of all lanes."""
    return encode_columns(pb2.EnvColumns, env, _COLUMNS)


def columns_from_proto(message: pb2.EnvColumns, arrays: Mapping[str, Numbers]) -> None:
    """Read the state of all lanes into arrays; an error leaves all of them unchanged."""
    found = columns_of(message, _COLUMNS)
    for name, column in found.items():
        wanted = arrays[name].shape
        if column.shape != wanted and column.size != math.prod(wanted):
            details = {"field": name, "shape": str(column.shape), "wanted": str(wanted)}
            raise DecodeError(f"{name} has the shape {column.shape}, not {wanted}", details)
    for name, column in found.items():
        arrays[name][...] = column.reshape(arrays[name].shape)


def actions_to_proto(actions: npt.NDArray[np.int64]) -> game_pb2.Tensor:
    """Write an action for each lane; actions beyond 32 bits become the nearest that fits, illegal as well."""
    most = np.iinfo(np.int32)
    return tensor_to_proto(np.clip(actions, most.min, most.max).astype("<i4"))


def actions_from_proto(tensor: game_pb2.Tensor) -> npt.NDArray[np.int32]:
    """Read an action for each lane."""
    return tensor_from_proto(tensor, "<i4", 1)


def seed_to_proto(seed: SupportsIndex | None) -> int | None:
    """Return an optional seed that fits the message."""
    return None if seed is None else whole_to_proto("seed", seed)


def mask_to_proto(mask: npt.NDArray[np.bool_] | None) -> game_pb2.Tensor | None:
    """Write a mask of lanes; None is all of them."""
    return None if mask is None else tensor_to_proto(mask)


def env_error_from_proto(message: pb2.StepResponse) -> SengokuError | None:
    """Read why an environment refused a request; None if it did not."""
    if message.WhichOneof("response") != "error":
        return None
    return error_from_status(message.error) or DecodeError(
        f"an error without a reason: {message.error.message}"
    )


def answer_step(env: BatchEnv, request: pb2.StepRequest) -> pb2.StepResponse:
    """Execute a request in an environment and write the response."""
    answer = pb2.StepResponse()
    match request.WhichOneof("request"):
        case "actions":
            env.step(actions_from_proto(request.actions))
        case "reset":
            env.reset(_mask_of(request.reset), seed=_seed_of(request.reset))
        case "restore":
            env.restore(request.restore.lane, request.restore.data)
        case "fork":
            env.fork(request.fork.lane, lanes=request.fork.lanes, seed=_seed_of(request.fork))
        case "sample":
            chosen = env.sample_actions(seed=_seed_of(request.sample))
            answer.actions.CopyFrom(actions_to_proto(chosen))
            return answer
        case "save":
            answer.data = env.save(request.save.lane)
            return answer
        case "reseed":
            env.reseed(request.reseed.seed, _mask_of(request.reseed))
            return answer
        case _:
            answer.look.CopyFrom(_view(env, request.look))
            return answer
    answer.columns.CopyFrom(columns_to_proto(env))
    return answer


def _view(env: BatchEnv, look: pb2.EnvLook) -> pb2.EnvView:
    outcome = env.outcome(look.lane)
    view = pb2.EnvView(
        digest=env.digest(look.lane), outcome=None if outcome is None else outcome_to_proto(outcome)
    )
    if look.HasField("seat"):
        view.observation = env.observe(look.lane, look.seat).tobytes()
    if look.match:
        view.match = env.match(look.lane).save()
    return view


def _mask_of(message: pb2.EnvReset | pb2.EnvReseed) -> npt.NDArray[np.bool_] | None:
    return tensor_from_proto(message.mask, "?", 1) if message.HasField("mask") else None


def _seed_of(message: Any) -> int | None:
    return message.seed if message.HasField("seed") else None
