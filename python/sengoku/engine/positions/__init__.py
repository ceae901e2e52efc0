"""Builders of positions: say what matters, and the rest of a sound position is filled in."""

from sengoku.engine.positions.battles import PositionBuilder as BattlesPosition
from sengoku.engine.positions.swords import PositionBuilder as SwordsPosition
from sengoku.engine.positions.tower import PositionBuilder as TowerPosition

__all__ = ["BattlesPosition", "SwordsPosition", "TowerPosition"]
