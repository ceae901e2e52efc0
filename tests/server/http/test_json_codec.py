"""JSON of messages is that of protobuf's library, for every kind of field of every message."""

import json
import math
from typing import Any

import hypothesis
import pytest
from google.longrunning import operations_pb2
from google.protobuf import any_pb2, duration_pb2, json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

from sengoku.errors import DecodeError
from sengoku.server.http.json_codec import JSON, message_to_dict
from sengoku.v1 import odds_service_pb2 as pb2
from sengoku.v1 import simulation_service_pb2
from support.access import METHODS

F = FieldDescriptor
FULL_RANGE = {
    F.TYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    F.TYPE_UINT32: st.integers(0, 2**32 - 1),
    F.TYPE_INT64: st.integers(-(2**63), 2**63 - 1),
    F.TYPE_UINT64: st.integers(0, 2**64 - 1),
    F.TYPE_DOUBLE: st.floats(),
    F.TYPE_FLOAT: st.floats(width=32),
    F.TYPE_BOOL: st.booleans(),
    F.TYPE_STRING: st.text(max_size=20),
    F.TYPE_BYTES: st.binary(max_size=20),
}
MESSAGES = sorted(
    {
        kind.full_name: kind
        for method in METHODS.values()
        for kind in (method.input_type, method.output_type)
    }.items()
)


@st.composite
def filled(draw: st.DrawFn, descriptor: Any, depth: int = 0) -> Message:
    """A message with some of its fields set to anything."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        if depth > 2 or not draw(st.booleans()):
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            value_type = field.message_type.fields_by_name["value"]
            if value_type.message_type is None:
                key_type = field.message_type.fields_by_name["key"]
                pairs = st.dictionaries(value_of(key_type), value_of(value_type), max_size=2)
                getattr(message, field.name).update(draw(pairs))
        elif field.message_type is not None:
            if field.message_type.file.package == "google.protobuf":
                continue
            nested = draw(filled(field.message_type, depth + 1))
            if field.is_repeated:
                getattr(message, field.name).append(nested)
            else:
                getattr(message, field.name).CopyFrom(nested)
        elif field.is_repeated:
            getattr(message, field.name).extend(draw(st.lists(value_of(field), max_size=3)))
        else:
            setattr(message, field.name, draw(value_of(field)))
    return message


def value_of(field: Any) -> st.SearchStrategy[Any]:
    if field.type == F.TYPE_ENUM:
        return st.sampled_from([value.number for value in field.enum_type.values])
    return FULL_RANGE[field.type]


def same(one: Any, other: Any) -> bool:
    """Whether two values of JSON are the same, also where a number is written in another way."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@pytest.mark.parametrize("name", [name for name, _ in MESSAGES])
@hypothesis.settings(max_examples=10)
@hypothesis.given(data=st.data())
def test_messages_are_written_and_read_as_by_the_library(name: str, data: st.DataObject) -> None:
    descriptor = dict(MESSAGES)[name]
    if descriptor.file.package == "google.protobuf":
        return
    message = data.draw(filled(descriptor))
    assert same(message_to_dict(message), json_format.MessageToDict(message))
    written = JSON.write(type(message), message)
    # The order of maps is not that of the message.
    assert same(json.loads(JSON.write(type(message), message.SerializeToString())), json.loads(written))
    # Bytes differ where NaN has a sign.
    for text in (written, json_format.MessageToJson(message).encode()):
        back = JSON.read(type(message), text)
        assert same(json_format.MessageToDict(back), json_format.MessageToDict(message))


@pytest.mark.parametrize(
    "text",
    [
        *(
            '{"samples": 7.0}',
            '{"samples": "7"}',
            '{"max_error": "1e-3"}',
            '{"maxError": 1}',
            '{"method": 2}',
        ),
        *('{"samples": null}', '{"includeSurvivors": true, "seed": "18446744073709551615"}', "{}", " { } "),
    ],
)
def test_unusual_forms_mean_the_same_as_in_the_library(text: str) -> None:
    expected = json_format.Parse(text, pb2.OddsOptions())
    assert JSON.read(pb2.OddsOptions, text.encode()) == expected


@pytest.mark.parametrize(
    "text",
    [
        *('{"samples": true}', '{"samples": 1.5}', '{"samples": "x"}', '{"samples": 9223372036854775808}'),
        *(
            '{"sampels": 1}',
            '{"method": "GUESSED"}',
            '{"includeSurvivors": 1}',
            "[]",
            "7",
        ),
        *("", "{", '{"samples": 1}}', "\xff", '{"seed": -1}', "[" * 100_000, '{"samples": "\u0661\u0662x"}'),
        '{"samples": 1, "samples": [2]}',
    ],
)
def test_what_is_wrong_is_refused(text: str) -> None:
    data = text.encode("latin-1") if text == "\xff" else text.encode()
    with pytest.raises(DecodeError, match="OddsOptions in JSON"):
        JSON.read(pb2.OddsOptions, data)


@pytest.mark.parametrize("text", ['{"options": 7}', '{"swordsBattle": {"defenders": 7}}', '{"options": "x"}'])
def test_values_of_another_kind_are_refused(text: str) -> None:
    with pytest.raises(DecodeError, match="EvaluateRequest in JSON"):
        JSON.read(pb2.EvaluateRequest, text.encode())


def test_two_alternatives_are_refused() -> None:
    with pytest.raises(DecodeError, match="oneof"):
        JSON.read(pb2.EvaluateRequest, b'{"swordsBattle": {}, "towerClash": {}}')


def test_messages_of_any_type() -> None:
    operation = operations_pb2.Operation(name="operations/1")
    operation.metadata.Pack(simulation_service_pb2.RunMetadata(matches_done=7))
    assert same(message_to_dict(operation), json_format.MessageToDict(operation))
    box = any_pb2.Any()
    assert message_to_dict(box) == json_format.MessageToDict(box)
    box.Pack(duration_pb2.Duration(seconds=3))
    assert message_to_dict(box) == json_format.MessageToDict(box)
    assert JSON.read(operations_pb2.Operation, JSON.write(operations_pb2.Operation, operation)) == operation


def test_numbers_that_are_none() -> None:
    options = pb2.OddsOptions(max_error=math.nan)
    assert JSON.write(pb2.OddsOptions, options) == b'{"maxError":"NaN"}'
    assert math.isnan(JSON.read(pb2.OddsOptions, b'{"maxError":"NaN"}').max_error)
