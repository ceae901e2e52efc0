"""Stubs of services without generated code: one callable for each method, made from its descriptor."""

from types import SimpleNamespace
from typing import Any

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import FileDescriptor


def make_stub(channel: grpc.Channel, file: FileDescriptor, service: str) -> Any:
    """Return an object with a method for each unary or streaming rpc of a service."""
    found = file.services_by_name[service]
    calls = {}
    for method in found.methods:
        kind = "_".join(
            "stream" if streams else "unary" for streams in (method.client_streaming, method.server_streaming)
        )
        calls[method.name] = getattr(channel, kind)(
            f"/{found.full_name}/{method.name}",
            request_serializer=message_factory.GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
        )
    return SimpleNamespace(**calls)
