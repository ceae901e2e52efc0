"""What the README shows works as shown."""

import re
from pathlib import Path

import pytest

from sengoku.server import Server

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example(number: int, server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    code = EXAMPLES[number].replace("localhost:50051", server.address)
    exec(compile(code, f"README example {number}", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out


def test_pictures_exist() -> None:
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", README)
    assert pictures
    assert all((Path(__file__).parents[2] / picture).is_file() for picture in pictures)
