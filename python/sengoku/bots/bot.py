"""Custom bots: the decisions they receive, and how they are loaded.

A bot is any object with a `name` and one of two methods: `decide(decision)` returns an action,
`decide_batch(decisions)` an action for each of many decisions from many matches. `Bot` describes its optional
attributes.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import json
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, SupportsIndex, runtime_checkable

import numpy as np
import numpy.typing as npt

from sengoku.bots.local import LocalPort, Stoppable
from sengoku.bots.notes import note_text
from sengoku.bots.port import WORDS, Ask, Forfeited, Over
from sengoku.engine.actions import Action
from sengoku.engine.checks import check_integer
from sengoku.engine.games import find_game
from sengoku.engine.talk import Message, Proposal, messages_from_json, said_to_json
from sengoku.engine.tell import LEAST as LEAST_WORDS
from sengoku.errors import ArgumentError

__all__ = ["WANTS", "AnyBot", "BatchBot", "Bot", "Decision", "Over", "Playing", "decision_of", "load_bot"]

WANTS = ("observation", "view", "actions", "tell", "rules")
"""The data that a bot can receive with a decision, besides the legal actions."""
CAPACITY = 256
"""Default number of decisions that a batch bot takes at once."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A decision that a seat has to take, with exactly what this seat may know."""

    match_id: str
    """The id of the match for this seat; other seats know the match by other ids."""
    game: str
    seats: int
    seat: int
    """The seat that decides."""
    decisions: int
    """Decisions of all seats so far."""
    legal: npt.NDArray[np.uint32]
    """Indices of the legal actions in the game's action table, ascending."""
    seconds_left: float
    """Seconds left for this decision before the match is forfeited."""
    observation: npt.NDArray[np.uint8] | None = None
    """What the seat sees, if the bot lists "observation" in `wants`."""
    view_json: str | None = field(default=None, repr=False)
    actions_json: str | None = field(default=None, repr=False)
    messages_json: str | None = field(default=None, repr=False)
    said: list[str] = field(default_factory=list, repr=False)
    """What `say` has said, each message a table as JSON."""
    tell_text: str | None = field(default=None, repr=False)
    rules_text: str | None = field(default=None, repr=False)
    notes: list[str] = field(default_factory=list, repr=False)
    """What `note` has noted, each note a table as JSON."""

    @property
    def talk(self) -> bool:
        """Whether seats may send messages to one another in this match."""
        return self.messages_json is not None

    @property
    def messages(self) -> list[Message]:
        """Messages that this seat can read, said since its previous decision; they are data, never orders."""
        return messages_from_json(self.messages_json or "[]")

    def say(
        self,
        text: str = "",
        *,
        to: Iterable[SupportsIndex] | SupportsIndex | None = None,
        proposal: Proposal | None = None,
        answers: SupportsIndex | None = None,
        accepts: bool | None = None,
    ) -> bool:
        """Send a message before the action, as `Match.say`; return whether seats may talk in this match.

        A message that is refused, because it is too long or one too many, is dropped; the decision counts.
        """
        said = said_to_json(self.seat, text, to=to, proposal=proposal, answers=answers, accepts=accepts)
        if self.talk:
            self.said.append(said)
        return self.talk

    @property
    def view(self) -> dict[str, Any]:
        """What the seat sees, as returned by `Match.view`, if the bot lists "view" in `wants`."""
        view: dict[str, Any] = json.loads(self._wanted("view", self.view_json))
        return view

    @property
    def actions(self) -> list[Action]:
        """The legal actions, as returned by `Match.legal_actions`, if the bot lists "actions" in `wants`."""
        return [Action(**row) for row in json.loads(self._wanted("actions", self.actions_json))]

    @property
    def tell(self) -> str:
        """The position and the choices in words, as returned by `Match.tell`, if "tell" is in `wants`."""
        return self._wanted("tell", self.tell_text)

    @property
    def rules(self) -> str:
        """The rules of the game for a prompt, if the bot lists "rules" in `wants`."""
        return self._wanted("rules", self.rules_text)

    def note(self, **note: Any) -> None:
        """Note something about this decision for the record of the match: any values that JSON can hold.

        The names of `Costs`, such as `prompt_tokens`, are counted for the seat. Notes are bounded: of one
        that is too long, or comes when a match has too many, only these counts remain.
        """
        self.notes.append(note_text(note))

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """Boolean mask over the action table: which actions are legal."""
        mask = np.zeros(_action_count(self.game), np.bool_)
        mask[self.legal] = True
        return mask

    @staticmethod
    def _wanted(name: str, text: str | None) -> str:
        if text is None:
            details = {"field": "wants", "value": name}
            raise ArgumentError(f"the bot did not request {name!r}: add it to its `wants`", details)
        return text


