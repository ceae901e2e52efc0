"""The SQLite file that holds runs and tournaments."""

from sengoku.storage.store import Chunk, NewRun, RunRow, State, Store, default_store

__all__ = ["Chunk", "NewRun", "RunRow", "State", "Store", "default_store"]
