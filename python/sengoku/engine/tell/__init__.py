"""Matches as compact text, for players that read and answer in words."""

from sengoku.engine.tell.choices import Choices
from sengoku.engine.tell.renaming import Renaming
from sengoku.engine.tell.telling import LEAST, tell

__all__ = ["LEAST", "Choices", "Renaming", "tell"]
