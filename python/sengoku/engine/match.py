"""A single match of any game, played decision by decision.

>>> from sengoku import games
>>> for game in games():
...     with Match.create(game.name, seats=game.seats[0], seed=11) as match:
...         action = match.legal_actions()[0]
...         match.play(action)
"""

import json
from collections.abc import Callable, Iterable, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, Self, SupportsIndex

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.engine.actions import Action
from sengoku.engine.checks import check_integer
from sengoku.engine.frames import Viewer
from sengoku.engine.games import Setup, find_game, setup_to_json
from sengoku.engine.match_views import MatchViews
from sengoku.engine.scripts import Dice, Throw, check_left, dice_faces, scripts_table, scripts_to_json
from sengoku.engine.talk import Message, Proposal, messages_from_json, said_to_json
from sengoku.engine.tell import Choices, tell
from sengoku.errors import LimitError, NotYourTurnError

if TYPE_CHECKING:
    from sengoku.engine.analysis import MatchAnalysis
    from sengoku.engine.progress import Progress


class Match(MatchViews):
    """A match of any game: its start, every decision since, and its current state.

    Created by `Match.create`, `Match.load` and `Match.from_replay`.
    """

    def __init__(self, core: _core.Match) -> None:
        super().__init__(core)
        self._hosts = bool(_core.hosted_bots(core))

    @classmethod
    def create(
        cls,
        game: str,
        *,
        seats: int | None = None,
        seed: int = 0,
        match_index: int = 0,
        setup: Setup = None,
        dice: Dice = None,
        throws: Iterable[Throw] | None = None,
        lots: Iterable[SupportsIndex] | None = None,
        cards: Iterable[Iterable[str]] | None = None,
        bots: Mapping[int, str] | None = None,
    ) -> Self:
        """Start a match; without `seats`, with the fewest the game allows. `setup` may also be JSON text.

        `dice`, `throws`, `lots` and `cards` script chance, each in order: faces of dice (letters in
        `battles`); what comes out of the cube tower, by seat and "farmers"; which of the candidates a lot
        falls to, 1 is the first; and for each shuffle the cards that come first. What is not scripted comes
        from the seed. An action that needs more than a script has left is refused and changes nothing;
        `check_scripts` finds what was not used. The match plays seats with `bots` itself until a seat
        without a bot must decide; they are saved with it.

        >>> match = Match.create("swords", seats=3, seed=11, bots={1: "greedy", 2: "mcts:iterations=40"})
        >>> match.play(match.legal_actions()[0])
        >>> match.to_act, match.bots
        (0, {1: 'greedy', 2: 'mcts:iterations=40'})
        """
        seats = find_game(game).seats[0] if seats is None else seats
        core = _core.Match.create(
            game,
            seats=seats,
            seed=seed,
            match_index=match_index,
            setup=setup_to_json(game, setup),
            dice=dice_faces(game, dice),
            scripts=scripts_to_json(scripts_table(throws, lots, cards)),
        )
        if bots is not None:
            if not isinstance(bots, Mapping):
                raise TypeError(f"bots must be a mapping of seats to names, not {type(bots).__name__}")
            _core.host_bots(core, list(bots.items()))
            _core.advance_bots(core)
        return cls(core)

    @classmethod
    def load(cls, data: bytes | bytearray | memoryview) -> Self:
        """Load a match that `save` wrote."""
        return cls(_core.Match.load(bytes(memoryview(data))))

    @classmethod
    def from_replay(cls, text: str) -> Self:
        """Load the match of a replay; errors name the line."""
        if not isinstance(text, str):
            raise TypeError(f"text must be a str, not {type(text).__name__}")
        return cls(_core.Match.from_replay(text.encode("utf-8", "replace").decode()))

    def check_scripts(self) -> None:
        """Raise `DiceScriptError` if a script is not used up; leaving `with` after the end does so too.

        >>> match = Match.create("battles", seed=7, dice="TX CS")
        >>> match.scripts_left
        {'dice': 4}
        """
        check_left(self.scripts_left)

    def legal_actions(self) -> list[Action]:
        """Return the legal actions in table order."""
        return [Action(**row) for row in json.loads(self._core.legal_texts())]

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Return a boolean mask over the action table: which actions are legal."""
        return self._core.legal_mask()

    def play(self, action: SupportsIndex, seat: int | None = None) -> None:
        """Play an action, given as an `Action` or an index; with `seat`, only if that seat is to act.

        A refused action changes nothing. The bots of the match answer before this returns.
        """
        if self._hosts and _core.bot_to_act(self._core):
            to_act = str(self.to_act)
            message = f"seat {to_act} is to act, which a bot plays: go on with play_on"
            raise NotYourTurnError(
                message, {"asked": "none" if seat is None else str(seat), "to_act": to_act}
            )
        self._core.play(index(action), seat)
        if self._hosts:
            _core.advance_bots(self._core)

    def play_on(
        self,
        bots: str | Mapping[int, str] | None = None,
        until: int | Callable[[Self], bool] | None = None,
        *,
        cancel: _core.Cancel | None = None,
    ) -> int:
        """Let bots play a stretch of the match, and return how many decisions they took.

        `bots` is a bot for all seats, or for each seat of a mapping; seats with a bot of the match keep it if
        they are not named. `until` is a number of decisions of the match, or a function that is called with
        the match before each decision and ends the stretch by returning True. Without it the stretch ends
        where a seat without a bot must decide, or with the match.

        >>> match = Match.create("battles", seed=3)
        >>> match.play_on("greedy", until=lambda match: match.state()["round"] > 2)
        96
        >>> match.play_on({0: "greedy", 1: "random"}, until=100)
        4
        """
        hosted, begin = self.bots, self.decisions
        if isinstance(bots, str):
            bots = {seat: bots for seat in range(self.seats) if seat not in hosted}
        elif bots is not None and not isinstance(bots, Mapping):
            raise TypeError(f"bots must be a name or a mapping, not {type(bots).__name__}")
        most = until if until is None or callable(until) else check_integer("until", until, 0, 2**32 - 1)
        seated: list[int] = []
        try:
            for seat, name in dict(bots or {}).items():
                self._core.seat_bot(seat, name)
                seated.append(seat)
            if callable(most):
                while not self.over and not most(self) and _core.bot_to_act(self._core):
                    _core.advance_bots(self._core, max_decisions=self.decisions + 1, cancel=cancel)
            else:
                _core.advance_bots(self._core, max_decisions=most, cancel=cancel)
        finally:
            for seat in seated:
                self._core.seat_bot(seat, hosted.get(index(seat)))
        return self.decisions - begin

    def suggest(self, bot: str = "greedy", seed: int = 0) -> Action:
        """Return the action that a bot would take now, from what the seat to act sees.

        It depends on nothing else but `seed`, and changes nothing.
        """
        found = _core.suggest_action(self._core, bot, seed=seed)
        return Action(**json.loads(_core.action_text(self._core, found)))

    def choices(self) -> Choices:
        """Return the legal actions as a numbered list, in two steps where there are many.

        Its method `answer` reads an answer in words.
        """
        return Choices(self.legal_actions())

    def tell(
        self,
        seat: SupportsIndex | None = None,
        budget: SupportsIndex = 1500,
        since: SupportsIndex | None = None,
    ) -> str:
        """Return the position and what happened as a seat sees it, in at most `budget` words, at least 300.

        The seat is the one to act unless another is named. Events are those since its last decision, or after
        the number of decisions `since`; messages to the seat that no decision follows yet come after them.
        If the seat is to act, the text ends with its `choices`. Words are what stands between spaces; what is
        left out is named. The form is the same in all games.
        """
        return tell(self, seat, budget, since)

    def say(
        self,
        seat: SupportsIndex,
        text: str = "",
        *,
        to: Iterable[SupportsIndex] | SupportsIndex | None = None,
        proposal: Proposal | None = None,
        answers: SupportsIndex | None = None,
        accepts: bool | None = None,
    ) -> Message:
        """Say something in the name of a seat: to everybody, or to the seats `to`; return the message.

        It can make a `proposal`, or answer the proposal with the number `answers` among the messages of this
        seat; both bind nobody. Any seat can speak between two decisions. Messages are in the replay and in
        the views of their readers, never in the state. A text is one line of at most 500 characters; a seat
        says at most 200 messages, ten between two decisions.

        >>> match = Match.create("swords", seats=3, seed=7)
        >>> offer = match.say(0, "Shall we?", to=1, proposal=Proposal("truce", rounds=2))
        >>> match.say(1, answers=offer.number, accepts=True).to
        (0,)
        >>> len(match.messages(2))
        0
        """
        said = said_to_json(seat, text, to=to, proposal=proposal, answers=answers, accepts=accepts)
        number = self._core.say(said)
        return messages_from_json(self._core.messages(index(seat), number - 1))[0]

    def messages(self, seat: Viewer = None, since: SupportsIndex = 0) -> list[Message]:
        """Return the messages that a seat can read, behind number `since`; without a seat, all there are.

        Those that "public" can read are for everybody. Each reader numbers its own messages from 1 on.
        """
        since = check_integer("since", since, 0, 2**32 - 1)
        return messages_from_json(self._core.messages(seat, since))

    def analyse(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        luck: int | None = None,
        cards: str = "seat",
        seat: int | None = None,
        seed: int = 0,
        horizon: int | None = None,
        threads: int = 0,
        partial: "MatchAnalysis | None" = None,
        save: "Callable[[MatchAnalysis], object] | None" = None,
        progress: "bool | Progress | None" = None,
        cancel: _core.Cancel | None = None,
    ) -> "MatchAnalysis":
        """Analyse the match so far: win probabilities, mistakes, turning points and luck.

        Each decision is judged by what its seat could know at that moment, in worlds that it could not
        distinguish from the real one; with `cards="open"`, with all hands open. With `seat`, only the
        decisions of that seat are analysed, and nothing is used or told that it may not know now.

        The budget is `iterations` playouts of a decision and `luck` pairs of playouts for each draw (0 leaves
        it out; default: half as many), or about so many `seconds`, which choose the iterations. By default a
        match takes a minute or two on two cores. Playouts are played on by the bot `greedy` and evaluated
        after `horizon` stretches of play; 0 plays them to the end. The same match, seed and iterations give
        the same analysis, on any number of threads.

        `save` is called with partial results; one of them passed as `partial` is continued, with the same
        result as without interruption. `progress` is called with the decisions done and their number.
        """
        from sengoku.engine.analysing import analyse  # noqa: PLC0415 - it imports this module

        return analyse(
            self,
            iterations=iterations,
            seconds=seconds,
            luck=luck,
            cards=cards,
            seat=seat,
            seed=seed,
            horizon=horizon,
            threads=threads,
            partial=partial,
            save=save,
            progress=progress,
            cancel=cancel,
        )

    def count_sequences(self, length: int, limit: int = 10_000_000) -> int:
        """Count the sequences of legal decisions of this length, or shorter ones where the match ends.

        Two builds with equal counts agree on which actions are legal. Dice fall as they would in this match.
        """
        for name, value, most in (("length", length, 255), ("limit", limit, 2**64 - 1)):
            check_integer(name, value, 0, most)
        count = self._core.count_sequences(index(length), index(limit))
        if count is None:
            message = f"length is {length}: there are more than {limit} sequences, choose a smaller length"
            raise LimitError(message, {"field": "length", "value": str(length), "limit": str(limit)})
        return count

    def rewound(self, decisions: int) -> Self:
        """Return the match as it stood after a number of decisions, without bots and messages."""
        decisions = check_integer("decisions", decisions, 0, self.decisions)
        return type(self)(_core.rewound_match(self._core, decisions))

    def clone(self) -> Self:
        """Return an independent copy."""
        return type(self)(self._core.clone())

    def resample(self, seat: int, seed: int = 0) -> Self:
        """Return a match that `seat` cannot distinguish from this one: hidden information is drawn anew.

        The new match starts in the current position (option `position` of its setup), with its own randomness
        and an empty history. It depends only on `seed` and on what the seat may know, so a search over many
        seeds learns nothing else. A match that is over returns one that is over.

        >>> match = Match.create("swords", seats=3, seed=7)
        >>> world = match.resample(0, seed=1)
        >>> world.view(0) == match.view(0), world.decisions
        (True, 0)
        """
        return type(self)(self._core.resample(seat, seed))

    def save(self) -> bytes:
        """Return the match as bytes."""
        return self._core.save()

    def replay(self) -> str:
        """Return the match as readable text: setup, seed and every decision."""
        return self._core.replay()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        self.close()
        if failed is None and self.over:
            self.check_scripts()

    def close(self) -> None:
        """Do nothing: a match in this process needs no closing, one on a server does."""

    def __repr__(self) -> str:
        stands = "over" if self.over else f"seat {self.to_act} to act"
        return (
            f"<Match of {self.game}, {self.seats} seats, seed {self.seed}, match {self.match_index}: "
            f"{stands} after {self.decisions} decisions>"
        )

    def __reduce__(self) -> tuple[Callable[[bytes], "Match"], tuple[bytes]]:
        return type(self).load, (self.save(),)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()
