"""What the README shows works as shown."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from sengoku.cli.main import app
from sengoku.server import Server

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
DOCS = ("docs/clients.md", "docs/environments.md", "docs/tournaments.md")
PAGES = ("README.md", *DOCS, "docs/operations.md", "examples/README.md")
SHOWN = (README, *((ROOT / page).read_text("utf-8") for page in DOCS))
EXAMPLES = re.findall(r"```python\n(.*?)```", "".join(SHOWN), re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example(
    number: int,
    server: Server,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code = EXAMPLES[number].replace("localhost:50051", server.address)
    exec(compile(code, f"example {number}", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out


def test_pictures_exist() -> None:
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", README)
    assert pictures
    assert all((ROOT / picture).is_file() for picture in pictures)


def commands(group: Any, *path: str) -> Iterator[tuple[str, set[str]]]:
    """Every command with its flags."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *path, name)
        else:
            yield " ".join((*path, name)), {flag for option in command.params for flag in option.opts}


COMMANDS = dict(commands(get_command(app)))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_table(command: str) -> None:
    table = README[README.index("## Commands\n") : README.index("## How accurate\n")]
    assert re.search(rf"`(sengoku )?{command}\b", table)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]*)#?[^)]*\)", text):
        assert ((ROOT / page).parent / target).exists(), target
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= anchors


@pytest.mark.parametrize("page", ["docs/clients.md", "docs/operations.md"])
def test_flags_and_commands_exist(page: str) -> None:
    text = re.sub(r"```python\n.*?```", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL)
    known = set().union(*COMMANDS.values()) | {"--json", "--rm"}
    spans = "\n".join(re.findall(r"`[^`]*`", text))
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+(?![\w.-]*\.\.\.)", spans)) <= known
    for command in re.findall(r"sengoku ((?:runs )?[a-z]+) ", spans):
        assert any(name.startswith(command) for name in COMMANDS), command
