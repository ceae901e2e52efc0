"""Messages as JSON (ProtoJSON, the mapping of protobuf's documentation)."""

from __future__ import annotations

import json

from google.protobuf import json_format
from google.protobuf.message import Message

from sengoku.errors import DecodeError
from sengoku.server.dispatch import Codec

__all__ = ["JSON", "message_to_dict"]


def _read(kind: type[Message], data: bytes) -> Message:
    """Parse a message; fields that it does not have are refused, because they are usually misspelt."""
    message = kind()
    try:
        json_format.Parse(data.decode("utf-8"), message)
    except (json_format.Error, ValueError, RecursionError) as error:
        name = message.DESCRIPTOR.name
        text = " ".join(str(error).split())[:300]
        details = {"message": name, "bytes": str(len(data))}
        raise DecodeError(f"{len(data)} bytes are not a valid {name} in JSON: {text}", details) from error
    return message


def _write(kind: type[Message], reply: Message | bytes) -> bytes:
    message = kind.FromString(reply) if isinstance(reply, bytes) else reply
    return json.dumps(message_to_dict(message), ensure_ascii=False, separators=(",", ":")).encode()


def message_to_dict(message: Message) -> dict[str, object]:
    """Return a message as the objects of JSON; fields with their default values are left out."""
    found: dict[str, object] = json_format.MessageToDict(message)
    return found


JSON = Codec(_read, _write)
