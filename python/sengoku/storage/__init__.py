"""The SQLite file that holds runs, tournaments and analyses."""

from sengoku.storage.analyses import AnalysisRow
from sengoku.storage.chunks import Chunk
from sengoku.storage.failures import STALLS
from sengoku.storage.runs import RunRow
from sengoku.storage.sqlite import default_store
from sengoku.storage.store import Store
from sengoku.storage.table import RESUMABLE, State
from sengoku.storage.tournaments import MatchRow, TournamentRow

__all__ = [
    "RESUMABLE", "STALLS", "AnalysisRow", "Chunk", "MatchRow", "RunRow", "State",
    "Store", "TournamentRow", "default_store",
]  # fmt: skip
