"""A harness in the form of Kaggle's game arena: three functions of an observation.

The observation is a dictionary with `save` (a match as base64, from `observe`) and `playerId`. Kaggle's
runner asks a model with the prompt until the response has a legal move.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sengoku import Match
from sengoku.engine.match import Action
from sengoku.engine.tell import Choices
from sengoku.errors import ArgumentError
from sengoku.rules import rules

try:
    from kaggle_environments.core_harness import ParseResult
except ImportError:  # its interface, where the package is not installed
    from dataclasses import dataclass

    @dataclass
    class ParseResult:
        """What was found in a response."""

        legal_action: str | None = None
        raw_action: str | None = None
        submission: Any = None
        thoughts: str | None = None


WORDS = 1500
_MOVE = re.compile(r'"move"\s*:\s*"((?:[^"\\]|\\.)*)"')


def observe(match: Match) -> dict[str, Any]:
    """Return the observation of the seat to act, for the runner: all of the match, hidden facts too."""
    save = base64.b64encode(match.save()).decode()
    return {"save": save, "playerId": match.to_act, "isTerminal": match.over}


def _match(observation: Mapping[str, Any]) -> Match:
    return Match.load(base64.b64decode(observation["save"]))


def get_legal_moves(observation: Mapping[str, Any]) -> dict[int, str]:
    """Return the legal actions by their index, each with a text of its own."""
    actions = _match(observation).legal_actions()
    texts = [action.text for action in actions]
    return {a.index: a.text if texts.count(a.text) == 1 else f"{a.text} (action {a.index})" for a in actions}


def generate_prompt(
    observation: Mapping[str, Any],
    move_history: list[str],
    previous_response: str | None = None,
    previous_action: str | None = None,
) -> str:
    """Return the prompt: rules, position, legal moves, and what was wrong with the previous response."""
    match = _match(observation)
    seat = observation["playerId"]
    position = match.tell(seat, WORDS).partition("\n\nYour choices:")[0]
    moves = "\n".join(f"- {text}" for text in get_legal_moves(observation).values())
    parts = [
        f"You play {match.game} as seat {seat}.",
        rules(match.game, prompt=True),
        position,
        f"Your moves so far: {'; '.join(move_history[-20:]) or 'none'}",
        f"Legal moves:\n{moves}",
        'End with your move as JSON, exactly as it is listed: {"move": "..."}',
    ]
    if previous_action is not None:
        parts.append(f'You suggested "{previous_action}", which is not a legal move. Choose a listed one.')
    elif previous_response is not None:
        parts.append("No move could be read from your previous response. End with the JSON.")
    return "\n\n".join(parts)


make_prompt = generate_prompt
"""The name that newer runners use."""


def parse_response(
    response: str,
    legal_action_strings: Sequence[str] | None,
    *,
    observation: Mapping[str, Any] | None = None,  # noqa: ARG001 - the interface
) -> ParseResult:
    """Return the move of a response: the last one in JSON, else what the answer parser of sengoku reads."""
    legal = list(legal_action_strings or ())
    found = _MOVE.findall(response)
    said = found[-1] if found else response
    if said in legal:
        return ParseResult(legal_action=said, raw_action=said)
    known = [Action(number, "move", {"number": number}, text) for number, text in enumerate(legal)]
    choice: Choices | Action = Choices(known)
    try:
        choice = choice.answer(said)
    except ArgumentError:
        return ParseResult(raw_action=said[-200:] if found else None)
    if isinstance(choice, Choices):  # a group of moves is not a move
        return ParseResult(raw_action=said[-200:])
    return ParseResult(legal_action=legal[choice.index], raw_action=said[-200:])
