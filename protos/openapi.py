"""The description of the HTTP interface (OpenAPI 3.1), from the protos with their comments."""

import json
from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    MethodOptions,
)
from google.protobuf.unknown_fields import UnknownFieldSet

F = FieldDescriptorProto
PACKAGES = ("sengoku.v1", "google.longrunning", "google.rpc")
SERVICES = ("sengoku.v1", "google.longrunning")
MESSAGES, ENUMS, SERVICE, METHODS, FIELDS, VALUES = 4, 5, 6, 2, 2, 2
"""Field numbers in a descriptor, which make up the path of a comment."""
SPECIAL = {"enum": ["NaN", "Infinity", "-Infinity"]}
FLOATING = {"anyOf": [{"type": "number"}, SPECIAL]}
WHOLE = {"type": "integer"}
LARGE = {"type": ["string", "integer"], "format": "int64", "description": "Sent as a string, read as either."}
SCALARS: dict[int, dict[str, Any]] = {
    F.TYPE_DOUBLE: FLOATING,
    F.TYPE_FLOAT: FLOATING,
    F.TYPE_INT32: WHOLE,
    F.TYPE_UINT32: WHOLE,
    F.TYPE_SINT32: WHOLE,
    F.TYPE_FIXED32: WHOLE,
    F.TYPE_SFIXED32: WHOLE,
    F.TYPE_INT64: LARGE,
    F.TYPE_UINT64: LARGE,
    F.TYPE_SINT64: LARGE,
    F.TYPE_FIXED64: LARGE,
    F.TYPE_SFIXED64: LARGE,
    F.TYPE_BOOL: {"type": "boolean"},
    F.TYPE_STRING: {"type": "string"},
    F.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
}
WELL_KNOWN: dict[str, dict[str, Any]] = {
    "google.protobuf.Any": {
        "type": "object",
        "properties": {"@type": {"type": "string"}},
        "required": ["@type"],
    },
    "google.protobuf.Duration": {"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,9})?s$"},
    "google.protobuf.Empty": {"type": "object", "additionalProperties": False},
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
}
ERROR = {
    "type": "object",
    "description": "An error of the Connect protocol. The reason is in the detail google.rpc.ErrorInfo.",
    "properties": {
        "code": {"type": "string", "description": "Name of the gRPC status in lower case."},
        "message": {"type": "string"},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "description": "Name of the message."},
                    "value": {"type": "string", "description": "The message as base64 without padding."},
                    "debug": {"type": "object", "description": "The message as JSON."},
                },
                "required": ["type", "value"],
            },
        },
    },
    "required": ["code"],
}
END = {
    "type": "object",
    "description": "The last frame of a stream.",
    "properties": {
        "error": {"$ref": "#/components/schemas/connect.Error"},
        "metadata": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
    },
}
HEAD = {
    "title": "Sengoku",
    "version": "v1",
    "description": (
        "Every method of the gRPC services under the Connect protocol (connectrpc.com/docs/protocol). "
        "Messages are ProtoJSON: fields with their default value are left out, 64-bit integers are strings, "
        "bytes are base64. Responses of streams are frames: a byte of flags, the length of the message as "
        "four bytes, and the message; so are their requests."
    ),
}