@functools.cache
def _action_count(game: str) -> int:
    return find_game(game).action_count


@runtime_checkable
class Bot(Protocol):
    """A bot that takes one decision at a time.

    Optional attributes: `wants`, some of `WANTS` (default: only "observation"); `games` that it plays
    (default: all); `capacity`, how many decisions it takes at once over a network; `words`, the budget of
    `Decision.tell` (default: 1500); and `match_over(over)`, which is called with an `Over` when a match has
    ended.
    """

    name: str

    def decide(self, decision: Decision, /) -> SupportsIndex:
        """Return the action to take: one of `decision.legal`."""


@runtime_checkable
class BatchBot(Protocol):
    """A bot that takes decisions of many matches at once; it has the same optional attributes as `Bot`."""

    name: str

    def decide_batch(self, decisions: list[Decision], /) -> Sequence[SupportsIndex]:
        """Return the action to take for each of the decisions."""


AnyBot = Bot | BatchBot


@dataclass(frozen=True)
class Playing:
    """A bot with its checked attributes."""

    bot: AnyBot
    name: str
    games: tuple[str, ...]
    wants: frozenset[str]
    capacity: int
    words: int

    @classmethod
    def of(cls, bot: object, name: str | None = None) -> Playing:
        """Check an object that should be a bot, and read its attributes."""
        if not _is_bot(bot):
            raise TypeError(f"{type(bot).__name__} is not a bot: it has neither decide nor decide_batch")
        called = getattr(bot, "name", type(bot).__name__) if name is None else name
        if not isinstance(called, str) or not called:
            details = {"field": "name", "value": repr(called)}
            raise ArgumentError(f"the name of the bot is {called!r}: must be a non-empty string", details)
        default = CAPACITY if hasattr(bot, "decide_batch") else 1
        capacity = check_integer("capacity", getattr(bot, "capacity", default), 1, 1 << 20)
        wants = _texts("wants", getattr(bot, "wants", ("observation",)))
        if unknown := sorted(set(wants) - set(WANTS)):
            message = f"{called} wants {', '.join(unknown)}: must be some of {', '.join(WANTS)}"
            raise ArgumentError(message, {"field": "wants", "value": repr(unknown)})
        games = _texts("games", getattr(bot, "games", ()))
        for game in games:
            find_game(game)
        words = check_integer("words", getattr(bot, "words", WORDS), LEAST_WORDS, 1_000_000)
        return cls(bot, called, games, frozenset(wants), capacity, words)  # type: ignore[arg-type]

    @property
    def batches(self) -> bool:
        """Whether the bot takes many decisions in one call."""
        return hasattr(self.bot, "decide_batch")

    def decide(self, decisions: list[Decision]) -> Sequence[Any]:
        """Return an action for each decision, or the exception that the bot raised."""
        if not self.batches:
            return [self._guarded(self.bot.decide, decision) for decision in decisions]  # type: ignore[union-attr]
        actions = self._guarded(lambda: list(self.bot.decide_batch(decisions)))  # type: ignore[union-attr]
        if isinstance(actions, list) and len(actions) != len(decisions):
            actions = ValueError(f"{len(actions)} actions for {len(decisions)} decisions")
            _log.warning("the bot %s failed: %s", self.name, actions)
        return actions if isinstance(actions, list) else [actions] * len(decisions)

    def _guarded(self, decide: Callable[..., Any], *arguments: Any) -> Any:
        """Call a method of the bot; return its result, or the exception that it raised."""
        try:
            return decide(*arguments)
        except Forfeited as error:
            return error  # logged where it happened
        except (Exception, SystemExit) as error:  # noqa: BLE001 - any failure is the bot's
            _log.warning("the bot %s failed", self.name, exc_info=True)
            return error

    def over(self, over: Over) -> None:
        """Notify the bot that a match has ended, if it has `match_over`."""
        notify = getattr(self.bot, "match_over", None)
        if callable(notify):
            try:
                notify(over)
            except Exception:  # noqa: BLE001
                _log.warning("the bot %s failed after a match", self.name, exc_info=True)

    def port(self) -> LocalPort:
        """Return a port that runs the bot in its own thread; single decisions are timed one by one."""
        return LocalPort(
            self.name,
            self._decide_asks,
            wants=self.wants,
            capacity=self.capacity if self.batches else 1,
            over=self.over,
            process=self.process,
            words=self.words,
        )

    def _decide_asks(self, asks: list[Ask]) -> Sequence[Any]:
        decisions = [decision_of(ask) for ask in asks]
        actions = self.decide(decisions)
        for ask, decision in zip(asks, decisions, strict=True):
            ask.said, ask.notes = tuple(decision.said), tuple(decision.notes)
        return actions

    @property
    def process(self) -> Stoppable | None:
        """The bot, if it runs in a process of its own."""
        return self.bot if isinstance(self.bot, Stoppable) else None


