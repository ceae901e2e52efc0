"""Python bots and clocked play: the decisions bots receive, the host that plays them, and checks of bots."""

from sengoku.bots.bot import AnyBot, Bot, Decision, load_bot
from sengoku.bots.check import check_bot
from sengoku.bots.clock import Clock
from sengoku.bots.play import play_matches
from sengoku.bots.report import PlayReport
from sengoku.bots.serve import serve
from sengoku.engine.result import MatchResult

__all__ = [
    "AnyBot",
    "Bot",
    "Clock",
    "Decision",
    "MatchResult",
    "PlayReport",
    "check_bot",
    "load_bot",
    "play_matches",
    "serve",
]
