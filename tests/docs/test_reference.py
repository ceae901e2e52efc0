"""The generated pages are fresh and describe everything; `make docs` rewrites them."""

import pytest
from typer.main import get_command

from sengoku.cli.main import app
from tools.docs.pages import DOCS, ROOT
from tools.docs.reference import PAGES, PICTURES, commands, content


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_fresh(name: str) -> None:
    assert (DOCS / "reference" / name).read_text("utf-8") == content(name)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_that_of_the_code(name: str) -> None:
    assert (DOCS / "pictures" / name).read_bytes() == (ROOT / PICTURES[name]).read_bytes()


def test_every_command_is_described() -> None:
    page = content("cli.md")
    for name, _ in commands(get_command(app)):
        assert f"## sengoku {name}\n" in page
