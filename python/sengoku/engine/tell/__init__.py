"""Matches as compact text, for players that read and answer in words."""

from sengoku.engine.tell.choices import Choices
from sengoku.engine.tell.telling import tell

__all__ = ["Choices", "tell"]
