"""Other names for places, units and cards, so that a player cannot recall what it has read about them."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from string import ascii_uppercase
from typing import Any

from sengoku.engine.games import find_game
from sengoku.engine.spec import spec

__all__ = ["Renaming", "Unchanged"]

_STEMS = {
    "swords": ("bow", "gun", "sword", "spear", "daimyo", "ronin", "ninja", "koku"),
    "tower": ("daimyo", "temple"),
    "battles": ("samurai", "ashigaru", "arquebus", "bow", "spear", "levy", "levies", "bodyguard", "katana"),
}
"""Words for units and pieces, which also have endings."""
_ENDINGS = ("s", "man", "men", "sman", "smen", "ner", "ners")
_CODES = {"battles": ("SSpC", "SBC", "SSp", "SB", "ASp", "AB", "AA", "LI", "BG", "LF", "LM", "AC")}
"""Abbreviations, which are letters in a fixed case."""
CARDS = {
    "battles": (
        "Crane's Wing", "Flight of Geese", "Flanking Move", "Tiger's Tail", "Cavalry Charge", "Counterattack",
        "First Strike", "Hold and Shoot", "Infantry Assault", "Leadership", "Snake Command", "Shogun",
        "Ashigaru Attack", "Courageous Leader", "Ninja Assassin", "Tactical Wisdom", "Physician",
        "Terror Strike", "Ambush", "Blue Dragon", "Wise Advisor", "Desperate Charge", "Turncoats",
        "Fire Arrows", "Brave Messenger", "Cowards", "Courage", "Volley by Ranks", "Head Collector",
        "Katchu Keiba Winner", "Legendary Combat", "Followers of Bishamon", "Insult", "Personal Challenge",
        "Move Like the Wind", "Ninja Thief", "Aikido Training", "Panic", "Rice Famine", "Red Dragon",
        "Vengeance", "Bulletproof Armor", "Spirit of Haya-ji", "Spirit of Kisshoten", "Tea Ceremony",
        "Timid Success", "White Dragon", "Wild Winds", "White Fox Spirit",
    ),
}  # fmt: skip
"""Cards with a name of their own; "Order Two Units Left" and the like say what they do, and keep their names.
"""
_CARD_CODES = {
    "battles": {
        "CRANE": "Crane's Wing", "GEESE": "Flight of Geese", "FLANKS": "Flanking Move",
        "TIGER": "Tiger's Tail", "CAVALRY": "Cavalry Charge", "COUNTER": "Counterattack",
        "FIRST": "First Strike", "HOLD": "Hold and Shoot", "ASSAULT": "Infantry Assault",
        "LEADER": "Leadership", "SNAKE": "Snake Command", "SHOGUN": "Shogun",
    },
}  # fmt: skip
_PEOPLE = {"battles": "people.txt"}
"""Files with the names of armies, leaders and places in the titles of battles."""
_WORD = re.compile(r"[a-z']+")
_REAL = frozenset(
    ("vale", "vane", "vega", "vela", "vena", "veto", "vibe", "vide", "vigo", "vile", "vine", "viva", "vole",
     "vote", "xena", "xeno", "zero", "zone", "zuni")
)  # fmt: skip
_INVENTED = tuple(
    word for a in "vxz" for b in "aeiou" for c in "bdgklmnrtvz" for d in "aeiou"
    if (word := a + b + c + d) not in _REAL
)  # fmt: skip
"""Words that stand for nothing; none of them is a word of the texts, and none has one of the endings."""


@cache
def _phrases(game: str) -> tuple[tuple[str, ...], ...]:
    """Return the names of places and cards, each as its words, without repetition."""
    found = dict.fromkeys(tuple(_WORD.findall(name.lower())) for name in CARDS.get(game, ()))
    for field in spec(game).fields:
        for axis in field.axes:
            if axis.name == "province":
                found |= dict.fromkeys(tuple(_WORD.findall(name)) for name in axis.labels)
    return tuple(sorted(found))


@cache
def _people(game: str) -> tuple[str, ...]:
    """Return the names of a game that are always written with a first capital."""
    if game not in _PEOPLE:
        return ()
    return tuple(files(__package__).joinpath(_PEOPLE[game]).read_text("utf-8").split())


class Unchanged:
    """The names as they are."""

    def hide(self, text: str) -> str:
        """Return the text."""
        return text

    def hide_json(self, text: str) -> str:
        """Return the text."""
        return text


class Renaming(Unchanged):
    """Invented names for a match: every name has another one, and no two have the same.

    The names depend on the game, the seed and the match number only: all seats see the same ones, so that
    they can talk about them, and so do all matches of a block of a tournament. Numbers, order, and every
    other word stay as they are.

    >>> names = Renaming("swords", seed=7, match_index=0)
    >>> text = "3 spearmen from Awa-Shikoku to Aki"
    >>> names.hide(text) != text, len(names.hide(text).split()), names.reveal(names.hide(text)) == text
    (True, 6, True)
    """

    def __init__(self, game: str, seed: int, match_index: int = 0) -> None:
        """Choose the names of a match."""
        find_game(game)
        key = hashlib.sha256(f"names/{game}/{seed}/{match_index}".encode()).digest()
        chance = random.Random(key)  # noqa: S311 - it says no more about the seed than its hash
        phrases, stems = _phrases(game), _STEMS.get(game, ())
        people = _people(game)
        words = chance.sample(_INVENTED, sum(map(len, phrases)) + len(stems) + len(people))
        free = iter(words)
        self._phrases = {phrase: tuple(next(free) for _ in phrase) for phrase in phrases}
        self._stems = {stem: next(free) for stem in stems}
        self._people = {name: next(free).capitalize() for name in people}
        codes = _CODES.get(game, ())
        other = [f"Q{letter}" for letter in ascii_uppercase[: len(codes)]]
        chance.shuffle(other)
        self._codes = dict(zip(codes, other, strict=True))
        cards = _CARD_CODES.get(game, {}).items()
        self._cards = {
            code: self._phrases[tuple(_WORD.findall(name.lower()))][0].upper() for code, name in cards
        }
        self._back = {new: old for old, new in self._stems.items()}
        for phrase, invented in self._phrases.items():
            self._back |= dict(zip(invented, phrase, strict=True))
        self._back |= {new.lower(): old.lower() for old, new in self._people.items()}
        self._codes_back = {new: old for old, new in (self._codes | self._cards).items()}
        self._known = {" ".join(phrase) for phrase in phrases} | set(stems) | {"army", "armies", "blocks"}
        self._hiding, self._revealing = _patterns(game)

    def table(self) -> dict[str, str]:
        """Return every name with the invented one."""
        found = {" ".join(phrase): " ".join(new) for phrase, new in self._phrases.items()}
        return (
            found
            | self._stems
            | self._people
            | self._codes
            | {f"C-{old}": f"C-{new}" for old, new in self._cards.items()}
        )

    def hide(self, text: str) -> str:
        """Return a text with the invented names."""
        return self._hiding.sub(self._hidden, text)

    def reveal(self, text: str) -> str:
        """Return a text with the names of the game."""
        return self._revealing.sub(self._revealed, text)

    def hide_json(self, text: str) -> str:
        """Return JSON with the invented names, in keys too where these are names and not fields."""
        return json.dumps(self._hide_value(json.loads(text)), ensure_ascii=False, separators=(",", ":"))

    def _hidden(self, found: re.Match[str]) -> str:
        if found["card"]:
            return f"C-{self._cards[found['card']]}"
        if found["code"]:
            return self._codes[found["code"]]
        if found["stem"]:
            return _like(found["stem"], self._stems[found["stem"].lower()]) + found["ending"]
        if found["person"]:
            return self._people[found["person"]]
        words = re.split(r"([ _-]+)", found["phrase"])
        parts = _WORD.findall(found["phrase"].lower())
        new = iter(self._phrases[tuple(parts)])
        return "".join(word if place % 2 else _like(word, next(new)) for place, word in enumerate(words))

    def _revealed(self, found: re.Match[str]) -> str:
        if found["card"]:
            return f"C-{self._codes_back.get(found['card'], found['card'])}"
        if found["code"]:
            return self._codes_back.get(found["code"], found["code"])
        old = self._back.get(found["word"].lower())
        return found[0] if old is None else _like(found["word"], old) + found["ending"]

    def _hide_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, list):
            return [self._hide_value(item) for item in value]
        if isinstance(value, dict):
            names = bool(value) and all(self._is_name(key) for key in value)
            return {self.hide(key) if names else key: self._hide_value(item) for key, item in value.items()}
        return value

    def _is_name(self, key: str) -> bool:
        return " ".join(_WORD.findall(key.lower())) in self._known


def _like(pattern: str, word: str) -> str:
    """Return a word in the case of another one."""
    if pattern.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if pattern[:1].isupper() else word


@lru_cache(maxsize=8)
def _patterns(game: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of the names of a game, and of invented ones."""

    def word(text: str) -> str:
        """Match a word in small letters, in capitals, or with a first capital."""
        rest = re.escape(text[1:])
        return f"(?:[{text[0]}{text[0].upper()}]{rest}|{re.escape(text.upper())})"

    def listed(texts: Iterator[str]) -> str:
        return "|".join(sorted(texts, key=len, reverse=True)) or "(?!)"

    phrases = listed("[ _-]".join(map(word, phrase)) for phrase in _phrases(game))
    stems = listed(word(stem) for stem in _STEMS.get(game, ()))
    codes = listed(iter(_CODES.get(game, ())))
    people = listed(iter(_people(game)))
    cards = listed(iter(_CARD_CODES.get(game, ())))
    endings = f"(?P<ending>(?:{'|'.join(sorted(_ENDINGS, key=len, reverse=True))})?)"
    begin, end = "(?<![A-Za-z'])", "(?![A-Za-z])"
    hiding = re.compile(
        f"{begin}(?:C-(?P<card>{cards})|(?P<phrase>{phrases})|(?P<stem>{stems}){endings}|"
        f"(?P<person>{people})|(?P<code>{codes})){end}"
    )
    revealing = re.compile(
        f"{begin}(?:C-(?P<card>[A-Z]{{4}})|(?P<word>[vxzVXZ][a-zA-Z][a-zA-Z][a-zA-Z]){endings}|(?P<code>Q[A-Z]))"
        "(?![A-Za-z0-9])"
    )
    return hiding, revealing
