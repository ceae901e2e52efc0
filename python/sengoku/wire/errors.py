"""Errors as gRPC statuses: one reason code, its details and when to retry (google.rpc.Status)."""

from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from sengoku.errors import REASONS, InternalError, SengokuError

DOMAIN = "sengoku"
"""Domain of the reason codes in `google.rpc.ErrorInfo`."""

_MESSAGE_LENGTH = 600
_DETAIL_LENGTH = 300


def status_to_proto(error: SengokuError) -> status_pb2.Status:
    """Write an error: code, message, reason, details and the time to wait before a retry."""
    # A status travels in headers, whose size is limited.
    metadata = {name: shortened(value, _DETAIL_LENGTH) for name, value in error.details.items()}
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
    return status_pb2.Status(code=code, message=shortened(str(error), _MESSAGE_LENGTH), details=packed)


def error_from_status(status: status_pb2.Status) -> SengokuError | None:
    """Return the error that a status was made from; None for a status without a known reason."""
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    found: SengokuError | None = None
    for detail in status.details:
        if detail.Unpack(info) and info.reason in REASONS:
            found = REASONS[info.reason](status.message, dict(info.metadata))
        detail.Unpack(retry)
    if found is not None and retry.HasField("retry_delay"):
        found.retry_after = retry.retry_delay.ToTimedelta().total_seconds()
    return found


def job_error(status: status_pb2.Status) -> SengokuError:
    """Return the error that ended a run or a tournament."""
    return error_from_status(status) or InternalError(status.message)


def shortened(text: str, most: int) -> str:
    """Return a text of at most `most` characters and an ellipsis."""
    return text if len(text) <= most else text[:most] + "…"
