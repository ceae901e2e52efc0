"""The bytes on the wire are those of the corpus; `make goldens` records it anew.

A change of code that is not meant to be seen leaves `tests/golden/wire` as it is.
"""

from itertools import chain
from pathlib import Path

import pytest

from wire.corpus import SCRIPTS, corpus_text, recorded
from wire.coverage import UNREACHED, reached, wanted
from wire.normalise import (
    CLOSED,
    DROPPED,
    IDS,
    LAST_ONLY,
    MERGED,
    PARTS,
    POLLED,
    PROGRESS,
    VALUES,
    methods,
    parse,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "wire"


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_bytes_are_those_of_the_corpus(name: str) -> None:
    assert corpus_text(name) == (GOLDEN / f"{name}.txt").read_text("utf-8")


def test_every_file_has_a_script() -> None:
    assert {file.stem for file in GOLDEN.iterdir()} == set(SCRIPTS)


def test_the_corpus_is_small() -> None:
    assert sum(file.stat().st_size for file in GOLDEN.iterdir()) < 1_000_000


def test_every_method_field_and_value_is_covered() -> None:
    found = reached(parse(chain.from_iterable(map(recorded, SCRIPTS))))
    missing = sorted(set(wanted()) - found - set(UNREACHED) - set(DROPPED))
    assert missing == [], "call it in a script of tests/wire, or say in UNREACHED why not"
    assert sorted(set(UNREACHED) & found) == [], "these are reached after all"


def test_reading_and_writing_a_message_changes_nothing() -> None:
    """Only then are bytes that were read, normalised and written again as good as those on the wire."""
    for call in chain.from_iterable(map(recorded, SCRIPTS)):
        (parsed,) = parse([call])
        if call.method not in methods():
            continue
        for data, message in zip(
            (*call.requests, *call.responses), (*parsed.requests, *parsed.responses), strict=True
        ):
            if message.DESCRIPTOR.name != "BytesValue":  # bytes that are no message
                assert message.ByteSize() == len(data), call


def test_tables_name_what_there_is() -> None:
    fields = {*IDS, *VALUES, *PARTS, *DROPPED}
    fields |= {f"{message}.{name}" for message, names in PROGRESS.items() for name in names}
    known = set(wanted())
    unknown = {name for name in fields if name not in known and not name.startswith("google.rpc.")}
    assert unknown == set()
    assert {*CLOSED, *LAST_ONLY, *MERGED, *POLLED} <= set(methods())
