"""Links of the documentation lead to files and headings that exist, and names in it are those of the code."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from sengoku.cli.main import app
from tools.docs.pages import DOCS, ROOT, Page, pages

PAGES = pages()
LONGEST = 100
OTHERS = {"--tool", "--max-client-...", "--updates", "--out"}
"""Flags of other programs, and beginnings of flags."""


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Page) -> None:
    for link in page.links:
        target, _, anchor = link.partition("#")
        path = (page.path.parent / target).resolve() if target else page.path
        assert path.exists(), f"{link}: no such file"
        if anchor:
            assert anchor in Page(path).anchors, f"{link}: no such heading"


@pytest.mark.parametrize("page", [page for page in PAGES if page.path.is_relative_to(DOCS)], ids=str)
def test_links_of_the_site_stay_on_it(page: Page) -> None:
    for link in page.links:
        if target := link.partition("#")[0]:
            assert (page.path.parent / target).resolve().is_relative_to(DOCS), link


def test_the_site_has_every_page() -> None:
    config = (ROOT / "zensical.toml").read_text("utf-8")
    listed = re.findall(r'= "([\w/]+\.md)"', config)
    assert sorted(listed) == sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_lines_are_short(page: Page) -> None:
    generated = ("docs/reference/", "docs/our_bots/")
    for line in page.prose.splitlines():
        if not line.lstrip().startswith(("|", "[", "![")) and not str(page).startswith(generated):
            assert len(line) <= LONGEST, line


def commands(group: Any, *path: str) -> Iterator[tuple[str, set[str]]]:
    """Every command with its flags."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *path, name)
        yield (
            " ".join((*path, name)),
            {flag for option in command.params for flag in (*option.opts, *option.secondary_opts)},
        )


COMMANDS = dict(commands(get_command(app)))
FLAGS = set().union(*COMMANDS.values(), {"--help", "--version"}, OTHERS)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_flags_and_commands_exist(page: Page) -> None:
    shown = "\n".join(
        span for span in page.spans if not span.startswith(("pytest", "make", "cargo", "python", "docker"))
    )
    if page.path.name != "CHANGELOG.md":  # it also names what is gone
        assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+(?:\.\.\.)?", shown)) <= FLAGS
    for command in re.findall(r"\bsengoku ([a-z]+(?: [a-z]+)?)", shown):
        assert command in COMMANDS or command.split()[0] in COMMANDS, command
