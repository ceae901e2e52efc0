"""Errors as gRPC statuses."""

from __future__ import annotations

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from sengoku.errors import SengokuError

__all__ = ["DOMAIN", "shortened", "status_of", "status_to_proto"]

DOMAIN = "sengoku"
"""Domain of the reason codes in `google.rpc.ErrorInfo`."""


def status_of(error: SengokuError) -> grpc.Status:
    """Convert an error to a gRPC status."""
    return rpc_status.to_status(status_to_proto(error))


def status_to_proto(error: SengokuError) -> status_pb2.Status:
    """Encode an error: code, message, reason, details, and when to retry."""
    # A status is sent in headers, whose length is limited.
    metadata = {name: shortened(value, 300) for name, value in error.details.items()}
    info = error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata)
    details: list[Message] = [info]
    if error.retry_after is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(1e3 * error.retry_after))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    packed = [any_pb2.Any() for _ in details]
    for box, detail in zip(packed, details, strict=True):
        box.Pack(detail)
    code = code_pb2.Code.Value(error.status)
    return status_pb2.Status(code=code, message=shortened(str(error), 600), details=packed)


def shortened(text: str, most: int) -> str:
    """Cut a text to `most` characters and an ellipsis."""
    return text if len(text) <= most else text[:most] + "…"
