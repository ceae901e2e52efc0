"""Custom bots and clocked play: decisions, hosts, bots in isolated processes, and checks of bots."""

from sengoku.bots.bot import AnyBot, Bot, Decision, load_bot
from sengoku.bots.check import check_bot
from sengoku.bots.clock import Clock
from sengoku.bots.llm import LlmPlayer, LlmSettings
from sengoku.bots.play import play_matches
from sengoku.bots.process import Isolation
from sengoku.bots.program import ProgramBot, python_bot
from sengoku.bots.report import PlayReport
from sengoku.bots.serve import serve
from sengoku.bots.text import TextBot
from sengoku.engine.result import Costs, MatchResult

__all__ = [
    "AnyBot",
    "Bot",
    "Clock",
    "Costs",
    "Decision",
    "Isolation",
    "LlmPlayer",
    "LlmSettings",
    "MatchResult",
    "PlayReport",
    "ProgramBot",
    "TextBot",
    "check_bot",
    "load_bot",
    "play_matches",
    "python_bot",
    "serve",
]
