"""Python bots and clocked play: what a bot is asked, who plays it, and how it is checked."""

from sengoku.bots.bot import AnyBot, Bot, Decision, load_bot, play_matches
from sengoku.bots.check import check_bot
from sengoku.bots.host import Clock
from sengoku.bots.report import PlayedMatch, PlayReport

__all__ = [
    "AnyBot",
    "Bot",
    "Clock",
    "Decision",
    "PlayReport",
    "PlayedMatch",
    "check_bot",
    "load_bot",
    "play_matches",
]
