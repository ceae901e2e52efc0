"""Parts that the PettingZoo and Gymnasium environments share; needs the extra `sengoku[ai]`."""

import json
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from operator import index
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from sengoku.engine.checks import refused
from sengoku.engine.games import Setup, find_game, setup_to_json
from sengoku.engine.match import Match
from sengoku.engine.requests import check_shaping
from sengoku.engine.result import Outcome
from sengoku.errors import ArgumentError, install_hint, missing_package

try:
    from gymnasium import logger
    from gymnasium.spaces import Box, Dict, Discrete, Space
except ImportError as missing:
    raise ImportError(f"environments need gymnasium: {install_hint('ai')}") from missing

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
"""Render modes: printed, text, SVG text, pixels."""

Mask = npt.NDArray[np.int8]


class Observation(TypedDict):
    """The observation of a seat, and its legal actions."""

    observation: npt.NDArray[Any]
    """The bytes of `Match.observe`, or their features (float32) if the environment has `features`."""
    action_mask: Mask
    """1 where an action of the table is legal; all zeros for a seat that is not to act."""


_LARGEST = float(2**16)
"""No feature is larger: fields have at most two bytes."""


def observation_box(size: int, width: int | None, count: int = 1) -> Box:
    """Return the space of `count` observations of `size` bytes or, with a width, of so many features."""
    if width is None:
        return Box(0, 255, (count * size,), np.uint8)
    return Box(0.0, _LARGEST, (count * width,), np.float32)


def observations(size: int, actions: int, width: int | None = None) -> Space[Any]:
    """Return the observation space for `size` bytes, or `width` features, and `actions` actions."""
    return Dict({"observation": observation_box(size, width), "action_mask": Box(0, 1, (actions,), np.int8)})


class Shaping:
    """Rewards for changes of the public score in a match, as `BatchEnv` adds them."""

    def __init__(self, weight: float | None, discount: float) -> None:
        check_shaping(weight, discount)
        self._weight, self._discount = weight, discount
        self._leads: list[float] = []

    def begin(self, match: Match) -> None:
        """Remember the leads at the start of a match."""
        self._leads = match._core.leads()

    def added_to(self, rewards: Iterable[float], match: Match) -> list[float]:
        """Return rewards with those for the change of the leads since the last call."""
        if self._weight is None:
            return list(rewards)
        before, self._leads = self._leads, match._core.leads()
        pairs = zip(rewards, self._leads, before, strict=True)
        return [reward + self._weight * (self._discount * now - then) for reward, now, then in pairs]


# A class with parameters in some versions of gymnasium, and without in others.
_Discrete: Any = Discrete


