"""Puts the simulated clock, threads and random names into the modules of the code under test.

No code of the package changes for that: wherever a module of `sengoku` holds `threading` or `time`, or one of
their functions, it gets the simulated one. A process does this once and then only simulates.
"""

from __future__ import annotations

import inspect
import logging
import random
import secrets
import sys
import threading
import time
import uuid
from concurrent.futures import _base
from types import ModuleType
from typing import Any

from tests.simulation.primitives import simulated_threading, simulated_time

__all__ = ["names", "substitute"]


class _Names:
    """Seeded sources of names and seeds, which are otherwise drawn from the system."""

    def __init__(self) -> None:
        self._random = random.Random(0)

    def seed(self, seed: object) -> None:
        """Start a world."""
        self._random = random.Random(f"names {seed}")

    def uuid4(self) -> uuid.UUID:
        """`uuid.uuid4`."""
        return uuid.UUID(int=self._random.getrandbits(128), version=4)

    def randbits(self, count: int) -> int:
        """`secrets.randbits`."""
        return self._random.getrandbits(count)

    def token_hex(self, count: int = 32) -> str:
        """`secrets.token_hex`."""
        return self._random.randbytes(count).hex()

    def token_bytes(self, count: int = 32) -> bytes:
        """`secrets.token_bytes`."""
        return self._random.randbytes(count)


names = _Names()


def _replacements() -> dict[int, Any]:
    """Return what replaces which object, by the identity of the object."""
    found: dict[int, Any] = {id(threading): simulated_threading, id(time): simulated_time}
    for real, simulated in ((threading, simulated_threading), (time, simulated_time)):
        for name, value in vars(simulated).items():
            if not name.startswith("_") and callable(value) and value is not getattr(real, name):
                found[id(getattr(real, name))] = value
    for real, members in ((uuid, ("uuid4",)), (secrets, ("randbits", "token_hex", "token_bytes"))):
        module = ModuleType(f"simulated {real.__name__}")
        vars(module).update({name: getattr(names, name) for name in members})
        for name in members:
            found[id(getattr(real, name))] = getattr(names, name)
        found[id(real)] = module
    return found


def substitute() -> None:
    """Replace real time, threads and randomness in all modules of `sengoku` that are loaded."""
    found = _replacements()
    modules = [
        module
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] == "sengoku" and not name.startswith(("sengoku._core", "sengoku.v1"))
    ]
    for module in modules:
        for name, value in list(vars(module).items()):
            if id(value) in found and not name.startswith("__"):
                setattr(module, name, found[id(value)])
            elif inspect.isclass(value) and value.__module__ == module.__name__:
                for member in vars(value).values():
                    _defaults(member, found)
            else:
                _defaults(value, found)
    vars(_base)["threading"] = simulated_threading  # the futures that threads wait for
    logging.disable(logging.CRITICAL)


def _defaults(function: Any, found: dict[int, Any]) -> None:
    """Replace what a function has as the default of an argument, such as a clock."""
    function = inspect.unwrap(function) if inspect.isfunction(function) else function
    if not inspect.isfunction(function) or not function.__module__.startswith("sengoku."):
        return
    if function.__kwdefaults__:
        for name, value in function.__kwdefaults__.items():
            if id(value) in found:
                function.__kwdefaults__[name] = found[id(value)]
    if function.__defaults__:
        function.__defaults__ = tuple(found.get(id(value), value) for value in function.__defaults__)
