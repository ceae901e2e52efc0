"""Pages: sizes, tokens, and how they are filled."""

import pytest

from sengoku.errors import ArgumentError
from sengoku.server import paging
from sengoku.server.paging import Page, page_size, read_id, read_token, write_token


def test_sizes() -> None:
    assert [page_size(wanted) for wanted in (0, 1, 1_000, 1_001)] == [100, 1, 1_000, 1_000]
    with pytest.raises(ArgumentError, match="page_size is -1, it must be 0 or more"):
        page_size(-1)


@pytest.mark.parametrize("place", ["7", "0-1.0.3.1", "é"])
def test_tokens_belong_to_their_list(place: str) -> None:
    token = write_token(place, "state=RUNNING")
    assert read_token(token, "state=RUNNING") == place
    assert read_token("", "anything") is None
    for wrong, scope in (
        (token, "other"),
        (token + "=", "state=RUNNING"),
        ("x", ""),
        ("\udcff", ""),
        ("é", ""),
    ):
        with pytest.raises(ArgumentError, match="not a next_page_token of this list") as refused:
            read_token(wrong, scope)
        assert refused.value.details["field"] == "page_token"


def test_ids() -> None:
    assert read_id(write_token(7, ""), "") == 7
    assert read_id(write_token(1 << 80, ""), "") == 1 << 62
    assert read_id("", "") is None
    with pytest.raises(ArgumentError, match="page_token"):
        read_id(write_token("-1", ""), "")


def read(before: int | None, count: int) -> list[tuple[int, str | None, int]]:
    """Items 9 to 1, of ten bytes; every third is skipped."""
    start = 10 if before is None else before
    return [(number, str(number) if number % 3 else None, 10) for number in range(start - 1, 0, -1)][:count]


def test_pages_are_filled() -> None:
    assert Page.fill(read, before=None, most=2) == Page(["8", "7"], 7)
    assert Page.fill(read, before=7, most=2) == Page(["5", "4"], 4)
    assert Page.fill(read, before=4, most=2) == Page(["2", "1"], None)
    assert Page.fill(read, before=None, most=6) == Page(["8", "7", "5", "4", "2", "1"], None)
    assert Page.fill(read, before=1, most=2) == Page([], None)


def test_long_items_make_short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "PAGE_BYTES", 15)
    assert Page.fill(read, before=None, most=5) == Page(["8", "7"], 7)
    monkeypatch.setattr(paging, "PAGE_BYTES", 0)
    assert Page.fill(read, before=None, most=5) == Page(["8"], 8)
