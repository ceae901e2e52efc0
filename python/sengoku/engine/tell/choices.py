"""Legal actions as a short numbered list, in two steps where there are many, and answers in words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import commonprefix
from typing import TYPE_CHECKING

from sengoku.errors import invalid

if TYPE_CHECKING:
    from sengoku.engine.actions import Action

__all__ = ["Choices"]

MOST = 30
"""Lines of a list; more actions are chosen in two steps."""
_CHUNK = 25
_NUMBER = re.compile(r"(?<![\w.,-])(\d{1,4})(?![\w,-]|\.\d)")
_EDGES = " \t\"'`*_.:;,()[]"


@dataclass(frozen=True)
class _Item:
    """A line: an action, or a list of actions."""

    text: str
    target: Action | Choices


class Choices:
    """What a seat can choose, numbered from 1.

    An item is an action or, where there are many, a group of actions whose list is the second step.

    >>> from sengoku import Match
    >>> choices = Match.create("tower", seats=3, seed=7).choices()
    >>> choices.lines[5]
    '6. plan bid: Harima'
    >>> choices.answer("I plan bid: Harima").index == choices.answer("6").index
    True
    """

    def __init__(self, actions: Sequence[Action]) -> None:
        """Number these actions, in groups if they are many."""
        self._actions = tuple(actions)
        self._items = tuple(_items(self._actions))

    @property
    def lines(self) -> list[str]:
        """The numbered lines."""
        return [f"{number}. {item.text}" for number, item in enumerate(self._items, 1)]

    def __len__(self) -> int:
        return len(self._items)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def answer(self, text: str) -> Action | Choices:
        """Return what an answer in words means: an action, or the list of the second step.

        An answer is the number of a line, its text, the text of any action, or a few lines of which the last
        ones contain one of these. Anything else is an error that names what is near.
        """
        for part in (text, *reversed(text.splitlines())):
            found = self._read(part)
            if found is not None:
                return found
        raise invalid("answer", repr(text[:80]), self._expected(text))

    def _read(self, text: str) -> Action | Choices | None:
        said = _plain(text)
        named: dict[str, Action | Choices] = {_plain(action.text): action for action in self._actions}
        named |= {_plain(item.text): item.target for item in self._items}
        if said in named:
            return named[said]
        contained = [name for name in named if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)]
        longest = max(contained, key=len, default="")
        if longest and all(name in longest for name in contained):
            return named[longest]
        numbers = {int(number) for number in _NUMBER.findall(text)}
        if len(numbers) == 1 and not contained:
            (number,) = numbers
            if 1 <= number <= len(self._items):
                return self._items[number - 1].target
        return None

    def _expected(self, text: str) -> str:
        named = {_plain(action.text): action.text for action in self._actions}
        near = difflib.get_close_matches(_plain(text), named, 3, cutoff=0.5)
        listed = f"expected a number from 1 to {len(self._items)} or the text of a choice"
        return f"{listed}; near: {'; '.join(named[name] for name in near)}" if near else listed


def _plain(text: str) -> str:
    """Return a text in small letters, with single spaces and without marks around it."""
    return " ".join(re.sub(r"^\W*\d+[.)]\s+", "", text).casefold().strip(_EDGES).split())


def _items(actions: Sequence[Action]) -> list[_Item]:
    if len(actions) <= MOST:
        return [_Item(action.text, action) for action in actions]
    for length in (2, 1):  # by kind and first argument, or by kind alone
        groups: dict[tuple[str, ...], list[Action]] = {}
        for action in actions:
            key = (action.name, *map(str, action.args.values()))[:length]
            groups.setdefault(key, []).append(action)
        if 1 < len(groups) <= MOST and len(groups) < len(actions):
            return [_group(members) for members in groups.values()]
    return [_group(actions[first : first + _CHUNK]) for first in range(0, len(actions), _CHUNK)]


def _group(actions: Sequence[Action]) -> _Item:
    if len(actions) == 1:
        return _Item(actions[0].text, actions[0])
    shared = commonprefix([action.text for action in actions])  # noqa: RUF071 - these are no paths
    shared = shared if shared.endswith(" ") else shared.rpartition(" ")[0]
    if len(shared.split()) < 2:
        shared = f"{actions[0].text} ... {actions[-1].text}"
    return _Item(f"{shared.strip()} ({len(actions)} choices)", Choices(actions))
