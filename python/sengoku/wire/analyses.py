"""Analyses of matches (analysis_service.proto)."""

from typing import Any

from sengoku.engine.analysis_status import AnalysisStatus
from sengoku.engine.checks import refused
from sengoku.v1 import analysis_service_pb2 as pb2
from sengoku.wire.codec import Codec, EnumNames, Field, plain, times
from sengoku.wire.errors import job_error
from sengoku.wire.values import text_to_proto

ANALYSIS_STATES = EnumNames(pb2.AnalysisState, "unspecified")

STATUS = Codec(
    AnalysisStatus,
    pb2.MatchAnalysis,
    *plain("name", "client", "request_id", "game", "decisions_done", "decisions"),
    Field("state", "state", None, lambda message, _wire: ANALYSIS_STATES.name_or_zero(message.state)),
    *times("create_time", "end_time"),
    *plain("queue_position", "obstacle"),
)


def analysis_name_to_proto(name: str) -> str:
    """Return the full name of an analysis; its last part alone is accepted."""
    text = text_to_proto("name", name)
    return text if text.startswith("analyses/") else f"analyses/{text}"


def analysis_status_from_proto(message: pb2.MatchAnalysis) -> AnalysisStatus:
    """Read the status of an analysis."""
    error = job_error(message.error) if message.HasField("error") else None
    return STATUS.decode(message, error=error)


def analyse_to_proto(
    source: dict[str, Any],
    request_id: str,
    *,
    iterations: int | None,
    luck: int | None,
    cards: str,
    seat: int | None,
    seed: int,
    horizon: int | None,
) -> pb2.AnalyseMatchRequest:
    """Write the request for an analysis of a match, which is `open`, `data` or `replay`."""
    if cards not in ("seat", "open"):
        raise refused("cards", repr(cards), "must be one of 'seat', 'open'")
    for name, value, most in (
        ("iterations", iterations, 2**32),
        ("luck", luck, 2**32),
        ("horizon", horizon, 2**32),
        ("seat", seat, 2**31),
        ("seed", seed, 2**64),
    ):
        if value is not None and not 0 <= value < most:
            raise refused(name, value, f"must be 0 to {most - 1}")
    return pb2.AnalyseMatchRequest(
        **source,
        iterations=iterations,
        luck=luck,
        open_cards=cards == "open",
        seat=seat,
        seed=seed,
        horizon=horizon,
        request_id=request_id,
    )
