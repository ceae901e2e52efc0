"""A worker with another version of the package."""

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parent.parent))

from patch import Patch


def change(module: Any) -> None:
    """Report another version."""
    info = module.build_info
    module.build_info = lambda: info() | {"version": "9.9.9"}


Patch("sengoku.fleet.identity", change)
