"""Tournaments between bots: fair by design, reproducible byte for byte, resumable after any interruption.

>>> spec = parse_spec('''
... name = "example"
... seed = 7
... blocks = 4
... bots = [{name = "greedy"}, {name = "random"}]
... games = [{game = "battles", scenarios = [1]}]
... ''')
>>> from sengoku.storage import Store
>>> with Store() as store:
...     record = play(Record.create(store, spec))
...     tables = record.tables()
>>> [row[1] for row in tables.standings().rows], len(tables.matches)
(['greedy', 'random'], 8)
"""

from sengoku.tournament.play import Progress, play
from sengoku.tournament.power import Needed, matches_needed, measured_effect
from sengoku.tournament.ratings import Elo, Rate, elo_ratings, skill_ratings
from sengoku.tournament.record import Record, records
from sengoku.tournament.report import FORMATS
from sengoku.tournament.results import Fault, MatchResult, TournamentMatch
from sengoku.tournament.schedule import Schedule
from sengoku.tournament.spec import Board, Clock, Entrant, TournamentSpec, parse_spec, read_spec
from sengoku.tournament.sprt import Sprt
from sengoku.tournament.standings import Table, Tables

__all__ = [
    "FORMATS",
    "Board",
    "Clock",
    "Elo",
    "Entrant",
    "Fault",
    "MatchResult",
    "Needed",
    "Progress",
    "Rate",
    "Record",
    "Schedule",
    "Sprt",
    "Table",
    "Tables",
    "TournamentMatch",
    "TournamentSpec",
    "elo_ratings",
    "matches_needed",
    "measured_effect",
    "parse_spec",
    "play",
    "read_spec",
    "records",
    "skill_ratings",
]
