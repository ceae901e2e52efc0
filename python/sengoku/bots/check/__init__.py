"""Bot checks: play a bot through unusual situations of its games before it enters a tournament.

Every setup that changes which decisions occur, every number of seats and each seat; positions in which each
question of the game comes up, with one legal answer and with very many; whole matches; matches of all games
at the same time, and each alone. Every failure comes with a replay up to the decision that failed.

>>> class First:
...     name = "first"
...     games = ("tower",)
...
...     def decide(self, decision):
...         return decision.legal[0]
>>> report = check_bot(First, decisions=2)
>>> report.passed, report.games[0].deterministic, [row.name for row in report.games[0].rows]
(True, True, ['beginning', 'questions', 'whole', 'together', 'alone', 'again'])
"""

from sengoku.bots.check.report import CHECKS, CheckReport, Failure, GameCheck, Row
from sengoku.bots.check.runner import DECISIONS, check_bot

__all__ = ["CHECKS", "DECISIONS", "CheckReport", "Failure", "GameCheck", "Row", "check_bot"]
