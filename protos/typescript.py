"""The API of the console in TypeScript: messages as JSON, methods with their paths."""

import re
from collections.abc import Iterator

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorSet

F = FieldDescriptorProto
NUMBERS = {
    F.TYPE_DOUBLE,
    F.TYPE_FLOAT,
    F.TYPE_INT32,
    F.TYPE_UINT32,
    F.TYPE_SINT32,
    F.TYPE_FIXED32,
    F.TYPE_SFIXED32,
}
# 64-bit integers are decimal strings in JSON, bytes are base64.
STRINGS = {
    F.TYPE_STRING,
    F.TYPE_BYTES,
    F.TYPE_INT64,
    F.TYPE_UINT64,
    F.TYPE_SINT64,
    F.TYPE_FIXED64,
    F.TYPE_SFIXED64,
}
WELL_KNOWN = {
    ".google.protobuf.Any": "{ '@type': string; [key: string]: unknown }",
    ".google.protobuf.Duration": "string",
    ".google.protobuf.Empty": "Record<string, never>",
    ".google.protobuf.FieldMask": "string",
    ".google.protobuf.Struct": "Record<string, unknown>",
    ".google.protobuf.Timestamp": "string",
}
HEAD = """// Generated from protos/sengoku/v1; see protos/generate.py.
// Values that equal their default are left out of JSON, so every field is optional.
// 64-bit integers and times are strings, bytes are base64.

import { serverStream, unary } from "./connect";
"""


def typescript(files: FileDescriptorSet) -> str:
    """Return the module: every message and enum of our packages and what they refer to, and every service."""
    ours = [file for file in files.file if file.package in {"sengoku.v1", "google.longrunning", "google.rpc"}]
    parts = [HEAD]
    for file in ours:
        parts.extend(_enum(enum) for enum in file.enum_type)
        for message in file.message_type:
            parts.extend(_messages(message, f".{file.package}"))
    for file in ours:
        parts.extend(_service(service, file.package) for service in file.service)
    return "\n".join(parts)


def _enum(enum: descriptor_pb2.EnumDescriptorProto, prefix: str = "") -> str:
    values = " | ".join(f'"{value.name}"' for value in enum.value)
    return f"export type {prefix}{enum.name} = {values};\n"


def _messages(message: DescriptorProto, package: str, prefix: str = "") -> Iterator[str]:
    maps = {nested.name: nested for nested in message.nested_type if nested.options.map_entry}
    for enum in message.enum_type:
        yield _enum(enum, prefix + message.name)
    for nested in message.nested_type:
        if not nested.options.map_entry:
            yield from _messages(nested, package, prefix + message.name)
    name = prefix + message.name
    if not message.field:
        yield f"export type {name} = Record<string, never>;\n"
        return
    lines = [f"  {field.json_name}?: {_field(field, maps)};" for field in message.field]
    yield "\n".join([f"export interface {name} {{", *lines, "}", ""])


def _field(field: FieldDescriptorProto, maps: dict[str, DescriptorProto]) -> str:
    entry = maps.get(field.type_name.rsplit(".", 1)[-1])
    if entry is not None:
        return f"Record<string, {_type(entry.field[1])}>"
    kind = _type(field)
    return f"{kind}[]" if field.label == F.LABEL_REPEATED else kind


def _type(field: FieldDescriptorProto) -> str:
    if field.type in NUMBERS:
        return "number"
    if field.type in STRINGS:
        return "string"
    if field.type == F.TYPE_BOOL:
        return "boolean"
    return WELL_KNOWN.get(field.type_name) or _name(field.type_name)


def _name(full: str) -> str:
    """A nested type has the names of its parents before its own."""
    return "".join(part for part in full.split(".") if part[:1].isupper())


def _service(service: descriptor_pb2.ServiceDescriptorProto, package: str) -> str:
    lines = [f"export const {service.name} = {{"]
    for method in service.method:
        if method.client_streaming:
            continue  # browsers cannot stream requests
        kind = "serverStream" if method.server_streaming else "unary"
        name = re.sub(r"^[A-Z]+(?=[A-Z][a-z])|^[A-Z]", lambda part: part[0].lower(), method.name)
        types = ", ".join(
            WELL_KNOWN.get(full) or _name(full) for full in (method.input_type, method.output_type)
        )
        lines.append(f'  {name}: {kind}<{types}>("{package}.{service.name}/{method.name}"),')
    return "\n".join([*lines, "};", ""])