class _Comments:
    """The comments of a file by path."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self._texts = {
            tuple(place.path): " ".join((place.leading_comments or place.trailing_comments).split())
            for place in file.source_code_info.location
        }

    def of(self, *path: int) -> dict[str, str]:
        text = self._texts.get(path, "")
        return {"description": text} if text else {}


def openapi(files: FileDescriptorSet) -> str:
    """Return the description as JSON."""
    roles = _roles(files)
    paths: dict[str, Any] = {}
    schemas: dict[str, Any] = {"connect.Error": ERROR, "connect.EndOfStream": END}
    for file in files.file:
        if file.package in SERVICES:
            paths |= _paths(file, roles)
        if file.package in PACKAGES:
            schemas |= _schemas(file)
    schemas = {name: schemas[name] for name in sorted(_used(paths, schemas))}
    bearer = {"type": "http", "scheme": "bearer", "description": "Only on servers with tokens."}
    text = {
        "openapi": "3.1.0",
        "info": HEAD,
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}],
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": schemas, "securitySchemes": {"token": bearer}},
    }
    return json.dumps(text, indent=1, ensure_ascii=False) + "\n"


def _roles(files: FileDescriptorSet) -> tuple[int, dict[int, str]]:
    """Return the number of the option `required_role`, and the names of its values."""
    options = next(file for file in files.file if file.name == "sengoku/v1/options.proto")
    number = next(field.number for field in options.extension if field.name == "required_role")
    values = next(enum for enum in options.enum_type if enum.name == "Role").value
    return number, {value.number: value.name.removeprefix("ROLE_").lower() for value in values}


def _paths(file: FileDescriptorProto, roles: tuple[int, dict[int, str]]) -> Iterator[tuple[str, Any]]:
    comments = _Comments(file)
    for number, service in enumerate(file.service):
        for index, method in enumerate(service.method):
            if method.client_streaming:
                continue  # over gRPC only
            about = comments.of(SERVICE, number, METHODS, index) | {"tags": [service.name]}
            if role := _role(method, roles):
                about["x-required-role"] = role
            name = f"{service.name}_{method.name}"
            found: dict[str, Any] = {"post": {"operationId": name, **about, **_post(method)}}
            is_safe = method.options.idempotency_level == MethodOptions.NO_SIDE_EFFECTS
            if is_safe and not method.server_streaming:
                found["get"] = {"operationId": f"{name}_get", **about, **_get(method)}
            yield f"/{file.package}.{service.name}/{method.name}", found


def _role(method: MethodDescriptorProto, roles: tuple[int, dict[int, str]]) -> str | None:
    number, names = roles
    for field in UnknownFieldSet(method.options):
        if field.field_number == number:
            return names[field.data]
    return None


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name.lstrip('.')}"}


def _content(name: str, *, is_stream: bool) -> dict[str, Any]:
    if is_stream:
        return {f"application/connect+{form}": {"x-frames-of": _ref(name)} for form in ("json", "proto")}
    return {"application/json": {"schema": _schema_of(name)}, "application/proto": {}}


def _responses(method: MethodDescriptorProto) -> dict[str, Any]:
    content = _content(method.output_type, is_stream=method.server_streaming)
    failed = {
        "description": "An error, with the status of HTTP that belongs to its code.",
        "content": {"application/json": {"schema": _ref("connect.Error")}},
    }
    return {"responses": {"200": {"description": "The response.", "content": content}, "default": failed}}


def _post(method: MethodDescriptorProto) -> dict[str, Any]:
    body = {"required": True, "content": _content(method.input_type, is_stream=method.server_streaming)}
    timeout = {
        "name": "Connect-Timeout-Ms",
        "in": "header",
        "schema": {"type": "integer"},
        "description": "Time until the deadline of the call.",
    }
    return {"parameters": [timeout], "requestBody": body, **_responses(method)}


def _get(method: MethodDescriptorProto) -> dict[str, Any]:
    form = {"type": "string", "enum": ["json", "proto"]}
    message = {"type": "string", "description": "The request in that form."}
    plain = {"type": "string", "enum": ["1"], "description": "The message is URL-safe base64."}
    version = {"type": "string", "enum": ["v1"]}
    parameters = [
        {"name": "encoding", "in": "query", "required": True, "schema": form},
        {"name": "message", "in": "query", "required": True, "schema": message},
        {"name": "base64", "in": "query", "schema": plain},
        {"name": "compression", "in": "query", "schema": {"type": "string", "enum": ["gzip"]}},
        {"name": "connect", "in": "query", "schema": version},
    ]
    return {"parameters": parameters, **_responses(method)}


def _schemas(file: FileDescriptorProto) -> Iterator[tuple[str, Any]]:
    comments = _Comments(file)
    for number, enum in enumerate(file.enum_type):
        yield f"{file.package}.{enum.name}", comments.of(ENUMS, number) | _enum(enum)
    for number, message in enumerate(file.message_type):
        yield from _message(message, file.package, (MESSAGES, number), comments)


def _enum(enum: EnumDescriptorProto) -> dict[str, Any]:
    return {"type": "string", "enum": [value.name for value in enum.value]}


def _message(
    message: DescriptorProto, scope: str, path: tuple[int, ...], comments: _Comments
) -> Iterator[tuple[str, Any]]:
    name = f"{scope}.{message.name}"
    maps = {f".{name}.{nested.name}": nested for nested in message.nested_type if nested.options.map_entry}
    for index, nested in enumerate(message.nested_type):
        if not nested.options.map_entry:
            yield from _message(nested, name, (*path, 3, index), comments)
    for index, enum in enumerate(message.enum_type):
        yield f"{name}.{enum.name}", comments.of(*path, 4, index) | _enum(enum)
    properties = {
        field.json_name: comments.of(*path, FIELDS, index) | _field(field, maps)
        for index, field in enumerate(message.field)
    }
    yield (
        name,
        comments.of(*path)
        | {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        },
    )


def _field(field: FieldDescriptorProto, maps: dict[str, DescriptorProto]) -> dict[str, Any]:
    if field.type_name in maps:
        return {"type": "object", "additionalProperties": _type(maps[field.type_name].field[1])}
    if field.label == F.LABEL_REPEATED:
        return {"type": "array", "items": _type(field)}
    return _type(field)


def _type(field: FieldDescriptorProto) -> dict[str, Any]:
    return _schema_of(field.type_name) if field.type_name else SCALARS[field.type]


def _schema_of(name: str) -> dict[str, Any]:
    return WELL_KNOWN.get(name.lstrip(".")) or _ref(name)


def _used(value: Any, schemas: dict[str, Any]) -> set[str]:
    """Return the names of the schemas that a value refers to, directly or not."""
    found = {"connect.EndOfStream"}
    open_values = [value, END]
    while open_values:
        part = open_values.pop()
        if isinstance(part, dict):
            reference = part.get("$ref")
            if isinstance(reference, str):
                name = reference.removeprefix("#/components/schemas/")
                if name not in found:
                    found.add(name)
                    open_values.append(schemas[name])
            open_values.extend(part.values())
        elif isinstance(part, list):
            open_values.extend(part)
    return found
