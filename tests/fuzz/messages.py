"""Messages generated from descriptors and by mutation, biased to values that break programs."""

import json
import math
import random
import struct
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import EncodeError, Message

from fuzz import corpus

_INTEGERS = (
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    100,
    255,
    256,
    1_000,
    4_096,
    65_535,
    65_536,
    1 << 31,
    1 << 32,
    1 << 53,
    1 << 62,
    1 << 63,
    1 << 64,
)
_BITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, (1 << 64) - 1),
}
_FLOATS = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, 0.01, 1e-4, 1e-300, 5e-324, 1e-9, 1e9, 1e259, 1.7e308),
    *(math.nan, math.inf, -math.inf, 2.0**53, 0.1 + 0.2),
)
_TEXTS = (
    *(
        "",
        " ",
        "0",
        "-1",
        "1e999",
        "NaN",
        "null",
        "true",
        "\x00",
        "a\x00b",
        "\n",
        "\r\n\x1b[2J",
        "\u202e",
        "\U0001d530",
        "\ufeff",
    ),
    *("${name}", "$1", "%s%n", "{0}", "<script>", "=1+1", "|", "`", "../../etc/passwd", "'; --", "\\", '"'),
    *(
        "swords",
        "tower",
        "battles",
        "Swords",
        "random",
        "greedy",
        "mix",
        "mcts",
        "mcts:iterations=2",
        "mcts:",
    ),
    *("mcts:iterations=" + "9" * 40, "mix:greedy=50", "greedy:x=$y", "python:os.system", "player:x"),
    *(
        "html",
        "markdown",
        "csv",
        "json",
        "text",
        "shelves",
        "rigid",
        "9" * 30,
        "9" * 5_000,
        "0x" + "f" * 5_000,
    ),
    *(
        "1" + "0" * 30,
        "-" + "9" * 400,
        "a" * 300,
        "é" * 2_000,
        "runs/1",
        "tournaments/1",
        "runs/" + "9" * 40,
        "operations/x",
    ),
)
_JSON = (
    *(
        "{}",
        "[]",
        "null",
        "1",
        '"x"',
        "{",
        '{"seats": 3}',
        '{"court": true}',
        '{"scenario": 8}',
        '{"max_rounds": 1}',
    ),
    *('{"scenario": 1e400}', '{"scenario": -0}', '{"x": NaN}', '{"max_rounds": ' + "9" * 5_000 + "}"),
    *('{"a":' * 200 + "1" + "}" * 200, "[" * 50_000, '{"a":' * 20_000, "{" + '"a":1,' * 500 + '"a":2}'),
    *('{"\\ud800": 1}', '{"map": "x = 1"}', '{"map": ' + json.dumps("a." * 900 + "b = 1") + "}"),
    *('{"scenario_text": "[x]"}', '{"tower": {"model": "rigid"}}', '{"parameters": {"push": 1e308}}'),
)
_TOML = (
    *("", "x", "[a", "[[a]]\n" * 500, "a = " + "9" * 5_000, "a." * 2_000 + "b = 1", "a = " + "[" * 5_000),
    *("a = 1979-05-27", "a = nan", 'a = """' + "x" * 3_000, "'' = 1", "a = 1\na = 2", "a = 0x" + "f" * 300),
)
_FRAGMENTS = (
    *(
        "1e308",
        "-1",
        "9" * 400,
        "nan",
        "inf",
        "[[",
        "]]",
        "{",
        "}",
        '"',
        "'",
        "\\",
        "\n",
        "\x00",
        "=",
        ".",
        ",",
        "true",
    ),
    *(
        "[",
        "]",
        "$",
        "é",
        "\U0001f3ef",
        "0x",
        "1979-05-27",
        "18446744073709551616",
        "-9223372036854775809",
        "0.0",
    ),
)
_LONG = 20_000


def mutated_text(draw: random.Random, text: str) -> str:
    """A text with a few edits."""
    for _ in range(draw.choice((1, 1, 2, 4))):
        at = draw.randrange(len(text) + 1)
        to = min(len(text), at + draw.choice((0, 1, 1, 3, 20)))
        kind = draw.randrange(5)
        if kind == 0:
            piece = ""
        elif kind == 1:
            piece = draw.choice(_FRAGMENTS)
        elif kind == 2:
            piece = text[at:to] * draw.choice((2, 3, 200))
        elif kind == 3:
            piece = draw.choice(_TEXTS)
        else:
            begin = draw.randrange(len(text) + 1)
            piece = text[begin : begin + draw.choice((1, 5, 40))]
        text = (text[:at] + piece + text[to:])[:_LONG]
    return text


