"""The command line, wherever its module is."""

from importlib import import_module
from typing import Any

from tools.docs.pages import entry_point

app: Any = import_module(entry_point()[0]).app
