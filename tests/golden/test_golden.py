"""Golden files say what the engine says; `python tests/golden/regenerate.py` rewrites them."""

import pytest

from golden.regenerate import FILES, FOLDER, content


@pytest.mark.parametrize("name", FILES)
def test_golden_file(name: str) -> None:
    assert content(name) == (FOLDER / name).read_text("utf-8")
