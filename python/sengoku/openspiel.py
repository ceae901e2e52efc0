"""Every game as a game of OpenSpiel; needs the extra `sengoku[openspiel]`.

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
from operator import index
from typing import Any, ClassVar
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from sengoku import engine
from sengoku.engine.games import Setup, find_game, games, setup_to_json
from sengoku.engine.match import Match
from sengoku.engine.spec import spec
from sengoku.errors import ArgumentError, IllegalActionError

try:
    import pyspiel
except ImportError as missing:
    raise ImportError("games of OpenSpiel need it: pip install 'sengoku[openspiel]'") from missing

__all__ = ["MATCHES", "MAX_GAME_LENGTH", "Game", "State", "load_game"]

MATCHES = 1000
"""Matches among which chance chooses, if nothing else is asked for."""

MAX_GAME_LENGTH = 100_000
"""Decisions after which a match ends without a result, if nothing else is asked for."""

_MOST = 2**31 - 1
"""Largest whole number that a parameter can be."""

_meanings = cache(spec)


class Game(pyspiel.Game):
    """A game of ours with its table: seats, setup, seed.

    All chance of a match is a function of its seed and number. So chance moves once, at the beginning: it
    chooses one of `matches` matches, all equally likely. What dice and decks hold is then hidden from all.
    """

    found: ClassVar[engine.Game]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        default = _parameters(self.found)
        given = default | (params or {})
        self.setup = unquote(str(given["setup"])) or "{}"
        self.seed = _whole("seed", given["seed"], 0)
        self.matches = _whole("matches", given["matches"], 1)
        self.limit = _whole("max_game_length", given["max_game_length"], 1)
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
        """Gives the state before anything: chance is to move, unless there is only one match."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> "_Observer":
        """Gives an observer of what a player sees now or, with perfect recall, has seen."""
        return _Observer(self, iig_obs_type, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return _by_name, (str(self),)


class State(pyspiel.State):
    """A match as a state of OpenSpiel: `clone` and `serialize` keep it to the last die.

    So a clone rolls what the match will roll. Who searches without a look at the future takes states from
    `resample_from_infostate`, as OpenSpiel's information set search does.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._match: Match | None = None
        self._played = 0
        self._told, self._heard = b"", 0
        self._recall = [b""] * game.seats
        if game.matches == 1:
            self._begin(0)

    @property
    def match(self) -> Match:
        """A copy of the match."""
        return self._known().clone()

    def current_player(self) -> int:
        """The seat that decides, or that chance does or nobody."""
        if self._match is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self._match.to_act is None or self._played >= self._game().limit:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._match.to_act

    def is_terminal(self) -> bool:
        """Whether the match is over or has taken too long."""
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Rewards by rank (`Outcome.rewards`); zeros before the end, and where there is no result."""
        outcome = self._match and self._match.outcome
        return list(outcome.rewards) if outcome else [0.0] * self._game().seats

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the matches among which chance chooses."""
        matches = self._game().matches
        return [(number, 1 / matches) for number in range(matches)]

    def resample_from_infostate(self, player: int, sampler: Any) -> "State":
        """Gives a state that the player cannot tell from this one: all that it may not know is drawn anew.

        It has no history, since that would tell what others did in secret, and dice of its own. What other
        players remember is unknown in it. `sampler()` is uniform from 0 to 1.
        """
        game = self._game()
        state = game.new_initial_state()
        if self._match is not None:
            state._match = self._match.resample(player, seed=int(sampler() * 2**53))
            state._told, state._heard = self._hear(), len(state._match.log)
            state._recall[player] = self._recall[player]
            state._played = self._played
        return state

    def seen(self, player: int) -> npt.NDArray[np.uint8]:
        """The bytes that a player sees; zeros before there is a match."""
        if self._match is None:
            return np.zeros(self._game().found.observation_size, np.uint8)
        return self._match.observe(player)

    def view(self, player: int) -> str:
        """What a player sees, as JSON text; empty before there is a match."""
        return "" if self._match is None else json.dumps(self._match.view(player))

    def known(self, player: int) -> str:
        """What a player knows, as a text that two states share exactly if it knows the same in both.

        That is what it sees now, in hexadecimal; and as digests the public log, and what the player saw and
        did whenever it decided.
        """
        log, recall = self._hear().hex(), self._recall[player].hex()
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
            raise ArgumentError("there is no match yet, chance is to choose one", {"field": "state"})
        return self._match

    def _hear(self) -> bytes:
        """Brings the digest of the public log up to date."""
        if self._match is not None:
            for event in self._match.log[self._heard :]:
                self._told = _digest(self._told, json.dumps(event).encode())
                self._heard += 1
        return self._told

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - only asked for who decides
        legal: list[int] = np.flatnonzero(self._known().legal_mask()).tolist()
        return legal

    def _apply_action(self, action: int) -> None:
        if self._match is None:
            if not 0 <= action < self._game().matches:
                message = f"there is no match {action}, chance chooses below {self._game().matches}"
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
    """What a player sees, as OpenSpiel's observers tell it: now, or with all that it remembers."""

    def __init__(self, game: Game, kind: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ArgumentError(f"params are {params}, there are none", {"field": "params"})
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            message = "an observation is what one player sees, public and private; others there are none"
            raise ArgumentError(message, {"field": "iig_obs_type"})
        self._recall = kind.perfect_recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if not self._recall:
            self.tensor = np.zeros(game.found.observation_size, np.float32)
            self.dict["observation"] = self.tensor

    def set_from(self, state: State, player: int) -> None:
        """Fills the tensor with the bytes that the player sees."""
        if self.tensor is not None:
            self.tensor[:] = state.seen(player)

    def string_from(self, state: State, player: int) -> str:
        """Gives what the player sees or, with perfect recall, knows."""
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
    """Gives a game for OpenSpiel; without `seats`, with as few as it allows.

    Chance chooses one of `matches` matches of the seed; with one there is nothing to choose. After
    `max_game_length` decisions a match ends without a result. As a parameter of OpenSpiel, a setup is JSON in
    percent-encoding, so that it can stand in the name of a game.
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


def _whole(name: str, value: Any, least: int) -> int:
    """Gives a whole number back that OpenSpiel can hold as a parameter."""
    number = index(value)
    if not least <= number <= _MOST:
        message = f"{name} is {number}, {least} to {_MOST} are possible"
        raise ArgumentError(message, {"field": name, "value": str(number)})
    return number


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
    """Registers a game as a class of its own: OpenSpiel lets go of it when functions are no more."""
    kind: type[Game] = type(f"{game.name.title()}Game", (Game,), {"__doc__": Game.__doc__, "found": game})
    pyspiel.register_game(_game_type(game), kind)
    return kind


_KINDS = {game.name: _kind(game) for game in games()}
