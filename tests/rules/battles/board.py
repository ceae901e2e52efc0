"""Positions and plays for rule tests.

A position is at the start of a turn. Pieces are written as in deployments, `SSp@5,5` for a unit in row 5,
place 5, with its blocks (`SSp:2@5,5`), its leader (`SSp+LF@5,5`) and his name (`SSp+LF(Taro)@5,5`);
`LM@4,4` is a lone leader, `LF*@4,4` one who was the commander, `AC+BG:3@0,5` a commander with three
bodyguards in his tent. Faces are letters.

>>> board = Board(active="bottom", terrain={"4,5": "FOREST"}).top("ASp@4,5").bottom("SSp@6,5")
>>> play = board.play("TX")  # at most two dice into a forest, and two are all that will fall
>>> play.command("C-ADV-C").order("6,5").move("6,5", "5,5").attack("5,5", "4,5").at("4,5")
'top ASp:2'
>>> play.asked, play.question, sorted(play.choices)
('top', 'battle_back', ['5,5', 'pass'])
"""

from collections.abc import Iterable
from typing import Any, Self

from sengoku import Match, draws
from sengoku.battles import PositionBuilder
from sengoku.engine.positions.battles import HAND, SIDES, TILES, Side, hexes

__all__ = [
    "FACES", "HAND", "PLAYS", "SIDES", "TILES", "Board", "Play", "Side", "drawn", "faces", "hexes",
    "shuffled",
]  # fmt: skip

FACES = "CTSFHX"
"""The faces of the die in canonical order (BT-COMP-02)."""
OPTIONAL = {"window", "inspire"}
"""Questions that are passed by themselves if the answer that is given does not belong to them."""

PLAYS: list["Play"] = []
"""All plays of the test under way: their dice must be used up at its end."""


def drawn(draw: int, sides: int, seed: int = 1) -> int:
    """The value of a draw that is not a die; draws, dice included, are numbered from the start."""
    return draws("game", seed=seed, first=draw, sides=sides)[0]


def shuffled(pile: Iterable[str], first: int, seed: int = 1) -> list[str]:
    """A pile after its shuffle, which begins with draw number `first`; the top card is the last."""
    pile = list(pile)
    for place in range(len(pile) - 1, 0, -1):
        other = drawn(first + len(pile) - 1 - place, place + 1, seed)
        pile[place], pile[other] = pile[other], pile[place]
    return pile


def faces(*script: str) -> list[int]:
    """The faces to roll, by letters. Dice are scripted from draw 1 on; cards come from the seed."""
    return [1 + FACES.index(face) for part in script for face in part if face != " "]


class Board(PositionBuilder):
    """A position that is played by words, with dice by letters."""

    def table(self) -> dict[str, Any]:
        """The setup of a match that begins from here."""
        return self.setup()

    def start(self, *script: str, seed: int = 1) -> Match:
        """A match that begins from here; the script is all that will fall."""
        return self.match(faces(*script), seed)

    def match(self, dice: Any = None, seed: int = 1, **options: Any) -> Match:
        """Begins a match from here."""
        return super().match(dice, seed, **options)

    def play(self, *script: str, seed: int = 1) -> "Play":
        """The same, to be played by words."""
        return Play(self.start(*script, seed=seed))

    def fight(self, unit: str, target: str, *script: str) -> "Play":
        """Plays an advance in the center in which one unit attacks; windows and inspiring are passed."""
        return self.play(*script).command("C-ADV-C").order(unit).attack(unit, target)


