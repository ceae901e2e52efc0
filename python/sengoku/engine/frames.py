"""Frames: a match decision by decision, as a viewer may see it.

>>> from sengoku import Match
>>> match = Match.create("tower", seats=3, seed=7)
>>> for _ in range(3):
...     match.play(match.legal_actions()[0])
>>> [(frame.decision, frame.seat) for frame in match.frames(seat="public", parts=["story"])]
[(0, None), (1, 0), (2, 0), (3, 0)]
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Literal

from sengoku import _core
from sengoku.engine.actions import Action
from sengoku.engine.checks import refused
from sengoku.engine.pictures import Picture, Sketch
from sengoku.engine.result import Outcome, outcome_from
from sengoku.engine.story import Story

Viewer = int | Literal["public"] | None
"""Who looks: a seat, "public" for what everybody may see, or None for everything."""

PARTS = ("story", "long_story", "events", "view", "picture", "sketch", "actions")
"""The parts that a frame can have."""
USUAL_PARTS = ("story", "view", "picture")
_CURSORS = 4
"""Positions in the match that a reader keeps."""
_STORIES = 64
"""Decisions whose stories are told at once: each time, all that went before has to be told."""


@dataclass(frozen=True)
class Frame:
    """A decision and the match after it, as a viewer may see them."""

    decision: int
    """Decisions taken; 0 is the match before the first one."""
    seat: int | None
    """The seat that decided; None for frame 0."""
    action: Action | None
    """What it decided, for that seat and for viewers who see everything. For others it may be secret."""
    story: Story
    """What happened, in sentences."""
    events: list[dict[str, Any]]
    """The public events."""
    view: dict[str, Any] | None
    """What the viewer may see, in the format of `Match.state`."""
    picture: Picture | None
    """The board."""
    sketch: Sketch | None
    """The board for a terminal."""
    to_act: int | None
    """The seat that decides next, or None once the match is over."""
    legal_actions: list[Action]
    """The legal actions, for the seat to act and for viewers who see everything."""
    outcome: Outcome | None
    """How the match ended, once it has."""


@dataclass(frozen=True, slots=True)
class RawFrame:
    """A frame whose parts are still the texts that the compiled core wrote; None where a part is left out."""

    decision: int
    seat: int | None
    action: str | None
    story: str | None
    events: list[str] | None
    view: str | None
    picture: str | None
    sketch: str | None
    to_act: int | None
    legal: str | None
    outcome: Any

    def decoded(self) -> Frame:
        """Return the frame as plain values."""
        return Frame(
            decision=self.decision,
            seat=self.seat,
            action=None if self.action is None else Action(**json.loads(self.action)),
            story=Story(()) if self.story is None else Story.from_json(self.story),
            events=[json.loads(event) for event in self.events or ()],
            view=None if self.view is None else json.loads(self.view),
            picture=None if self.picture is None else Picture(self.picture),
            sketch=None if self.sketch is None else Sketch.from_json(self.sketch),
            to_act=self.to_act,
            legal_actions=[Action(**row) for row in json.loads(self.legal or "[]")],
            outcome=outcome_from(self.outcome),
        )


def check_parts(parts: Iterable[str] | None) -> frozenset[str]:
    """Return the parts of frames, or refuse one that does not exist; None are the usual ones."""
    if isinstance(parts, str):
        raise TypeError("parts must be a list of names, not str")
    found = frozenset(USUAL_PARTS if parts is None else parts)
    for part in found.difference(PARTS):
        raise refused("parts", repr(part), f"must be of {', '.join(PARTS)}")
    return found


def check_viewer(seat: Viewer, seats: int) -> Viewer:
    """Return who looks, or refuse a seat that is not at the table."""
    if seat is None or seat == "public":
        return seat
    number = index(seat)
    if not 0 <= number < seats:
        raise refused("seat", str(number), f"must be 0 to {seats - 1}")
    return number


@dataclass(frozen=True)
class LiveMatch:
    """A match of a tournament or of `play_matches` in progress on a server."""

    match_id: str
    """For `Client.spectate`."""
    game: str
    """Name of the game."""
    players: tuple[str, ...]
    """Who plays, by seat."""
    tournament: str
    """Name of its tournament, or an empty string."""
    decisions: int
    """Decisions taken, about."""
    client: str
    """The client whose tournament or call it is."""


class FrameReader:
    """Reads frames of a match in any order, fastest in ascending order. Use it in one thread at a time."""

    def __init__(
        self, begin: _core.Match, history: Sequence[int] = (), core: _core.Match | None = None
    ) -> None:
        """Read the frames of a match from `begin`, before its first decision, and the decisions so far.

        `core` is the match itself: what seats say is part of it, and not of `begin`.
        """
        self._begin, self.core = begin, core
        self.history = list(history)
        """Index of every action; those of new decisions are appended."""
        self._cursors: list[tuple[int, _core.Match]] = []
        """Numbers of decisions and matches that stand there; the one that was used last is last."""
        self._stories: dict[tuple[Viewer, bool], tuple[int, list[str]]] = {}
        """What is told of consecutive decisions, by viewer and form: the first one, and the stories."""

    @classmethod
    def of(cls, core: _core.Match) -> FrameReader:
        """Read the frames of a match as it stands."""
        return cls(_core.rewound_match(core, 0), core.history, core)

    @property
    def last(self) -> int:
        """Number of the last frame."""
        return len(self.history)

    def _at(self, decision: int) -> _core.Match:
        """Return a match that stands after a number of decisions."""
        before = [cursor for cursor in self._cursors if cursor[0] <= decision]
        if before:
            found = max(before, key=lambda cursor: cursor[0])
            self._cursors.remove(found)
            at, match = found
        else:
            at, match = 0, self._begin.clone()
        _core.play_actions(match, self.history[at:decision])
        self._cursors.append((decision, match))
        del self._cursors[:-_CURSORS]
        return match

    def _view(self, match: _core.Match, decision: int, viewer: Viewer) -> str:
        """Return a view as JSON, for a seat or the public with the messages before a decision."""
        view = match.describe(viewer)
        if viewer is None or self.core is None or (messages := self.core.messages(viewer)) == "[]":
            return view
        told = [row for row in json.loads(messages) if row["decision"] < decision]
        return json.dumps(json.loads(view) | {"messages": told}) if told else view

    def _story(self, match: _core.Match, decision: int, viewer: Viewer, *, long: bool) -> str:
        """Return what is told of a decision; that of some more is kept, because it costs as much."""
        # A message is told with the decision that follows it: what is told of a decision does not change.
        told = match if self.core is None else self.core
        first, stories = self._stories.get((viewer, long), (0, []))
        if not first <= decision < first + len(stories):
            first, last = decision, min(decision + _STORIES - 1, told.decisions)
            stories = _core.stories_of(told, first, last, viewer, long)
            self._stories[viewer, long] = first, stories
        return stories[decision - first]

    def raw(self, decision: int, viewer: Viewer, parts: frozenset[str]) -> RawFrame:
        """Return a frame of 0 to `last` as texts."""
        seat, action = None, None
        if decision:
            match = self._at(decision - 1)
            seat = match.to_act
            if viewer is None or viewer == seat:
                action = _core.action_text(match, self.history[decision - 1])
        match = self._at(decision)
        to_act = match.to_act
        shows = "actions" in parts and to_act is not None and (viewer is None or viewer == to_act)
        story = None
        if not parts.isdisjoint(("story", "long_story")):
            story = self._story(match, decision, viewer, long="long_story" in parts)
        return RawFrame(
            decision=decision,
            seat=seat,
            action=action,
            story=story,
            events=_core.events_of(match, decision) if "events" in parts else None,
            view=self._view(match, decision, viewer) if "view" in parts else None,
            picture=match.picture(viewer) if "picture" in parts else None,
            sketch=match.sketch(viewer) if "sketch" in parts else None,
            to_act=to_act,
            legal=match.legal_texts() if shows else None,
            outcome=match.outcome,
        )
