"""Changes a module of sengoku as it is imported, to make a faulty worker out of a real one."""

import importlib.abc
import importlib.util
import sys
from collections.abc import Callable
from typing import Any


class Patch(importlib.abc.MetaPathFinder):
    """Calls a function with a module when that has been imported."""

    def __init__(self, name: str, change: Callable[[Any], None]) -> None:
        self.name, self.change = name, change
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, _path: object, _target: object = None) -> Any:
        """Find the module to be changed, and change it when it is loaded."""
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec: Any = importlib.util.find_spec(name)
        load = spec.loader.exec_module

        def exec_module(module: Any) -> None:
            load(module)
            self.change(module)

        spec.loader.exec_module = exec_module
        return spec
