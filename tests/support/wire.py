"""Runs of a server as they are on the wire, for tests that look at the messages."""

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, TypeVar

import grpc
from google.longrunning import operations_pb2
from google.protobuf import duration_pb2, empty_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from sengoku.errors import REASONS, SengokuError
from sengoku.v1 import simulation_service_pb2 as pb2

M = TypeVar("M", bound=Message)


def error_of(failure: grpc.RpcError) -> SengokuError:
    """The error that a status carries."""
    status = rpc_status.from_call(failure)
    assert status is not None, failure
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    assert status.details[0].Unpack(info)
    after = None
    if len(status.details) > 1:
        assert status.details[1].Unpack(retry)
        after = retry.retry_delay.ToMilliseconds() / 1e3
    return REASONS[info.reason](status.message, dict(info.metadata), retry_after=after)


class Wire:
    """Calls about runs, raw."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self._channel = grpc.insecure_channel(address)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()

    def __enter__(self) -> "Wire":
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._channel.close()

    def _call(self, method: str, request: Message, answer: Callable[[], M], timeout: float = 120) -> M:
        call = self._channel.unary_unary(
            method,
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,  # type: ignore[attr-defined]
        )
        try:
            return call(request, timeout=timeout, metadata=self._metadata)
        except grpc.RpcError as failure:
            raise error_of(failure) from None

    def _stream(self, method: str, request: Message, answer: Callable[[], M], timeout: float) -> Iterator[M]:
        call = self._channel.unary_stream(
            f"/sengoku.v1.SimulationService/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=answer.FromString,  # type: ignore[attr-defined]
        )
        answers = call(request, timeout=timeout, metadata=self._metadata)
        try:
            yield from answers
        except grpc.RpcError as failure:
            raise error_of(failure) from None
        finally:
            answers.cancel()

    def start(self, run: pb2.RunMatchesRequest, request_id: str = "") -> operations_pb2.Operation:
        """Begins a run."""
        request = pb2.StartRunRequest(run=run, request_id=request_id)
        return self._call("/sengoku.v1.SimulationService/StartRun", request, operations_pb2.Operation)

    def watch(self, name: str, timeout: float = 120) -> Iterator[operations_pb2.Operation]:
        """Watches a run."""
        for answer in self._stream("WatchRun", pb2.WatchRunRequest(name=name), pb2.WatchRunResponse, timeout):
            yield answer.operation

    def read(self, name: str, row_format: Any = 0, **span: int) -> Iterator[pb2.ReadRunResponse]:
        """Reads rows."""
        request = pb2.ReadRunRequest(name=name, format=row_format, **span)
        return self._stream("ReadRun", request, pb2.ReadRunResponse, 120)

    def file(self, name: str, row_format: Any, **span: int) -> bytes:
        """The bytes of a stream of Arrow or a Parquet file."""
        return b"".join(part.data for part in self.read(name, row_format, **span))

    def operation(self, method: str, request: Message, answer: Callable[[], M], timeout: float = 120) -> M:
        """Calls a method of Operations."""
        return self._call(f"/google.longrunning.Operations/{method}", request, answer, timeout)

    def get(self, name: str) -> operations_pb2.Operation:
        """Looks at a run."""
        request = operations_pb2.GetOperationRequest(name=name)
        return self.operation("GetOperation", request, operations_pb2.Operation)

    def list(self, **wish: Any) -> operations_pb2.ListOperationsResponse:
        """Lists runs."""
        request = operations_pb2.ListOperationsRequest(**wish)
        return self.operation("ListOperations", request, operations_pb2.ListOperationsResponse)

    def wait(
        self, name: str, seconds: float | None = None, deadline: float = 120
    ) -> operations_pb2.Operation:
        """Waits for a run."""
        request = operations_pb2.WaitOperationRequest(name=name)
        if seconds is not None:
            timeout = duration_pb2.Duration()
            timeout.FromMilliseconds(round(1e3 * seconds))
            request.timeout.CopyFrom(timeout)
        return self.operation("WaitOperation", request, operations_pb2.Operation, deadline)

    def cancel(self, name: str) -> None:
        """Ends a run."""
        request = operations_pb2.CancelOperationRequest(name=name)
        self.operation("CancelOperation", request, empty_pb2.Empty)

    def resume(self, name: str) -> operations_pb2.Operation:
        """Resumes a run."""
        request = pb2.ResumeRunRequest(name=name)
        return self._call("/sengoku.v1.SimulationService/ResumeRun", request, pb2.ResumeRunResponse).operation

    def delete(self, name: str) -> None:
        """Removes a run."""
        request = operations_pb2.DeleteOperationRequest(name=name)
        self.operation("DeleteOperation", request, empty_pb2.Empty)


def metadata_of(operation: operations_pb2.Operation) -> pb2.RunMetadata:
    """The metadata of the run of an operation."""
    metadata = pb2.RunMetadata()
    assert operation.metadata.Unpack(metadata)
    return metadata


def summary_of(operation: operations_pb2.Operation) -> pb2.RunSummary:
    """The summary of the run of a successful operation."""
    assert operation.done, operation
    assert operation.WhichOneof("result") == "response", operation.error
    answer = pb2.StartRunResponse()
    assert operation.response.Unpack(answer)
    return answer.summary


def reason_of(operation: operations_pb2.Operation) -> str:
    """Why the run of an operation did not go well."""
    assert operation.WhichOneof("result") == "error", operation
    info = error_details_pb2.ErrorInfo()
    assert operation.error.details[0].Unpack(info)
    return info.reason
