"""Questions, answers and chance in the model of a `swords` match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from differential.model_match_board import (
    CHANCE,
    STEPS,
    Action,
    Board,
    ModelError,
    Play,
    Question,
)


class Questions(Board):
    """The questions of a match, and the chance events that the engine has logged."""

    _story: Play[None]

    def __init__(self, state: dict[str, Any]) -> None:
        super().__init__(state)
        self.chance: list[dict[str, Any]] = []
        self.question: Question | None = None

    # The outside: questions and answers.

    def legal_actions(self) -> list[Action]:
        """The actions that the asked clan may choose."""
        return [] if self.question is None else self.question.options

    def play(self, action: Action, log: Iterable[dict[str, Any]]) -> None:
        """Answers the question; `log` is what the engine says has happened since."""
        if action not in self.legal_actions():
            raise ModelError(f"{action} is not legal")
        self.chance = [event for event in log if event["event"] in CHANCE]
        self._advance(action)
        if self.chance:
            raise ModelError(f"the engine drew more: {self.chance}")

    def _advance(self, action: Action | None) -> None:
        try:
            self.question = self._story.send(action)  # type: ignore[arg-type]
        except StopIteration:
            self.question = None

    def _ask(self, clan: int, options: list[Action], always: bool = False) -> Play[Action]:
        """A decision with one choice is not asked, but where that would give a secret away (SW-R-88)."""
        if len(options) == 1 and not always:
            return options[0]
        return (yield Question(clan, options))

    def _has_cards(self, clan: int) -> bool:
        """Whether a clan has a face-down card anywhere, which everybody can see (SW-RONIN-09)."""
        return any(self.provinces[place].hidden > 0 for place in self.owned(clan))

    def _ask_amount(self, clan: int, amounts: Iterable[int], always: bool = False) -> Play[int]:
        action = yield from self._ask(clan, [("amount", {"amount": n}) for n in amounts], always)
        amount: int = action[1]["amount"]
        return amount

    # Chance.

    def _next_event(self, kind: str, **expected: object) -> dict[str, Any]:
        event = self.chance.pop(0) if self.chance else None
        if event is None or event["event"] != kind or any(event[k] != v for k, v in expected.items()):
            raise ModelError(f"expected {kind} {expected}, the engine has {event}")
        return event

    def _roll(self, role: str, step: int, count: int) -> int:
        """Rolls a side's dice of a step and counts hits (SW-RND-05)."""
        dice = self._next_event("dice", role=role, step=step)["dice"]
        if len(dice) != count:
            raise ModelError(f"{role} rolls {count} dice in step {step}, the engine {dice}")
        return sum(die <= STEPS[step][1] for die in dice)

    def _give_sword(self, clan: int, sword: int) -> None:
        mine = [event for event in self.chance if event["event"] == "sword" and event["clan"] == clan]
        if [event["sword"] for event in mine] != [sword]:
            raise ModelError(f"clan {clan} gets sword {sword}, the engine says {mine}")
        self.chance.remove(mine[0])
        self.clans[clan].sword = sword

    def _draw_swords(self, clans: list[int], swords: list[int]) -> None:
        """SW-RND-02, SW-RND-04."""
        for clan in clans:
            drawn = [e["sword"] for e in self.chance if e["event"] == "sword" and e["clan"] == clan]
            if len(drawn) != 1 or drawn[0] not in swords:
                raise ModelError(f"clan {clan} draws one of {swords}, the engine says {drawn}")
            swords.remove(drawn[0])
            self._give_sword(clan, drawn[0])
