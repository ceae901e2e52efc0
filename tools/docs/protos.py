"""The reference page of the protos, from their descriptors with comments."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet

from protos.generate import compile_protos

PACKAGE = ".sengoku.v1."
MESSAGES, ENUMS, SERVICES, METHODS, FIELDS, VALUES = 4, 5, 6, 2, 2, 2
"""Field numbers in a descriptor, which make up the path of a comment."""


def descriptors() -> list[FileDescriptorProto]:
    """The files of protos/sengoku/v1 with their comments."""
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "all.pb"
        compile_protos(Path(scratch), "--include_source_info", f"-o{output}")
        return list(FileDescriptorSet.FromString(output.read_bytes()).file)


def type_of(field: FieldDescriptorProto, maps: dict[str, Any]) -> str:
    """The type of a field, as its file writes it."""
    if field.type_name in maps:
        key, value = (type_of(part, maps) for part in maps[field.type_name].field)
        return f"map of {key} to {value}"
    scalar = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    name = field.type_name.removeprefix(PACKAGE).lstrip(".")
    if field.type_name.startswith(PACKAGE):
        name = f"[{name}](#{name.lower()})"
    text = name or scalar
    if field.label == field.LABEL_REPEATED:
        return f"repeated {text}"
    return f"optional {text}" if field.proto3_optional else text


def file_lines(file: FileDescriptorProto) -> Iterator[str]:
    """Services, messages and enums of a file, in this order."""
    comments = {
        tuple(place.path): " ".join((place.leading_comments or place.trailing_comments).split())
        for place in file.source_code_info.location
    }

    def about(*path: int) -> str:
        return comments.get(path, "").replace("|", "\\|")

    yield f"## {Path(file.name).name}"
    yield ""
    if text := about(2) or about(12):
        yield text
        yield ""
    for number, service in enumerate(file.service):
        yield f"### {service.name}"
        yield ""
        yield about(SERVICES, number)
        yield ""
        yield "| method | request | response | purpose |"
        yield "|---|---|---|---|"
        for index, method in enumerate(service.method):
            request, response = (
                f"[{name}](#{name.lower()})" if kind.startswith(PACKAGE) else name
                for kind in (method.input_type, method.output_type)
                for name in [kind.removeprefix(PACKAGE).lstrip(".")]
            )
            request = f"stream of {request}" if method.client_streaming else request
            response = f"stream of {response}" if method.server_streaming else response
            told = about(SERVICES, number, METHODS, index)
            yield f"| `{method.name}` | {request} | {response} | {told} |"
        yield ""
    for number, message in enumerate(file.message_type):
        maps = {
            f".{file.package}.{message.name}.{nested.name}": nested
            for nested in message.nested_type
            if nested.options.map_entry
        }
        yield f"### {message.name}"
        yield ""
        yield about(MESSAGES, number)
        yield ""
        if message.field:
            yield "| number | field | type | meaning |"
            yield "|---|---|---|---|"
        for index, field in enumerate(message.field):
            told = about(MESSAGES, number, FIELDS, index)
            if field.HasField("oneof_index") and not field.proto3_optional:
                told = f"(one of `{message.oneof_decl[field.oneof_index].name}`) {told}"
            yield f"| {field.number} | `{field.name}` | {type_of(field, maps)} | {told} |"
        yield ""
    for number, enum in enumerate(file.enum_type):
        yield f"### {enum.name}"
        yield ""
        yield about(ENUMS, number)
        yield ""
        yield "| number | value | meaning |"
        yield "|---|---|---|"
        for index, value in enumerate(enum.value):
            yield f"| {value.number} | `{value.name}` | {about(ENUMS, number, VALUES, index)} |"
        yield ""


def proto_page() -> Iterator[str]:
    """All services, messages and enums of the package `sengoku.v1`."""
    yield "# Protos"
    yield ""
    yield "The package `sengoku.v1`, file by file; the sources are in `protos/sengoku/v1`."
    yield "[Protocol](../service/protocol.md) explains how the services are used together."
    yield ""
    for file in descriptors():
        yield from file_lines(file)
