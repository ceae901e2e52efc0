"""Every block of code in the documentation works as it is pasted, or is marked as one that only shows."""

import json
import tomllib
from pathlib import Path

import pytest
import yaml

from docs.session import run
from tools.docs.pages import RUN, SHOW, Page, pages

PAGES = pages()
EXECUTED = [page for page in PAGES if any(block.language in RUN for block in page.blocks)]
READ = {"json": json.loads, "toml": tomllib.loads, "yaml": yaml.safe_load}


@pytest.mark.parametrize("page", EXECUTED, ids=str)
def test_the_blocks_of_a_page_run(page: Page, tmp_path: Path) -> None:
    output = run(page, tmp_path)
    silent = [
        block.line for block in page.blocks if block.language == "python" and not output[block.line].strip()
    ]
    assert not silent, f"blocks that show nothing, by line: {silent}"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_block_says_what_it_is(page: Page) -> None:
    for block in page.blocks:
        assert block.language in RUN + SHOW, f"line {block.line}: {block.language!r}"
        if block.language in READ:
            READ[block.language](block.code)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_command_has_a_line_of_its_own(page: Page) -> None:
    for block in page.blocks:
        for line in block.code.splitlines():
            assert block.language != "bash" or line.count("sengoku ") < 2 or " | " in line, line
