"""Runs every example against a server of its own, in other languages where their toolchains are here."""

import subprocess
import sys

from build import BUILDERS, EXAMPLES, ROOT, UnreachableError, missing
from sengoku.server import Server

SHORT = {"train.py": ("--updates", "6", "--measures", "2", "--matches", "50")}
"""Options of examples that take minutes by themselves."""


def main() -> None:
    """Builds, runs, and says what could not be."""
    commands = {
        f"python/{path.name}": [sys.executable, str(path), *SHORT.get(path.name, ())]
        for path in sorted(EXAMPLES.glob("python/*.py"))
    }
    for language, build in BUILDERS.items():
        if absent := missing(language):
            print(f"{language} is left out: {', '.join(absent)} not found")
            continue
        try:
            commands[language] = build(ROOT / "build" / "examples")
        except UnreachableError as error:
            print(f"{language} is left out: {error}")
    with Server(port=0, store=":memory:") as server:
        for name, command in commands.items():
            print(f"\n== {name}", flush=True)
            flag = "-server" if name == "go" else "--server"
            subprocess.run([*command, flag, server.address], check=True, timeout=600)


if __name__ == "__main__":
    main()
