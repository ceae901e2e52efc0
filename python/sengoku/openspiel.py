"""OpenSpiel games; needs the extra `sengoku[openspiel]`.

>>> game = load_game("battles", setup={"scenario": 8})
>>> state = game.new_initial_state()
>>> state.apply_action(state.chance_outcomes()[0][0])  # which match it is
>>> while not state.is_terminal():
...     state.apply_action(state.legal_actions()[0])
>>> sum(state.returns())
0.0

Importing this module registers `sengoku_swords` and so on, so `pyspiel.load_game("sengoku_tower(players=4)")`
does too.
"""

import json
from functools import cache
from hashlib import blake2b
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from sengoku import engine
from sengoku.engine.checks import check_integer
from sengoku.engine.games import Setup, find_game, games, setup_to_json
from sengoku.engine.match import Match
from sengoku.engine.spec import spec
from sengoku.errors import ArgumentError, IllegalActionError, install_hint

try:
    import pyspiel
except ImportError as missing:
    raise ImportError(f"sengoku.openspiel needs open_spiel: {install_hint('openspiel')}") from missing

__all__ = ["MATCHES", "MAX_GAME_LENGTH", "Game", "State", "load_game"]

MATCHES = 1000
"""Default number of matches among which the chance node chooses."""

MAX_GAME_LENGTH = 100_000
"""Default number of decisions after which a match ends without a result."""

_MOST = 2**31 - 1
"""Largest integer parameter of OpenSpiel."""

_meanings = cache(spec)


class Game(pyspiel.Game):
    """A game with its seats, setup and seed.

    All randomness of a match is a function of its seed and number. Therefore chance moves once, at the start:
    it chooses one of `matches` matches uniformly. Future dice and decks are then hidden from all players.
    """

    found: ClassVar[engine.Game]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        default = _parameters(self.found)
        given = default | (params or {})
        self.setup = unquote(str(given["setup"])) or "{}"
        self.seed = check_integer("seed", given["seed"], 0, _MOST)
        self.matches = check_integer("matches", given["matches"], 1, _MOST)
        self.limit = check_integer("max_game_length", given["max_game_length"], 1, _MOST)
        name, seats = self.found.name, given["players"]
        first = Match.create(name, seats=seats, seed=self.seed, setup=self.setup)  # or refuses it
        self.seats = given["players"] = first.seats
        info = pyspiel.GameInfo(
            num_distinct_actions=self.found.action_count,
            max_chance_outcomes=self.matches if self.matches > 1 else 0,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.limit,
        )
        asked = {name: value for name, value in given.items() if value != default.get(name)}
        super().__init__(_game_type(self.found), info, asked)

    def new_initial_state(self) -> "State":
        """Return the initial state: a chance node, unless there is only one match."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> "_Observer":
        """Return an observer of what a player sees or, with perfect recall, has seen."""
        return _Observer(self, iig_obs_type, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return _by_name, (str(self),)


class State(pyspiel.State):
    """A match as an OpenSpiel state: `clone` and `serialize` preserve it including future dice.

    A clone therefore rolls the same dice as the match. A search that must not see the future gets its states
    from `resample_from_infostate`, as OpenSpiel's information set search does.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._match: Match | None = None
        self._played = 0
        self._log_digest, self._logged = b"", 0
        self._recall = [b""] * game.seats
        if game.matches == 1:
            self._begin(0)

    @property
    def match(self) -> Match:
        """A copy of the match."""
        return self._known().clone()

    def current_player(self) -> int:
        """Return the seat to act, or the id of chance or of the terminal state."""
        if self._match is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self._match.to_act is None or self._played >= self._game().limit:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._match.to_act

    def is_terminal(self) -> bool:
        """Return whether the match is over or has reached its maximum length."""
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Return rewards by rank (`Outcome.rewards`); zeros before the end, and without a result."""
        outcome = self._match and self._match.outcome
        return list(outcome.rewards) if outcome else [0.0] * self._game().seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the match numbers among which chance chooses, with their probabilities."""
        matches = self._game().matches
        return [(number, 1 / matches) for number in range(matches)]

    def resample_from_infostate(self, player: int, sampler: Any) -> "State":
        """Return a state that the player cannot distinguish from this one: hidden information is drawn anew.

        It has no history, which would reveal secret actions of others, and its own dice. What other players
        remember is unknown in it. `sampler()` is uniform from 0 to 1.
        """
        game = self._game()
        state = game.new_initial_state()
        if self._match is not None:
            state._match = self._match.resample(player, seed=int(sampler() * 2**53))
            state._log_digest, state._logged = self._digest_log(), len(state._match.log)
            state._recall[player] = self._recall[player]
            state._played = self._played
        return state

    def seen(self, player: int) -> npt.NDArray[np.uint8]:
        """Return the bytes that a player sees; zeros before a match is chosen."""
        if self._match is None:
            return np.zeros(self._game().found.observation_size, np.uint8)
        return self._match.observe(player)

    def view(self, player: int) -> str:
        """Return what a player sees, as JSON text; empty before a match is chosen."""
        return "" if self._match is None else json.dumps(self._match.view(player))

    def known(self, player: int) -> str:
        """Return what a player knows, as text that is equal for two states exactly if the knowledge is.

        It consists of the current observation in hexadecimal, and digests of the public log and of what the
        player saw and did at each of its decisions.
        """
        log, recall = self._digest_log().hex(), self._recall[player].hex()
        return f"player {player}, log {log}, recall {recall}, sees {self.seen(player).tobytes().hex()}"

    def _game(self) -> Game:
        game = self.get_game()
        assert isinstance(game, Game)  # noqa: S101 - nobody else makes states
        return game

    def _begin(self, number: int) -> None:
        game = self._game()
        self._match = Match.create(
            game.found.name, seats=game.seats, seed=game.seed, match_index=number, setup=game.setup
        )

    def _known(self) -> Match:
        if self._match is None:
            raise ArgumentError("there is no match yet: apply a chance outcome first", {"field": "state"})
        return self._match

    def _digest_log(self) -> bytes:
        """Update the digest of the public log."""
        if self._match is not None:
            for event in self._match.log[self._logged :]:
                self._log_digest = _digest(self._log_digest, json.dumps(event).encode())
                self._logged += 1
        return self._log_digest

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - only asked for who decides
        legal: list[int] = np.flatnonzero(self._known().legal_mask()).tolist()
        return legal

    def _apply_action(self, action: int) -> None:
        if self._match is None:
            if not 0 <= action < self._game().matches:
                message = f"match is {action}: must be 0 to {self._game().matches - 1}"
                raise IllegalActionError(message, {"index": str(action)})
            self._begin(action)
            return
        seat = self._match.to_act
        seen = b"" if seat is None else self._match.observe(seat).tobytes()
        self._match.play(action)
        self._played += 1
        if seat is not None:
            self._recall[seat] = _digest(self._recall[seat], seen, action.to_bytes(4, "little"))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"match {action}"
        for legal in self._known().legal_actions():
            if legal.index == action:
                return legal.text
        name, args = _meanings(self._game().found.name).action(action)  # one of the history, for instance
        return " ".join([name, *(f"{role}={value}" for role, value in args.items())])

    def __str__(self) -> str:
        if self._match is None:
            return f"{self._game().found.name} before a match is chosen"
        return f"{self._match!r}, digest {self._match.digest:016x}"