class Play:
    """A match that is played by words.

    The answers of a question are words: `pass`, `yes`, `seppuku`, `leave`, `draw_dragon`, `take_honor`; a
    card by its id; a hex by its name; `leader 5,5` for the leader there by himself; a number of flags
    to ignore; `left>center` for Tactical Wisdom.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        PLAYS.append(self)

    # What is asked.

    @property
    def state(self) -> dict[str, Any]:
        """Everything about the match."""
        found: dict[str, Any] = self.match.state()
        return found

    @property
    def question(self) -> str | None:
        """The question that is open, as `play_command`, `window`, `order`, `move` or `battle`."""
        found = self.state["question"]
        return None if found is None else str(found["step"])

    @property
    def asked(self) -> Side | None:
        """Who is asked."""
        return None if self.match.to_act is None else SIDES[self.match.to_act]

    @property
    def window(self) -> str | None:
        """The window that is open, as `W-FIRST`."""
        found = self.state["question"] or {}
        return found.get("window")

    @property
    def choices(self) -> set[str]:
        """The answers to the open question."""
        return set(self._answers())

    def _answers(self) -> dict[str, Any]:
        return {_word(action): action for action in self.match.legal_actions()}

    # Answers.

    def do(self, *words: str | int) -> Self:
        """Plays answers one after the other; passes windows and inspiring that an answer does not fit."""
        for word in map(str, words):
            while word not in (answers := self._answers()) and self.question in OPTIONAL:
                self.match.play(answers["pass"])
            assert word in answers, f"{word} is no answer to {self.question}: {sorted(answers)}"
            self.match.play(answers[word])
        return self

    def until(self, *questions: str) -> Self:
        """Passes whatever can be passed until one of these questions, or windows, is open."""
        for _ in range(1000):
            if self.question in questions or self.window in questions:
                return self
            answers = self._answers()
            assert "pass" in answers or "take_honor" in answers, f"{self.question} comes before {questions}"
            self.match.play(answers.get("pass") or answers["take_honor"])
        raise AssertionError(f"{questions} do not come up")

    def quiet(self) -> Self:
        """Passes windows and inspiring until something else is asked."""
        while self.question in OPTIONAL:
            self.match.play(self._answers()["pass"])
        return self

    def offers(self) -> list[tuple[Side | None, str | None, set[str]]]:
        """The same; the windows on the way, who was asked in them, and what could have been played."""
        asked = []
        while self.question in OPTIONAL:
            if self.window:
                asked.append((self.asked, self.window, self.choices - {"pass"}))
            self.match.play(self._answers()["pass"])
        return asked

    def command(self, card: str, *then: str) -> Self:
        """Plays a command card, then answers of T1: a dragon card with it, one against it, their targets."""
        return self.do(card, *then)

    def order(self, *pieces: str) -> Self:
        """Orders pieces and gives no other orders."""
        self.do(*pieces)
        return self.do("pass") if self.question == "order" else self

    def move(self, piece: str, to: str) -> Self:
        """Moves an ordered piece (a hex, or `leader 5,5`); `leave` is off the board."""
        self._leave("order")
        self.do(piece)
        if self.question in OPTIONAL | {"destination"}:
            self.do(to)
        moved = [event for event in self.events() if event["event"] in ("moved", "stayed", "leader_gone")][-1]
        end = moved["hex"] if moved["event"] == "stayed" else moved.get("to", "leave")
        assert end == to, f"{piece} went elsewhere: {moved}"
        return self

    def attack(self, unit: str, target: str, *charging: str) -> Self:
        """Lets an ordered unit attack, levies together with others; windows of the attack are passed."""
        return self.declare(unit, target, *charging).quiet()

    def declare(self, unit: str, target: str, *charging: str) -> Self:
        """Declares an attack and stays at its first window, if there is one."""
        self._leave("order")
        self._leave("move")
        attacks = len(self.events("attack"))
        self.do(unit)
        if self.question == "target":
            self.do(target)
        self.do(*charging)
        if self.question == "charge":
            self.do("pass")
        under_way = (self.state["combat"] or {}).get("target")
        done = [event["target"] for event in self.events("attack")[attacks:]]
        assert target in [*done, under_way], f"{unit} attacks somebody else: {done}, {under_way}"
        return self

    def battlers(self) -> set[str]:
        """The ordered units that may battle now, once orders and movement are over."""
        self.until("battle", "replenish")
        return self.choices - {"pass"} if self.question == "battle" else set()

    def course(self, *kinds: str) -> list[str]:
        """The order in which events of these kinds happened; rolls are called by what they are for."""
        events = [event.get("roll", event["event"]) for event in self.events()]
        return [event for event in events if event in kinds]

    def ignore(self, flags: int) -> Self:
        """Ignores some flags."""
        return self.do(flags)

    def end_turn(self, replenish: str = "take_honor") -> Self:
        """Passes what is left of the turn; its player takes honor, or draws a dragon card."""
        active = self.state["active"]
        while not self.match.over and self.state["active"] == active:
            answers = self._answers()
            usual = next(
                (answers[word] for word in (replenish, "take_honor", "pass") if word in answers), None
            )
            self.match.play(usual or next(iter(answers.values())))
        return self

    def _leave(self, question: str) -> None:
        self.quiet()
        if self.question == question:
            self.do("pass").quiet()

    # What is on the table.

    def at(self, hex_: str) -> str | None:
        """The piece in a hex: `top SSp:4+LF`, `bottom LM`."""
        state = self.state
        units = [row for row in state["units"] if row["hex"] == hex_]
        leaders = [row for row in state["leaders"] if row["hex"] == hex_]
        parts = [f"{row['unit']}:{row['blocks']}" for row in units] + [row["leader"] for row in leaders]
        return f"{(units + leaders)[0]['side']} {'+'.join(parts)}" if parts else None

    def pieces(self, side: Side) -> set[str]:
        """Everything of an army, as `SSp:4+LF@5,5`."""
        rows = self.state["units"] + self.state["leaders"]
        places = {row["hex"] for row in rows if row["side"] == side}
        return {f"{(self.at(hex_) or '').split(' ')[1]}@{hex_}" for hex_ in places}

    @property
    def honor(self) -> dict[Side, int]:
        """Honor of both sides."""
        found: dict[Side, int] = self.state["honor"]
        return found

    @property
    def banners(self) -> dict[Side, int]:
        """Banners of both sides, temporary ones included."""
        state = self.state
        return {side: state["banners"][side] + state["temporary_banners"][side] for side in SIDES}

    def hand(self, side: Side) -> list[str]:
        """The command cards of a side."""
        return list(self.state["command"]["hands"][side])

    def dragons(self, side: Side) -> list[str]:
        """The dragon cards of a side."""
        return list(self.state["dragon"]["hands"][side])

    def discarded(self, pile: str = "dragon") -> list[str]:
        """The discards of the `dragon` or `command` cards, the oldest first."""
        return list(self.state[pile]["discards"])

    @property
    def ordered(self) -> set[str]:
        """Hexes of the pieces that have orders; `leader 5,5` for a leader who has one of his own."""
        turn = self.state["turn"]
        return {*turn["ordered"], *(f"leader {hex_}" for hex_ in turn["ordered_leaders"])}

    @property
    def winner(self) -> Side | None:
        """Who has won."""
        outcome = self.match.outcome
        return None if outcome is None or outcome.winner is None else SIDES[outcome.winner]

    @property
    def reason(self) -> str | None:
        """Why the match is over."""
        outcome = self.match.outcome
        return None if outcome is None else outcome.reason

    def events(self, kind: str | None = None, **fields: Any) -> list[dict[str, Any]]:
        """The log so far: everything, or events of a kind with these fields."""
        log = self.match.log
        return [event for event in log if kind in (None, event["event"]) and fields.items() <= event.items()]

    def rolls(self, *kinds: str) -> list[str]:
        """The rolls so far as letters, or those of some kinds (`melee`, `battle_back`, `leader_loss`, …)."""
        rolls = [event for event in self.events("rolled") if not kinds or event["roll"] in kinds]
        names = ["circle", "triangle", "square", "flag", "honor", "swords"]
        return ["".join(FACES[names.index(face)] for face in roll["faces"]) for roll in rolls]


def _word(action: Any) -> str:
    args = action.args
    if action.name == "redirect":
        return f"{args['from']}>{args['to']}"
    if action.name == "leader":
        return f"leader {args['hex']}"
    words = [args[key] for key in ("card", "number", "hex") if key in args]
    return str(words[0]) if words else str(action.name)
