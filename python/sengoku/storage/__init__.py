"""The SQLite file that holds runs and tournaments."""

from sengoku.storage.runs import Chunk, NewRun, RunRow
from sengoku.storage.sqlite import default_store
from sengoku.storage.state import State
from sengoku.storage.store import Store
from sengoku.storage.tournaments import MatchRow, NewTournament, TournamentRow

__all__ = [
    "Chunk",
    "MatchRow",
    "NewRun",
    "NewTournament",
    "RunRow",
    "State",
    "Store",
    "TournamentRow",
    "default_store",
]