class _Observer:
    """An OpenSpiel observer of one player: what it sees, or all that it remembers."""

    def __init__(self, game: Game, kind: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ArgumentError(f"params are {params}: must be empty", {"field": "params"})
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            message = (
                "iig_obs_type is not supported: must have the public and private information of one player"
            )
            raise ArgumentError(message, {"field": "iig_obs_type"})
        self._recall = kind.perfect_recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if not self._recall:
            self.tensor = np.zeros(game.found.observation_size, np.float32)
            self.dict["observation"] = self.tensor

    def set_from(self, state: State, player: int) -> None:
        """Fill the tensor with the bytes that the player sees."""
        if self.tensor is not None:
            self.tensor[:] = state.seen(player)

    def string_from(self, state: State, player: int) -> str:
        """Return what the player sees or, with perfect recall, knows."""
        return state.known(player) if self._recall else state.view(player)


def load_game(
    game: str,
    *,
    seats: int | None = None,
    seed: int = 0,
    setup: Setup = None,
    matches: int = MATCHES,
    max_game_length: int = MAX_GAME_LENGTH,
) -> Game:
    """Return a game for OpenSpiel; without `seats`, with the fewest possible.

    Chance chooses one of `matches` matches of the seed; with one there is no chance node. After
    `max_game_length` decisions a match ends without a result. As an OpenSpiel parameter, a setup is
    percent-encoded JSON, so that it can be part of the name of a game.
    """
    text = setup_to_json(game, setup)
    params = {
        "players": find_game(game).seats[0] if seats is None else seats,
        "seed": seed,
        "matches": matches,
        "max_game_length": max_game_length,
        "setup": "" if text == "{}" else quote(text, safe=""),
    }
    return _KINDS[game](params)


def _by_name(text: str) -> Game:
    game: Game = pyspiel.load_game(text)
    return game


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=16).digest()


def _parameters(game: engine.Game) -> dict[str, int | str]:
    return {
        "players": game.seats[0],
        "seed": 0,
        "matches": MATCHES,
        "max_game_length": MAX_GAME_LENGTH,
        "setup": "",
    }


def _game_type(game: engine.Game) -> Any:
    return pyspiel.GameType(
        short_name=f"sengoku_{game.name}",
        long_name=f"Sengoku: {game.name}, rules version {game.rules_version}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=game.seats[0],
        max_num_players=game.seats[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


def _kind(game: engine.Game) -> type[Game]:
    """Register a game as a class: OpenSpiel keeps classes alive, but not functions."""
    kind: type[Game] = type(f"{game.name.title()}Game", (Game,), {"__doc__": Game.__doc__, "found": game})
    pyspiel.register_game(_game_type(game), kind)
    return kind


_KINDS = {game.name: _kind(game) for game in games()}