def mutated_bytes(draw: random.Random, data: bytes) -> bytes:
    """Bytes with a few edits."""
    edited = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(edited) + 1)
        kind = draw.randrange(6)
        if kind == 0 and edited:
            edited[at % len(edited)] ^= 1 << draw.randrange(8)
        elif kind == 1 and edited:
            edited[at % len(edited)] = draw.choice((0, 1, 0x7F, 0x80, 0xFF))
        elif kind == 2:
            del edited[at : at + draw.choice((1, 2, 8, 64))]
        elif kind == 3:
            edited[at:at] = draw.randbytes(draw.choice((1, 2, 8, 64)))
        elif kind == 4:
            number = draw.choice(_INTEGERS) % (1 << 64)
            size = draw.choice((1, 2, 4, 8))
            edited[at : at + size] = struct.pack("<Q", number)[:size]
        else:
            begin = draw.randrange(len(edited) + 1)
            edited[at:at] = edited[begin : begin + draw.choice((1, 4, 32))]
    return bytes(edited[:_LONG])


class Messages:
    """A source of messages. `live` has values that a server sent, by field, such as ids of its matches."""

    def __init__(self, draw: random.Random, live: dict[str, list[Any]]) -> None:
        self._draw = draw
        self._live = live

    def recorded(self, method: str) -> list[bytes]:
        """The requests of a recorded call."""
        return list(self._draw.choice(corpus.seeds()[method]))

    def live(self, method: str) -> list[bytes]:
        """The requests of a recorded call, with ids and tokens of this server."""
        kind = corpus.request_class(method)
        messages = [kind.FromString(data) for data in self._draw.choice(corpus.seeds()[method])]
        for message in messages:
            self._refresh(message)
        return [message.SerializeToString() for message in messages]

    def requests(self, method: str) -> list[bytes]:
        """The requests of a call: one, or several of a method that takes a stream."""
        draw, kind = self._draw, corpus.request_class(method)
        recorded = corpus.seeds().get(method)
        many = corpus.methods()[method].client_streaming
        if recorded and draw.random() < 0.7:
            messages = [kind.FromString(data) for data in draw.choice(recorded)[: 8 if many else 1]]
        else:
            messages = [self.message(kind) for _ in range(draw.choice((1, 2, 5)) if many else 1)]
        for message in messages:
            self._refresh(message)
            for _ in range(draw.choice((0, 1, 1, 2, 5))):
                self._mutate(message)
        if many:
            for _ in range(draw.choice((0, 0, 1, 2))):
                messages.insert(draw.randrange(len(messages) + 1), self.message(kind))
        return [self._written(message) for message in messages]

    @staticmethod
    def _written(message: Message) -> bytes:
        try:
            return message.SerializeToString()
        except EncodeError:
            return b""

    def message(self, kind: type[Message], depth: int = 0) -> Message:
        """A message with any of its fields."""
        message = kind()
        share = self._draw.choice((0.2, 0.6, 0.9)) / (1 + depth / 2)
        for field in message.DESCRIPTOR.fields:
            if self._draw.random() < share:
                self._set(message, field, depth)
        return message

    def _set(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        """Replace the value of a field."""
        draw = self._draw
        message.ClearField(field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            self._set_map(getattr(message, field.name), field, depth)
        elif field.is_repeated:
            values = getattr(message, field.name)
            count = draw.choice((0, 1, 1, 2, 3, 5, 9, 40 if depth < 2 else 2))
            for _ in range(count):
                if field.message_type is None:
                    values.append(self._scalar(field))
                elif depth < 4:
                    values.add().CopyFrom(self._part(field, depth))
        elif field.message_type is None:
            setattr(message, field.name, self._scalar(field))
        elif depth < 6:
            getattr(message, field.name).CopyFrom(self._part(field, depth))

    def _set_map(self, values: Any, field: FieldDescriptor, depth: int) -> None:
        key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
        for _ in range(self._draw.choice((0, 1, 3))):
            if value.message_type is None:
                values[self._scalar(key)] = self._scalar(value)
            elif depth < 4:
                values[self._scalar(key)].CopyFrom(self._part(value, depth))

    def _part(self, field: FieldDescriptor, depth: int) -> Message:
        return self.message(field.message_type._concrete_class, depth + 1)

    def _scalar(self, field: FieldDescriptor) -> Any:
        draw = self._draw
        if field.type == field.TYPE_STRING:
            return self._text(
                field.name if field.name != "name" else draw.choice(("run", "tournament", "name"))
            )
        if field.type == field.TYPE_BYTES:
            known = self._live.get("data")
            data = (
                draw.choice(known)
                if known and draw.random() < 0.7
                else draw.randbytes(draw.choice((0, 1, 8, 300)))
            )
            return mutated_bytes(draw, data) if draw.random() < 0.6 else data
        if field.cpp_type == field.CPPTYPE_BOOL:
            return draw.random() < 0.5
        if field.cpp_type in {field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT}:
            return draw.choice(_FLOATS) if draw.random() < 0.7 else draw.uniform(-10, 10)
        if field.cpp_type == field.CPPTYPE_ENUM:
            numbers = [value.number for value in field.enum_type.values]
            return draw.choice(numbers) if draw.random() < 0.9 else draw.choice((-1, 99, (1 << 31) - 1))
        low, high = _BITS[field.cpp_type]
        number = (
            draw.choice(_INTEGERS) + draw.choice((-1, 0, 0, 1)) if draw.random() < 0.4 else draw.randrange(8)
        )
        return min(max(-number if draw.random() < 0.1 else number, low), high)

    def _text(self, name: str) -> str:
        draw = self._draw
        known = [*(self._live.get(name) or ()), *corpus.strings().get(name, ())]
        if name.endswith("_json") and draw.random() < 0.5:
            text = draw.choice(_JSON)
        elif name in {"text", "spec_toml", "replay"} and draw.random() < 0.3:
            text = draw.choice(_TOML)
        elif known and draw.random() < 0.8:
            text = draw.choice(known)
        else:
            text = draw.choice(_TEXTS)
        return mutated_text(draw, text) if draw.random() < 0.25 else text

    def _refresh(self, message: Message) -> None:
        """Put ids and tokens of this server in the place of recorded ones."""
        draw, fields = self._draw, message.DESCRIPTOR.fields_by_name
        if "match_id" in fields and "token" in fields and self._live.get("access"):
            message.match_id, message.token = draw.choice(self._live["access"])
        for field, value in message.ListFields():
            if field.message_type is not None:
                if not field.message_type.GetOptions().map_entry:
                    for part in value if field.is_repeated else [value]:
                        self._refresh(part)
            elif (known := self._live.get(_place(message, field))) and type(known[0]) is type(value):
                setattr(message, field.name, draw.choice(known))

    def _mutate(self, message: Message) -> None:
        """Change one field, anywhere in the message."""
        draw = self._draw
        fields = message.DESCRIPTOR.fields
        if not fields:
            return
        field = draw.choice(fields)
        inner = [
            value
            for one, value in message.ListFields()
            if one.message_type is not None and not one.is_repeated
        ]
        inner += [part for one, value in message.ListFields() if _is_list(one) for part in value]
        if inner and draw.random() < 0.7:
            self._mutate(draw.choice(inner))
        elif _is_list(field) and len(value := getattr(message, field.name)) and draw.random() < 0.3:
            for _ in range(draw.choice((1, 30))):
                value.add().CopyFrom(value[0])
        else:
            self._set(message, field, 1)


def _is_list(field: FieldDescriptor) -> bool:
    return bool(field.is_repeated and field.message_type and not field.message_type.GetOptions().map_entry)


_KEPT = {
    "google.longrunning.Operation": {"name": "run"},
    "sengoku.v1.Tournament": {"name": "tournament"},
    "sengoku.v1.TournamentMatch": {"name": "match"},
    "sengoku.v1.ListTournamentsResponse": {"next_page_token": "page_token"},
    "sengoku.v1.ListTournamentMatchesResponse": {"next_page_token": "page_token"},
    "google.longrunning.ListOperationsResponse": {"next_page_token": "page_token"},
    "sengoku.v1.GetReplayResponse": {"replay": "replay"},
    "sengoku.v1.GetTournamentReplayResponse": {"replay": "replay"},
    "sengoku.v1.SaveMatchResponse": {"data": "data"},
    "sengoku.v1.ThrowResponse": {"data": "data"},
    "sengoku.v1.StepResponse": {"data": "data"},
    "sengoku.v1.EnvView": {"match": "data"},
}
"""Fields of responses that requests can refer to, and the names under which they are kept."""


def _place(message: Message, field: FieldDescriptor) -> str:
    """The name under which values of a field of a request are kept."""
    if field.name != "name":
        return field.name
    return (
        "tournament"
        if "Tournament" in message.DESCRIPTOR.name or "Standings" in message.DESCRIPTOR.name
        else "run"
    )


def harvest(message: Message, live: dict[str, list[Any]], most: int = 60) -> None:
    """Keep what later requests can refer to."""
    if message.DESCRIPTOR.full_name == "sengoku.v1.MatchAccess":
        tokens = (message.owner_token, *message.seat_tokens)
        live.setdefault("access", []).extend((message.match_id, token) for token in tokens)
        del live["access"][:-most]
    wanted = _KEPT.get(message.DESCRIPTOR.full_name, {})
    for field, value in message.ListFields():
        if field.name in wanted and value and len(value) < _LONG:
            kept = live.setdefault(wanted[field.name], [])
            if value not in kept:
                kept.append(value)
                del kept[:-most]
        elif _is_part(field):
            for part in value if field.is_repeated else [value]:
                harvest(part, live, most)


def _is_part(field: FieldDescriptor) -> bool:
    """Whether the values of a field are messages that can be walked."""
    kind = field.message_type
    return kind is not None and not kind.GetOptions().map_entry and kind.full_name != "google.protobuf.Any"
