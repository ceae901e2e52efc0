"""Which rule ids the tests cite. `python tests/ledger/coverage.py` lists what is missing, area by area."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

LEDGER = Path(__file__).parent
ROOT = LEDGER.parents[1]
RULES = ROOT / "python" / "sengoku" / "rules"
GAMES = ("swords", "tower", "battles")

ID = re.compile(r"\b(?:(?:SW|TW|CT|BT)-[A-Z][A-Z-]*|DP)-[0-9]+\b")
_WORD = re.compile(r"(?<![\w-])[A-Z][\w-]*(?![\w-])")


@cache
def areas(game: str) -> dict[str, dict[str, str]]:
    """The ids of a game with their titles, by area."""
    data = tomllib.loads((RULES / f"{game}.toml").read_text("utf-8"))
    return {area: content["ids"] for area, content in data.items()}


@cache
def pending() -> dict[str, list[str]]:
    """The areas of each game that are not implemented yet."""
    return tomllib.loads((LEDGER / "pending.toml").read_text("utf-8"))


def _test_code() -> Iterator[str]:
    """Everything that is a test: the test files below tests/, and the test modules of the Rust crates."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if LEDGER not in path.parents:
            yield path.read_text("utf-8")
    for path in sorted((ROOT / "rust").rglob("*.rs")):
        text = path.read_text("utf-8")
        yield text if "tests" in (*path.parts, path.stem) else text.partition("#[cfg(test)]")[2]


@cache
def _words() -> frozenset[str]:
    """Ids without the prefix of their game: cards, terrain and decision points of a table."""
    ids = (rule for game in GAMES for area in areas(game).values() for rule in area)
    return frozenset(rule for rule in ids if not ID.fullmatch(rule))


def words_in(text: str) -> frozenset[str]:
    """The ids without a prefix that a text names."""
    return _words().intersection(_WORD.findall(text))


@cache
def cited() -> frozenset[str]:
    """Every id that a test names; of a range such as 01..06 only the first, each rule is named by itself."""
    found = set()
    for text in _test_code():
        found.update(ID.findall(text))
        found |= words_in(text)
    return frozenset(found)


def missing(game: str, area: str) -> list[str]:
    """The ids of an area that no test names."""
    return [rule for rule in areas(game)[area] if rule not in cited()]


def summary() -> Iterator[str]:
    """One line for each implemented area, and one for what is still to come."""
    for game in GAMES:
        for area, ids in areas(game).items():
            if area not in pending()[game]:
                lacking = missing(game, area)
                note = f"  missing: {' '.join(lacking)}" if lacking else ""
                yield f"{game:8} {area:10} {len(ids) - len(lacking):3} of {len(ids):3}{note}"
        rest = sum(len(areas(game)[area]) for area in pending()[game])
        if rest:
            yield f"{game:8} not implemented yet: {rest} ids in {len(pending()[game])} areas"


if __name__ == "__main__":
    print("\n".join(summary()))  # noqa: T201 - this is what the tool is for
