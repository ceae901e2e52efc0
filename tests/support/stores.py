"""Runs in a store, for tests."""

from sengoku.storage import Chunk, RunRow, Store


def begin(
    store: Store, name: str = "a", *, client: str = "c", request_id: str = "", count: int = 10
) -> RunRow:
    return store.runs.begin(
        RunRow(
            name=name,
            client=client,
            request_id=request_id,
            request=b"request",
            rules_version=1,
            match_count=count,
            row_bytes=100,
            created=1_000,
            summary=b"0",
        )
    )


def finish(store: Store, name: str, client: str = "c", ended: int = 2_000) -> RunRow:
    row = begin(store, name, client=client)
    assert store.runs.add(row.id, Chunk(0, 10, b"s", b"r" * 1_000), b"10", ended=ended)
    found = store.runs.get(name)
    assert found is not None
    return found
