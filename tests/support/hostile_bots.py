"""Hostile bots: small programs that do what no bot should, and Python bots that look for secrets."""

import gc
import os
import sys
from pathlib import Path
from typing import Any

from sengoku.bots.bot import Decision
from sengoku.bots.program import ProgramBot

PROGRAM = """
import json, os, socket, sys, threading, time
def say(**message):
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="ready", name="odd", games=["battles"])
    elif message["type"] == "decide":
        first, number = message["legal"][0], message["id"]
BODY
        say(type="action", id=number, action=first)
"""
SEED = 0x5EC2E7_0DD5


def program(folder: Path, body: str, **options: Any) -> ProgramBot:
    """A program that runs some lines at each of its decisions, and then takes the first action."""
    file = folder / f"odd{len(list(folder.iterdir()))}.py"
    lines = "\n".join(f"        {line}" for line in body.strip().splitlines())
    file.write_text(PROGRAM.replace("BODY", lines), "utf-8")
    return ProgramBot([sys.executable, "-I", "-S", str(file)], **options)


class Peeks:
    """Looks for the match, its seed and the host in everything that its interpreter can reach."""

    name = "peeks"
    games = ("battles",)

    def decide(self, decision: Decision) -> Any:
        """Fails with what it found, or plays."""
        found = []
        for thread in sys._current_frames().values():
            frame: Any = thread
            while frame is not None:
                for value in frame.f_locals.values():
                    found += self._look(value)
                frame = frame.f_back
        for value in gc.get_objects():
            found += self._look(value)
        for folder in (Path("/proc/self"), Path(f"/proc/{os.getppid()}")):
            for name in ("environ", "cmdline"):
                try:
                    text = (folder / name).read_text("utf-8", "replace")
                except OSError:
                    continue
                found += [f"{folder / name}"] * (str(SEED) in text)
        if found:
            raise LookupError(f"found {found[0]}")
        return decision.legal[0]

    @staticmethod
    def _look(value: object) -> list[str]:
        kind = type(value).__name__
        if kind in ("Match", "LiveMatch", "Host", "Ask", "Seating", "TournamentSpec", "Record"):
            return [kind] * ("sengoku" in type(value).__module__ or type(value).__module__ == "builtins")
        return ["the seed"] * (type(value) is int and value == SEED)


class ExitsHard:
    """Ends its process, whatever else happens in that."""

    name = "exits"

    def decide(self, decision: Decision) -> Any:
        """Decides a few times."""
        if decision.decisions > 10:
            os._exit(3)
        return decision.legal[0]
