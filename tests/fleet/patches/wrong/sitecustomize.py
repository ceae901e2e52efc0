"""A worker whose matches have one decision too many, except those that are played when it joins."""

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent.parent))

from patch import Patch


def change(module: Any) -> None:
    """Add a decision to the first match of each range."""
    play = module.RunRequest.play

    def wrong(self: Any, **options: Any) -> Any:
        report = play(self, **options)
        if options.get("background"):
            report.decisions[0] += 1
        return report

    module.RunRequest.play = wrong


Patch("sengoku.engine.requests", change)
