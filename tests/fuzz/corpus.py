"""Requests to start from: those of the recorded wire corpus, by method."""

import base64
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from support.access import METHODS

_ROOT = Path(__file__).parents[2]
WIRE = _ROOT / "tests" / "golden" / "wire"
_FILES = {
    "spec_toml": ("examples/tournaments/*.toml",),
    "text": ("rust/swords/data/*.toml", "rust/tower/data/*.toml"),
}
"""Files whose contents are good values of a field."""
_REQUEST = re.compile(r"^> \d+ bytes (?!sha256)([A-Za-z0-9+/=]*)$", re.MULTILINE)


ABSENT = frozenset({"/grpc.health.v1.Health/List"})
"""Methods of descriptors that this version of gRPC does not implement."""


@cache
def methods() -> dict[str, MethodDescriptor]:
    """All methods of all services by path, also health and reflection."""
    ours = {
        method.containing_service.file.name: method.containing_service.file for method in METHODS.values()
    }
    files = [*ours.values(), health_pb2.DESCRIPTOR, reflection_pb2.DESCRIPTOR]
    return {
        f"/{service.full_name}/{method.name}": method
        for file in files
        for service in file.services_by_name.values()
        for method in service.methods
        if f"/{service.full_name}/{method.name}" not in ABSENT
    }


def request_class(method: str) -> type[Message]:
    """The class of the requests of a method."""
    return message_factory.GetMessageClass(methods()[method].input_type)


def response_class(method: str) -> type[Message]:
    """The class of the responses of a method."""
    return message_factory.GetMessageClass(methods()[method].output_type)


def _readable(method: str, data: bytes) -> bool:
    try:
        request_class(method).FromString(data)
    except DecodeError:
        return False
    return True


@cache
def seeds() -> dict[str, list[tuple[bytes, ...]]]:
    """Recorded calls by method: each is the sequence of its requests."""
    found: dict[str, list[tuple[bytes, ...]]] = defaultdict(list)
    for file in sorted(WIRE.glob("*.txt")):
        for block in file.read_text("utf-8").split("\n\n"):
            path = next((line for line in block.splitlines() if line in methods()), None)
            if path is not None:
                requests = tuple(base64.b64decode(text) for text in _REQUEST.findall(block))
                # Long requests are recorded by their digest, and a few are wrong on purpose.
                if requests and all(_readable(path, data) for data in requests):
                    found[path].append(requests)
    return dict(found)


@cache
def strings() -> dict[str, tuple[str, ...]]:
    """Texts of recorded requests by the name of their field."""
    found: dict[str, dict[str, None]] = defaultdict(dict)

    def walk(message: Message) -> None:
        for field, value in message.ListFields():
            values = value if field.is_repeated else [value]
            if field.message_type is not None and not field.message_type.GetOptions().map_entry:
                for one in values:
                    walk(one)
            elif field.type == field.TYPE_STRING:
                found[field.name].update(dict.fromkeys(values))

    for path, calls in seeds().items():
        for call in calls:
            for data in call:
                walk(request_class(path).FromString(data))
    for name, patterns in _FILES.items():
        for file in (file for pattern in patterns for file in sorted(_ROOT.glob(pattern))):
            found[name][file.read_text("utf-8")] = None
    headers = (_ROOT / "rust/battles/data/scenarios.toml").read_text("utf-8").split("[[scenario]]\n")[1:5]
    for number, header in enumerate(headers, 1):
        deployment = _ROOT / f"rust/battles/data/deployments/{number:02}.toml"
        found["text"][f"{header}\n[deployment]\n{deployment.read_text('utf-8')}"] = None
    return {name: tuple(texts) for name, texts in found.items()}