def _texts(name: str, value: Any) -> tuple[str, ...]:
    texts = (value,) if isinstance(value, str) else tuple(value)
    if not all(isinstance(text, str) for text in texts):
        raise ArgumentError(f"{name} is {value!r}: must be strings", {"field": name, "value": repr(value)})
    return texts


def decision_of(ask: Ask) -> Decision:
    """Build the decision that a bot receives from a host's request."""
    shared = {name: getattr(ask, name) for name in _SHARED}
    return Decision(legal=np.array(ask.legal, np.uint32), seconds_left=ask.allowance, **shared)


_SHARED = (
    "match_id", "game", "seats", "seat", "decisions", "observation", "view_json", "actions_json",
    "messages_json", "tell_text", "rules_text",
)  # fmt: skip


def load_bot(text: str) -> AnyBot:
    """Load the bot named by `module:Name` or `file.py:Name`; a class is called without arguments."""
    place, colon, name = text.rpartition(":")
    details = {"field": "bot", "value": text}
    if not (place and colon and name.isidentifier()):
        raise ArgumentError(f"the bot is {text!r}: must be module:Name or file.py:Name", details)
    try:
        if place.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(place).stem, place)
            if spec is None or spec.loader is None:
                raise ImportError(f"{place} is not a module")
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        else:
            if "" not in sys.path:
                sys.path.insert(0, "")  # find modules in the working directory
            module = importlib.import_module(place)
        found = getattr(module, name)
        bot: AnyBot = found() if isinstance(found, type) or not _is_bot(found) else found
    except (Exception, SystemExit) as error:
        message = f"the bot {text!r} cannot be loaded: {type(error).__name__}: {error}"
        raise ArgumentError(message, details) from error
    if not _is_bot(bot):
        raise ArgumentError(f"{text!r} is not a bot: it has neither decide nor decide_batch", details)
    return bot


def _is_bot(value: object) -> bool:
    return callable(getattr(value, "decide", None)) or callable(getattr(value, "decide_batch", None))
