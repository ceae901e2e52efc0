"""Reads the Markdown pages of the documentation: code blocks, links, headings and code spans."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\S*)[^\n]*\n(?P<code>.*?)^(?P=indent)```$", re.M | re.S)
RUN = ("bash", "python")
"""Languages of the blocks that the tests execute."""
SHOW = ("console", "js", "json", "rust", "text", "toml", "yaml")
"""Languages of the blocks that only show something: a transcript, a file, output."""


@dataclass(frozen=True)
class Block:
    """A fenced code block of a page."""

    language: str
    code: str
    line: int


@dataclass(frozen=True)
class Page:
    """A Markdown page of the repository."""

    path: Path

    def __str__(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def text(self) -> str:
        """The whole page."""
        return self.path.read_text("utf-8")

    @property
    def blocks(self) -> list[Block]:
        """The code blocks, in order."""
        text = self.text
        return [
            Block(found["language"], found["code"], text.count("\n", 0, found.start()) + 1)
            for found in FENCE.finditer(text)
        ]

    @property
    def prose(self) -> str:
        """The page without its code blocks."""
        return FENCE.sub("", self.text)

    @property
    def links(self) -> list[str]:
        """Targets of links and pictures that lead to other files or to headings, not to other hosts."""
        text = re.sub(r"`[^`\n]*`", "", self.prose)
        return [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match("[a-z]+:", link)]

    @property
    def spans(self) -> list[str]:
        """The code spans of the prose."""
        return re.findall(r"`([^`\n]+)`", self.prose)

    @property
    def anchors(self) -> set[str]:
        """Anchors of the headings, as the site generator and code hosts derive them."""
        found: dict[str, int] = {}
        anchors = set()
        for heading in re.findall(r"^#+ (.*)$", self.prose, re.M):
            plain = re.sub(r"\[([^]]*)\]\([^)]*\)|[`*]", r"\1", heading)
            slug = re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
            anchors.add(f"{slug}_{found[slug]}" if slug in found else slug)
            found[slug] = found.get(slug, 0) + 1
        return anchors


def entry_point() -> tuple[str, str]:
    """Module and function of the command `sengoku`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    module, name = project["scripts"]["sengoku"].split(":")
    return module, name


def pages() -> list[Page]:
    """Every page of the documentation: the site, the README and the pages beside it."""
    single = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md")
    return [*(Page(ROOT / name) for name in single), *(Page(path) for path in sorted(DOCS.rglob("*.md")))]