class Actions(_Discrete):
    """An action table as a space: a sample without a mask is a legal action.

    A copy, e.g. in another process, belongs to no match and samples from the whole table.
    """

    def __init__(self, count: int, legal: Callable[[], Mask | None], seed: int) -> None:
        super().__init__(count, seed)
        self.legal: Callable[[], Mask | None] | None = legal
        """Returns the mask of the current match, or None before there is one."""

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Draw an action: by the mask or the probabilities if they are passed, else a legal one."""
        if mask is None and probability is None and self.legal is not None:
            mask = self.legal()
        drawn: np.int64 = super().sample(mask, probability)
        return drawn

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"legal": None}


class Series:
    """Consecutive matches of one game with the same seats and setup."""

    def __init__(self, game: str, *, seats: int | None, seed: int, setup: Setup) -> None:
        self.game = find_game(game)
        self._setup = setup_to_json(game, setup)
        first = Match.create(game, seats=seats, seed=seed, setup=self._setup)  # raises errors at once
        self.seats = first.seats
        self.seed = first.seed
        self._match_index = 0

    @property
    def name(self) -> str:
        """Name and version in the convention of the environments."""
        return f"sengoku_{self.game.name}_v{self.game.rules_version}"

    def begin(self, seed: int | None, options: Mapping[str, Any] | None) -> Match:
        """Start match 0 of a seed or, without one, the next match of the current seed.

        Options may set another `match_index`, and the `setup` of this match; others are ignored.
        """
        options = {} if options is None else options
        match = Match.create(
            self.game.name,
            seats=self.seats,
            seed=self.seed if seed is None else seed,
            match_index=options.get("match_index", self._match_index if seed is None else 0),
            setup=options.get("setup", self._setup),
        )
        self.seed, self._match_index = match.seed, (match.match_index + 1) % 2**64
        return match


def play_forced(match: Match) -> int:
    """Play while the seat to act has one legal action, and return how many decisions that were."""
    played = 0
    while not match.over and len(legal := match._core.legal_indices()) == 1:
        match.play(legal[0])
        played += 1
    return played


def seats_of_bots(game: str, seats: int | None, learner: int, bots: Iterable[str]) -> dict[int, str]:
    """Assign bots to all seats but the learner's, in order; the last bot also takes the remaining seats."""
    if isinstance(bots, str):
        raise TypeError("bots must be a list of names, not str")
    names = list(bots)
    seats = find_game(game).seats[0] if seats is None else index(seats)
    others = [seat for seat in range(seats) if seat != index(learner)]
    if len(others) == seats:
        raise refused("learner", learner, f"must be a seat, 0 to {seats - 1}")
    if not 1 <= len(names) <= len(others):
        message = f"bots are {names}: must be 1 to {len(others)} names"
        raise ArgumentError(message, {"field": "bots", "value": str(names)})
    return dict(zip(others, names + names[-1:] * (len(others) - len(names)), strict=True))


def ending(outcome: Outcome, seat: int) -> dict[str, Any]:
    """Return the info of a seat at the end of a match."""
    return {"rank": outcome.ranks[seat], "score": outcome.scores[seat], "reason": outcome.reason}


def check_render_mode(mode: str | None) -> str | None:
    """Return a valid render mode, or raise `ArgumentError`."""
    if mode is not None and mode not in RENDER_MODES:
        raise refused("render_mode", repr(mode), f"must be one of {', '.join(RENDER_MODES)}")
    return mode


def check_limit(name: str, value: int | None) -> int | None:
    """Return a valid limit, or raise `ArgumentError`."""
    if value is not None and index(value) < 1:
        raise refused(name, value, "must be at least 1")
    return value


def draw(
    match: Callable[[], Match], mode: str | None, seat: int | None = None
) -> npt.NDArray[np.uint8] | str | None:
    """Render a match: everything, or what a seat may see."""
    if mode is None:
        logger.warn(f"render was called, but render_mode is None; there is {', '.join(RENDER_MODES)}")
        return None
    return _drawn(match(), mode, seat)


def _drawn(match: Match, mode: str, seat: int | None) -> npt.NDArray[np.uint8] | str | None:
    if mode == "svg":
        return str(match.picture(seat))
    if mode == "rgb_array":
        return _pixels(match.picture(seat))
    if mode == "ansi":
        return _text(match, seat)
    from rich.console import Console  # noqa: PLC0415 - needed only to print

    sketch = match.sketch(seat)
    console = Console()
    console.print(
        sketch or _text(match, seat), markup=False, highlight=False, no_wrap=True, overflow="ignore"
    )
    return None


def _text(match: Match, seat: int | None) -> str:
    """Return the sketch of the board, or the state line by line if the game has none."""
    if sketch := match.sketch(seat):
        return str(sketch)
    facts = match.state() if seat is None else match.view(seat)
    return "\n".join(f"{name}: {json.dumps(fact)}" for name, fact in facts.items())


def _pixels(picture: str) -> npt.NDArray[np.uint8]:
    try:
        from PIL import Image  # noqa: PLC0415 - needed only for pixels
        from resvg_py import svg_to_bytes  # noqa: PLC0415
    except ImportError as error:
        raise missing_package("resvg-py and pillow", "pictures as pixels", "ai") from error
    with Image.open(BytesIO(svg_to_bytes(svg_string=picture, background="white"))) as image:
        return np.array(image.convert("RGB"))
