"""Files as a release writes them, which later releases have to read: `python -m tools.released write 0.2.0`.

    tests/released/0.2.0/NAME.save, NAME.replay   matches of every game, under way
    tests/released/0.2.0/rows.csv                 matches that bots play
    tests/released/0.2.0/released.json            digests and rules versions
    tests/released/0.2.0/protos.binpb             descriptors of the protos

Stores are in tests/storage/versions, by the version of their format. `matches FOLDER` writes all but the
protos, with whatever release is installed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from sengoku import Match, run_matches
from sengoku._core import build_info

ROOT = Path(__file__).parents[1]
RELEASED = ROOT / "tests" / "released"
MATCHES: dict[str, tuple[str, dict[str, Any], int]] = {
    "swords": ("swords", {"seats": 4}, 120),
    "tower": ("tower", {"seats": 3}, 120),
    "tower_court": ("tower", {"seats": 4, "setup": {"court": True}}, 120),
    "battles": ("battles", {"setup": {"scenario": 8}}, 60),
    "battles_over": ("battles", {"setup": {"scenario": 8, "max_rounds": 2}}, 10_000),
}
"""Matches by name: the game, how it is created, and how many decisions are made at most."""
RUN: dict[str, Any] = {"bots": ["greedy", "random"], "match_count": 4, "seed": 11}


def folders() -> list[Path]:
    """Return the folders of all releases, the oldest first."""
    found = (path for path in RELEASED.iterdir() if path.is_dir())
    return sorted(found, key=lambda path: [int(part) for part in path.name.split(".")])


def play(name: str) -> Match:
    """Play one of the matches: with the actions in turn from both ends of the list of legal ones."""
    game, options, most = MATCHES[name]
    match = Match.create(game, seed=7, **options)
    while not match.over and match.decisions < most:
        legal = match.legal_actions()
        match.play(legal[-1 if match.decisions % 3 else 0])
    return match


def rows() -> str:
    """Return the rows of matches of all games."""
    return "".join(run_matches(game, **RUN).to_csv() or "" for game in ("swords", "tower", "battles"))


def write_matches(folder: Path) -> None:
    """Write all but the protos."""
    found = {}
    for name in MATCHES:
        match = play(name)
        (folder / f"{name}.save").write_bytes(match.save())
        (folder / f"{name}.replay").write_text(match.replay(), "utf-8")
        found[name] = {"digest": match.digest, "decisions": match.decisions}
    (folder / "rows.csv").write_text(rows(), "utf-8")
    described = {"rules_versions": build_info()["rules_versions"], "matches": found}
    (folder / "released.json").write_text(json.dumps(described, indent=1, sort_keys=True) + "\n", "utf-8")


def write_protos(file: Path) -> None:
    """Write the descriptors of the protos, with those they import."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - an old release may have no generator

    from protos.generate import compile_protos  # noqa: PLC0415

    with TemporaryDirectory() as scratch:
        options = (f"--descriptor_set_out={file}", "--include_imports")
        compile_protos(Path(scratch) / "imports", *options)


def main(arguments: list[str]) -> int:
    """Run a command."""
    match arguments:
        case ["matches", folder]:
            write_matches(Path(folder))
        case ["write", version]:
            (RELEASED / version).mkdir(parents=True)
            write_matches(RELEASED / version)
            write_protos(RELEASED / version / "protos.binpb")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
