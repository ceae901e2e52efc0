"""Custom bots and clocked play: decisions, hosts, bots in isolated processes, and checks of bots."""

from sengoku.bots.bot import AnyBot, Bot, Decision, load_bot
from sengoku.bots.check import check_bot
from sengoku.bots.clock import Clock
from sengoku.bots.play import play_matches
from sengoku.bots.process import Isolation
from sengoku.bots.program import ProgramBot, python_bot
from sengoku.bots.report import PlayReport
from sengoku.bots.serve import serve
from sengoku.engine.result import MatchResult

__all__ = [
    "AnyBot",
    "Bot",
    "Clock",
    "Decision",
    "Isolation",
    "MatchResult",
    "PlayReport",
    "ProgramBot",
    "check_bot",
    "load_bot",
    "play_matches",
    "python_bot",
    "serve",
]
