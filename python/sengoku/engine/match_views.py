"""What can be read from a match: its facts, and what a viewer sees of it."""

import json
import threading
from collections.abc import Iterable, Iterator
from operator import index
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.engine.checks import check_integer
from sengoku.engine.frames import Frame, FrameReader, Viewer, check_parts, check_viewer
from sengoku.engine.pictures import Picture, Sketch
from sengoku.engine.result import Outcome, outcome_from
from sengoku.engine.story import Story


class MatchViews:
    """The part of `Match` that changes nothing."""

    def __init__(self, core: _core.Match) -> None:
        self._core = core
        self._log: list[dict[str, Any]] = []
        self._log_lock = threading.Lock()

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._core.game

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self._core.seats

    @property
    def seed(self) -> int:
        """Seed of all randomness."""
        return self._core.seed

    @property
    def match_index(self) -> int:
        """Number of the match under its seed."""
        return self._core.match_index

    @property
    def setup(self) -> dict[str, Any]:
        """Options of the game, as they were passed."""
        setup: dict[str, Any] = json.loads(self._core.setup)
        return setup

    @property
    def bots(self) -> dict[int, str]:
        """Bots of the seats that the match plays itself."""
        return _core.hosted_bots(self._core)

    @property
    def to_act(self) -> int | None:
        """Seat that decides next, or None when the match is over."""
        return self._core.to_act

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._core.to_act is None

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it is in progress."""
        return outcome_from(self._core.outcome)

    @property
    def decisions(self) -> int:
        """Number of decisions taken."""
        return self._core.decisions

    @property
    def history(self) -> list[int]:
        """Index of every action played."""
        return self._core.history

    @property
    def digest(self) -> int:
        """64-bit digest of the state, the same on every machine."""
        return self._core.digest

    @property
    def dice_left(self) -> int | None:
        """Number of unused scripted dice, or None without a script."""
        return self._core.dice_left

    @property
    def scripts_left(self) -> dict[str, int]:
        """What of each script is not used yet: "dice", "throws", "lots" and "cards" (shuffles)."""
        return self._core.scripts_left

    @property
    def log(self) -> list[dict[str, Any]]:
        """The public events so far, in order."""
        with self._log_lock:  # several threads may read at once; each event is added once
            self._log += json.loads(self._core.events(len(self._log)))
            return list(self._log)

    def frames(
        self,
        first: int = 0,
        last: int | None = None,
        *,
        seat: Viewer = None,
        parts: Iterable[str] | None = None,
    ) -> Iterator[Frame]:
        """Iterate over frames: the match after each decision, from `first` to `last`, as a viewer may see it.

        Frame 0 is the match before the first decision. `seat` is a seat, "public" for what everybody may see,
        or None for everything. `parts` are some of `story`, `long_story`, `events`, `view`, `picture`,
        `sketch` and `actions`; by default story, view and picture.
        """
        wanted, viewer = check_parts(parts), check_viewer(seat, self.seats)
        reader = FrameReader.of(self._core)
        first = check_integer("first", first, 0, reader.last)
        end = reader.last if last is None else check_integer("last", last, first, reader.last)
        return (reader.raw(number, viewer, wanted).decoded() for number in range(first, end + 1))

    def state(self) -> dict[str, Any]:
        """Return the whole state, including hidden information, as plain names and numbers."""
        state: dict[str, Any] = json.loads(self._core.describe())
        return state

    def view(self, seat: int | Literal["public"]) -> dict[str, Any]:
        """Return what a seat may see, or with "public" what everybody may see, in the format of `state`."""
        viewer = seat if seat == "public" else index(seat)
        view: dict[str, Any] = json.loads(self._core.describe(viewer))
        return view

    def observe(self, seat: int) -> npt.NDArray[np.uint8]:
        """Return what a seat may see, as an array of fixed size."""
        return self._core.observe(seat)

    def picture(self, seat: Viewer = None) -> Picture:
        """Draw the board: everything, what a seat may see, or with "public" what everybody may see."""
        return Picture(self._core.picture(seat))

    def sketch(self, seat: Viewer = None) -> Sketch:
        """Draw the board for a terminal: everything, what a seat may see, or what everybody may see."""
        return Sketch.from_json(self._core.sketch(seat))

    def story(
        self, seat: Viewer = None, since: int = 0, *, until: int | None = None, long: bool = False
    ) -> Story:
        """Tell what happened in sentences, under headings: all of it, or as a seat or the public sees it.

        `since` leaves out what happened up to that number of decisions, so that `since=match.decisions` later
        returns what is new; 0 begins with the set-up. `until` ends after a number of decisions. The long form
        also tells dice, cards drawn and the like. A message that its reader can read, everybody or the seat,
        is told with the decision that follows it.
        """
        since = check_integer("since", since, 0, 2**32 - 2)
        first = since + 1 if since else 0
        return Story.from_json(self._core.story(first, until, seat, long))
