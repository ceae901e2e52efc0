"""Checks of a release: `check VERSION`, the part of the changelog (`notes VERSION`), and `slower HISTORY`.

Only the standard library is used, because workflows call it before anything is installed.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORSE = 0.8
"""A ratio below this share of the median of its history is an alert."""
_TAGS = re.compile(r"(?:\bsengoku(?:-fleet)?:|newTag: )(\d[\w.]*)")
"""Tags of our images, wherever they are named."""
NEEDED = 5
"""Entries of a history before there are alerts."""


def versions(root: Path = ROOT) -> dict[str, str]:
    """Return the version that each file names; every tag of an image in deploy counts."""
    found = {"Cargo.toml": tomllib.loads(_read(root, "Cargo.toml"))["workspace"]["package"]["version"]}
    citation = re.search(r"(?m)^version: (\S+)$", _read(root, "CITATION.cff"))
    found["CITATION.cff"] = citation[1] if citation else "none"
    for path in sorted((root / "deploy").rglob("*")):
        if path.name == "Dockerfile" or path.suffix in {".yaml", ".sh"}:
            tags = sorted(set(_TAGS.findall(path.read_text("utf-8"))))
            if tags:
                found[path.relative_to(root).as_posix()] = " and ".join(tags)
    return found


def notes(version: str, root: Path = ROOT) -> str:
    """Return the part of the changelog about a version; empty if there is none."""
    parts = re.split(r"(?m)^## ", _read(root, "CHANGELOG.md"))
    for part in parts[1:]:
        title, _, text = part.partition("\n")
        if title.strip().split(" ")[0] == version:
            return text.strip() + "\n"
    return ""


def check(version: str, root: Path = ROOT) -> list[str]:
    """Return what does not fit a release of this version."""
    wrong = [f"{name} names {found}" for name, found in versions(root).items() if found != version]
    if not notes(version, root):
        wrong.append(f"CHANGELOG.md has no section {version}")
    if not (root / "tests" / "released" / version / "released.json").exists():
        wrong.append(f"tests/released has no files of {version}: `python -m tools.released write {version}`")
    return wrong


def slower(history: Path) -> list[str]:
    """Return the measurements of the last line that are clearly worse than their history."""
    entries = [json.loads(line)["ratios"] for line in history.read_text("utf-8").splitlines() if line.strip()]
    if len(entries) <= NEEDED:
        return []
    found = []
    for name, ratio in entries[-1].items():
        before = [entry[name] for entry in entries[:-1] if name in entry][-30:]
        if len(before) >= NEEDED and ratio < WORSE * statistics.median(before):
            found.append(f"{name}: {ratio:.2f}, before {statistics.median(before):.2f}")
    return found


def _read(root: Path, name: str) -> str:
    return (root / name).read_text("utf-8")


def main(arguments: list[str]) -> int:
    """Run one of the commands; the exit code is 1 if something is wrong."""
    match arguments:
        case ["check", version]:
            wrong = check(version)
        case ["notes", version]:
            text = notes(version)
            print(text, end="")
            wrong = [] if text else [f"CHANGELOG.md has no section {version}"]
        case ["slower", history]:
            wrong = slower(Path(history))
        case _:
            wrong = [__doc__ or ""]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
