"""In-process matches: games, single matches, bulk runs, batches, search, scenarios and odds."""

from sengoku.engine.actions import Action
from sengoku.engine.analysis import MatchAnalysis
from sengoku.engine.balance import Balance
from sengoku.engine.batch import BatchEnv
from sengoku.engine.features import Features, features
from sengoku.engine.frames import Frame
from sengoku.engine.games import Game, ScenarioFile, Setup, find_game, games
from sengoku.engine.match import Match
from sengoku.engine.pictures import Picture, Sketch
from sengoku.engine.replays import ReplayFile
from sengoku.engine.report import MatchReport
from sengoku.engine.requests import RunRequest
from sengoku.engine.result import Outcome
from sengoku.engine.run_status import RunStatus, RunSummary
from sengoku.engine.runs import run_matches
from sengoku.engine.scenarios import Scenario, read_scenario, scenario, scenarios
from sengoku.engine.search import Analysis, Search
from sengoku.engine.spec import Spec, spec
from sengoku.engine.story import Story, StoryLine
from sengoku.engine.survey import Survey, run_scenarios
from sengoku.engine.talk import Message, Proposal

__all__ = [
    "Action", "Analysis", "Balance", "BatchEnv", "Features", "Frame", "Game", "Match", "MatchAnalysis",
    "MatchReport", "Message", "Outcome", "Picture", "Proposal", "ReplayFile", "RunRequest", "RunStatus",
    "RunSummary", "Scenario", "ScenarioFile", "Search", "Setup", "Sketch", "Spec", "Story", "StoryLine",
    "Survey", "features", "find_game", "games", "read_scenario", "run_matches", "run_scenarios", "scenario",
    "scenarios", "spec",
]  # fmt: skip
