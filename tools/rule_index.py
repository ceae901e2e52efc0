"""Writes the index of rules: the code and the tests that name each (`python -m tools.rule_index`)."""

from __future__ import annotations

import ast
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from ledger.coverage import ID, words_in  # noqa: E402 - a folder of the tests

TARGET = ROOT / "python" / "sengoku" / "rules" / "index.json"


def _named(text: str) -> set[str]:
    return {*ID.findall(text), *words_in(text)}


def _python_tests() -> Iterator[tuple[str, str]]:
    """Yield each test function of Python with its text, and what is outside of functions with its file."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if path.parent.name == "ledger":
            continue
        name, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        lines = text.splitlines(keepends=True)
        rest = list(lines)
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
                yield f"{name}::{node.name}", "".join(lines[first : node.end_lineno])
                rest[first : node.end_lineno] = [""] * (node.end_lineno - first)  # type: ignore[operator]
        yield name, "".join(rest)


def index() -> dict[str, dict[str, list[str]]]:
    """Return the places that name each rule: `code` and `tests`."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: {"code": [], "tests": []})
    for path in sorted((ROOT / "rust").rglob("*.rs")):
        name, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        code, _, tests = text.partition("#[cfg(test)]")
        if "tests" in (*path.parts, path.stem):
            code, tests = "", text
        for rule in ID.findall(code):
            found[rule]["code"].append(name)
        for rule in _named(tests):
            found[rule]["tests"].append(name)
    for name, text in _python_tests():
        for rule in _named(text):
            found[rule]["tests"].append(name)
    return {
        rule: {kind: list(dict.fromkeys(sorted(places))) for kind, places in both.items()}
        for rule, both in sorted(found.items())
    }


def text() -> str:
    """Return the file: one line a rule, so that changes are easy to read and to merge."""
    lines = (f" {json.dumps(rule)}: {json.dumps(places)}" for rule, places in index().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")
